/**
 * The posts of a creator's blog. Their plugin tells of each that is public when it is first connected, changes, moves or goes;
 * posts with a recipe card are given to the creator's recipes (server/features/recipes/from-blog.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { BodyOf } from '#contract/endpoint.ts';
import { BLOG_POSTS_AT_MOST, type BlogRecipe, type syncBlogPosts, type syncGoneBlogPosts } from '#contract/plugin.ts';
import { WebLink } from '#contract/shapes.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import type { BlogPostsTable } from '#server/db/types.ts';
import { renameCategoryTags } from '#server/features/contacts/tags.ts';
import { changeLinksAlone } from '#server/features/link-guard/watched-links.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { readingOf } from '#server/features/recipes/blog-ingredients.ts';
import { type CardPost, giveToRecipes, leavePosts } from '#server/features/recipes/from-blog.ts';
import { isOpen } from '#server/features/recipes/locks.ts';
import { moveSaves } from '#server/features/recipes/move-saves.ts';
import { applyReading, LIST_CHANGED } from '#server/features/recipes/syncing.ts';
import { retirePages } from '#server/features/shops/shop-pages.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Of = { creatorId: string; siteId: string };
type Post = BodyOf<typeof syncBlogPosts>['posts'][number];
type Row = Selectable<BlogPostsTable>;

/** @returns what follows of it for automations: whether any moved, and connections whose messages wait no longer */
export async function takePosts(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, siteId }: Of,
  posts: Post[],
): Promise<{ moved: boolean; freed: string[] }> {
  if (posts.length === 0) return { moved: false, freed: [] };
  const now = deps.clock.now();
  await changeLinksAlone(trx, creatorId);
  const known = await findKnown(trx, { creatorId, siteId }, posts);
  const taken = (await withinRoom(trx, creatorId, posts, known)).filter((post) => !isOlder(post, known.get(post.id)));
  await renameCategoryTags(trx, creatorId, findRenamed(taken, known));
  const given = await giveToRecipes(
    deps,
    trx,
    { creatorId, siteId },
    taken.map((post) => asCard(post, known.get(post.id))),
  );
  await moveSaves(trx, creatorId, findMoved(taken, known));
  for (const post of taken) {
    const recipeId = given.recipes.get(post.id);
    await giveIngredients(deps, trx, creatorId, post, recipeId, known.get(post.id));
    if (recipeId === undefined || isDeepStrictEqual(post.lock ?? null, known.get(post.id)?.lock ?? null)) continue;
    await retirePages(trx, creatorId, recipeId);
    await later(trx, deps, LIST_CHANGED, { creatorId, recipeId });
  }
  const rows = taken.map((post) => {
    const recipe_id = given.recipes.get(post.id) ?? null;
    return {
      ...{
        creator_id: creatorId,
        site_id: siteId,
        wordpress_id: post.id,
        url: post.url,
        url_key: addressKey(post.url),
      },
      ...{
        title: post.title,
        picture_url: post.pictureUrl,
        published_at: post.publishedAt,
        changed_at: post.changedAt,
      },
      ...{ categories: post.categories, recipe: post.recipe, synced_at: now, recipe_id },
      has_given: recipe_id !== null || known.get(post.id)?.has_given === true,
      // A plugin from before says nothing of them.
      amazon_links: post.amazonLinks ?? [],
      links_problem: post.linksProblem ?? null,
      lock: post.lock ?? null,
    };
  });
  await sql`
    insert into blog_posts (creator_id, site_id, wordpress_id, url, url_key, title, picture_url, categories, recipe, published_at,
      changed_at, synced_at, gone_at, has_given, recipe_id, amazon_links, links_problem, lock)
    select creator_id, site_id, wordpress_id, url, url_key, title, picture_url, categories, recipe, published_at,
      changed_at, synced_at, null, has_given, recipe_id, amazon_links, links_problem, lock
    from jsonb_populate_recordset(null::blog_posts, ${JSON.stringify(rows)}::jsonb)
    on conflict (creator_id, site_id, wordpress_id) do update set url = excluded.url, url_key = excluded.url_key,
      title = excluded.title, picture_url = excluded.picture_url, categories = excluded.categories, recipe = excluded.recipe,
      published_at = excluded.published_at, changed_at = excluded.changed_at, synced_at = excluded.synced_at, gone_at = null,
      has_given = excluded.has_given, recipe_id = excluded.recipe_id, amazon_links = excluded.amazon_links,
      links_problem = excluded.links_problem, lock = excluded.lock
  `.execute(trx);
  return given;
}

/** What came late on its way: something newer is known. */
function isOlder({ changedAt }: Post, before: Row | undefined): boolean {
  return before !== undefined && before.gone_at === null && new Date(changedAt) < before.changed_at;
}

/** What the card said before is not read again: what the creator made of it stays. */
async function giveIngredients(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { recipe, language }: Post,
  recipeId: string | undefined,
  before: Row | undefined,
): Promise<void> {
  if (recipe === null || recipeId === undefined) return;
  const reading = readingOf(recipe, language);
  const told = before?.recipe_id === recipeId ? (before.recipe as BlogRecipe | null) : null;
  const last = told && readingOf(told, language);
  if (reading === null || isDeepStrictEqual(reading, last)) return;
  await applyReading(deps, trx, creatorId, recipeId, reading, 'plugin');
}

