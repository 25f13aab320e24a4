import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
import { shopJobs } from '#server/features/shops/jobs.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';

let simulator: ShopsSimulator;
let app: TestApp;
beforeAll(async () => {
  simulator = await startShopsSimulator({ clock: { now: () => app.clock.now() } });
  app = await createTestApp({ settings: { INSTACART_URL: simulator.url, INSTACART_API_KEY: simulator.apiKey } });
});
afterAll(async () => {
  await app?.close();
  await simulator?.close();
});

const PAGE = 'https://blog.example/soup';
const PHONE = { 'user-agent': 'Mozilla/5.0 (iPhone)' };

/** @returns the path of the list of a soup of three onions */
async function listOfSoup(): Promise<string> {
  const anna = await app.signUpAndIn();
  const { id: creatorId } = await anna.createCreator();
  const recipe = { name: 'Soup', url: PAGE, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const { body: made } = await anna.call(createRecipe, { params: { creatorId }, body: recipe });
  const text = { id: crypto.randomUUID(), group: '', text: '3 onions', fixes: {}, checked: false };
  const lines = [{ ...text, sourceText: null, sourceUid: null }];
  const { body: saved } = await anna.call(saveIngredients, {
    params: { creatorId, recipeId: made.id },
    body: { servings: 4, minutes: 20, measures: 'us', language: 'en', steps: [], lines, version: 0 },
  });
  // A key has its turn once a second.
  await app.clock.advance(2_000);
  await runDue(shopJobs, { ...app.deps, log: app.deps.log });
  return new URL(saved.listUrl!).pathname;
}

async function go(address: string, headers: Record<string, string> = {}) {
  await app.clock.advance(2_000);
  return app.visitor().send({ method: 'GET', url: address, headers: { ...PHONE, ...headers } });
}

test('a shop that cannot take a selection says so before it opens with another amount', async () => {
  const list = await listOfSoup();
  const usual = await go(`${list}/go/instacart?n=4`);
  expect(usual).toMatchObject({ status: 302, headers: { location: expect.stringContaining(simulator.url) } });
  const eight = await go(`${list}/go/instacart?n=8`);
  expect(eight.status).toBe(302);
  expect(eight.headers.location).not.toBe(usual.headers.location);
  simulator.failNext('web_page');
  const failed = await go(`${list}/go/instacart?n=12`);
  expect(failed.status).toBe(200);
  expect(failed.text).toContain('didn’t get your selection');
  expect(failed.text).toContain(`href="${String(usual.headers.location)}"`);
  expect(failed.text).toContain('n=12">Back to the list');
});

const EVIL = 'https://evil.example/x';
const SHOPS = [
  ...['instacart', 'amazon', 'search', 'list', encodeURIComponent(EVIL), '%2F%2Fevil.example', '..%2F..%2Fl%2Fevil'],
  ...[
    'instacart%0d%0alocation:%20https:%2F%2Fevil.example',
    'javascript:alert(1)',
    '%5C%5Cevil.example',
    'instacart%00',
  ],
];
const ASKED = [
  ...['', `url=${EVIL}`, `c=${EVIL}`, `n=${EVIL}`, `i=${EVIL}`, `k=${EVIL}`, 'k=x&i=//evil.example', `shop=${EVIL}`],
  ...['c=DE&to=//evil.example', 'c=US%0d%0alocation:https://evil.example', `next[]=${EVIL}&c[]=US`, `#${EVIL}`],
];
const SENT: Record<string, string>[] = [
  {},
  { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', referer: EVIL },
];
const CRAFTED = SHOPS.flatMap((shop) => ASKED.flatMap((asked) => SENT.map((headers) => ({ shop, asked, headers }))));

test(`of ${CRAFTED.length} crafted requests none leads to an address that is not in the creator’s rows`, async () => {
  expect(CRAFTED.length).toBeGreaterThan(200);
  const list = await listOfSoup();
  const allowed = new Set([new URL(app.deps.config.baseUrl).host, new URL(simulator.url).host, new URL(PAGE).host]);
  const statuses = new Set<number>();
  for (const { shop, asked, headers } of CRAFTED) {
    const answer = await go(`${list}/go/${shop}?${asked}`, headers);
    statuses.add(answer.status);
    const inPage = [...answer.text.matchAll(/(?:href|src|action|content)="([^"]*:?\/\/[^"]*)"/g)].map(
      ([, found]) => found!,
    );
    const leads = [answer.headers.location, answer.headers.refresh, ...inPage].filter((found) => found !== undefined);
    for (const found of leads) expect(allowed).toContain(new URL(String(found), app.deps.config.baseUrl).host);
  }
  // What was asked for properly did lead there.
  expect(statuses).toEqual(new Set([302, 200, 404]));
});

// Last: who signed in before it is signed out after it.
test('a list sent on day 0 and opened on day 400 works, and leads to a page of the shop that is there', async () => {
  const list = await listOfSoup();
  const before = (await go(`${list}/go/instacart`)).headers.location as string;
  await app.clock.advance(400 * 86_400_000);
  expect((await go(list)).text).toContain('onions');
  const after = (await go(`${list}/go/instacart`)).headers.location as string;
  expect(after).not.toBe(before);
  expect([(await fetch(before)).status, (await fetch(after)).status]).toEqual([404, 200]);
});
