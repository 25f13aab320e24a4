/** Why somebody cannot get in, and the list that their creator sees. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestOf, ResponseOf } from '#contract/endpoint.ts';
import {
  cancelMember,
  endGivenPass,
  getMember,
  getMemberFigures,
  givePass,
  listMembers,
  type Member,
  type MemberState,
  REASONS,
  type Reason,
  sendMemberCode,
  signMemberOut,
  whyNotIn,
} from '#contract/members.ts';
import { changeTier } from '#contract/tiers.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { type Facts, reasonFor } from './members.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());

const params = () => ({ creatorId: shop.creator.id });
const why = async (email: string) => (await shop.owner.call(whyNotIn, { params: params(), body: { email } })).body;
const list = async (query: RequestOf<typeof listMembers>['query'] = {}): Promise<Member[]> =>
  (await shop.owner.call(listMembers, { params: params(), query })).body.items;
const give = async (email: string, days: number | null = null) =>
  (await shop.owner.call(givePass, { params: params(), body: { email, tierId: shop.tierId, days, note: '' } })).body;

const NOW = new Date('2027-03-01T12:00:00Z');
const PASS = {
  ...{ source: 'stripe', status: 'active', isRefunded: false, isDisputed: false, lateSince: null },
  ...{ beginsAt: new Date('2027-02-01T12:00:00Z'), endsAt: null, endedAt: null },
};
const SITE: NonNullable<Facts['site']> = {
  ...{ trouble: null, clockOffS: 300, finding: 'all_right', hasOldKey: false, isRestOff: false, wordpress: '7.1.1' },
};
const FINE: Facts = {
  ...{ hadPass: true, isIn: true, pass: PASS, beganToPay: true, codeBounced: false, devices: 1, wasPushedOut: false },
  ...{ siteIsAway: false, higher: null, isBlocked: false, newAddress: null },
  site: SITE,
};
const OUT = { ...FINE, isIn: false };

/** Each reason is reached, and comes before those below it. */
const BROUGHT_ABOUT: Record<Reason, Facts> = {
  no_such_address: { ...FINE, hadPass: false, pass: null, beganToPay: false },
  other_address: { ...FINE, hadPass: false, pass: null, newAddress: 'new@example.com' },
  never_paid: { ...FINE, hadPass: false, pass: null },
  blocked: { ...OUT, isBlocked: true, pass: { ...PASS, isRefunded: true }, codeBounced: true },
  refunded: { ...OUT, pass: { ...PASS, isRefunded: true, isDisputed: true, lateSince: NOW, endedAt: NOW } },
  disputed: { ...OUT, pass: { ...PASS, isDisputed: true, lateSince: NOW } },
  payment_failed: { ...OUT, pass: { ...PASS, lateSince: NOW } },
  ended: { ...OUT, pass: { ...PASS, endedAt: NOW } },
  gift_not_begun: { ...OUT, pass: { ...PASS, source: 'gift', beginsAt: new Date('2027-04-01T12:00:00Z') } },
  gift_over: { ...OUT, pass: { ...PASS, source: 'given', endsAt: NOW } },
  key_replaced: { ...FINE, site: { ...SITE, hasOldKey: true }, siteIsAway: true },
  site_moved: { ...FINE, site: { ...SITE, trouble: 'moved' }, siteIsAway: true },
  rest_off: { ...FINE, site: { ...SITE, isRestOff: true, wordpress: '8.0' } },
  wordpress_untried: { ...FINE, site: { ...SITE, wordpress: '7.2-beta1' } },
  plugin_off: { ...FINE, site: { ...SITE, trouble: 'no_plugin' }, codeBounced: true },
  clock_wrong: { ...FINE, site: { ...SITE, clockOffS: -301 }, devices: 0 },
  cache_in_between: { ...FINE, site: { ...SITE, finding: 'members_walled' } },
  site_away: { ...FINE, siteIsAway: true, codeBounced: true, devices: 0 },
  code_bounced: { ...FINE, codeBounced: true, devices: 0 },
  never_entered: { ...FINE, devices: 0, wasPushedOut: true },
  many_devices: { ...FINE, devices: 5, wasPushedOut: true },
  tier_too_low: { ...FINE, higher: { id: 'gold', name: 'Gold', held: 'Friends' } },
  all_right: FINE,
};

