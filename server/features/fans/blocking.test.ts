/** Whom a creator lets in no longer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockMember, unblockMember } from '#contract/members.ts';
import { renewMemberPass } from '#contract/plugin.ts';
import { keepMembership } from './ending.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());

const inAccount = () => ({ stripeAccount: shop.account });
const subscriptionOf = async (email: string) =>
  world.stripe.subscriptions.retrieve((await world.passOf(shop, email))[0].stripe_subscription_id, {}, inAccount());
const codesTo = async (email: string) =>
  (await world.app.mails(email)).filter(({ kind }) => kind === 'fan_code').length;

async function about(email: string) {
  const [{ contact_id: memberId }] = await world.passOf(shop, email);
  return { params: { creatorId: shop.creator.id, memberId } };
}
async function block(email: string, refund = false): Promise<void> {
  const { status, body } = await shop.owner.call(blockMember, { ...(await about(email)), body: { refund } });
  expect(status, JSON.stringify(body)).toBe(200);
}
/** As the blog asks. */
async function renew({ token, secret }: { token: string | null; secret: string }): Promise<string | null> {
  const { device } = JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString());
  const { body } = await world.app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${renewMemberPass.path}`, body: { device, secret } },
    headers: { authorization: `Bearer ${shop.key}` },
  });
  return body.token;
}
const askForCode = (email: string) => world.visit('POST', joinUrl(shop).replace('?', '/enter?'), { email });

test('they are out everywhere at once, get no code, join no more, and are charged no more; then they are let in again', async () => {
  const email = 'loud@example.com';
  const { html } = await world.member(shop, email);
  const entered = await world.comeBack(shop, await world.goBack(html));
  const cookie = await world.enterAccount(shop, email);
  await world.member(shop, 'quiet@example.com');
  const other = await world.enterAccount(shop, 'quiet@example.com');
  expect(await renew(entered)).toMatch(/^chq1\./);
  const calls = world.blogs.calls.length;

  await block(email);
  await world.work();
  expect(world.blogs.calls.length).toBeGreaterThan(calls);
  expect(await renew(entered)).toBeNull();
  const account = `/join/${shop.creator.handle}/account`;
  expect((await world.visit('GET', account, undefined, cookie)).html).toContain('Send me a code');
  expect((await world.visit('GET', account, undefined, other)).html).toContain('quiet@example.com');
  expect((await subscriptionOf(email)).cancel_at_period_end).toBe(true);
  const told = (await world.app.mails(email)).at(-1)!;
  expect(told.subject).toContain('Your membership was canceled');
  expect(told.text).not.toContain('read on');
  const codes = await codesTo(email);
  expect((await askForCode(email)).html).toContain('name="state"');
  expect(await codesTo(email)).toBe(codes);
  expect(await world.join(shop, 'LOUD@example.com')).toMatchObject({
    ...{ location: null, html: expect.stringContaining('can’t be used here') },
  });
  const gift = { choice: `${shop.tierId} 1`, to: email, from: 'giver@example.com', day: '', words: '' };
  const day = world.app.clock.now().toISOString().slice(0, 10);
  const given = await world.visit('POST', `/join/${shop.creator.handle}/gift`, { ...gift, day });
  expect([given.location, given.html]).toEqual([null, expect.stringContaining('can’t give this')]);
  const [{ contact_id: contactId, creator_id: creatorId }] = await world.passOf(shop, email);
  await expect(keepMembership(world.deps, { creatorId, contactId })).rejects.toThrow('can’t be used here');

  expect((await shop.owner.call(unblockMember, await about(email))).status).toBe(200);
  await world.app.clock.advance(3_600_000);
  await askForCode(email);
  expect(await codesTo(email)).toBe(codes + 1);
  await keepMembership(world.deps, { creatorId, contactId });
  expect((await subscriptionOf(email)).cancel_at_period_end).toBe(false);
  // Who was logged out stays so.
  expect(await renew(entered)).toBeNull();
});

test('with a refund, all that was paid is given back', async () => {
  const email = 'refunded@example.com';
  await world.member(shop, email);
  const { customer } = await subscriptionOf(email);
  await block(email, true);
  const { data } = await world.stripe.charges.list({ customer: customer as string }, inAccount());
  expect(data.map(({ refunded }) => refunded)).toEqual([true]);
  expect(await world.isIn(shop, email)).toBe(false);
});

test('what they pay on a page that was open before is given back, and told', async () => {
  const email = 'quick@example.com';
  await world.member(shop, email);
  const { id } = await subscriptionOf(email);
  await world.stripe.subscriptions.cancel(id, {}, inAccount());
  await world.pass(1.1);
  const { location } = await world.join(shop, email);
  await block(email);
  expect((await world.visit('GET', await world.pay(location!))).html).toContain(
    'What is paid meanwhile is given back.',
  );
  await world.work();
  expect((await world.passOf(shop, email)).map(({ isIn, is_refunded }) => [isIn, is_refunded])).toEqual([
    [false, true],
    [false, false],
  ]);
  const { customer } = await world.stripe.subscriptions.retrieve(id, {}, inAccount());
  const { data } = await world.stripe.charges.list({ customer: customer as string }, inAccount());
  expect(data.map(({ refunded }) => refunded)).toEqual([true, false]);
  const told = (await world.app.mails(email)).at(-1)!;
  expect(told.subject).toContain('You get your payment back');
  expect(told.text).toContain('You can’t be a member with this address.');
});

test('only a member can be blocked, and twice is as once', async () => {
  const missing = { params: { creatorId: shop.creator.id, memberId: crypto.randomUUID() }, body: { refund: false } };
  expect((await shop.owner.call(blockMember, missing)).status).toBe(404);
  const email = 'twice@example.com';
  await world.member(shop, email);
  await block(email);
  await block(email);
  const { rows } = await world.app.db.enginePool.query(
    `select count(*)::int as n from pass_changes where contact_id = $1 and what like 'Blocked%'`,
    [(await about(email)).params.memberId],
  );
  expect(rows[0].n).toBe(1);
});
