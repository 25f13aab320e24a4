/** Custom Keywords: named sets of words that any automation can listen for. */
import type { Keyword, KeywordInput } from '#contract/keywords.ts';
import { checkRule } from '#contract/matching/matching.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/paging.ts';
import { refuseWhileUsed } from './library-use.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids };

const PAGE_SIZE = 100;

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: Keyword[]; next: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid', 'name'), limit: limit + 1 };
  const { items, next } = pageFrom(await queries.findPage(trx, creatorId, page), limit);
  const ids = items.map(({ id }) => id);
  const uses = Map.groupBy(await queries.findUses(trx, creatorId, ids), ({ keywordId }) => keywordId);
  return { items: items.map((row) => show(row, uses.get(row.id) ?? [])), next };
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, id: string): Promise<Keyword> {
  const row = await find(trx, creatorId, id);
  return show(row, await queries.findUses(trx, creatorId, [id]));
}

/** @throws AppError invalid_input, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: KeywordInput,
): Promise<Keyword> {
  checkContent(input);
  const now = deps.clock.now();
  const id = deps.ids.uuid(now);
  const row = { creator_id: creatorId, id, ...columnsOf(input), created_at: now, updated_at: now };
  if (!(await queries.insert(trx, row))) throw sameName(input.name);
  return get(trx, creatorId, id);
}

/** @throws AppError invalid_input, not_found, already_exists, changed_meanwhile */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  input: KeywordInput & { version: number },
): Promise<Keyword> {
  await queries.lock(trx, creatorId, id);
  const before = await find(trx, creatorId, id);
  if (before.version !== input.version) {
    throw new AppError(
      'changed_meanwhile',
      'Somebody else saved these words while you were editing. Nothing of yours is lost: compare and choose.',
    );
  }
  checkContent(input);
  await queries.update(trx, creatorId, id, columnsOf(input), deps.clock.now()).catch((error: unknown) => {
    throw isSameName(error) ? sameName(input.name) : error;
  });
  return get(trx, creatorId, id);
}

/** Automations that are off and use it forget it. @throws AppError not_found, not_possible_now */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await queries.lock(trx, creatorId, id);
  const { name } = await find(trx, creatorId, id);
  refuseWhileUsed(name, await queries.findUses(trx, creatorId, [id]));
  const now = deps.clock.now();
  await queries.takeOutOfAutomations(trx, creatorId, id, now);
  await queries.remove(trx, creatorId, id);
}

/** Holds them until the end of the transaction, so that none is deleted meanwhile. @throws AppError not_found */
export async function requireKeywords(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<void> {
  const usable = await queries.findUsable(trx, creatorId, ids);
  if (ids.some((id) => !usable.has(id))) {
    throw new AppError('not_found', 'A set of Custom Keywords was deleted meanwhile. Take it out and save again.');
  }
}

/** Another set or library of this name. */
export function isSameName(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && typeof constraint === 'string' && constraint.endsWith('_by_name');
}

function sameName(name: string): AppError {
  const message = `You have Custom Keywords called “${name}” already. Choose another name.`;
  return new AppError('already_exists', message, { fields: [{ path: 'name', message }] });
}

function checkContent(input: KeywordInput): void {
  const fields = checkRule(input)
    .filter(({ severity }) => severity === 'error')
    .map(({ field, message }) => ({ path: field, message }));
  if (fields.length > 0) throw new AppError('invalid_input', fields[0]!.message, { fields });
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<queries.KeywordRow> {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined) throw new AppError('not_found', 'These Custom Keywords do not exist, or were deleted.');
  return row;
}

function columnsOf(input: KeywordInput): queries.KeywordContent {
  return {
    name: input.name,
    words: input.words,
    mode: input.mode,
    excluded_words: input.excludedWords,
    typo_tolerance: input.typoTolerance,
  };
}

function show(row: queries.KeywordRow, uses: queries.Use[]): Keyword {
  return {
    id: row.id,
    name: row.name,
    words: row.words,
    mode: row.mode as Keyword['mode'],
    excludedWords: row.excluded_words,
    typoTolerance: row.typo_tolerance,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    usedBy: uses.map(({ automationId, name, on, postId }) => ({ automationId, name, on, postId })),
  };
}
