/** Recipes: a page of the creator's, told once. Automations and sent links follow its address. */

import { checkMessage } from '#contract/message-text.ts';
import type { Recipe, RecipeInput } from '#contract/recipes.ts';

import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { changeLinksAlone, watchLinks } from '#server/features/link-guard/watching.ts';
import { pageFrom, readPosition } from '#server/http/paging.ts';
import { addressKey } from './address-key.ts';
import * as queries from './queries.ts';

type Deps = { clock: Clock; ids: Ids };

const PAGE_SIZE = 50;
const NAMED_AT_MOST = 3;

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: { search?: string | undefined; after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  // No recipe has it, and PostgreSQL cannot hold it.
  const search = (query.search ?? '').replaceAll('\0', '\u{fffd}').toWellFormed().trim();
  const page = { after: readPosition(query.after, 'uuid'), limit: limit + 1 };
  const { items, next } = pageFrom(await queries.findPage(trx, creatorId, search, page), limit);
  return { items: await show(trx, creatorId, items), next };
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, id: string): Promise<Recipe> {
  const [shown] = await show(trx, creatorId, [await find(trx, creatorId, id)]);
  return shown!;
}

/** @throws AppError invalid_input, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: RecipeInput,
): Promise<Recipe> {
  checkContent(input);
  const now = deps.clock.now();
  const id = deps.ids.uuid(now);
  const row = { creator_id: creatorId, id, ...columnsOf(input), created_at: now, updated_at: now };
  if (!(await queries.insert(trx, row))) throw await sameAddress(trx, creatorId, input);
  return get(trx, creatorId, id);
}

/**
 * A new address reaches everything at once.
 *
 * @returns besides the recipe, connections whose messages wait for a broken link no longer
 * @throws AppError invalid_input, not_found, already_exists, changed_meanwhile
 */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  input: RecipeInput & { version: number },
): Promise<{ recipe: Recipe; freed: string[] }> {
  await changeLinksAlone(trx, creatorId);
  await queries.lock(trx, creatorId, id);
  const before = await find(trx, creatorId, id);
  if (before.version !== input.version) {
    throw new AppError(
      'changed_meanwhile',
      'Somebody else saved this recipe while you were editing. Nothing of yours is lost: compare and choose.',
    );
  }
  checkContent(input);
  const other = await queries.findByAddress(trx, creatorId, addressKey(input.url));
  if (other !== undefined && other.id !== id) throw alreadyThere(other.name);
  await queries.update(trx, creatorId, id, columnsOf(input), deps.clock.now()).catch((error: unknown) => {
    // Somebody gave it to another one in this very moment.
    throw isSameAddress(error) ? alreadyThere(null) : error;
  });
  let freed: string[] = [];
  if (before.url !== input.url) {
    await queries.moveLinks(trx, creatorId, id, input.url);
    freed = await watchLinks(deps, trx, creatorId, null);
  }
  return { recipe: await get(trx, creatorId, id), freed };
}

/** What was sent keeps its links. @throws AppError not_found, not_possible_now */
export async function remove(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await queries.lock(trx, creatorId, id);
  const { name } = await find(trx, creatorId, id);
  const uses = (await queries.findUses(trx, creatorId, [id])).map((use) => `“${use.name}”`);
  if (uses.length > 0) {
    const more = uses.length - NAMED_AT_MOST;
    const named = uses.slice(0, NAMED_AT_MOST).join(', ') + (more > 0 ? ` and ${more} more` : '');
    throw new AppError(
      'not_possible_now',
      `${named} ${uses.length === 1 ? 'points' : 'point'} to “${name}”. Choose another link there first.`,
    );
  }
  await queries.remove(trx, creatorId, id);
}

/**
 * Where these recipes lead, by id. Holds them until the end of the transaction, so that none moves or goes meanwhile.
 *
 * @throws AppError not_found
 */
export async function requireRecipes(
  trx: CreatorTransaction,
  creatorId: string,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = new Map((await queries.findUsable(trx, creatorId, ids)).map(({ id, url }) => [id, url]));
  if (ids.some((id) => !found.has(id))) {
    throw new AppError(
      'not_found',
      'A recipe was deleted meanwhile. Choose another one or type the link, and save again.',
    );
  }
  return found;
}

function checkContent({ messageText, url }: RecipeInput): void {
  if (messageText === '') return;
  const problems = checkMessage({ text: messageText, buttons: [{ title: 'Get the recipe', url }] })
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ path: path === 'text' ? 'messageText' : 'url', message }));
  if (problems.length > 0) throw new AppError('invalid_input', problems[0]!.message, { fields: problems });
}

async function sameAddress(trx: CreatorTransaction, creatorId: string, { url }: RecipeInput): Promise<AppError> {
  const other = await queries.findByAddress(trx, creatorId, addressKey(url));
  return alreadyThere(other?.name ?? null);
}

function alreadyThere(name: string | null): AppError {
  const message = `${name === null ? 'Another recipe' : `“${name}”`} has this address already. Change that one instead.`;
  return new AppError('already_exists', message, { fields: [{ path: 'url', message }] });
}

function isSameAddress(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'recipes_by_address';
}

async function find(trx: CreatorTransaction, creatorId: string, id: string): Promise<queries.RecipeRow> {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined) throw new AppError('not_found', 'This recipe does not exist, or was deleted.');
  return row;
}

function columnsOf(input: RecipeInput): queries.RecipeContent {
  return {
    name: input.name,
    url: input.url,
    url_key: addressKey(input.url),
    picture_url: input.pictureUrl,
    keyword_ideas: input.keywordIdeas,
    message_text: input.messageText,
  };
}

async function show(trx: CreatorTransaction, creatorId: string, rows: queries.RecipeRow[]): Promise<Recipe[]> {
  if (rows.length === 0) return [];
  const uses = Map.groupBy(
    await queries.findUses(
      trx,
      creatorId,
      rows.map(({ id }) => id),
    ),
    ({ recipeId }) => recipeId,
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    pictureUrl: row.picture_url,
    keywordIdeas: row.keyword_ideas,
    messageText: row.message_text,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    usedBy: (uses.get(row.id) ?? []).map(({ automationId, name, on, postId }) => ({ automationId, name, on, postId })),
  }));
}
