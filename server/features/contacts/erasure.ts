/**
 * Taking a person out, and taking along what is held about them. Erased is what says who they were or what was said;
 * counts stay: that something happened, what it came to, and which automation it was. A hash of their id stays as the
 * receipt, and keeps a late webhook from bringing them back (`server/db/functions/keep-erased-away.sql`). What a table holds of them its
 * feature says (server/db/holds.ts); a test has somebody talk with the engine and looks for them afterwards in every table:
 * server/features/retention/erased-traces.test.ts.
 */
import { type RawBuilder, sql } from 'kysely';
import type { exportContact } from '#contract/contacts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { ToolName } from '#contract/newsletter-tools.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { type HeldTable, rowsOfPerson, type Somebody } from '#server/db/holds.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { endMemberships } from '#server/features/fans/erasing.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { keepAway } from './address-contacts.ts';
import { peopleOf, writeContactId } from './contact-id.ts';
import type { SecretDeps } from './creator-secret.ts';
import { findHuman, type Human, somebodyOf } from './human.ts';
import * as queries from './queries.ts';

export type ErasingDeps = { db: Database; clock: Clock; held: HeldTable[] } & SecretDeps;

/**
 * @returns the receipt, a sentence each
 * @throws AppError not_found
 */
export async function erase(
  deps: ErasingDeps,
  { creatorId, contactId, userId }: { creatorId: string; contactId: string; userId: string | null },
): Promise<string[]> {
  const { erased, tools } = await deps.db.withCreator(creatorId, async (trx) => {
    const human = await findHuman(trx, creatorId, contactId, { lock: true });
    const tools = await findToolsOf(trx, human);
    return { erased: await eraseHuman(deps, trx, human, userId), tools };
  });
  await eraseByEngine(deps, erased);
  return [
    `Erased here on ${deps.clock.now().toISOString().slice(0, 10)}. Old files don’t bring them back.`,
    ...tools.map((tool) => AT_TOOLS[tool]),
  ];
}

/** https://developers.kit.com/api-reference/subscribers: nothing there deletes a subscriber. */
const AT_TOOLS: Record<ToolName, string> = {
  kit: 'Kit unsubscribes them within minutes. To delete them there too, open Subscribers in Kit.',
  mailchimp: 'Mailchimp deletes them for good within minutes.',
};

async function findToolsOf(trx: CreatorTransaction, { creatorId, contactIds }: Human): Promise<ToolName[]> {
  const { rows } = await sql<{ tool: ToolName }>`
    select distinct d.tool from integration_contacts c
    join data_integrations d on d.creator_id = c.creator_id and d.id = c.integration_id
    where c.creator_id = ${creatorId} and c.contact_id = any(${contactIds}::uuid[]) order by 1
  `.execute(trx);
  return rows.map(({ tool }) => tool);
}

/**
 * Somebody whom Meta names by the id that conversations know them by: out of every account of every creator. What they gave
 * elsewhere than in a DM did not come from Meta and stays.
 *
 * @returns how many contacts they were
 */
export async function eraseEverywhere(deps: ErasingDeps, personId: string): Promise<number> {
  const { rows } = await sql<{ creatorId: string; connectionId: string }>`
    select c.creator_id as "creatorId", c.id as "connectionId" from connections c
    join people p on p.creator_id = c.creator_id and p.connection_id = c.id and p.id = ${personId}
  `.execute(deps.db.engine);
  for (const { creatorId, connectionId } of rows) {
    const erased = await deps.db.withCreator(creatorId, async (trx) => {
      const human = await findHuman(trx, creatorId, writeContactId({ connectionId, personId }), { lock: true });
      const isAllTheirs = human.people.length === 1 && human.isFromDmsOnly;
      const whole = isAllTheirs ? human : { ...human, contactIds: [], people: [{ connectionId, personId }] };
      return eraseHuman(deps, trx, whole, null);
    });
    await eraseByEngine(deps, erased);
  }
  return rows.length;
}

async function eraseHuman(
  deps: ErasingDeps,
  trx: CreatorTransaction,
  human: Human,
  userId: string | null,
): Promise<Somebody[]> {
  const now = deps.clock.now();
  const { creatorId, contactIds } = human;
  await keepAway(trx, deps, { creatorId, contactIds, at: now });
  const all = await somebodyOf(trx, human, queries.findIdsOf);
  for (const who of all) {
    await callOff(trx, { people: peopleOf(creatorId, who, who.ids) }, 'erased', now);
    await writeReceipts(trx, who, { userId, now });
  }
  await endMemberships(trx, deps, { creatorId, contactIds });
  for (const who of all) await eraseRows(trx, deps.held, who);
  return all;
}

