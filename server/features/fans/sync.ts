/**
 * Our copy of what members pay, as decision 0045 has it for plans: always fetched from the creator's account, never read out of a
 * message. Messages, people who wait and the clock all lead to the same fetch.
 */
import { sql, type Transaction } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { record } from '#server/events/product-events.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { giveBack } from '#server/features/billing/giving-back.ts';
import { invoiceOf } from '#server/features/billing/project.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { failureOf } from '#server/platforms/stripe/errors.ts';
import { type InAccount, inAccountOf } from './accounts.ts';
import { CODE_MARK, type Code, findCodes, lowered, takenOffInWords } from './codes.ts';
import type { FanDeps } from './fan-deps.ts';
import { tellDuplicate, tellTurns } from './mails.ts';
import { lockContacts } from './pass-counts.ts';
import { type Priced, type Turn, writePaid } from './passes.ts';
import { type PaidPass, paidPassOf, type TakenBack } from './project.ts';
import { readLateDays, setLateDays } from './tiers.ts';

/** Marks that something may have changed: however often, one fetch follows what is under way. */
export const syncFan: QueuedJob<JobDeps, { creatorId: string; contactId: string }> = {
  name: 'sync-fan',
  payload: z.object({ creatorId: z.string(), contactId: z.string() }),
  atOnce: 4,
  run: async (deps, whose) => {
    if (deps.accounts !== null) await fetchFan({ ...deps, accounts: deps.accounts }, whose);
  },
};

type Whose = { creatorId: string; contactId: string };

/** Fetches and writes what Stripe says now. @throws what Stripe's library throws when it cannot be reached */
export async function fetchFan(deps: FanDeps, whose: Whose): Promise<void> {
  const { creatorId, contactId } = whose;
  const account = await inAccountOf(deps, creatorId);
  if (account === null) return;
  const begun = await deps.db.engine
    .updateTable('fans')
    .set((eb) => ({ fetches_begun: eb('fetches_begun', '+', 1) }))
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .returning(['customers', 'fetches_begun'])
    .executeTakeFirst();
  if (begun === undefined) return;
  const truth = await askFor(account, begun.customers);
  // Disconnected: what was known last holds until it ends.
  if (truth === null) return;
  const done = await deps.db.engine.transaction().execute(async (trx) => {
    await lockContacts(trx, { creatorId, contactIds: [contactId] });
    const fan = await trx
      .updateTable('fans')
      .set({ fetch_written: begun.fetches_begun, synced_at: deps.clock.now() })
      .where('creator_id', '=', creatorId)
      .where('contact_id', '=', contactId)
      // What began before another that is written already knows less.
      .where('fetch_written', '<', begun.fetches_begun)
      .returning('blocked_at')
      .executeTakeFirst();
    if (fan === undefined) return false;
    const known = {
      ...{
        prices: await findPrices(trx, creatorId),
        codes: await findCodes(trx, { creatorId, ids: codesOn(truth.subscriptions) }),
      },
      lateDays: await readLateDays(trx, creatorId),
    };
    const passes = truth.subscriptions
      .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
      .flatMap((subscription) => pricedPass(subscription, { ...known, takenBack: truth.takenBack }));
    const now = deps.clock.now();
    const live = passes.filter(({ endedAt }) => endedAt === null);
    const before = await findLive(trx, whose);
    const isKnown = ({ subscriptionId }: PaidPass) => before.has(subscriptionId);
    // Whoever is blocked buys nothing, also on a page that was open before.
    const mayStay = fan.blocked_at === null ? live : live.filter(isKnown);
    const letIn = live.filter(({ readsUntil }) => readsUntil > now);
    const stays = letIn.find(isKnown) ?? mayStay.find((one) => letIn.includes(one)) ?? mayStay[0];
    const others = live.filter((one) => one !== stays);
    // An older one that lets nobody in any more, as its payer joined anew.
    const past = others.filter((one) => !letIn.includes(one) && live.indexOf(one) < live.indexOf(stays!));
    const kept = [
      ...passes.filter((one) => !others.includes(one)),
      ...others
        .filter((one) => past.includes(one) || isKnown(one))
        .map((one) => ({ ...one, cancelAt: now, endedAt: now })),
    ];
    const turns: Turn[] = await writePaid(deps, trx, whose, kept);
    await tellTurns(deps, trx, whose, turns);
    await tellOthers(deps, trx, whose, turns);
    const toEnd = others.map((one) => ({
      ...whose,
      ...{ subscription: one.subscriptionId, givesBack: !past.includes(one) },
    }));
    await later(trx, deps, endSecond, ...toEnd);
    return true;
  });
  if (done) deps.live.publish(creatorId, { what: 'account' });
}

