import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { currentToast, dismissToast, holdToast, onToastChange, type Toast } from '#web/ui/toast.ts';

const LOOK = {
  success: { icon: CircleCheck, className: 'border-accent-line bg-accent-soft text-accent-ink' },
  error: { icon: CircleAlert, className: 'border-error-line bg-error-soft text-error-ink' },
  info: { icon: Info, className: 'border-line bg-raised text-ink' },
} as const;

/** Where toasts appear: one at a time, five seconds, longer while somebody points at it or has the focus in it. */
export function Toaster() {
  const toast = useSyncExternalStore(onToastChange, currentToast);
  return (
    // The live region is there before its content, or some screen readers stay silent.
    <div
      role="status"
      aria-live="polite"
      // On a phone above the buttons that people press next: at the top stand headings and tabs. Over a dialog, which comes
      // from below, at the top (tokens.css).
      data-toasts
      className="pointer-events-none fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-60 flex justify-center p-4 sm:bottom-0 sm:pb-[max(1rem,env(safe-area-inset-bottom))]"
    >
      {toast && <ToastCard key={toast.id} toast={toast} />}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { icon: Icon, className } = LOOK[toast.tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only gives more time to read
    <div
      data-toast
      className={cx(
        'pointer-events-auto flex w-full max-w-sm animate-rise-in gap-3 rounded-lg border py-3 pr-1 pl-4 shadow-raised',
        toast.detail ? 'items-start' : 'items-center',
        className,
      )}
      onMouseEnter={() => holdToast(true)}
      onMouseLeave={() => holdToast(false)}
      onFocus={() => holdToast(true)}
      onBlur={() => holdToast(false)}
    >
      <Icon aria-hidden="true" className={cx('size-5 shrink-0', toast.detail && 'mt-0.5')} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-semibold">{toast.title}</p>
        {toast.detail && <p className="text-ink">{toast.detail}</p>}
      </div>
      <IconButton label="Dismiss" className="-my-2" onClick={() => dismissToast(toast.id)}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}
