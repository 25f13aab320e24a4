/** What only some readers may read on the blog: strangers see of it through us what they see there. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BlogLock } from '#contract/recipes.ts';
import type { Tables } from '#server/db/types.ts';
import { addressKey } from './address-key.ts';

/**
 * The lock of what `theirs` finds among the blog's posts `p`; null: everybody reads it. Of several public posts the strictest holds;
 * posts that are gone count where none is public.
 */
function strictest(theirs: RawBuilder<unknown>): RawBuilder<BlogLock | null> {
  return sql`(select p.lock from blog_posts p where ${theirs}
    order by p.gone_at is not null, p.lock is null, p.lock ->> 'of', p.lock ->> 'for' limit 1)`;
}

/** Of a row of `recipes`, by the name it has in the statement. */
export function lockOf(recipe: string): RawBuilder<BlogLock | null> {
  const [creatorId, id, key] = ['creator_id', 'id', 'url_key'].map((column) => sql.ref(`${recipe}.${column}`));
  return strictest(sql`p.creator_id = ${creatorId} and (p.recipe_id = ${id} or md5(p.url_key) = md5(${key}))`);
}

/** Whether strangers may read ingredients and steps of a row of `recipes`. */
export function isOpen(recipe: string): RawBuilder<boolean> {
  return sql`coalesce(${lockOf(recipe)} ->> 'of', '') <> 'recipe'`;
}

type Page = { creatorId: string; url: string; recipeId?: string };

/** By page, and recipe if it is known, for whom it is; null: everybody. @param db that may read these creators' rows */
export async function findLocks(db: Kysely<Tables>, pages: Page[]): Promise<(page: Page) => string | null> {
  const nameOf = ({ creatorId, url, recipeId }: Page) => `${creatorId} ${recipeId} ${addressKey(url)}`;
  const asked = pages.map((page) => ({
    ...{ name: nameOf(page), creator_id: page.creatorId, key: addressKey(page.url), recipe_id: page.recipeId },
  }));
  if (asked.length === 0) return () => null;
  const theirs = sql`p.creator_id = g.creator_id and (p.recipe_id = g.recipe_id or md5(p.url_key) = md5(g.key))`;
  const { rows } = await sql<{ name: string; lock: BlogLock | null }>`
    select g.name, ${strictest(theirs)} as lock
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(name text, creator_id uuid, key text, recipe_id uuid)
  `.execute(db);
  const locks = new Map(rows.map(({ name, lock }) => [name, lock?.of === 'recipe' ? lock.for : null]));
  return (page) => locks.get(nameOf(page)) ?? null;
}

type Words = { onlyForMembers: string; onlyForSubscribers: string };

export function onlyFor(lockedFor: string, words: Words): string {
  return lockedFor === 'subscribers' ? words.onlyForSubscribers : words.onlyForMembers;
}
