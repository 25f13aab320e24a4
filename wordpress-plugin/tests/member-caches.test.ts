/**
 * Members and strangers behind the caches of hosts, in any order: no member meets a wall, no stranger a locked word.
 *
 *     VISITS=1000 npx vitest run --config vitest.wordpress.config.ts member-caches
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CacheKind, ensureNginx, NGINX_REMEDY, startCache } from '#server/testing/nginx.ts';
import { type Blog, showInline, startBlog } from './blog.ts';
import { memberToken, SECRET } from './fake-hub.ts';

const VISITS = Number(process.env.VISITS ?? 40);
const P = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;
/** Locked parts are written into pages only where the hub has seen that the cache heeds cookies: see `probe.test.ts`. */
const CACHES: [CacheKind, 'fetched' | 'inline'][] = [
  ['heeds_cookies', 'fetched'],
  ['ignores_cookies', 'fetched'],
  ['ignores_queries', 'fetched'],
  ['heeds_cookies', 'inline'],
];
const hasNginx = ensureNginx();
if (!hasNginx) console.log(`Members behind caches are not tried. ${NGINX_REMEDY}`);

let blog: Blog;
let cookie: string;
const posts: { id: number; path: string }[] = [];

beforeAll(async () => {
  blog = await startBlog();
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php('CreatorHq\\Connection::register();');
  for (const name of ['one', 'two', 'three']) {
    const card = await blog.recipe(`Card ${name}`);
    await blog.wordpress.php(
      `update_post_meta(${card}, 'wprm_ingredients', array(array('name' => '', 'ingredients' => array(array('amount' => '1', 'unit' => '', 'name' => 'zqingredient', 'notes' => '')))));`,
    );
    const gate = '<!-- wp:creator-hq/gate {"for":"members"} /-->';
    const id = await blog.post(`Cake ${name}`, `${P('Hello')}${gate}${P('zqbody')}[wprm-recipe id="${card}"]`);
    posts.push({ id, path: `/cake-${name}/` });
  }
  cookie = await blog.wordpress.php(`echo CreatorHq\\Gate\\MemberPass::name();`);
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

test.runIf(hasNginx).each(CACHES)('behind a cache that %s, %s', { timeout: 900_000 }, async (kind, way) => {
  await showInline(blog, way === 'inline');
  const cache = await startCache(kind, blog.wordpress.url);
  try {
    const member = `${cookie}=${memberToken()}|${SECRET}; chq_member=1`;
    const open = async (post: number, who: string) => {
      const response = await fetch(`${cache.url}/wp-json/creator-hq/v1/open`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: who },
        body: JSON.stringify({ post }),
      });
      return response.text();
    };
    const page = async (path: string, who: string, query: string) =>
      (await fetch(`${cache.url}${path}${query}`, { headers: { cookie: who } })).text();
    const order = fc.sample(
      fc.record({ at: fc.nat(posts.length - 1), query: fc.constantFrom('', '?utm_source=a', '?chq-pass=x') }),
      { numRuns: VISITS, seed: 7 },
    );
    const leaks: string[] = [];
    const walls: string[] = [];
    let hits = 0;
    for (const { at, query } of order) {
      const { id, path } = posts[at]!;
      // The member first: what is kept is what they saw.
      const read = await page(path, member, query);
      if (way === 'fetched' && read.includes('zq')) leaks.push(`the page of a member at ${path}`);
      if (way === 'inline' && !(read.includes('zqbody') && read.includes('zqingredient'))) walls.push(`inline ${path}`);
      const opened = await open(id, member);
      if (!opened.includes('zqbody') || !opened.includes('zqingredient')) walls.push(path);
      if ((await page(path, '', query)).includes('zq')) leaks.push(`the page of a stranger at ${path}`);
      if ((await open(id, '')).includes('zq')) leaks.push(`what a stranger is opened at ${path}`);
      const again = await fetch(`${cache.url}${path}${query}`);
      if (again.headers.get('x-cache') === 'HIT') hits += 1;
    }
    expect({ leaks, walls }).toEqual({ leaks: [], walls: [] });
    // The cache does its work.
    expect(hits).toBe(VISITS);
  } finally {
    await cache.close();
    await showInline(blog, false);
  }
});

test.runIf(hasNginx)('the way in leads through the worst of them', async () => {
  const cache = await startCache('ignores_queries', blog.wordpress.url);
  try {
    // Somebody was here before: whatever could be kept is kept.
    for (const path of ['/', '/creator-hq-entered/', posts[0]!.path]) await fetch(`${cache.url}${path}`);
    for (const grant of ['g', 'h'].map((letter) => letter.repeat(43))) {
      const left = await fetch(`${cache.url}/?creator-hq=enter`, {
        ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ to: posts[0]!.path }) },
      });
      const start = new URL(left.headers.get('location')!).searchParams.get('start')!;
      blog.hub.grants.set(grant, { token: memberToken(), secret: SECRET, to: posts[0]!.path, start });
      const back = await fetch(`${cache.url}/creator-hq-entered/${grant}/`, {
        ...{ redirect: 'manual', headers: { cookie: left.headers.getSetCookie()[0]!.split(';')[0]! } },
      });
      expect(back.status).toBe(303);
      expect(back.headers.getSetCookie().join()).toContain('chq1.');
    }
    const stranger = await fetch(`${cache.url}/creator-hq-entered/${'g'.repeat(43)}/`, { redirect: 'manual' });
    expect(stranger.headers.getSetCookie().join()).not.toContain('chq1.');
  } finally {
    await cache.close();
  }
});
