/** Shops of creators, over HTTP and against the simulator, whose clock is the test's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AmazonRule, changeAmazonRules } from '#contract/amazon-rules.ts';
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';
import { changeInstacart, changeShopping, getShopping, type ShoppingSettings, testShop } from '#contract/shops.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { listFor } from '#server/platforms/shops/testing/lists.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';
import { shopJobs } from './jobs.ts';
import { listSettings, type Opened, prepareShopPages, shopPageFor } from './shop-pages.ts';

const HOUR_MS = 3_600_000;

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
  simulator.setKeyGood(true);
  await app.db.engine.deleteFrom('shop_pages').execute();
  // Every pause of before is over.
  await app.clock.advance(2 * HOUR_MS);
  simulator.ledger.calls.length = 0;
});

const params = () => ({ creatorId });
const settings = async () => (await anna.call(getShopping, { params: params() })).body as ShoppingSettings;
const inputOf = ({ instacart: _instacart, ...input }: ShoppingSettings) => input;
const save = async (more: Partial<ShoppingSettings>) =>
  anna.call(changeShopping, { params: params(), body: { ...inputOf(await settings()), ...more } });
const tesco = {
  kind: 'search',
  id: null,
  name: 'Tesco',
  address: 'https://tesco.example/s?q={words}',
  countries: ['GB'],
} as const;

const soup = listFor(['2 cups flour', '3 onions', 'salt']);
const open = (
  shop = 'instacart',
  { list = soup, keys = null as string[] | null, country = 'US' as string | null, mayAsk = true } = {},
): Promise<Opened> =>
  shopPageFor(app.deps, creatorId, list, shop, { keys: keys && new Set(keys) }, { country, channel: 'other', mayAsk });
const run = () => runDue(shopJobs, { ...app.deps, log: app.deps.log });
const calls = () => simulator.ledger.calls.length;

describe('settings', () => {
  test('begin with the shops that need nothing but a key or tag, and never show a key', async () => {
    expect(await settings()).toMatchObject({
      version: 0,
      shops: [
        { kind: 'instacart', on: true },
        { kind: 'amazon', on: true },
      ],
      measures: 'us',
      instacart: { key: 'installation', keyEnd: null },
    });
    const changed = await anna.call(changeInstacart, { params: params(), body: { apiKey: 'my-own-secret-4f2a' } });
    expect(changed.body.instacart).toMatchObject({ key: 'own', keyEnd: '4f2a' });
    expect(JSON.stringify(await settings())).not.toContain('my-own-secret');
    const row = await app.db.engine
      .selectFrom('shop_settings')
      .selectAll()
      .where('creator_id', '=', creatorId)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('my-own-secret');
    await anna.call(changeInstacart, { params: params(), body: { apiKey: null, partnerId: '42' } });
    expect((await settings()).instacart).toMatchObject({ key: 'installation', keyEnd: null, partnerId: '42' });
  });

  test('are saved in the creator’s order; a search shop keeps the id that lists name it by', async () => {
    const saved = await save({
      shops: [tesco, { kind: 'amazon', on: false }].map((shop) => ({ on: true, ...shop })) as never,
    });
    expect(saved.status).toBe(200);
    const [first, second, ...rest] = saved.body.shops;
    expect(first).toMatchObject({ kind: 'search', id: expect.stringMatching(/^\w{8}$/) });
    expect([second, ...rest]).toEqual([
      { kind: 'amazon', on: false },
      { kind: 'instacart', on: false },
    ]);
    const again = await save({ shops: [second, { ...first, name: 'Tesco UK' }] });
    expect(again.body.shops[1]).toEqual({ ...first, name: 'Tesco UK' });
  });

  test('are refused when someone changed them meanwhile, and keys are no such change', async () => {
    const before = inputOf(await settings());
    await anna.call(changeInstacart, { params: params(), body: { partnerId: '1' } });
    expect((await anna.call(changeShopping, { params: params(), body: { ...before, disclosure: 'Ad' } })).status).toBe(
      200,
    );
    const late = await anna.call(changeShopping, { params: params(), body: before });
    expect(late).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect((await settings()).disclosure).toBe('Ad');
    const now = inputOf(await settings());
    const saving = ['salt', 'pepper'].map((food) =>
      anna.call(changeShopping, { params: params(), body: { ...now, pantry: [food] } }),
    );
    const both = await Promise.all(saving);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('several tags of one Amazon, of which the first is the main one, stay', async () => {
    const amazonTags = [
      { marketplace: 'amazon.com', tag: 'annareels-20' },
      { marketplace: 'amazon.com', tag: 'anna-20' },
      { marketplace: 'amazon.de', tag: 'anna-21' },
    ] as const;
    const { version } = await settings();
    expect((await save({ amazonTags: [...amazonTags] } as never)).status).toBe(200);
    expect((await settings()).amazonTags).toEqual(amazonTags);
    expect((await settings()).version).toBe(version + 1);
  });

  test.each([
    ['a shop over http', { shops: [{ ...tesco, on: true, address: 'http://a.example/{words}' }] }, 'shops.0.address'],
    ['a shop without {words}', { shops: [{ ...tesco, on: true, address: 'https://a.example/' }] }, 'shops.0.address'],
    ['a shop without a name', { shops: [{ ...tesco, on: true, name: ' ' }] }, 'shops.0.name'],
    ['a shop of somebody else', { shops: [{ ...tesco, on: true, id: 'stranger' }] }, 'shops.0.name'],
    [
      'a shop twice',
      {
        shops: [
          { kind: 'amazon', on: true },
          { kind: 'amazon', on: false },
        ],
      },
      'shops',
    ],
    ['eleven shops', { shops: Array.from({ length: 14 }, () => ({ ...tesco, on: true })) }, 'shops'],
    ['a tag that is none', { amazonTags: [{ marketplace: 'amazon.com', tag: 'a&tag=b-20' }] }, 'amazonTags.0.tag'],
    ['a tag twice', { amazonTags: [1, 2].map(() => ({ marketplace: 'amazon.com', tag: 'anna-20' })) }, 'amazonTags'],
    ['Amazon of nowhere', { amazonTags: [{ marketplace: 'amazon.evil', tag: 'anna-20' }] }, 'amazonTags.0.marketplace'],
    ['a country of three letters', { country: 'USA' }, 'country'],
    ['a pantry of emptiness', { pantry: ['salt', ' '] }, 'pantry.1'],
    ['a pantry without end', { pantry: Array.from({ length: 201 }, (_, at) => `food ${at}`) }, 'pantry'],
    ['a disclosure without end', { disclosure: 'x'.repeat(301) }, 'disclosure'],
  ])('refuse %s at its field', async (_, change, path) => {
    const answer = await save(change as never);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect((await settings()).version).toBe(0);
  });

  test.each([['short'], ['a key with spaces in it'], ['🔑'.repeat(10)], ['x'.repeat(301)]])(
    'the key %s is none',
    async (apiKey) => {
      expect((await anna.call(changeInstacart, { params: params(), body: { apiKey } })).status).toBe(422);
    },
  );
});

describe('the test button', () => {
  const tryIt = async (shop: string) => (await anna.call(testShop, { params: params(), body: { shop } })).body;

  test('makes a page at Instacart, and keeps nothing', async () => {
    expect(await tryIt('instacart')).toMatchObject({ works: true, says: 'Instacart answered; page made.' });
    expect((await settings()).instacart.pages).toBe(0);
  });

  test('says what a shop needs, where it leads, or that there is none', async () => {
    expect(await tryIt('amazon')).toEqual({ works: false, says: 'Amazon needs a tag first.', url: null });
    const saved = await save({ shops: [{ ...tesco, on: false }] as never });
    expect(await tryIt(saved.body.shops[0].id)).toMatchObject({ works: true, url: 'https://tesco.example/s?q=flour' });
    expect(await tryIt('stranger')).toMatchObject({ code: 'not_found' });
  });

  test('says that a key is dead, mails once, and all is well with a new one', async () => {
    await anna.call(changeInstacart, { params: params(), body: { apiKey: 'dead-key-of-anna' } });
    expect(await tryIt('instacart')).toMatchObject({
      works: false,
      says: 'Instacart doesn’t accept the API key (401).',
    });
    await tryIt('instacart');
    const mails = () => app.mails(anna.email).then((all) => all.filter(({ kind }) => kind === 'shop_trouble'));
    expect(await mails()).toMatchObject([{ subject: 'Your shopping lists no longer open at Instacart' }]);
    expect((await settings()).instacart.problem).toContain('401');
    await anna.call(changeInstacart, { params: params(), body: { apiKey: simulator.apiKey } });
    expect(await tryIt('instacart')).toMatchObject({ works: true });
    expect((await settings()).instacart.problem).toBeNull();
  });
});

test('any shop of any country: a creator in Germany enters a search address, and their list opens that shop for a shopper there today', async () => {
  const address = 'https://shop.rewe.example/suche?search={words}';
  const rewe = { kind: 'search', id: null, on: true, name: 'REWE', address, countries: ['DE'] };
  const { body } = await save({ shops: [rewe] as never, country: 'DE' });
  const bread = listFor(['500 g flour', '3 eggs']);
  const offered = await listSettings(app.deps, creatorId, 'DE', 'other');
  expect(offered.shops).toEqual([{ id: body.shops[0].id, name: 'REWE', opens: 'items', isPaid: false }]);
  expect(await open(body.shops[0].id, { list: bread, country: 'DE' })).toMatchObject({
    ...{ kind: 'page', shop: { name: 'REWE' } },
    lines: ['flour', 'eggs'].map((words) => ({ url: `https://shop.rewe.example/suche?search=${words}` })),
  });
  expect(calls()).toBe(0);
});

describe('a list opens', () => {
  test('at a page that is made once, for as long as nothing changes', async () => {
    const first = await open();
    expect(first).toMatchObject({ kind: 'page', shop: { id: 'instacart' }, isUsual: false });
    expect(await open()).toEqual(first);
    expect(calls()).toBe(1);
    await app.clock.advance(1_000);
    await open('instacart', { list: { ...soup, title: 'Better soup' } });
    expect(calls()).toBe(2);
  });

  test('by two taps at once with one call', async () => {
    const both = await Promise.all([open(), open()]);
    expect(both[0]).toEqual(both[1]);
    expect(calls()).toBe(1);
  });

  test('with what is ticked, and not at all with nothing', async () => {
    const key = soup.items[1]!.key;
    expect(await open('instacart', { keys: [key] })).toMatchObject({ lines: [{ key, state: 'sent' }] });
    expect(await open('instacart', { keys: ['gone'] })).toEqual({ kind: 'list', because: 'nothing_chosen' });
  });

  test('for robots and too many selections at what is made already, without a call', async () => {
    expect(await open('instacart', { mayAsk: false })).toEqual({ kind: 'list', because: 'try_later' });
    await prepareShopPages(app.deps, creatorId, soup);
    await run();
    const made = calls();
    expect(await open('instacart', { mayAsk: false })).toMatchObject({ kind: 'page', isUsual: false });
    const other = await open('instacart', { keys: [soup.items[0]!.key], mayAsk: false });
    expect(other).toMatchObject({ kind: 'page', isUsual: true });
    expect(calls()).toBe(made);
  });

  test('never at a shop that the creator does not have, whatever is asked', async () => {
    const hostile = [
      '',
      'nobody',
      '__proto__',
      'constructor',
      'https://evil.example',
      '../amazon',
      'search',
      'x'.repeat(9999),
    ];
    for (const shop of hostile) expect(await open(shop)).toEqual({ kind: 'unknown' });
    const stranger = (await (await app.signUpAndIn()).createCreator()).id;
    const { body } = await save({ shops: [{ ...tesco, on: true }] as never });
    const asked = shopPageFor(
      app.deps,
      stranger,
      soup,
      body.shops[0].id,
      { keys: null },
      { country: 'GB', channel: 'other', mayAsk: true },
    );
    expect(await asked).toEqual({ kind: 'unknown' });
  });

  test('at Amazon as the rule says for the place where the list was opened', async () => {
    await save({ amazonTags: [{ marketplace: 'amazon.com', tag: 'anna-20' }] } as never);
    const channels = Object.fromEntries(LINK_CHANNELS.map((one) => [one, 'with_tag'])) as Record<
      LinkChannel,
      AmazonRule
    >;
    const rules = { ...channels, dm: 'without_tag', other: 'not_at_all' } as const;
    await anna.call(changeAmazonRules, { params: params(), body: { channels: rules, byCountry: false } });
    const opened = (channel: LinkChannel) =>
      shopPageFor(app.deps, creatorId, soup, 'amazon', { keys: null }, { country: 'US', channel, mayAsk: true });
    const urlsIn = async (channel: LinkChannel) => {
      const page = (await opened(channel)) as Extract<Awaited<ReturnType<typeof opened>>, { kind: 'page' }>;
      return { isPaid: page.shop.isPaid, urls: page.lines.map((line) => ('url' in line ? line.url : null)) };
    };
    const search = 'https://www.amazon.com/s?k=flour';
    expect(await urlsIn('blog')).toMatchObject({ isPaid: true, urls: [`${search}&tag=anna-20`, expect.any(String)] });
    expect(await urlsIn('dm')).toMatchObject({ isPaid: false, urls: [search, expect.any(String)] });
    expect(await opened('other')).toMatchObject({ shop: { name: 'Instacart' } });
    const offered = await listSettings(app.deps, creatorId, 'US', 'other');
    expect(offered.shops.map(({ id }) => id)).not.toContain('amazon');
  });

  test('at the next shop that serves the country, or nowhere', async () => {
    expect(await open('instacart', { country: 'GB' })).toEqual({ kind: 'list', because: 'not_here' });
    const { body } = await save({
      shops: [
        { kind: 'instacart', on: true },
        { kind: 'amazon', on: false },
        { ...tesco, on: true },
      ] as never,
    });
    expect(await open('instacart', { country: 'GB' })).toMatchObject({
      kind: 'page',
      shop: { id: body.shops[2].id, name: 'Tesco', opens: 'items', isPaid: false },
      url: null,
      lines: [{ url: 'https://tesco.example/s?q=flour' }, { url: 'https://tesco.example/s?q=onions' }],
    });
    expect(await open('amazon', { country: 'GB' })).toMatchObject({ kind: 'page', shop: { name: 'Tesco' } });
    expect((await listSettings(app.deps, creatorId, 'GB', 'other')).shops.map(({ name }) => name)).toEqual(['Tesco']);
    expect((await listSettings(app.deps, creatorId, null, 'other')).shops.map(({ name }) => name)).toEqual([
      'Instacart',
      'Tesco',
    ]);
  });

  test.each([
    { status: 400 },
    { status: 400, shape: 'errors' },
    { status: 401 },
    { status: 403 },
    { status: 404 },
    { status: 408 },
    { status: 429 },
    { status: 500 },
    { status: 503 },
    'cut',
    'no_link',
    'foreign_link',
    'web_page',
  ] as const)(
    'at the next shop after %o, at the usual page where there is one, else in the list: never nowhere',
    async (fault) => {
      simulator.failNext(fault);
      expect(await open()).toMatchObject({ kind: 'list' });
      await app.clock.advance(2 * HOUR_MS);
      await prepareShopPages(app.deps, creatorId, soup);
      await run();
      await app.clock.advance(1_000);
      simulator.failNext(fault);
      expect(await open('instacart', { keys: [soup.items[1]!.key] })).toMatchObject({ kind: 'page', isUsual: true });
      await app.clock.advance(2 * HOUR_MS);
      await save({
        shops: [
          { kind: 'instacart', on: true },
          { ...tesco, countries: [], on: true },
        ] as never,
      });
      simulator.failNext(fault);
      const other = { ...soup, id: creatorId };
      expect(await open('instacart', { list: other })).toMatchObject({ kind: 'page', shop: { name: 'Tesco' } });
    },
  );
});
