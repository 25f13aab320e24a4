import { cx } from '#web/ui/class-names.ts';

/** Turning ring. Without a label it is decoration beside words that already say what is going on. */
export function Spinner({ size = 'normal', label }: { size?: 'small' | 'normal' | 'large'; label?: string }) {
  const ring = (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block shrink-0 animate-turn rounded-full border-current border-r-transparent',
        size === 'small' && 'size-4 border-2',
        size === 'normal' && 'size-6 border-2',
        size === 'large' && 'size-9 border-3',
      )}
    />
  );
  if (!label) return ring;
  return (
    <span role="status" className="inline-flex items-center gap-3 text-muted">
      {ring}
      <span className="sr-only">{label}</span>
    </span>
  );
}

/** A spinner in the middle of the room it is given; shows itself only when the wait is noticeable. */
export function CenteredSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="grid min-h-[50vh] animate-after-a-moment place-items-center text-accent">
      <Spinner size="large" label={label} />
    </div>
  );
}
