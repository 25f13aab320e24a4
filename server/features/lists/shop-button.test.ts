/** The button for websites without our plugin: what its script may ask, and how it looks in a real browser. */
import { mkdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
import { cancelDeletion, requestDeletion } from '#contract/settings.ts';
// biome-ignore lint/style/noRestrictedImports: what a page looks like only a browser shows
import { launchBrowser } from '#e2e/browser.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { buildShopButton } from '../../../scripts/build.ts';

const HUB = 'https://hq.example.test';
const PAGE = 'https://blog.example.test/lemon-pasta/';

let app: TestApp;
let anna: Person;
let creator: { id: string; handle: string };
let listUrl: string;

beforeAll(async () => {
  await buildShopButton();
  app = await createTestApp({ settings: { BASE_URL: HUB } });
  anna = await app.signUpAndIn();
  creator = await anna.createCreator();
  listUrl = (await made(PAGE, ['2 cups flour', '3 eggs']))!;
}, 120_000);
afterAll(() => app?.close());

/** @returns the list's address */
async function made(url: string | null, texts: string[], [who, { id: creatorId }] = [anna, creator]): Promise<string> {
  const recipe = { name: 'Lemon pasta', url, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const { body } = await who.call(createRecipe, { params: { creatorId }, body: recipe });
  const facts = { group: '', fixes: {}, checked: false, sourceText: null, sourceUid: null };
  const lines = texts.map((text) => ({ ...facts, id: crypto.randomUUID(), text }));
  const input = { servings: 4, minutes: null, measures: 'us' as const, language: 'en', lines, steps: [], version: 0 };
  return (await who.call(saveIngredients, { params: { creatorId, recipeId: body.id }, body: input })).body.listUrl;
}

const ask = (query: Record<string, string> | string, visitor = app.visitor()) =>
  visitor.send({
    method: 'GET',
    url: `/s/for?${new URLSearchParams(query)}`,
    headers: { origin: new URL(PAGE).origin },
  });

test('a page whose recipe has a list gets its address, whoever asks, for ten minutes', async () => {
  const { status, body, headers } = await ask({ creator: creator.id, page: PAGE });
  expect({ status, body }).toEqual({ status: 200, body: { url: listUrl, name: 'Lemon pasta' } });
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=600',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
});

test.each([
  'http://blog.example.test/lemon-pasta',
  'https://www.blog.example.test/lemon-pasta/?utm_source=pin&fbclid=1#recipe',
])('%s is the same page', async (page) => {
  expect((await ask({ creator: creator.id, page })).body).toMatchObject({ url: listUrl });
});

describe('nothing is answered', () => {
  const nothing = async (query: Parameters<typeof ask>[0]) => {
    const { status, text, headers } = await ask(query);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers['cache-control']).toBe('public, max-age=600');
  };

  test('for a recipe without lines, with nothing to buy, and without a page', async () => {
    await made('https://blog.example.test/empty/', []);
    await nothing({ creator: creator.id, page: 'https://blog.example.test/empty/' });
    const withoutPage = await made(null, ['2 eggs']);
    await nothing({ creator: creator.id, page: withoutPage });
  });

  test('for a page that someone else has in their recipes: nobody puts a button onto another blog', async () => {
    const eve = await app.signUpAndIn();
    const hers = await eve.createCreator();
    await made('https://blog.example.test/soup/', ['1 onion'], [eve, hers]);
    await nothing({ creator: creator.id, page: 'https://blog.example.test/soup/' });
    await nothing({ creator: hers.id, page: PAGE });
  });

  test('while the account is being deleted', async () => {
    const params = { creatorId: creator.id };
    const { handle } = creator;
    expect((await anna.call(requestDeletion, { params, body: { handle } })).status).toBe(200);
    await nothing({ creator: creator.id, page: PAGE });
    await anna.call(cancelDeletion, { params });
    expect((await ask({ creator: creator.id, page: PAGE })).status).toBe(200);
  });

  test.each<[string, string]>([
    ['no page', ''],
    ['two pages', `page=${PAGE}&page=${PAGE}`],
    ['a page as an object', `page[a]=${PAGE}`],
    ['what is no page', 'page=javascript:alert(1)'],
    ['what is no address', 'page=https://'],
    ['NUL', 'page=https://blog.example.test/%00'],
    ['half of a letter', 'page=https://blog.example.test/%ED%A0%80'],
    ['an address of 3,000 letters', `page=${PAGE}${'a'.repeat(3000)}`],
    ['SQL', `page=${PAGE}' or 1=1 --`],
  ])('to %s', async (_what, query) => {
    await nothing(`creator=${creator.id}&${query}`);
  });

  test.each(['', '1', "' or true --", 'x'.repeat(36), '00000000-0000-0000-0000-000000000000'])(
    'for a creator “%s”',
    async (id) => nothing({ creator: id, page: PAGE }),
  );
});

test('addresses that are guessed: after sixty misses the network waits, and opens lists all the same', async () => {
  const guesser = app.visitor();
  const guess = (at: number) => ask({ creator: creator.id, page: `https://blog.example.test/${at}` }, guesser);
  for (let at = 0; at < 60; at++) expect((await guess(at)).status).toBe(204);
  expect(await guess(60)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60', 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
  });
  expect((await guesser.send({ method: 'GET', url: new URL(listUrl).pathname })).status).toBe(200);
  expect((await ask({ creator: creator.id, page: PAGE })).status).toBe(200);
  await app.clock.advance(61_000);
  expect((await ask({ creator: creator.id, page: PAGE }, guesser)).status).toBe(200);
});

