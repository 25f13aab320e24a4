/** Locked posts that a browser opens though nothing is paid for them. */
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endPassedRecipes, getMember } from '#contract/members.ts';
import {
  exchangeMemberGrant,
  openForFree,
  openPassedRecipe,
  passRecipe,
  registerPlugin,
  renewMemberPass,
} from '#contract/plugin.ts';
import { listTiers, setFreeOpens, setFreeReaders } from '#contract/tiers.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { grantKnown } from './entering.ts';
import { endGiven, givePass } from './passes.ts';
import { makeTier } from './tiers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = 's'.repeat(43);

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let siteId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { FAN_MEMBERSHIPS: 'on' } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  ({ id: creatorId } = await anna.createCreator());
  ({ key, siteId } = await registerBlog(app, anna, creatorId));
  await anna.call(setFreeReaders, { params: { creatorId }, body: { isOpen: true } });
  await set(2);
});

const set = async (many: number) => (await anna.call(setFreeOpens, { params: { creatorId }, body: { many } })).status;
const callHub = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${key}` };
  return (await app.visitor().send({ method: 'POST', url: `/api/v1${path}`, headers, body: body as never })).body;
};
const saidIn = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
type Browser = { device: string; secret: string };
/** A browser that came in at the blog. */
const enter = async (email = 'rita@example.test') => {
  const start = createHash('sha256').update(START).digest('base64url');
  const url = await app.db.withCreator(creatorId, async (trx) => {
    const reader = { creatorId, email, name: null, language: null, source: 'blog', at: app.clock.now() } as const;
    const { id: contactId } = await findOrMakeContact(trx, app.deps, reader);
    return grantKnown(app.deps, trx, { creatorId, contactId, begun: { siteId, start, to: '/', goesByPath: true } });
  });
  const grant = new URL(url!).pathname.split('/')[2]!;
  const { token, secret } = await callHub(exchangeMemberGrant.path, { grant, start: START });
  return { device: saidIn(token).device, secret } as Browser;
};
const open = async (browser: Browser, post: number) => {
  const { token } = await callHub(openForFree.path, { ...browser, post });
  return token === null ? null : saidIn(token);
};
const renew = async (browser: Browser) => saidIn((await callHub(renewMemberPass.path, browser)).token);
const postsOf = (said: { posts?: object }) => Object.keys(said.posts ?? {}).map(Number);

test('a reader opens as many posts a month as their creator says; each counts once, in all their browsers', async () => {
  const [phone, desk] = [await enter(), await enter()];
  expect(await renew(phone)).toMatchObject({ isReader: true, until: 0, free: [2, 2] });
  expect(await open(phone, 11)).toMatchObject({ free: [1, 2] });
  expect(await open(phone, 11)).toMatchObject({ free: [1, 2] });
  const { free, posts } = await renew(desk);
  expect([free, Object.keys(posts)]).toEqual([[1, 2], ['11']]);
  const end = new Date(app.clock.now());
  const until = Math.max(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1), +end + 12 * HOUR_MS);
  expect(posts[11]).toBe(Math.floor(until / 1000));
  expect(await open(desk, 11)).toMatchObject({ free: [1, 2] });
  expect(await open(desk, 12)).toMatchObject({ free: [0, 2] });
  expect(postsOf(await open(phone, 13))).toEqual([11, 12]);
  expect(await renew(await enter('una@example.test'))).toMatchObject({ free: [2, 2] });
});

test('two taps at once count once, and of two posts at once only what is left is opened', async () => {
  const [phone, desk] = [await enter(), await enter()];
  await Promise.all([phone, desk, phone, desk].map((browser) => open(browser, 11)));
  expect(await renew(phone)).toMatchObject({ free: [1, 2] });
  await Promise.all([12, 13, 14, 15].map((post, at) => open(at % 2 === 0 ? phone : desk, post)));
  const said = await renew(phone);
  expect(said.free).toEqual([0, 2]);
  expect(postsOf(said)).toHaveLength(2);
});

test('members have none, and nothing is opened where there are none, for another’s secret, or where readers pay', async () => {
  const browser = await enter();
  expect(await open({ ...browser, secret: 'x'.repeat(43) }, 11)).toBeNull();
  expect(await open({ ...browser, device: siteId }, 11)).toBeNull();
  await open(browser, 11);
  expect(await set(0)).toBe(200);
  const said = await open(browser, 12);
  expect(said.free).toBeUndefined();
  expect(postsOf(said)).toEqual([11]);
  expect(await set(4)).toBe(422);
  await set(3);
  const { body } = await anna.call(listTiers, { params: { creatorId } });
  expect(body).toMatchObject({ freeOpens: 3, hasFreeReaders: true });
  expect(await callHub(registerPlugin.path, { pluginVersion: '0.1.0' })).toMatchObject({ freeOpens: 3 });
  const member = await enter('cora@example.test');
  await app.db.withCreator(creatorId, async (trx) => {
    const tierId = await makeTier(app.deps, trx, { creatorId, ...FRIENDS });
    const endsAt = new Date(app.clock.now().getTime() + DAY_MS);
    await givePass(app.deps, trx, { creatorId, email: 'cora@example.test', tierId, endsAt, note: null });
  });
  const read = await open(member, 11);
  expect([read.isReader, read.free, read.posts]).toEqual([true, undefined, undefined]);
  await anna.call(setFreeReaders, { params: { creatorId }, body: { isOpen: false } });
  const kept = await open(browser, 12);
  expect([kept.isReader, kept.free, postsOf(kept)]).toEqual([false, undefined, [11]]);
  const { rows } = await app.db.enginePool.query(
    'select count(*)::int as n from free_opens where creator_id = $1 and post_id <> 11',
    [creatorId],
  );
  expect(rows).toEqual([{ n: 0 }]);
});

/** A member by what was given to them. */
const member = async (email = 'cora@example.test', endsAt: Date | null = null) => {
  const contactId = await app.db.withCreator(creatorId, async (trx) => {
    const tierId = await makeTier(app.deps, trx, { creatorId, ...FRIENDS });
    return givePass(app.deps, trx, { creatorId, email, tierId, endsAt, note: null });
  });
  return { contactId, browser: await enter(email) };
};
const pass = async (browser: Browser, post: number) => {
  const { token, link } = await callHub(passRecipe.path, { ...browser, post });
  return { said: token === null ? null : saidIn(token), link: link as string };
};
const NONE = { device: null, secret: null };
const visit = async (link: string, known: Browser | typeof NONE = NONE) => {
  const body = await callHub(openPassedRecipe.path, { link: link.split('.')[1], ...known });
  return body.token === null ? null : { said: saidIn(body.token), secret: body.secret as string };
};
const browserOf = ({ said, secret }: { said: { device: string }; secret: string }) => ({ device: said.device, secret });
const inHours = (hours: number) => Math.floor((app.clock.now().getTime() + hours * HOUR_MS) / 1000);

test('a member passes three recipes a month, each by a link that the blog knows as its own', async () => {
  const { browser } = await member();
  expect(await renew(browser)).toMatchObject({ toPass: 3 });
  const { said, link } = await pass(browser, 11);
  expect(said.toPass).toBe(2);
  const { signingKeys } = await callHub(registerPlugin.path, { pluginVersion: '0.1.0' });
  const [post, random, mac] = link.split('.');
  const key = Buffer.from(signingKeys[0], 'base64url');
  expect(mac).toBe(createHmac('sha256', key).update(`passed recipe\n11.${random}`).digest('base64url'));
  expect([post, random!.length]).toEqual(['11', 43]);
  const links = await Promise.all([11, 12, 13, 14].map((one) => pass(browser, one)));
  expect(links.filter(({ link: made }) => made !== null)).toHaveLength(2);
  expect(await renew(browser)).toMatchObject({ toPass: 0 });
  const reader = await enter();
  expect(await pass(reader, 11)).toMatchObject({ link: null, said: { isReader: true } });
  expect((await renew(reader)).toPass).toBeUndefined();
  expect(await callHub(passRecipe.path, { ...browser, secret: 'x'.repeat(43), post: 11 })).toMatchObject({
    ...{ token: null, link: null },
  });
});

test('a friend reads that post, for 48 hours from the first opening, in three browsers at most', async () => {
  const { browser } = await member();
  const { link } = await pass(browser, 11);
  await app.clock.advance(5 * DAY_MS);
  const first = (await visit(link))!;
  expect(first.said).toMatchObject({ tiers: {}, until: 0, isReader: false, posts: { 11: inHours(48) } });
  expect([first.said.free, first.said.toPass]).toEqual([undefined, undefined]);
  const until = first.said.posts[11];
  await app.clock.advance(HOUR_MS);
  // The same browser again is no other one.
  expect((await visit(link, browserOf(first)))!.said).toMatchObject({
    device: first.said.device,
    posts: { 11: until },
  });
  const more = await Promise.all([visit(link), visit(link), visit(link), visit(link)]);
  expect(more.filter((one) => one !== null)).toHaveLength(2);
  const browsers = 'select count(*)::int as n from fan_devices where creator_id = $1 and contact_id is null';
  expect((await app.db.enginePool.query(browsers, [creatorId])).rows).toEqual([{ n: 3 }]);
  expect(await renew(browserOf(first))).toMatchObject({ posts: { 11: until } });
  await app.clock.advance(47 * HOUR_MS);
  expect((await callHub(renewMemberPass.path, browserOf(first))).token).toBeNull();
  expect(await visit(link, browserOf(first))).toBeNull();
});

test('a browser that is known already keeps what it reads', async () => {
  const { browser } = await member();
  const { link } = await pass(browser, 11);
  const reader = await enter();
  const opened = (await visit(link, reader))!;
  expect(browserOf(opened)).toEqual(reader);
  expect(opened.said).toMatchObject({ isReader: true, free: [2, 2], posts: { 11: inHours(48) } });
  // Of another's secret it is a new one.
  const stranger = (await visit(link, { ...reader, secret: 'x'.repeat(43) }))!;
  expect([stranger.said.device === reader.device, stranger.said.isReader]).toEqual([false, false]);
});

test.each([
  [
    'the member’s pass ends',
    (contactId: string) => app.db.withCreator(creatorId, (trx) => endGiven(app.deps, trx, { creatorId, contactId })),
  ],
  [
    'the creator ends it',
    async (memberId: string) => {
      const params = { creatorId, memberId };
      expect((await anna.call(getMember, { params })).body.passed).toBe(1);
      await anna.call(endPassedRecipes, { params });
      expect((await anna.call(getMember, { params })).body.passed).toBe(0);
    },
  ],
])('when %s the blog is told, and the friend reads no more', async (_, end) => {
  const { browser, contactId } = await member();
  const { link } = await pass(browser, 11);
  const friend = browserOf((await visit(link))!);
  await app.clock.advance(HOUR_MS);
  await end(contactId);
  const { members } = await callHub(registerPlugin.path, { pluginVersion: '0.1.0' });
  expect(members.asks.map(({ device }: { device: string }) => device)).toContain(friend.device);
  expect((await callHub(renewMemberPass.path, friend)).token).toBeNull();
  expect(await visit(link)).toBeNull();
});

test.each([
  ['no one has', () => `11.${'x'.repeat(43)}`],
  [
    'was not opened for a month',
    async () => {
      const { link } = await pass((await member()).browser, 11);
      await app.db.enginePool.query(`update passed_recipes set made_at = made_at - interval '30 days'`);
      return link;
    },
  ],
])('a link that %s opens nothing', async (_, link) => {
  expect(await visit(await link())).toBeNull();
});

test('with the month, as the creator counts it, it begins anew; what was opened last stays half a day', async () => {
  await app.db.enginePool.query(`update creators set time_zone = 'Pacific/Auckland' where id = $1`, [creatorId]);
  const browser = await enter();
  const now = app.clock.now();
  // Noon in Auckland of the last day of a month, in summer.
  await app.clock.advance(Date.UTC(now.getUTCFullYear() + 1, 0, 30, 23) - now.getTime());
  await open(browser, 11);
  await app.clock.advance(11 * HOUR_MS + HOUR_MS / 2);
  await open(browser, 12);
  await app.clock.advance(HOUR_MS);
  const said = await renew(browser);
  expect(said.free).toEqual([2, 2]);
  expect(postsOf(said)).toEqual([12]);
  await app.clock.advance(11 * HOUR_MS);
  expect((await renew(browser)).posts).toBeUndefined();
});
