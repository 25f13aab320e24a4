import { sql } from 'kysely';
import type { AppError } from '#server/errors.ts';
import { changeStripe, markFollowed, planCalls } from '#server/platforms/stripe/calls.ts';
import type { StripeClient } from '#server/platforms/stripe/client.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { intentsIn, isPaid } from './project.ts';

/** Why something is given back: it begins the keys of all its calls. */
const REASONS = {
  dup: 'duplicate',
  refund: 'requested_by_customer',
  fan_refund: 'requested_by_customer',
  // One that let nobody in any more when it was ended: only what was paid for it later.
  past: 'duplicate',
} as const;
type Why = keyof typeof REASONS;

/**
 * Ends a subscription now, and gives back all that was ever paid for it, or since a moment. What a bank's debit pays later: `followGivenBack`.
 *
 * @returns the key of the call that ended it
 * @throws AppError stripe_unreachable: what is left of it follows by itself; payments_off
 */
export async function giveBack(
  deps: BillingDeps,
  given: { creatorId: string; id: string; key: Why; paidSince?: Date },
): Promise<string> {
  const { creatorId, id, key, paidSince } = given;
  const reason = REASONS[key];
  const refunds = async () =>
    (await askStripe(deps.stripe.paidInvoicesOf(id)))
      .filter(({ status_transitions: { paid_at } }) => paidSince === undefined || (paid_at ?? 0) * 1000 >= +paidSince)
      .flatMap((invoice) => intentsIn(invoice, isPaid))
      .map((intent) => ({
        ...{ creatorId, verb: 'refund' as const, params: { payment_intent: intent, reason }, key: `${key}:${intent}` },
      }));
  const end = { creatorId, verb: 'end_subscription' as const, params: { id }, key: `${key}:${id}` };
  // All of it is written down before the first: whatever breaks, the rest follows by itself.
  await planCalls(deps, [end, ...(await refunds())]);
  await changeStripe(deps, end);
  // It may have been renewed a moment ago; now it cannot be any more.
  for (const refund of await refunds()) await changeStripe(deps, refund);
  return end.key;
}

const DAY_MS = 86_400_000;
/** Longer than a bank takes to debit an account. */
const FOLLOWED_DAYS = 30;

/** Once a day, and once more after the last of them: gives back what was still on its way from a bank when its subscription was ended. */
export async function followGivenBack(
  deps: Omit<BillingDeps, 'stripe'> & { clientOf(account: string | null): StripeClient | null },
): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - FOLLOWED_DAYS * DAY_MS);
  const { rows } = await sql<{
    creatorId: string;
    account: string | null;
    id: string;
    key: Why;
    isLast: boolean;
    /** It was not paid then, whatever clocks differ by. */
    unpaidAt: Date;
  }>`
    select creator_id as "creatorId", account, params ->> 'id' as id, split_part(key, ':', 1) as key, settled_at <= ${since} as "isLast", planned_at - interval '10 minutes' as "unpaidAt"
    from stripe_calls
    where verb = 'end_subscription' and state = 'done' and not is_followed and creator_id is not null
      and split_part(key, ':', 1) = any(${Object.keys(REASONS)})
  `.execute(deps.db.engine);
  for (const { account, isLast, unpaidAt, ...given } of rows) {
    const stripe = deps.clientOf(account);
    if (stripe === null) continue;
    try {
      const paidSince = given.key === 'past' && { paidSince: unpaidAt };
      await giveBack({ ...deps, stripe, ...(account !== null && { account }) }, { ...given, ...paidSince });
    } catch (error) {
      deps.log.error({ err: error, ...given }, 'what was paid late could not be given back yet');
      if ((error as AppError).code !== 'not_possible_now') continue;
    }
    if (isLast) await markFollowed(deps, `${given.key}:${given.id}`);
  }
}
