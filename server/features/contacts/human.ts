/** One person behind an id: the contacts of all addresses of theirs, and the accounts that know them. */
import { type Kysely, sql } from 'kysely';
import * as z from 'zod/mini';
import type { CreatorTransaction } from '#server/db/database.ts';
import { NO_CONNECTION, type Somebody } from '#server/db/holds.ts';
import type { Tables } from '#server/db/types.ts';
import { type ContactKey, contactNotFound, readContactId } from './contact-id.ts';
import { STRICTEST } from './newsletter-status.ts';
import { findShownIdsOf } from './queries.ts';

export type Human = {
  creatorId: string;
  /** The contact that stands for all; null: no address of theirs is known, and one account knows them. */
  contactId: string | null;
  contactIds: string[];
  /** Whom they wrote to last comes first. */
  people: ContactKey[];
  /** They gave addresses in DMs and nowhere else. */
  isFromDmsOnly: boolean;
};

/**
 * @param options.lock changes of one person go one after the other
 * @throws AppError not_found for what names nobody
 */
export async function findHuman(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<Human> {
  const isContact = z.safeParse(z.uuid(), id).success;
  const key = isContact ? null : readContactId(id);
  const named = key === null ? id : await findContactOf(trx, creatorId, key, lock);
  const contacts = named === null ? [] : await findTogether(trx, creatorId, named, lock);
  if (contacts.length === 0 && key === null) throw contactNotFound();
  const contactIds = contacts.map((contact) => contact.id);
  const linked = contactIds.length === 0 ? [] : await findLinked(trx, creatorId, contactIds, lock);
  return {
    creatorId,
    contactId: contacts.find(({ joined_to }) => joined_to === null)?.id ?? null,
    contactIds,
    people: linked.length > 0 || key === null ? linked : [key],
    isFromDmsOnly: contacts.every(({ source }) => source === 'dm'),
  };
}

/** @throws AppError not_found */
async function findContactOf(
  trx: CreatorTransaction,
  creatorId: string,
  { connectionId, personId }: ContactKey,
  lock: boolean,
): Promise<string | null> {
  const { rows } = await sql<{ contact_id: string | null }>`
    select contact_id from people where creator_id = ${creatorId} and connection_id = ${connectionId} and id = ${personId}
    ${lock ? sql`for update` : sql``}
  `.execute(trx);
  if (rows[0] === undefined) throw contactNotFound();
  return rows[0].contact_id;
}

async function findTogether(trx: CreatorTransaction, creatorId: string, contactId: string, lock: boolean) {
  const { rows } = await sql<{ id: string; joined_to: string | null; source: string }>`
    select c.id, c.joined_to, c.source
    from (
      select case when joined_to is null then id else joined_to end as id from contacts where creator_id = ${creatorId} and id = ${contactId}
    ) as whole
    join contacts c on c.creator_id = ${creatorId} and (c.id = whole.id or c.joined_to = whole.id)
    order by c.id ${lock ? sql`for update of c` : sql``}
  `.execute(trx);
  return rows;
}

async function findLinked(
  trx: CreatorTransaction,
  creatorId: string,
  contactIds: string[],
  lock: boolean,
): Promise<ContactKey[]> {
  const { rows } = await sql<ContactKey>`
    select connection_id as "connectionId", id as "personId" from people
    where creator_id = ${creatorId} and contact_id = any(${contactIds}::uuid[])
    order by last_seen_at desc nulls last, id ${lock ? sql`for update` : sql``}
  `.execute(trx);
  return rows;
}

/** The list's facts from all rows of somebody, kept on the one that stands for them. @param contactIds any of theirs */
export async function refreshWhole(trx: Kysely<Tables>, creatorId: string, contactIds: string[]): Promise<void> {
  await sql`
    update contacts c
    set has_joined = exists (select from contacts j where j.creator_id = ${creatorId} and j.joined_to = c.id),
      has_people = exists (select from people p where p.creator_id = ${creatorId} and p.contact_id = c.id)
        or exists (
          select from contacts j join people p on p.creator_id = j.creator_id and p.contact_id = j.id
          where j.creator_id = ${creatorId} and j.joined_to = c.id),
      newsletter_of_all = (
        select a.newsletter from contacts a where a.creator_id = ${creatorId} and (a.id = c.id or a.joined_to = c.id)
        order by array_position(${STRICTEST}::text[], a.newsletter) limit 1)
    where c.creator_id = ${creatorId} and c.id = any(array(
      select case when joined_to is null then id else joined_to end from contacts
      where creator_id = ${creatorId} and id = any(${contactIds}::uuid[])))
  `.execute(trx);
}

/** Everything by which rows are theirs; one for each account that knows them, and one for nobody's when none does. */
export async function somebodyOf(
  trx: CreatorTransaction,
  { creatorId, contactIds, people }: Human,
  idsOf = findShownIdsOf,
): Promise<Somebody[]> {
  const all: Somebody[] = [];
  for (const key of people) {
    all.push({ creatorId, connectionId: key.connectionId, ids: await idsOf(trx, creatorId, key), contactIds });
  }
  return all.length > 0 ? all : [{ creatorId, connectionId: NO_CONNECTION, ids: [], contactIds }];
}
