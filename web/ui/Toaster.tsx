import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { cx } from '#web/ui/class-names.ts';
import { drawToastsWith, type ToastRequest } from '#web/ui/toast.ts';

const LOOK = {
  success: { icon: CircleCheck, className: 'border-accent-line bg-accent-soft text-accent-ink' },
  error: { icon: CircleAlert, className: 'border-error-line bg-error-soft text-error-ink' },
  info: { icon: Info, className: 'border-line bg-raised text-ink' },
} as const;

/** Where toasts appear: one at a time, five seconds (as long as one looks or points at it), read out politely. */
export function Toaster() {
  useEffect(() => {
    drawToastsWith((request) => toast.custom(() => <ToastCard {...request} />));
  }, []);
  return (
    <Sonner
      visibleToasts={1}
      duration={5000}
      position="bottom-center"
      containerAriaLabel="Messages"
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  );
}

function ToastCard({ tone, title, detail }: ToastRequest) {
  const { icon: Icon, className } = LOOK[tone];
  return (
    <div className={cx('flex items-start gap-3 rounded-lg border px-4 py-3 font-sans shadow-raised', className)}>
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 text-sm">
        <p className="font-semibold">{title}</p>
        {detail && <p className="text-ink">{detail}</p>}
      </div>
    </div>
  );
}
