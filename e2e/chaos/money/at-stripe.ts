/** What is done, and looked up, on Stripe's side of a schedule. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { MoneyEvidence } from '#e2e/chaos/money/oracle.ts';
import type { Step } from '#e2e/chaos/money/schedule.ts';
import type { Tables } from '#server/db/types.ts';
import { standingOfRow } from '#server/features/billing/subscriptions.ts';
import type { StripeControl } from '#simulators/stripe/control.ts';
import type { Behavior } from '#simulators/stripe/world.ts';

export type MoneyWorld = { control: StripeControl; stripe: Stripe; db: Kysely<Tables>; now: () => Date };

/** By the operator at the dashboard, or by the bank. @throws what Stripe's library throws where that cannot be */
export async function atStripe(
  world: MoneyWorld,
  creatorId: string,
  what: Extract<Step, { do: 'at Stripe' }>['what'],
): Promise<void> {
  const { stripe, control } = world;
  if (what === 'card good') return setCards(world, creatorId, { kind: 'good' });
  if (what === 'card bad') return setCards(world, creatorId, { kind: 'fails', code: 'insufficient_funds' });
  if (what === 'card asks') return setCards(world, creatorId, { kind: 'confirm' });
  const customer = (await customersOf(world, creatorId))[0];
  if (customer === undefined) return;
  const charge = (await stripe.charges.list({ customer, limit: 10 })).data.find(({ paid }) => paid);
  const live = (await control.subscriptions(customer)).find(({ status }) => status === 'active');
  if (what === 'ends' && live !== undefined) await stripe.subscriptions.cancel(live.id);
  if (what === 'forgets') await stripe.customers.del(customer);
  if (what === 'gives back' && charge !== undefined) await stripe.refunds.create({ charge: charge.id });
  if (what === 'disputes' && charge !== undefined && !charge.disputed) await control.dispute(charge.id);
  if (what === 'sells' && live !== undefined) {
    const items = [{ price: live.items.data[0]!.price.id }];
    const method = (await stripe.paymentMethods.list({ customer })).data[0];
    if (method === undefined) return;
    await stripe.subscriptions.create({ customer, items, default_payment_method: method.id });
  }
}

export async function setCards(world: MoneyWorld, creatorId: string, behavior: Behavior): Promise<void> {
  for (const customer of await customersOf(world, creatorId)) {
    const methods = await world.stripe.paymentMethods.list({ customer }).catch(() => null);
    for (const { id } of methods?.data ?? []) await world.control.setBehavior(id, behavior);
  }
}

/** All that were ever made for the creator, the newest first. */
export async function customersOf({ control }: MoneyWorld, creatorId: string): Promise<string[]> {
  const made = (await control.events()).flatMap(({ type, data }) => {
    if (type !== 'customer.created') return [];
    const { id, metadata } = data.object as unknown as Stripe.Customer;
    return metadata.chq_creator === creatorId ? [id] : [];
  });
  return made.reverse();
}

export async function collectEvidence(
  world: MoneyWorld,
  creatorId: string,
  givenBack: string[],
): Promise<MoneyEvidence> {
  const { control, stripe, db, now } = world;
  const customers = await customersOf(world, creatorId);
  const calls = await db
    .selectFrom('stripe_calls')
    .select(['key', 'verb', 'state', 'stripe_id'])
    .where((eb) => eb.or([eb('creator_id', '=', creatorId), eb('creator_id', 'is', null)]))
    .execute();
  const row = await db.selectFrom('subscriptions').selectAll().where('creator_id', '=', creatorId).executeTakeFirst();
  const { delete_at: leavesAt } = await db
    .selectFrom('creators')
    .select('delete_at')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const prices = await db.selectFrom('plan_prices').select(['stripe_price_id', 'plan_id']).execute();
  const invoices = [];
  for (const customer of customers) invoices.push(...(await stripe.invoices.list({ customer, limit: 100 })).data);
  return {
    money: (await control.money()).filter(({ customer }) => customers.includes(customer)),
    changeInvoices: new Set(
      invoices.flatMap(({ id, billing_reason }) => (billing_reason === 'subscription_update' ? [id!] : [])),
    ),
    subscriptions: (await Promise.all(customers.map((customer) => control.subscriptions(customer)))).flat(),
    copy: {
      stripeSubscriptionId: row?.stripe_subscription_id ?? 'inhouse_none',
      planId: row?.plan_id ?? 'free-plan',
      standing: row === undefined ? 'free' : standingOfRow(row, now()),
    },
    planOf: (id) => prices.find(({ stripe_price_id }) => stripe_price_id === id)?.plan_id,
    endedByUs: new Set(calls.flatMap(({ verb, stripe_id }) => (verb === 'end_subscription' ? (stripe_id ?? []) : []))),
    callsPlanned: calls.flatMap(({ key, state }) => (state === 'planned' ? [key] : [])),
    ...{ givenBack, isLeaving: leavesAt !== null },
  };
}
