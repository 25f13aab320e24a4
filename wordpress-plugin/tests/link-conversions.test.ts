/** Links to Amazon in 400 old posts become short links while pages are drawn, and the old ones again: real WordPress, real Creator HQ. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAppLinks } from '#contract/app-links.ts';
import * as contract from '#contract/conversions.ts';
import { makeApiKey } from '#contract/settings.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { feature } from '#server/features/conversions/feature.ts';
import { createGuardedFetch, type GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type AmazonWeb, startAmazonWeb } from '#simulators/web/amazon/amazon.ts';
import { type Blog, connectTo, quoted, startBlog } from './blog.ts';

const POSTS = 400;
/** With one that has too many, one with a card, and the one that each WordPress begins with. */
const KNOWN = POSTS + 3;
/** Of all posts one; each tenth has one more, and a block that says an ampersand in its own way. */
const ADDRESSES = POSTS + POSTS / 10 + 1;

let app: TestApp;
let anna: Person;
let creatorId: string;
let blog: Blog;
let tooMany: number;
let amazon: AmazonWeb;
let fetching: GuardedFetch;

beforeAll(async () => {
  amazon = await startAmazonWeb();
  fetching = createGuardedFetch({ via: amazon.hosts });
  [app, blog] = await Promise.all([
    createTestApp({ deps: { fetching } }),
    startBlog({ isConnected: false, lane: '7.1' }),
  ]);
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  const hub = await app.app.listen({ port: 0, host: '127.0.0.1' });
  Object.assign(app.deps.config, { baseUrl: hub });
  await blog.wordpress.php(`
    wp_defer_term_counting(true);
    for ($i = 0; $i < ${POSTS}; $i++) {
      $asin = 'B0' . str_pad((string) $i, 8, '0', STR_PAD_LEFT);
      $text = '<!-- wp:paragraph --><p>My <a class="buy" href="https://www.amazon.com/Iron-Pan/dp/' . $asin . '?tag=anna-20&amp;th=1&amp;psc=1" rel="nofollow">pan</a> and <a href="https://example.com/a">more</a>.</p><!-- /wp:paragraph -->';
      if ($i % 10 === 0) $text .= '<!-- wp:button {"url":"https://amzn.to/3x' . $i . 'Y?a=1\\\\u0026b=2"} --><a href="https://amzn.to/3x' . $i . 'Y?a=1&amp;b=2">Get it</a><!-- /wp:button -->';
      wp_insert_post(array('post_title' => 'Old post ' . $i, 'post_name' => 'old-post-' . $i, 'post_content' => wp_slash($text), 'post_status' => 'publish'));
    }`);
  const links = Array.from(
    { length: 101 },
    (_, at) => `<a href="https://www.amazon.de/dp/B1${String(at).padStart(8, '0')}">x</a>`,
  );
  tooMany = await blog.post('Everything I own', links.join(' '));
  // A short address, in what a card of Create says; it leads to a product.
  await blog.creation(12, 'Oat bars', { products: [{ title: 'My pan', link: 'https://amzn.to/pan' }] });
  await blog.post('Oat bars', '[mv_create key="12" type="recipe" title="Oat bars"]');
  const { key } = (await anna.call(makeApiKey, { params: { creatorId } })).body;
  await blog.wordpress.php(connectTo(hub, key));
}, 240_000);
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await app.close();
  await fetching.close();
  await amazon.close();
});

const params = () => ({ params: { creatorId } });
const state = async () => (await anna.call(contract.getConversions, params())).body;
const items = async (search: string) =>
  (await anna.call(contract.listConversions, { ...params(), query: { search } })).body.items;
const page = async (path: string) => (await fetch(`${blog.wordpress.url}${path}`)).text();
const linksOn = async (path: string) =>
  [...(await page(path)).matchAll(/href="([^"]*(?:amazon|amzn|\/l\/)[^"]*)"/g)].map(([, href]) => href!);
/** Of all that is written in posts, and when. */
const hash = () =>
  blog.wordpress.php(
    `global $wpdb; echo md5(implode('|', $wpdb->get_col("SELECT CONCAT(ID, post_content, post_excerpt, post_modified_gmt) FROM $wpdb->posts WHERE post_type = 'post' ORDER BY ID")));`,
  );
/** Turns of a host are waited for by the clock. */
async function untilDone(work: Promise<unknown>): Promise<void> {
  let done = false;
  const ending = work.finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (app.clock.sleeping() > 0) await app.clock.advance(1000);
  }
  await ending;
}
/** The turn of cron that comes each quarter of an hour. */
const quarter = () => blog.wordpress.php(`do_action('creator_hq_forms');`);
const switchTo = (id: string | null, on: boolean) =>
  anna.call(contract.switchConversions, { ...params(), body: { id, on } });

