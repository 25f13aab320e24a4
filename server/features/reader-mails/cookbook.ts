/**
 * A reader's cookbook: what they saved on the blog or were sent in DMs, at whichever address and account of theirs. What they
 * take out is hidden until they save it again; what the creator counts stays.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Somebody } from '#server/db/holds.ts';
import { AppError } from '#server/errors.ts';
import { findHuman, somebodyOf } from '#server/features/contacts/human.ts';
import { cardUrl, type SavedPage } from '#server/features/email-templates/rendering/facts.ts';
import { addressKey, savedKey } from '#server/features/recipes/address-key.ts';
import { countsTooMany } from '#server/http/rate-limits.ts';
import { SHUT } from './lay-out.ts';
import { queueReaderMail } from './queue-mail.ts';
import type { Contact } from './reader-links.ts';

export type Entry = { id: string; page: SavedPage; url: string };
export type Cookbook = {
  /** Newest first. */
  entries: Entry[];
  /** Mails to the address that the link came to are possible. */
  sends: boolean;
};
/** What was done; null: nothing, as it isn't in the cookbook. */
export type Done = { title: string; what: 'sent' | 'already_sent' | 'later' | 'taken_out' } | null;

type Found = { key: string; page: SavedPage; at: Date };

/** Of each kind. */
const MOST = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Of saves, to one address; more come as one mail, an hour later, as when they are saved. */
const AT_ONCE_IN_AN_HOUR = 10;

/** Nothing for who was erased. */
export async function readCookbook(trx: CreatorTransaction, contact: Contact): Promise<Cookbook> {
  const found = await findEntries(trx, contact);
  return {
    entries: found.flatMap(({ key, page }) => {
      const url = cardUrl(page);
      return url === null ? [] : [{ id: idOf(key), page, url }];
    }),
    sends: found.length > 0 && (await mayWriteTo(trx, contact)),
  };
}

/** Twice within a minute is as once. */
export async function sendAgain(
  deps: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  contact: Contact,
  entryId: string,
): Promise<Done> {
  const entry = (await findEntries(trx, contact, { lock: true })).find(({ key }) => idOf(key) === entryId);
  if (entry === undefined || !(await mayWriteTo(trx, contact))) return null;
  const { page } = entry;
  const title = page.recipe?.name || page.title;
  const now = deps.clock.now();
  const same = await findSameMail(trx, contact, page, now);
  if (same !== undefined) return { title, what: same };
  const waits = await hasHadMany(trx, contact, now);
  await queueReaderMail(trx, deps, {
    ...{ ...contact, kind: 'save', about: page, newsletterQuestion: null, submissionId: null },
    dueAt: new Date(now.getTime() + (waits ? HOUR_MS : 0)),
    isGathered: waits,
  });
  return { title, what: waits ? 'later' : 'sent' };
}

export async function takeOut(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  contact: Contact,
  entryId: string,
): Promise<Done> {
  const entry = (await findEntries(trx, contact, { lock: true })).find(({ key }) => idOf(key) === entryId);
  if (entry === undefined) return null;
  const { key, page } = entry;
  await sql`
    update contacts set taken_out = taken_out || jsonb_build_object(${key}::text, ${clock.now().toISOString()}::text)
    where creator_id = ${contact.creatorId} and id = ${contact.contactId}
  `.execute(trx);
  return { title: page.recipe?.name || page.title, what: 'taken_out' };
}

