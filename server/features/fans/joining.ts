/** Paying for a membership: one open page of Stripe's per address, and what became of it. The one writer of `fan_checkouts`; `fans` begins here. */
import { sql } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { parseEmailAddress } from '#contract/email-address.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { countNetwork, countTry } from '#server/http/rate-limits.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { type InAccount, inAccountOf, needAccount } from './accounts.ts';
import { BLOCKED } from './blocking.ts';
import {
  CODE_MARK,
  type Code,
  countUse,
  couponAtStripe,
  findTyped,
  holdUse,
  lowered,
  problemOf,
  refuseCode,
} from './codes.ts';
import { type Begun, type Creator, grantKnown } from './entering.ts';
import type { FanDeps } from './fan-deps.ts';
import { endGiftPages, takeGift } from './gifts.ts';
import { notePassedJoin } from './opened-posts.ts';
import { isGood } from './passes.ts';
import { fetchFan } from './sync.ts';
import { findPriceOnSale, type PriceOnSale, priceAtStripe } from './tiers.ts';

/** Stripe's page ends then; it allows half an hour to a day [S]. */
const GOOD_FOR_MS = 60 * 60_000;
/** A day for the first charge is two days away at least [S]. */
const SOONEST_END_MS = 2 * 86_400_000 + 5 * 60_000;
const DAY_MS = 86_400_000;
/** A page that is about to end is not offered again. */
const SPARE_MS = 5 * 60_000;

/** Pages that are asked about at once. */
const MOST_OPEN = 100;

type Wish = {
  email: string;
  tierId: string;
  interval: 'month' | 'year';
  /** As typed; empty or absent: none. */
  code?: string;
  begun: Begun | null;
  ip: string;
};

/**
 * @returns Stripe's page; null: the address belongs to a member already, who is asked for a code instead
 * @throws AppError invalid_input: no address, nothing that is for sale, or a code that isn't good for it; not_possible_now: members cannot join yet, or this one is blocked;
 *   too_many_requests, stripe_unreachable, payments_off
 */
export async function startJoining(deps: FanDeps, creator: Creator, wish: Wish): Promise<string | null> {
  const { db, clock, ids } = deps;
  const { code: typed = '' } = wish;
  const now = clock.now();
  const address = parseEmailAddress(wish.email);
  if (address === null) throw new AppError('invalid_input', 'That isn’t an email address. Check what you typed.');
  await countNetwork(db.engine, now, 'fan_joins_by_network', wish.ip);
  await countTry(db.engine, now, 'fan_joins_by_address', `${creator.id} ${address.key}`);
  const account = await needAccount(deps, creator.id);
  if (!account.takesMoney) throw new AppError('not_possible_now', 'You can’t join right now. Come back soon.');
  const code = typed === '' ? null : await findTyped(deps, { creatorId: creator.id, typed, ip: wish.ip });
  const { price, known } = await db.withCreator(creator.id, async (trx) => ({
    price: await findPriceOnSale(trx, wish),
    known: await findKnown(trx, { creatorId: creator.id, emailKey: address.key, now }),
  }));
  if (price === null) throw new AppError('invalid_input', 'This isn’t for sale any longer. Choose again.');
  if (known?.isBlocked === true) throw new AppError('not_possible_now', BLOCKED);
  if (known?.isMember === true) return null;
  if (typed !== '') {
    // Whoever holds its last use on an open page of their own goes on there.
    const problem = problemOf(code);
    if (problem !== null && problem !== 'used_up') refuseCode(problem);
    if (code === null || lowered(code, { ...price, id: price.tierId }, price.amount) === null) refuseCode('other_tier');
    if (code.newOnly && known?.hadOne === true) refuseCode('only_new');
    // What is free until then would use it up.
    if (code.duration !== 'forever' && known?.paidUntil != null) {
      throw new AppError('invalid_input', 'Use this code once what you paid elsewhere is over.');
    }
  }
  const open = await db.engine
    .selectFrom('fan_checkouts')
    .selectAll()
    .where('creator_id', '=', creator.id)
    .where('email_key', '=', address.key)
    .where('state', '=', 'open')
    .execute();
  const came = {
    ...{ site_id: wish.begun?.siteId ?? null, start: wish.begun?.start ?? null, to_path: wish.begun?.to ?? '/' },
    goes_by_path: wish.begun?.goesByPath ?? true,
    friend_device: wish.begun?.friend ?? null,
  };
  for (const one of open) {
    const isFresh = one.begun_at.getTime() > now.getTime() - GOOD_FOR_MS + SPARE_MS;
    // Its address lets in whoever comes back with it: no other browser may have it.
    const isTheirs = wish.begun !== null && one.start === wish.begun.start;
    const isSame = one.tier_price_id === price.id && one.code_id === (code?.id ?? null);
    if (isTheirs && isSame && one.url !== null && isFresh) {
      await db.engine
        .updateTable('fan_checkouts')
        .set(came)
        .where('creator_id', '=', creator.id)
        .where('id', '=', one.id)
        .execute();
      return one.url;
    }
    if (await endPage(account, one)) {
      await takePayment(deps, creator.id, one.session_id!);
      return null;
    }
  }
  const id = ids.uuid(now);
  await db.engine.transaction().execute(async (trx) => {
    if (code !== null) await holdUse(trx, { creatorId: creator.id, codeId: code.id, now });
    await trx
      .insertInto('fan_checkouts')
      .values({
        ...{ creator_id: creator.id, id, email: address.address, email_key: address.key, tier_price_id: price.id },
        ...{ begun_at: now, code_id: code?.id ?? null, ...came },
      })
      .execute();
  });
  return makePage(account, creator, { id, email: address.address, price, known, code, begunAt: now });
}

