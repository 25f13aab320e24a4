/** Payers of an earlier price, on their way to the present one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/admin-money.ts';
import { cancelPlan, refundPlan } from '#contract/billing.ts';
import type { Person } from '#server/testing/test-app.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

const DAY_MS = 86_400_000;

let world: BillingWorld;
let sam: Person;
beforeAll(async () => {
  world = await startBillingWorld();
  sam = await world.app.signUpAndIn();
  await world.app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', sam.id).execute();
});
afterAll(() => world?.close());

async function pay() {
  const person = await world.owner();
  const { url } = (await world.begin(person)).body;
  await world.pay(url);
  await world.look(person, url);
  return person;
}

async function sell(month: number) {
  await world.pass(1);
  return sam.call(contract.adminChangePlan, {
    params: { planId: 'creator-plan' },
    body: { month, year: null, trialDays: 0, isOnSale: true },
  });
}

const tell = (toCents: number) =>
  sam.call(contract.adminMovePayers, {
    params: { planId: 'creator-plan' },
    body: { interval: 'month', cents: 2900, toCents },
  });

test('another price cancels what payers were told', async () => {
  const anna = await pay();
  for (const month of [3900, 4900]) {
    await sell(month);
    expect((await world.read(anna.creatorId)).billing).toMatchObject({ nextPrice: null });
    await tell(month);
    await world.work();
    expect((await world.read(anna.creatorId)).billing).toMatchObject({ nextPrice: { cents: month } });
  }
  await anna.call(refundPlan, { params: { creatorId: anna.creatorId } });
  await sell(2900);
});

test('payers of before are told once, keep their price for thirty days, and renew at the present one after them', async () => {
  const [stays, leaves] = [await pay(), await pay()];
  await sell(3900);
  expect((await tell(2000)).body).toMatchObject({ code: 'changed_meanwhile' });
  for (const _ of ['at once', 'and again']) {
    expect((await tell(3900)).status).toBe(200);
    await world.work();
  }
  const mails = world.app.db.engine.selectFrom('mails').selectAll().where('kind', '=', 'price_changes');
  expect(await mails.where('about_creator_id', '=', stays.creatorId).execute()).toHaveLength(1);
  const { plans } = (await sam.call(contract.adminGetMoney)).body;
  expect(plans).toContainEqual(
    expect.objectContaining({ payers: [{ cents: 2900, interval: 'month', creators: 2, told: 2 }] }),
  );
  const told = await world.read(stays.creatorId);
  expect(told.billing).toMatchObject({ nextPayment: { cents: 2900 }, nextPrice: { cents: 3900 } });
  await leaves.call(cancelPlan, { params: { creatorId: leaves.creatorId }, body: { reason: null } });

  const customerOf = async ({ creatorId }: { creatorId: string }) =>
    (
      await world.app.db.engine
        .selectFrom('stripe_customers')
        .select('customer_id')
        .where('creator_id', '=', creatorId)
        .executeTakeFirstOrThrow()
    ).customer_id;
  const charged = async (person: { creatorId: string }) => {
    const customer = await customerOf(person);
    return (await world.control.money()).flatMap((line) => (line.customer === customer ? line.cents : []));
  };
  for (let day = 0; day < 95; day++) {
    await world.pass(DAY_MS / 1000);
    await world.work();
  }
  // The renewal within the thirty days is as before, every one after them is not.
  expect(await charged(stays)).toEqual([2900, 2900, 3900, 3900]);
  expect(await charged(leaves)).toEqual([2900]);
  const moved = await world.read(stays.creatorId);
  expect(moved).toMatchObject({
    subscription: { plan: { price: { month: 3900 } } },
    billing: { nextPayment: { cents: 3900 }, nextPrice: null },
  });
});
