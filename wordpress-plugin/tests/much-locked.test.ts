/// <reference lib="dom" />
/** Who is about to lock more than 30 % of a blog's posts is asked first; a no changes nothing and loses nothing. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '#e2e/browser.ts';
import { type Blog, logIn, startBlog } from './blog.ts';

const QUESTION =
  'This locks 31 of 100 posts (31 %). Search engines and new readers find little to read, and leave. Lock it anyway?';

let blog: Blog;
let browser: Browser;
let page: Page;
let term: number;
let open: number;
let ids: number[];
let asked: string[];
let answer = false;

/** 100 posts: 20 locked by their own rule, 9 in their text, one by a category whose other post is open by its own rule. */
beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.membersAt = `${blog.hub.url}/join/anna/enter`;
  await blog.wordpress.php(`CreatorHq\\Connection::register();
    foreach (get_posts(array('numberposts' => -1)) as $post) { wp_delete_post($post->ID, true); }
    for ($at = 1; $at <= 100; $at++) {
      $text = $at <= 90 ? 'Hello' : ($at === 100 ? 'Hello' : 'Hello [creator_hq_gate' . ($at % 2 ? '' : ' for="members"') . '] more');
      $id = wp_insert_post(array('post_title' => "Post $at", 'post_content' => $text, 'post_status' => 'publish'));
      if ($at <= 20) { update_post_meta($id, '_creator_hq_lock', $at % 2 ? 'rest:members' : 'card:subscribers'); }
    }`);
  ids = (
    await blog.wordpress.php(
      `echo implode(',', get_posts(array('fields' => 'ids', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC')));`,
    )
  )
    .split(',')
    .map(Number);
  open = ids[50]!;
  term = Number(
    await blog.wordpress.php(`$locked = wp_insert_term('Locked', 'category')['term_id']; CreatorHq\\Gate\\Rules::lock_term($locked, 'rest:members');
      wp_set_post_categories(${ids[51]}, array($locked)); wp_set_post_categories(${ids[52]}, array($locked)); update_post_meta(${ids[52]}, '_creator_hq_lock', 'open');
      $term = wp_insert_term('Friends', 'category')['term_id']; wp_set_post_categories(${open}, array($term)); wp_set_post_categories(${ids[0]}, array($term)); echo $term;`),
  );
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies(
    (await logIn(blog, 'administrator')).split('; ').map((pair) => {
      const [name, ...value] = pair.split('=');
      return { name: name!, value: value.join('='), url: blog.wordpress.url };
    }),
  );
  page = await context.newPage();
  page.on('dialog', async (dialog) => {
    if (dialog.type() !== 'confirm') return dialog.accept();
    asked.push(dialog.message());
    await (answer ? dialog.accept() : dialog.dismiss());
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

const lockBox = () => page.locator('#creator_hq_lock');
const count = () => blog.wordpress.php(`echo wp_json_encode(CreatorHq\\Gate\\Gate::count());`);
async function editTerm() {
  await page.goto(`${blog.wordpress.url}/wp-admin/term.php?taxonomy=category&tag_ID=${term}`);
}
async function editPost(post: number) {
  await page.goto(`${blog.wordpress.url}/wp-admin/post.php?post=${post}&action=edit`);
  await page.waitForFunction(
    (id) => Reflect.get(window, 'wp')?.data?.select('core/editor')?.getCurrentPostId() === id,
    post,
  );
}
const insertGate = (inner = '') =>
  page.evaluate((text) => {
    const { blocks, data } = Reflect.get(window, 'wp');
    data.dispatch('core/block-editor').insertBlocks(blocks.parse(text));
  }, `<!-- wp:creator-hq/gate {"locks":"inside"} -->${inner}<!-- /wp:creator-hq/gate -->`);
const blocks = () =>
  page.evaluate(() =>
    Reflect.get(window, 'wp')
      .data.select('core/block-editor')
      .getBlocks()
      .map(({ name }: { name: string }) => name),
  );

test('30 of 100 posts are locked, and that is not too much', async () => {
  expect(JSON.parse(await count())).toEqual({ locked: 30, all: 100 });
  await blog.wordpress.php(`delete_post_meta(${ids[1]}, '_creator_hq_lock');`);
  await editTerm();
  await lockBox().selectOption('rest:members');
  expect(await lockBox().inputValue()).toBe('rest:members');
  expect(asked).toEqual([]);
  await blog.wordpress.php(`update_post_meta(${ids[1]}, '_creator_hq_lock', 'card:subscribers');`);
});

test.each(['rest:members', 'card:subscribers'])('a category is locked for %s only after a yes', async (lock) => {
  const kept = () => blog.wordpress.php(`echo CreatorHq\\Gate\\Rules::of_term(${term});`);
  const save = async () => {
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByText('Category updated.').waitFor();
  };
  answer = false;
  await editTerm();
  await page.locator('#description').fill(`Before ${lock}`);
  await lockBox().selectOption(lock);
  expect(asked).toEqual([QUESTION]);
  expect(await lockBox().inputValue()).toBe('');
  await save();
  expect(await kept()).toBe('');
  expect(await blog.wordpress.php(`echo get_term(${term})->description;`)).toBe(`Before ${lock}`);

  answer = true;
  await editTerm();
  await lockBox().selectOption(lock);
  expect(asked).toEqual([QUESTION, QUESTION]);
  await save();
  expect(await kept()).toBe(lock);
  expect(JSON.parse(await count())).toEqual({ locked: 31, all: 100 });
  await blog.wordpress.php(`CreatorHq\\Gate\\Rules::lock_term(${term}, '');`);
});

test('a category with many posts is asked for, also where more than 30 % are locked already', async () => {
  answer = false;
  await blog.wordpress.php(
    `foreach (array(${ids[60]}, ${ids[61]}) as $id) { update_post_meta($id, '_creator_hq_lock', 'rest:members'); }`,
  );
  expect(JSON.parse(await count()).locked).toBe(32);
  await editTerm();
  await lockBox().selectOption('rest:members');
  // One more post is no other blog.
  expect(asked).toEqual([]);
  await page.goto(`${blog.wordpress.url}/wp-admin/term.php?taxonomy=category&tag_ID=1`);
  await lockBox().selectOption('rest:members');
  expect(asked.join()).toMatch(/^This locks (?:9\d|100) of 100 posts/);
  await blog.wordpress.php(
    `foreach (array(${ids[60]}, ${ids[61]}) as $id) { delete_post_meta($id, '_creator_hq_lock'); }`,
  );
});

test('a post is locked only after a yes, by its rule or by the block, and what stands in the block stays', async () => {
  expect(JSON.parse(await count()).locked).toBe(30);
  answer = false;
  await editPost(open);
  await lockBox().selectOption('rest:members', { force: true });
  expect(asked).toEqual([QUESTION]);
  expect(await lockBox().inputValue()).toBe('');
  const before = await blocks();
  await insertGate('<!-- wp:paragraph --><p>Kept</p><!-- /wp:paragraph -->');
  await expect.poll(() => asked).toEqual([QUESTION, QUESTION]);
  await expect.poll(blocks).toEqual([...before, 'core/paragraph']);
  await insertGate();
  await expect.poll(() => asked).toHaveLength(3);
  await expect.poll(blocks).toEqual([...before, 'core/paragraph']);

  answer = true;
  await insertGate();
  await expect.poll(() => asked).toHaveLength(4);
  await lockBox().selectOption('card:subscribers', { force: true });
  await insertGate();
  await page.evaluate(() => Reflect.get(window, 'wp').data.dispatch('core/editor').savePost());
  await expect.poll(() => blog.wordpress.php(`echo CreatorHq\\Gate\\Rules::of(${open});`)).toBe('card:subscribers');
  expect(asked).toHaveLength(5);

  // It is answered: what was locked with a yes is not asked for again.
  await editPost(open);
  await insertGate();
  await lockBox().selectOption('rest:members', { force: true });
  expect(asked).toHaveLength(5);
});
