/** Recipes: a page of the creator's, told once. Automations and sent links follow its address. */
import { type Selectable, sql } from 'kysely';
import { checkMessage } from '#contract/message-text.ts';
import type { Recipe, RecipeInput } from '#contract/recipes.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RecipesTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { Library, namesOf } from '#server/features/libraries/library.ts';
import { changeLinksAlone, watchLinks } from '#server/features/link-guard/watched-links.ts';
import { addressKey } from './address-key.ts';

const PAGE_SIZE = 50;

export const recipes = new Library<RecipeInput, Selectable<RecipesTable>, RecipeInput & { postGoneAt: string | null }>({
  table: 'recipes',
  order: 'last_changed_first',
  missing: 'This recipe doesn’t exist, or was deleted.',
  changed: 'Someone else saved this recipe while you were editing. Your version is still here: compare and choose.',
  problemsOf: ({ messageText, url }) =>
    messageText === ''
      ? []
      : checkMessage({ text: messageText, buttons: [{ title: 'Get the recipe', url }] }).map((problem) => ({
          ...problem,
          path: problem.path === 'text' ? 'messageText' : 'url',
        })),
  columnsOf: ({ name, url, pictureUrl, keywordIdeas, messageText }) => ({
    name,
    url,
    url_key: addressKey(url),
    picture_url: pictureUrl,
    keyword_ideas: keywordIdeas,
    message_text: messageText,
  }),
  contentOf: ({ name, url, picture_url, keyword_ideas, message_text, post_gone_at }) => ({
    name,
    url,
    pictureUrl: picture_url,
    keywordIdeas: keyword_ideas,
    messageText: message_text,
    postGoneAt: post_gone_at?.toISOString() ?? null,
  }),
  unique: {
    field: 'url',
    constraint: 'recipes_by_address',
    sameAs: ({ url }) => sql`md5(url_key) = md5(${addressKey(url)})`,
    message: (_, other) =>
      `${other === null ? 'Another recipe' : `“${other}”`} already has this link. Change that one instead.`,
  },
  usesOf: (creatorId, ids) => sql`
    select distinct on (lower(a.name), a.id, button ->> 'recipeId') button ->> 'recipeId' as id,
      a.id as "automationId", a.name, a.switched_on_at is not null as "on",
      case when a.trigger = 'comment' then a.post_id end as "postId"
    from automations a cross join jsonb_array_elements(a.buttons) as button
    where a.creator_id = ${creatorId} and a.archived_at is null and button ->> 'recipeId' = any(${ids}::text[])
    order by lower(a.name), a.id, button ->> 'recipeId'
  `,
  // Sent messages keep their links.
  refuseRemoval: (name, uses) => {
    if (uses.length === 0) return;
    throw new AppError(
      'not_possible_now',
      `${namesOf(uses)} ${uses.length === 1 ? 'uses' : 'use'} “${name}”. Choose another link there first.`,
    );
  },
});

/** `search` is looked for in name, address and words. */
export function list(
  trx: CreatorTransaction,
  creatorId: string,
  {
    search = '',
    after,
    limit = PAGE_SIZE,
  }: { search?: string | undefined; after?: string | undefined; limit?: number | undefined },
) {
  // No recipe has it, and PostgreSQL cannot hold it.
  const wanted = search.replaceAll('\0', '\u{fffd}').toWellFormed().trim();
  const like = `%${wanted.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const found = sql`(name ilike ${like} or url ilike ${like} or array_to_string(keyword_ideas, ' ') ilike ${like})`;
  return recipes.list(trx, creatorId, { after, limit }, found);
}

/**
 * A new address reaches everything at once.
 *
 * @returns besides the recipe, connections whose messages wait for a broken link no longer
 * @throws AppError invalid_input, not_found, already_exists, changed_meanwhile
 */
export async function change(
  deps: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  input: RecipeInput & { version: number },
): Promise<{ recipe: Recipe; freed: string[] }> {
  await changeLinksAlone(trx, creatorId);
  const before = await recipes.change(deps, trx, creatorId, id, input);
  let freed: string[] = [];
  if (before.url !== input.url) {
    await moveLinks(trx, creatorId, id, input.url);
    freed = await watchLinks(deps, trx, creatorId, null);
  }
  return { recipe: await recipes.get(trx, creatorId, id), freed };
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
  return new Map((await recipes.hold(trx, creatorId, ids, gone)).map(({ id, url }) => [id, url]));
}

/** Take `changeLinksAlone` first. The address reaches every automation that points to the recipe, and the short links of messages already sent. */
export async function moveLinks(trx: CreatorTransaction, creatorId: string, id: string, url: string): Promise<void> {
  await sql`
    update automations a set buttons = (
      select jsonb_agg(
        case when button ->> 'recipeId' = ${id} then button || jsonb_build_object('url', ${url}::text) else button end
        order by place
      )
      from jsonb_array_elements(a.buttons) with ordinality as entry (button, place)
    )
    where a.creator_id = ${creatorId} and a.buttons @> ${JSON.stringify([{ recipeId: id }])}::jsonb
  `.execute(trx);
  await sql`update links set url = ${url} where creator_id = ${creatorId} and recipe_id = ${id}`.execute(trx);
}
