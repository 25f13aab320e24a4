/** States a screen or a part of it shows instead of its content. */
import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/Button.tsx';

type EmptyProps = {
  icon?: ReactNode;
  title: ReactNode;
  /** When it is the page's own heading. */
  titleAs?: 'p' | 'h1' | 'h2';
  /** Its purpose. */
  children?: ReactNode;
  /** The first step. */
  action?: ReactNode;
};

export function EmptyState({ icon, title, titleAs: Title = 'p', children, action }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-12 text-center">
      {icon && (
        <span
          aria-hidden="true"
          className="grid size-14 place-items-center rounded-full bg-accent-soft text-accent-ink"
        >
          {icon}
        </span>
      )}
      <Title className="text-balance font-semibold text-lg">{title}</Title>
      {children && <div className="text-muted">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

type ErrorProps = {
  /** Names what failed: "Couldn’t load the posts". */
  title: ReactNode;
  /** The cause and the remedy. */
  children?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
};

export function ErrorState({ title, children, onRetry, retrying }: ErrorProps) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-12 text-center">
      <span aria-hidden="true" className="grid size-14 place-items-center rounded-full bg-error-soft text-error-ink">
        <TriangleAlert className="size-7" />
      </span>
      <p className="font-semibold text-lg">{title}</p>
      {children && <div className="text-muted">{children}</div>}
      {onRetry && (
        <Button variant="secondary" busy={retrying ?? false} className="mt-2" onClick={onRetry}>
          {!retrying && <RotateCw aria-hidden="true" className="size-4" />}
          Try again
        </Button>
      )}
    </div>
  );
}
