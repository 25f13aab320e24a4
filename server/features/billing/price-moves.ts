/** Those who pay a price of before are moved to the present one: told thirty days ahead, at a renewal, and nothing is charged in between. */
import { sql, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { adminMovePayers } from '#contract/admin-money.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { dollars } from '#contract/plans.ts';
import { movesFrom } from '#contract/price-moves.ts';
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

export const mailPriceMove: QueuedJob<JobDeps, { creatorId: string }> = {
  name: 'mail-price-move',
  payload: z.object({ creatorId: z.string() }),
  atOnce: 4,
  run: mailMove,
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
  const { rows } = await sql<{ creatorId: string }>`
    insert into price_moves (creator_id, stripe_price_id, cents, told_at)
    select s.creator_id, s.stripe_price_id, ${toCents}, ${deps.clock.now()} from subscriptions s
    where s.stripe_price_id = any(${earlier})
    on conflict (creator_id) do update
      set stripe_price_id = excluded.stripe_price_id, cents = excluded.cents, told_at = excluded.told_at, mailed_at = null
      where price_moves.stripe_price_id <> excluded.stripe_price_id
    returning creator_id as "creatorId"
  `.execute(trx);
  await later(trx, deps, mailPriceMove, ...rows);
  return { plan: plan.name, creators: rows.length };
}

/** Once. */
async function mailMove(deps: JobDeps, { creatorId }: { creatorId: string }): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    const told = await trx
      .updateTable('price_moves as m')
      .from('subscriptions as s')
      .innerJoin('plans', 'plans.id', 's.plan_id')
      .innerJoin('plan_prices as p', 'p.stripe_price_id', 's.stripe_price_id')
      .set({ mailed_at: deps.clock.now() })
      .where('m.creator_id', '=', creatorId)
      .where('m.mailed_at', 'is', null)
      .whereRef('s.creator_id', '=', 'm.creator_id')
      .whereRef('s.stripe_price_id', '=', 'm.stripe_price_id')
      .returning(['plans.name', 'p.cents as paid', 's.billing_interval as interval', 'm.cents', 'm.told_at'])
      .executeTakeFirst();
    if (told === undefined) return;
    const { name, paid, interval, cents, told_at } = told;
    await mailPayers(trx, deps, creatorId, {
      kind: 'price_changes',
      letter: {
        subject: `${name} will cost ${dollars(cents)} a ${interval}`,
        paragraphs: [
          `You pay ${dollars(paid)} a ${interval} now. From your first payment on or after ${dayOf(movesFrom(told_at))}, it’s ${dollars(cents)}.`,
          'Until then, nothing changes. If you don’t want it, you can change or cancel your plan before.',
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
