/**
 * Locked posts that a browser opens though nothing is paid for them: so many a month of readers who entered for free, and those that a member passed to a
 * friend. The one writer of `free_opens`, `passed_recipes` and `passed_opens`.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { heldTiers } from './passes.ts';
import { takesFreeReaders } from './tiers.ts';
import type { FreeOpens, OpenedPosts } from './tokens.ts';
import { askAgain } from './word-ends.ts';

type Device = { creatorId: string; device: string; secretHash: string };

/** What was opened last stays open for half a day at least, as what is cooked from. */
const LEAST = sql`interval '12 hours'`;
/** A word has room for so many. */
const MOST_POSTS = 5;

const MOST_PASSED = 3;
const MOST_FRIENDS = 3;
/** From the first opening of a link. */
const PASSED_FOR = sql`interval '48 hours'`;
/** Until which it can be opened for the first time. */
const LINK_FOR = sql`interval '30 days'`;
const DAY_MS = 86_400_000;

/** Of a passed recipe as `p`: it opens, or its link does. */
const opensStill = (now: Date) => sql<boolean>`(
  p.ended_at is null and p.made_at > ${now}::timestamptz - ${LINK_FOR} - ${PASSED_FOR}
  and coalesce(p.opened_at > ${now}::timestamptz - ${PASSED_FOR}, p.made_at > ${now}::timestamptz - ${LINK_FOR})
)`;

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
      group by f.post_id
      union
      select p.post_id, p.opened_at + ${PASSED_FOR}
      from passed_opens o join passed_recipes p on p.creator_id = o.creator_id and p.id = o.passed_id
      where o.creator_id = d.creator_id and o.device_id = d.id and ${opensStill(now)} and ${heldTiers(sql.ref('p.contact_id'), now)} is not null
      order by until desc limit ${MOST_POSTS}
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
  await lockContact(trx, { creatorId, device });
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

/** In a statement that has a browser as `d`: how many recipes its member may still pass this month. */
export function recipesToPass(now: Date): RawBuilder<number> {
  return sql<number>`(
    select greatest(0, ${MOST_PASSED} - count(*))::int from passed_recipes p, ${monthAt(now)} as month
    where p.creator_id = d.creator_id and p.contact_id = d.contact_id and p.month = month.first
  )`;
}

/** A member passes a post to a friend. @returns false: they are none, or none is left this month */
export async function makePassed(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  { creatorId, device, secretHash, post, linkHash }: Device & { post: number; linkHash: string },
): Promise<boolean> {
  const now = clock.now();
  await lockContact(trx, { creatorId, device });
  const { rows } = await sql`
    insert into passed_recipes (creator_id, id, contact_id, site_id, post_id, link_hash, month, made_at)
    select d.creator_id, ${ids.uuid(now)}, d.contact_id, d.site_id, ${post}, ${linkHash}, month.first, ${now}
    from fan_devices d, ${monthAt(now)} as month
    where d.creator_id = ${creatorId} and d.id = ${device} and d.secret_hash = ${secretHash} and d.ended_at is null and d.site_id is not null
      and ${heldTiers(sql.ref('d.contact_id'), now)} is not null and ${recipesToPass(now)} > 0
    returning id
  `.execute(trx);
  return rows.length > 0;
}

/**
 * A friend opens a link; from the first time on it counts for 48 hours.
 *
 * @param linkHash of the link
 * @param known the browser that they have; null: it is made
 * @returns that browser; null: there is no such link, it is over, or was opened in too many browsers
 */
export async function openPassed<D extends { id: string }>(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  given: {
    creatorId: string;
    linkHash: string;
    known: (siteId: string) => Promise<D | null>;
    made: (siteId: string) => Promise<D>;
  },
): Promise<D | null> {
  const now = clock.now();
  const { creatorId, linkHash } = given;
  const { rows } = await sql<{ id: string; siteId: string }>`
    select p.id, p.site_id as "siteId"
    from passed_recipes p
    where p.creator_id = ${creatorId} and p.link_hash = ${linkHash} and ${opensStill(now)}
      and ${heldTiers(sql.ref('p.contact_id'), now)} is not null
    for update
  `.execute(trx);
  const [passed] = rows;
  if (passed === undefined) return null;
  const opens = await trx
    .selectFrom('passed_opens')
    .select('device_id')
    .where('creator_id', '=', creatorId)
    .where('passed_id', '=', passed.id)
    .execute();
  const known = await given.known(passed.siteId);
  if (known !== null && opens.some(({ device_id }) => device_id === known.id)) return known;
  if (opens.length >= MOST_FRIENDS) return null;
  const opened = known ?? (await given.made(passed.siteId));
  await trx
    .insertInto('passed_opens')
    .values({ creator_id: creatorId, passed_id: passed.id, device_id: opened.id, opened_at: now })
    .execute();
  await trx
    .updateTable('passed_recipes')
    .set((eb) => ({ opened_at: eb.fn.coalesce('opened_at', sql<Date>`${now}`) }))
    .where('creator_id', '=', creatorId)
    .where('id', '=', passed.id)
    .execute();
  return opened;
}

/** How many of a member's links open something, or could. */
export function passedOf(contactId: RawBuilder<unknown>, now: Date): RawBuilder<number> {
  return sql<number>`(
    select count(*)::int from passed_recipes p
    where p.creator_id = current_creator_id() and p.contact_id = ${contactId} and ${opensStill(now)}
  )`;
}

/** Those that a member passed open nothing any longer. @returns how many they were */
export async function endPassed(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<number> {
  const now = deps.clock.now();
  const { rows } = await sql`
    update passed_recipes p set ended_at = ${now}
    where p.creator_id = ${creatorId} and p.contact_id = ${contactId} and ${opensStill(now)} returning id
  `.execute(trx);
  if (rows.length > 0) await askAgain(deps, trx, { creatorId, contactId });
  return rows.length;
}

/** Somebody became a member in the browser of a friend. */
export async function notePassedJoin(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  { creatorId, device }: { creatorId: string; device: string },
): Promise<void> {
  await trx
    .updateTable('passed_opens')
    .set({ joined_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('device_id', '=', device)
    .where('joined_at', 'is', null)
    .where('passed_id', '=', (eb) =>
      eb
        .selectFrom('passed_opens as o')
        .select('o.passed_id')
        .where('o.creator_id', '=', creatorId)
        .where('o.device_id', '=', device)
        .orderBy('o.opened_at', 'desc')
        .limit(1),
    )
    .execute();
}

/** @returns how many became members by passed recipes in so many days */
export async function countPassedJoins(trx: CreatorTransaction, { now, days }: { now: Date; days: number }) {
  const { n } = await trx
    .selectFrom('passed_opens')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('joined_at', '>', new Date(now.getTime() - days * DAY_MS))
    .executeTakeFirstOrThrow();
  return n;
}

/** Two at once would each count without the other. */
async function lockContact(trx: CreatorTransaction, { creatorId, device }: Omit<Device, 'secretHash'>): Promise<void> {
  await sql`
    select from contacts c join fan_devices d on d.creator_id = c.creator_id and d.contact_id = c.id
    where d.creator_id = ${creatorId} and d.id = ${device} for no key update of c
  `.execute(trx);
}