type Known = {
  contactId: string;
  customers: string[];
  isMember: boolean;
  isBlocked: boolean;
  hadOne: boolean;
  /** Elsewhere, before they moved in. */
  paidUntil: Date | null;
};

async function findKnown(
  trx: Parameters<typeof findPriceOnSale>[0],
  { creatorId, emailKey, now }: { creatorId: string; emailKey: string; now: Date },
): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select c.id as "contactId", coalesce(f.customers, '{}') as customers,
      exists (select from passes p where p.creator_id = c.creator_id and p.contact_id = c.id and p.source = 'stripe' and ${isGood('p', now)})
        as "isMember", f.blocked_at is not null as "isBlocked",
      exists (select from passes p where p.creator_id = c.creator_id and p.contact_id = c.id and p.source = 'stripe') as "hadOne",
      (select max(p.ends_at) from passes p
        where p.creator_id = c.creator_id and p.contact_id = c.id and p.move_id is not null and ${isGood('p', now)}) as "paidUntil"
    from contacts c left join fans f on f.creator_id = c.creator_id and f.contact_id = c.id
    where c.creator_id = ${creatorId} and c.email_key = ${emailKey}
  `.execute(trx);
  return rows[0];
}

async function makePage(
  deps: InAccount,
  creator: Creator,
  begun: { id: string; email: string; price: PriceOnSale; known: Known | undefined; code: Code | null; begunAt: Date },
): Promise<string> {
  const { id, email, price, known, code, begunAt } = begun;
  const { baseUrl } = deps.config;
  const page = `${baseUrl}/join/${encodeURIComponent(creator.handle)}`;
  const last = known?.customers.at(-1);
  const isThere = last !== undefined && (await askStripe(deps.stripe.isCustomerThere(last)));
  const customer = isThere ? last : undefined;
  const params: Stripe.Checkout.SessionCreateParams = {
    ...{ mode: 'subscription', client_reference_id: id },
    ...(customer === undefined ? { customer_email: email } : { customer }),
    line_items: [{ price: await priceAtStripe(deps, creator.id, price), quantity: 1 }],
    ...{
      success_url: `${page}/done?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: code === null ? page : `${page}?code=${encodeURIComponent(code.code)}`,
    },
    expires_at: Math.floor((begunAt.getTime() + GOOD_FOR_MS) / 1000),
    ...(code === null
      ? { allow_promotion_codes: true }
      : { discounts: [{ coupon: await couponAtStripe(deps, creator.id, code) }] }),
    subscription_data: {
      metadata: { chq_tier: price.tierId, ...(code !== null && { [CODE_MARK]: code.id }) },
      ...freeUntil(price, { known, code }, begunAt),
      ...(deps.feePercent > 0 && { application_fee_percent: deps.feePercent }),
    },
  };
  const call = { creatorId: creator.id, verb: 'create_session' as const, params, key: `join:${id}` };
  const sessionId = await changeStripe(deps, call);
  const { url } = await askStripe(deps.stripe.session(sessionId));
  await deps.db.engine
    .updateTable('fan_checkouts')
    // Another tab may have ended it while there was no page yet: this one can be paid.
    .set({ session_id: sessionId, url, state: 'open' })
    .where('creator_id', '=', creator.id)
    .where('id', '=', id)
    .execute();
  if (url === null) throw new AppError('not_possible_now', 'This payment is over. Try again.');
  return url;
}

