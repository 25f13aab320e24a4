import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAutomation } from '#contract/automations.ts';
import { QUOTAS } from '#contract/quotas.ts';
import {
  continueRecipeImport,
  getRecipeImport,
  listRecipeImports,
  listUnreadPages,
  MOST_IMPORT_PAGES,
  pauseRecipeImport,
  type RecipeImport,
  retryRecipeImport,
  startRecipeImport,
  undoRecipeImport,
} from '#contract/recipe-imports.ts';
import { getIngredients, saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe, listRecipes, type Recipe } from '#contract/recipes.ts';
import { lookAt } from '#server/features/link-guard/link-checks.ts';
import { recipeJobs } from '#server/features/recipes/jobs.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch, type GuardedFetch, isPublicAddress } from '#server/platforms/guarded-fetch.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertWatchedLink } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { importRecipes } from './importing.ts';
import { type BigBlog, startBigBlog } from './testing/big-blog.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let blog: BigBlog;
let fetching: GuardedFetch;

beforeAll(async () => {
  fetching = createGuardedFetch({ isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address) });
  app = await createTestApp({ deps: { fetching } });
  // Turns of hosts are tested with the link guard; here nobody waits for them.
  app.clock.sleep = async () => {};
});
afterAll(async () => {
  await fetching.close();
  await app.close();
});
beforeEach(async () => {
  await app.db.engine.deleteFrom('jobs').execute();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  blog = await startBigBlog();
  return () => blog.close();
});

const start = async (site = blog.url): Promise<RecipeImport> => {
  const answer = await anna.call(startRecipeImport, { params: { creatorId }, body: { site } });
  expect(answer.status).toBe(200);
  return answer.body;
};
const step = () => runDue([importRecipes], app.deps);
async function run(): Promise<void> {
  while ((await step()) > 0);
}
const paramsOf = ({ id }: { id: string }) => ({ params: { creatorId, recipeImportId: id } });
const read = async (one: { id: string }): Promise<RecipeImport> =>
  (await anna.call(getRecipeImport, paramsOf(one))).body;
const recipes = async (): Promise<Recipe[]> =>
  (await anna.call(listRecipes, { params: { creatorId }, query: { limit: 100 } })).body.items;
const names = async () => (await recipes()).map(({ name }) => name).toSorted();
const ingredients = async (recipeId: string) =>
  (await anna.call(getIngredients, { params: { creatorId, recipeId } })).body;
async function startAndRun(site?: string): Promise<RecipeImport> {
  const begun = await start(site);
  await run();
  return read(begun);
}
function threeRecipes(): void {
  for (const name of ['cake', 'soup', 'bread']) blog.recipe(`/${name}/`, name, '2 cups flour', '1 tsp salt');
  blog.sitemap('/sitemap.xml', '/cake/', '/soup/', '/bread/');
}

test('brings in every recipe of the sitemap; what is unsure is to be checked', async () => {
  threeRecipes();
  blog.recipe('/odd/', 'odd', '3 tbsp zorblat');
  blog.send('/about/', '<title>About</title><p>Me</p>');
  blog.sitemap('/sitemap.xml', '/cake/', '/soup/', '/bread/', '/odd/', '/about/', '/gone/');
  const begun = await start();
  expect(begun).toMatchObject({ site: blog.url, state: 'running', way: null, found: 0, undoUntil: null, undo: null });
  await run();
  expect(await read(begun)).toMatchObject({
    ...{ state: 'done', way: 'sitemap', failure: null, found: 6, waiting: 0, made: 4, updated: 0, same: 0 },
    ...{ toCheck: 1, noRecipe: 1, notRead: 1, finishedAt: app.clock.now().toISOString() },
  });
  expect(await names()).toEqual(['bread', 'cake', 'odd', 'soup']);
  const unread = await anna.call(listUnreadPages, { ...paramsOf(begun), query: {} });
  expect(unread.body.items).toEqual([{ url: `${blog.url}/gone/`, says: expect.stringContaining('no longer') }]);
  expect((await anna.call(listRecipeImports, { params: { creatorId }, query: {} })).body.items).toHaveLength(1);
});

test('asks the recipe cards first, and of each post once', async () => {
  threeRecipes();
  const json = 'application/json';
  blog.send(
    '/wp-json/wp/v2/wprm_recipe?per_page=100&page=1',
    JSON.stringify([7, 8, 8, 0].map((parent_post_id) => ({ recipe: { parent_post_id } }))),
    json,
  );
  blog.send(
    '/wp-json/wp/v2/posts?include=7,8&per_page=100&_fields=link',
    JSON.stringify([
      { link: `${blog.url}/cake/` },
      { link: `${blog.url}/soup/` },
      { link: 'https://other.example/x/' },
    ]),
    json,
  );
  expect(await startAndRun()).toMatchObject({ way: 'wprm', found: 2, made: 2 });
});