test('old posts are read, shown as they would be, swapped while they are drawn, and shown as they were', {
  timeout: 240_000,
}, async () => {
  const before = await hash();
  for (let turns = 0; turns < 20 && (await state()).postsKnown < KNOWN; turns++) await blog.tellPosts();
  expect(await state()).toMatchObject({
    ...{
      postsKnown: KNOWN,
      postsWaiting: 0,
      found: ADDRESSES + 100,
      mappable: ADDRESSES + 100,
      made: 0,
      on: 0,
      isMaking: false,
    },
    problems: [{ title: 'Everything I own', why: 'too_many' }],
  });
  // Nothing is shown before it is asked for.
  const old = [
    'https://www.amazon.com/Iron-Pan/dp/B000000010?tag=anna-20&#038;th=1&#038;psc=1',
    'https://amzn.to/3x10Y?a=1&#038;b=2',
  ];
  expect(await linksOn('/old-post-10/')).toEqual(old.map((url) => url.replaceAll('&#038;', '&amp;')));
  expect(await items('B000000010')).toMatchObject([
    {
      address: 'https://www.amazon.com/Iron-Pan/dp/B000000010?tag=anna-20&th=1&psc=1',
      posts: 1,
      state: 'found',
      shortUrl: null,
      post: { title: 'Old post 10' },
    },
  ]);

  expect((await anna.call(contract.applyConversions, params())).status).toBe(200);
  expect(await state()).toMatchObject({ isMaking: true });
  // Twice at once makes nothing twice.
  const [job] = feature.jobs!;
  const run = () =>
    (job as { run(deps: JobDeps, payload: object): Promise<void> }).run(app.deps as JobDeps, { creatorId });
  await untilDone(Promise.all([run(), run()]));
  await app.db.engine.deleteFrom('jobs').where('creator_id', '=', creatorId).execute();
  expect(await state()).toMatchObject({ made: ADDRESSES + 100, on: ADDRESSES + 100, isMaking: false });
  expect((await anna.call(contract.applyConversions, params())).body).toMatchObject({ code: 'not_possible_now' });

  await quarter();
  const swapped = await linksOn('/old-post-10/');
  const [pan] = await items('B000000010');
  expect(swapped[0]).toBe(`${pan!.shortUrl}/blog`);
  expect(swapped).toHaveLength(2);
  expect(swapped[1]).toMatch(/\/l\/\w{8}\/blog$/);
  expect(await page('/old-post-10/')).toContain(`<a class="buy" href="${pan!.shortUrl}/blog" rel="nofollow">pan</a>`);
  // It leads where the post did, tag and all.
  const followed = await fetch(swapped[0]!, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' },
  });
  expect(followed.headers.get('location')).toContain('/dp/B000000010?tag=anna-20');
  const [short] = await linksOn('/oat-bars/');
  expect(short).toMatch(/\/l\/\w{8}\/blog$/);
  const code = new URL(short!).pathname.split('/')[2];
  const { items: made } = (await anna.call(listAppLinks, { ...params(), query: { search: code } })).body;
  expect(made).toMatchObject([
    {
      name: expect.stringMatching(/^Cast Iron Pan · /),
      address: expect.stringContaining('/dp/B08N5WRWNW?tag=annacooks-20'),
    },
  ]);
  expect(await hash()).toBe(before);

  // One of them is shown as it was, then all.
  await switchTo(pan!.id, false);
  await quarter();
  expect((await linksOn('/old-post-10/'))[0]).toContain('amazon.com');
  expect((await linksOn('/old-post-20/'))[0]).toMatch(/\/l\//);
  await switchTo(null, false);
  await quarter();
  for (const path of ['/old-post-10/', '/old-post-20/', '/old-post-399/']) {
    expect((await linksOn(path)).filter((url) => url.includes('/l/'))).toEqual([]);
  }
  await switchTo(null, true);
  await quarter();
  expect((await linksOn('/old-post-399/'))[0]).toMatch(/\/l\//);

  // The post that failed is read again once it is saved with fewer.
  await blog.wordpress.php(
    `wp_update_post(array('ID' => ${tooMany}, 'post_content' => ${quoted('<a href="https://www.amazon.de/dp/B100000000">x</a>')}));`,
  );
  await blog.tellPosts();
  expect(await state()).toMatchObject({ problems: [] });
  await blog.wordpress.php(
    `wp_update_post(array('ID' => ${tooMany}, 'post_content' => '', 'post_title' => 'Everything I own'));`,
  );
});

test('what an evil hub would have shown is not, and removing the plugin leaves every page as it was written', async () => {
  await blog.wordpress.php(
    `update_post_meta(get_page_by_path('old-post-5', OBJECT, 'post')->ID, '_creator_hq_links', array('https://www.amazon.com/Iron-Pan/dp/B000000005?tag=anna-20&th=1&psc=1' => 'javascript:alert(1)'));`,
  );
  expect(await page('/old-post-5/')).not.toContain('javascript:');
  await blog.wordpress.php(
    `define('WP_UNINSTALL_PLUGIN', 'creator-hq'); require WP_PLUGIN_DIR . '/creator-hq/uninstall.php';`,
  );
  const [url] = await linksOn('/old-post-399/');
  expect(url).toContain('amazon.com');
});
