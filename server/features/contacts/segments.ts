/**
 * Segments as SQL: each condition selects the contacts that answer to it, and sets are cut and united as the tree says. Values are
 * parameters. Somebody with several addresses answers to a condition when one of these does. The one writer of `segments`.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  type Condition,
  namesSavers,
  readSegment,
  type SavedSegment,
  type Segment,
  type SegmentField,
} from '#contract/segments.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { savedKey, savedOn } from '#server/features/recipes/address-key.ts';

type IdSet = RawBuilder<unknown>;
type Asked = { creatorId: string; value: string; now: Date };

/** Selects `id`s of contacts that stand for their addresses. */
const CONDITIONS: Record<SegmentField, (asked: Asked) => IdSet> = {
  status: ({ creatorId, value }) => sql`
    select id from contacts where creator_id = ${creatorId} and joined_to is null and newsletter_of_all = ${value}`,
  tag: ({ creatorId, value }) =>
    wholes(sql`select contact_id from contact_tags where creator_id = ${creatorId} and tag_id = ${value}`),
  saved_page: ({ creatorId, value }) =>
    wholes(sql`
      select contact_id from saved_recipes
      where ${savedOn(creatorId, savedKey(value))}`),
  saves: ({ creatorId, value }) => withRow(creatorId, sql`saved_count >= ${Number(value)}`),
  saved_within: (asked) => withRow(asked.creatorId, sql`last_saved_at >= ${daysAgo(asked)}`),
  source: ({ creatorId, value }) => withRow(creatorId, sql`source = ${value}`),
  form: ({ creatorId, value }) =>
    wholes(sql`
      select contact_id from submissions
      where creator_id = ${creatorId} and form_id = ${value} and contact_id is not null`),
  site: ({ creatorId, value }) =>
    wholes(sql`
      select contact_id from submissions
      where creator_id = ${creatorId} and site_id = ${value} and contact_id is not null`),
  confirmed_within: (asked) => withRow(asked.creatorId, sql`confirmed_at >= ${daysAgo(asked)}`),
  seen_within: (asked) => withRow(asked.creatorId, sql`last_seen_at >= ${daysAgo(asked)}`),
  clicked_within: (asked) =>
    wholes(sql`
      select contact_id from reader_mails
      where creator_id = ${asked.creatorId} and clicked_at >= ${daysAgo(asked)}`),
  follows: ({ creatorId, value }) =>
    wholes(sql`
      select contact_id from people
      where creator_id = ${creatorId} and contact_id is not null and follows is not null and follows = ${value === 'yes'}`),
  language: ({ creatorId, value }) => withRow(creatorId, sql`split_part(lower(language), '-', 1) = ${value}`),
};

const DAY_MS = 24 * 3_600_000;

function daysAgo({ value, now }: Asked): Date {
  return new Date(now.getTime() - Number(value) * DAY_MS);
}

function withRow(creatorId: string, condition: RawBuilder<unknown>): IdSet {
  return sql`
    select case when joined_to is null then id else joined_to end as id from contacts
    where creator_id = ${creatorId} and (${condition})`;
}

function wholes(contacts: RawBuilder<unknown>): IdSet {
  return sql`
    select case when j.joined_to is null then t.contact_id else j.joined_to end as id
    from (${contacts}) as t left join joined_ones j on j.id = t.contact_id`;
}

/**
 * Selects `id` of the contacts in it.
 *
 * @throws AppError invalid_input
 */
export function contactsInSegment(creatorId: string, text: string, now: Date): RawBuilder<unknown> {
  const segment = requireSegment(text);
  // Joined contacts are few: what is asked of the others does not wait for all rows.
  return sql`
    with joined_ones as materialized (
      select id, joined_to from contacts where creator_id = ${creatorId} and joined_to is not null
    )
    (${everybody(creatorId, segment)}) intersect (${compile(creatorId, segment, now)})`;
}

/** @throws AppError invalid_input */
function requireSegment(text: string): Segment {
  const segment = readSegment(text);
  if (segment !== null) return segment;
  throw new AppError('invalid_input', 'This isn’t a segment.', {
    fields: [{ path: 'segment', message: 'Use up to 20 conditions, with values they can have.' }],
  });
}

/** Not the bare column: read in the order of their key to be compared, each contact would take a block of its own. */
const WHOLE_ID = sql`case when joined_to is null then id end as id`;

function everybody(creatorId: string, segment: Segment): IdSet {
  const all = sql`select ${WHOLE_ID} from contacts c where creator_id = ${creatorId} and joined_to is null`;
  if (namesSavers(segment)) return all;
  return sql`${all} and not (newsletter_of_all = 'none' and (saved_count > 0 or (has_joined and exists (
    select from contacts j where j.creator_id = ${creatorId} and j.joined_to = c.id and j.saved_count > 0))))`;
}

