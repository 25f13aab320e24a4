/** People who saw a pin and who went to a shop, by day. Clicks go after a month, so that their sums are kept with the pin. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { pinParts } from './current-pins.ts';

export type PinDay = { seen: number; went: number };
/** By day: "2026-11-03". */
export type PinDays = Record<string, PinDay>;

/** Clicks without a message are kept for 30 days: links/feature.ts. */
const COUNTED_DAYS = 28;
const DAY_MS = 86_400_000;

type Counted = { creator_id: string; id: string; time_zone: string };

/** @param kept sums of days before, of which some clicks are gone */
export async function countDays(
  db: Kysely<Tables>,
  { creator_id: creatorId, id, time_zone: timeZone }: Counted,
  kept: PinDays,
  now: Date,
): Promise<PinDays> {
  const { seen, went } = pinParts(id);
  const { rows } = await sql<PinDay & { day: string }>`
    select (c.clicked_at at time zone ${timeZone})::date::text as day,
      (count(distinct coalesce(c.delivery_id, c.id)) filter (where l.part = ${seen}))::int as seen,
      (count(distinct coalesce(c.delivery_id, c.id)) filter (where l.part = ${went}))::int as went
    from links l
    join clicks c on c.creator_id = l.creator_id and c.link_id = l.id
    where l.creator_id = ${creatorId} and l.part like 'pin %' and l.part in (${seen}, ${went})
      and c.clicked_at > ${new Date(now.getTime() - COUNTED_DAYS * DAY_MS)} and c.not_counted_because is null
    group by 1
  `.execute(db);
  const days = { ...kept };
  for (const { day, ...counted } of rows) {
    const before = kept[day] ?? { seen: 0, went: 0 };
    days[day] = { seen: Math.max(before.seen, counted.seen), went: Math.max(before.went, counted.went) };
  }
  return days;
}

export function sumOf(days: PinDays): PinDay {
  const all = Object.values(days);
  return {
    seen: all.reduce((sum, { seen }) => sum + seen, 0),
    went: all.reduce((sum, { went }) => sum + went, 0),
  };
}