async function eraseByEngine({ db, held }: ErasingDeps, erased: Somebody[]): Promise<void> {
  for (const who of erased) {
    for (const { erasedByEngine } of held) await erasedByEngine?.(who).execute(db.engine);
  }
}

/** Rows that refer to others go before the rows they refer to. */
async function eraseRows(trx: CreatorTransaction, held: HeldTable[], who: Somebody): Promise<void> {
  for (const { table, person } of held) {
    if (person === undefined) continue;
    for (const statement of person.first?.(who) ?? []) await statement.execute(trx);
    if (person.erased === 'kept') continue;
    if (person.erasedBy !== undefined) {
      await person.erasedBy(who).execute(trx);
      continue;
    }
    const overwritten = Object.entries(person.erased ?? {}).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    );
    const change =
      overwritten.length === 0
        ? sql`delete from ${sql.table(table)}`
        : sql`update ${sql.table(table)} set ${sql.join(overwritten)}`;
    await sql`${change} where ${rowsOfPerson(person, who)}`.execute(trx);
  }
}

async function writeReceipts(
  trx: CreatorTransaction,
  { creatorId, connectionId, ids }: Somebody,
  { userId, now }: { userId: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into erased_people (creator_id, connection_id, person_hash, erased_at, erased_by, stopped_at, email_asked_at)
    select ${creatorId}, ${connectionId}, erased_hash(${creatorId}, ${connectionId}, one.id), ${now}, ${userId},
      p.stopped_at, p.email_asked_at
    from unnest(${ids}::text[]) as one(id)
    left join people p on p.creator_id = ${creatorId} and p.connection_id = ${connectionId} and p.id = one.id
    on conflict (creator_id, connection_id, person_hash) do update
      set erased_at = excluded.erased_at, erased_by = excluded.erased_by, stopped_at = excluded.stopped_at,
        email_asked_at = excluded.email_asked_at
  `.execute(trx);
}

const PAGE_SIZE = 100;
/** Of one address there are never so many. */
const MOST_ROWS = 100_000;

type ContactFile = ResponseOf<typeof exportContact>;

/**
 * A page of the rows as they are stored, without what names the creator.
 *
 * @throws AppError not_found, invalid_input
 */
export async function exportPerson(
  { clock, held }: { clock: Clock; held: HeldTable[] },
  trx: CreatorTransaction,
  creatorId: string,
  contactId: string,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<ContactFile> {
  const all = await somebodyOf(trx, await findHuman(trx, creatorId, contactId));
  return exportRows({ clock, held }, trx, all, query);
}

/**
 * For the person themselves, who is known by one address: what belongs to it and to nobody who was joined to it.
 *
 * @throws AppError not_found
 */
export async function exportAddress(
  deps: { clock: Clock; held: HeldTable[] },
  trx: CreatorTransaction,
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<ContactFile> {
  const all = await somebodyOf(trx, {
    creatorId,
    contactId,
    contactIds: [contactId],
    people: [],
    isFromDmsOnly: false,
  });
  return exportRows(deps, trx, all, { limit: MOST_ROWS });
}

async function exportRows(
  { clock, held }: { clock: Clock; held: HeldTable[] },
  trx: CreatorTransaction,
  all: Somebody[],
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<ContactFile> {
  const limit = query.limit ?? PAGE_SIZE;
  // Who somebody is comes first.
  const kinds = held.flatMap(({ table, person }) => (person ? [{ table, person, ...person.copied }] : [])).toReversed();
  const names = kinds.map(({ as }) => as);
  const after = readPosition(query.after, 'text', names);
  const found: { id: string; what: string; row: Record<string, unknown>; position: string }[] = [];
  for (const kind of kinds.slice(after === null ? 0 : names.indexOf(after.at))) {
    const { table, person, as: what, named = ['id'], without = [], with: more = sql`'{}'::jsonb` } = kind;
    // Platforms' ids may be long, and have signs that a position has not.
    const id = sql`md5(concat_ws(' ', ${sql.join(named.map((column) => sql.ref(column)))}))`;
    const { rows } = await sql<{ id: string; row: Record<string, unknown> }>`
      select ${id} as id, to_jsonb(t) - ${['creator_id', ...without]}::text[] || ${more} as row from ${sql.table(table)} t
      where (${anyOf(all.map((who) => rowsOfPerson(person, who)))}) and ${id} > ${after?.at === what ? after.id : ''}
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

function anyOf(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` or `);
}
