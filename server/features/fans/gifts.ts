/** Memberships that one person pays for once, and another reads by from a day on. The one writer of `gifts`. */
import { type Selectable, sql, type Transaction } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { amountLabel } from '#contract/amounts.ts';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { Tier } from '#contract/tiers.ts';
import type { Clock } from '#server/clock.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { GiftsTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { creatorHash } from '#server/features/contacts/creator-secret.ts';
import { inNameOf } from '#server/features/creators/creator-name.ts';
import { countNetwork, countTry } from '#server/http/rate-limits.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { type InAccount, inAccountOf, needAccount } from './accounts.ts';
import { isAddressBlocked } from './blocking.ts';
import { type Creator, isSame } from './entering.ts';
import type { FanDeps } from './fan-deps.ts';
import { mailFan } from './mails.ts';
import { isGood, monthsInWords, setGiftTaken, writeGift } from './passes.ts';
import { takenBackOf } from './sync.ts';
import { readTier } from './tiers.ts';

export const GIFT_MONTHS = [1, 3, 12] as const;
export type GiftMonths = (typeof GIFT_MONTHS)[number];
/** By this a payment in the creator's account is known as one for a gift: its id. */
export const GIFT_MARK = 'chq_gift';
export const MOST_WORDS = 500;

const GOOD_FOR_MS = 60 * 60_000;
const DAY_MS = 86_400_000;
/** Whoever has the link of the mail is let in so long. */
const LINK_DAYS = 30;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const NOT_IN_WORDS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** @returns in the smallest unit of the currency; null: it is not for sale for so long */
export function giftAmount({ month, year }: Pick<Tier, 'month' | 'year'>, months: GiftMonths): number | null {
  if (months === 12 && year !== null) return year;
  return month === null ? null : month * months;
}

type Wish = { tierId: string; months: GiftMonths; to: string; from: string; day: string; words: string; ip: string };

/**
 * @param wish.day `2027-06-03`
 * @returns Stripe's page
 * @throws AppError invalid_input: an address, the day, or nothing that is for sale; not_found: no such tier; not_possible_now: members cannot join yet;
 *   too_many_requests, stripe_unreachable, payments_off
 */
export async function startGift(deps: FanDeps, creator: Creator, wish: Wish): Promise<string> {
  const { db, clock, ids, config } = deps;
  const now = clock.now();
  const [to, from] = [parseEmailAddress(wish.to), parseEmailAddress(wish.from)];
  if (to === null) throw new AppError('invalid_input', 'Their email address isn’t right. Check what you typed.');
  if (from === null) throw new AppError('invalid_input', 'Your email address isn’t right. Check what you typed.');
  await countNetwork(db.engine, now, 'fan_joins_by_network', wish.ip);
  await countTry(db.engine, now, 'fan_joins_by_address', `${creator.id} ${from.key}`);
  const account = await needAccount(deps, creator.id);
  if (!account.takesMoney) throw new AppError('not_possible_now', 'You can’t give this right now. Come back soon.');
  const beginsAt = await arrivalOf(deps, creator.id, wish.day);
  const tier = await db.withCreator(creator.id, (trx) => readTier(trx, now, wish.tierId));
  const amount = tier.isArchived ? null : giftAmount(tier, wish.months);
  if (amount === null) throw new AppError('invalid_input', 'This isn’t for sale any longer. Choose again.');
  if (await isAddressBlocked(db.engine, { creatorId: creator.id, email: to.address })) {
    throw new AppError('not_possible_now', 'You can’t give this to them. Write to the creator.');
  }
  const id = ids.uuid(now);
  const { currency } = tier;
  await db.engine
    .insertInto('gifts')
    .values({
      ...{ creator_id: creator.id, id, tier_id: tier.id, months: wish.months, amount, currency, begun_at: now },
      ...{ giver_email: from.address, email: to.address, begins_at: beginsAt },
      words: [...wish.words.replaceAll(NOT_IN_WORDS, ' ').trim()].slice(0, MOST_WORDS).join(''),
    })
    .execute();
  const page = `${config.baseUrl}/join/${encodeURIComponent(creator.handle)}/gift`;
  const fee = Math.round((amount * account.feePercent) / 100);
  const name = `Gift: ${tier.name}, ${monthsInWords(wish.months)}`;
  const params: Stripe.Checkout.SessionCreateParams = {
    ...{ mode: 'payment', client_reference_id: id, customer_email: from.address, customer_creation: 'always' },
    line_items: [
      { price_data: { currency, unit_amount: amount, tax_behavior: 'inclusive', product_data: { name } }, quantity: 1 },
    ],
    ...{ success_url: `${page}/done?session_id={CHECKOUT_SESSION_ID}`, cancel_url: page },
    expires_at: Math.floor((now.getTime() + GOOD_FOR_MS) / 1000),
    payment_intent_data: { metadata: { [GIFT_MARK]: id }, ...(fee > 0 && { application_fee_amount: fee }) },
  };
  const call = { creatorId: creator.id, verb: 'create_session' as const, params, key: `gift:${id}` };
  const sessionId = await changeStripe(account, call);
  await db.engine
    .updateTable('gifts')
    .set({ session_id: sessionId })
    .where('creator_id', '=', creator.id)
    .where('id', '=', id)
    .execute();
  const { url } = await askStripe(account.stripe.session(sessionId));
  if (url === null) throw new AppError('not_possible_now', 'This payment is over. Try again.');
  return url;
}