test.each(Object.entries(BROUGHT_ABOUT))('%s', (reason, facts) => {
  expect(reasonFor(facts, NOW).reason).toBe(reason);
  expect(REASONS[reason as Reason].says).toMatch(/\.$/);
});

test('asked for an address it names the reason, the nearest one, and what helps', async () => {
  await world.member(shop, 'anna@gmail.com');
  expect(await why('anna@gmial.com')).toMatchObject({ reason: 'no_such_address', nearest: 'anna@gmail.com' });
  expect(await why('ANNA@gmail.com')).toMatchObject({ reason: 'never_entered', contactId: expect.any(String) });
  expect(await why('no address')).toMatchObject({ reason: 'no_such_address', contactId: null });
  await world.join(shop, 'almost@example.com');
  expect(await why('almost@example.com')).toMatchObject({ reason: 'never_paid' });
  const { contactId } = await give('gift@example.com', 3);
  await world.app.db.enginePool.query(
    `update passes set ends_at = begins_at + interval '1 second' where contact_id = $1`,
    [contactId],
  );
  await world.app.clock.advance(2000);
  expect(await why('gift@example.com')).toMatchObject({
    reason: 'gift_over',
    detail: expect.stringMatching(/^It ended on/),
  });
  await give('gift@example.com');
  expect(await why('gift@example.com')).toMatchObject({ reason: 'never_entered' });
  const other = await world.app.signUpAndIn();
  const theirs = await other.createCreator();
  const foreign = await other.call(whyNotIn, { params: { creatorId: theirs.id }, body: { email: 'anna@gmail.com' } });
  expect(foreign.body).toMatchObject({ reason: 'no_such_address', nearest: null, contactId: null });
});

test.each([
  'jonathan.smith@gmail.con',
  'jonathan.smith@gmial.com',
  'jonathan.smit@gmail.com',
  'jonathan.smitth@gmail.com',
  'jonatahn.smith@gmail.com',
  'jonathn.smith@gmail.com',
  'joanthan.smith@gmail.com',
  'jonatha.nsmith@gmail.com',
])('%s is one slip away', async (typed) => {
  await give('jonathan.smith@gmail.com');
  expect(await why(typed)).toMatchObject({ reason: 'no_such_address', nearest: 'jonathan.smith@gmail.com' });
});

test('who was never a member is neither found nor near', async () => {
  await world.app.db.withCreator(shop.creator.id, (trx) =>
    findOrMakeContact(trx, world.app.deps, {
      ...{ creatorId: shop.creator.id, email: 'reader@gmail.com', name: 'Reader', language: null },
      ...{ source: 'blog', at: world.app.clock.now() },
    }),
  );
  expect(await list({ search: 'reader' })).toEqual([]);
  expect(await why('reafer@gmail.com')).toMatchObject({ nearest: null });
});

test('the list has each once, by state, tier and the beginning of an address or name', async () => {
  const { contactId } = await give('zoe@example.com', 30);
  await world.member(shop, 'zack@example.com');
  await give('zack@example.com');
  await world.app.db.enginePool.query(
    `update contacts set name = 'Zoe Miller', name_key = 'zoe miller' where id = $1`,
    [contactId],
  );
  const found = await list({ search: 'Z' });
  expect(found.map(({ email }) => email)).toEqual(expect.arrayContaining(['zack@example.com', 'zoe@example.com']));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  expect((await list({ search: 'miller' })).map(({ email }) => email)).toEqual(['zoe@example.com']);
  expect(await list({ search: '%' })).toEqual([]);
  expect((await list({ state: 'given' })).map(({ email }) => email)).toContain('zoe@example.com');
  const { body: first } = await shop.owner.call(listMembers, { params: params(), query: { limit: 1 } });
  const { body: rest } = await shop.owner.call(listMembers, {
    params: params(),
    query: { limit: 100, after: first.next! },
  });
  expect([...first.items, ...rest.items]).toHaveLength((await list({ limit: 100 })).length);
});

