/** A creator takes their members along, or closes memberships: at Stripe, for members, on the page to join, and with the creator's own end. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blockMember } from '#contract/members.ts';
import { endMemberships, getMembershipEnd, keepMemberships } from '#contract/membership-end.ts';
import { getDeletion, requestDeletion } from '#contract/settings.ts';
import { checkStripeAccount, getStripeAccount } from '#contract/stripe-account.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
let fans = 0;
beforeAll(async () => {
  world = await startFanWorld({ MEMBERSHIP_FEE_PERCENT: '5' });
});
afterAll(() => world?.close());
beforeEach(async () => {
  shop = await world.shop();
});

const params = () => ({ creatorId: shop.creator.id });
const ask = (way: 'leave' | 'close', handle = shop.creator.handle) =>
  shop.owner.call(endMemberships, { params: params(), body: { way, handle } });
const end = async () => (await shop.owner.call(getMembershipEnd, { params: params() })).body;
const subjects = async (email: string) =>
  (await world.app.mails(email)).map(({ subject }) => subject.replace(/^@\S+: /, ''));
async function members(many: number): Promise<string[]> {
  const emails = Array.from({ length: many }, () => `member${++fans}@example.com`);
  for (const email of emails) await world.member(shop, email);
  return emails;
}
const atStripe = async (email: string) => {
  const paid = (await world.passOf(shop, email)).find(({ source }) => source === 'stripe');
  return world.stripe.subscriptions.retrieve(paid.stripe_subscription_id, {}, { stripeAccount: shop.account });
};
const callsIn = async (account: string) =>
  (await world.control.calls()).filter((call) => call.account === account || call.path.includes(account)).length;

test('whoever cancels after that is told that their creator ends it, and the creator is', async () => {
  const [email] = await members(1);
  await ask('leave');
  await world.work();
  await world.visit('POST', `/join/${shop.creator.handle}/cancel`, { email: email!, name: 'Fan' });
  await world.work();
  expect(await subjects(email!)).toContain('We received your cancellation');
  const [told] = (await world.app.mails(shop.owner.email)).filter(({ subject }) => subject.includes('canceled'));
  expect(told!.text).toContain(email);
});

test('after leaving a creator can connect again', async () => {
  const [email] = await members(1);
  await ask('leave');
  await world.work();
  expect((await shop.owner.call(keepMemberships, { params: params() })).body).toMatchObject({ way: null });
  expect((await shop.owner.call(getStripeAccount, { params: params() })).body.state).toBe('ready');
  expect((await world.visit('GET', joinUrl(shop))).html).toContain('Become a member');
  expect(await world.isIn(shop, email!)).toBe(true);
});

test('closing cancels each for the end of what is paid, tells them once, and can be called off', async () => {
  const [stays, own, blocked] = await members(3);
  const cookie = await world.enterAccount(shop, own!);
  const account = `/join/${shop.creator.handle}/account`;
  await world.visit('POST', account, { act: 'cancel' }, cookie);
  await ask('close');
  await world.work();
  expect(await end()).toMatchObject({ way: 'close', members: 3, isDone: true, lastEndsAt: expect.any(String) });
  expect(await atStripe(stays!)).toMatchObject({ cancel_at_period_end: true, status: 'active' });
  expect((await subjects(stays!)).filter((one) => one.startsWith('Your membership ends on'))).toHaveLength(1);
  const mail = (await world.app.mails(stays!)).at(-1)!;
  expect(mail.text).toContain('closes their memberships');
  expect((await world.visit('GET', joinUrl(shop))).html).toContain('Closed for new members');
  const kept = await world.visit('POST', account, { act: 'keep' }, cookie);
  expect([kept.status, kept.html]).toEqual([409, expect.stringContaining('closes their memberships')]);
  const [{ contact_id: memberId }] = await world.passOf(shop, blocked!);
  await shop.owner.call(blockMember, { params: { ...params(), memberId }, body: { refund: false } });
  expect((await shop.owner.call(keepMemberships, { params: params() })).body).toMatchObject({ isCalledOff: true });
  await world.work();
  expect(await end()).toMatchObject({ way: null });
  expect(await atStripe(stays!)).toMatchObject({ cancel_at_period_end: false });
  // What a member canceled themselves stays so, and that of whom their creator blocked.
  for (const email of [own!, blocked!]) expect(await atStripe(email)).toMatchObject({ cancel_at_period_end: true });
  expect((await world.visit('GET', joinUrl(shop))).html).toContain('Become a member');
});

test('an account with members is deleted once it is said what becomes of them', async () => {
  const [email] = await members(1);
  const about = { params: params() };
  expect((await shop.owner.call(getDeletion, about)).body).toMatchObject({ deleteAt: null, members: 1 });
  const { handle } = shop.creator;
  const refused = await shop.owner.call(requestDeletion, { ...about, body: { handle } });
  expect([refused.status, refused.body]).toMatchObject([422, { detail: 'Say what becomes of your members first.' }]);
  expect((await shop.owner.call(getDeletion, about)).body).toMatchObject({ deleteAt: null });
  expect((await shop.owner.call(requestDeletion, { ...about, body: { handle, members: 'close' } })).status).toBe(200);
  await world.work();
  expect(await atStripe(email!)).toMatchObject({ cancel_at_period_end: true });
  const without = await world.shop();
  const gone = { params: { creatorId: without.creator.id }, body: { handle: without.creator.handle } };
  expect((await without.owner.call(requestDeletion, gone)).status).toBe(200);
});

// Sessions end while the clock goes on: last.
test('leaving takes our fee off every subscription, then asks nothing more; what is closed ends and is charged no more', async () => {
  const [closed] = await members(1);
  const closing = shop;
  await ask('close');
  await world.work();
  shop = await world.shop();
  const emails = await members(3);
  const wrong = await ask('leave', 'someone.else');
  expect([wrong.status, wrong.body]).toMatchObject([422, { errors: [{ path: 'handle' }] }]);
  const { location } = await world.join(shop, 'on-the-way@example.com');
  expect((await ask('leave')).body).toMatchObject({ way: 'leave', members: 3, isDone: false });
  expect((await ask('close')).body).toMatchObject({ code: 'not_possible_now' });
  await world.work();
  expect(await end()).toMatchObject({ way: 'leave', many: 3, done: 3, isDone: true });
  for (const email of emails) {
    expect(await atStripe(email)).toMatchObject({ application_fee_percent: null, status: 'active' });
  }
  // The page that was open sells nothing any more, and there is no other.
  await expect(world.pay(location!)).rejects.toThrow();
  expect((await world.visit('GET', joinUrl(shop))).html).toContain('Not open yet');
  expect((await shop.owner.call(getStripeAccount, { params: params() })).body.state).toBe('closed');
  const before = await callsIn(shop.account);
  await shop.owner.call(checkStripeAccount, { params: params() });
  await world.pass(20);
  expect(await world.isIn(shop, emails[0]!)).toBe(true);
  expect(await world.isIn(closing, closed!)).toBe(true);
  await world.pass(15);
  expect(await world.isIn(closing, closed!)).toBe(false);
  const once = await world.stripe.charges.list({ limit: 100 }, { stripeAccount: closing.account });
  expect(once.data).toHaveLength(1);
  expect(await callsIn(shop.account)).toBe(before);
  const options = { stripeAccount: shop.account };
  const charges = (await world.stripe.charges.list({ limit: 100 }, options)).data;
  expect(charges.map(({ application_fee_amount: fee }) => fee).sort()).toEqual([20, 20, 20, null, null, null]);
  // What was known last has ended; nobody heard of the renewal.
  await world.pass(10);
  expect(await world.isIn(shop, emails[0]!)).toBe(false);
});
