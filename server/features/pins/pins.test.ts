/** Sponsor pins over HTTP, on lists that shoppers open and at a simulated Instacart, with a clock that moves past midnight. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe } from '#contract/recipes.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import {
  changeSponsorPin,
  createSponsorPin,
  deleteSponsorPin,
  endSponsorProof,
  listSponsorPins,
  type SponsorPin,
} from '#contract/sponsor-pins.ts';
import { FEATURES } from '#server/features/registered.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { sponsorPin } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Instagram 400.0';

let simulator: ShopsSimulator;
let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  simulator = await startShopsSimulator({ clock: { now: () => app.clock.now() } });
  app = await createTestApp({ settings: { INSTACART_URL: simulator.url, INSTACART_API_KEY: simulator.apiKey } });
});
afterAll(async () => {
  await app?.close();
  await simulator?.close();
});
beforeEach(async () => {
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
});

/** Days from today in the zone. */
function day(from: number, timeZone = 'America/New_York'): string {
  const at = new Date(app.clock.now().getTime() + from * 24 * HOUR_MS);
  return at.toLocaleDateString('en-CA', { timeZone });
}
const running = (food: string, over: object = {}) => sponsorPin(food, { from: day(-1), to: day(1), ...over });
const create = (body: object) => anna.call(createSponsorPin, { params: { creatorId }, body: body as never });
async function pin(body: object): Promise<SponsorPin> {
  const made = await create(body);
  expect(made.body).toMatchObject({ id: expect.any(String) });
  return made.body;
}
const pins = async () => (await anna.call(listSponsorPins, { params: { creatorId } })).body.items as SponsorPin[];

