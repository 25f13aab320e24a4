import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';

export type AlertVariant = 'info' | 'infoSecondary' | 'warning' | 'error' | 'success';

const LOOK = {
  info: { icon: Info, className: 'border-info-line bg-info-soft text-info-ink' },
  infoSecondary: {
    icon: Info,
    className: 'border-info-secondary-line bg-info-secondary-soft text-info-secondary-ink',
  },
  warning: { icon: TriangleAlert, className: 'border-warning-line bg-warning-soft text-warning-ink' },
  error: { icon: CircleAlert, className: 'border-error-line bg-error-soft text-error-ink' },
  success: { icon: CircleCheck, className: 'border-accent-line bg-accent-soft text-accent-ink' },
} as const;

type Props = {
  variant?: AlertVariant;
  title?: ReactNode;
  children?: ReactNode;
  /** A button or link that mends it. */
  action?: ReactNode;
  /** Present: it can be dismissed. */
  onDismiss?: () => void;
  /** Read out at once when it appears; leave off for what was there when the page came. */
  announce?: boolean;
  className?: string;
};

export function Alert({ variant = 'info', title, children, action, onDismiss, announce, className }: Props) {
  const { icon: Icon, className: look } = LOOK[variant];
  const role = announce ? (variant === 'error' || variant === 'warning' ? 'alert' : 'status') : undefined;
  return (
    <div
      role={role}
      className={cx(
        'flex items-start gap-3 rounded-lg border px-4 py-3',
        !children && 'sm:items-center',
        look,
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 sm:flex-row sm:items-center sm:justify-between">
        <div className="min-w-0">
          {title && <p className="font-semibold">{title}</p>}
          {children && <div className="text-ink text-sm">{children}</div>}
        </div>
        {action && <div className="shrink-0">{action}</div>}
      </div>
      {onDismiss && (
        <IconButton label="Dismiss" className="-my-2 -mr-3 md:-my-1.5" onClick={onDismiss}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      )}
    </div>
  );
}
