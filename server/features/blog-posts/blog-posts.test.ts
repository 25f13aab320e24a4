import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAutomation, getAutomation } from '#contract/automations.ts';
import { createCorrection, readAudience, readSavers } from '#contract/newsletters.ts';
import { BLOG_POSTS_AT_MOST, registerPlugin, syncBlogPosts, syncGoneBlogPosts } from '#contract/plugin.ts';
import { createRecipe, deleteRecipe, listRecipes, type Recipe, updateRecipe } from '#contract/recipes.ts';
import { makeApiKey } from '#contract/settings.ts';
import { listSites, makeSiteLive } from '#contract/sites.ts';
import { addReader } from '#server/features/newsletters/testing/kitchen.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
const changes: string[] = [];
beforeAll(async () => {
  app = await createTestApp({ deps: { automationsChanged: (change) => void changes.push(change.creatorId) } });
  anna = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  ({ key } = (await anna.call(makeApiKey, { params: { creatorId } })).body);
  await asPlugin(registerPlugin.path, { pluginVersion: '1.0', siteUrl: 'https://blog.example/' });
});

const asPlugin = (path: string, body: object) =>
  app.visitor().send({ method: 'POST', url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` }, body });
const post = (id: number, over: object = {}) => ({
  id,
  url: `https://blog.example/recipe-${id}/`,
  title: `Post ${id}`,
  pictureUrl: `https://blog.example/${id}.jpg`,
  recipe: { name: `Recipe ${id}`, anchor: null, ingredients: ['1 egg'], totalMinutes: 10, yield: '2' },
  categories: [{ id: 3, name: 'Soups' }],
  publishedAt: '2026-01-02T03:04:05Z',
  changedAt: '2026-01-02T03:04:05Z',
  ...over,
});
const sync = (posts: object[], { siteUrl = 'https://blog.example/', waiting = 0 } = {}) =>
  asPlugin(syncBlogPosts.path, { siteUrl, waiting, posts });
const gone = (ids: number[], siteUrl = 'https://blog.example/') => asPlugin(syncGoneBlogPosts.path, { siteUrl, ids });
const recipes = async (): Promise<Recipe[]> =>
  (await anna.call(listRecipes, { params: { creatorId } })).body.items.toSorted((a: Recipe, b: Recipe) =>
    a.leadsTo < b.leadsTo ? -1 : 1,
  );
const kept = () =>
  app.db.engine
    .selectFrom('blog_posts')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('wordpress_id')
    .execute();
const edit = ({ id, version, name, url, pictureUrl, keywordIdeas, messageText }: Recipe, over: Partial<Recipe>) =>
  anna.call(updateRecipe, {
    params: { creatorId, recipeId: id },
    body: { version, name, url, pictureUrl, keywordIdeas, messageText, ...over },
  });

test('posts are kept as they are told, and those with a card are recipes', async () => {
  const answer = await sync([post(1), post(2, { recipe: null, title: 'About me' })], { waiting: 7 });
  expect(answer).toMatchObject({ status: 200, body: { state: 'live' } });
  expect(await recipes()).toMatchObject([
    {
      name: 'Recipe 1',
      url: 'https://blog.example/recipe-1/',
      pictureUrl: 'https://blog.example/1.jpg',
      postGoneAt: null,
    },
  ]);
  expect(await kept()).toMatchObject([
    {
      title: 'Post 1',
      categories: [{ id: 3, name: 'Soups' }],
      recipe: { name: 'Recipe 1', ingredients: ['1 egg'] },
      published_at: new Date('2026-01-02T03:04:05Z'),
    },
    { title: 'About me', recipe: null, recipe_id: null },
  ]);
  const [site] = (await anna.call(listSites, { params: { creatorId } })).body.items;
  expect(site).toMatchObject({ postsKnown: 2, postsWaiting: 7 });
});

test('the same again changes nothing; a card that comes later becomes a recipe', async () => {
  await sync([post(1), post(2, { recipe: null })]);
  const [before] = await recipes();
  await sync([post(1), post(2, { recipe: null })]);
  expect(await recipes()).toEqual([before]);
  await sync([post(1), post(2)]);
  expect(await recipes()).toMatchObject([before, { name: 'Recipe 2' }]);
});