/** Of two memberships of one contact one is ended, and if both let in, given back and told, whatever breaks in between. */
export const endSecond: QueuedJob<JobDeps, Whose & { subscription: string; givesBack: boolean }> = {
  name: 'end-second-membership',
  payload: z.object({
    ...{ creatorId: z.string(), contactId: z.string(), subscription: z.string(), givesBack: z.boolean() },
  }),
  atOnce: 2,
  run: async (jobDeps, { subscription: id, givesBack, ...whose }) => {
    if (jobDeps.accounts === null) return;
    const deps = { ...jobDeps, accounts: jobDeps.accounts };
    const { creatorId } = whose;
    const account = await inAccountOf(deps, creatorId);
    if (account === null) return;
    if (givesBack) {
      const key = await giveBack(account, { creatorId, id, key: 'dup' });
      deps.log.warn({ creatorId, stripeSubscriptionId: id }, 'a second membership was ended and given back');
      await tellDuplicate(deps, whose, key);
    } else await changeStripe(account, { creatorId, verb: 'end_subscription', params: { id }, key: `past:${id}` });
    await later(deps.db.engine, deps, syncFan, whose);
  },
};

/** Other tools of the creator. */
async function tellOthers(
  { clock }: Pick<FanDeps, 'clock'>,
  trx: Transaction<Tables>,
  { creatorId, contactId }: Whose,
  turns: Turn[],
): Promise<void> {
  if (turns.length === 0) return;
  const contact = await trx
    .selectFrom('contacts')
    .select('email')
    .where('creator_id', '=', creatorId)
    .where('id', '=', contactId)
    .executeTakeFirst();
  const now = clock.now();
  const events = turns.map(({ kind: change, pass }) => ({
    ...{ type: 'member' as const, creatorId, happenedAt: now },
    data: {
      ...{ change, contactId, email: contact?.email ?? null, tier: pass.tier },
      paidUntil: pass.paidUntil?.toISOString() ?? null,
    },
  }));
  await record(trx, events, now);
}

