/** Finds the pages of a blog that may have recipes: by our plugin, else by its recipe cards, else by its sitemaps. */
import { MOST_IMPORT_PAGES, MOST_IMPORTED_RECIPES, type RecipeImport } from '#contract/recipe-imports.ts';
import type { Database } from '#server/db/database.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { backgroundVisitor, type ReadingDeps } from '#server/features/recipes/reading/read-recipe.ts';
import { visit } from '#server/platforms/visiting.ts';
import { isOfSite, listsPosts, mayBePage, type Robots, readRobots, readSitemap } from './sitemaps.ts';

type Deps = ReadingDeps & { db: Database };
export type Found = { way: NonNullable<RecipeImport['way']>; urls: string[] };

const FILE = { timeoutMs: 20_000, maxBytes: 10 * 1024 * 1024, stepsAtMost: 4 };
const MOST_SITEMAPS = 100;
const CARDS_A_PAGE = 100;
const USUAL_SITEMAPS = ['/sitemap_index.xml', '/wp-sitemap.xml', '/sitemap.xml'];

/** @param site origin. @returns without any `urls`: none was found, or we are not let in */
export async function findPages(deps: Deps, creatorId: string, site: string): Promise<Found> {
  const told = await toldByPlugin(deps, creatorId, site);
  if (told.length > 0) return { way: 'plugin', urls: distinct(told) };
  const ofCards = await findCards(deps, site);
  if (ofCards.length > 0) return { way: 'wprm', urls: distinct(ofCards) };
  const robots = readRobots((await fetchText(deps, `${site}/robots.txt`, /text\/plain/i)) ?? '');
  const listed = await findListed(deps, site, robots);
  return { way: 'sitemap', urls: distinct(listed.filter((url) => robots.allows(new URL(url).pathname))) };
}

/** Posts with a recipe card. */
async function toldByPlugin({ db }: Deps, creatorId: string, site: string): Promise<string[]> {
  const rows = await db.withCreator(creatorId, (trx) =>
    trx
      .selectFrom('blog_posts')
      .select('url')
      .where('creator_id', '=', creatorId)
      .where('gone_at', 'is', null)
      .where('recipe', 'is not', null)
      .orderBy('wordpress_id')
      .limit(MOST_IMPORT_PAGES)
      .execute(),
  );
  return rows.map(({ url }) => url).filter((url) => isOfSite(url, site));
}

/** [C] WP Recipe Maker 9.4 tells of each recipe in which post it stands, and WordPress where the post is. */
async function findCards(deps: Deps, site: string): Promise<string[]> {
  const urls: string[] = [];
  for (let page = 1; page <= MOST_IMPORTED_RECIPES / CARDS_A_PAGE; page++) {
    const api = `${site}/wp-json/wp/v2`;
    const cards = await fetchList(deps, `${api}/wprm_recipe?per_page=${CARDS_A_PAGE}&page=${page}`);
    const posts = cards.flatMap(({ recipe }) => {
      const id = Number((recipe as { parent_post_id?: unknown } | undefined)?.parent_post_id);
      return Number.isSafeInteger(id) && id > 0 ? [id] : [];
    });
    if (posts.length > 0) {
      const query = `include=${[...new Set(posts)].join(',')}&per_page=${CARDS_A_PAGE}&_fields=link`;
      for (const { link } of await fetchList(deps, `${api}/posts?${query}`)) {
        if (typeof link === 'string' && mayBePage(link, site)) urls.push(link);
      }
    }
    if (cards.length < CARDS_A_PAGE) break;
  }
  return urls;
}

async function fetchList(deps: Deps, url: string): Promise<Record<string, unknown>[]> {
  try {
    const json: unknown = JSON.parse((await fetchText(deps, url, /json/i)) ?? '');
    return Array.isArray(json) ? json.filter((one) => typeof one === 'object' && one !== null) : [];
  } catch {
    return [];
  }
}

async function findListed(deps: Deps, site: string, robots: Robots): Promise<string[]> {
  const named = robots.sitemaps.filter((url) => isOfSite(url, site));
  const usual = USUAL_SITEMAPS.map((path) => `${site}${path}`);
  const seen = new Set<string>();
  const pages: string[] = [];
  for (const start of [...named, ...usual]) {
    // The usual places are for blogs that name none.
    if (pages.length > 0 && !named.includes(start)) break;
    const waiting = [start];
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      if (seen.has(url) || seen.size >= MOST_SITEMAPS || pages.length >= MOST_IMPORT_PAGES) continue;
      seen.add(url);
      const sitemap = readSitemap(
        (await fetchText(deps, url, /xml|text\/plain|gzip|octet-stream/i)) ?? '',
        MOST_IMPORT_PAGES,
      );
      pages.push(...sitemap.pages.filter((page) => mayBePage(page, site)).slice(0, MOST_IMPORT_PAGES - pages.length));
      waiting.push(...sitemap.sitemaps.filter((one) => isOfSite(one, site) && listsPosts(one)).slice(0, MOST_SITEMAPS));
    }
  }
  return pages;
}

/** Null: not there, or not to us. */
async function fetchText(deps: Deps, url: string, types: RegExp): Promise<string | null> {
  const sight = await visit({ ...FILE, types, ...backgroundVisitor(deps) }, url);
  return sight.kind === 'page' && sight.status === 200 ? sight.text : null;
}

function distinct(urls: string[]): string[] {
  return [...new Map(urls.map((url) => [addressKey(url), url])).values()];
}
