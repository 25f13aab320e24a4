/** Days as a creator has them: `2026-11-21` in their time zone. The database says which day a moment is (`day_of`). */
import { sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';

const DAY_MS = 24 * 3_600_000;

/** The creator's day at this moment. */
export async function readDay(trx: CreatorTransaction, creatorId: string, at: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`select day_of(${creatorId}, ${at})::text as day`.execute(trx);
  return rows[0]!.day;
}

/** Days in a row, oldest first, the last of them `last`. */
export function daysUpTo(last: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayAfter(last, index - count + 1));
}

/** Calendar days have no clock: across a change of the clocks it is the next day, too. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
