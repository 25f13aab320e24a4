/** Who gets a newsletter: everybody who said yes, or those of a segment of contacts; each person once, at an address that agreed. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BroadcastKind } from '#contract/newsletters.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import type { NewsletterStatus } from '#server/features/contacts/newsletter-status.ts';
import { contactsInSegment } from '#server/features/contacts/segments.ts';

export type Audience = { creatorId: string; broadcastId: string; kind: BroadcastKind; segment: string | null };

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
  { creatorId, segment }: Audience,
  now: Date,
): Promise<{ count: number; leftOut: { count: number; why: string }[] }> {
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

function within(creatorId: string, segment: string | null, now: Date): RawBuilder<unknown> {
  return segment === null ? sql`` : sql`and id in (${contactsInSegment(creatorId, segment, now)})`;
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
 * @returns how many people were looked at; 0: no more, or it does not gather any more
 */
export async function gatherStep(
  db: Kysely<Tables>,
  { creatorId, broadcastId, kind, segment }: Audience,
  now: Date,
  most = MAILS_A_STEP,
): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    with broadcast as materialized (
      select coalesce(gathered_to, '00000000-0000-0000-0000-000000000000') as gathered_to from broadcasts
      where creator_id = ${creatorId} and id = ${broadcastId} and state = 'gathering' for update
    ), whole as materialized (
      select id, newsletter, email_key from contacts
      where creator_id = ${creatorId} and joined_to is null and newsletter_of_all = 'confirmed'
        and id > (select gathered_to from broadcast) ${within(creatorId, segment, now)}
      order by id limit ${most}
    ), reader as (
      select case when whole.newsletter = 'confirmed' then whole.id else other.id end as id,
        case when whole.newsletter = 'confirmed' then whole.email_key else other.email_key end as email_key
      from whole left join lateral (
        select id, email_key from contacts
        where whole.newsletter <> 'confirmed' and creator_id = ${creatorId} and joined_to = whole.id and newsletter = 'confirmed'
        order by id limit 1
      ) as other on true
    ), queued as (
      insert into reader_mails (creator_id, id, contact_id, kind, part_of, lane, recipient_domain, created_at, due_at)
      select ${creatorId}, gen_random_uuid(), id, ${kind}, ${broadcastId}, ${LANE}, split_part(email_key, '@', 2), ${now}, ${now}
      from reader where email_key is not null
      on conflict (creator_id, part_of, contact_id) where part_of is not null do nothing
    ), found as (
      select count(*)::int as people, (array_agg(id order by id desc))[1] as last from whole
    )
    update broadcasts set gathered_to = coalesce(found.last, broadcasts.gathered_to),
      gathered_at = case when found.people < ${most} then ${now}::timestamptz end,
      state = case when found.people < ${most} then 'sending' else broadcasts.state end
    from found, broadcast where creator_id = ${creatorId} and id = ${broadcastId}
    returning found.people as found
  `.execute(db);
  return rows[0]?.found ?? 0;
}