/** What makes a member who pays by the month one of each state. */
const MADE: Record<MemberState, string> = {
  in: `amount = amount`,
  trial: `status = 'trialing', trial_end = now() + interval '9 days'`,
  ending: `cancel_at = now() + interval '9 days'`,
  late: `status = 'past_due', late_since = now()`,
  given: `source = 'given', stripe_subscription_id = null, ends_at = null`,
  gift: `source = 'gift', stripe_subscription_id = null`,
  over: `ended_at = now()`,
};

test('each state is found by itself, and what a month brings is counted', async () => {
  const own = await world.shop();
  const about = { params: { creatorId: own.creator.id } };
  for (const [state, made] of Object.entries(MADE)) {
    await world.member(own, `${state}@example.com`);
    const [{ id }] = await world.passOf(own, `${state}@example.com`);
    await world.app.db.enginePool.query(`update passes set ${made} where id = $1`, [id]);
  }
  for (const state of Object.keys(MADE) as MemberState[]) {
    const { items } = (await own.owner.call(listMembers, { ...about, query: { state } })).body;
    expect(items).toMatchObject([{ email: `${state}@example.com`, state }]);
  }
  const other = await world.shop();
  await world.member(other, 'one@example.com');
  await world.member(other, 'two@example.com');
  const { body: figures } = await other.owner.call(getMemberFigures, { params: { creatorId: other.creator.id } });
  expect(figures.monthly).toEqual([{ currency: 'usd', amount: 800 }]);
});

test('a member is found by the handle of whom they are joined with', async () => {
  const { contactId } = await give('handled@example.com');
  await world.app.db.enginePool.query(
    `insert into people (creator_id, connection_id, id, username, contact_id, first_seen_at) values ($1, gen_random_uuid(), 'p1', 'cora.cooks', $2, now())`,
    [shop.creator.id, contactId],
  );
  for (const search of ['cora', '@Cora.cooks']) {
    expect((await list({ search })).map(({ email }) => email)).toEqual(['handled@example.com']);
  }
});

test('one member: what they paid and got back, and their mails with their fate, of a code no digit', async () => {
  const email = 'traces@example.com';
  await world.member(shop, email);
  await world.visit('POST', joinUrl(shop).replace('?', '/enter?'), { email });
  await world.app.db.enginePool.query(`update mails set state = 'failed' where recipient = $1 and kind = 'fan_code'`, [
    email,
  ]);
  const [{ contact_id: memberId }] = await world.passOf(shop, email);
  const about = { params: { ...params(), memberId } };
  await shop.owner.call(cancelMember, { ...about, body: { refund: true } });
  await world.pass(0.5);
  const { payments, mails }: ResponseOf<typeof getMember> = (await shop.owner.call(getMember, about)).body;
  expect(payments).toMatchObject([
    { kind: 'refunded', amount: -400, currency: 'usd' },
    { kind: 'paid', amount: 400, currency: 'usd' },
  ]);
  expect(mails.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['You’re a member: Friends']));
  expect(mails.find(({ fate }) => fate === 'came_back')).toMatchObject({ subject: 'Code to enter' });
  expect(JSON.stringify(mails)).not.toMatch(/\b\d{6}\b/);
});