async function list(texts: string[], name = 'Pasta') {
  const body = { name, url: null, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const made = await anna.call(createRecipe, { params: { creatorId }, body });
  const nothing = { group: '', fixes: {}, checked: false, sourceText: null, sourceUid: null };
  const saved = await anna.call(saveIngredients, {
    params: { creatorId, recipeId: made.body.id },
    body: {
      ...{ servings: 4, minutes: null, measures: 'us' as const, language: 'en', steps: [], version: 1 },
      lines: texts.map((text) => ({ id: crypto.randomUUID(), text, ...nothing })),
    },
  });
  return { recipeId: made.body.id as string, path: new URL(saved.body.listUrl!).pathname };
}
const get = (url: string, userAgent = PHONE) =>
  app.visitor().send({ method: 'GET', url, headers: { 'user-agent': userAgent } });
const sentToInstacart = () =>
  simulator.ledger.calls.flatMap(({ body }) => (body as { ingredients?: Record<string, unknown>[] }).ingredients ?? []);
/** Instacart is asked once a second at most. */
async function goToShop(path: string, query = '') {
  await app.clock.advance(2_000);
  return get(`${path}/go/instacart${query}`);
}
const PIN_JOBS = FEATURES.flatMap(({ jobs = [] }) => jobs).filter(({ name }) => /pin/.test(name));
/** Each has its turn once an hour at least. */
async function runJobs() {
  await app.clock.advance(HOUR_MS);
  await runDue(PIN_JOBS, app.deps as never);
}

describe('a pin', () => {
  test('is kept as it was entered, changed with its version, and deleted', async () => {
    const made = await pin(running('pasta', { asins: [{ marketplace: 'amazon.com', asin: 'b000exampl' }] }));
    expect(made).toMatchObject({
      ...{ foods: ['pasta'], version: 1, state: 'running', seen: 0, went: 0, proofEndedAt: null },
      ...{ asins: [{ marketplace: 'amazon.com', asin: 'B000EXAMPL' }] },
      proofUrl: expect.stringMatching(/\/s\/[0-9A-Za-z]{16}$/),
    });
    const params = { creatorId, pinId: made.id };
    const body = { ...running('pasta'), product: 'Rummo', version: 1 };
    const both = await Promise.all([1, 2].map(() => anna.call(changeSponsorPin, { params, body })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await pins()).toMatchObject([{ product: 'Rummo', version: 2 }]);
    expect((await anna.call(deleteSponsorPin, { params })).status).toBe(200);
    expect((await anna.call(deleteSponsorPin, { params })).status).toBe(404);
    expect(await pins()).toEqual([]);
  });

  test.each([
    ['that ends before it begins', { from: '2026-03-02', to: '2026-03-01' }, 'to'],
    ['of two years', { from: '2026-01-01', to: '2027-12-31' }, 'to'],
    ['on a day that is none', { from: '2026-02-30' }, 'from'],
    ['of a zone that is none', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['of no food', { foods: [] }, 'foods'],
    ['of an empty food', { foods: [' '] }, 'foods.0'],
    ['without a product', { product: ' ' }, 'product'],
    ['without a word that discloses it', { disclosure: '' }, 'disclosure'],
    ['with a UPC of letters', { upcs: ['abcdefgh'] }, 'upcs.0'],
    ['with an ASIN that is none', { asins: [{ marketplace: 'amazon.com', asin: '../evil' }] }, 'asins.0.asin'],
    [
      'with two ASINs of one Amazon',
      { asins: ['B000000001', 'B000000002'].map((asin) => ({ marketplace: 'amazon.com', asin })) },
      'asins',
    ],
    ['of a recipe of somebody else', { recipeIds: [crypto.randomUUID()] }, 'recipeIds'],
  ])('%s is refused at its field', async (_, over, path) => {
    const answer = await create(running('pasta', over));
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect(await pins()).toEqual([]);
  });

  test('for a food that has one at that time is refused, naming the other; before, after and elsewhere it is not', async () => {
    const { recipeId } = await list(['1 lb spaghetti']);
    const { recipeId: other } = await list(['1 lb spaghetti'], 'Other');
    await pin(running('scallions', { product: 'Green Giant' }));
    const twice = await create(running('green onion', { foods: ['eggs', 'green onion'] }));
    expect(twice).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(twice.body.errors[0]).toMatchObject({ path: 'foods', message: expect.stringContaining('“Green Giant”') });
    await pin(running('scallions', { from: day(2), to: day(3) }));
    await pin(running('scallions', { from: day(-3), to: day(-2) }));
    await pin(running('eggs', { recipeIds: [recipeId] }));
    await pin(running('eggs', { recipeIds: [other] }));
    expect((await create(running('egg'))).status).toBe(409);
    const atOnce = await Promise.all([1, 2, 3].map(() => create(running('butter'))));
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

describe('in its time', () => {
  test('a list shows the product with its word, and shops get its codes', async () => {
    const { path } = await list(['1 lb spaghetti', '3 eggs']);
    const asins = [{ marketplace: 'amazon.com', asin: 'B000EXAMPL' }];
    await pin(running('spaghetti', { asins, product: 'Barilla <b>Spaghetti</b>' }));
    const page = await get(path);
    expect(page.text).toContain('<b>Ad</b> <bdi>Barilla &lt;b&gt;Spaghetti&lt;/b&gt;</bdi>');
    expect(page.text.match(/class="pin"/g)).toHaveLength(1);
    await goToShop(path);
    const codes = { upcs: ['076808280739'], filters: { brand_filters: ['Barilla'] } };
    expect(sentToInstacart().slice(-2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Barilla Spaghetti', ...codes }),
        expect.not.objectContaining({ upcs: expect.anything() }),
      ]),
    );
    const { instacart: _, ...settings } = (await anna.call(getShopping, { params: { creatorId } })).body;
    const amazonTags = [{ marketplace: 'amazon.com', tag: 'anna-20' }];
    await anna.call(changeShopping, { params: { creatorId }, body: { ...settings, amazonTags } });
    expect((await get(`${path}/go/amazon`)).text).toContain('https://www.amazon.com/dp/B000EXAMPL?tag=anna-20');
  });

  test('a pin of chosen recipes is on their lists alone, and none is on a stranger’s', async () => {
    const [chosen, other] = [await list(['3 eggs']), await list(['3 eggs'], 'Other')];
    await pin(running('eggs', { recipeIds: [chosen.recipeId] }));
    expect((await get(chosen.path)).text).toContain('class="pin"');
    expect((await get(other.path)).text).not.toContain('class="pin"');
    anna = await app.signUpAndIn();
    creatorId = (await anna.createCreator()).id;
    expect((await get((await list(['3 eggs'])).path)).text).not.toContain('class="pin"');
  });

  test('it begins and ends at midnight of the creator’s zone, and shops’ pages with it', async () => {
    const zone = 'Pacific/Auckland';
    const { path } = await list(['3 eggs']);
    const [from, to] = [day(1, zone), day(2, zone)];
    await pin(running('eggs', { from, to, timeZone: zone, product: 'Happy Eggs' }));
    const midnight = (date: string) => {
      // The first moment of that day there, found by trying each quarter of an hour.
      let at = Date.parse(`${date}T00:00:00Z`) - 15 * HOUR_MS;
      while (new Date(at).toLocaleDateString('en-CA', { timeZone: zone }) < date) at += 15 * MINUTE_MS;
      return at;
    };
    const goTo = (at: number) => app.clock.advance(at - app.clock.now().getTime());
    const isPinned = async () => (await get(path)).text.includes('Happy Eggs');
    const pageAt = async () => (await goToShop(path)).headers.location;

    await goTo(midnight(from) - MINUTE_MS);
    expect(await isPinned()).toBe(false);
    const plain = await pageAt();
    await goTo(midnight(from));
    expect(await isPinned()).toBe(true);
    const pinned = await pageAt();
    expect(pinned).not.toBe(plain);
    expect(sentToInstacart().at(-1)).toMatchObject({ name: 'Happy Eggs', upcs: ['076808280739'] });
    await goTo(midnight(day(0, zone)) + 24 * HOUR_MS);
    const end = midnight(to) + 24 * HOUR_MS;
    await goTo(end - MINUTE_MS);
    expect(await isPinned()).toBe(true);
    await goTo(end + MINUTE_MS);
    expect(await isPinned()).toBe(false);
    expect(await pageAt()).toBe(plain);
  });
});

test('pages that shops made are made anew in the background when a pin begins, changes and ends', async () => {
  const { path } = await list(['3 eggs']);
  await goToShop(path);
  const made = await pin(running('eggs', { product: 'Happy Eggs' }));
  // Only pages of lists as they start are prepared.
  await app.db.engine.updateTable('shop_pages').set({ is_usual: true }).where('creator_id', '=', creatorId).execute();
  const prepared = async () => {
    await runJobs();
    const rows = await app.db.engine
      .selectFrom('shop_pages')
      .select('list')
      .where('creator_id', '=', creatorId)
      .where('is_usual', '=', true)
      .execute();
    return rows.map(({ list: kept }) => JSON.stringify(kept)).join(' ');
  };
  expect(await prepared()).toContain('Happy Eggs');
  const body = { ...running('eggs', { product: 'Merry Eggs' }), version: 1 };
  await anna.call(changeSponsorPin, { params: { creatorId, pinId: made.id }, body });
  expect(await prepared()).toContain('Merry Eggs');
  await app.clock.advance(72 * HOUR_MS);
  expect(await prepared()).not.toContain('Eggs"');
});

test('sponsor pin with a proof page: people who saw it and who went to a shop, by day, until the creator ends it', async () => {
  const { path } = await list(['3 eggs', '1 cup milk']);
  const made = await pin(running('eggs', { product: 'Happy Eggs' }));
  const proof = new URL(made.proofUrl).pathname;
  expect((await get(proof)).text).toContain('No one has seen it yet.');
  await get(path);
  await get(path, 'facebookexternalhit/1.1');
  const ids = /name="k" value="([^"]+)"/.exec((await get(path)).text)![1]!.split('.');
  await goToShop(path);
  // Not with the food that has the pin.
  const rows = [...(await get(path)).text.matchAll(/value="([0-9a-f]+)" checked><span>(.*?)<\/span>/g)];
  const milk = rows.find(([, , label]) => label!.includes('milk'))![1]!;
  await goToShop(path, `?k=${ids.join('.')}&i=${milk}`);
  await app.deps.clicks.flush();

  const page = await get(proof);
  expect(page.status).toBe(200);
  expect(page.text).toContain('Happy Eggs');
  expect(page.text).toMatch(/<th scope="row">[^<]+<\/th><td>3<\/td><td>1<\/td>/);
  expect(page.text).not.toMatch(/instagram|follower|username/i);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(await pins()).toMatchObject([{ seen: 3, went: 1 }]);

  // Clicks go after a month; their sums stay.
  await runJobs();
  await app.db.engine.deleteFrom('clicks').execute();
  expect((await get(proof)).text).toMatch(/<td>3<\/td><td>1<\/td>/);

  const { body } = await anna.call(endSponsorProof, { params: { creatorId, pinId: made.id } });
  expect(body.proofEndedAt).toBe(app.clock.now().toISOString());
  expect(await get(proof)).toMatchObject({ status: 410, text: expect.stringContaining('This page has ended') });
  expect((await get(path)).text).toContain('Happy Eggs');
  expect((await get(`/s/${'x'.repeat(16)}`)).status).toBe(404);
});
