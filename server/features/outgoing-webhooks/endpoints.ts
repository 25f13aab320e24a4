/** Where other tools listen: kept, changed, tried. Their events are recorded as they happen: server/events/product-events.ts. */
import { sql, type Transaction } from 'kysely';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import type { OutgoingType } from '#contract/outgoing-webhooks.ts';
import {
  type addEndpoint,
  type changeEndpoint,
  type listEvents,
  type OutgoingEndpoint,
  PERSONAL_TYPES,
} from '#contract/outgoing-webhooks.ts';
import { mayDo, type Role } from '#contract/roles.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { TRIED_FOR_MS } from '#server/events/product-events.ts';
import { mailNewAccess } from '#server/features/notices/new-access.ts';
import { lockMembership, nameInTeam } from '#server/features/people/memberships.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { type Keys, seal } from '#server/secrets.ts';

type Deps = { config: { baseUrl: string }; clock: Clock; ids: Ids; keys: Keys };
type Maker = { creatorId: string; role: Role; user: { id: string; name: string; email: string } };

const SECRET_STARTS = 'whsec_';
const SECRET_CHARACTERS = 40;
const OLD_SECRET_LASTS_MS = 24 * 3_600_000;
const PAGE_SIZE = 20;

const COLUMNS = [
  'id',
  'url',
  'types',
  'created_at',
  'switched_off_at',
  'switched_off_because',
  'failing_since',
  'last_delivered_at',
  'old_secret_until',
] as const;

const MADE_BY = nameInTeam('outgoing_endpoints.creator_id', 'outgoing_endpoints.created_by').as('made_by');

