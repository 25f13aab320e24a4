/**
 * Jobs that delete what is too old ask two clocks: a machine whose clock is wrong by a year would delete a year at once, and
 * nothing brings it back.
 */
import type pg from 'pg';

/** Machines that keep their time by NTP differ by less than a second. */
const MOST_APART_MS = 5 * 60_000;
/** After a longer pause than this nobody can say whether the program was off or the clock was moved. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;
/** So long the operator has to see it; a clock that was set right again ends it at once. */
const HELD_FOR_MS = 24 * 3_600_000;

/** Whether a turn is taken and, if not though it is due, why. */
export type Turn = { taken: boolean; heldBecause: string | null };

/**
 * Takes the turn of a job that deletes, for one caller over all processes. It is held while this process's clock and
 * PostgreSQL's differ, and for a day after both have gone on by more than a day without a turn.
 */
export async function takeCheckedTurn(pool: pg.Pool, job: { name: string; everyMs: number }, now: Date): Promise<Turn> {
  const { rows } = await pool.query<{ database_now: Date; next_at: Date | null; held_until: Date | null }>(
    `select clock_timestamp() as database_now, next_at, held_until
     from (select) as one left join recurring_jobs on name = $1`,
    [job.name],
  );
  const { database_now, next_at, held_until } = rows[0]!;
  const lastTurn = next_at && new Date(next_at.getTime() - job.everyMs);
  // One in the future was taken by a clock that has been set right since.
  if (next_at !== null && lastTurn !== null && now < next_at && now >= lastTurn)
    return { taken: false, heldBecause: null };
  const apartMs = now.getTime() - database_now.getTime();
  if (Math.abs(apartMs) > MOST_APART_MS) {
    const ahead = apartMs > 0 ? 'ahead of' : 'behind';
    const heldBecause = `This machine's clock is ${inWords(Math.abs(apartMs))} ${ahead} the database's. Set both right.`;
    await pool.query(
      'update recurring_jobs set held_because = $2 where name = $1 and held_because is distinct from $2',
      [job.name, heldBecause],
    );
    return { taken: false, heldBecause };
  }
  const pausedMs = lastTurn === null ? 0 : now.getTime() - lastTurn.getTime() - job.everyMs;
  const until =
    pausedMs > LONGEST_PAUSE_MS
      ? new Date(now.getTime() + HELD_FOR_MS)
      : held_until !== null && held_until > now && held_until.getTime() - now.getTime() <= HELD_FOR_MS
        ? held_until
        : null;
  const { rows: taken } = await pool.query<{ held_because: string | null }>(
    `insert into recurring_jobs as j (name, next_at) values ($1, $2)
     on conflict (name) do update set next_at = excluded.next_at, held_until = $4,
       held_because = case when $4::timestamptz is not null then coalesce($5, j.held_because) end
     where j.next_at is not distinct from $3
     returning held_because`,
    [
      job.name,
      new Date(now.getTime() + job.everyMs),
      next_at,
      until,
      pausedMs > LONGEST_PAUSE_MS
        ? `The time went on by ${inWords(pausedMs)} since the last turn. If the clock is right, this runs again a day after it was noticed.`
        : null,
    ],
  );
  if (taken.length === 0) return { taken: false, heldBecause: null };
  return until === null ? { taken: true, heldBecause: null } : { taken: false, heldBecause: taken[0]!.held_because };
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