const cardOf = (anchor: string) => ({ ...post(1).recipe, anchor });

test('a recipe of the plugin in two posts is one recipe, found at both addresses', async () => {
  const recipe = cardOf('wprm-recipe-container-55');
  await sync([post(1, { recipe }), post(2, { recipe })]);
  await sync([post(3, { recipe })]);
  const [known, ...others] = await recipes();
  expect(known).toMatchObject({ name: 'Recipe 1', url: 'https://blog.example/recipe-1/' });
  expect(others).toEqual([]);
  for (const url of [1, 2, 3].map((id) => `https://blog.example/recipe-${id}`)) {
    const body = { name: 'Again', url, pictureUrl: null, keywordIdeas: [], messageText: '' };
    const answer = await anna.call(createRecipe, { params: { creatorId }, body });
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('“Recipe 1” already has') } });
  }
  expect((await kept()).map(({ recipe_id }) => recipe_id)).toEqual([known!.id, known!.id, known!.id]);
  // What the other posts have changes nothing of it but the card they share.
  await sync([post(2, { recipe: { ...recipe, name: 'Best soup' }, pictureUrl: null })]);
  expect(await recipes()).toMatchObject([{ ...known, name: 'Best soup', version: 2, updatedAt: expect.anything() }]);
  await anna.call(deleteRecipe, { params: { creatorId, recipeId: known!.id } });
  await sync([post(1, { recipe }), post(2, { recipe })]);
  expect(await recipes()).toEqual([]);
});

test('a recipe goes on at another post with its card when its own is gone, and is marked after the last', async () => {
  const recipe = cardOf('tasty-recipes-7');
  await sync([post(1, { recipe }), post(2, { recipe })]);
  const [known] = await recipes();
  const connectionId = await insertConnection(app.db, creatorId);
  const buttons = [{ title: 'Get it', url: known!.url, recipeId: known!.id }];
  await anna.call(createAutomation, { params: { creatorId }, body: automationInput(connectionId, { buttons }) });
  changes.length = 0;
  await gone([1]);
  expect(await recipes()).toMatchObject([{ id: known!.id, url: 'https://blog.example/recipe-2/', postGoneAt: null }]);
  const links = await app.db.engine.selectFrom('links').select('url').where('creator_id', '=', creatorId).execute();
  expect(links).toEqual([{ url: 'https://blog.example/recipe-2/' }]);
  expect(changes).toEqual([creatorId]);
  await gone([1, 2]);
  expect(await recipes()).toMatchObject([{ id: known!.id, url: 'https://blog.example/recipe-2/' }]);
  expect((await recipes())[0]!.postGoneAt).not.toBeNull();
});

test('posts with the same card told at once are one recipe; those whose card has no name stay apart', async () => {
  const recipe = cardOf('mv-creation-9');
  await Promise.all([1, 2, 3, 4].map((id) => sync([post(id, { recipe })])));
  expect(await recipes()).toHaveLength(1);
  await sync([post(5), post(6)]);
  expect(await recipes()).toHaveLength(3);
});

test('a post that moved moves its recipe, and with it the automations and the links already sent', async () => {
  await sync([post(1)]);
  const [recipe] = await recipes();
  const connectionId = await insertConnection(app.db, creatorId);
  const buttons = [{ title: 'Get it', url: recipe!.url, recipeId: recipe!.id }];
  const body = automationInput(connectionId, { name: 'Soup reel', buttons });
  const { id: automationId } = (await anna.call(createAutomation, { params: { creatorId }, body })).body;
  changes.length = 0;
  await sync([post(1, { url: 'https://blog.example/best-soup/' })]);
  expect(await recipes()).toMatchObject([{ id: recipe!.id, name: 'Recipe 1', url: 'https://blog.example/best-soup/' }]);
  const automation = (await anna.call(getAutomation, { params: { creatorId, automationId } })).body;
  expect(automation.buttons).toMatchObject([{ url: 'https://blog.example/best-soup/', recipeId: recipe!.id }]);
  const links = await app.db.engine.selectFrom('links').select('url').where('creator_id', '=', creatorId).execute();
  expect(links).toEqual([{ url: 'https://blog.example/best-soup/' }]);
  expect(changes).toEqual([creatorId]);
});

