/** A blog with 3,000 posts tells Creator HQ of them: real WordPress, real Creator HQ. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRecipes, type Recipe, updateRecipe } from '#contract/recipes.ts';
import { makeApiKey } from '#contract/settings.ts';
import { listSites } from '#contract/sites.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Blog, connectTo, startBlog } from './blog.ts';

const POSTS = 3000;
/** Of which the first ones have a recipe card each. */
const WITH_CARD = 2500;
let app: TestApp;
let anna: Person;
let creatorId: string;
let blog: Blog;
let card: number;

beforeAll(async () => {
  [app, blog] = await Promise.all([createTestApp(), startBlog({ isConnected: false })]);
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  card = await blog.recipe('Plum pie');
  // As WordPress writes them, but in one go.
  await blog.wordpress.php(`global $wpdb;
    $wpdb->query('BEGIN');
    $rest = array('post_status' => 'publish', 'post_author' => 1, 'post_excerpt' => '', 'to_ping' => '', 'pinged' => '',
      'post_content_filtered' => '', 'post_date' => '2026-01-01 12:00:00', 'post_date_gmt' => '2026-01-01 17:00:00',
      'post_modified' => '2026-01-01 12:00:00', 'post_modified_gmt' => '2026-01-01 17:00:00');
    for ($i = 1; $i <= ${POSTS}; $i++) {
      $has_card = $i <= ${WITH_CARD};
      if ($has_card) $wpdb->insert($wpdb->posts, $rest + array('post_title' => 'Plum pie', 'post_type' => 'wprm_recipe', 'post_content' => ''));
      $wpdb->insert($wpdb->posts, $rest + array(
        'post_title' => "Post $i", 'post_name' => "post-$i", 'post_type' => 'post',
        'post_content' => $has_card ? '[wprm-recipe id="' . $wpdb->insert_id . '"]' : 'Only words.'));
    }
    $wpdb->query('COMMIT');`);
  await blog.post('Draft', '[wprm-recipe id="1"]', `'post_status' => 'draft'`);
  await blog.post('Locked', 'Secret.', `'post_password' => 'x'`);
  await blog.post('Private', 'Secret.', `'post_status' => 'private'`);
});
afterAll(async () => {
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
  await app.close();
});

const posts = (name: string) => `get_page_by_path('${name}', OBJECT, 'post')->ID`;
const calls = async () =>
  (await blog.wordpress.requests()).flatMap((one) => one.calls).filter((url) => url.includes('/plugin/recipes'));
const run = () => blog.tellPosts();
const site = async () => (await anna.call(listSites, { params: { creatorId } })).body.items[0];
const status = () => blog.wordpress.wp('creator-hq', 'status');
const find = async (search: string): Promise<Recipe[]> =>
  (await anna.call(listRecipes, { params: { creatorId }, query: { search } })).body.items;
const count = async (condition: string) =>
  Number(
    (
      await app.db.enginePool.query(`select count(*) from blog_posts where creator_id = $1 and ${condition}`, [
        creatorId,
      ])
    ).rows[0].count,
  );

test('3,000 posts go in calls of 50, with the progress on both sides; what is not for everybody stays', {
  timeout: 600_000,
}, async () => {
  const hub = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { key } = (await anna.call(makeApiKey, { params: { creatorId } })).body;
  await blog.wordpress.php(connectTo(hub, key));
  expect(await status()).toMatch(/0 of 3,00\d posts are with Creator HQ/);
  await blog.wordpress.requests();
  await blog.wordpress.php(
    `$some = new ReflectionMethod('CreatorHq\\\\Posts', 'send_some'); $some->setAccessible(true); $some->invoke(null, 50);`,
  );
  expect(await site()).toMatchObject({ postsKnown: 50, postsWaiting: expect.toSatisfy((left) => left > 2900) });
  expect(await status()).toMatch(/5\d of 3,00\d posts are with Creator HQ/);
  const told = await calls();
  expect(told).toHaveLength(1);
  while ((await blog.wordpress.php(`echo CreatorHq\\Posts::count();`)) !== '0') await run();
  told.push(...(await calls()));
  expect(told.filter((url) => url.endsWith('/recipes')).length).toBeLessThanOrEqual(POSTS / 50 + 1);
  expect(await site()).toMatchObject({ postsKnown: expect.any(Number), postsWaiting: 0 });
  expect(await count(`title like 'Post %' and recipe_id is not null`)).toBe(WITH_CARD);
  expect(await count(`title like 'Post %'`)).toBe(POSTS);
  expect(await count(`title in ('Draft', 'Locked', 'Private')`)).toBe(0);
  expect(await status()).not.toContain('posts are with Creator HQ');
  expect(await blog.wordpress.php(`echo wp_next_scheduled('creator_hq_posts') ? 'yes' : 'no';`)).toBe('no');
});

