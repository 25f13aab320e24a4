/**
 * What strangers see through us of a post that is locked on the blog. Its recipe is told whole, with words that begin with "zq":
 * none of them leaves. WAYS_OUT has every way that leaves the API; a new one must be put there.
 */
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as plans from '#contract/meal-plans.ts';
import * as newsletters from '#contract/newsletters.ts';
import { listShopButtons, registerPlugin, syncBlogPosts, syncGoneBlogPosts } from '#contract/plugin.ts';
import { getIngredients, saveIngredients } from '#contract/recipe-ingredients.ts';
import { type BlogLock, listRecipes } from '#contract/recipes.ts';
import { makeApiKey } from '#contract/settings.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import { queueReaderMail } from '#server/features/reader-mails/queue-mail.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { mealPlan } from '#server/testing/inputs.ts';
import { routesOf } from '#server/testing/routes-of.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { addressKey } from './address-key.ts';
import { recipeJobs } from './jobs.ts';

const BLOG = 'https://blog.example/';
const PAGE = `${BLOG}cake/`;
const CHANGED = '2026-01-02T03:04:05Z';
const MEMBERS: BlogLock = { for: 'members', of: 'recipe' };

let kitchen: Kitchen;
let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let recipeId: string;
let list: string;
let plan: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  anna = await app.signUpAndIn();
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('creators').execute();
  creatorId = await openKitchen(app, anna);
  ({ key } = (await anna.call(makeApiKey, { params: { creatorId } })).body);
  await asPlugin('POST', registerPlugin.path, { pluginVersion: '1.0', siteUrl: BLOG });
  const shopping = (await anna.call(getShopping, { params: { creatorId } })).body;
  const { instacart: _, ...input } = shopping;
  const tesco = {
    ...{ kind: 'search', id: null, name: 'Tesco', address: 'https://tesco.example/s?q={words}' },
    ...{ countries: ['GB'], on: true },
  };
  await anna.call(changeShopping, { params: { creatorId }, body: { ...input, shops: [tesco], country: 'GB' } });
  await tell(null);
  const [recipe] = (await anna.call(listRecipes, { params: { creatorId } })).body.items;
  recipeId = recipe.id;
  const { listUrl, updatedAt: _at, lookalike: _like, sync: _sync, ...content } = await ingredients();
  const body = { ...content, steps: ['Stir zqstep'] };
  await anna.call(saveIngredients, { params: { creatorId, recipeId }, body });
  list = new URL(listUrl).pathname;
  plan = await publishPlan();
  await kitchen.inbox();
});

const asPlugin = (method: 'GET' | 'POST', url: string, body?: object) =>
  app
    .visitor()
    .send({ method, url: `/api/v1${url}`, headers: { authorization: `Bearer ${key}` }, ...(body && { body }) });
