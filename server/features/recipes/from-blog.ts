/**
 * Recipes from the cards of the creator's blog. A recipe follows its post (name, address, picture) as long as the creator did not
 * change that part of it: what they changed differs from what the blog told last.
 */

import { type Selectable, sql } from 'kysely';
import { QUOTAS } from '#contract/quotas.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RecipesTable } from '#server/db/types.ts';
import { watchLinks } from '#server/features/link-guard/watched-links.ts';
import { moveLinks } from '#server/features/links/moving.ts';
import { addressKey } from './address-key.ts';

type Facts = { name: string; url: string; pictureUrl: string | null };
export type CardPost = {
  id: number;
  now: Facts;
  /** The id of the recipe card in its page, which tells the plugin's recipes apart; null: it has none. */
  card: string | null;
  hasCard: boolean;
  /** What was told last; null: nothing yet. */
  before: Facts | null;
  recipeId: string | null;
  /** Became a recipe once: without `recipeId` the creator deleted it. */
  hasGiven: boolean;
};
type Row = Selectable<RecipesTable>;
type Of = { creatorId: string; siteId: string };

/** As a recipe may have them: contract/recipes.ts. */
const MOST_OF_NAME = 120;

/**
 * Take `changeLinksAlone` first.
 *
 * @returns each post's recipe by the post's id, whether addresses in automations changed, and connections whose messages wait no
 *   longer
 */
export async function giveToRecipes(
  deps: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  { creatorId, siteId }: Of,
  posts: CardPost[],
): Promise<{ recipes: Map<number, string>; moved: boolean; freed: string[] }> {
  const now = deps.clock.now();
  const rows = await findRows(trx, creatorId, posts);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = new Map(rows.map((row) => [row.url_key, row]));
  const byCard = await findByCard(trx, { creatorId, siteId }, posts);
  const recipes = new Map<number, string>();
  const fresh = new Map<string, { id: string; facts: Facts }>();
  let moved = false;
  let room = QUOTAS.recipes.most - (await count(trx, creatorId));
  for (const { id, now: facts, before, card, hasCard, recipeId, hasGiven } of posts) {
    const known = recipeId === null ? undefined : byId.get(recipeId);
    if (known !== undefined) {
      recipes.set(id, known.id);
      const merged = merge(known, before, facts, byKey);
      if (merged.url !== known.url) {
        moved = true;
        await moveLinks(trx, creatorId, { recipeId: known.id }, merged.url);
      }
      if (merged !== known || known.post_gone_at !== null) await update(trx, creatorId, known.id, merged, now);
      byKey.set(addressKey(merged.url), known);
    } else if (hasCard && !hasGiven) {
      const key = addressKey(facts.url);
      const same = byKey.get(key)?.id ?? fresh.get(key)?.id ?? byCard.get(card);
      if (same !== undefined) recipes.set(id, same);
      else if (room-- > 0) {
        const recipe = { id: deps.ids.uuid(now), facts };
        fresh.set(key, recipe);
        recipes.set(id, recipe.id);
      }
      if (card !== null && recipes.has(id)) byCard.set(card, recipes.get(id)!);
    }
  }
  // Of two who add the same address at once the second waits for the first.
  const made = await insert(trx, creatorId, [...fresh.values()], now);
  for (const { id } of fresh.values())
    if (!made.has(id)) for (const [post, recipe] of recipes) if (recipe === id) recipes.delete(post);
  return { recipes, moved, freed: moved ? await watchLinks(deps, trx, creatorId, null) : [] };
}

/**
 * Take `changeLinksAlone` first. A recipe whose post is gone goes on at another public one with its card; where there is none it is
 * marked.
 *
 * @param left recipes, and the address of the post that is gone
 */