test('its script is at most 3 kB, may be run by every website, and keeps nothing of their readers', async () => {
  const { status, text, headers } = await app.visitor().send({ method: 'GET', url: '/widgets/shop-button.js' });
  expect(status).toBe(200);
  expect(gzipSync(text).length).toBeLessThanOrEqual(3 * 1024);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(text).not.toMatch(/cookie|localStorage|sessionStorage/i);
  expect((await app.visitor().send({ method: 'GET', url: '/widgets/other.js' })).status).toBe(404);
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const tag = (more = '') =>
    `<div style="min-height:48px"><script async src="${HUB}/widgets/shop-button.js" data-creator="${creator.id}" ${more}></script></div>`;

  async function open(body: string, { url = PAGE, answers = true, ...options }: BrowserContextOptions & Opened = {}) {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    const asked: string[] = [];
    await context.route('**/*', async (route) => {
      const request = route.request();
      if (!request.url().startsWith(HUB)) {
        const head = '<meta name="viewport" content="width=device-width"><title>Lemon pasta</title>';
        return route.fulfill({
          contentType: 'text/html; charset=utf-8',
          body: `<!doctype html><html lang="en"><head>${head}</head><body style="margin:0">
            <main><h1>Lemon pasta</h1>${body}<p id="below">Below it</p></main></body></html>`,
        });
      }
      asked.push(request.url().slice(HUB.length));
      if (!answers && request.url().includes('/s/for')) return route.abort();
      const answer = await app.app.inject({ method: 'GET', url: request.url().slice(HUB.length) });
      return route.fulfill({ status: answer.statusCode, headers: answer.headers as never, body: answer.rawPayload });
    });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.addInitScript(`
      globalThis.shift = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.shift += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });`);
    await page.goto(url, { waitUntil: 'networkidle' });
    return { page, asked, errors, [Symbol.asyncDispose]: () => context.close() };
  }
  type Opened = { url?: string; answers?: boolean };

  test.each<[string, BrowserContextOptions]>([
    ['at 320 px', { viewport: { width: 320, height: 640 } }],
    ['in the dark', { colorScheme: 'dark' }],
    ['in forced colors', { forcedColors: 'active' }],
  ])('it stands where its tag stands, moves nothing, stores nothing: %s', async (way, options) => {
    await using opened = await open(tag(), { url: `${PAGE}?fbclid=secret`, ...options });
    const { page, asked, errors } = opened;
    const button = page.getByRole('link', { name: 'Shop ingredients: Lemon pasta' });
    expect(await button.getAttribute('href')).toBe(listUrl);
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate('[shift, document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
      0,
      '',
      0,
      0,
    ]);
    expect(asked).toHaveLength(2);
    expect(asked.join()).not.toContain('secret');
    expect(errors).toEqual([]);
    const axe = new AxeBuilder({ page: page as never }).setLegacyMode().options({ resultTypes: ['violations'] });
    expect((await axe.analyze()).violations.map(({ id }) => id)).toEqual([]);
    const folder = process.env.SCREENSHOTS;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/shop-button-${way.replaceAll(' ', '-')}.png` });
  });

  test('a page without a list, or a hub that is away, has nothing there', async () => {
    for (const options of [{ url: 'https://blog.example.test/story/' }, { answers: false }]) {
      await using opened = await open(tag(), options);
      expect(await opened.page.getByRole('link').count()).toBe(0);
      expect(opened.errors).toEqual([]);
    }
  });

  test('a page may name another one, and words; each tag gets one button', async () => {
    const other = tag(`data-page="${PAGE}" data-label="Kauf &lt;b&gt;ein"`);
    await using opened = await open(`<section lang="de-AT">${tag(`data-page="${PAGE}"`)}</section>${other}`, {
      url: 'https://blog.example.test/story/',
    });
    expect(await opened.page.getByRole('link').allTextContents()).toEqual(['Zutaten einkaufen', 'Kauf <b>ein']);
  });
});
