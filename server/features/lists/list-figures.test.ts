/** From a follower's comment through its message and list to a shop: who went where, and which post and word brought them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getListFigures } from '#contract/list-figures.ts';
import { saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let followers: Followers;
let account: WorldCreator;
let recipeId: string;
let listUrl: string;
let shop: string;

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Instagram 400.0';
const DAY_MS = 86_400_000;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app);
  account = await followers.connect(creatorId, 10);
  ({ recipeId, listUrl } = await recipe('Lemon pasta'));
  const { instacart: _, ...settings } = (await anna.call(getShopping, { params: { creatorId } })).body;
  const search = { kind: 'search', on: true, id: null, countries: [], name: 'Corner shop' };
  const body = { ...settings, shops: [{ ...search, address: 'https://shop.example/?q={words}' }] };
  shop = (await anna.call(changeShopping, { params: { creatorId }, body })).body.shops[0].id;
  await followers.automation(anna, account, {
    words: ['pasta'],
    buttons: [{ title: 'Shop ingredients', url: listUrl, recipeId, part: 'list' }],
  });
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

async function recipe(name: string) {
  const body = { name, url: null, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const made = await anna.call(createRecipe, { params: { creatorId }, body });
  const line = { id: crypto.randomUUID(), group: '', text: '3 eggs', fixes: {}, checked: false, sourceText: null };
  const ingredients = {
    ...{ servings: 4, minutes: null, measures: 'us' as const, language: 'en', steps: [], version: 1 },
    lines: [{ ...line, sourceUid: null }],
  };
  const params = { creatorId, recipeId: made.body.id };
  const saved = await anna.call(saveIngredients, { params, body: ingredients });
  return { recipeId: made.body.id as string, listUrl: saved.body.listUrl as string };
}

const go = (url: string) =>
  app.visitor().send({ method: 'GET', url: url.replace(/^https?:\/\/[^/]+/, ''), headers: { 'user-agent': PHONE } });

async function messageOf(text: string) {
  const { deliveryId } = await followers.ask(account, { text });
  const { content } = await app.db.engine
    .selectFrom('deliveries')
    .select('content')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  return (content as { buttons: { url: string }[] }).buttons[0]!.url;
}

async function figures(query: { recipeId?: string } = {}) {
  await app.deps.clicks.flush();
  return (await anna.call(getListFigures, { params: { creatorId }, query })).body;
}

test('people who open a list and go to a shop are counted by shop, post, word and kind of message', async () => {
  for (const goesOn of [true, false]) {
    const tapped = await go(await messageOf('pasta please'));
    const page = await go(String(tapped.headers.location));
    expect(page.text).toMatch(/name="m" value="[\w-]{22}"/);
    const m = /name="m" value="([^"]+)"/.exec(page.text)![1];
    if (goesOn) await go(`${listUrl}/go/${shop}?m=${m}`);
    // Later, from the same message, and for other servings: the same person.
    await app.clock.advance(120_000);
    await go(`${listUrl}?m=${m}`);
  }
  await go(listUrl);
  const sums = { opened: 3, toShops: 1 };
  const ofMessages = { opened: 2, toShops: 1 };
  const other = { opened: 1, toShops: 0 };
  expect(await figures()).toEqual({
    ...sums,
    shops: [{ shop, name: 'Corner shop', people: 1 }],
    posts: [
      { ...ofMessages, postId: account.posts[0]!.mediaId, caption: null },
      { ...other, postId: null, caption: null },
    ],
    words: [
      { ...ofMessages, word: 'pasta' },
      { ...other, word: null },
    ],
    doors: [
      { ...ofMessages, door: 'comment' },
      { ...other, door: 'other' },
    ],
    recipes: [{ ...sums, recipeId, name: 'Lemon pasta' }],
  });
});

test('a message that is made up, or of another recipe, counts as none; robots do not count', async () => {
  const other = await recipe('Soup');
  const message = await messageOf('pasta');
  const tapped = await go(message);
  const m = new URL(String(tapped.headers.location)).searchParams.get('m');
  // Who passes the list on must not pass on the message's own links.
  expect(m).not.toBe(message.split('/').at(-1));
  await go(`${other.listUrl}?m=${m}`);
  await go(`${other.listUrl}?m=AAAAAAAAAAAAAAAAAAAAAA`);
  await go(`${other.listUrl}?m=${'x'.repeat(5000)}`);
  await app
    .visitor()
    .send({ method: 'GET', url: new URL(other.listUrl).pathname, headers: { 'user-agent': 'curl/8' } });
  const found = await figures({ recipeId: other.recipeId });
  expect(found).toMatchObject({ opened: 3, toShops: 0, doors: [{ door: 'other' }], words: [{ word: null }] });
});

test('what is older than 28 days, and what a stranger asks for, is not there', async () => {
  expect((await figures()).opened).toBeGreaterThan(0);
  const stranger = await app.signUpAndIn();
  const params = { creatorId: (await stranger.createCreator()).id };
  expect((await stranger.call(getListFigures, { params, query: { recipeId } })).body.opened).toBe(0);
  await app.clock.advance(29 * DAY_MS);
  await anna.call(getShopping, { params: { creatorId } });
  const empty = { opened: 0, toShops: 0, shops: [], posts: [], words: [], doors: [], recipes: [] };
  expect(await figures()).toEqual(empty);
});