test('what has the same address is read again and not doubled, and no correction is lost', async () => {
  threeRecipes();
  await startAndRun();
  const cake = (await recipes()).find(({ name }) => name === 'cake')!;
  const { updatedAt: _, listUrl: _url, visits: _visits, sync: _sync, ...content } = await ingredients(cake.id);
  const lines = content.lines.map((line: object, at: number) =>
    at === 0 ? { ...line, fixes: { food: 'spelt' } } : line,
  );
  await anna.call(saveIngredients, { params: { creatorId, recipeId: cake.id }, body: { ...content, lines } });
  blog.recipe('/cake/', 'cake', '3 cups flour', '2 tsp salt');
  expect(await startAndRun()).toMatchObject({ made: 0, updated: 1, same: 2 });
  expect((await ingredients(cake.id)).lines).toMatchObject([
    { text: '2 cups flour', fixes: { food: 'spelt' }, pageSays: '3 cups flour' },
    { text: '2 tsp salt' },
  ]);
  expect(await recipes()).toHaveLength(3);
});

describe('sitemaps of strangers', () => {
  test('an index of indexes, packed ones, and those that robots.txt names', async () => {
    threeRecipes();
    blog.send('/robots.txt', `User-agent: *\nDisallow: /secret/\n\nSitemap: ${blog.url}/maps.xml`, 'text/plain');
    blog.index('/maps.xml', '/inner.xml', '/category-sitemap.xml');
    blog.index('/inner.xml', '/posts.xml.gz');
    blog.packedSitemap('/posts.xml.gz', '/cake/', '/soup/', '/secret/pie/', '/tag/cakes/', '/cake.jpg');
    expect(await startAndRun()).toMatchObject({ found: 2, made: 2 });
    expect(blog.asked).not.toContain('/category-sitemap.xml');
    expect(blog.asked).not.toContain('/sitemap.xml');
  });

  test('one that names itself, and a circle', async () => {
    threeRecipes();
    blog.index('/sitemap_index.xml', '/sitemap_index.xml', '/a.xml');
    blog.index('/a.xml', '/sitemap_index.xml', '/b.xml');
    blog.sitemap('/b.xml', '/cake/');
    expect(await startAndRun()).toMatchObject({ found: 1, made: 1 });
    expect(blog.asked.filter((path) => path === '/a.xml')).toHaveLength(1);
  });

  test('other hosts and addresses inside are left out', async () => {
    threeRecipes();
    blog.index(
      '/sitemap_index.xml',
      'http://10.0.0.1/a.xml',
      'https://other.example/b.xml',
      'file:///etc/passwd',
      '/c.xml',
    );
    blog.sitemap(
      '/c.xml',
      '/cake/',
      'http://169.254.169.254/latest/',
      'https://other.example/x/',
      'javascript:alert(1)',
      '',
    );
    expect(await startAndRun()).toMatchObject({ found: 1, made: 1 });
  });

  test('a million addresses are as many as an import takes', async () => {
    const many = Array.from({ length: 120_000 }, (_, at) => `/p${at}/`);
    blog.index('/sitemap_index.xml', ...Array.from({ length: 9 }, (_, at) => `/m${at}.xml`));
    for (let at = 0; at < 9; at++) blog.sitemap(`/m${at}.xml`, ...many.map((path) => `/${at}${path}`));
    const begun = await start();
    await step();
    expect(await read(begun)).toMatchObject({ found: MOST_IMPORT_PAGES, state: 'running' });
  });

  test('a bomb is unpacked as far as a file is read', async () => {
    blog.send('/sitemap.xml', gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')), 'application/gzip');
    expect(await startAndRun()).toMatchObject({ state: 'failed', found: 0 });
  });

  test.each([
    ['nothing at all', ''],
    ['a page', '<html><body>hello</body></html>'],
    ['tags that never end', '<urlset><url><loc>'.repeat(50_000)],
    ['entities', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'],
  ])('%s is no recipe, and says so', async (_, text) => {
    blog.send('/sitemap.xml', text, 'application/xml');
    expect(await startAndRun()).toMatchObject({ state: 'failed', failure: expect.stringContaining('no recipes') });
  });

  test('a blog inside a private network is not asked', async () => {
    expect(await startAndRun('http://10.0.0.7')).toMatchObject({ state: 'failed' });
  });
});

describe('while it runs', () => {
  test('it is paused and goes on where it was', async () => {
    threeRecipes();
    const begun = await start();
    await step();
    await step();
    const paused = await anna.call(pauseRecipeImport, paramsOf(begun));
    expect(paused.body).toMatchObject({ state: 'paused', made: 1, waiting: 2 });
    await run();
    expect(await read(begun)).toMatchObject({ state: 'paused', made: 1 });
    expect((await anna.call(pauseRecipeImport, paramsOf(begun))).status).toBe(409);
    expect((await anna.call(continueRecipeImport, paramsOf(begun))).body.state).toBe('running');
    await run();
    expect(await read(begun)).toMatchObject({ state: 'done', made: 3 });
    expect((await anna.call(continueRecipeImport, paramsOf(begun))).status).toBe(409);
    expect(blog.asked.filter((path) => path === '/cake/')).toHaveLength(1);
  });

  test('a page that was being read when it was paused is not saved', async () => {
    threeRecipes();
    const begun = await start();
    await step();
    const pausing = new Promise<void>((done) => {
      blog.onAsked((path) => {
        if (path !== '/cake/') return;
        blog.answers['/soup/'] = () => {};
        void anna.call(pauseRecipeImport, paramsOf(begun)).then(() => done());
      });
    });
    const answer = blog.answers['/cake/']!;
    blog.answers['/cake/'] = (response) => void pausing.then(() => answer(response));
    await step();
    expect(await read(begun)).toMatchObject({ state: 'paused', made: 0, waiting: 3 });
    expect(await recipes()).toEqual([]);
  });

  test('another one has to wait, and it cannot be undone', async () => {
    threeRecipes();
    const begun = await start();
    const again = await anna.call(startRecipeImport, {
      params: { creatorId },
      body: { site: 'https://other.example' },
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'not_possible_now' } });
    expect((await anna.call(undoRecipeImport, paramsOf(begun))).status).toBe(409);
  });

  test('of two that start at once one begins', async () => {
    const body = { site: blog.url };
    const answers = await Promise.all(
      [1, 2, 3].map(() => anna.call(startRecipeImport, { params: { creatorId }, body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

test('pages that could not be read are tried again when the creator says so', async () => {
  threeRecipes();
  const cake = blog.answers['/cake/']!;
  blog.answers['/cake/'] = (response) => response.writeHead(503).end();
  const done = await startAndRun();
  expect(done).toMatchObject({ state: 'done', made: 2, notRead: 1 });
  blog.answers['/cake/'] = cake;
  expect((await anna.call(retryRecipeImport, paramsOf(done))).body).toMatchObject({ state: 'running', waiting: 1 });
  await run();
  expect(await read(done)).toMatchObject({ state: 'done', made: 3, notRead: 0 });
  expect((await anna.call(retryRecipeImport, paramsOf(done))).status).toBe(409);
});

test('a page that ends the program each time is left out', async () => {
  threeRecipes();
  const begun = await start();
  await step();
  await sql`update recipe_import_pages set tries = 8 where import_id = ${begun.id} and place = 1`.execute(
    app.db.engine,
  );
  await run();
  expect(await read(begun)).toMatchObject({ state: 'done', made: 2, notRead: 1 });
});

test('a creator with as many recipes as may be is told, and goes on when there is room', async () => {
  threeRecipes();
  await sql`
    insert into recipes (creator_id, id, name, url, url_key, created_at, updated_at)
    select ${creatorId}, gen_random_uuid(), 'r', 'https://x.example/' || n, 'x' || n, now(), now()
    from generate_series(1, ${QUOTAS.recipes.most - 1}) as n
  `.execute(app.db.engine);
  const full = await startAndRun();
  expect(full).toMatchObject({ state: 'failed', failure: QUOTAS.recipes.says, made: 1, waiting: 2 });
  await sql`delete from recipes where creator_id = ${creatorId} and name = 'r'`.execute(app.db.engine);
  await anna.call(continueRecipeImport, paramsOf(full));
  await run();
  expect(await read(full)).toMatchObject({ state: 'done', made: 3, failure: null });
});

describe('undo', () => {
  const undo = async (one: { id: string }) => {
    const answer = await anna.call(undoRecipeImport, paramsOf(one));
    await run();
    return answer;
  };

  test('takes away what it made and restores what it changed; what was used or changed since stays', async () => {
    threeRecipes();
    for (const name of ['jam', 'pie']) blog.recipe(`/${name}/`, name, '2 cups flour');
    const own = { name: 'Own', url: `${blog.url}/pie/`, pictureUrl: null, keywordIdeas: [], messageText: '' };
    const pie = (await anna.call(createRecipe, { params: { creatorId }, body: own })).body;
    blog.sitemap('/sitemap.xml', '/cake/', '/soup/', '/bread/', '/jam/', '/pie/');
    const done = await startAndRun();
    expect(done).toMatchObject({ made: 4, updated: 1, undoUntil: expect.any(String) });
    const [cake, soup] = ['cake', 'soup'].map(
      (name) => async () => (await recipes()).find((one) => one.name === name)!,
    );
    const connectionId = await insertConnection(app.db, creatorId);
    const buttons = [{ title: 'Get it', url: 'https://whatever.example/', recipeId: (await cake!()).id }];
    await anna.call(createAutomation, { params: { creatorId }, body: automationInput(connectionId, { buttons }) });
    const { id: soupId } = await soup!();
    const { updatedAt: _, listUrl: _url, visits: _visits, sync: _sync, ...content } = await ingredients(soupId);
    await anna.call(saveIngredients, { params: { creatorId, recipeId: soupId }, body: { ...content, servings: 2 } });
    expect((await undo(done)).body).toMatchObject({ undo: { isDone: false }, undoUntil: null });
    expect(await read(done)).toMatchObject({ undo: { isDone: true, undone: 3, kept: 2 } });
    expect(await names()).toEqual(['Own', 'cake', 'soup']);
    expect((await ingredients(pie.id)).lines).toEqual([]);
    expect((await undo(done)).status).toBe(409);
    const { rows } =
      await sql`select 1 from recipe_ingredients where creator_id = ${creatorId} and deleted_recipe is not null`.execute(
        app.db.engine,
      );
    expect(rows).toEqual([]);
  });

  test('is possible for 30 days', async () => {
    threeRecipes();
    const done = await startAndRun();
    const before = new Date(app.clock.now().getTime() - 30 * DAY_MS - 1);
    await app.db.engine.updateTable('recipe_imports').set({ finished_at: before }).where('id', '=', done.id).execute();
    expect(await read(done)).toMatchObject({ undoUntil: null });
    expect((await undo(done)).status).toBe(409);
    expect(await recipes()).toHaveLength(3);
  });

  test('after it the blog can be brought in again', async () => {
    threeRecipes();
    await undo(await startAndRun());
    expect(await recipes()).toEqual([]);
    expect(await startAndRun()).toMatchObject({ made: 3 });
  });
});

test('where the link guard sees other ingredients, the page is read again, and corrections stay', async () => {
  threeRecipes();
  await startAndRun();
  const { id: recipeId } = (await recipes()).find(({ name }) => name === 'cake')!;
  const { updatedAt: _, listUrl: _url, visits: _visits, sync: _sync, ...content } = await ingredients(recipeId);
  const lines = content.lines.map((line: object, at: number) =>
    at === 0 ? { ...line, fixes: { food: 'spelt' } } : line,
  );
  await anna.call(saveIngredients, { params: { creatorId, recipeId }, body: { ...content, lines } });
  const connectionId = await insertConnection(app.db, creatorId);
  const { body: automation } = await anna.call(createAutomation, {
    params: { creatorId },
    body: automationInput(connectionId),
  });
  const linkId = await insertWatchedLink(app.db, creatorId, automation.id, { url: `${blog.url}/cake/` });
  const look = async () => {
    await app.db.engine
      .updateTable('watched_links')
      .set({ next_check_at: new Date(0) })
      .where('id', '=', linkId)
      .execute();
    await lookAt(app.deps, { creatorId, linkId });
    return runDue(recipeJobs, app.deps);
  };
  while ((await runDue(recipeJobs, app.deps)) > 0);
  expect(await look()).toBe(0);
  blog.recipe('/cake/', 'cake', '3 cups flour', '2 tsp salt');
  expect(await look()).toBe(1);
  const now = await ingredients(recipeId);
  expect(now.sync).toMatchObject({ by: 'guard', changed: 1, waiting: 1 });
  expect(now.lines).toMatchObject([
    { text: '2 cups flour', fixes: { food: 'spelt' }, pageSays: '3 cups flour' },
    { text: '2 tsp salt' },
  ]);
});

test('another creator’s import is not there', async () => {
  const done = await start();
  const other = await app.signUpAndIn();
  const params = { creatorId: (await other.createCreator()).id, recipeImportId: done.id };
  for (const endpoint of [
    pauseRecipeImport,
    continueRecipeImport,
    retryRecipeImport,
    undoRecipeImport,
    getRecipeImport,
  ]) {
    expect((await other.call(endpoint, { params })).status).toBe(404);
  }
});