/** Nothing is charged before the end of what was paid elsewhere, nor of a trial. */
function freeUntil(
  { trialDays }: PriceOnSale,
  { known, code }: { known: Known | undefined; code: Code | null },
  now: Date,
) {
  // A first payment of nothing would use up what a code takes off once.
  const days = known?.hadOne === true || code !== null ? 0 : trialDays;
  const paidUntil = known?.paidUntil ?? null;
  if (paidUntil === null) return days > 0 && { trial_period_days: days };
  const soonest = now.getTime() + Math.max(SOONEST_END_MS, days * DAY_MS);
  return { trial_end: Math.ceil(Math.max(paidUntil.getTime(), soonest) / 1000) };
}

/** Nobody new joins: pages that are open are ended, and what was paid a moment ago counts. */
export async function endOpenPages(account: InAccount, creatorId: string): Promise<void> {
  const open = await account.db.engine
    .selectFrom('fan_checkouts')
    .select(['creator_id', 'id', 'session_id'])
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'open')
    .execute();
  for (const one of open) {
    if (await endPage(account, one)) await takePayment(account, creatorId, one.session_id!);
  }
  await endGiftPages(account, creatorId);
}

/** Another price was chosen, or its time is over. @returns whether it was just paid */
async function endPage(
  deps: InAccount,
  open: { creator_id: string; id: string; session_id: string | null },
): Promise<boolean> {
  const { creator_id: creatorId, id, session_id: sessionId } = open;
  if (sessionId !== null) {
    const { status } = await askStripe(deps.stripe.session(sessionId));
    if (status === 'complete') return true;
    if (status === 'open') {
      const call = { creatorId, verb: 'expire_session' as const, params: { id: sessionId }, key: `expire:${id}` };
      await changeStripe(deps, call);
    }
  }
  await deps.db.engine
    .updateTable('fan_checkouts')
    .set({ state: 'over' })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
  return false;
}

/** What became of a page of Stripe's. */
export type Joined = { state: 'open' | 'over' | 'paid'; email: string; contactId: string | null; begun: Begun | null };

/**
 * Asks Stripe, so that its message may be late.
 *
 * @returns null: no such page of this creator's
 * @throws AppError stripe_unreachable, payments_off
 */