/** Pages of Stripe that may be paid, or were a moment ago. */
export function openGiftPages({ db }: Pick<FanDeps, 'db'>, creatorId: string) {
  return db.engine
    .selectFrom('gifts')
    .select(['id', 'giver_email', 'begun_at', (eb) => eb.ref('session_id').$notNull().as('sessionId')])
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'open')
    .where('session_id', 'is not', null)
    .execute();
}

/** No gift is bought any more; what was paid a moment ago counts. */
export async function endGiftPages(account: InAccount, creatorId: string): Promise<void> {
  for (const { id, sessionId } of await openGiftPages(account, creatorId)) {
    if ((await askStripe(account.stripe.session(sessionId))).status === 'open') {
      const call = { creatorId, verb: 'expire_session' as const, params: { id: sessionId }, key: `expire_gift:${id}` };
      await changeStripe(account, call);
    }
    await takeGift(account, creatorId, sessionId);
  }
}

/** The days that can be chosen, as the creator counts them. */
export async function giftDays({ db, clock }: Pick<FanDeps, 'db' | 'clock'>, creatorId: string) {
  const { rows } = await sql<{ first: string; last: string }>`
    select today::text as first, (today + 365)::text as last
    from (select (${clock.now()}::timestamptz at time zone coalesce(time_zone, 'UTC'))::date as today from creators where id = ${creatorId}) as d
  `.execute(db.engine);
  return rows[0]!;
}

/** Today: now. Else in the morning, as the creator counts. @throws AppError invalid_input */
async function arrivalOf(deps: FanDeps, creatorId: string, day: string): Promise<Date> {
  const { first, last } = await giftDays(deps, creatorId);
  // Where they are, it may be another day.
  const earliest = new Date(Date.parse(first) - DAY_MS).toISOString().slice(0, 10);
  if (!z.iso.date().safeParse(day).success || day < earliest || day > last) {
    throw new AppError('invalid_input', 'Choose a day from today on, at most a year ahead.');
  }
  if (day <= first) return deps.clock.now();
  const { rows } = await sql<{ at: Date }>`
    select (${day}::date + time '09:00') at time zone coalesce(time_zone, 'UTC') as at from creators where id = ${creatorId}
  `.execute(deps.db.engine);
  return rows[0]!.at;
}

/** `settling`: the giver's bank has not said yes yet. */
export type Bought = { state: 'open' | 'over' | 'settling' | 'paid'; email: string; beginsAt: Date };

/**
 * Asks Stripe, so that its message may be late.
 *
 * @returns null: no such page of this creator's
 * @throws AppError stripe_unreachable, payments_off
 */
export async function takeGift(deps: FanDeps, creatorId: string, sessionId: string): Promise<Bought | null> {
  const row = await deps.db.engine
    .selectFrom('gifts as g')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'g.creator_id').onRef('t.id', '=', 'g.tier_id'))
    .selectAll('g')
    .select('t.name as tier')
    .where('g.creator_id', '=', creatorId)
    .where('g.session_id', '=', sessionId)
    .executeTakeFirst();
  const account = row === undefined ? null : await inAccountOf(deps, creatorId);
  if (row === undefined || account === null) return null;
  const { id, email } = row;
  const told = { email, beginsAt: row.begins_at };
  if (row.state === 'paid') return { ...told, state: 'paid' };
  const { status, payment_status, payment_intent: intent } = await askStripe(account.stripe.session(sessionId));
  if (status === 'expired') {
    await deps.db.engine
      .updateTable('gifts')
      .set({ state: 'over' })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('state', '=', 'open')
      .execute();
    return { ...told, state: 'over' };
  }
  if (payment_status !== 'paid' || intent === null) {
    return { ...told, state: status === 'complete' ? 'settling' : 'open' };
  }
  const now = deps.clock.now();
  const beginsAt = new Date(Math.max(now.getTime(), row.begins_at.getTime()));
  await deps.db.withCreator(creatorId, async (trx) => {
    const contact = { creatorId, email, name: null, language: null, source: 'blog', at: now } as const;
    const { id: contactId } = await findOrMakeContact(trx, deps, contact);
    const paymentIntent = typeof intent === 'string' ? intent : intent.id;
    const { numUpdatedRows } = await trx
      .updateTable('gifts')
      .set({ state: 'paid', payment_intent: paymentIntent, contact_id: contactId, begins_at: beginsAt })
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .where('state', '!=', 'paid')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const { tier_id: tierId, tier, months } = row;
    await writeGift(deps, trx, { creatorId, contactId, id, tierId, tier, beginsAt, months });
    await later(trx, deps, tellGift, { creatorId, id });
  });
  deps.live.publish(creatorId, { what: 'account' });
  return { ...told, beginsAt, state: 'paid' };
}