export async function leavePosts(
  deps: { clock: Clock; ids: Ids },
  trx: CreatorTransaction,
  creatorId: string,
  left: { id: string; from: string }[],
): Promise<{ moved: boolean; freed: string[] }> {
  const now = deps.clock.now();
  const { rows } = await sql<Row & { elsewhere: string | null }>`
    select r.*, (
      select url from blog_posts p where p.creator_id = r.creator_id and p.recipe_id = r.id and p.gone_at is null
      order by wordpress_id limit 1
    ) as elsewhere
    from recipes r where r.creator_id = ${creatorId} and r.id = any(${left.map(({ id }) => id)}::uuid[])
    order by r.id for update of r
  `.execute(trx);
  let moved = false;
  for (const { elsewhere, ...row } of rows) {
    if (elsewhere === null) {
      await trx
        .updateTable('recipes')
        .set({ post_gone_at: now })
        .where('creator_id', '=', creatorId)
        .where('id', '=', row.id)
        .execute();
    } else if (left.some(({ id, from }) => id === row.id && from === row.url_key)) {
      moved = true;
      await moveLinks(trx, creatorId, { recipeId: row.id }, elsewhere);
      await update(trx, creatorId, row.id, { ...row, url: elsewhere }, now);
    }
  }
  return { moved, freed: moved ? await watchLinks(deps, trx, creatorId, null) : [] };
}

type Merged = Pick<Row, 'name' | 'url' | 'picture_url'>;

/** @returns the row itself where nothing changes */
function merge(row: Row, before: Facts | null, now: Facts, byKey: Map<string, Row>): Merged {
  if (before === null) return row;
  const taken = byKey.get(addressKey(now.url));
  const merged = {
    name: row.name === nameOf(before) ? nameOf(now) : row.name,
    // Not onto another recipe's address.
    url: row.url_key === addressKey(before.url) && (taken === undefined || taken.id === row.id) ? now.url : row.url,
    picture_url: row.picture_url === before.pictureUrl ? now.pictureUrl : row.picture_url,
  };
  const isSame = merged.name === row.name && merged.url === row.url && merged.picture_url === row.picture_url;
  return isSame ? row : merged;
}

function nameOf({ name }: Facts): string {
  const cut = name.trim().slice(0, MOST_OF_NAME).toWellFormed().trim();
  return cut === '' ? 'Recipe' : cut;
}

async function findRows(trx: CreatorTransaction, creatorId: string, posts: CardPost[]): Promise<Row[]> {
  const ids = posts.flatMap(({ recipeId }) => recipeId ?? []);
  const keys = posts.map(({ now }) => addressKey(now.url));
  const { rows } = await sql<Row>`
    select * from recipes
    where creator_id = ${creatorId}
      and (id = any(${ids}::uuid[]) or md5(url_key) = any(array(select md5(key) from unnest(${keys}::text[]) as key)))
    order by id
    for update
  `.execute(trx);
  return rows;
}

/** Of other posts of the blog with the same card, the recipe that it is. */
async function findByCard(
  trx: CreatorTransaction,
  { creatorId, siteId }: Of,
  posts: CardPost[],
): Promise<Map<string | null, string>> {
  const cards = posts.flatMap(({ card, recipeId }) => (recipeId === null ? (card ?? []) : []));
  if (cards.length === 0) return new Map();
  const { rows } = await sql<{ card: string; recipe_id: string }>`
    select recipe ->> 'anchor' as card, recipe_id from blog_posts
    where creator_id = ${creatorId} and site_id = ${siteId} and recipe ->> 'anchor' = any(${cards}::text[]) and recipe_id is not null
    order by wordpress_id desc
  `.execute(trx);
  return new Map(rows.map(({ card, recipe_id }) => [card, recipe_id]));
}

async function count(trx: CreatorTransaction, creatorId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from recipes where creator_id = ${creatorId}
  `.execute(trx);
  return Number(rows[0]!.count);
}

async function update(trx: CreatorTransaction, creatorId: string, id: string, merged: Merged, at: Date): Promise<void> {
  const { name, url, picture_url } = merged;
  await trx
    .updateTable('recipes')
    .set({
      name,
      url,
      url_key: addressKey(url),
      picture_url,
      post_gone_at: null,
      version: sql`version + 1`,
      updated_at: at,
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

async function insert(
  trx: CreatorTransaction,
  creatorId: string,
  fresh: { id: string; facts: Facts }[],
  at: Date,
): Promise<Set<string>> {
  if (fresh.length === 0) return new Set();
  const rows = await trx
    .insertInto('recipes')
    .values(
      fresh.map(({ id, facts }) => ({
        ...{ creator_id: creatorId, id, name: nameOf(facts), url: facts.url, url_key: addressKey(facts.url) },
        ...{ picture_url: facts.pictureUrl, created_at: at, updated_at: at },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