async function findEntries(
  trx: CreatorTransaction,
  { creatorId, contactId }: Contact,
  { lock = false } = {},
): Promise<Found[]> {
  const human = await findHuman(trx, creatorId, contactId, { lock }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
  if (human === null) return [];
  const entries = new Map<string, Found>();
  for (const save of await findSaves(trx, creatorId, human.contactIds)) {
    if (!entries.has(save.key)) entries.set(save.key, save);
  }
  for (const sent of await findSentRecipes(trx, await somebodyOf(trx, human))) {
    // A card of the page is the same recipe.
    const same = [...entries.values()].find(({ key }) => key === sent.key || key.split('#')[0] === sent.key);
    if (same === undefined) entries.set(sent.key, sent);
    else if (same.at < sent.at) same.at = sent.at;
  }
  const takenOut = await findTakenOut(trx, creatorId, human.contactIds);
  return [...entries.values()]
    .filter(({ key, at }) => !((takenOut.get(key) ?? 0) >= at.getTime()))
    .sort((one, other) => other.at.getTime() - one.at.getTime());
}

async function findSaves(trx: CreatorTransaction, creatorId: string, contactIds: string[]): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select address_key as key, last_saved_at as at,
      jsonb_build_object('url', url, 'title', title, 'pictureUrl', picture_url, 'recipe', recipe) as page
    from saved_recipes where creator_id = ${creatorId} and contact_id = any(${contactIds}::uuid[])
    order by last_saved_at desc, id desc limit ${MOST}
  `.execute(trx);
  return rows;
}

type SentLink = { url: string; recipe_id: string | null; at: Date };

/** Their pages are where the recipes are now. */
async function findSentRecipes(trx: CreatorTransaction, all: Somebody[]): Promise<Found[]> {
  const { creatorId } = all[0]!;
  const theirs = all.map(
    ({ connectionId, ids }) => sql`(d.connection_id = ${connectionId} and d.recipient_person_id = any(${ids}))`,
  );
  const { rows: links } = await sql<SentLink>`
    select l.url, l.recipe_id, max(d.finished_at) as at
    from deliveries d cross join lateral jsonb_path_query(d.content, '$.buttons[*].url') as button
    join links l on l.creator_id = d.creator_id and l.code = split_part(split_part(button #>> '{}', '/l/', 2), '/', 1)
    where d.creator_id = ${creatorId} and d.state = 'sent' and (${sql.join(theirs, sql` or `)})
    group by 1, 2 order by 3 desc limit ${MOST}
  `.execute(trx);
  if (links.length === 0) return [];
  const { rows: recipes } = await sql<{ id: string; url_key: string; page: SavedPage }>`
    select id, url_key, jsonb_build_object('url', url, 'title', name, 'pictureUrl', picture_url, 'recipe', null) as page from recipes
    where creator_id = ${creatorId} and (id = any(${links.flatMap(({ recipe_id }) => recipe_id ?? [])}::uuid[])
      or md5(url_key) = any(array(select md5(key) from unnest(${links.map(({ url }) => addressKey(url))}::text[]) as key)))
  `.execute(trx);
  return links.flatMap(({ url, recipe_id, at }) => {
    const recipe = recipes.find((one) => (recipe_id === null ? one.url_key === addressKey(url) : one.id === recipe_id));
    return recipe === undefined ? [] : [{ key: savedKey(recipe.page.url), page: recipe.page, at }];
  });
}

/** By key, when. */
async function findTakenOut(trx: CreatorTransaction, creatorId: string, contactIds: string[]) {
  const { rows } = await sql<{ key: string; at: Date }>`
    select key, max(value::timestamptz) as at from contacts cross join lateral jsonb_each_text(taken_out)
    where creator_id = ${creatorId} and id = any(${contactIds}::uuid[]) group by 1
  `.execute(trx);
  return new Map(rows.map(({ key, at }) => [key, at.getTime()]));
}

async function mayWriteTo(trx: CreatorTransaction, { creatorId, contactId }: Contact): Promise<boolean> {
  const { rows } = await sql`
    select from contacts c where creator_id = ${creatorId} and id = ${contactId} and email_key is not null and not exists (
      select from suppressions s where s.creator_id = ${creatorId} and s.contact_id = c.id and s.reason = any(${Object.keys(SHUT)}))
  `.execute(trx);
  return rows.length > 0;
}

async function findSameMail(trx: CreatorTransaction, { creatorId, contactId }: Contact, page: SavedPage, now: Date) {
  const { url, recipe } = page;
  const { rows } = await sql<{ what: 'sent' | 'already_sent' | 'later' }>`
    select case when state not in ('waiting', 'sending') then 'already_sent' when due_at > ${now} then 'later' else 'sent' end as what
    from reader_mails
    where creator_id = ${creatorId} and contact_id = ${contactId} and kind = 'save'
      and (state in ('waiting', 'sending') or created_at > ${new Date(now.getTime() - MINUTE_MS)})
      and ((about ->> 'url' = ${url} and about #>> '{recipe,anchor}' is not distinct from ${recipe?.anchor ?? null}::text)
        or about -> 'others' @> ${JSON.stringify([{ url }])}::jsonb)
    limit 1
  `.execute(trx);
  return rows[0]?.what;
}

async function hasHadMany(trx: CreatorTransaction, { creatorId, contactId }: Contact, now: Date): Promise<boolean> {
  const { rows } = await sql<{ email_key: string; isKnown: boolean; count: number }>`
    select email_key, newsletter = 'confirmed' as "isKnown", (
      select count(*)::int from reader_mails m where m.creator_id = ${creatorId} and m.contact_id = c.id and kind = 'save'
        and m.created_at > ${new Date(now.getTime() - HOUR_MS)}) as count
    from contacts c where creator_id = ${creatorId} and id = ${contactId}
  `.execute(trx);
  const { email_key: key, isKnown, count } = rows[0]!;
  return count >= AT_ONCE_IN_AN_HOUR || (!isKnown && (await countsTooMany(trx, now, 'reader_mails_by_address', key)));
}

/** In a form of the page: what it names cannot be made up, as it must be among the reader's own. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
