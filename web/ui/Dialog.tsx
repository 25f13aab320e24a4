import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { useReturnFocus } from '#web/ui/return-focus.ts';
import { keepOpenForToasts } from '#web/ui/toast.ts';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One or two sentences under the title; read out when it opens. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the end; the one that does it last. */
  footer?: ReactNode;
};

const SCRIM = 'fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out';

/** A question or a short task over the page. */
export function Dialog({ open, onOpenChange, title, description, children, footer }: Props) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM} />
        <div
          data-bottom-sheet
          className="pointer-events-none fixed inset-0 z-50 grid items-end justify-items-center sm:items-center sm:p-4"
        >
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            {...focus}
            onInteractOutside={keepOpenForToasts}
            className={cx(
              'pointer-events-auto flex max-h-[92dvh] w-full max-w-lg flex-col gap-4 overflow-y-auto rounded-t-xl bg-raised p-5 shadow-overlay sm:rounded-xl sm:p-6 forced-colors:border',
              'data-[state=open]:animate-rise-in data-[state=closed]:animate-fade-out',
            )}
          >
            <div className="flex items-start justify-between gap-4">
              <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label="Close" className="-m-2">
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              </Radix.Close>
            </div>
            {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
            {children}
            {footer && <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{footer}</div>}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

type SheetProps = Omit<Props, 'footer'> & {
  side?: 'right' | 'left';
  /** Stays in view under the scrolling content. */
  footer?: ReactNode;
  /** `wide` for an editor beside its preview. */
  width?: 'narrow' | 'normal' | 'wide';
  /** Keeps the title for screen readers only, for panels that draw their own head. */
  bare?: boolean;
};

/** A panel that slides in from the side; on a phone it takes the whole screen (the left one leaves a strip to tap). */
export function Sheet(props: SheetProps) {
  const { open, onOpenChange, title, description, children, footer, side = 'right', width = 'normal', bare } = props;
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM} />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...focus}
          onInteractOutside={keepOpenForToasts}
          className={cx(
            'fixed inset-y-0 z-50 flex flex-col bg-surface shadow-overlay forced-colors:border',
            side === 'right'
              ? 'right-0 w-full data-[state=closed]:animate-to-right data-[state=open]:animate-from-right'
              : 'left-0 w-[86vw] data-[state=closed]:animate-to-left data-[state=open]:animate-from-left',
            width === 'narrow' && 'max-w-72',
            width === 'normal' && 'sm:max-w-xl',
            width === 'wide' && 'md:max-w-[min(92vw,70rem)]',
          )}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <div className="flex items-start justify-between gap-4 border-line border-b px-4 py-3 sm:px-6 sm:py-4">
              <div className="min-w-0">
                <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
                {description && <Radix.Description className="text-muted text-sm">{description}</Radix.Description>}
              </div>
              <Radix.Close asChild>
                <IconButton label="Close" className="-mr-2">
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              </Radix.Close>
            </div>
          )}
          <div
            className={cx(
              'min-h-0 flex-1 overflow-y-auto overscroll-contain',
              // The focused element must not hide behind the buttons that stay at the bottom.
              bare ? 'scroll-pb-40 md:scroll-pb-24' : 'px-4 py-4 sm:px-6',
            )}
          >
            {children}
          </div>
          {footer && (
            <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-surface px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
