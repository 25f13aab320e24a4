import { type RawBuilder, sql } from 'kysely';
import type { Consent, ContactMail, SavedRecipe } from '#contract/contacts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Somebody } from '#server/db/holds.ts';
import type { ContactKey } from './contact-id.ts';

/** Meta may call a commenter by another id in the chat that a private reply opened (reference 3.2): all ids that are one person. */
export function findIdsOf(trx: CreatorTransaction, creatorId: string, key: ContactKey): Promise<string[]> {
  return readIdsOf(trx, creatorId, key, null);
}

/** Enough to tell: every private reply to a commenter names the same chat. */
const REPLIES_THAT_TELL = 500;

/** The same for showing somebody, however often they were answered. */
export function findShownIdsOf(trx: CreatorTransaction, creatorId: string, key: ContactKey): Promise<string[]> {
  return readIdsOf(trx, creatorId, key, REPLIES_THAT_TELL);
}

/** @param most of what they did, and of the private replies to them, to look at; null: all */
async function readIdsOf(
  trx: CreatorTransaction,
  creatorId: string,
  key: ContactKey,
  most: number | null,
): Promise<string[]> {
  // `offset 0` keeps the planner from joining whole tables: one person did little of what is in them.
  const { rows } = await sql<{ id: string }>`
    select d.id
    from (
      select creator_id, id from interactions
      where creator_id = ${creatorId} and connection_id = ${key.connectionId} and person_id = ${key.personId}
      order by occurred_at desc, id desc limit ${most}
    ) as i cross join lateral (
      select recipient_person_id as id from deliveries
      where creator_id = i.creator_id and interaction_id = i.id and recipient_person_id is not null offset 0
    ) as d
    union
    select i.id
    from (
      select creator_id, interaction_id from deliveries
      where creator_id = ${creatorId} and connection_id = ${key.connectionId} and recipient_person_id = ${key.personId}
        and kind = 'private_reply' limit ${most}
    ) as d cross join lateral (
      select person_id as id from interactions where creator_id = d.creator_id and id = d.interaction_id offset 0
    ) as i
  `.execute(trx);
  return [...new Set([key.personId, ...rows.map(({ id }) => id)])];
}

const CONSENTS_SHOWN = 100;

/** Newest first. */
export async function findConsents(trx: CreatorTransaction, all: Somebody[]) {
  const theirs = all.map(
    ({ connectionId, ids, contactIds }) => sql`
      (connection_id = ${connectionId} and person_id = any(${ids})) or contact_id = any(${contactIds}::uuid[])`,
  );
  const { rows } = await sql<{
    id: string;
    email: string;
    purpose: Consent['purpose'];
    act: Consent['act'];
    wording: string;
    place: string;
    how: string | null;
    page_url: string | null;
    agreed_at: Date;
  }>`
    select id, email, purpose, act, wording, place, how, page_url, agreed_at from consents
    where creator_id = ${all[0]!.creatorId} and (${sql.join(theirs, sql` or `)})
    order by agreed_at desc, id desc limit ${CONSENTS_SHOWN}
  `.execute(trx);
  return rows;
}

const SAVES_SHOWN = 50;

export async function findSaves(
  trx: CreatorTransaction,
  creatorId: string,
  contactIds: string[],
): Promise<SavedRecipe[]> {
  const { rows } = await sql<Omit<SavedRecipe, 'savedAt'> & { savedAt: Date }>`
    select id, ${recipeTitle(sql`recipe`, sql`title`)} as title, url, picture_url as "pictureUrl", times, last_saved_at as "savedAt"
    from saved_recipes where creator_id = ${creatorId} and contact_id = any(${contactIds}::uuid[])
    order by last_saved_at desc, id desc limit ${SAVES_SHOWN}
  `.execute(trx);
  return rows.map((row) => ({ ...row, savedAt: row.savedAt.toISOString() }));
}

const MAILS_SHOWN = 50;

export async function findMails(
  trx: CreatorTransaction,
  creatorId: string,
  contactIds: string[],
): Promise<ContactMail[]> {
  const { rows } = await sql<Omit<ContactMail, 'at'> & { at: Date }>`
    select id, kind, ${MAIL_TITLE} as title, state, last_failure as says, clicked_at is not null as "isClicked",
      created_at as at
    from reader_mails where creator_id = ${creatorId} and contact_id = any(${contactIds}::uuid[])
    order by created_at desc, id desc limit ${MAILS_SHOWN}
  `.execute(trx);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** The recipe's own name, else the page's; null: neither has one. */
function recipeTitle(recipe: RawBuilder<unknown>, title: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(nullif(${recipe} ->> 'name', ''), ${title})`;
}

/** Of a row of `reader_mails`. */
export const MAIL_TITLE = sql`nullif(${recipeTitle(sql`about -> 'recipe'`, sql`about ->> 'title'`)}, '')`;

/** Their latest request: the newest interaction an automation matched, else their newest comment. */
export async function findAsked(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
): Promise<string | null> {
  // For each id by itself: only so the index has them in this order.
  const newest = (condition: RawBuilder<unknown>) => sql`
    select i.id from unnest(${ids}::text[]) as theirs (id) cross join lateral (
      select id, occurred_at from interactions
      where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = theirs.id
        and kind <> 'button_tap' and reason not in ('own_comment', 'stop_obeyed', 'start_obeyed') and ${condition}
      order by occurred_at desc, id desc limit 1
    ) as i
    order by i.occurred_at desc, i.id desc limit 1
  `;
  const { rows } = await sql<{ id: string }>`
    (${newest(sql`automation_id is not null`)}) union all (${newest(sql`kind in ('comment', 'live_comment')`)}) limit 1
  `.execute(trx);
  return rows[0]?.id ?? null;
}

/** Their newest comment that may still get its one private reply. */
export async function findCommentToAnswer(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
  since: Date,
): Promise<{ id: string; platformId: string; occurredAt: Date } | null> {
  const { rows } = await sql<{ id: string; platformId: string; occurredAt: Date }>`
    select i.id, i.platform_id as "platformId", i.occurred_at as "occurredAt" from interactions i
    where i.creator_id = ${creatorId} and i.connection_id = ${connectionId} and i.person_id = any(${ids})
      and i.kind = 'comment' and i.occurred_at > ${since} and i.received_at > ${since}
      and i.reason not in ('comment_unavailable', 'already_replied_elsewhere', 'person_unavailable')
      and not exists (
        select from deliveries d
        where d.creator_id = i.creator_id and d.interaction_id = i.id and d.kind = 'private_reply'
          and (d.uncertain or d.state in ('queued', 'sending', 'sent'))
      )
    order by i.occurred_at desc, i.id desc limit 1
  `.execute(trx);
  return rows[0] ?? null;
}

/** When they last wrote, under any of their ids, and the id by which a message reaches them. */
export async function findLastWrote(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
): Promise<{ at: Date; personId: string } | null> {
  const row = await trx
    .selectFrom('people')
    .select(['id', 'last_wrote_at'])
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('id', 'in', ids)
    .where('last_wrote_at', 'is not', null)
    .orderBy('last_wrote_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { at: row.last_wrote_at!, personId: row.id };
}
