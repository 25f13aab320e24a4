/**
 * Mail services do not trust a domain that sends much at once and is new to them. So in its first two weeks newsletters leave slowly:
 * 500 the first day, twice as many after each day that went well. What is over is held, and follows in its order.
 */
import { sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { findWhomFrom } from '#server/features/sending/whom-from.ts';
import type { Keys } from '#server/secrets.ts';
import { WAS_SENT } from './figures.ts';

const DAY_MS = 24 * 3_600_000;
const FIRST_DAY = 500;
const UNLIMITED_FROM = 100_000;
const DAYS = 14;
const MOST_BOUNCES = 0.02;
const MOST_COMPLAINTS = 0.001;

export const WAITS_FOR_ITS_DAY = 'Your domain is new to mail services, so a part goes out each day.';

export type Day = { sent: number; bounced: number; complained: number };
/** `left`: so many more may leave until `until`. */
export type WarmUp = { limit: number; left: number; until: Date };

/**
 * Nobody else asks for this creator until the end of the transaction, which must be the engine role's.
 *
 * @returns null: as many as there are
 */
export async function readWarmUp(
  trx: Transaction<Tables>,
  deps: { keys: Keys },
  creatorId: string,
  now: Date,
): Promise<WarmUp | null> {
  await trx.selectFrom('senders').select('creator_id').where('creator_id', '=', creatorId).forUpdate().execute();
  const since = (await findWhomFrom(trx, deps.keys, [creatorId])).get(creatorId)!.own?.verifiedAt ?? null;
  if (since === null) return null;
  const today = Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS));
  if (today >= DAYS) return null;
  const ofNewsletters = sql`creator_id = ${creatorId} and part_of in (select id from broadcasts where creator_id = ${creatorId})`;
  const { rows } = await sql<Day & { day: number }>`
    select floor(extract(epoch from finished_at - ${since}::timestamptz) / 86400)::int as day, count(*)::int as sent,
      count(*) filter (where state = 'bounced')::int as bounced, count(*) filter (where state = 'complained')::int as complained
    from reader_mails where ${ofNewsletters} and ${WAS_SENT} and finished_at >= ${since} group by 1
  `.execute(trx);
  const dayOf = (day: number): Day => rows.find((row) => row.day === day) ?? { sent: 0, bounced: 0, complained: 0 };
  const limit = limitAfter(Array.from({ length: today }, (_, day) => dayOf(day)));
  if (limit === null) return null;
  const { rows: underWay } = await sql<{ count: number }>`
    select count(*)::int as count from reader_mails where ${ofNewsletters} and state in ('waiting', 'sending')
  `.execute(trx);
  const left = Math.max(0, limit - dayOf(today).sent - underWay[0]!.count);
  return { limit, left, until: new Date(since.getTime() + (today + 1) * DAY_MS) };
}

/**
 * @param days those since the domain was verified that are over
 * @returns how many newsletters may leave the next day; null: as many as there are
 */
export function limitAfter(days: Day[]): number | null {
  if (days.length >= DAYS) return null;
  const good = days.filter(
    ({ sent, bounced, complained }) => bounced <= sent * MOST_BOUNCES && complained <= sent * MOST_COMPLAINTS,
  );
  const limit = FIRST_DAY * 2 ** good.length;
  return limit > UNLIMITED_FROM ? null : limit;
}