test('a post that moves moves its recipe, and what the creator wrote there stays', async () => {
  const [recipe] = await find('/post-7/');
  expect(recipe).toMatchObject({ name: 'Plum pie', url: `${blog.wordpress.url}/post-7/` });
  const { id, version, url, pictureUrl, keywordIdeas, messageText } = recipe!;
  const body = { version, name: 'Grandma’s pie', url, pictureUrl, keywordIdeas, messageText };
  await anna.call(updateRecipe, { params: { creatorId, recipeId: id }, body });
  await blog.wordpress.requests();
  await blog.wordpress.php(`wp_update_post(array('ID' => ${posts('post-7')}, 'post_name' => 'plum-pie-of-grandma'));`);
  // Saving calls nobody: that waits for the next task.
  expect(await calls()).toEqual([]);
  await run();
  expect(await calls()).toHaveLength(1);
  expect(await find('plum-pie-of-grandma')).toMatchObject([
    { id, name: 'Grandma’s pie', url: `${blog.wordpress.url}/plum-pie-of-grandma/` },
  ]);
  expect(await find('/post-7/')).toEqual([]);
});

test('a new name on the card is the recipe’s', async () => {
  await blog.wordpress.php(`$card = (int) preg_replace('/\\D/', '', get_post(${posts('post-8')})->post_content);
    update_post_meta($card, 'wprm_parent_post_id', ${posts('post-8')});
    wp_update_post(array('ID' => $card, 'post_title' => 'Plum cake'));`);
  await run();
  expect(await find('/post-8/')).toMatchObject([{ name: 'Plum cake' }]);
});

test.each([
  ['deleted', 'post-9', (id: string) => `wp_delete_post(${id}, true);`],
  ['thrown away', 'post-10', (id: string) => `wp_trash_post(${id});`],
  ['given a password', 'post-11', (id: string) => `wp_update_post(array('ID' => ${id}, 'post_password' => 'x'));`],
  ['made private', 'post-12', (id: string) => `wp_update_post(array('ID' => ${id}, 'post_status' => 'private'));`],
  ['a draft again', 'post-13', (id: string) => `wp_update_post(array('ID' => ${id}, 'post_status' => 'draft'));`],
])('the recipe of a post that is %s is marked and stays', async (_how, name, change) => {
  await blog.wordpress.php(change(posts(name)));
  await run();
  expect(await find(`/${name}/`)).toMatchObject([{ postGoneAt: expect.any(String) }]);
});

test('what is drafted and published comes once it is public', async () => {
  const id = await blog.post('Quince jelly', `[wprm-recipe id="${card}"]`, `'post_status' => 'draft'`);
  await run();
  expect(await find('quince-jelly')).toEqual([]);
  await blog.wordpress.php(`wp_publish_post(${id});`);
  await run();
  expect(await find('quince-jelly')).toMatchObject([{ name: 'Plum pie', postGoneAt: null }]);
});

test('the posts of a renamed category have its new name', async () => {
  await blog.wordpress.php(`wp_insert_term('Pasta', 'category');
    foreach (array(${posts('post-30')}, ${posts('post-31')}) as $id) wp_set_object_terms($id, 'Pasta', 'category');
    wp_update_term(get_term_by('name', 'Pasta', 'category')->term_id, 'category', array('name' => 'Noodles'));`);
  expect(await blog.wordpress.php(`echo CreatorHq\\Posts::count();`)).toBe('2');
  await run();
  expect(await count(`categories @> '[{"name": "Noodles"}]'`)).toBe(2);
});

test('while the hub is away changes wait, and a copy of the blog tells nothing', async () => {
  await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => time() + 60));
    wp_update_post(array('ID' => ${posts('post-20')}, 'post_name' => 'post-twenty'));`);
  await run();
  expect(await find('post-twenty')).toEqual([]);
  await blog.wordpress.php(`CreatorHq\\State::set(array('ask_after' => 0));`);
  await run();
  expect(await find('post-twenty')).toHaveLength(1);
  await blog.wordpress.php(`CreatorHq\\State::set(array('site_state' => 'copy'));
    wp_update_post(array('ID' => ${posts('post-21')}, 'post_name' => 'post-twenty-one'));`);
  await blog.wordpress.requests();
  await run();
  expect(await calls()).toEqual([]);
});