type Part = { negated: boolean; ids: IdSet };

function compile(creatorId: string, { match, groups }: Segment, now: Date): IdSet {
  const all = sql`select ${WHOLE_ID} from contacts where creator_id = ${creatorId} and joined_to is null`;
  const idsOf = ({ field, value }: Condition) => CONDITIONS[field]({ creatorId, value, now });
  return combine(
    match,
    groups.map(({ match, negated, conditions }) => ({
      negated,
      ids: combine(
        match,
        conditions.map((one) => ({ negated: one.negated, ids: idsOf(one) })),
        all,
      ),
    })),
    all,
  );
}

function combine(match: 'all' | 'any', parts: Part[], all: IdSet): IdSet {
  const others = ({ ids }: Part) => sql`(${all}) except (${ids})`;
  if (match === 'any')
    return joinedBy(
      'union',
      parts.map((part) => (part.negated ? others(part) : part.ids)),
    );
  const these = parts.filter(({ negated }) => !negated).map(({ ids }) => ids);
  const not = parts.filter(({ negated }) => negated).map(({ ids }) => ids);
  const within = these.length === 0 ? all : joinedBy('intersect', these);
  return not.length === 0 ? within : sql`(${within}) except (${joinedBy('union', not)})`;
}

function joinedBy(operator: 'union' | 'intersect', sets: IdSet[]): IdSet {
  const word = operator === 'union' ? sql` union ` : sql` intersect `;
  return sql.join(
    sets.map((one) => sql`(${one})`),
    word,
  );
}

const COUNT_MS = 2000;
const CANCELED = '57014';

/** @returns null when counting takes too long. @throws AppError invalid_input */
export async function count(
  { clock }: { clock: Clock },
  inCreator: <T>(work: (trx: CreatorTransaction) => Promise<T>) => Promise<T>,
  creatorId: string,
  text: string,
): Promise<number | null> {
  const ids = contactsInSegment(creatorId, text, clock.now());
  return countInTime(inCreator, async (trx) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${ids}) as found`.execute(trx);
    return rows[0]!.count;
  });
}

/** @returns null when it takes longer than two seconds */
export async function countInTime<T>(
  inCreator: <R>(work: (trx: CreatorTransaction) => Promise<R>) => Promise<R>,
  work: (trx: CreatorTransaction) => Promise<T>,
): Promise<T | null> {
  try {
    return await inCreator(async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(COUNT_MS)}`.execute(trx);
      return work(trx);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === CANCELED) return null;
    throw error;
  }
}

export async function list(trx: CreatorTransaction, creatorId: string): Promise<SavedSegment[]> {
  return trx
    .selectFrom('segments')
    .select(['id', 'name', 'segment'])
    .where('creator_id', '=', creatorId)
    .orderBy(sql`lower(name)`)
    .execute();
}

type Input = { name: string; segment: string };

/** @throws AppError invalid_input, already_exists */
export async function create(
  { clock, ids }: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  creatorId: string,
  { name, segment }: Input,
): Promise<SavedSegment> {
  requireSegment(segment);
  const now = clock.now();
  const row = { creator_id: creatorId, id: ids.uuid(now), name, segment, created_at: now };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('segments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw taken(name);
  return { id: row.id, name, segment };
}

/** @throws AppError not_found, invalid_input, already_exists */
export async function change(
  trx: CreatorTransaction,
  { creatorId, segmentId, name, segment }: Input & { creatorId: string; segmentId: string },
): Promise<SavedSegment> {
  requireSegment(segment);
  const { numUpdatedRows } = await trx
    .updateTable('segments')
    .set({ name, segment })
    .where('creator_id', '=', creatorId)
    .where('id', '=', segmentId)
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw (error as { constraint?: unknown }).constraint === 'segments_by_name' ? taken(name) : error;
    });
  if (numUpdatedRows === 0n) throw segmentNotFound();
  return { id: segmentId, name, segment };
}

/** @throws AppError not_found */
export async function remove(trx: CreatorTransaction, creatorId: string, segmentId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('segments')
    .where('creator_id', '=', creatorId)
    .where('id', '=', segmentId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw segmentNotFound();
}

function segmentNotFound(): AppError {
  return new AppError('not_found', 'This segment doesn’t exist, or was deleted.');
}

function taken(name: string): AppError {
  const message = `You already have a segment named “${name}”.`;
  return new AppError('already_exists', message, { fields: [{ path: 'name', message }] });
}
