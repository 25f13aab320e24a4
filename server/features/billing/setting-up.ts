/** What an account of Stripe's needs before the first plan is sold. What is there already is left as it is. */
import { FREE_PLAN_ID } from '#contract/plans.ts';
import type { CallDeps } from '#server/platforms/stripe/calls.ts';
import { findPrice } from './catalogue.ts';
import { makePortal } from './invoices.ts';

type Config = { config: { baseUrl: string } };

/** Events that say that a customer's copy may be old; what they carry is not read. */
const EVENTS = [
  'customer.updated',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'checkout.session.completed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;

/** What changes about connected accounts themselves, which v2 tells without saying how. */
const ACCOUNT_EVENTS = [
  'v2.core.account[requirements].updated',
  'v2.core.account[configuration.merchant].capability_status_updated',
  'v2.core.account.closed',
];

/** For memberships: what happens in creators' accounts, and to them. @returns as `setUpStripe` */
export async function setUpConnect({ stripe, config }: Pick<CallDeps, 'stripe'> & Config): Promise<string[]> {
  const url = `${config.baseUrl}/webhooks/stripe/connect`;
  const made = [
    await stripe.listenAt(url, [...EVENTS, 'account.updated', 'account.application.deauthorized'], { connect: true }),
    await stripe.listenToAccounts(url, ACCOUNT_EVENTS),
  ].filter((secret) => secret !== null);
  if (made.length === 0) return [`Messages about members already go to ${url}.`];
  return [`Messages about members go to ${url}. Add to STRIPE_CONNECT_WEBHOOK_SECRETS, with commas: ${made.join(',')}`];
}

/** @returns in words, what is there now, and what to set @throws AppError, and what Stripe's library throws */
export async function setUpStripe(deps: CallDeps & Config): Promise<string[]> {
  const said: string[] = [];
  const prices = await deps.db.engine
    .selectFrom('plan_prices')
    .innerJoin('plans', 'plans.id', 'plan_prices.plan_id')
    .select(['plan_id', 'billing_interval', 'plans.name'])
    .where('until', 'is', null)
    .where('on_sale', '=', true)
    .where('plan_id', '!=', FREE_PLAN_ID)
    .orderBy('plan_id')
    .orderBy('billing_interval')
    .execute();
  for (const { plan_id: planId, billing_interval: interval, name } of prices) {
    const { stripePriceId } = await findPrice(deps, { planId, interval });
    said.push(`${name}, by the ${interval}: ${stripePriceId}`);
  }
  said.push(`Page for cards and addresses: ${await makePortal(deps)}`);
  const url = `${deps.config.baseUrl}/webhooks/stripe/platform`;
  const made = await deps.stripe.listenAt(url, [...EVENTS]);
  said.push(
    made === null
      ? `Messages already go to ${url}.`
      : `Messages go to ${url}. Set STRIPE_WEBHOOK_SECRETS=${made} and start again.`,
  );
  return said;
}