test('who saved a post that moved has saved it once, wherever they saved it, and corrections reach them', async () => {
  await sync([post(1), post(2), post(3)]);
  const save = async (contactId: string, at: number, anchor: string | null = null, url = post(at).url) => {
    const addressKey = `blog.example${new URL(url).pathname.slice(0, -1)}${anchor === null ? '' : `#${anchor}`}`;
    await sql`
      insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, first_saved_at, last_saved_at)
      values (${creatorId}, gen_random_uuid(), ${contactId}, ${addressKey}, ${url}, 'Soup', now(), now())
    `.execute(app.db.engine);
    await sql`update contacts set saved_count = saved_count + 1 where id = ${contactId}`.execute(app.db.engine);
  };
  const rosa = await addReader(app, creatorId, 'rosa@example.test', []);
  const ines = await addReader(app, creatorId, 'ines@example.test', []);
  await save(rosa, 1, 'card');
  await save(rosa, 1, 'card', 'https://blog.example/best-soup/');
  await save(ines, 1);
  await save(ines, 2);
  await save(ines, 3);
  const recipeId = (await recipes())[0]!.id;
  const savers = async () => (await anna.call(readSavers, { params: { creatorId, recipeId } })).body.count;
  const body = { text: '1 teaspoon' };
  const correction = (await anna.call(createCorrection, { params: { creatorId, recipeId }, body })).body;
  const reached = async () =>
    (await anna.call(readAudience, { params: { creatorId, broadcastId: correction.id } })).body.count;
  expect([await savers(), await reached()]).toEqual([2, 2]);
  // The second goes where the third was.
  const moved = { 1: '/best-soup/', 2: '/recipe-3/', 3: '/third/' };
  await sync(Object.entries(moved).map(([id, path]) => post(Number(id), { url: `https://blog.example${path}` })));
  expect([await savers(), await reached()]).toEqual([2, 2]);
  const { rows } = await sql`
    select c.email, c.saved_count, s.address_key, s.url, s.times from saved_recipes s join contacts c on c.id = s.contact_id
    where s.creator_id = ${creatorId} order by 1, 3
  `.execute(app.db.engine);
  const row = (name: string, saved_count: number, path: string, times: number, anchor = '') => ({
    ...{ email: `${name}@example.test`, saved_count, times, url: `https://blog.example${path}` },
    address_key: `blog.example${path.slice(0, -1)}${anchor}`,
  });
  expect(rows).toEqual([
    row('ines', 3, '/best-soup/', 1),
    row('ines', 3, '/recipe-3/', 1),
    row('ines', 3, '/third/', 1),
    row('rosa', 1, '/best-soup/', 2, '#card'),
  ]);
});

describe('what the creator made of a recipe', () => {
  test('stays: each part follows the post only as long as they did not change it', async () => {
    await sync([post(1)]);
    await edit((await recipes())[0]!, { name: 'Grandma’s soup', keywordIdeas: ['SOUP'], messageText: 'Here it is' });
    const changed = { name: 'Better soup', anchor: null, ingredients: [], totalMinutes: null, yield: null };
    await sync([post(1, { recipe: changed, pictureUrl: 'https://blog.example/new.jpg' })]);
    expect(await recipes()).toMatchObject([
      {
        name: 'Grandma’s soup',
        pictureUrl: 'https://blog.example/new.jpg',
        keywordIdeas: ['SOUP'],
        messageText: 'Here it is',
      },
    ]);
    await edit((await recipes())[0]!, { url: 'https://shop.example/soup', pictureUrl: null });
    await sync([post(1, { url: 'https://blog.example/moved/', pictureUrl: 'https://blog.example/newest.jpg' })]);
    expect(await recipes()).toMatchObject([{ url: 'https://shop.example/soup', pictureUrl: null }]);
  });

  test('comes first: one that they made for the page is taken, and one that they deleted does not come back', async () => {
    const own = { name: 'My soup', url: 'http://www.blog.example/recipe-1', pictureUrl: null };
    const input = { ...own, keywordIdeas: [], messageText: '' };
    const { id } = (await anna.call(createRecipe, { params: { creatorId }, body: input })).body;
    await sync([post(1)]);
    await sync([post(1)]);
    expect(await recipes()).toMatchObject([{ id, name: 'My soup' }]);
    await anna.call(deleteRecipe, { params: { creatorId, recipeId: id } });
    await sync([post(1)]);
    expect(await recipes()).toEqual([]);
    expect(await kept()).toMatchObject([{ recipe_id: null, has_given: true }]);
  });

  test('is not overwritten where another recipe has the new address', async () => {
    await sync([post(1), post(2)]);
    await sync([post(1, { url: 'https://blog.example/recipe-2/' })]);
    expect((await recipes()).map(({ url }) => url)).toEqual([
      'https://blog.example/recipe-1/',
      'https://blog.example/recipe-2/',
    ]);
  });
});

