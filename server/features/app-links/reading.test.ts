/** Addresses read over HTTP; Amazon's short hosts are simulated. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AmazonRule, changeAmazonRules } from '#contract/amazon-rules.ts';
import { readAppLink } from '#contract/app-link-reading.ts';
import { createAppLink } from '#contract/app-links.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import { createGuardedFetch, type GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { appLink } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type AmazonWeb, startAmazonWeb } from '#simulators/web/amazon/amazon.ts';

const PRODUCT = 'https://www.amazon.com/dp/B08N5WRWNW';

let web: AmazonWeb;
let fetching: GuardedFetch;
let app: TestApp;
let anna: Person;
let params: { creatorId: string };
beforeAll(async () => {
  web = await startAmazonWeb();
  fetching = createGuardedFetch({ via: web.hosts });
  app = await createTestApp({ deps: { fetching } });
  anna = await app.signUpAndIn();
  params = { creatorId: (await anna.createCreator()).id };
  const { instacart: _instacart, ...shopping } = (await anna.call(getShopping, { params })).body;
  const amazonTags = [
    { marketplace: 'amazon.com', tag: 'annacooks-20' },
    { marketplace: 'amazon.de', tag: 'annacooks-21' },
  ] as const;
  await anna.call(changeShopping, { params, body: { ...shopping, amazonTags } });
});
afterAll(async () => {
  await app?.close();
  await fetching?.close();
  await web?.close();
});
beforeEach(() => {
  web.asked.length = 0;
});

const read = (address: string) => answered(anna.call(readAppLink, { params, body: { address } }));

/** Turns of a host are waited for by the clock. */
async function answered<Answer>(reading: Promise<Answer>): Promise<Answer> {
  let done = false;
  const answer = reading.finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (app.clock.sleeping() > 0) await app.clock.advance(1000);
  }
  return answer;
}

test('an ordinary address is what it is', async () => {
  expect((await read('anna.example/pasta?x=1#top')).body).toEqual({
    ...{ address: 'https://anna.example/pasta?x=1#top', host: 'anna.example', app: null },
    ...{ looksLikeAmazon: false, isShortened: false, amazon: null },
  });
  expect((await read('https://youtu.be/abc')).body).toMatchObject({ app: 'YouTube', isShortened: false, amazon: null });
  expect((await read('bit.ly/3pasta')).body).toMatchObject({ app: null, isShortened: true, amazon: null });
});

test('a product is read with its country, its tag and what the rules make of it', async () => {
  const typed = `https://www.amazon.com/Cast-Iron-Pan/dp/B08N5WRWNW/ref=sr_1_1?tag=annacooks-20&qid=1`;
  const { body } = await read(typed);
  expect(body).toMatchObject({ address: `${PRODUCT}?tag=annacooks-20`, host: 'www.amazon.com', app: 'Amazon' });
  expect(body.amazon).toEqual({
    ...{ marketplace: 'amazon.com', page: 'product', asin: 'B08N5WRWNW', title: 'Cast Iron Pan' },
    ...{
      tag: 'annacooks-20',
      ownTags: [{ tag: 'annacooks-20', address: typed }],
      abroad: [],
      disclosure: '',
      warnings: [],
      channels: null,
    },
  });
  expect(web.asked).toEqual([]);

  const channels = Object.fromEntries(LINK_CHANNELS.map((channel) => [channel, 'with_tag'])) as Record<
    (typeof LINK_CHANNELS)[number],
    AmazonRule
  >;
  const rules = { ...channels, mail: 'without_tag', qr: 'not_at_all' } as const;
  await anna.call(changeAmazonRules, { params, body: { channels: rules, byCountry: false } });
  const decided = (await read(typed)).body.amazon.channels as {
    channel: string;
    rule: string;
    leadsTo: string | null;
  }[];
  expect(decided.find(({ channel }) => channel === 'dm')?.leadsTo).toBe(`${PRODUCT}?tag=annacooks-20`);
  expect(decided.find(({ channel }) => channel === 'mail')?.leadsTo).toBe(PRODUCT);
  expect(decided.find(({ channel }) => channel === 'qr')?.leadsTo).toBeNull();
});

test('a link to a short address leads where that one leads, and keeps its words', async () => {
  const body = { ...appLink('Pan', { address: 'amzn.to/pan', elsewhere: 'https://amzn.to/untagged' }) } as never;
  const made = await answered(anna.call(createAppLink, { params, body }));
  expect(made.body.address).toBe(
    'https://www.amazon.com/Cast-Iron-Pan/dp/B08N5WRWNW?tag=annacooks-20&linkCode=ll1&ref_=as_li_ss_tl',
  );
  expect(made.body.elsewhere).toBe('https://www.amazon.com/Cast-Iron-Pan/dp/B08N5WRWNW');
  const dead = { ...appLink('Pot', { address: 'https://amzn.to/dead' }) } as never;
  expect((await answered(anna.call(createAppLink, { params, body: dead }))).body.address).toBe('https://amzn.to/dead');
});

describe('a short address is followed', () => {
  test.each([
    ['https://amzn.to/pan', `${PRODUCT}?tag=annacooks-20`, []],
    ['https://a.co/d/two', `${PRODUCT}?tag=annacooks-20`, []],
    ['amzn.to/theirs', `${PRODUCT}?tag=somebody-20`, ['tag_not_yours']],
    // By the rules, the tag is added where it is followed.
    ['https://amzn.to/untagged', PRODUCT, []],
    ['https://amzn.eu/d/de', 'https://www.amazon.de/dp/B08N5WRWNW?tag=annacooks-21', []],
    ['https://amzn.asia/d/jp', 'https://www.amazon.co.jp/dp/B08N5WRWNW', ['tag_missing']],
  ])('%s to %s', async (typed, address, warnings) => {
    const { body } = await read(typed);
    expect(body).toMatchObject({ address, amazon: { page: 'product', asin: 'B08N5WRWNW', warnings } });
    // The product's page is never asked for.
    expect(web.asked.filter((place) => place.includes('/dp/'))).toEqual([]);
  });

  test.each(['dead', 'round', 'away', 'inside'])('amzn.to/%s stays as it is, and nobody sees into it', async (path) => {
    const { status, body } = await read(`https://amzn.to/${path}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      address: `https://amzn.to/${path}`,
      amazon: { page: 'short', marketplace: null, tag: null, warnings: ['cannot_see'] },
    });
    expect(web.asked.length).toBeLessThanOrEqual(5);
  });
});

test('what reads like Amazon and is not is told, and shown as machines write it', async () => {
  expect((await read('https://www.аmazon.com/dp/B08N5WRWNW')).body).toMatchObject({
    ...{ host: 'www.xn--mazon-3ve.com', looksLikeAmazon: true, amazon: null, app: null },
  });
  expect((await read('https://amazon.com.evil.example/dp/B08N5WRWNW')).body.looksLikeAmazon).toBe(true);
});

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'intent://amazon.com#Intent;scheme=javascript;end',
  'https://anna:secret@amazon.com/',
  'https://',
  'https://localhost/x',
  'https://shop.localhost/',
  'http://127.0.0.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://10.0.0.1/',
  'https://intranet/',
  'https://db.internal/',
  'https://printer.local/',
  `https://anna.example/${'x'.repeat(2000)}`,
  'pasta',
  '',
])('%s is refused in words at its field', async (address) => {
  const { status, body } = await read(address);
  expect(status).toBe(422);
  expect(body.errors).toEqual([{ path: 'address', message: expect.any(String) }]);
  expect(web.asked).toEqual([]);
});
