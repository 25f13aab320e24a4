import * as Radix from 'radix-ui/dropdown-menu';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  /** A button; gets `aria-haspopup` and `aria-expanded`. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  defaultOpen?: boolean;
};

export function DropdownMenu({ trigger, children, align = 'end', defaultOpen = false }: Props) {
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-56 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-raised p-1.5 shadow-raised data-[state=open]:animate-rise-in"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** `asChild` with a link inside makes the entry a link. */
export function MenuItem({ danger, className, ...rest }: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return (
    <Radix.Item
      className={cx(
        'flex min-h-11 cursor-pointer select-none items-center gap-3 rounded-md px-3 outline-none data-[disabled]:cursor-not-allowed data-[highlighted]:bg-sunken data-[disabled]:opacity-55 md:min-h-9',
        danger && 'text-error-ink',
        className,
      )}
      {...rest}
    />
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-3 py-2 text-muted text-sm">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
