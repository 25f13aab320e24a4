/**
 * Jobs that delete what is too old ask two clocks: a machine whose clock is wrong by a year would delete a year at once, and
 * nothing brings it back.
 */
import type pg from 'pg';

/** Machines that keep their time by NTP differ by less than a second. */
export const MOST_APART_MS = 5 * 60_000;
/** After a longer pause than this nobody can say whether the program was off or the clock was moved. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;
/** So long the operator has to see it; a clock that was set right again ends it at once. */
const HELD_FOR_MS = 24 * 3_600_000;

/** Why a job that deletes must wait, until when at most (null: until the clocks agree), and when to ask again. */
export type Doubt = { because: string | null; until: Date | null; askAt: Date };

/**
 * Whether the time is in doubt for a job that deletes: while this process's clock and PostgreSQL's differ, and for a day after
 * both have gone on by more than a day without a turn. A clock that was set right again ends it at once.
 */
export async function findDoubt(
  pool: pg.Pool,
  { everyMs, dueAt, heldUntil }: { everyMs: number; dueAt: Date; heldUntil: Date | null },
  now: Date,
): Promise<Doubt | null> {
  const { rows } = await pool.query<{ database_now: Date }>('select clock_timestamp() as database_now');
  const apartMs = now.getTime() - rows[0]!.database_now.getTime();
  if (Math.abs(apartMs) > MOST_APART_MS) {
    const ahead = apartMs > 0 ? 'ahead of' : 'behind';
    const because = `This machine's clock is ${inWords(Math.abs(apartMs))} ${ahead} the database's. Set both right.`;
    return { because, until: heldUntil, askAt: dueAt };
  }
  const askAt = new Date(now.getTime() + everyMs);
  const pausedMs = now.getTime() - dueAt.getTime();
  if (pausedMs > LONGEST_PAUSE_MS) {
    const because = `The time went on by ${inWords(pausedMs)} since the last turn. If the clock is right, this runs again a day after it was noticed.`;
    return { because, until: new Date(now.getTime() + HELD_FOR_MS), askAt };
  }
  const leftMs = (heldUntil?.getTime() ?? 0) - now.getTime();
  return leftMs > 0 && leftMs <= HELD_FOR_MS ? { because: null, until: heldUntil, askAt } : null;
}

function inWords(ms: number): string {
  const [amount, unit] =
    ms >= 48 * 3_600_000
      ? [ms / 86_400_000, 'day']
      : ms >= 7_200_000
        ? [ms / 3_600_000, 'hour']
        : [ms / 60_000, 'minute'];
  const rounded = Math.round(amount);
  return `${rounded.toLocaleString('en-US')} ${unit}${rounded === 1 ? '' : 's'}`;
}
