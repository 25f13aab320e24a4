/** Links to lists from elsewhere than messages: one of its own for each recipe and channel, so that taps are counted by where it stands. */
import { type Kysely, sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import { makeLinks } from '#server/features/links/making.ts';
import { addressKey, RECIPE_ADDRESSES } from '#server/features/recipes/address-key.ts';
import { listUrl } from '#server/features/recipes/ingredients.ts';
import { isOpen } from '#server/features/recipes/locks.ts';

/** Where a link stands. */
export type ListChannel = 'mail';
type Page = { creatorId: string; url: string };
type Found = { creatorId: string; recipeId: string; key: string; listCode: string; linkCode: string | null };
type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };

const LINK_PATH = '/l';

/** Addresses by page, of those whose recipes have a list. @param db that may read and write these creators' rows */
export async function findListLinks(
  deps: Deps,
  db: Kysely<Tables>,
  pages: Page[],
  channel: ListChannel,
): Promise<(page: Page) => string | null> {
  let found = await find(db, pages, channel);
  if (found.some(({ linkCode }) => linkCode === null)) {
    await make(deps, db, found, channel);
    found = await find(db, pages, channel);
  }
  return byPage(found, ({ linkCode }) => `${deps.config.baseUrl}${LINK_PATH}/${linkCode}`);
}

/** Addresses of the lists themselves, for what is only looked at. */
export async function findLists(
  { config }: Pick<Deps, 'config'>,
  db: Kysely<Tables>,
  pages: Page[],
): Promise<(page: Page) => string | null> {
  return byPage(await find(db, pages, 'mail'), ({ listCode }) => listUrl(config, listCode));
}

function byPage(found: Found[], urlOf: (one: Found) => string): (page: Page) => string | null {
  const urls = new Map(found.map((one) => [`${one.creatorId} ${one.key}`, urlOf(one)]));
  return ({ creatorId, url }) => urls.get(`${creatorId} ${addressKey(url)}`) ?? null;
}

async function find(db: Kysely<Tables>, pages: Page[], channel: ListChannel): Promise<Found[]> {
  if (pages.length === 0) return [];
  const asked = new Map(
    pages.map(({ creatorId, url }) => [`${creatorId} ${url}`, { creator_id: creatorId, key: addressKey(url) }]),
  );
  const { rows } = await sql<Found>`
    select distinct r.creator_id as "creatorId", r.id as "recipeId", a.url_key as key, i.list_code as "listCode",
      l.code as "linkCode"
    from jsonb_to_recordset(${JSON.stringify([...asked.values()])}::jsonb) as g(creator_id uuid, key text)
    join ${RECIPE_ADDRESSES} as a on a.creator_id = g.creator_id and md5(a.url_key) = md5(g.key)
    join recipes r on r.creator_id = a.creator_id and r.id = a.recipe_id
    join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id and i.line_count > 0
    left join links l on l.creator_id = r.creator_id and l.recipe_id = r.id and l.part = ${partOf(channel)}
      and l.automation_id is null and l.part_of is null
    where ${isOpen('r')}
  `.execute(db);
  return rows;
}

function make(deps: Deps, db: Kysely<Tables>, found: Found[], channel: ListChannel): Promise<void> {
  const missing = found.filter(({ linkCode }) => linkCode === null);
  const part = partOf(channel);
  return makeLinks(
    deps,
    db,
    missing.map(({ creatorId, recipeId, listCode }) => ({
      ...{ creatorId, recipeId, part, url: listUrl(deps.config, listCode) },
    })),
  );
}

function partOf(channel: ListChannel): string {
  return `list ${channel}`;
}