export async function takePayment(deps: FanDeps, creatorId: string, sessionId: string): Promise<Joined | null> {
  const row = await deps.db.engine
    .selectFrom('fan_checkouts')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  const account = row === undefined ? null : await inAccountOf(deps, creatorId);
  if (row === undefined || account === null) return null;
  const begun =
    row.site_id === null
      ? null
      : { siteId: row.site_id, start: row.start ?? '', to: row.to_path, goesByPath: row.goes_by_path };
  const told = { email: row.email, begun };
  if (row.contact_id !== null) return { ...told, state: 'paid', contactId: row.contact_id };
  const { status, customer } = await askStripe(account.stripe.session(sessionId));
  if (status !== 'complete') return { ...told, state: status === 'open' ? 'open' : 'over', contactId: null };
  const customerId = typeof customer === 'string' ? customer : customer!.id;
  const now = deps.clock.now();
  const contactId = await deps.db.withCreator(creatorId, async (trx) => {
    const contact = { creatorId, email: row.email, name: null, language: null, source: 'blog', at: now } as const;
    const { id } = await findOrMakeContact(trx, deps, contact);
    await sql`
      insert into fans as f (creator_id, contact_id, customers) values (${creatorId}, ${id}, array[${customerId}])
      on conflict (creator_id, contact_id) do update
        -- Whatever becomes of the fetch below, another one follows.
        set synced_at = null, customers = case when f.customers @> excluded.customers then f.customers else f.customers || excluded.customers end
    `.execute(trx);
    const { numUpdatedRows } = await trx
      .updateTable('fan_checkouts')
      .set({ state: 'paid', contact_id: id })
      .where('creator_id', '=', creatorId)
      .where('id', '=', row.id)
      .where('state', '!=', 'paid')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) {
      if (row.code_id !== null) await countUse(trx, { creatorId, codeId: row.code_id });
      if (row.friend_device !== null) await notePassedJoin(deps, trx, { creatorId, device: row.friend_device });
    }
    return id;
  });
  await askStripe(fetchFan(deps, { creatorId, contactId }));
  return { ...told, state: 'paid', contactId };
}

/** Of pages that may have been paid a moment ago: those of an address, or all of a creator's. @throws as `takePayment` */
export async function takePayments(
  deps: FanDeps,
  { creatorId, emailKey }: { creatorId: string; emailKey?: string },
): Promise<void> {
  const open = await deps.db.engine
    .selectFrom('fan_checkouts')
    .select('session_id')
    .where('creator_id', '=', creatorId)
    .$if(emailKey !== undefined, (query) => query.where('email_key', '=', emailKey!))
    .where('state', '=', 'open')
    .where('session_id', 'is not', null)
    .limit(MOST_OPEN)
    .execute();
  for (const { session_id } of open) await takePayment(deps, creatorId, session_id!);
}

/** @returns the address on the blog that lets them in; null: they came from no blog */
export async function letPayerIn(
  deps: FanDeps,
  creatorId: string,
  { contactId, begun }: Joined,
): Promise<string | null> {
  if (contactId === null || begun === null || begun.start === '') return null;
  return deps.db.withCreator(creatorId, (trx) => grantKnown(deps, trx, { creatorId, contactId, begun }));
}

/** A message said that a page was paid or is over, or it is long open. */
export const followCheckout: QueuedJob<JobDeps, { creatorId: string; sessionId: string }> = {
  name: 'follow-fan-checkout',
  payload: z.object({ creatorId: z.string(), sessionId: z.string() }),
  atOnce: 4,
  run: async (deps, { creatorId, sessionId }) => {
    if (deps.accounts === null) return;
    const joined = await takePayment({ ...deps, accounts: deps.accounts }, creatorId, sessionId);
    if (joined === null) await takeGift({ ...deps, accounts: deps.accounts }, creatorId, sessionId);
    if (joined?.state !== 'over') return;
    await deps.db.engine
      .updateTable('fan_checkouts')
      .set({ state: 'over' })
      .where('creator_id', '=', creatorId)
      .where('session_id', '=', sessionId)
      .where('state', '=', 'open')
      .execute();
  },
};

/** Pages whose message never came. */
export async function followOpenCheckouts({ db, clock }: Pick<FanDeps, 'db' | 'clock'>): Promise<void> {
  const { rows } = await sql<{ creatorId: string; sessionId: string }>`
    select creator_id as "creatorId", session_id as "sessionId"
    from (select creator_id, session_id, state, begun_at from fan_checkouts union all select creator_id, session_id, state, begun_at from gifts) as page
    where state = 'open' and session_id is not null and begun_at < ${new Date(clock.now().getTime() - SPARE_MS)} limit 500
  `.execute(db.engine);
  await later(db.engine, { clock }, followCheckout, ...rows);
}
