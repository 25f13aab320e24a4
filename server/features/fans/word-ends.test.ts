/** What blogs are told of members before they ask, and of their keys. */
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseContact } from '#contract/contacts.ts';
import { replaceSiteKey } from '#contract/locks.ts';
import { cancelMember, endGivenPass, givePass, signMemberOut } from '#contract/members.ts';
import { SIGNATURE_HEADER } from '#contract/outgoing-webhooks.ts';
import { registerPlugin, renewMemberPass } from '#contract/plugin.ts';
import { fingerprintOf } from '#server/features/sites/signing-keys.ts';
import { endDevices, grantKnown } from './entering.ts';
import { endMoved } from './passes.ts';
import { type FanWorld, type Shop, START, startFanWorld } from './testing/fan-world.ts';

const DAY_MS = 86_400_000;
let world: FanWorld;
let shop: Shop;
let params: { creatorId: string };
beforeAll(async () => {
  world = await startFanWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  shop = await world.shop();
  params = { creatorId: shop.creator.id };
  world.blogs.calls.length = 0;
  world.blogs.status = 200;
});

const asPlugin = async (path: string, body: object) =>
  (
    await world.app.visitor().send({
      ...{ method: 'POST', url: `/api/v1${path}`, body },
      headers: { authorization: `Bearer ${shop.key}` },
    })
  ).body;
const register = (more: object = {}) =>
  asPlugin(registerPlugin.path, {
    ...{ pluginVersion: '0.1.0', siteUrl: `https://blog-of-${params.creatorId}.example.test/`, ...more },
  });
const give = async (email: string): Promise<string> => {
  const body = { email, tierId: shop.tierId, days: null, note: '' };
  return (await shop.owner.call(givePass, { params, body })).body.contactId;
};
/** A browser of theirs enters at the blog. */
async function enter(contactId: string) {
  const start = createHash('sha256').update(START).digest('base64url');
  const begun = { siteId: shop.siteId, start, to: '/', goesByPath: true };
  const url = await world.app.db.withCreator(params.creatorId, (trx) =>
    grantKnown(world.deps, trx, { ...params, contactId, begun }),
  );
  const { token, secret } = await world.comeBack(shop, url!);
  const { device } = JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString());
  return { token: token!, secret, device: device as string };
}
const renew = async ({ device, secret }: { device: string; secret: string }): Promise<string | null> =>
  (await asPlugin(renewMemberPass.path, { device, secret })).token;
const told = () => world.blogs.calls.map(({ body }) => JSON.parse(body!));
const now = () => Math.floor(world.app.clock.now().getTime() / 1000);
const isSignedWith = (token: string, key: string) => {
  const [, said, mac] = token.split('.');
  const hmac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`member pass\n${said}`);
  return hmac.digest('base64url') === mac;
};

test.each<[string, (contactId: string) => Promise<unknown>]>([
  ['a given pass is taken back', (memberId) => shop.owner.call(endGivenPass, { params: { ...params, memberId } })],
  ['someone is logged out', (memberId) => shop.owner.call(signMemberOut, { params: { ...params, memberId } })],
])('when %s, the blog is told at once, signed with its key', async (_, end) => {
  const contactId = await give('anna@example.test');
  const { device } = await enter(contactId);
  await world.work();
  expect(told()).toEqual([]);
  await end(contactId);
  await world.work();
  expect(told()).toEqual([
    {
      ...{ what: 'members', isKeyNew: false },
      members: { at: now(), asksFrom: 0, asks: [{ device, from: now() }], inlineUntil: 0 },
    },
  ]);
  const [{ url, body, headers }] = world.blogs.calls as [(typeof world.blogs.calls)[0]];
  expect(url).toBe(`https://blog-of-${params.creatorId}.example.test/?rest_route=/creator-hq/v1/hub`);
  const { signingKeys, members } = await register();
  const mac = createHmac('sha256', Buffer.from(signingKeys[0], 'base64url')).update(`${now()}.${body}`).digest('hex');
  expect(headers[SIGNATURE_HEADER]).toBe(`t=${now()},v1=${mac}`);
  // A blog that did not hear of it does with its next report.
  expect(members).toEqual(told()[0].members);
});

test('a browser that is logged out is told of, though clocks go on between two statements', async () => {
  const contactId = await give('cleo@example.test');
  const { device } = await enter(contactId);
  let at = world.app.clock.now().getTime();
  const clock = { ...world.app.clock, now: () => new Date(at++) };
  await world.app.db.withCreator(params.creatorId, (trx) => endDevices({ clock }, trx, { ...params, contactId }));
  await world.app.clock.advance(1000);
  await world.work();
  expect(told().at(-1).members.asks).toMatchObject([{ device }]);
});

