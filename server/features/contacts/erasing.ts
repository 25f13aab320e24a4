/**
 * Taking a person out, and taking along what is held about her. Erased is what says who she was or what was said;
 * counts stay: that something happened, what it came to, and which automation it was. A hash of her id stays as the
 * receipt, and keeps a late webhook from bringing her back (migrations 0014 and 0023). A test plants somebody in every
 * table and looks for her afterwards: server/features/retention/erased-traces.test.ts.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ExportedKind, type exportContact } from '#contract/contacts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { pageFrom, readPosition } from '#server/http/paging.ts';
import { type ContactKey, contactNotFound, peopleOf, readContactId } from './contact-id.ts';
import { findContact } from './contacts.ts';
import * as queries from './queries.ts';

const NO_CONTENT = '{"text": "", "buttons": []}';

export type ErasingDeps = { db: Database; clock: Clock };

/** @throws AppError not_found */
export async function erase(
  deps: ErasingDeps,
  { creatorId, contactId, userId }: { creatorId: string; contactId: string; userId: string },
): Promise<void> {
  if (!(await eraseContact(deps, { creatorId, key: readContactId(contactId), userId }))) throw contactNotFound();
}

/**
 * Somebody whom Meta names by the id that conversations know her by: out of every account of every creator.
 *
 * @returns how many contacts she was
 */
export async function eraseEverywhere(deps: ErasingDeps, personId: string): Promise<number> {
  const { rows } = await sql<{ creatorId: string; connectionId: string }>`
    select c.creator_id as "creatorId", c.id as "connectionId" from connections c
    join people p on p.creator_id = c.creator_id and p.connection_id = c.id and p.id = ${personId}
  `.execute(deps.db.engine);
  for (const { creatorId, connectionId } of rows) {
    await eraseContact(deps, { creatorId, key: { connectionId, personId }, userId: null });
  }
  return rows.length;
}

/** False: nobody is known by this id. */
async function eraseContact(
  { db, clock }: ErasingDeps,
  { creatorId, key, userId }: { creatorId: string; key: ContactKey; userId: string | null },
): Promise<boolean> {
  const ids = await db.withCreator(creatorId, async (trx) => {
    if (!(await queries.lockContact(trx, creatorId, key))) return null;
    const now = clock.now();
    const ids = await queries.findIdsOf(trx, creatorId, key);
    await callOff(trx, { people: peopleOf(creatorId, key, ids) }, 'erased', now);
    await writeReceipts(trx, { creatorId, key, ids, userId, now });
    await eraseRows(trx, { creatorId, key, ids });
    return ids;
  });
  if (ids === null) return false;
  await deleteParked(db.engine, { creatorId, key, ids });
  await clearAudit(db.engine, { creatorId, key, ids });
  return true;
}

type Whose = { creatorId: string; key: ContactKey; ids: string[] };

/** What names others by names her comes before what names her. */
async function eraseRows(trx: CreatorTransaction, { creatorId, key, ids }: Whose): Promise<void> {
  const creator = sql`creator_id = ${creatorId}`;
  const hers = sql`creator_id = ${creatorId} and connection_id = ${key.connectionId} and person_id = any(${ids})`;
  const erasedId = (column: string) => sql`erased_platform_id(${creatorId}, ${key.connectionId}, ${sql.ref(column)})`;
  // Our public answers call her by her handle; they came back to us as comments of the account's own.
  await sql`
    update interactions i set text = ''
    from (select distinct post_id from interactions where ${hers} and post_id is not null) as posts,
      (select distinct lower(username) as name from interactions where ${hers} and username is not null) as names
    where i.creator_id = ${creatorId} and i.post_id = posts.post_id and i.reason = 'own_comment'
      and strpos(lower(i.text), '@' || names.name) > 0
  `.execute(trx);
  await sql`
    update interactions i set parent_id = ${erasedId('parent.platform_id')}
    from (select post_id, platform_id from interactions where ${hers}) as parent
    where i.creator_id = ${creatorId} and i.post_id = parent.post_id and i.parent_id = parent.platform_id
  `.execute(trx);
  await sql`
    update deliveries d
    set content = ${NO_CONTENT}::jsonb, recipient = 'erased', recipient_person_id = null, platform_message_id = null,
      failure_detail = null
    from interactions i
    where i.creator_id = ${creatorId} and i.connection_id = ${key.connectionId} and i.person_id = any(${ids})
      and d.creator_id = ${creatorId} and d.interaction_id = i.id
  `.execute(trx);
  await sql`delete from answered_people where ${creator} and person_id = any(${ids})`.execute(trx);
  await sql`delete from own_messages where ${hers}`.execute(trx);
  await sql`delete from contact_changes where ${hers}`.execute(trx);
  // That somebody agreed, to what and when, is evidence; who it was is not kept.
  await sql`
    update consents set email = 'erased:' || erased_hash(creator_id, connection_id, person_id), person_id = null
    where ${hers}
  `.execute(trx);
  await sql`
    update conversations c
    set person_id = 'erased', plan = c.plan || '{"username": null}', given_email = null, suggested_email = null
    from interactions i
    where c.creator_id = ${creatorId} and c.connection_id = ${key.connectionId}
      and i.creator_id = c.creator_id and i.id = c.interaction_id
      and (c.person_id = any(${ids}) or i.person_id = any(${ids}))
  `.execute(trx);
  await sql`
    delete from outgoing_events
    where ${creator} and (
      (data ->> 'connectionId' = ${key.connectionId}::text and data ->> 'personId' = any(${ids}))
      or data ->> 'interactionId' in (select id::text from interactions where ${hers})
      or exists (
        select from interactions where ${hers} and username is not null
          and strpos(lower(data ->> 'text'), '@' || lower(username)) > 0
      )
    )
  `.execute(trx);
  await sql`
    update interactions
    set text = '', username = null, person_id = 'erased', platform_id = ${erasedId('platform_id')}
    where ${hers}
  `.execute(trx);
  await sql`
    delete from people where ${creator} and connection_id = ${key.connectionId} and id = any(${ids})
  `.execute(trx);
}