/** Gifts whose day has come. */
export async function deliverGifts({ db, clock }: Pick<FanDeps, 'db' | 'clock'>): Promise<void> {
  const due = await db.engine
    .selectFrom('gifts')
    .select(['creator_id as creatorId', 'id'])
    .where('state', '=', 'paid')
    .where('told_at', 'is', null)
    .where('withdraws_at', 'is', null)
    .where('begins_at', '<=', clock.now())
    .limit(500)
    .execute();
  await later(db.engine, { clock }, tellGift, ...due);
}

type Named = { creatorId: string; id: string };

/** Thanks the giver, and on the day writes to who gets it; each once. */
export const tellGift: QueuedJob<JobDeps, Named> = {
  name: 'tell-gift',
  payload: z.object({ creatorId: z.string(), id: z.string() }),
  atOnce: 2,
  run: async (deps, { creatorId, id }) => {
    const now = deps.clock.now();
    await deps.db.engine.transaction().execute(async (trx) => {
      const gift = await trx
        .selectFrom('gifts as g')
        .innerJoin('tiers as t', (join) =>
          join.onRef('t.creator_id', '=', 'g.creator_id').onRef('t.id', '=', 'g.tier_id'),
        )
        .innerJoin('passes as p', (join) => join.onRef('p.creator_id', '=', 'g.creator_id').onRef('p.id', '=', 'g.id'))
        .innerJoin('creators as c', 'c.id', 'g.creator_id')
        .selectAll('g')
        .select(['t.name as tier', 'p.ends_at', 'p.ended_at', 'p.contact_id as reader', 'c.handle'])
        .where('g.creator_id', '=', creatorId)
        .where('g.id', '=', id)
        .forUpdate('g')
        .executeTakeFirst();
      if (gift === undefined) return;
      const tells = gift.told_at === null && gift.begins_at <= now && gift.withdraws_at === null;
      await trx
        .updateTable('gifts')
        .set({ thanked_at: gift.thanked_at ?? now, told_at: tells ? now : gift.told_at })
        .where('creator_id', '=', creatorId)
        .where('id', '=', id)
        .execute();
      if (gift.thanked_at === null) await thank(deps, trx, gift);
      // Given back before its day, it never comes.
      if (tells && gift.ended_at === null) await tell(deps, trx, { ...gift, ends_at: gift.ends_at! });
    });
  },
};

type Gift = Selectable<GiftsTable> & { handle: string; tier: string };

async function thank(deps: JobDeps, trx: Transaction<Tables>, gift: Gift): Promise<void> {
  const subject = `Your gift: ${gift.tier} for ${monthsInWords(gift.months)}`;
  const isToCome = gift.begins_at > deps.clock.now();
  await mailLater(trx, deps, {
    ...{
      kind: 'fan_gift_receipt',
      to: gift.giver_email,
      aboutCreatorId: gift.creator_id,
      from: inNameOf(gift.creator_id),
    },
    letter: {
      ...{ subject: `@${gift.handle}: ${subject}`, heading: subject },
      paragraphs: [
        `You paid ${amountLabel(gift.amount, gift.currency)}, taxes included. It’s paid once and doesn’t renew.`,
        `${gift.email} gets an email with it on ${dayOf(gift.begins_at)}.`,
        'Is the address wrong? Write to the creator: they can give your money back, and then the gift ends.',
        ...(isToCome
          ? ['Did you change your mind? Withdraw within 14 days, before it begins, and get it all back.']
          : []),
      ],
      ...(isToCome && {
        button: {
          label: 'Withdraw from contract',
          url: `${deps.config.baseUrl}/join/${encodeURIComponent(gift.handle)}/withdraw`,
        },
      }),
    },
  });
}

