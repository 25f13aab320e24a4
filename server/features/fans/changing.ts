/** From one tier or interval to another: dearer at once, for what Stripe said it costs; cheaper at the end of what is paid. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { AppError } from '#server/errors.ts';
import {
  changeAtPeriodEnd,
  changedMeanwhile,
  changeNow,
  costOfChange,
  oneChangeAtATime,
  type PriceChange,
  SHOWN_FOR_MS,
  yearAfter,
} from '#server/features/billing/price-changes.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { type Keys, openOrNull, seal } from '#server/secrets.ts';
import { needAccount } from './accounts.ts';
import { needPaid, type Paid, type Whose } from './ending.ts';
import type { FanDeps } from './fan-deps.ts';
import { fetchFan } from './sync.ts';
import { findPriceOnSale, type PriceOnSale, priceAtStripe } from './tiers.ts';

type Deps = FanDeps & { keys: Pick<Keys, 'encryptionKeys'> };
type Wish = { tierId: string; interval: 'month' | 'year' };

/** What was shown, sealed: the browser names no amount. */
const Token = z.object({
  ...{ creatorId: z.string(), contactId: z.string(), tierId: z.string(), interval: z.enum(['month', 'year']) },
  ...{ priceId: z.string(), due: z.number(), when: z.enum(['now', 'later']), periodEnd: z.string() },
  /** Seconds; what is left of the period is counted from here. */
  at: z.number(),
});
type Shown = z.infer<typeof Token>;

/** Money in the smallest unit of the price's currency. */
export type Preview = {
  when: 'now' | 'later';
  price: PriceOnSale;
  /** Charged at once. */
  due: number;
  lines: { says: string; cents: number }[];
  /** When the whole price is charged next. */
  nextAt: Date;
  /** What a code takes off as before, in words. */
  discount: string | null;
  token: string;
};

/**
 * What a change would cost, and when.
 *
 * @throws AppError not_possible_now: something else comes first; invalid_input: not for sale; stripe_unreachable, payments_off
 */
export async function previewTier(deps: Deps, whose: Whose, wish: Wish): Promise<Preview> {
  const { paid, price, when } = await whatChanges(deps, whose, wish);
  const at = Math.floor(deps.clock.now().getTime() / 1000);
  const account = await needAccount(deps, whose.creatorId);
  const renewsAt = paid.renews_at!;
  const { dueCents: due, lines } =
    when === 'later'
      ? { dueCents: 0, lines: [] }
      : await costOfChange(account, changeOf(paid, await priceAtStripe(account, whose.creatorId, price), at));
  const shown: Shown = {
    ...{ ...whose, tierId: price.tierId, interval: price.interval, priceId: price.id, due, when, at },
    periodEnd: renewsAt.toISOString(),
  };
  const staysInPeriod = when === 'later' || isTrial(paid) || paid.billing_interval === wish.interval;
  return {
    ...{ when, price, due, lines, nextAt: staysInPeriod ? renewsAt : yearAfter(at), discount: paid.discount },
    token: seal(deps.keys.encryptionKeys, JSON.stringify(shown)),
  };
}

/**
 * Does what was shown, to the cent.
 *
 * @returns a page of Stripe's where the bank has to be answered or another card given: until then nothing has changed; null: done
 * @throws AppError changed_meanwhile: it would cost something else now; call_under_way: another is made; as `previewTier`
 */
export async function changeTierOf(deps: Deps, whose: Whose, token: string): Promise<string | null> {
  const shown = readToken(deps, whose, token);
  const key = `change_tier:${createHash('sha256').update(token).digest('base64url')}`;
  const { creatorId, contactId } = whose;
  return oneChangeAtATime(deps, `${creatorId} ${contactId}`, async () => {
    const { paid, price, when } = await whatChanges(deps, whose, shown);
    const isAsShown =
      price.id === shown.priceId && when === shown.when && paid.renews_at!.toISOString() === shown.periodEnd;
    if (!isAsShown) throw changedMeanwhile();
    const account = await needAccount(deps, creatorId);
    const stripePriceId = await priceAtStripe(account, creatorId, price);
    if (when === 'later') {
      await changeAtPeriodEnd(account, {
        creatorId,
        id: paid.subscription,
        stripePriceId,
        interval: price.interval,
        key,
      });
      await askStripe(fetchFan(deps, whose));
      return null;
    }
    const change = changeOf(paid, stripePriceId, shown.at);
    const { dueCents, itemId } = await costOfChange(account, change);
    if (dueCents !== shown.due) throw changedMeanwhile();
    const { isDone, url } = await changeNow(account, { creatorId, change, itemId, key });
    await askStripe(fetchFan(deps, whose));
    if (!isDone && url === null) throw new AppError('not_possible_now', 'Your bank said no. Nothing has changed.');
    return url;
  });
}

async function whatChanges(deps: Deps, whose: Whose, wish: Wish) {
  const paid = await needPaid(deps, whose);
  refuseNow(paid, wish);
  const price = await deps.db.withCreator(whose.creatorId, (trx) => findPriceOnSale(trx, wish));
  if (price === null) throw new AppError('invalid_input', 'This isn’t for sale any longer. Choose again.');
  if (price.currency !== paid.currency) {
    throw new AppError('not_possible_now', 'It’s paid in another currency. Cancel first, and join again after that.');
  }
  return { paid, price, when: whenOf(paid, price) };
}

function refuseNow(paid: Paid, wish: Wish): void {
  const refuse = (says: string) => {
    throw new AppError('not_possible_now', says);
  };
  if (paid.tier_id === wish.tierId && paid.billing_interval === wish.interval) refuse('You have this already.');
  if (paid.cancel_at !== null || paid.renews_at === null) refuse('It’s canceled. Keep it first.');
  if (paid.late_since !== null || !['active', 'trialing'].includes(paid.status ?? '')) {
    refuse('A payment is due. Pay it first.');
  }
  if (paid.next_at !== null) refuse('Another change is planned. Take it back first.');
}

/** A cheaper tier, and paying by the month again, begin when what is paid is over. In a trial nothing is paid yet. */
function whenOf(paid: Paid, price: PriceOnSale): 'now' | 'later' {
  if (isTrial(paid)) return 'now';
  if (paid.billing_interval === 'year' && price.interval === 'month') return 'later';
  if (paid.tier_id === price.tierId) return 'now';
  const monthly = (amount: number, interval: string) => (interval === 'year' ? amount / 12 : amount);
  return monthly(price.amount, price.interval) < monthly(paid.amount ?? 0, paid.billing_interval ?? 'month')
    ? 'later'
    : 'now';
}

function isTrial({ status }: Paid): boolean {
  return status === 'trialing';
}

function changeOf(paid: Paid, stripePriceId: string, at: number): PriceChange {
  return { id: paid.subscription, stripePriceId, isTrial: isTrial(paid), at };
}

function readToken({ keys, clock }: Deps, { creatorId, contactId }: Whose, token: string): Shown {
  const text = openOrNull(keys.encryptionKeys, token);
  const read = text?.startsWith('{') ? Token.safeParse(JSON.parse(text)) : null;
  const isTheirs = read?.success === true && read.data.creatorId === creatorId && read.data.contactId === contactId;
  if (!isTheirs || clock.now().getTime() > read.data.at * 1000 + SHOWN_FOR_MS) throw changedMeanwhile();
  return read.data;
}