async function writeReceipts(
  trx: CreatorTransaction,
  { creatorId, key, ids, userId, now }: Whose & { userId: string | null; now: Date },
): Promise<void> {
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

/** Webhooks that could not be worked off lie there as they came. Those still to be worked off come out as erased. */
async function deleteParked(db: Kysely<Tables>, { creatorId, key, ids }: Whose): Promise<void> {
  await sql`
    delete from parked_events e
    using connections c, unnest(${ids}::text[]) as one(id)
    where c.creator_id = ${creatorId} and c.id = ${key.connectionId}
      and strpos(e.body, '"' || c.account_id || '"') > 0 and strpos(e.body, '"' || one.id || '"') > 0
  `.execute(db);
}

/** What support did there is told by addresses, and a contact's address has her id. */
async function clearAudit(db: Kysely<Tables>, { creatorId, key, ids }: Whose): Promise<void> {
  for (const id of ids) {
    await sql`select erase_from_audit(${creatorId}, ${`${key.connectionId}.${id}`})`.execute(db);
  }
}

const PAGE_SIZE = 100;

/** What is held of a person: each table with its rows of her, what names a row there, and columns that are left out. */
type Held = { table: string; hers: RawBuilder<unknown>; named?: string[]; without?: string[] };

function heldOf(creatorId: string, key: ContactKey, ids: string[]): Record<ExportedKind, Held> {
  const hers = sql`connection_id = ${key.connectionId} and person_id = any(${ids})`;
  const herInteractions = sql`select id from interactions where creator_id = ${creatorId} and ${hers}`;
  const herMessages = sql`select id from deliveries where creator_id = ${creatorId} and interaction_id in (${herInteractions})`;
  const told = sql`(
    (data ->> 'connectionId' = ${key.connectionId}::text and data ->> 'personId' = any(${ids}))
    or data ->> 'interactionId' in (select id::text from interactions where creator_id = ${creatorId} and ${hers})
  )`;
  return {
    person: {
      table: 'people',
      hers: sql`connection_id = ${key.connectionId} and id = any(${ids})`,
      without: ['name_key', 'name_last'],
    },
    interaction: { table: 'interactions', hers },
    message: { table: 'deliveries', hers: sql`interaction_id in (${herInteractions})` },
    own_message: { table: 'own_messages', hers, named: ['platform_id'] },
    conversation: {
      table: 'conversations',
      hers: sql`(${hers} or interaction_id in (${herInteractions}))`,
      without: ['plan'],
    },
    click: { table: 'clicks', hers: sql`delivery_id in (${herMessages})` },
    consent: { table: 'consents', hers },
    change: { table: 'contact_changes', hers },
    answered: {
      table: 'answered_people',
      hers: sql`person_id = any(${ids})`,
      named: ['person_id', 'automation_id'],
    },
    told_other_tools: { table: 'outgoing_events', hers: told, without: ['endpoint_id', 'log'] },
  };
}

/**
 * A page of the rows as they are stored, without what names the creator.
 *
 * @throws AppError not_found, invalid_input
 */
export async function exportPerson(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  contactId: string,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<ResponseOf<typeof exportContact>> {
  const { key, ids } = await findContact(trx, creatorId, contactId);
  const limit = query.limit ?? PAGE_SIZE;
  const kinds: string[] = ExportedKind.options;
  const after = readPosition(query.after, 'text', kinds);
  const held = heldOf(creatorId, key, ids);
  const found: { id: string; what: ExportedKind; row: Record<string, unknown>; position: string }[] = [];
  for (const what of ExportedKind.options.slice(after === null ? 0 : kinds.indexOf(after.at))) {
    const { table, hers, named = ['id'], without = [] } = held[what];
    // Platforms' ids may be long, and have signs that a position has not.
    const id = sql`md5(concat_ws(' ', ${sql.join(named.map((column) => sql.ref(`t.${column}`)))}))`;
    const { rows } = await sql<{ id: string; row: Record<string, unknown> }>`
      select ${id} as id, to_jsonb(t) - ${['creator_id', ...without]}::text[] as row from ${sql.table(table)} t
      where t.creator_id = ${creatorId} and ${hers} and ${id} > ${after?.at === what ? after.id : ''}
      order by 1 limit ${limit + 1 - found.length}
    `.execute(trx);
    found.push(...rows.map(({ id, row }) => ({ id, what, row, position: what })));
    if (found.length > limit) break;
  }
  const { items, next } = pageFrom(found, limit);
  return {
    format: 'creator-hq-contact',
    exportedAt: clock.now().toISOString(),
    items: items.map(({ position, ...item }) => item),
    next,
  };
}