/** Subscriptions that go on by our copy. */
async function findLive(trx: Transaction<Tables>, { creatorId, contactId }: Whose): Promise<Set<string | null>> {
  const rows = await trx
    .selectFrom('passes')
    .select('stripe_subscription_id')
    .where('creator_id', '=', creatorId)
    .where('contact_id', '=', contactId)
    .where('source', '=', 'stripe')
    .where('ended_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.stripe_subscription_id));
}

type Truth = { subscriptions: Stripe.Subscription[]; takenBack: TakenBack };

/** @returns null: the account is closed, or no longer connected */
async function askFor({ stripe }: InAccount, customers: string[]): Promise<Truth | null> {
  const subscriptions: Stripe.Subscription[] = [];
  const takenBack = new Map<string, { at: Date; isRefunded: boolean }>();
  for (const customer of customers) {
    try {
      subscriptions.push(...(await stripe.subscriptionsOf(customer)));
      for (const charge of await stripe.chargesOf(customer)) {
        const intent = typeof charge.payment_intent === 'string' ? charge.payment_intent : charge.payment_intent?.id;
        if (intent === undefined) continue;
        const taken = await takenBackOf({ stripe }, charge);
        if (taken !== null) takenBack.set(intent, taken);
      }
    } catch (error) {
      if ((error as { code?: string }).code === 'account_invalid') return null;
      // Somebody deleted this customer at Stripe, and with it every subscription.
      if (failureOf(error) !== 'gone') throw error;
    }
  }
  return { subscriptions, takenBack };
}

/** @returns null: it is theirs to keep */
export async function takenBackOf({ stripe }: Pick<InAccount, 'stripe'>, charge: Stripe.Charge) {
  if (charge.refunded) return { at: new Date(charge.created * 1000), isRefunded: true };
  if (!charge.disputed) return null;
  const dispute = (await stripe.disputesOf(charge.id)).find(({ status }) => status !== 'won');
  return dispute === undefined ? null : { at: new Date(dispute.created * 1000), isRefunded: false };
}

function codesOn(subscriptions: Stripe.Subscription[]): string[] {
  return subscriptions.flatMap(({ metadata }) => z.uuid().safeParse(metadata[CODE_MARK]).data ?? []);
}

/** Those at prices that are not ours, as a creator may sell other things there, let nobody in. */
function pricedPass(
  subscription: Stripe.Subscription,
  {
    takenBack,
    prices,
    codes,
    lateDays,
  }: {
    takenBack: TakenBack;
    prices: ReadonlyMap<string, Omit<Priced, 'discount' | 'charged'>>;
    codes: ReadonlyMap<string, Code>;
    lateDays: number;
  },
): (PaidPass & Priced)[] {
  const pass = paidPassOf(subscription, takenBack, lateDays);
  const price = pass === null ? undefined : prices.get(pass.stripePriceId);
  if (pass === null || price === undefined) return [];
  const code = codes.get(subscription.metadata[CODE_MARK] ?? '');
  const isLowered = code !== undefined && (invoiceOf(subscription)?.discounts.length ?? 0) > 0;
  const charged = (isLowered ? lowered(code, { ...price, id: price.tierId }, price.amount) : null) ?? price.amount;
  return [{ ...pass, ...price, charged, discount: code === undefined ? null : takenOffInWords(code) }];
}

async function findPrices(
  trx: Transaction<Tables>,
  creatorId: string,
): Promise<Map<string, Omit<Priced, 'discount' | 'charged'>>> {
  const rows = await trx
    .selectFrom('tier_prices as p')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .select(['p.stripe_price_id', 'p.tier_id', 't.name', 'p.billing_interval', 'p.amount', 't.currency'])
    .where('p.creator_id', '=', creatorId)
    .where('p.stripe_price_id', 'is not', null)
    .execute();
  return new Map(
    rows.map((row) => [
      row.stripe_price_id!,
      {
        ...{ tierId: row.tier_id, tier: row.name, interval: row.billing_interval, amount: row.amount },
        currency: row.currency,
      },
    ]),
  );
}

/** Marks whoever is this customer. */
export async function markCustomer(
  trx: Transaction<Tables>,
  { clock }: Pick<FanDeps, 'clock'>,
  { creatorId, customer }: { creatorId: string; customer: string },
): Promise<void> {
  const { rows } = await sql<Whose>`
    select creator_id as "creatorId", contact_id as "contactId" from fans
    where creator_id = ${creatorId} and customers @> array[${customer}]
  `.execute(trx);
  await later(trx, { clock }, syncFan, ...rows);
}

/** Applied at once to those who are late. */
export async function changeLateDays(
  { clock }: Pick<FanDeps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, days }: { creatorId: string; days: number },
): Promise<void> {
  await setLateDays(trx, { creatorId, days });
  const late = await trx
    .selectFrom('passes')
    .select(['creator_id as creatorId', 'contact_id as contactId'])
    .where('creator_id', '=', creatorId)
    .where('late_since', 'is not', null)
    .where('ended_at', 'is', null)
    .execute();
  await later(trx, { clock }, syncFan, ...late);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_A_ROUND = 800;

/** Marks whom time alone may have changed: whose period or trial ended in the last two hours, and late payers every hour. */
export async function markFansDue({ db, clock }: Pick<FanDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<Whose>`
    select f.creator_id as "creatorId", f.contact_id as "contactId" from fans f
    join stripe_accounts a on a.creator_id = f.creator_id and a.left_at is null
    where f.synced_at is null
      or exists (
        select from passes p, unnest(array[p.renews_at, p.cancel_at, p.ends_at]) as due
        where p.creator_id = f.creator_id and p.contact_id = f.contact_id and p.source = 'stripe' and p.ended_at is null
          and due <= ${now} and f.synced_at < due + interval '2 hours'
      )
      or f.synced_at < ${new Date(now.getTime() - HOUR_MS)} and exists (
        select from passes p
        where p.creator_id = f.creator_id and p.contact_id = f.contact_id and p.late_since is not null and p.ended_at is null
      )
    order by f.synced_at nulls first limit ${MOST_A_ROUND}
  `.execute(db.engine);
  await later(db.engine, { clock }, syncFan, ...rows);
}

/** Once a day, whatever messages were lost: a hundred subscriptions a call. */
export const compareMembers: QueuedJob<JobDeps, { creatorId: string }> = {
  name: 'compare-members',
  payload: z.object({ creatorId: z.string() }),
  atOnce: 2,
  run: async (deps, { creatorId }) => {
    if (deps.accounts !== null) await compareAccount({ ...deps, accounts: deps.accounts }, creatorId);
  },
};

export function accountsToCompare({ db, clock }: Pick<FanDeps, 'db' | 'clock'>): Promise<{ creatorId: string }[]> {
  const before = new Date(clock.now().getTime() - DAY_MS);
  return db.engine
    .selectFrom('stripe_accounts')
    .select('creator_id as creatorId')
    .where('is_filled_in', '=', true)
    .where('left_at', 'is', null)
    .where((eb) => eb.or([eb('compared_at', 'is', null), eb('compared_at', '<', before)]))
    .limit(50)
    .execute();
}

/** Marks whoever differs from our copy. */
export async function compareAccount(deps: FanDeps, creatorId: string): Promise<void> {
  const account = await inAccountOf(deps, creatorId);
  if (account === null) return;
  const now = deps.clock.now();
  const differing = new Set<string>();
  const seen = new Set<string>();
  try {
    for await (const page of account.stripe.subscriptionPages()) {
      for (const { id } of page) seen.add(id);
      for (const customer of await findDiffering(deps, creatorId, page)) differing.add(customer);
    }
    const since = await knownUntil(deps, creatorId);
    for (const customer of await account.stripe.refundedSince(Math.floor(since / 1000))) differing.add(customer);
    for (const { customer } of await account.stripe.openDisputes()) if (customer !== null) differing.add(customer);
  } catch (error) {
    // Disconnected: what was known last holds.
    if ((error as { code?: string }).code !== 'account_invalid') throw error;
  }
  await deps.db.engine.transaction().execute(async (trx) => {
    const { rows } = await sql<Whose>`
      select creator_id as "creatorId", contact_id as "contactId" from fans
      where creator_id = ${creatorId} and customers && ${[...differing]}::text[]
      union
      select creator_id, contact_id from passes
      where creator_id = ${creatorId} and source = 'stripe' and ended_at is null
        and (stripe_subscription_id <> all(${[...seen]}::text[]) or is_refunded or ends_at = paid_until)
    `.execute(trx);
    await later(trx, deps, syncFan, ...rows);
    await trx.updateTable('stripe_accounts').set({ compared_at: now }).where('creator_id', '=', creatorId).execute();
  });
}

/** @returns milliseconds: what was given back before it is known, however long nothing ran here */
async function knownUntil({ db }: FanDeps, creatorId: string): Promise<number> {
  const { compared_at, made_at } = await db.engine
    .selectFrom('stripe_accounts')
    .select(['compared_at', 'made_at'])
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
  return (compared_at ?? made_at).getTime() - DAY_MS;
}

async function findDiffering(
  { db }: FanDeps,
  creatorId: string,
  subscriptions: readonly Stripe.Subscription[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; ends_at: Date; cancel_at: Date | null }>`
    select stripe_subscription_id as id, status, ends_at, cancel_at from passes
    where creator_id = ${creatorId} and stripe_subscription_id = any(${subscriptions.map(({ id }) => id)}::text[])
  `.execute(db.engine);
  const copies = new Map(rows.map((row) => [row.id, row]));
  const lateDays = await readLateDays(db.engine, creatorId);
  return subscriptions.flatMap((subscription) => {
    const pass = paidPassOf(subscription, new Map(), lateDays);
    const copy = copies.get(subscription.id);
    const isSame =
      pass === null
        ? copy === undefined
        : copy?.status === pass.status &&
          copy.ends_at.getTime() === pass.readsUntil.getTime() &&
          copy.cancel_at?.getTime() === pass.cancelAt?.getTime();
    const { customer } = subscription;
    return isSame ? [] : typeof customer === 'string' ? customer : customer.id;
  });
}
