/** Locked posts that a browser opens though nothing is paid for them: so many a month of readers who entered for free. The one writer of `free_opens`. */
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { heldTiers } from './passes.ts';
import { takesFreeReaders } from './tiers.ts';
import type { FreeOpens, OpenedPosts } from './tokens.ts';

type Device = { creatorId: string; device: string; secretHash: string };

/** What was opened last stays open for half a day at least, as what is cooked from. */
const LEAST = sql`interval '12 hours'`;
/** A word has room for so many. */
const MOST_POSTS = 5;

/** Of the present creator: the first day of a month, and the moment at which it is over. */
const monthAt = (now: Date) => sql<{ first: string; over: Date }>`(
  select first::date, (first + interval '1 month') at time zone zone as over
  from (
    select date_trunc('month', ${now}::timestamptz at time zone zone) as first, zone
    from (select coalesce(time_zone, 'UTC') as zone from creators where id = current_creator_id()) as c
  ) as begun
)`;

/** In a statement that has a browser as `d`. */
export function openedPosts(now: Date): RawBuilder<OpenedPosts | null> {
  return sql<OpenedPosts | null>`(
    select jsonb_object_agg(post_id, floor(extract(epoch from until))) from (
      select f.post_id, max(f.until) as until from free_opens f
      where f.creator_id = d.creator_id and f.contact_id = d.contact_id and f.site_id = d.site_id and f.until > ${now}
      group by f.post_id order by until desc limit ${MOST_POSTS}
    ) opened
  )`;
}

/** In a statement that has a browser as `d`. Null: nothing is free. */
export function freeOpens(now: Date): RawBuilder<FreeOpens | null> {
  return sql<FreeOpens | null>`(
    select jsonb_build_object('most', m.free_opens, 'left', greatest(0, m.free_opens - (
      select count(*) from free_opens f, ${monthAt(now)} as month
      where f.creator_id = d.creator_id and f.contact_id = d.contact_id and f.month = month.first
    )))
    from membership_settings m where m.creator_id = d.creator_id and m.free_readers and m.free_opens > 0
  )`;
}

/** A reader who does not pay opens a locked post: it counts once, in whichever of their browsers; what is too many changes nothing. */
export async function countFreeOpen(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  { creatorId, device, secretHash, post }: Device & { post: number },
): Promise<void> {
  const now = clock.now();
  // Two at once would each count without the other.
  await sql`
    select from contacts c join fan_devices d on d.creator_id = c.creator_id and d.contact_id = c.id
    where d.creator_id = ${creatorId} and d.id = ${device} for no key update of c
  `.execute(trx);
  await sql`
    insert into free_opens (creator_id, contact_id, month, site_id, post_id, opened_at, until)
    select d.creator_id, d.contact_id, month.first, d.site_id, ${post}, ${now}, greatest(month.over, ${now}::timestamptz + ${LEAST})
    from fan_devices d, ${monthAt(now)} as month
    where d.creator_id = ${creatorId} and d.id = ${device} and d.secret_hash = ${secretHash} and d.ended_at is null and d.site_id is not null
      and ${takesFreeReaders(sql`d.creator_id`)} and ${heldTiers(sql.ref('d.contact_id'), now)} is null
      and (${freeOpens(now)} ->> 'left')::int > 0
    on conflict do nothing
  `.execute(trx);
}
