/**
 * Taking a person out, and taking along what is held about her. Erased is what says who she was or what was said;
 * counts stay: that something happened, what it came to, and which automation it was. A hash of her id stays as the
 * receipt, and keeps a late webhook from bringing her back (migration 0014).
 */
import { sql } from 'kysely';
import type { exportContact } from '#contract/contacts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { type ContactKey, contactNotFound, readContactId } from './contact-id.ts';
import { findContact } from './contacts.ts';
import * as queries from './queries.ts';
import { callOffWaiting } from './taking-over.ts';

const NO_CONTENT = '{"text": "", "buttons": []}';

/** @returns every id of hers @throws AppError not_found */
export async function erase(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  { creatorId, contactId, userId }: { creatorId: string; contactId: string; userId: string },
): Promise<string[]> {
  const key = readContactId(contactId);
  if (!(await queries.lockContact(trx, creatorId, key))) throw contactNotFound();
  const now = clock.now();
  const ids = await queries.findIdsOf(trx, creatorId, key);
  await callOffWaiting(trx, { creatorId, key, ids, reason: 'erased', now });
  await writeReceipts(trx, { creatorId, key, ids, userId, now });
  const hers = { creator: sql`creator_id = ${creatorId}`, connection: sql`connection_id = ${key.connectionId}`, ids };
  await sql`
    update deliveries d
    set content = ${NO_CONTENT}::jsonb, recipient = 'erased', recipient_person_id = null, failure_detail = null
    from interactions i
    where i.creator_id = ${creatorId} and i.connection_id = ${key.connectionId} and i.person_id = any(${ids})
      and d.creator_id = ${creatorId} and d.interaction_id = i.id
  `.execute(trx);
  await sql`delete from answered_people where ${hers.creator} and person_id = any(${ids})`.execute(trx);
  await sql`delete from own_messages where ${hers.creator} and ${hers.connection} and person_id = any(${ids})`.execute(
    trx,
  );
  await sql`delete from contact_changes where ${hers.creator} and ${hers.connection} and person_id = any(${ids})`.execute(
    trx,
  );
  // That somebody agreed, to what and when, is evidence; who it was is not kept.
  await sql`update consents set email = 'erased', person_id = null
    where ${hers.creator} and ${hers.connection} and person_id = any(${ids})`.execute(trx);
  await sql`update conversations set person_id = 'erased'
    where ${hers.creator} and ${hers.connection} and person_id = any(${ids})`.execute(trx);
  await sql`update interactions set text = '', username = null, person_id = 'erased'
    where ${hers.creator} and ${hers.connection} and person_id = any(${ids})`.execute(trx);
  await sql`delete from people where ${hers.creator} and ${hers.connection} and id = any(${ids})`.execute(trx);
  return ids;
}

async function writeReceipts(
  trx: CreatorTransaction,
  given: { creatorId: string; key: ContactKey; ids: string[]; userId: string; now: Date },
): Promise<void> {
  const { creatorId, key, ids, userId, now } = given;
  await sql`
    insert into erased_people (creator_id, connection_id, person_hash, erased_at, erased_by, stopped_at, email_asked_at)
    select ${creatorId}, ${key.connectionId}, erased_hash(${creatorId}, ${key.connectionId}, one.id), ${now}, ${userId},
      p.stopped_at, p.email_asked_at
    from unnest(${ids}::text[]) as one(id)
    left join people p on p.creator_id = ${creatorId} and p.connection_id = ${key.connectionId} and p.id = one.id
    on conflict (creator_id, connection_id, person_hash) do update
      set erased_at = excluded.erased_at, erased_by = excluded.erased_by, stopped_at = excluded.stopped_at,
        email_asked_at = excluded.email_asked_at
  `.execute(trx);
}

/** Rows as they are stored, without what names the creator. @throws AppError not_found */
export async function exportPerson(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  contactId: string,
): Promise<ResponseOf<typeof exportContact>> {
  const { key, ids } = await findContact(trx, creatorId, contactId);
  const rowsOf = async (table: string, condition: ReturnType<typeof sql>, without: string[] = []) => {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) - ${['creator_id', ...without]}::text[] as row from ${sql.table(table)} t
      where t.creator_id = ${creatorId} and ${condition}
    `.execute(trx);
    return rows.map(({ row }) => row);
  };
  const hers = sql`connection_id = ${key.connectionId} and person_id = any(${ids})`;
  const herInteractions = sql`select id from interactions where creator_id = ${creatorId} and ${hers}`;
  const herMessages = sql`select id from deliveries where creator_id = ${creatorId} and interaction_id in (${herInteractions})`;
  const [person = {}] = await rowsOf('people', sql`connection_id = ${key.connectionId} and id = ${key.personId}`, [
    'name_key',
  ]);
  return {
    format: 'creator-hq-contact',
    exportedAt: clock.now().toISOString(),
    person,
    interactions: await rowsOf('interactions', hers),
    messages: await rowsOf('deliveries', sql`interaction_id in (${herInteractions})`),
    ownMessages: await rowsOf('own_messages', hers),
    conversations: await rowsOf('conversations', hers, ['plan']),
    clicks: await rowsOf('clicks', sql`delivery_id in (${herMessages})`),
    consents: await rowsOf('consents', hers),
    changes: await rowsOf('contact_changes', hers),
  };
}
