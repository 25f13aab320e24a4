/**
 * Who gets a newsletter: everybody who said yes, or those of a segment of contacts; each person once, at an address that agreed.
 * Who gets a correction: every address that the recipe was saved with, whether or not they want newsletters.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BroadcastKind } from '#contract/newsletters.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import type { NewsletterStatus } from '#server/features/contacts/newsletter-status.ts';
import { contactsInSegment } from '#server/features/contacts/segments.ts';
import { savedOn } from '#server/features/recipes/address-key.ts';
import { WAITS_FOR_ITS_DAY } from './warm-up.ts';

export type Audience = { creatorId: string; kind: BroadcastKind; segment: string | null; pageKey: string | null };

/** In the order of the list. */
const LEFT_OUT: [NewsletterStatus, string][] = [
  ['unconfirmed', 'Haven’t confirmed yet'],
  ['none', 'Never said yes to your newsletter'],
  ['unsubscribed', 'Unsubscribed'],
  ['bounced', 'Their address bounced'],
  ['complained', 'Marked an email as spam'],
];

/** Of whom the segment has, or of all contacts. Addresses that the team blocked are found when a mail is sent. */
export async function countAudience(
  trx: CreatorTransaction,
  audience: Audience,
  now: Date,
): Promise<{ count: number; leftOut: { count: number; why: string }[] }> {
  if (audience.kind === 'correction') return countSavers(trx, audience);
  const { creatorId, segment } = audience;
  const { rows } = await sql<{ status: NewsletterStatus; count: number }>`
    select newsletter_of_all as status, count(*)::int as count from contacts
    where creator_id = ${creatorId} and joined_to is null ${within(creatorId, segment, now)} group by 1
  `.execute(trx);
  const countOf = (status: NewsletterStatus) => rows.find((row) => row.status === status)?.count ?? 0;
  return {
    count: countOf('confirmed'),
    leftOut: LEFT_OUT.map(([status, why]) => ({ count: countOf(status), why })).filter(({ count }) => count > 0),
  };
}

async function countSavers(trx: CreatorTransaction, audience: Audience) {
  const { rows } = await sql<{ status: NewsletterStatus; count: number }>`
    select newsletter as status, count(*)::int as count from contacts
    where creator_id = ${audience.creatorId} and email_key is not null and id in (select contact_id from (${savesOf(audience)}) as saves)
    group by 1
  `.execute(trx);
  const isShut = (status: NewsletterStatus) => status === 'bounced' || status === 'complained';
  return {
    count: rows.reduce((sum, { status, count }) => sum + (isShut(status) ? 0 : count), 0),
    leftOut: LEFT_OUT.flatMap(([status, why]) =>
      rows.filter((row) => row.status === status && isShut(status)).map(({ count }) => ({ count, why })),
    ),
  };
}

function savesOf({ creatorId, pageKey }: Audience): RawBuilder<unknown> {
  return sql`select * from saved_recipes where ${pageKey === null ? sql`false` : savedOn(creatorId, pageKey)}`;
}

function within(creatorId: string, segment: string | null, now: Date): RawBuilder<unknown> {
  return segment === null ? sql`` : sql`and id in (${contactsInSegment(creatorId, segment, now)})`;
}

/** In the order of `at`, which is after `after`: whom to write to, and about what. Without an address: nobody. */
function readers(audience: Audience, after: RawBuilder<unknown>, now: Date, most: number): RawBuilder<unknown> {
  const { creatorId, segment } = audience;
  if (audience.kind === 'correction') {
    return sql`
      select distinct on (c.id) c.id as at, c.id, c.email_key,
        jsonb_build_object('url', s.url, 'title', s.title, 'pictureUrl', s.picture_url, 'recipe', s.recipe) as about
      from (${savesOf(audience)}) as s join contacts c on c.creator_id = s.creator_id and c.id = s.contact_id
      where c.id > ${after} and c.newsletter not in ('bounced', 'complained') order by c.id, s.last_saved_at desc limit ${most}`;
  }
  return sql`
    select whole.id as at, case when whole.newsletter = 'confirmed' then whole.id else other.id end as id,
      case when whole.newsletter = 'confirmed' then whole.email_key else other.email_key end as email_key, null::jsonb as about
    from (
      select id, newsletter, email_key from contacts
      where creator_id = ${creatorId} and joined_to is null and newsletter_of_all = 'confirmed'
        and id > ${after} ${within(creatorId, segment, now)}
      order by id limit ${most}
    ) as whole left join lateral (
      select id, email_key from contacts
      where whole.newsletter <> 'confirmed' and creator_id = ${creatorId} and joined_to = whole.id and newsletter = 'confirmed'
      order by id limit 1
    ) as other on true`;
}

/** Mails that are queued by one statement. */
export const MAILS_A_STEP = 5000;
/** After what was asked for one by one, and after what begins with somebody's yes. */
const LANE = 2;

/**
 * Queues the next mails of a newsletter, once for each person however often it is asked, and says when all are there. One statement:
 * a newsletter that is paused or cancelled meanwhile queues nothing.
 *
 * @param db the engine's
 * @param isHeld whether they wait for their day (warm-up.ts)
 * @returns how many people were looked at; 0: no more, or it does not gather any more
 */
export async function gatherStep(
  db: Kysely<Tables>,
  broadcastId: string,
  audience: Audience,
  now: Date,
  isHeld: boolean,
): Promise<number> {
  const { creatorId, kind } = audience;
  const { rows } = await sql<{ found: number }>`
    with broadcast as materialized (
      select coalesce(gathered_to, '00000000-0000-0000-0000-000000000000') as gathered_to from broadcasts
      where creator_id = ${creatorId} and id = ${broadcastId} and state = 'gathering' for update
    ), reader as materialized (
      ${readers(audience, sql`(select gathered_to from broadcast)`, now, MAILS_A_STEP)}
    ), queued as (
      insert into reader_mails (creator_id, id, contact_id, kind, about, part_of, lane, recipient_domain, created_at, due_at,
        state, last_failure)
      select ${creatorId}, gen_random_uuid(), id, ${kind}, about, ${broadcastId}, ${LANE}, split_part(email_key, '@', 2), ${now}, ${now},
        ${isHeld ? 'held' : 'waiting'}, ${isHeld ? WAITS_FOR_ITS_DAY : null}
      from reader where email_key is not null
      on conflict (creator_id, part_of, contact_id) where part_of is not null do nothing
    ), found as (
      select count(*)::int as people, (array_agg(at order by at desc))[1] as last from reader
    )
    update broadcasts set gathered_to = coalesce(found.last, broadcasts.gathered_to),
      gathered_at = case when found.people < ${MAILS_A_STEP} then ${now}::timestamptz end,
      state = case when found.people < ${MAILS_A_STEP} then 'sending' else broadcasts.state end
    from found, broadcast where creator_id = ${creatorId} and id = ${broadcastId}
    returning found.people as found
  `.execute(db);
  return rows[0]?.found ?? 0;
}
