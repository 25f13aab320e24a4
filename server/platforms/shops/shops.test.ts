/** Shops against their simulator, whose ledger says what a real one would have ignored or taken back. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fraction } from '#contract/ingredients/fractions.ts';
import { UNITS } from '#contract/ingredients/units.ts';
import { SearchAddress, wordsInAddress } from '#contract/shops.ts';
import { LISTED } from '#simulators/shops/checks.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';
import type { Fault } from '#simulators/shops/types.ts';
import { amazon } from './amazon/amazon.ts';
import { instacart } from './instacart/client.ts';
import { measurementOf } from './instacart/units.ts';
import { searchShop } from './search/search.ts';
import { type ShopAccess, type ShopContext, type ShopItem, type ShopList, servesCountry } from './shop.ts';
import { LIST_ID, listFor } from './testing/lists.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const ALL = { keys: null };
const NO_ACCESS: ShopAccess = { instacart: null, amazonTags: {} };

let simulator: ShopsSimulator;
let now = NOW;
beforeAll(async () => {
  simulator = await startShopsSimulator({ clock: { now: () => now } });
});
afterEach(() => {
  now = NOW;
  simulator.setKeyGood(true);
});
afterAll(() => {
  const { unlistedUnits, deprecatedFields, unknownFields } = simulator.ledger;
  expect({ unlistedUnits, deprecatedFields, unknownFields }).toEqual({
    unlistedUnits: [],
    deprecatedFields: [],
    unknownFields: [],
  });
  return simulator.close();
});

const context = (more: Partial<ShopContext> = {}): ShopContext => ({
  access: { ...NO_ACCESS, instacart: { url: simulator.url, apiKey: simulator.apiKey, partnerId: null } },
  country: 'US',
  now,
  timeoutMs: 4_000,
  ...more,
});
const asks = (list: ShopList, more: Partial<ShopContext> = {}) => instacart.open(list, ALL, context(more));
const lastBody = () => simulator.ledger.calls.at(-1)!.body as Record<string, unknown>;
const oneUnit = (unit: string | null, from = fraction(3, 2), more = {}): ShopItem => {
  const [item] = listFor(['2 cups flour']).items;
  const [part] = item!.parts;
  return { ...item!, parts: [{ ...part!, unit, from, to: null, ...more }] };
};

describe('Instacart', () => {
  test('makes a recipe page with words for shops, measures and what the author wrote', async () => {
    const list = listFor(['2 cups all-purpose flour', '1 ½ tbsp olive oil', '4 large eggs, beaten', '1 glug of cream']);
    const page = await asks(list);
    expect(page).toMatchObject({ kind: 'page', expiresAt: new Date(NOW.getTime() + 365 * DAY_MS) });
    expect(lastBody()).toMatchObject({
      title: 'Soup',
      expires_in: 365,
      external_reference_id: LIST_ID,
      content_creator_credit_info: 'Anna',
      landing_page_configuration: { partner_linkback_url: 'https://blog.example/soup', enable_pantry_items: true },
      ingredients: [
        {
          name: 'all-purpose flour',
          display_text: '2 cups all-purpose flour',
          measurements: [{ quantity: 2, unit: 'cup' }],
        },
        { name: 'olive oil', measurements: [{ quantity: 1.5, unit: 'tablespoon' }] },
        { display_text: '4 large eggs, beaten', measurements: [{ quantity: 4, unit: 'each' }] },
        { name: 'cream' },
      ],
    });
    expect((lastBody().ingredients as object[])[3]).not.toHaveProperty('measurements');
    expect(lastBody()).not.toHaveProperty('instructions');
  });

  test('makes a shopping list of a plan, without what only recipes have', async () => {
    await asks(listFor(['500 g flour'], { kind: 'plan' }));
    expect(simulator.ledger.calls.at(-1)!.path).toBe('/idp/v1/products/products_link');
    expect(lastBody()).toEqual({
      title: 'Soup',
      image_url: 'https://blog.example/soup.jpg',
      expires_in: 365,
      link_type: 'shopping_list',
      line_items: [
        { name: 'flour', display_text: '500 g flour', line_item_measurements: [{ quantity: 500, unit: 'gram' }] },
      ],
      landing_page_configuration: { partner_linkback_url: 'https://blog.example/soup' },
    });
  });

  test('sends what is ticked, and products of a pin', async () => {
    const list = listFor(['1 onion', '2 carrots', 'salt to taste']);
    const items = list.items.map((item) =>
      item.key === 'carrot' ? { ...item, brand: 'Bolthouse', upcs: ['0012'] } : item,
    );
    const page = await instacart.open({ ...list, items }, { keys: new Set(['carrot', 'gone']) }, context());
    expect(page).toMatchObject({ lines: [{ key: 'carrot', state: 'sent' }] });
    expect(lastBody().ingredients).toEqual([
      expect.objectContaining({ upcs: ['0012'], filters: { brand_filters: ['Bolthouse'] } }),
    ]);
  });

  test('the page shows what a shopper sees, escaped, and ends by the clock', async () => {
    const page = await asks(listFor(['2 cups flour <script>alert(1)</script>'], { title: '<img src=x>' }));
    const url = (page as { url: string }).url;
    const seen = await (await fetch(url)).text();
    expect(seen).toContain('2 cup');
    expect(seen).not.toContain('<img src=x>');
    now = new Date(NOW.getTime() + 366 * DAY_MS);
    expect((await fetch(url)).status).toBe(404);
  });

  test('pages made earlier get the partner’s parameters too', () => {
    const access = { ...NO_ACCESS, instacart: { url: '', apiKey: '', partnerId: '123' } };
    expect(instacart.leadTo!('https://www.instacart.com/store/recipes/1?a=b', access)).toBe(
      'https://www.instacart.com/store/recipes/1?a=b&utm_campaign=instacart-idp&utm_medium=affiliate&utm_source=instacart_idp&utm_term=partnertype-mediapartner&utm_content=campaignid-20313_partnerid-123',
    );
    expect(instacart.leadTo!('https://www.instacart.com/x', NO_ACCESS)).toBe('https://www.instacart.com/x');
  });

  const cases: [name: string, fault: Fault, kind: string, busy?: true][] = [
    ['400 in one shape', { status: 400 }, 'refused'],
    ['400 in the other shape', { status: 400, shape: 'errors' }, 'refused'],
    ['401', { status: 401 }, 'our_key'],
    ['403', { status: 403 }, 'our_key'],
    ['404', { status: 404 }, 'refused'],
    ['408', { status: 408 }, 'try_later'],
    ['429', { status: 429 }, 'try_later', true],
    ['500', { status: 500 }, 'try_later'],
    ['503 in the other shape', { status: 503, shape: 'errors' }, 'try_later'],
    ['a connection cut', 'cut', 'try_later'],
    ['200 without a link', 'no_link', 'try_later'],
    ['a web page', 'web_page', 'try_later'],
    ['a link to a host that looks like theirs', 'foreign_link', 'refused'],
  ];
  test.each(cases)('%s is %o: %s', async (_, fault, kind, isBusy) => {
    simulator.failNext(fault);
    const trouble = await asks(listFor(['1 onion']));
    expect(trouble).toMatchObject({ kind, ...(isBusy && { isBusy }) });
    expect((trouble as { says: string }).says).toMatch(/^Instacart .{5,}/);
    // It goes on with the next call.
    expect(await asks(listFor(['1 onion']))).toMatchObject({ kind: 'page' });
  });

  test('silence is try_later once the time is over', async () => {
    simulator.failNext('silence');
    expect(await asks(listFor(['1 onion']), { timeoutMs: 50 })).toMatchObject({ kind: 'try_later' });
  });

  test('nobody there is try_later, and a dead key our_key', async () => {
    const away = { ...NO_ACCESS, instacart: { url: 'http://127.0.0.1:9', apiKey: 'x', partnerId: null } };
    expect(await asks(listFor(['1 onion']), { access: away })).toMatchObject({ kind: 'try_later' });
    simulator.setKeyGood(false);
    expect(await asks(listFor(['1 onion']))).toMatchObject({ kind: 'our_key' });
    expect(await asks(listFor(['1 onion']), { access: NO_ACCESS })).toMatchObject({ kind: 'our_key' });
  });

  test('an item that is refused is left out and named; a list of such ends', async () => {
    simulator.failNext({ status: 400, item: 1 });
    expect(await asks(listFor(['1 onion', '2 carrots', '3 leeks']))).toMatchObject({
      kind: 'page',
      lines: [{ state: 'sent' }, { key: 'carrot', state: 'left_out', why: 'not_taken' }, { state: 'sent' }],
    });
    simulator.failNext({ status: 400, item: 0 }, { status: 400, item: 0, shape: 'errors' }, { status: 400, item: 0 });
    expect(await asks(listFor(['1 onion', '2 carrots', '3 leeks']))).toMatchObject({ kind: 'refused' });
  });

  test('lines that name no food are left out; a list of nothing else makes no call', async () => {
    const list = listFor(['1 onion']);
    const nameless = { ...list.items[0]!, key: 'line l9', food: { name: '???', key: 'line l9' } };
    expect(await asks({ ...list, items: [...list.items, nameless] })).toMatchObject({
      lines: [{ state: 'sent' }, { key: 'line l9', state: 'left_out', why: 'no_food' }],
    });
    const calls = simulator.ledger.calls.length;
    expect(await asks({ ...list, items: [nameless] })).toMatchObject({ kind: 'refused' });
    expect(simulator.ledger.calls).toHaveLength(calls);
  });

  test.each([null, ...UNITS])('the unit %s goes as a listed one, or without a measurement', (unit) => {
    for (const measures of ['us', 'uk', 'metric', 'au'] as const) {
      const measurement = measurementOf(oneUnit(unit, fraction(7, 3), { measures }));
      if (measurement !== null) expect(LISTED).toContain(measurement.unit);
    }
  });

  test.each([
    ['a third of a cup is never less', oneUnit('cup', fraction(1, 3)), { quantity: 0.34, unit: 'cup' }],
    [
      'an Australian spoon',
      oneUnit('tablespoon', fraction(1), { measures: 'au' }),
      { quantity: 20, unit: 'milliliter' },
    ],
    ['a deciliter', oneUnit('deciliter'), { quantity: 150, unit: 'milliliter' }],
    ['a fluid ounce', oneUnit('fluid-ounce', fraction(8)), { quantity: 8, unit: 'fl oz ounce' }],
    ['half a can is bought whole', oneUnit('can', fraction(1, 2)), { quantity: 1, unit: 'can' }],
    ['half a piece is bought whole', oneUnit(null), { quantity: 2, unit: 'each' }],
    ['the end of a range', oneUnit('gram', fraction(1), { to: fraction(5) }), { quantity: 5, unit: 'gram' }],
    ['a pinch', oneUnit('pinch'), null],
    ['nothing', oneUnit('gram', fraction(0)), null],
  ])('%s', (_, item, measurement) => {
    expect(measurementOf(item)).toEqual(measurement);
  });

  test('parts that do not add up have no measurement: they would be taken for the same amount', () => {
    const item = oneUnit('cup');
    expect(measurementOf({ ...item, parts: [...item.parts, ...oneUnit('gram').parts] })).toBeNull();
  });
});

describe('Amazon', () => {
  const access = { ...NO_ACCESS, amazonTags: { 'amazon.de': 'anna-21', 'amazon.com': 'anna-20' } };

  test('leads each item to the product of a pin, else to a search, with the tag of that marketplace', async () => {
    const list = listFor(['1 onion', '2 cups 00 flour']);
    const items = [{ ...list.items[0]!, asins: { 'amazon.com': 'B000000001' } }, list.items[1]!];
    expect(await amazon.open({ ...list, items }, ALL, context({ access }))).toMatchObject({
      url: null,
      expiresAt: null,
      lines: [
        { url: 'https://www.amazon.com/dp/B000000001?tag=anna-20' },
        { url: 'https://www.amazon.com/s?k=00+flour&tag=anna-20' },
      ],
    });
    const german = await amazon.open({ ...list, items }, ALL, context({ access, country: 'AT' }));
    expect(german).toMatchObject({ lines: [{ url: 'https://www.amazon.de/s?k=onion&tag=anna-21' }, {}] });
  });

  test('never leads to a marketplace without a tag', async () => {
    expect(amazon.needs(NO_ACCESS)).toBe('tag');
    expect(amazon.needs(access)).toBeNull();
    expect(servesCountry(amazon, access, 'FR')).toBe(false);
    expect(servesCountry(amazon, access, null)).toBe(true);
    const open = (country: string | null) => amazon.open(listFor(['1 onion']), ALL, context({ access, country }));
    expect(await open('FR')).toMatchObject({ kind: 'not_here' });
    expect(await open(null)).toMatchObject({ lines: [{ url: 'https://www.amazon.com/s?k=onion&tag=anna-20' }] });
  });
});

describe('any shop by its search', () => {
  test('gets each item by its words, percent-encoded', async () => {
    const shop = searchShop({
      id: 'x',
      name: 'X',
      address: 'https://shop.example/q/{words}?a=1#{words}',
      countries: ['ES'],
    });
    expect(await shop.open(listFor(['1 cup half & half']), ALL, context())).toMatchObject({
      lines: [{ url: 'https://shop.example/q/half%20%26%20half?a=1#half%20%26%20half' }],
    });
    expect(servesCountry(shop, NO_ACCESS, 'ES')).toBe(true);
    expect(servesCountry(shop, NO_ACCESS, 'DE')).toBe(false);
    expect(servesCountry({ ...shop, regions: () => null }, NO_ACCESS, 'DE')).toBe(true);
  });

  test.each([
    'https://shop.example/search?q={words}',
    'https://shop.example:8443/{words}',
    'https://пример.рф/?q={words}',
    'https://shop.co.uk/?a={words}&b={words}',
  ])('%s is one', (address) => {
    expect(SearchAddress.safeParse(address).success).toBe(true);
  });

  test.each([
    '',
    '{words}',
    'shop.example/?q={words}',
    'http://shop.example/?q={words}',
    'javascript:alert("{words}")',
    'data:text/html,{words}',
    'intent://shop.example/{words}#Intent;end',
    'https://shop.example/search',
    'https://{words}/search',
    'https://{words}.example/search',
    'https://shop.example{words}',
    'https://shop.{words}.example/',
    'https://shop.example:{words}/',
    'https://shop@evil.example/?q={words}',
    'https://a:{words}@evil.example/',
    'https://localhost/?q={words}',
    'https://127.0.0.1/?q={words}',
    'https://[::1]/?q={words}',
    'https://2130706433/?q={words}',
    'https://0x7f.1/?q={words}',
    'https://shop.example:99999/?q={words}',
    'https://shop.example/a b?q={words}',
    `https://shop.example/${'a'.repeat(2000)}{words}`,
    'https://shop.example\t.evil.example/{words}',
    'https:///?q={words}',
    'https://shop.example\\{words}.evil.example/ {words}@evil.example',
  ])('%j is none', (address) => {
    expect(SearchAddress.safeParse(address).error?.issues[0]?.message).toMatch(/\S/);
  });

  test('whatever is looked for, it stays one host', () => {
    const hostile = [
      '@evil.example',
      '../../..',
      '//evil.example',
      '\\\\evil.example',
      '#',
      '?',
      '\n',
      '\ud800',
      '%0d%0a',
    ];
    for (const words of hostile) {
      expect(new URL(wordsInAddress('https://shop.example/{words}', words)).origin).toBe('https://shop.example');
    }
  });
});
