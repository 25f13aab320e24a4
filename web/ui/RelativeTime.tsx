import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { fullMomentOf } from '#web/ui/moment.ts';
import { relativeTime } from '#web/ui/relative-time.ts';

const Now = createContext<number | null>(null);

/** One clock for all relative times on the page; they all change in the same moment. */
export function NowProvider({ everyMs = 20_000, children }: { everyMs?: number; children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return <Now value={now}>{children}</Now>;
}

/** Milliseconds of the nearest `NowProvider`. */
export function useNow(): number {
  const now = useContext(Now);
  if (now === null) throw new Error('useNow needs a NowProvider around it');
  return now;
}

/** `at` is an ISO timestamp. The full date is in the hint, written once a pointer is there, and for machines in `datetime`. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const ticked = useNow();
  const atMs = Date.parse(at);
  // What happened since the clock ticked last is not to come.
  const now = atMs > ticked && atMs <= Date.now() ? atMs : ticked;
  const [pointedAt, setPointedAt] = useState(false);
  const title = pointedAt ? fullMomentOf(atMs) : undefined;
  return (
    <time dateTime={at} title={title} className={className} onPointerEnter={() => setPointedAt(true)}>
      {relativeTime(atMs, now)}
    </time>
  );
}
