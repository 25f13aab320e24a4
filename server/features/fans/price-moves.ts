/** Members who pay an earlier price come to pay the present one: told thirty days ahead, at a renewal, nothing charged in between. */
import * as z from 'zod/mini';
import { amountLabel } from '#contract/amounts.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { movesFrom } from '#contract/price-moves.ts';
import type { movePayers } from '#contract/tiers.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { needAccount } from './accounts.ts';
import type { FanDeps } from './fan-deps.ts';
import { mailFan } from './mails.ts';
import { noteChange, planMove, takeMoveMail } from './passes.ts';
import { fetchFan } from './sync.ts';
import { findPriceOnSale, priceAtStripe } from './tiers.ts';

/** Only so long before a renewal: what is given back of a period is counted by the price that the subscription has. */
const MOVES_BEFORE_MS = 24 * 3_600_000;

type Whose = { creatorId: string; contactId: string };

/**
 * @returns how many there are who did not know of it yet
 * @throws AppError not_found: no one pays that; changed_meanwhile: the present price is another one
 */
export async function announceMove(
  deps: Pick<FanDeps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, tierId, interval, amount, toAmount }: BodyOf<typeof movePayers> & { creatorId: string; tierId: string },
): Promise<number> {
  const price = await findPriceOnSale(trx, { tierId, interval });
  if (price === null) throw new AppError('not_found', 'This tier isn’t for sale.');
  if (price.amount !== toAmount || amount === toAmount) {
    throw new AppError('changed_meanwhile', 'The price of this tier has changed. Look at it again.');
  }
  const told = await planMove(deps, trx, { creatorId, tierId, interval, amount, to: price.id });
  await later(trx, deps, mailFanMove, ...told);
  return told.length;
}

export const mailFanMove: QueuedJob<JobDeps, Whose> = {
  name: 'mail-member-price-move',
  payload: z.object({ creatorId: z.string(), contactId: z.string() }),
  atOnce: 4,
  run: async (deps, whose) => {
    await deps.db.engine.transaction().execute(async (trx) => {
      const told = await takeMoveMail(deps, trx, whose);
      if (told === null) return;
      const { tier, currency, billing_interval: interval } = told;
      const price = `${amountLabel(told.toAmount, currency)} a ${interval}`;
      const from = dayOf(movesFrom(told.moves_told_at!));
      await noteChange(deps, trx, { ...whose, what: `Mailed that ${tier} will cost ${price}, from ${from}.` });
      await mailFan(deps, trx, whose, {
        kind: 'fan_price_changes',
        letter: {
          subject: `${tier} will cost ${price}`,
          paragraphs: [
            `You pay ${amountLabel(told.amount ?? 0, currency)} a ${interval} now. From your first payment on or after ${from}, it’s ${amountLabel(told.toAmount, currency)}.`,
            'Until then, nothing changes. If you don’t want it, cancel before: two taps.',
          ],
        },
      });
    });
  },
};

/** Where the thirty days are over before the next renewal, the renewal is at the new price. */
export async function movePrices(deps: FanDeps): Promise<void> {
  const now = deps.clock.now();
  const rows = await deps.db.engine
    .selectFrom('passes as p')
    .innerJoin('tier_prices as n', (join) =>
      join.onRef('n.creator_id', '=', 'p.creator_id').onRef('n.id', '=', 'p.moves_to'),
    )
    .select(['p.creator_id as creatorId', 'p.contact_id as contactId', 'p.stripe_subscription_id', 'p.renews_at'])
    .select(['p.moves_told_at', 'n.tier_id as tierId', 'n.billing_interval as interval'])
    .where('n.until', 'is', null)
    .whereRef('n.amount', '!=', 'p.amount')
    .where('p.move_mailed_at', 'is not', null)
    .where('p.status', 'in', ['active', 'trialing'])
    .where('p.ended_at', 'is', null)
    .where('p.cancel_at', 'is', null)
    // They chose another tier for then themselves.
    .where('p.next_at', 'is', null)
    .where('p.renews_at', '>', now)
    .where('p.renews_at', '<=', new Date(now.getTime() + MOVES_BEFORE_MS))
    .limit(500)
    .execute();
  for (const { stripe_subscription_id: id, renews_at, moves_told_at, ...due } of rows) {
    if (renews_at! < movesFrom(moves_told_at!)) continue;
    try {
      await move(deps, { ...due, id: id!, toldAt: moves_told_at! });
    } catch (error) {
      deps.log.error({ err: error, creatorId: due.creatorId }, 'a member could not be moved to the present price yet');
    }
  }
}

type Due = Whose & { id: string; tierId: string; interval: 'month' | 'year'; toldAt: Date };

async function move(deps: FanDeps, { id, tierId, interval, toldAt, ...whose }: Due): Promise<void> {
  const { creatorId } = whose;
  const price = await deps.db.withCreator(creatorId, (trx) => findPriceOnSale(trx, { tierId, interval }));
  if (price === null) return;
  const account = await needAccount(deps, creatorId);
  const stripePriceId = await priceAtStripe(account, creatorId, price);
  const { items, cancel_at } = await askStripe(account.stripe.subscription(id));
  // They canceled a moment ago, and we have not heard of it.
  if (cancel_at === null) {
    await changeStripe(account, {
      ...{ creatorId, verb: 'change_subscription', key: `move:${id}:${toldAt.getTime()}` },
      params: { id, items: [{ id: items.data[0]!.id, price: stripePriceId }], proration_behavior: 'none' },
    });
  }
  await askStripe(fetchFan(deps, whose));
}