test('a post that is gone marks its recipe, and one that is back clears it', async () => {
  await sync([post(1), post(2)]);
  expect((await gone([1, 99])).body).toEqual({ state: 'live' });
  const at = app.clock.now().toISOString();
  expect(await recipes()).toMatchObject([
    { name: 'Recipe 1', postGoneAt: at },
    { name: 'Recipe 2', postGoneAt: null },
  ]);
  await sync([post(1)]);
  expect(await recipes()).toMatchObject([{ postGoneAt: null }, { postGoneAt: null }]);
});

test('a copy of the blog tells nothing; where the blog moved, its recipes move along', async () => {
  await sync([post(1)]);
  const siteUrl = 'https://new.example/';
  const { body } = await asPlugin(registerPlugin.path, { pluginVersion: '1.0', siteUrl });
  const moved = [post(1, { url: 'https://new.example/recipe-1/' })];
  expect((await sync(moved, { siteUrl })).body).toEqual({ state: 'copy' });
  expect((await gone([1], siteUrl)).body).toEqual({ state: 'copy' });
  const [before] = await recipes();
  expect(before).toMatchObject({ url: 'https://blog.example/recipe-1/', postGoneAt: null });
  await anna.call(makeSiteLive, { params: { creatorId, siteId: body.site.id } });
  expect((await sync(moved, { siteUrl })).body).toEqual({ state: 'live' });
  expect(await recipes()).toMatchObject([{ id: before!.id, url: 'https://new.example/recipe-1/' }]);
  expect(await kept()).toHaveLength(1);
});

test('whoever has the key leads no recipe to another place', async () => {
  await sync([post(1)]);
  for (const url of [
    'https://evil.example/',
    'https://blog.example.evil.example/x',
    'https://evil.example/blog.example/',
  ])
    expect((await sync([post(1, { url }), post(2, { url })])).status).toBe(200);
  expect(await recipes()).toMatchObject([{ url: 'https://blog.example/recipe-1/' }]);
  expect((await sync([post(1, { url: 'javascript:alert(1)' })])).status).toBe(422);
  expect(await kept()).toHaveLength(1);
});

test('what a recipe could not have is cut or left out', async () => {
  const recipe = { name: ` ${'n'.repeat(130)}`, anchor: null, ingredients: [], totalMinutes: null, yield: null };
  await sync([post(1, { recipe, pictureUrl: 'no address' }), post(2, { recipe: { ...recipe, name: '  ' } })]);
  expect(await recipes()).toMatchObject([{ name: 'n'.repeat(120), pictureUrl: null }, { name: 'Recipe' }]);
});

test('more posts than a blog may have are left out, and those known still change', async () => {
  await sync([post(1)]);
  await sql`
    insert into blog_posts (creator_id, site_id, wordpress_id, url, url_key, title, categories, published_at, changed_at, synced_at, has_given)
    select creator_id, site_id, 1000 + n, url, url_key, title, categories, published_at, changed_at, synced_at, false
    from blog_posts, generate_series(1, ${BLOG_POSTS_AT_MOST - 1}) as n where creator_id = ${creatorId}
  `.execute(app.db.engine);
  await sync([post(1, { title: 'Changed' }), post(2)]);
  expect((await kept())[0]).toMatchObject({ title: 'Changed' });
  expect(await recipes()).toHaveLength(1);
});