export async function list(trx: CreatorTransaction, creatorId: string): Promise<OutgoingEndpoint[]> {
  const rows = await trx
    .selectFrom('outgoing_endpoints')
    .select(COLUMNS)
    .select(MADE_BY)
    .where('creator_id', '=', creatorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(viewOf);
}

/**
 * The owners get a mail: the transaction must be the engine role's.
 * @throws AppError not_allowed for personal data without the permission to export
 */
export async function add(
  deps: Deps,
  trx: Transaction<Tables>,
  { creatorId, role, user }: Maker,
  given: BodyOf<typeof addEndpoint>,
): Promise<OutgoingEndpoint & { secret: string }> {
  const { clock, ids, keys } = deps;
  refuseWithoutExport(role, given.types);
  await lockMembership(trx, { creatorId, userId: user.id });
  const now = clock.now();
  const secret = SECRET_STARTS + ids.code(SECRET_CHARACTERS);
  const row = await trx
    .insertInto('outgoing_endpoints')
    .values({
      creator_id: creatorId,
      id: ids.uuid(now),
      url: given.url,
      types: given.types,
      secret: seal(keys.encryptionKeys, secret),
      created_at: now,
      created_by: user.id,
    })
    .returning(COLUMNS)
    .returning(MADE_BY)
    .executeTakeFirstOrThrow();
  await mailNewAccess(trx, deps, { creatorId, by: user, access: { kind: 'webhook', ...given } });
  return { ...viewOf(row), secret };
}

/**
 * Turning it on forgets earlier failures. For another address the owners get a mail: the transaction must be the engine
 * role's.
 * @throws AppError not_found; not_allowed for personal data, before or after, without the permission to export
 */
export async function change(
  deps: Deps,
  trx: Transaction<Tables>,
  { creatorId, role, user }: Maker,
  { id, url, types, on }: BodyOf<typeof changeEndpoint> & { id: string },
): Promise<OutgoingEndpoint> {
  await lockMembership(trx, { creatorId, userId: user.id });
  const before = await trx
    .selectFrom('outgoing_endpoints')
    .select(['url', 'types'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) throw notFound();
  refuseWithoutExport(role, [...before.types, ...types]);
  const row = await trx
    .updateTable('outgoing_endpoints')
    .set({
      url,
      types,
      ...(on
        ? { switched_off_at: null, switched_off_because: null, failing_since: null }
        : { switched_off_at: sql<Date>`coalesce(switched_off_at, ${deps.clock.now()})` }),
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .returning(MADE_BY)
    .executeTakeFirstOrThrow();
  if (url !== before.url)
    await mailNewAccess(trx, deps, { creatorId, by: user, access: { kind: 'webhook', url, types } });
  return viewOf(row);
}

/**
 * The secret of before signs beside it for a day; one that was before that ends now.
 * @throws AppError not_found; not_allowed for personal data without the permission to export
 */
export async function changeSecret(
  { clock, ids, keys }: Deps,
  trx: CreatorTransaction,
  { creatorId, role, id }: { creatorId: string; role: Role; id: string },
): Promise<OutgoingEndpoint & { secret: string }> {
  const secret = SECRET_STARTS + ids.code(SECRET_CHARACTERS);
  const row = await trx
    .updateTable('outgoing_endpoints')
    .set({
      secret: seal(keys.encryptionKeys, secret),
      old_secret: sql<string>`secret`,
      old_secret_until: new Date(clock.now().getTime() + OLD_SECRET_LASTS_MS),
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .returning(MADE_BY)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  refuseWithoutExport(role, row.types);
  return { ...viewOf(row), secret };
}

/** Those that one person answers for. */
export async function handOver(
  trx: Transaction<Tables>,
  { creatorId, from, to }: { creatorId: string; from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('outgoing_endpoints')
    .set({ created_by: to })
    .where('creator_id', '=', creatorId)
    .where('created_by', '=', from)
    .execute();
}

/** Those that one person answers for. */
export async function removeAllOf(
  trx: Transaction<Tables>,
  { creatorId, userId }: { creatorId: string; userId: string },
): Promise<void> {
  await trx
    .deleteFrom('outgoing_endpoints')
    .where('creator_id', '=', creatorId)
    .where('created_by', '=', userId)
    .execute();
}

/** Those that one person answers for. @returns the hosts of those that were on */
export async function turnOffAllOf(
  { clock }: { clock: Clock },
  trx: Transaction<Tables>,
  { creatorId, userId, because }: { creatorId: string; userId: string; because: string },
): Promise<string[]> {
  const rows = await trx
    .updateTable('outgoing_endpoints')
    .set({ switched_off_at: clock.now(), switched_off_because: because })
    .where('creator_id', '=', creatorId)
    .where('created_by', '=', userId)
    .where('switched_off_at', 'is', null)
    .returning('url')
    .execute();
  return [...new Set(rows.map(({ url }) => new URL(url).host))];
}

/** @throws AppError not_found */
export async function remove(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('outgoing_endpoints')
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/** @throws AppError not_found, not_possible_now */
export async function sendTest(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<void> {
  await findOn(trx, creatorId, id);
  const now = clock.now();
  await trx
    .insertInto('outgoing_events')
    .values({
      creator_id: creatorId,
      id: ids.uuid(now),
      endpoint_id: id,
      type: 'test',
      data: JSON.stringify({ says: 'Hello from Creator HQ' }),
      happened_at: now,
      due_at: now,
      expires_at: new Date(now.getTime() + TRIED_FOR_MS),
    })
    .execute();
}

/** The log, newest first. @throws AppError not_found */
export async function log(trx: CreatorTransaction, creatorId: string, id: string, query: QueryOf<typeof listEvents>) {
  await find(trx, creatorId, id);
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid');
  const { rows } = await sql<EventRow>`
    select id, type, happened_at, state, due_at, log, happened_at::text as position
    from outgoing_events
    where creator_id = ${creatorId} and endpoint_id = ${id}
      ${query.state === undefined ? sql`` : sql`and state = ${query.state}`}
      ${after === null ? sql`` : sql`and (happened_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by happened_at desc, id desc limit ${limit + 1}
  `.execute(trx);
  const { items, next } = pageFrom(rows, limit);
  return {
    next,
    items: items.map((row) => ({
      id: row.id,
      type: row.type,
      happenedAt: row.happened_at.toISOString(),
      state: row.state,
      nextTryAt: row.state === 'queued' ? row.due_at.toISOString() : null,
      tries: row.log,
    })),
  };
}

type EventRow = {
  id: string;
  type: OutgoingType | 'test';
  happened_at: Date;
  state: 'queued' | 'delivered' | 'failed';
  due_at: Date;
  log: { at: string; status: number | null; error: string | null; ms: number }[];
  position: string;
};

/** @throws AppError not_found, not_possible_now */
export async function redeliver(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  { creatorId, endpointId, eventId }: { creatorId: string; endpointId: string; eventId: string },
): Promise<void> {
  await findOn(trx, creatorId, endpointId);
  const now = clock.now();
  const { numUpdatedRows } = await trx
    .updateTable('outgoing_events')
    .set({ state: 'queued', due_at: now, expires_at: new Date(now.getTime() + TRIED_FOR_MS), attempts: 0 })
    .where('creator_id', '=', creatorId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', eventId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}

async function find(trx: CreatorTransaction, creatorId: string, id: string) {
  const row = await trx
    .selectFrom('outgoing_endpoints')
    .select('switched_off_at')
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

async function findOn(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  const { switched_off_at } = await find(trx, creatorId, id);
  if (switched_off_at !== null) {
    throw new AppError('not_possible_now', 'This webhook is off. Turn it on first.');
  }
}

function refuseWithoutExport(role: Role, types: readonly string[]): void {
  if (mayDo(role, 'export') || !PERSONAL_TYPES.some((type) => types.includes(type))) return;
  throw new AppError(
    'not_allowed',
    'Only an owner of this account can send comments, messages and contacts to another tool. Ask an owner.',
  );
}

function viewOf(row: {
  id: string;
  url: string;
  types: string[];
  created_at: Date;
  made_by: string | null;
  switched_off_at: Date | null;
  switched_off_because: string | null;
  failing_since: Date | null;
  last_delivered_at: Date | null;
  old_secret_until: Date | null;
}): OutgoingEndpoint {
  return {
    id: row.id,
    url: row.url,
    types: row.types as OutgoingEndpoint['types'],
    createdAt: row.created_at.toISOString(),
    createdBy: row.made_by,
    on: row.switched_off_at === null,
    offBecause: row.switched_off_because,
    failingSince: row.failing_since?.toISOString() ?? null,
    lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
    oldSecretUntil: row.old_secret_until?.toISOString() ?? null,
  };
}

function notFound(): AppError {
  return new AppError('not_found', 'This webhook no longer exists.');
}