const post = (lock: BlogLock | null, { id = 1, url = PAGE }: { id?: number; url?: string } = {}) => ({
  ...{ id, url, title: 'Cake', pictureUrl: `${BLOG}cake.jpg`, categories: [], language: 'en-US', lock },
  recipe: {
    ...{ name: 'Cake', anchor: 'wprm-recipe-container-7', ingredients: [], totalMinutes: 40, yield: '4 people' },
    groups: [
      {
        name: 'zqgroup',
        lines: ['2 cups zqflour', 'a glug of zqoil'].map((text, at) => ({ text, uid: String(at) })),
      },
    ],
  },
  ...{ publishedAt: CHANGED, changedAt: CHANGED },
});
async function tell(lock: BlogLock | null, of: { id?: number; url?: string } = {}) {
  const body = { siteUrl: BLOG, waiting: 0, posts: [post(lock, of)] };
  const answer = await asPlugin('POST', syncBlogPosts.path, body);
  expect(answer.status, answer.text).toBe(200);
  await runDue(recipeJobs, { ...app.deps, log: app.deps.log } as never);
}
const ingredients = async () => (await anna.call(getIngredients, { params: { creatorId, recipeId } })).body;
async function publishPlan(): Promise<string> {
  const meals = [{ id: crypto.randomUUID(), section: 0, slot: 'dinner', recipeId, text: '', servings: null }];
  const { body } = await anna.call(plans.createMealPlan, {
    params: { creatorId },
    body: mealPlan('My week', { meals }),
  });
  const params = { creatorId, mealPlanId: body.id };
  const { version } = body;
  const published = await anna.call(plans.publishMealPlan, { params, body: { version } });
  expect(published.status).toBe(200);
  return new URL(published.body.published!.url).pathname;
}
const read = async (url: string) => {
  const { status, text, headers } = await app.visitor().send({ method: 'GET', url });
  return `${status} ${text}\n${headers.location ?? ''}`;
};
const inFile = async (url: string) => {
  const response = await app.app.inject({ url: `${url}/list.pdf` });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(response.rawPayload)), { mergePages: true });
  return text;
};
/** Whoever saved it before, or whose blog said more than it should have. */
const about = {
  ...{ url: PAGE, title: 'Cake', pictureUrl: null },
  recipe: { name: 'Cake', anchor: null, ingredients: ['2 cups zqflour', 'zqoil'], totalMinutes: 40, yield: '4' },
};
async function saveMail(): Promise<string> {
  const contactId = await addReader(app, creatorId, 'ada@example.test', []);
  const mail = { creatorId, kind: 'save', contactId, about, newsletterQuestion: null, submissionId: null } as const;
  await app.db.withCreator(creatorId, (trx) => queueReaderMail(trx, app.deps, mail));
  await kitchen.deliver();
  const [sent] = await kitchen.inbox();
  return `${sent!.subject} ${sent!.html} ${sent!.text}`;
}
async function newsletter(): Promise<string> {
  await addReader(app, creatorId, 'ada@example.test');
  const { body } = await anna.call(newsletters.createBroadcast, { params: { creatorId } });
  const params = { creatorId, broadcastId: body.id };
  const blocks = [
    { id: 'list', hideWhen: null, kind: 'recipes', recipeIds: [recipeId], count: 2 },
    ...body.design.blocks.filter(({ kind }: { kind: string }) => kind === 'footer'),
  ];
  const design = { ...body.design, blocks };
  const changed = await anna.call(newsletters.changeBroadcast, {
    params,
    body: { version: body.version, design, segment: null },
  });
  await anna.call(newsletters.sendBroadcast, { params, body: { version: changed.body.version, sendAt: null } });
  await app.clock.advance(newsletters.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  const [sent] = await kitchen.inbox();
  return `${sent!.html} ${sent!.text}`;
}

/** `shows`: what comes out while nothing is locked. `says`: that it is locked, and where to read it. */
const WAYS_OUT: { way: string; routes?: string[]; shows: RegExp; says?: true; open: () => Promise<string> }[] = [
  { way: 'a list', routes: ['/s/:code'], shows: /zqflour[\s\S]*zqstep/, says: true, open: () => read(list) },
  {
    way: 'a list for other servings',
    shows: /zqflour/,
    says: true,
    open: () => read(`${list}?n=8&k=`),
  },
  { way: 'a list as a file', routes: ['/s/:code/list.pdf'], shows: /zqflour/, says: true, open: () => inFile(list) },
  {
    way: 'a list at a shop',
    routes: ['/s/:code/go/:shop'],
    shows: /zqflour/,
    open: async () => {
      const [, shop] = /\/go\/(\w+)/.exec(await read(`${list}?c=GB`)) ?? [];
      return read(`${list}/go/${shop ?? 'amazon'}?c=GB`);
    },
  },
  { way: 'a meal plan', shows: /zqflour/, says: true, open: () => read(plan) },
  { way: 'a meal plan as a file', shows: /zqflour/, says: true, open: () => inFile(plan) },
  {
    way: 'the button of any website',
    routes: ['/s/for'],
    shows: /\/s\//,
    open: () => read(`/s/for?${new URLSearchParams({ creator: creatorId, page: PAGE })}`),
  },
  {
    way: 'the button of the plugin',
    shows: /"code"/,
    open: async () =>
      JSON.stringify(
        (await asPlugin('GET', `${listShopButtons.path}?siteUrl=${encodeURIComponent(BLOG)}`)).body.buttons,
      ),
  },
  { way: 'Save to Email', shows: /zqflour[\s\S]*Shop this recipe/, says: true, open: saveMail },
  { way: 'a newsletter', shows: /Shop this recipe/, open: newsletter },
];
/** Of these nothing of a recipe comes but its name, picture and address, which strangers see on the blog, too. */
const NOTHING_OF_RECIPES = [
  ...[
    /^\/webhooks\//,
    /^\/widgets\//,
    /^\/\.well-known\//,
    /^\/internal\//,
    /^\/(?:readyz|healthz|robots\.txt)$/,
    /^\/data-deletion\//,
  ],
  // They lead elsewhere, on our own host and on creators'.
  ...[/^\/l\/:code/, /^\/:code/],
  // Names and pictures; what is sent again from there is a mail as above.
  /^\/e\/cookbook\//,
  // Forms read the page itself, as strangers see it.
  ...[/^\/f\/:key/, /^\/e\/(?:confirm|more|unsubscribe|not-me|sample)/],
];

describe.each(WAYS_OUT)('$way', ({ shows, says, open }) => {
  test('shows nothing of a locked recipe that strangers do not see on the blog, and all of it once it is open', async () => {
    await tell(MEMBERS);
    const locked = (await open()).replaceAll(/\s+/g, ' ');
    expect(locked.match(/zq\w+/g) ?? []).toEqual([]);
    expect(locked).not.toMatch(shows);
    if (says) {
      expect(locked).toContain('Only for members.');
      expect(locked).toContain('Read it on the blog.');
      expect(locked).toContain('Cake');
    }
    await tell(null);
    expect(await open()).toMatch(shows);
  });
});

test('every way out of the API stands in the table, or shows nothing of recipes', () => {
  const known = WAYS_OUT.flatMap(({ routes = [] }) => routes);
  const unknown = routesOf(app.app)
    .map(({ url }) => url)
    .filter((url) => !url.startsWith('/api/') && !known.includes(url));
  expect([...new Set(unknown)].filter((url) => !NOTHING_OF_RECIPES.some((fits) => fits.test(url)))).toEqual([]);
});

test('the creator sees all of it, with the lock beside it', async () => {
  await tell({ for: 'subscribers', of: 'recipe' });
  expect((await ingredients()).lines).toMatchObject([{ text: '2 cups zqflour' }, { text: 'a glug of zqoil' }]);
  const lock = async () => (await anna.call(listRecipes, { params: { creatorId } })).body.items[0].lock;
  expect(await lock()).toEqual({ for: 'subscribers', of: 'recipe' });
  expect(await read(list)).toContain('Only for subscribers.');
  await tell(null);
  expect(await lock()).toBeNull();
});

test('a lock of other text leaves the recipe open', async () => {
  await tell({ for: 'members', of: 'text' });
  expect(await read(list)).toContain('zqflour');
});

test('a recipe in two posts is locked by the strictest, and stays locked when its only post is no longer public', async () => {
  await tell(null, { id: 2, url: `${BLOG}again/` });
  await tell(MEMBERS);
  expect(await read(list)).not.toContain('zq');
  await asPlugin('POST', syncGoneBlogPosts.path, { siteUrl: BLOG, ids: [1] });
  expect(await read(list)).toContain('zqflour');
  await tell(MEMBERS, { id: 2, url: `${BLOG}again/` });
  await asPlugin('POST', syncGoneBlogPosts.path, { siteUrl: BLOG, ids: [2] });
  expect(await read(list)).not.toContain('zq');
  expect(await read(plan)).not.toContain('zq');
});

describe('a lock is found', () => {
  const isShut = async (page: string) => {
    const ways = WAYS_OUT.filter(({ way }) => /a list$|a meal plan$|of the plugin/.test(way));
    expect((await Promise.all(ways.map(({ open }) => open()))).join('')).not.toMatch(/zq|"code"/);
    expect(await read(`/s/for?${new URLSearchParams({ creator: creatorId, page })}`)).not.toContain('/s/');
  };

  test('by the address of the post, where the creator wrote the recipe themselves', async () => {
    await tell(MEMBERS, { id: 9 });
    const posts = app.db.engine.updateTable('blog_posts').where('creator_id', '=', creatorId);
    await posts.set({ recipe_id: null }).execute();
    await isShut(PAGE);
  });

  test('by the recipe, where the post has another address now', async () => {
    await tell(MEMBERS);
    const recipes = app.db.engine.updateTable('recipes').where('creator_id', '=', creatorId);
    await recipes.set({ url: `${BLOG}pie/`, url_key: addressKey(`${BLOG}pie/`) }).execute();
    await isShut(`${BLOG}pie/`);
  });
});