test('undoing a file that let members in is told', async () => {
  const contactId = await give('moved@example.test');
  const { device } = await enter(contactId);
  const moveId = crypto.randomUUID();
  await world.app.db.enginePool.query(`update passes set move_id = $2 where contact_id = $1`, [contactId, moveId]);
  await world.app.db.withCreator(params.creatorId, (trx) => endMoved(world.deps, trx, { ...params, moveId }));
  await world.work();
  expect(told().at(-1).members.asksFrom).toBe(now());
  expect(device).toBeTruthy();
});

test('a payment that is given back is told', async () => {
  const page = await world.member(shop, 'paid@example.test');
  const { token } = await world.comeBack(shop, await world.goBack(page.html));
  await world.work();
  expect(told()).toEqual([]);
  const { device } = JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString());
  const [{ contact_id: memberId }] = await world.passOf(shop, 'paid@example.test');
  const answer = await shop.owner.call(cancelMember, { params: { ...params, memberId }, body: { refund: true } });
  expect(answer.status).toBe(200);
  await world.work();
  expect(told().at(-1).members.asks).toEqual([{ device, from: now() }]);
  expect(await world.isIn(shop, 'paid@example.test')).toBe(false);
});

test('after an erasure everybody at that blog is asked about once', async () => {
  const contactId = await give('gone@example.test');
  await enter(contactId);
  expect((await shop.owner.call(eraseContact, { params: { ...params, contactId } })).status).toBe(200);
  await world.work();
  expect(told().at(-1).members).toMatchObject({ asksFrom: now(), asks: [] });
});

test('a blog that does not answer is told later, and one that is away for days is not', async () => {
  const memberId = await give('late@example.test');
  await enter(memberId);
  world.blogs.status = 503;
  await shop.owner.call(signMemberOut, { params: { ...params, memberId } });
  await world.work();
  expect(told()).toHaveLength(1);
  world.blogs.status = 200;
  await world.app.clock.advance(10_000);
  await world.work();
  expect(told()).toHaveLength(2);
  world.blogs.status = 503;
  await shop.owner.call(signMemberOut, { params: { ...params, memberId } });
  await world.work();
  await world.app.clock.advance(3 * DAY_MS);
  await world.work();
  const tries = told().length;
  await world.app.clock.advance(DAY_MS);
  await world.work();
  expect(told()).toHaveLength(tries);
});

/** Of twenty readers. */
async function enterWithHundred() {
  let contactId = '';
  const browsers: Awaited<ReturnType<typeof enter>>[] = [];
  for (let at = 0; at < 100; at++) {
    if (at % 5 === 0) contactId = await give(`reader${at}@example.test`);
    browsers.push(await enter(contactId));
  }
  return browsers;
}

test('after “My site was hacked” none of a hundred browsers is renewed, no word of before holds, and whoever enters again reads', {
  timeout: 120_000,
}, async () => {
  const { signingKeys: before } = await register();
  const browsers = await enterWithHundred();
  expect((await shop.owner.call(replaceSiteKey, { params })).status).toBe(200);
  for (const one of browsers) expect(await renew(one)).toBeNull();
  const { signingKeys: after } = await register();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  for (const { token } of browsers) expect(isSignedWith(token, after[0])).toBe(false);
  const { token } = await enter(await give('reader0@example.test'));
  expect(isSignedWith(token, after[0])).toBe(true);
});

// Last: no session outlives it.
test('a key is changed once a year while a hundred browsers read: each reads on', { timeout: 120_000 }, async () => {
  const { signingKeys: before } = await register();
  const browsers = await enterWithHundred();
  await world.app.clock.advance(366 * DAY_MS);
  await register();
  await world.work();
  expect(told().at(-1)).toMatchObject({ what: 'members', isKeyNew: true });
  // The blog has not said that it has the new key: nothing is signed with it.
  const { signingKeys: both } = await register({ keys: before.map(fingerprintOf) });
  expect(both).toEqual([before[0], expect.any(String)]);
  for (const one of browsers) expect(isSignedWith((await renew(one))!, before[0])).toBe(true);
  const { signingKeys: after } = await register({ keys: both.map(fingerprintOf) });
  expect(after).toEqual([both[1], both[0]]);
  for (const one of browsers) expect(isSignedWith((await renew(one))!, after[0])).toBe(true);
  await world.work();
  expect((await register()).signingKeys).toEqual(after);
});
