import { cx } from '#web/ui/class-names.ts';

/** Plain marks of our own for the two platforms; the name always stands beside them. */
export function PlatformMark({ platform, className }: { platform: 'instagram' | 'facebook'; className?: string }) {
  const size = cx('size-5 shrink-0', className);
  if (platform === 'instagram') {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true" className={size} fill="none" stroke="currentColor" strokeWidth="2">
        <rect x="3" y="3" width="18" height="18" rx="5.5" />
        <circle cx="12" cy="12" r="4.2" />
        <circle cx="17.2" cy="6.8" r="1.2" fill="currentColor" stroke="none" />
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={size} fill="currentColor">
      <path d="M13.6 21v-7.4h2.7l.5-3.2h-3.2V8.5c0-.9.4-1.8 1.9-1.8h1.5V4a17 17 0 0 0-2.6-.2c-2.7 0-4.3 1.6-4.3 4.4v2.2H7.2v3.2h2.9V21z" />
    </svg>
  );
}
