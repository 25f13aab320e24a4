/**
 * Who may open which page of readers. These pages are HTML and no endpoints of the contract, so their walk is here: a route that is
 * not in the table fails.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostCookieName } from '#server/http/cookies.ts';
import { routesOf } from '#server/testing/routes-of.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

/**
 * `anyone`: shows and changes nothing of a reader's. `entered`: their own browser alone. `mailed`: whoever has the link that they
 * were mailed. `messaged`: in a DM; others go where the link leads everybody.
 */
type Who = 'anyone' | 'entered' | 'mailed' | 'messaged';
type Form = Record<string, string>;

const UUID = '00000000-0000-7000-8000-000000000000';
const MAC = 'x'.repeat(43);

/** With what is typed on the page, where that asks for something of a reader's. */
const ROUTES: Record<string, { who: Who; forms?: (own: Own) => Form[] }> = {
  'GET /join/:handle': { who: 'anyone' },
  'POST /join/:handle': { who: 'anyone' },
  'GET /join/:handle/done': { who: 'anyone' },
  'POST /join/:handle/done': { who: 'anyone' },
  'GET /join/:handle/gift': { who: 'anyone' },
  'POST /join/:handle/gift': { who: 'anyone' },
  'GET /join/:handle/gift/done': { who: 'anyone' },
  'GET /join/:handle/gift/:giftId/:mac': { who: 'mailed' },
  'POST /join/:handle/gift/:giftId/:mac': { who: 'mailed' },
  'GET /join/:handle/enter': { who: 'anyone' },
  'POST /join/:handle/enter': { who: 'anyone' },
  'GET /join/:handle/message/:code/:part': { who: 'messaged' },
  'POST /join/:handle/message/:code/:part': { who: 'messaged' },
  'GET /join/:handle/account': { who: 'entered' },
  'GET /join/:handle/account/data': { who: 'entered' },
  'GET /join/:handle/account/delete': { who: 'entered' },
  'POST /join/:handle/account': {
    who: 'entered',
    // What ends their browser comes last.
    forms: ({ device, tierId }): Form[] => [
      { act: 'cancel' },
      { act: 'why', reason: 'price' },
      { act: 'keep' },
      { act: 'card' },
      { act: 'pay' },
      { act: 'preview', choice: `${tierId} year` },
      { act: 'change', token: 'x' },
      { act: 'sign_out', device },
    ],
  },
  'GET /join/:handle/account/email': { who: 'entered' },
  'POST /join/:handle/account/email': { who: 'entered', forms: () => [{ email: 'rita.new@example.com' }] },
  'GET /join/:handle/address/:changeId/:mac': { who: 'mailed' },
  'POST /join/:handle/address/:changeId/:mac': { who: 'mailed' },
  'POST /join/:handle/account/delete': { who: 'entered' },
  'GET /join/:handle/cancel': { who: 'anyone' },
  'POST /join/:handle/cancel': { who: 'anyone' },
  'GET /join/:handle/withdraw': { who: 'anyone' },
  'POST /join/:handle/withdraw': { who: 'anyone' },
  'GET /join/:handle/keep/:passId/:mac': { who: 'mailed' },
  'POST /join/:handle/keep/:passId/:mac': { who: 'mailed' },
};
const CELLS = Object.entries(ROUTES).map(([route, { who, forms = () => [{}] }]) => ({ route, who, forms }));

const EMAIL = 'rita.reader@example.com';
const ASKS = /Type the email address of your membership\.|^\/join\/[^/]+\/account$/;

type Own = { cookie: string; device: string; passId: string; tierId: string };
let world: FanWorld;
let shop: Shop;
let own: Own;
/** The same, with what a reader of another creator is known by. */
let foreign: string;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
  const other = await world.shop();
  own = await enter(shop, EMAIL);
  const theirs = await enter(other, 'otto@example.com');
  foreign = `${nameOf(shop)}=${theirs.cookie.split('=')[1]}`;
});
afterAll(() => world?.close());

const nameOf = ({ creator }: Shop) =>
  hostCookieName(world.app.deps.config.baseUrl, `chq_fan_${creator.id.slice(0, 8)}`);

async function enter(shop: Shop, email: string): Promise<Own> {
  await world.member(shop, email);
  const cookie = await world.enterAccount(shop, email);
  const [{ id: passId }] = await world.passOf(shop, email);
  return { cookie, device: cookie.split('=')[1]!.split('.')[0]!, passId, tierId: shop.tierId };
}

/** All that is known of readers of a creator, but for what was asked for. */
async function known(): Promise<string> {
  const tables = ['passes', 'pass_changes', 'fans', 'fan_devices', 'gifts', 'contacts'];
  const { rows } = await world.app.db.enginePool.query(
    `select ${tables.map((table) => `(select jsonb_agg(to_jsonb(t) - '{seen_at,synced_at}'::text[] order by to_jsonb(t)::text) from ${table} t where creator_id = $1) as ${table}`).join(', ')}`,
    [shop.creator.id],
  );
  return JSON.stringify(rows[0]);
}

async function ask(route: string, form: Form, cookie: string) {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string];
  const url = path
    .replace(':handle', shop.creator.handle)
    .replace(':passId', own.passId)
    .replace(/:\w+Id/, UUID)
    .replace(':mac', MAC);
  const answer = await world.visit(method, url, form, cookie);
  await world.work();
  return answer;
}

test('the table has each page that there is', () => {
  const there = routesOf(world.app.app).flatMap(({ url, methods }) =>
    url.startsWith('/join') ? methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${url}`) : [],
  );
  expect(there.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
});

describe.each(['a stranger', 'a reader of another creator'])('%s', (visitor) => {
  test.each(CELLS)('sees and changes nothing of a reader by $route', async ({ route, who, forms }) => {
    const cookie = visitor === 'a stranger' ? '' : foreign;
    const before = await known();
    for (const form of forms(own)) {
      const { status, html, location } = await ask(route, form, cookie);
      expect(status).toBeLessThan(500);
      expect(html).not.toContain(EMAIL);
      expect(html).not.toContain('Where you’re logged in');
      if (who === 'entered') expect(location ?? html).toMatch(ASKS);
      if (who === 'mailed') expect([200, 404]).toContain(status);
      if (who === 'messaged') expect([status, location]).toEqual([302, expect.stringMatching(/^\/l\//)]);
    }
    expect(await known()).toBe(before);
  });
});

test.each(CELLS.filter(({ who }) => who === 'entered'))(
  'a reader’s own browser gets in by $route',
  async ({ route, forms }) => {
    if (route.startsWith('POST')) own = { ...own, cookie: await world.enterAccount(shop, EMAIL) };
    for (const form of forms(own)) {
      const { status, html, location } = await ask(route, form, own.cookie);
      expect([200, 303, 409]).toContain(status);
      expect(location ?? html).not.toMatch(ASKS);
    }
  },
);
