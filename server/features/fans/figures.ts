/** How many members there are, out of sums by day; what depends on the hour is asked of the few passes that it depends on. */
import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getMemberFigures } from '#contract/members.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { type Count, partsOf } from './pass-counts.ts';
import { isGood } from './passes.ts';

type Figures = ResponseOf<typeof getMemberFigures>;

const DAY_MS = 86_400_000;
export const DAYS_BACK = 30;

/** Joined and left: in the last thirty days of UTC. */
export async function readFigures(
  trx: CreatorTransaction,
  now: Date,
): Promise<Omit<Figures, 'joinedByPassing' | 'leftBecause'>> {
  const counts = await readCounts(trx, now);
  const sumOf = (counted: Count['counted']) =>
    counts.reduce((sum, one) => sum + (one.counted === counted ? one.n : 0), 0);
  const monthly = counts
    .filter(({ counted }) => counted === 'paying')
    .map(({ of: currency, amount }) => ({ currency, amount: Math.round(amount / 12) }))
    .toSorted((a, b) => b.amount - a.amount || (a.currency < b.currency ? -1 : 1));
  const [members, paying, late] = [sumOf('member'), sumOf('paying'), sumOf('late')];
  return { members, paying, late, joined: sumOf('joined'), left: sumOf('left'), monthly };
}

export async function countReasons(trx: CreatorTransaction): Promise<Figures['leftBecause']> {
  const { rows } = await sql<Figures['leftBecause'][number]>`
    select left_because as reason, count(*)::int as members from passes
    where creator_id = current_creator_id() and left_because is not null group by 1 order by 2 desc, 1
  `.execute(trx);
  return rows;
}

/** @returns by tier, those that have any */
export async function countByTier(trx: CreatorTransaction, now: Date): Promise<Map<string, number>> {
  const counts = await readCounts(trx, now);
  return new Map(counts.flatMap(({ counted, of, n }) => (counted === 'tier' ? [[of, n] as const] : [])));
}

async function readCounts(trx: CreatorTransaction, now: Date): Promise<Count[]> {
  const dayAt = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const mine = sql`p.creator_id = current_creator_id()`;
  const isNow = sql`counted in ('member', 'tier', 'paying')`;
  const readsOn = sql`${isNow} and day > ${dayAt(0)}::date`;
  const { rows } = await sql<Count>`
    with unsure as materialized (
      select p.* from (
        select p.contact_id from passes p
        where ${mine} and p.ended_at is null and p.ends_at > ${now} and p.ends_at < ${new Date(dayAt(1))}
        union
        select p.contact_id from passes p where ${mine} and p.begins_at > ${now}
      ) as who join passes p on ${mine} and p.contact_id = who.contact_id
    )
    select counted, of, sum(n)::int as n, sum(amount)::float8 as amount from (
      select counted, of, n, amount from pass_counts p
      where ${mine} and (${readsOn} or counted = 'late' or counted in ('joined', 'left') and day > ${dayAt(-DAYS_BACK)}::date)
      union all
      select counted, of, -n, -amount from ${partsOf(sql`true`, sql`unsure`)} as parts where ${readsOn}
      union all
      select counted, of, n, amount from ${partsOf(isGood('p', now), sql`unsure`)} as parts where ${isNow}
    ) as summands group by 1, 2 having sum(n) <> 0
  `.execute(trx);
  return rows;
}
