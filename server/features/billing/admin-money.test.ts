/** What operators see of payments, and do about them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { adminGrantPlan, adminListAudit } from '#contract/admin.ts';
import * as contract from '#contract/admin-money.ts';
import { getMe } from '#contract/session.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person } from '#server/testing/test-app.ts';
import { followLimit } from './follower-limit.ts';
import { endGiven } from './in-house.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

const DAY_MS = 86_400_000;

let world: BillingWorld;
let sam: Person;
let anna: Person & { creatorId: string };
beforeAll(async () => {
  world = await startBillingWorld();
  sam = await world.app.signUpAndIn();
  await world.app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', sam.id).execute();
});
afterAll(() => world?.close());
beforeEach(async () => {
  anna = await world.owner();
});

const money = async () => (await sam.call(contract.adminGetMoney)).body;
const planOf = async (planId: string) =>
  (await money()).plans.find((plan: { planId: string }) => plan.planId === planId);
const sell = (planId: string, body: object) =>
  sam.call(contract.adminChangePlan, { params: { planId }, body: body as never });

test('a new price is for those who buy from now on; who pays the old one keeps it, and is counted', async () => {
  const { url } = (await world.begin(anna, { planId: 'studio-plan' })).body;
  await world.pay(url);
  await world.pass(2);
  await world.look(anna, url);
  const cara = await world.owner();
  const before = (await world.begin(cara, { planId: 'studio-plan' })).body.url;
  const sold = { month: 8900, year: null, trialDays: 14, isOnSale: true };
  expect((await sell('studio-plan', sold)).status).toBe(200);
  expect(await planOf('studio-plan')).toMatchObject({
    ...sold,
    payers: [{ cents: 7900, interval: 'month', creators: 1, told: 0 }],
  });
  const { billing, subscription } = (await anna.call(getMe)).body;
  expect(billing).toMatchObject({ nextPayment: { cents: 7900 }, nextPrice: null });
  expect(subscription.plan.price).toEqual({ month: 7900 });
  expect((await world.begin(anna, { planId: 'studio-plan', interval: 'year' })).status).toBe(422);
  // A page that was open at the old price is no longer given.
  expect((await world.begin(cara, { planId: 'studio-plan' })).body.url).not.toBe(before);
  const bert = await world.owner();
  const his = (await world.begin(bert, { planId: 'studio-plan' })).body.url;
  const session = await world.stripe.checkout.sessions.retrieve(his.split('/').at(-1)!);
  expect(session.amount_subtotal).toBe(8900);
  expect((await sell('studio-plan', { ...sold, isOnSale: false })).status).toBe(200);
  expect((await world.begin(await world.owner(), { planId: 'studio-plan' })).status).toBe(422);
  const { items } = (await sam.call(adminListAudit, { query: {} })).body;
  expect(items.map(({ detail }: { detail: string }) => detail)).toEqual(
    expect.arrayContaining(['no longer on sale', 'month: $79.00 → $89.00; year: $790.00 → none; trial: 0 → 14 days']),
  );
});

test('who asks their bank for the money back is listed until it is decided', async () => {
  const { url } = (await world.begin(anna, { planId: 'creator-plan' })).body;
  await world.pay(url);
  const { charge } = (await world.control.money()).at(-1)!;
  const dispute = await world.control.dispute(charge);
  const { handle } = (await world.read(anna.creatorId)).creatorAccount;
  expect((await money()).disputes).toMatchObject([{ id: dispute, handle, amount: '$29.00', reason: 'general' }]);
  await world.control.closeDispute(dispute, false);
  expect((await money()).disputes).toEqual([]);
  await world.control.failNext({ kind: 'refused', status: 500, path: '/v1/disputes' });
  expect((await money()).disputes).toBeNull();
});

test.each([
  ['free-plan', { month: 100, year: null, trialDays: 0, isOnSale: true }, 422],
  ['no-plan', { month: 100, year: null, trialDays: 0, isOnSale: true }, 404],
  ['creator-plan', { month: -1, year: null, trialDays: 0, isOnSale: true }, 422],
  ['creator-plan', { month: 29.5, year: null, trialDays: 0, isOnSale: true }, 422],
  ['creator-plan', { month: 2900, year: null, trialDays: 400, isOnSale: true }, 422],
])('%s cannot become %j', async (planId, body, status) => {
  expect((await sell(planId, body)).status).toBe(status);
});

test('nobody but an admin sees or changes any of it, and none inside an account', async () => {
  expect((await anna.call(contract.adminGetMoney)).status).toBe(404);
  expect((await anna.call(contract.adminSyncPlan, { params: { adminCreatorId: anna.creatorId } })).status).toBe(404);
});

test('a plan that is given ends on its day', async () => {
  const until = new Date(world.app.clock.now().getTime() + 3 * DAY_MS).toISOString().slice(0, 10);
  const give = (day: string | null) =>
    sam.call(adminGrantPlan, {
      params: { adminCreatorId: anna.creatorId },
      body: { productId: 'creator-plan', reason: 'A pilot', until: day },
    });
  expect((await give('2020-01-01')).status).toBe(422);
  expect((await give(until)).status).toBe(200);
  const { billing } = await world.read(anna.creatorId);
  expect(billing).toMatchObject({ standing: 'given', until: new Date(Date.parse(until) + DAY_MS).toISOString() });
  await endGiven(world.app.deps);
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('given');
  await world.app.clock.advance(4 * DAY_MS);
  await endGiven(world.app.deps);
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('free');
});

test('a copy is made again by hand; more days are given to who has some', async () => {
  const params = { adminCreatorId: anna.creatorId };
  expect((await sam.call(contract.adminSyncPlan, { params })).status).toBe(200);
  const give = () => sam.call(contract.adminGiveDays, { params, body: { reason: 'They asked' } });
  expect((await give()).body.code).toBe('not_possible_now');
  await insertConnection(world.app.db, anna.creatorId, { followers_count: 30_000 });
  const limit = { creator_id: anna.creatorId, checked_on: '2026-01-01', mails: 3, accepted_at: new Date(0) };
  const crossed = new Date(world.app.clock.now().getTime() - 31 * DAY_MS);
  await world.app.db.engine
    .insertInto('follower_limits')
    .values({ ...limit, crossed_at: crossed })
    .execute();
  await followLimit(world.app.deps, anna.creatorId);
  const shown = async () => (await money()).over.find((one: { creatorId: string }) => one.creatorId === anna.creatorId);
  expect(await shown()).toMatchObject({ followers: 30_000, isLimited: true });
  expect((await give()).status).toBe(200);
  expect(await shown()).toMatchObject({ isLimited: false });
});

test('without a key it says who would be over the line', async () => {
  const app = await createTestApp();
  const admin = await app.signUpAndIn();
  await app.db.engine.updateTable('users').set({ is_admin: true }).execute();
  const { id } = await admin.createCreator('big.kitchen');
  await insertConnection(app.db, id, { followers_count: 25_000 });
  const { body } = await admin.call(contract.adminGetMoney);
  expect(body).toMatchObject({ mode: 'off', over: [{ handle: 'big.kitchen', followers: 25_000, graceUntil: null }] });
  await app.close();
});
