/** When two addresses are of one page, for telling recipes apart. */
import { type RawBuilder, sql } from 'kysely';

/** As a save names the page: of one with several recipes, the anchor says which. */
export function savedKey(address: string): string {
  const [page = '', anchor] = address.split('#');
  return anchor ? `${addressKey(page)}#${anchor}` : addressKey(page);
}

/** Rows of `saved_recipes`: of one recipe of a page, or of all when the key names none. */
export function savedOn(creatorId: string, key: string): RawBuilder<unknown> {
  const [page] = key.split('#');
  return sql`creator_id = ${creatorId} and md5(page_key) = md5(${page})
    and ${sql.ref(key.includes('#') ? 'address_key' : 'page_key')} = ${key}`;
}

/** `creator_id`, `recipe_id` and `url_key` of every address at which a recipe is: its page, and the public posts of the blog with its card. */
export const RECIPE_ADDRESSES: RawBuilder<unknown> = sql`(
  select creator_id, id as recipe_id, url_key from recipes where has_page
  union all
  select creator_id, recipe_id, url_key from blog_posts where recipe_id is not null and gone_at is null)`;

/**
 * The ids of a creator's recipes that are at one of these addresses, as an array: read once for a statement, whatever PostgreSQL takes the
 * number of recipes for.
 */
export function recipesAt(creatorId: string, keys: string[]): RawBuilder<string[]> {
  return sql`array(select a.recipe_id from ${RECIPE_ADDRESSES} as a
    where a.creator_id = ${creatorId} and md5(a.url_key) = any(array(select md5(key) from unnest(${keys}::text[]) as key)))`;
}

/** Added by those who share a link; they change nothing of the page. */
const TRACKING =
  /^(utm_\w+|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|igshid|igsh|mc_cid|mc_eid|ref_src|_ga|_gl)$/i;

/**
 * An address without what does not tell pages apart: http or https, "www.", a slash at the end, the place on the page,
 * the order of the questions, what counts visitors. Never throws; what is no address is its own key.
 */
export function addressKey(address: string): string {
  if (!URL.canParse(address)) return address.trim();
  const { hostname, port, pathname, searchParams } = new URL(address);
  const asked = [...searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort();
  const place = `${hostname.replace(/^www\./, '').replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`;
  const path = pathname.replace(/\/+$/, '');
  return `${place}${path}${asked.length === 0 ? '' : `?${asked.join('&')}`}`;
}
