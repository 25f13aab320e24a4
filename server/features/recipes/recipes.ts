/** Recipes: a page of the creator's, told once, or their shopping list where they have none. Automations and sent links follow its address. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { checkMessage } from '#contract/message-text.ts';
import type { BlogLock, Recipe, RecipeInput, RecipeState } from '#contract/recipes.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RecipesTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { Library, namesOf, refuseWhileLedTo, searched, usesInButtons } from '#server/features/libraries/library.ts';
import { changeLinksAlone, watchLinks } from '#server/features/link-guard/watched-links.ts';
import { moveLinks } from '#server/features/links/moving.ts';
import { addressKey, recipesAt } from './address-key.ts';
import { keepList, listUrl, listUrlOf, makeList, newCode, requireRecipe } from './ingredients.ts';
import { lockOf } from './locks.ts';

const PAGE_SIZE = 50;

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Row = Selectable<RecipesTable> & {
  list: { code: string; lines: number; toCheck: number } | null;
  lock: BlogLock | null;
};
/** `url`: of its list where it has no page. */
type Stored = Omit<RecipeInput, 'url'> & { url: string; hasPage: boolean };
type Content = Omit<RecipeInput, 'url'> & Pick<Recipe, 'url' | 'leadsTo' | 'postGoneAt'> & Pick<Row, 'list' | 'lock'>;

const library = new Library<Stored, Row, Content>({
  table: 'recipes',
  order: 'last_changed_first',
  missing: 'This recipe doesn’t exist, or was deleted.',
  changed: 'Someone else saved this recipe while you were editing. Your version is still here: compare and choose.',
  alsoSelect: sql`(
    select jsonb_build_object('code', i.list_code, 'lines', i.line_count, 'toCheck', i.to_check) from recipe_ingredients i
    where i.creator_id = recipes.creator_id and i.recipe_id = recipes.id
  ) as list, ${lockOf('recipes')} as lock`,
  problemsOf: ({ messageText, url }) =>
    messageText === ''
      ? []
      : checkMessage({ text: messageText, buttons: [{ title: 'Get the recipe', url }] }).map((problem) => ({
          ...problem,
          path: problem.path === 'text' ? 'messageText' : 'url',
        })),
  columnsOf: ({ name, url, hasPage, pictureUrl, keywordIdeas, messageText }) => ({
    name,
    url,
    url_key: addressKey(url),
    has_page: hasPage,
    picture_url: pictureUrl,
    keyword_ideas: keywordIdeas,
    message_text: messageText,
  }),
  contentOf: ({ name, url, has_page, picture_url, keyword_ideas, message_text, post_gone_at, list, lock }) => ({
    name,
    url: has_page ? url : null,
    leadsTo: url,
    pictureUrl: picture_url,
    keywordIdeas: keyword_ideas,
    messageText: message_text,
    postGoneAt: post_gone_at?.toISOString() ?? null,
    list,
    lock,
  }),
  unique: {
    field: 'url',
    constraint: 'recipes_by_address',
    sameAs: ({ url }, creatorId) => sql`id = any(${recipesAt(creatorId, [addressKey(url)])})`,
    message: (_, other) =>
      `${other === null ? 'Another recipe' : `“${other}”`} already has this link. Change that one instead.`,
  },
  usesOf: (creatorId, ids) => usesInButtons('recipeId', creatorId, ids),
  // Sent messages keep their links.
  refuseRemoval: refuseWhileLedTo,
});

function show({ config }: Pick<Deps, 'config'>, { list, ...recipe }: Content & Omit<Recipe, keyof Content>): Recipe {
  const { code = '', ...counts } = list ?? {};
  return { ...recipe, list: list && { ...(counts as Omit<Row['list'] & {}, 'code'>), url: listUrl(config, code) } };
}

type Filter = { search?: string | undefined; state?: RecipeState | undefined };

/** `search` is looked for in name, address, words and foods. */
export async function list(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  { search, state, after, limit = PAGE_SIZE }: Filter & { after?: string | undefined; limit?: number | undefined },
): Promise<{ items: Recipe[]; next: string | null }> {
  const found = searched(
    search,
    (
      like,
    ) => sql`name ilike ${like} or url ilike ${like} or array_to_string(keyword_ideas, ' ') ilike ${like} or id in (
      select recipe_id from recipe_ingredients where creator_id = ${creatorId} and foods ilike ${like})`,
  );
  const filters = [found ?? [], state === undefined ? [] : IN_STATE[state]].flat();
  const page = await library.list(
    trx,
    creatorId,
    { after, limit },
    filters.length === 0 ? undefined : sql.join(filters, sql` and `),
  );
  return { ...page, items: page.items.map((recipe) => show(deps, recipe)) };
}

function hasIngredients(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (
    select from recipe_ingredients i
    where i.creator_id = recipes.creator_id and i.recipe_id = recipes.id and ${which}
  )`;
}

const IN_STATE: Record<RecipeState, RawBuilder<unknown>> = {
  none: sql`not ${hasIngredients(sql`i.line_count > 0`)}`,
  to_check: hasIngredients(sql`i.to_check > 0`),
  ready: hasIngredients(sql`i.line_count > 0 and i.to_check = 0`),
};

/** @throws AppError not_found */
export async function get(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<Recipe> {
  return show(deps, await library.get(trx, creatorId, id));
}

/** @throws AppError invalid_input, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: RecipeInput,
): Promise<Recipe> {
  const code = input.url === null ? newCode(deps) : null;
  const own = code === null ? null : listUrl(deps.config, code);
  const { id } = await library.create(deps, trx, creatorId, stored(input, own));
  if (code !== null) await makeList(deps, trx, creatorId, id, code);
  return get(deps, trx, creatorId, id);
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
  await requireRecipe(trx, creatorId, id);
  const own = input.url === null ? await listUrlOf(deps, trx, creatorId, id) : null;
  const now = { ...stored(input, own), version: input.version };
  const before = await library.change(deps, trx, creatorId, id, now);
  let freed: string[] = [];
  if (before.url !== now.url) {
    await moveLinks(trx, creatorId, { recipeId: id }, now.url);
    freed = await watchLinks(deps, trx, creatorId, null);
  }
  return { recipe: await get(deps, trx, creatorId, id), freed };
}

/** @throws AppError not_found, not_possible_now */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await requireRecipe(trx, creatorId, id);
  await refuseInPlans(trx, creatorId, id);
  await keepList(trx, creatorId, id);
  await library.remove(deps, trx, creatorId, id);
}

async function refuseInPlans(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from meal_plans where creator_id = ${creatorId} and meals @> ${JSON.stringify([{ recipeId: id }])}::jsonb
    order by lower(name)
  `.execute(trx);
  if (rows.length === 0) return;
  const isOne = rows.length === 1;
  const plans = `The meal ${isOne ? 'plan' : 'plans'} ${namesOf(rows)} ${isOne ? 'has' : 'have'} this recipe.`;
  throw new AppError('not_possible_now', `${plans} Take it out there first.`);
}

/** @param own its list, where it has no page */
function stored({ url, ...input }: RecipeInput, own: string | null): Stored {
  return { ...input, hasPage: url !== null, url: url ?? own! };
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
  const gone = 'A recipe was deleted. Choose another one or enter a link, and save again.';
  return new Map((await library.hold(trx, creatorId, ids, gone)).map(({ id, url }) => [id, url]));
}
