/** What is done, and looked up, on Stripe's side of a schedule. */
import { type Kysely, sql } from 'kysely';
import type Stripe from 'stripe';
import type { FansEvidence, MoneyEvidence } from '#e2e/chaos/money/oracle.ts';
import type { FanWhat } from '#e2e/chaos/money/schedule.ts';
import type { Tables } from '#server/db/types.ts';
import { standingOfRow } from '#server/features/billing/subscriptions.ts';
import { isGood } from '#server/features/fans/passes.ts';
import { REFUND_MARK } from '#server/features/fans/refunds.ts';
import type { StripeControl } from '#simulators/stripe/control.ts';
import type { Behavior } from '#simulators/stripe/world.ts';

export type MoneyWorld = {
  control: StripeControl;
  stripe: Stripe;
  /** In which account; absent: our own. */
  inAccount?: { stripeAccount: string };
  db: Kysely<Tables>;
  now: () => Date;
};

/**
 * By the operator or the creator at the dashboard, or by the bank.
 *
 * @param customers all that one payer is or was, the newest first
 * @throws what Stripe's library throws where that cannot be
 */
export async function atStripe(world: MoneyWorld, customers: string[], what: FanWhat['does']): Promise<void> {
  const { stripe, control, inAccount } = world;
  if (what === 'card good') return setCards(world, customers, { kind: 'good' });
  if (what === 'card bad') return setCards(world, customers, { kind: 'fails', code: 'insufficient_funds' });
  if (what === 'card asks') return setCards(world, customers, { kind: 'confirm' });
  const customer = customers[0];
  if (customer === undefined) return;
  const charge = (await stripe.charges.list({ customer, limit: 10 }, inAccount)).data.find(({ paid }) => paid);
  const live = (await control.subscriptions(customer)).find(({ status }) => status === 'active');
  if (what === 'ends' && live !== undefined) await stripe.subscriptions.cancel(live.id, {}, inAccount);
  if (what === 'forgets') await stripe.customers.del(customer, {}, inAccount);
  if (what === 'gives back' && charge !== undefined) await stripe.refunds.create({ charge: charge.id }, inAccount);
  if (what === 'gives back a part' && charge !== undefined)
    await stripe.refunds.create({ charge: charge.id, amount: 100 }, inAccount);
  if (what === 'disputes' && charge !== undefined && !charge.disputed) await control.dispute(charge.id);
  if (what === 'decides' && charge?.disputed === true) {
    const [open] = (await stripe.disputes.list({ charge: charge.id }, inAccount)).data;
    if (open?.status === 'needs_response') await control.closeDispute(open.id, true);
  }
  if (what === 'sells' && live !== undefined) {
    const items = [{ price: live.items.data[0]!.price.id }];
    const method = (await stripe.paymentMethods.list({ customer }, inAccount)).data[0];
    if (method === undefined) return;
    await stripe.subscriptions.create({ customer, items, default_payment_method: method.id }, inAccount);
  }
}

export async function setCards(
  { stripe, control, inAccount }: MoneyWorld,
  customers: string[],
  behavior: Behavior,
): Promise<void> {
  for (const customer of customers) {
    const methods = await stripe.paymentMethods.list({ customer }, inAccount).catch(() => null);
    for (const { id } of methods?.data ?? []) await control.setBehavior(id, behavior);
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

/** As `customersOf`, of a reader with this address in a creator's account. */
export async function customersOfReader({ control, inAccount }: MoneyWorld, email: string): Promise<string[]> {
  const made = (await control.events()).flatMap(({ type, account, data }) => {
    if (type !== 'customer.created' || account !== inAccount?.stripeAccount) return [];
    const { id, email: theirs } = data.object as unknown as Stripe.Customer;
    return theirs?.toLowerCase() === email ? [id] : [];
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
  const calls = await callsOf(db, creatorId);
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
    ...{ ...calls, givenBack, isLeaving: leavesAt !== null },
  };
}

type Calls = Pick<MoneyEvidence, 'endedByUs' | 'callsPlanned'> & { ended: { key: string; subscription: string }[] };

async function callsOf(db: Kysely<Tables>, creatorId: string): Promise<Calls> {
  const calls = await db
    .selectFrom('stripe_calls')
    .select(['key', 'verb', 'state', 'stripe_id'])
    .where((eb) => eb.or([eb('creator_id', '=', creatorId), eb('creator_id', 'is', null)]))
    .execute();
  const ended = calls.flatMap(({ key, verb, stripe_id: subscription }) =>
    verb === 'end_subscription' && subscription !== null ? [{ key, subscription }] : [],
  );
  return {
    ended,
    endedByUs: new Set(ended.map(({ subscription }) => subscription)),
    callsPlanned: calls.flatMap(({ key, state }) => (state === 'planned' ? [key] : [])),
  };
}

export type ReaderSaid = {
  email: string;
  /** When they said last that it ends, seconds since 1970, and did not say after it that it goes on. */
  endsSaidAt: number | null;
};

export async function collectFansEvidence(
  world: MoneyWorld,
  creatorId: string,
  { readers, givenBack }: { readers: ReaderSaid[]; givenBack: string[] },
): Promise<FansEvidence> {
  const { control, stripe, inAccount, db } = world;
  const { ended, ...calls } = await callsOf(db, creatorId);
  const surplus = new Set(ended.flatMap(({ key, subscription }) => (key.startsWith('dup:') ? [subscription] : [])));
  const now = await control.now();
  const isIn = isGood('p', new Date(now * 1000));
  const ledger = await control.money();
  const { available, pending } = await stripe.balance.retrieve({}, inAccount);
  const { data: refunds } = await stripe.refunds.list({ limit: 100 }, inAccount);
  const { rows: told } = await sql<{ parts: number }>`
    select count(*)::int as parts from mails where about_creator_id = ${creatorId} and kind = 'fan_refunded_part'
  `.execute(db);
  const { rows: lines } = await sql<{ net: number }>`
    select coalesce(sum(net), 0)::float8 as net from money_lines where creator_id = ${creatorId}
  `.execute(db);
  return {
    ...{ now, ...calls, givenBack, atStripe: [...available, ...pending].reduce((sum, { amount }) => sum + amount, 0) },
    ours: lines[0]!.net,
    partsGiven: refunds.filter(({ metadata }) => metadata?.[REFUND_MARK] !== undefined).length,
    partsTold: told[0]!.parts,
    readers: await Promise.all(
      readers.map(async ({ email, endsSaidAt }) => {
        const customers = await customersOfReader(world, email);
        const { rows } = await sql<{ isIn: boolean; live: number; withdraws: number; told: number }>`
          select coalesce(bool_or(${isIn}), false) as "isIn",
            (count(*) filter (where p.source = 'stripe' and p.ended_at is null))::int as live,
            (count(*) filter (where p.withdraws_at is not null and p.ended_at is null))::int as withdraws,
            (select count(*) from mails where about_creator_id = ${creatorId} and recipient = ${email} and kind = 'fan_paid_twice')::int as told
          from contacts c join passes p on p.creator_id = c.creator_id and p.contact_id = c.id
          where c.creator_id = ${creatorId} and c.email_key = ${email}
        `.execute(db);
        const subscriptions = (await Promise.all(customers.map((one) => control.subscriptions(one)))).flat();
        return {
          ...{ email, endsSaidAt, ...rows[0]!, subscriptions },
          money: ledger.filter(({ customer }) => customers.includes(customer)),
          surplus: subscriptions.flatMap(({ id }) => (surplus.has(id) ? [id] : [])),
        };
      }),
    ),
  };
}