/** Names of the categories that the blog's post at this address has. */
export async function findCategories(trx: CreatorTransaction, creatorId: string, url: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct category ->> 'name' as name
    from blog_posts, jsonb_array_elements(categories) as category
    where creator_id = ${creatorId} and md5(url_key) = md5(${addressKey(url)}) and gone_at is null
  `.execute(trx);
  return rows.map(({ name }) => name);
}

/** @returns public posts whose recipes have a list, in the order of their ids */
export async function findShopButtons(
  trx: CreatorTransaction,
  { creatorId, siteId }: Of,
): Promise<{ post: number; code: string }[]> {
  const { rows } = await sql<{ post: string; code: string }>`
    select p.wordpress_id as post, i.list_code as code
    from blog_posts p
    join recipe_ingredients i on i.creator_id = p.creator_id and i.recipe_id = p.recipe_id and i.line_count > 0
    join recipes r on r.creator_id = p.creator_id and r.id = p.recipe_id
    where p.creator_id = ${creatorId} and p.site_id = ${siteId} and p.gone_at is null and ${isOpen('r')}
    order by p.wordpress_id
  `.execute(trx);
  return rows.map(({ post, code }) => ({ post: Number(post), code }));
}

function findMoved(posts: Post[], known: Map<number, Row>): { id: number; from: string; to: string }[] {
  return posts.flatMap(({ id, url }) => {
    const before = known.get(id);
    return before === undefined || before.url_key === addressKey(url) ? [] : [{ id, from: before.url, to: url }];
  });
}

function findRenamed(posts: Post[], known: Map<number, Row>): { from: string; to: string }[] {
  const renamed = new Map<number, { from: string; to: string }>();
  for (const { id, categories } of posts) {
    const before = (known.get(id)?.categories ?? []) as Post['categories'];
    for (const { id: category, name: to } of categories) {
      const from = before.find((one) => one.id === category)?.name;
      if (from !== undefined && from !== to) renamed.set(category, { from, to });
    }
  }
  return [...renamed.values()];
}

/**
 * They stay known. Their recipes go on at another post of theirs, or are marked and lead where they led.
 *
 * @returns as `takePosts`
 */
export async function takeGone(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, siteId }: Of,
  ids: BodyOf<typeof syncGoneBlogPosts>['ids'],
): Promise<{ moved: boolean; freed: string[] }> {
  await changeLinksAlone(trx, creatorId);
  const { rows } = await sql<{ recipe_id: string | null; url_key: string }>`
    update blog_posts set gone_at = ${deps.clock.now()}
    where creator_id = ${creatorId} and site_id = ${siteId} and wordpress_id = any(${ids}::bigint[]) and gone_at is null
    returning recipe_id, url_key
  `.execute(trx);
  const left = rows.flatMap(({ recipe_id: id, url_key: from }) => (id === null ? [] : [{ id, from }]));
  return leavePosts(deps, trx, creatorId, left);
}

/** The blog moved: its posts are the same ones at another place, and so are their recipes once they are told again. */
export async function movePosts(trx: CreatorTransaction, creatorId: string, move: { from: string; to: string }) {
  await sql`delete from blog_posts where creator_id = ${creatorId} and site_id = ${move.to}`.execute(trx);
  await sql`
    update blog_posts set site_id = ${move.to} where creator_id = ${creatorId} and site_id = ${move.from}
  `.execute(trx);
}

async function findKnown(trx: CreatorTransaction, { creatorId, siteId }: Of, posts: Post[]): Promise<Map<number, Row>> {
  const rows = await trx
    .selectFrom('blog_posts')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('site_id', '=', siteId)
    .where(
      'wordpress_id',
      'in',
      posts.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map((row) => [Number(row.wordpress_id), row]));
}

/** A blog that was taken over fills no disk. */
async function withinRoom(trx: CreatorTransaction, creatorId: string, posts: Post[], known: Map<number, Row>) {
  const distinct = [
    ...new Map(posts.map((post) => [post.id, { ...post, pictureUrl: webLink(post.pictureUrl) }])).values(),
  ];
  if (distinct.every(({ id }) => known.has(id))) return distinct;
  const { rows } = await sql<{ count: string }>`
    select count(*) from blog_posts where creator_id = ${creatorId}
  `.execute(trx);
  let room = BLOG_POSTS_AT_MOST - Number(rows[0]!.count);
  return distinct.filter(({ id }) => known.has(id) || room-- > 0);
}

/** WordPress may be set up to say `//host/picture.jpg`, or nothing that is an address. */
function webLink(address: string | null): string | null {
  const { success, data } = z.safeParse(WebLink, address);
  return success ? data : null;
}

function asCard(post: Post, before: Row | undefined): CardPost {
  const told = before === undefined ? null : (before.recipe as { name: string } | null);
  return {
    id: post.id,
    now: { name: post.recipe?.name ?? told?.name ?? post.title, url: post.url, pictureUrl: post.pictureUrl },
    card: post.recipe?.anchor ?? null,
    hasCard: post.recipe !== null,
    before:
      before === undefined
        ? null
        : {
            name: told?.name ?? before.title,
            url: before.url,
            pictureUrl: before.picture_url,
          },
    recipeId: before?.recipe_id ?? null,
    hasGiven: before?.has_given ?? false,
  };
}
