/** A speech bubble with a tick: somebody asked and was answered. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className ?? 'size-7'}>
      <path
        className="fill-accent"
        d="M16 3C8.3 3 2 8.4 2 15c0 3.7 2 7 5.1 9.2L6 29l5.6-2.6c1.4.4 2.9.6 4.4.6 7.7 0 14-5.4 14-12S23.7 3 16 3Z"
      />
      <path
        className="fill-none stroke-on-accent"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m10.5 15.3 3.8 3.7 7.4-7.6"
      />
    </svg>
  );
}

/** `short`: the mark alone where there is little room. */
export function Logo({ short = false }: { short?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold text-ink text-lg tracking-tight">
      <LogoMark />
      <span className={short ? 'sr-only md:not-sr-only' : undefined}>Creator HQ</span>
    </span>
  );
}
