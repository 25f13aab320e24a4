/** Those who pay a price of before are moved to the present one: told thirty days ahead, at a renewal, and nothing is charged in between. */
import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { adminMovePayers } from '#contract/admin-money.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { dollars, movesFrom } from '#contract/plans.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import type { BillingDeps } from './billing-deps.ts';
import { findPrice } from './catalogue.ts';
import { dayOf, mailPayers, PLAN_PATH } from './mails.ts';
import { fetchSubscription } from './sync.ts';

/** Only so long before a renewal: what is given back of a period is counted by the price that the subscription has. */
const MOVES_BEFORE_MS = 24 * 3_600_000;

export const tellPriceMove: QueuedJob<JobDeps, { creatorId: string; stripePriceId: string; cents: number }> = {
  name: 'tell-price-move',
  payload: z.object({ creatorId: z.string(), stripePriceId: z.string(), cents: z.number() }),
  atOnce: 4,
  run: tellMove,
};

/**
 * Tells everybody who pays an earlier price of a plan that they will pay the present one.
 *
 * @param trx of the engine's role
 * @returns how many there are who were not told before, and the plan's name
 * @throws AppError not_found; changed_meanwhile: the present price is another one
 */
export async function announceMove(
  trx: Transaction<Tables>,
  deps: Pick<BillingDeps, 'clock'>,
  { planId, interval, cents, toCents }: BodyOf<typeof adminMovePayers> & { planId: string },
): Promise<{ plan: string; creators: number }> {
  const plan = await trx
    .selectFrom('plans')
    .select(['name', 'on_sale'])
    .where('id', '=', planId)
    .forUpdate()
    .executeTakeFirst();
  if (plan === undefined) throw new AppError('not_found', 'This plan doesn’t exist.');
  const prices = await trx
    .selectFrom('plan_prices')
    .select(['cents', 'until', 'stripe_price_id'])
    .where('plan_id', '=', planId)
    .where('billing_interval', '=', interval)
    .execute();
  if (!plan.on_sale || prices.find(({ until }) => until === null)?.cents !== toCents) {
    throw new AppError('changed_meanwhile', 'The price of this plan has changed. Look at it again.');
  }
  const earlier = prices.flatMap((one) =>
    one.until !== null && one.cents === cents ? (one.stripe_price_id ?? []) : [],
  );
  if (earlier.length === 0) throw new AppError('not_found', 'No one pays that price.');
  const payers = await trx
    .selectFrom('subscriptions as s')
    .leftJoin('price_moves as m', (join) =>
      join.onRef('m.creator_id', '=', 's.creator_id').onRef('m.stripe_price_id', '=', 's.stripe_price_id'),
    )
    .select(['s.creator_id as creatorId', 's.stripe_price_id'])
    .where('s.stripe_price_id', 'in', earlier)
    .where('m.creator_id', 'is', null)
    .execute();
  const told = payers.map(({ creatorId, stripe_price_id }) => ({
    creatorId,
    stripePriceId: stripe_price_id!,
    cents: toCents,
  }));
  await later(trx, deps, tellPriceMove, ...told);
  return { plan: plan.name, creators: told.length };
}

/** Once: who was told is written down with the mail. */
async function tellMove(
  deps: JobDeps,
  { creatorId, stripePriceId, cents }: { creatorId: string; stripePriceId: string; cents: number },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    const paid = await trx
      .selectFrom('subscriptions as s')
      .innerJoin('plans', 'plans.id', 's.plan_id')
      .innerJoin('plan_prices as p', 'p.stripe_price_id', 's.stripe_price_id')
      .select(['plans.name', 'p.cents', 's.billing_interval'])
      .where('s.creator_id', '=', creatorId)
      .where('s.stripe_price_id', '=', stripePriceId)
      .executeTakeFirst();
    if (paid === undefined) return;
    const { numInsertedOrUpdatedRows: rows } = await trx
      .insertInto('price_moves')
      .values({ creator_id: creatorId, stripe_price_id: stripePriceId, cents, told_at: now })
      .onConflict((conflict) =>
        conflict
          .column('creator_id')
          .doUpdateSet({ stripe_price_id: stripePriceId, cents, told_at: now })
          .where('price_moves.stripe_price_id', '!=', stripePriceId),
      )
      .executeTakeFirst();
    if (rows !== 1n) return;
    await mailPayers(trx, deps, creatorId, {
      kind: 'price_changes',
      letter: {
        subject: `${paid.name} will cost ${dollars(cents)} a ${paid.billing_interval}`,
        paragraphs: [
          `You pay ${dollars(paid.cents)} a ${paid.billing_interval} now. From your first payment on or after ${dayOf(movesFrom(now))}, it’s ${dollars(cents)}.`,
          'Nothing is charged before that. If you don’t want it, you can change or cancel your plan until then.',
        ],
        button: { label: 'See your plan', url: deps.config.baseUrl + PLAN_PATH },
      },
    });
  });
}

/** Where the thirty days are over before the next renewal, the renewal is at the new price. */
export async function movePrices(deps: BillingDeps): Promise<void> {
  const now = deps.clock.now();
  const rows = await deps.db.engine
    .selectFrom('subscriptions as s')
    .innerJoin('price_moves as m', (join) =>
      join.onRef('m.creator_id', '=', 's.creator_id').onRef('m.stripe_price_id', '=', 's.stripe_price_id'),
    )
    .innerJoin('plan_prices as p', (join) =>
      join
        .onRef('p.plan_id', '=', 's.plan_id')
        .onRef('p.billing_interval', '=', 's.billing_interval')
        .onRef('p.cents', '=', 'm.cents')
        .on('p.until', 'is', null),
    )
    .innerJoin('plans', 'plans.id', 's.plan_id')
    .select(['s.creator_id', 's.stripe_subscription_id', 's.plan_id', 's.billing_interval', 's.current_period_end'])
    .select('m.told_at')
    .where('plans.on_sale', '=', true)
    .where('s.status', 'in', ['active', 'trialing'])
    .where('s.cancel_at', 'is', null)
    .where('s.next_at', 'is', null)
    .where('s.current_period_end', '<=', new Date(now.getTime() + MOVES_BEFORE_MS))
    .where('s.current_period_end', '>', now)
    .execute();
  for (const row of rows) {
    if (row.current_period_end! < movesFrom(row.told_at)) continue;
    try {
      await move(deps, row);
    } catch (error) {
      deps.log.error({ err: error, creatorId: row.creator_id }, 'a payer could not be moved to the present price yet');
    }
  }
}

type Due = {
  creator_id: string;
  stripe_subscription_id: string;
  plan_id: string;
  billing_interval: 'month' | 'year';
  told_at: Date;
};

async function move(deps: BillingDeps, due: Due): Promise<void> {
  const { creator_id: creatorId, stripe_subscription_id: id } = due;
  const { stripePriceId } = await findPrice(deps, { planId: due.plan_id, interval: due.billing_interval });
  const { items } = await deps.stripe.subscription(id);
  await changeStripe(deps, {
    ...{ creatorId, verb: 'change_subscription', key: `move:${id}:${due.told_at.getTime()}` },
    params: { id, items: [{ id: items.data[0]!.id, price: stripePriceId }], proration_behavior: 'none' },
  });
  await fetchSubscription(deps, creatorId);
}
