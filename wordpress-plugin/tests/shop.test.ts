/// <reference lib="dom" />
/** The button to a recipe's shopping list, in the newest WordPress and in the oldest that we promise. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import type { Lane } from '#server/testing/wordpress.ts';
import { type Blog, logIn, startBlog } from './blog.ts';

const AT = 'https://hq.example/s/';
/** Page caches that note what they are asked to empty. */
const CACHES = `<?php
function purged( $what ) { update_option( 'purged', array_merge( get_option( 'purged', array() ), array( $what ) ) ); }
function rocket_clean_domain() { purged( 'rocket: all' ); }
function rocket_clean_post( $id ) { purged( "rocket: $id" ); }
final class Breeze_PurgeCache { public static function breeze_cache_flush() { purged( 'breeze: all' ); } }
add_action( 'litespeed_purge_post', function ( $id ) { purged( "litespeed: $id" ); } );`;

describe.each<Lane>(['7.1', '6.2'])('in WordPress %s', (lane) => {
  let blog: Blog;
  /** By the name of its page. */
  const posts: Record<'wprm' | 'tasty' | 'create' | 'round-up' | 'by-hand' | 'story', number> = {} as never;

  beforeAll(async () => {
    blog = await startBlog({ lane });
    await writeFile(path.join(blog.wordpress.folder, 'wp-content/mu-plugins/caches.php'), CACHES);
    const [first, second] = [await blog.recipe('Lemon cake'), await blog.recipe('Plum pie')];
    const waffles = await blog.tastyRecipe('Waffles');
    await blog.creation(12, 'Oat bars');
    posts.wprm = await blog.post('Wprm', `Hello [wprm-recipe id="${first}"]`);
    posts.tasty = await blog.post('Tasty', `<!-- wp:wp-tasty/tasty-recipe {"id":${waffles}} /-->`);
    posts.create = await blog.post('Create', '[mv_create key="12" type="recipe" title="Oat bars"]');
    posts['round-up'] = await blog.post('Round-up', `[wprm-recipe id="${second}"] [wprm-recipe id="${first}"]`);
    posts['by-hand'] = await blog.post('By hand', '<!-- wp:creator-hq/shop /--> and [creator_hq_shop]');
    posts.story = await blog.post('Story', 'Only words. [creator_hq_shop]');
  });
  afterAll(async () => {
    expect(await blog.wordpress.complaints()).toEqual([]);
    await blog.close();
  });
  beforeEach(async () => {
    blog.hub.listsAt = AT;
    await say(Object.entries(posts).map(([name, post]) => ({ post, code: codeOf(name) })));
    await shows(true);
  });

  const codeOf = (name: string) => name.replaceAll('-', '').padEnd(8, '0');
  const say = async (buttons: { post: unknown; code: unknown }[]) => {
    blog.hub.buttons = buttons;
    await blog.wordpress.php(`do_action('creator_hq_forms');`);
  };
  const shows = (isOn: boolean) =>
    blog.wordpress.php(`update_option('creator_hq_places', array('place' => 'none', 'shop' => ${isOn}));`);
  const read = async (page: string) => (await fetch(`${blog.wordpress.url}${page}`)).text();
  const buttonsOn = async (page: string) =>
    [...(await read(page)).matchAll(/<p class="creator-hq-shop"><a href="([^"]*)"[^>]*>([^<]*)<\/a><\/p>/g)].map(
      ([, url, words]) => [url, words],
    );
  const kept = async () =>
    JSON.parse(
      await blog.wordpress.php(
        `global $wpdb; echo json_encode($wpdb->get_results("SELECT post_id, meta_value FROM $wpdb->postmeta WHERE meta_key = '_creator_hq_list' ORDER BY post_id", ARRAY_N));`,
      ),
    );
  const button = (name: keyof typeof posts) => [`${AT}${codeOf(name)}`, 'Shop ingredients'];

  test.each([
    ['wprm', '<div id="wprm-recipe-container-', '</div>'],
    ['tasty', '<div id="tasty-recipes-', '</div>'],
    ['create', '<section id="mv-creation-12"', '</section>'],
  ] as const)('it stands under a card of %s, from what the post keeps', async (name, opens, closes) => {
    const before = await read(`/${name}/`);
    const [, card] = before.split(opens);
    expect(card!.indexOf('creator-hq-shop')).toBeGreaterThan(card!.indexOf(closes));
    expect(await buttonsOn(`/${name}/`)).toEqual([button(name)]);
    await blog.wordpress.requests();
    await read(`/${name}/`);
    const [drawn] = await blog.wordpress.requests();
    expect(drawn!.calls).toEqual([]);
    await shows(false);
    expect(await buttonsOn(`/${name}/`)).toEqual([]);
    await blog.wordpress.requests();
    await read(`/${name}/`);
    expect(drawn!.queries).toBeLessThanOrEqual((await blog.wordpress.requests())[0]!.queries);
  });

  test('of a round-up only the post’s own card has it, and a list of posts has none', async () => {
    const html = await read('/round-up/');
    expect(await buttonsOn('/round-up/')).toEqual([button('round-up')]);
    expect(html.indexOf('creator-hq-shop')).toBeLessThan(html.lastIndexOf('class="wprm-recipe-container"'));
    expect(await buttonsOn('/')).not.toContainEqual(button('wprm'));
  });

  test('block and shortcode print it wherever they stand; without a list only who writes the post is told', async () => {
    await shows(false);
    expect(await buttonsOn('/by-hand/')).toEqual([button('by-hand'), button('by-hand')]);
    await say([]);
    expect(await read('/by-hand/')).not.toMatch(/creator-hq-shop|no shopping list yet/);
    const cookie = await logIn(blog, 'administrator');
    const told = await (await fetch(`${blog.wordpress.url}/by-hand/`, { headers: { cookie } })).text();
    expect(told.match(/this recipe has no shopping list yet/g)).toHaveLength(2);
  });

  test('not in feeds, in REST, behind a password, and for a card that is locked', async () => {
    const secret = await blog.post('Secret', '[creator_hq_shop]', `'post_password' => 'x'`);
    const recipe = await blog.recipe('Locked cake');
    const locked = await blog.post(
      'Locked',
      `[creator_hq_gate locks="card"][wprm-recipe id="${recipe}"][creator_hq_shop]`,
    );
    await say([...blog.hub.buttons!, { post: secret, code: 'secret00' }, { post: locked, code: 'locked00' }]);
    expect((await kept()).length).toBe(Object.keys(posts).length + 2);
    for (const page of ['/feed/', '/wp-json/wp/v2/posts', '/secret/', '/locked/']) {
      expect((await read(page)).match(/secret00|locked00/g), page).toBeNull();
    }
    expect(await read('/feed/')).not.toContain(AT);
  });

  test('what Creator HQ says anew is written where it differs, and only those pages leave the caches', async () => {
    const purged = async () => JSON.parse(await blog.wordpress.php(`echo json_encode(get_option('purged', array()));`));
    const forget = () => blog.wordpress.php(`delete_option('purged');`);
    await forget();
    await blog.wordpress.php(`do_action('creator_hq_forms');`);
    expect(await purged()).toEqual([]);
    const { wprm, tasty } = posts;
    const others = blog.hub.buttons!.filter(({ post }) => post !== tasty && post !== wprm);
    await say([...others, { post: wprm, code: 'another1' }]);
    expect(await buttonsOn('/wprm/')).toEqual([[`${AT}another1`, 'Shop ingredients']]);
    expect(await buttonsOn('/tasty/')).toEqual([]);
    const expected = [...[wprm, tasty].flatMap((id) => [`rocket: ${id}`, `litespeed: ${id}`]), 'breeze: all'];
    expect((await purged()).sort()).toEqual(expected.sort());

    await forget();
    const many = await blog.wordpress.php(
      `for ($i = 0; $i < 51; $i++) { $ids[] = wp_insert_post(array('post_title' => "Many $i", 'post_status' => 'publish')); } CreatorHq\\State::set(array('purged_at' => 0)); echo json_encode($ids);`,
    );
    await say([...others, ...JSON.parse(many).map((post: number) => ({ post, code: 'many0000' }))]);
    expect((await purged()).sort()).toEqual(['breeze: all', 'rocket: all']);
  });

  test('null is what it said before; a hub elsewhere, or none, takes its lists along', async () => {
    const before = await kept();
    blog.hub.buttons = null;
    await blog.wordpress.php(`do_action('creator_hq_forms');`);
    expect(await kept()).toEqual(before);
    blog.hub.listsAt = 'https://lists.example/s/';
    await say([{ post: posts.wprm, code: 'abcd1234' }]);
    expect(await kept()).toEqual([[String(posts.wprm), 'https://lists.example/s/abcd1234']]);
    await blog.wordpress.php(
      `$kept = get_option('creator_hq_connection'); update_option('creator_hq_connection', array(), false); update_option('test_kept', $kept);`,
    );
    expect(await kept()).toEqual([]);
    await blog.wordpress.php(`update_option('creator_hq_connection', get_option('test_kept'), false);`);
  });

  test.each<[string, object]>([
    ['addresses that are none of the web', { listsAt: 'javascript:alert(1)//' }],
    ['an address without TLS', { listsAt: 'http://hq.example/s/' }],
    ['posts that are not there', { buttons: [{ post: 99_999_999, code: 'abcd1234' }] }],
    ['codes with more in them', { buttons: [{ post: 1, code: '"><script>alert(1)</script>' }] }],
    ['codes as lists', { buttons: [{ post: 1, code: ['abcd1234'] }] }],
    ['words in place of buttons', { buttons: 'no' }],
  ])('nothing of it is kept when the answer has %s', async (_what, answer) => {
    await say([]);
    expect(await kept()).toEqual([]);
    Object.assign(blog.hub, { buttons: [{ post: posts.wprm, code: 'abcd1234' }], ...answer });
    await blog.wordpress.php(`do_action('creator_hq_forms');`);
    expect(await kept()).toEqual([]);
  });

  if (lane === '7.1') {
    test('people who run the blog switch it on where the form is placed', async () => {
      await shows(false);
      const browser = await launchBrowser();
      try {
        const context = await browser.newContext({ locale: 'en-US', viewport: { width: 360, height: 740 } });
        const page = await context.newPage();
        const cookies = (await logIn(blog, 'administrator')).split('; ').map((cookie) => {
          const [name, ...value] = cookie.split('=');
          return { name: name!, value: value.join('='), url: blog.wordpress.url };
        });
        await context.addCookies(cookies);
        await page.goto(`${blog.wordpress.url}/wp-admin/options-general.php?page=creator-hq`);
        await page.getByLabel('A button under recipe cards that have a shopping list').check();
        await page.getByRole('button', { name: 'Save changes' }).first().click();
        await page.getByText('Settings saved.').waitFor();
        await context.clearCookies();
        await page.goto(`${blog.wordpress.url}/wprm/`);
        const link = page.getByRole('link', { name: 'Shop ingredients' });
        expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44);
        const axe = new AxeBuilder({ page: page as never }).include('.creator-hq-shop').setLegacyMode();
        expect((await axe.analyze()).violations.map(({ id }) => id)).toEqual([]);
        if (process.env.SCREENSHOTS) {
          await mkdir(process.env.SCREENSHOTS, { recursive: true });
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/wordpress-shop.png`, fullPage: true });
        }
      } finally {
        await browser.close();
      }
    });
  }
});