test('what was given is ended, and somebody is logged out everywhere, once and with a line of their story', async () => {
  const { contactId: memberId } = await give('gone@example.com');
  const about = { params: { ...params(), memberId } };
  expect((await shop.owner.call(signMemberOut, about)).status).toBe(200);
  expect((await shop.owner.call(sendMemberCode, about)).body.message).toBe('We mailed them how to get in.');
  expect((await shop.owner.call(endGivenPass, about)).status).toBe(200);
  expect((await shop.owner.call(endGivenPass, about)).status).toBe(404);
  const body: ResponseOf<typeof getMember> = (await shop.owner.call(getMember, about)).body;
  expect(body).toMatchObject({ state: 'over', devices: [] });
  expect(body.changes.map(({ what }) => what)).toEqual([
    ...['What was given was ended.', 'Mailed how to get in.', 'Logged out on all devices.', 'Given Friends for good.'],
  ]);
});

test('the file has every member with their ids at Stripe, and runs nothing in a spreadsheet', async () => {
  await world.member(shop, 'file@example.com');
  const name = '=HYPERLINK("https://evil.example")';
  await world.app.db.enginePool.query(`update contacts set name = $2 where email_key = $1`, ['file@example.com', name]);
  const { text } = await shop.owner.send({ method: 'GET', url: `/api/v1/creators/${shop.creator.id}/members.csv` });
  const line = text.split('\r\n').find((one: string) => one.startsWith('file@example.com'))!;
  expect(line).toContain(`"'=HYPERLINK(`);
  expect(line).toMatch(/,Friends,stripe,active,400,usd,month,.*,cus_\w+,sub_\w+$/);
});

test('who canceled may say why, once; it is seen by their creator, and forgotten when they stay', async () => {
  const own = await world.shop();
  const { id: creatorId, handle } = own.creator;
  const email = 'leaves@example.com';
  await world.member(own, email);
  const cookie = await world.enterAccount(own, email);
  const account = async (act?: string, more = {}) => {
    const url = `/join/${handle}/account`;
    if (act !== undefined) await world.visit('POST', url, { act, ...more }, cookie);
    return (await world.visit('GET', url, {}, cookie)).html;
  };
  const reasons = async () => (await own.owner.call(getMemberFigures, { params: { creatorId } })).body.leftBecause;
  await account('why', { reason: 'price' });
  expect(await reasons()).toEqual([]);
  expect(await account('cancel')).toContain('Why do you leave?');
  await account('why', { reason: 'because' });
  expect(await reasons()).toEqual([]);
  expect(await account('why', { reason: 'price' })).not.toContain('Why do you leave?');
  await account('why', { reason: 'other' });
  expect(await reasons()).toEqual([{ reason: 'price', members: 1 }]);
  const [{ contact_id: memberId }] = await world.passOf(own, email);
  const { body } = await own.owner.call(getMember, { params: { creatorId, memberId } });
  expect(body.changes.map(({ what }: { what: string }) => what)).toContain('Said why they leave: It costs too much.');
  const { text } = await own.owner.send({ method: 'GET', url: `/api/v1/creators/${creatorId}/members.csv` });
  expect(text).toContain(',It costs too much,cus_');
  await account('keep');
  expect(await reasons()).toEqual([]);
});

test('another price is for new members, in yen without a point', async () => {
  const tokyo = await world.shop({ currency: 'jpy', month: 500, year: null });
  await world.member(tokyo, 'yuki@example.com');
  const about = { params: { creatorId: tokyo.creator.id, tierId: tokyo.tierId } };
  const body = { ...FRIENDS, currency: 'jpy' as const, month: 800, year: null };
  expect((await tokyo.owner.call(changeTier, { ...about, body })).body).toMatchObject({ month: 800, isPaidFor: true });
  const other = await tokyo.owner.call(changeTier, { ...about, body: { ...body, currency: 'usd' } });
  expect([other.status, other.body]).toMatchObject([422, { errors: [{ path: 'currency' }] }]);
  const none = await tokyo.owner.call(changeTier, { ...about, body: { ...body, month: null } });
  expect(none.status).toBe(422);
  expect(await world.passOf(tokyo, 'yuki@example.com')).toMatchObject([{ amount: 500, currency: 'jpy' }]);
  await world.member(tokyo, 'kenta@example.com');
  expect(await world.passOf(tokyo, 'kenta@example.com')).toMatchObject([{ amount: 800 }]);
});
