/**
 * Two owners with two tabs each start, pay, change, cancel and keep at once, in any order: one plan, nothing paid twice.
 *
 *     TABS=200 npx vitest run server/features/billing/tabs
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/billing.ts';
import { getMe } from '#contract/session.ts';
import { systemIds } from '#server/clock.ts';
import type { Person } from '#server/testing/test-app.ts';
import { fetchSubscription } from './sync.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

const RUNS = Number(process.env.TABS ?? 60);

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world?.close());

const wish = fc.record({
  planId: fc.constantFrom('creator-plan', 'studio-plan'),
  interval: fc.constantFrom('month' as const, 'year' as const),
});
const act = fc.oneof(
  fc.record({ does: fc.constantFrom('begin' as const, 'change' as const), wish }),
  fc.record({ does: fc.constantFrom('pay' as const, 'pay' as const, 'cancel' as const, 'keep' as const) }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
/** Who taps next, of four tabs: each tap is answered while the next ones are under way. */
const taps = fc.array(fc.record({ tab: fc.nat({ max: 3 }), act }), { minLength: 6, maxLength: 14, size: 'max' });

test(`${RUNS} interleavings`, { timeout: 10 * 60_000 }, async () => {
  const bought = { runs: 0, twice: 0 };
  const people = [await world.app.signUpAndIn(), await world.app.signUpAndIn()] as const;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), taps, async (isSoldTwice, all) => {
      const creatorId = await creatorOf(people);
      const tabs = Array.from({ length: 4 }, (_, at) => ({ person: people[at % 2]!, work: Promise.resolve() }));
      let page: string | null = (await tap({ does: 'begin', wish: WISH }, people[0], creatorId, null)) ?? null;
      for (const { tab, act: next } of all) {
        const { person, work } = tabs[tab]!;
        // In one tab one after the other; the four beside each other.
        tabs[tab]!.work = work.then(async () => {
          page = (await tap(next, person, creatorId, page)) ?? page;
        });
      }
      await Promise.all(tabs.map(({ work }) => work));
      // The older stays.
      const [live, second] = await liveOf(creatorId);
      if (live === undefined) return;
      if (isSoldTwice && second === undefined) {
        const items = [{ price: live.items.data[0]!.price.id }];
        const method = live.default_payment_method as string;
        await world.stripe.subscriptions.create({ customer: live.customer, items, default_payment_method: method });
      }
      // As an event, or the night, leads to it.
      await fetchSubscription(world.deps, creatorId);
      await world.work();
      bought.runs++;
      expect((await liveOf(creatorId)).map(({ id }) => id)).toEqual([live.id]);
      // Canceling is for later: what is over by now was surplus.
      bought.twice += (await world.control.subscriptions(live.customer)).length - 1;
      const money = (await world.control.money()).filter(({ customer }) => customer === live.customer);
      const others = money.filter(({ period }) => period?.subscription !== live.id);
      const kept = others.reduce((sum, { kind, cents }) => sum + (kind === 'charged' ? cents : -cents), 0);
      expect(kept, 'kept of surplus ones').toBe(0);
      const paid = money.filter(({ kind }) => kind === 'charged').map(({ invoice }) => invoice);
      expect(new Set(paid).size, 'each invoice is paid once').toBe(paid.length);
      const told = (await world.app.mails()).filter(({ kind }) => kind === 'plan_paid_twice');
      for (const { email } of people) {
        expect(told.filter(({ recipient }) => recipient === email)).toHaveLength(bought.twice);
      }
    }),
    { numRuns: RUNS },
  );
  expect(bought.runs).toBeGreaterThan(RUNS / 4);
  expect(bought.twice).toBeGreaterThan(0);
});

const WISH = { planId: 'creator-plan', interval: 'month' } as const;

async function creatorOf(people: readonly Person[]): Promise<string> {
  const { db, clock } = world.app;
  const id = systemIds.uuid(clock.now());
  await db.engine.insertInto('creators').values({ id, handle: id }).execute();
  for (const person of people) {
    const { _id: userId } = (await person.call(getMe)).body.account;
    await db.engine
      .insertInto('memberships')
      .values({
        ...{ creator_id: id, id: systemIds.uuid(clock.now()), user_id: userId },
        role: 'owner',
        created_at: clock.now(),
      })
      .execute();
  }
  return id;
}

/** @returns the page that was begun */
async function tap(does: Act, person: Person, creatorId: string, page: string | null): Promise<string | undefined> {
  const params = { creatorId };
  switch (does.does) {
    case 'begin': {
      const { status, body } = await person.call(contract.startCheckout, { params, body: does.wish });
      expect(status, JSON.stringify(body)).not.toBe(500);
      return body.url;
    }
    case 'pay':
      if (page !== null) await world.pay(page);
      return;
    case 'change': {
      const shown = await person.call(contract.previewPlanChange, { params, body: does.wish });
      if (shown.status !== 200) return;
      const { status } = await person.call(contract.changePlan, { params, body: { token: shown.body.token } });
      expect([200, 409]).toContain(status);
      return;
    }
    case 'cancel':
      expect((await person.call(contract.cancelPlan, { params, body: { reason: null } })).status).not.toBe(500);
      return;
    case 'keep':
      expect((await person.call(contract.keepPlan, { params })).status).not.toBe(500);
  }
}

async function liveOf(creatorId: string) {
  const customer = await world.app.db.engine
    .selectFrom('stripe_customers')
    .select('customer_id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (customer === undefined) return [];
  const live = (await world.control.subscriptions(customer.customer_id)).filter(({ status }) => status === 'active');
  return live;
}