async function tell(
  deps: JobDeps,
  trx: Transaction<Tables>,
  gift: Gift & { reader: string; ends_at: Date },
): Promise<void> {
  const whose = { creatorId: gift.creator_id, contactId: gift.reader };
  const pays = await trx
    .selectFrom('passes as p')
    .select('p.id')
    .where('p.creator_id', '=', whose.creatorId)
    .where('p.contact_id', '=', whose.contactId)
    .where('p.source', '=', 'stripe')
    .where(isGood('p', deps.clock.now()))
    .executeTakeFirst();
  const mac = await giftMac(deps, whose.creatorId, gift.id);
  const lines = gift.words.split('\n').filter((line) => line.trim() !== '');
  await mailFan(deps, trx, whose, {
    kind: 'fan_gift',
    letter: {
      subject: `A gift for you: ${gift.tier} for ${monthsInWords(gift.months)}`,
      paragraphs: [
        ...(lines.length === 0 ? [] : ['They write:', ...lines]),
        `You read what is for members of @${gift.handle} until ${dayOf(gift.ends_at)}. You pay nothing, and it doesn’t renew.`,
        'On the blog, press “Enter as a member” and type this address.',
        ...(pays === undefined
          ? []
          : ['You’re a member already, and what you pay for goes on. To read by your gift instead, cancel it.']),
      ],
      button: {
        label: 'Open your gift',
        url: `${deps.config.baseUrl}/join/${encodeURIComponent(gift.handle)}/gift/${gift.id}/${mac}`,
      },
    },
  });
}

function giftMac(deps: Pick<FanDeps, 'db' | 'ids' | 'keys' | 'clock'>, creatorId: string, id: string): Promise<string> {
  return creatorHash(deps.db.engine, deps, { creatorId, purpose: 'fan_gift', text: id }, deps.clock.now());
}

/** @param mac of the mail @returns whose it is; null: the link is not ours, or too old, or the gift was taken back */
export async function findGift(
  deps: Pick<FanDeps, 'db' | 'ids' | 'keys' | 'clock'>,
  creatorId: string,
  { id, mac }: { id: string; mac: string },
): Promise<{ contactId: string; tier: string; until: Date } | null> {
  if (!z.uuid().safeParse(id).success || !isSame(mac, await giftMac(deps, creatorId, id))) return null;
  const now = deps.clock.now();
  const row = await deps.db.engine
    .selectFrom('passes as p')
    .innerJoin('tiers as t', (join) => join.onRef('t.creator_id', '=', 'p.creator_id').onRef('t.id', '=', 'p.tier_id'))
    .select(['p.contact_id as contactId', 't.name as tier', 'p.ends_at as until'])
    .where('p.creator_id', '=', creatorId)
    .where('p.id', '=', id)
    .where('p.begins_at', '>', new Date(now.getTime() - LINK_DAYS * DAY_MS))
    .where(isGood('p', now))
    .executeTakeFirst();
  return row === undefined ? null : { ...row, until: row.until! };
}

/** @param at when it is ended and given back; null: it is not any longer @returns whether that is new */
export async function setGiftWithdrawal(
  trx: Transaction<Tables>,
  { creatorId, id, at }: Named & { at: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gifts')
    .set({ withdraws_at: at })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('withdraws_at', at === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Marks gifts of which something was given back or disputed. */
export async function markGifts(
  trx: Transaction<Tables>,
  { clock }: { clock: Clock },
  { creatorId, payments }: { creatorId: string; payments: string[] },
): Promise<void> {
  if (payments.length === 0) return;
  const rows = await trx
    .selectFrom('gifts')
    .select(['creator_id as creatorId', 'id'])
    .where('creator_id', '=', creatorId)
    .where('payment_intent', 'in', payments)
    .execute();
  await later(trx, { clock }, followGift, ...rows);
}

/** It ends with its payment. */
export const followGift: QueuedJob<JobDeps, Named> = {
  name: 'follow-gift',
  payload: z.object({ creatorId: z.string(), id: z.string() }),
  atOnce: 2,
  run: async (jobDeps, { creatorId, id }) => {
    if (jobDeps.accounts === null) return;
    const deps = { ...jobDeps, accounts: jobDeps.accounts };
    const gift = await deps.db.engine
      .selectFrom('gifts')
      .select('payment_intent')
      .where('creator_id', '=', creatorId)
      .where('id', '=', id)
      .executeTakeFirst();
    const account = await inAccountOf(deps, creatorId);
    if (gift?.payment_intent == null || account === null) return;
    const charge = await askStripe(account.stripe.chargeOf(gift.payment_intent));
    if (charge === null) return;
    const taken = await askStripe(takenBackOf(account, charge));
    await deps.db.engine.transaction().execute((trx) => setGiftTaken(deps, trx, { creatorId, id, taken }));
    deps.live.publish(creatorId, { what: 'account' });
  },
};
