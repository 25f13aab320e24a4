/**
 * A night in which no message ever came: whoever differs is found, by a call for a hundred.
 *
 *     FAN_MEMBERS=100000 npx vitest run server/features/fans/comparing
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareAccount } from './sync.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

const MEMBERS = Number(process.env.FAN_MEMBERS ?? 230);
/** The others are copies of the last of them. */
const WHO_JOIN = 7;

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
  for (let fan = 0; fan < WHO_JOIN; fan++) await world.member(shop, `fan${fan}@example.com`);
  const like = await subscriptionOf(WHO_JOIN - 1);
  const copies = await world.control.copySubscription(like, MEMBERS - WHO_JOIN);
  for (let from = 0; from < copies.length; from += 1000) {
    await world.app.db.enginePool.query(
      `with contact as (
         insert into contacts (creator_id, id, source, first_seen_at, last_seen_at)
         select $1, md5(copy)::uuid, 'blog', now(), now() from unnest($3::text[]) as copy
       )
       insert into passes select made.* from passes p, unnest($3::text[]) as copy, jsonb_populate_record(p,
         jsonb_build_object('id', gen_random_uuid(), 'contact_id', md5(copy)::uuid, 'stripe_subscription_id', copy)) as made
       where p.creator_id = $1 and p.stripe_subscription_id = $2`,
      [shop.creator.id, like, copies.slice(from, from + 1000)],
    );
  }
}, 600_000);
afterAll(() => world?.close());

const subscriptionOf = async (fan: number) =>
  (await world.passOf(shop, `fan${fan}@example.com`))[0].stripe_subscription_id;
const calls = async () => (await world.control.calls()).length;
const marked = async () =>
  (await world.app.db.enginePool.query(`select count(*)::int as jobs from jobs where name = 'sync-fan'`)).rows[0].jobs;

test('nothing changed: a call for a hundred members, and nobody is asked for alone', async () => {
  const before = await calls();
  await compareAccount(world.deps, shop.creator.id);
  // And one each for what was given back, and for disputes.
  expect((await calls()) - before).toBe(Math.ceil(MEMBERS / 100) + 2);
  expect(await marked()).toBe(0);
});

test('who canceled, ended, got money back or disputes at Stripe is found, and nobody else is asked for', async () => {
  const options = { stripeAccount: shop.account };
  await world.stripe.subscriptions.update(await subscriptionOf(0), { cancel_at_period_end: true }, options);
  await world.stripe.subscriptions.cancel(await subscriptionOf(1), {}, options);
  const lines = await world.control.money();
  const chargeOf = async (fan: number) => {
    const id = await subscriptionOf(fan);
    return lines.find(({ period }) => period?.subscription === id)!.charge;
  };
  await world.stripe.refunds.create({ charge: await chargeOf(2) }, options);
  await world.control.dispute(await chargeOf(3));
  await compareAccount(world.deps, shop.creator.id);
  expect(await marked()).toBe(4);
  await world.work();
  const isIn = await Promise.all([0, 1, 2, 3, 4].map((fan) => world.isIn(shop, `fan${fan}@example.com`)));
  expect(isIn).toEqual([true, false, false, false, true]);
  expect((await world.passOf(shop, 'fan0@example.com'))[0].cancel_at).not.toBeNull();
});

test('what was given back while nothing ran here for a week is found', async () => {
  const subscription = await subscriptionOf(5);
  const { charge } = (await world.control.money()).find(({ period }) => period?.subscription === subscription)!;
  await world.stripe.refunds.create({ charge }, { stripeAccount: shop.account });
  await world.pass(7);
  await compareAccount(world.deps, shop.creator.id);
  await world.work();
  expect(await world.isIn(shop, 'fan5@example.com')).toBe(false);
});
