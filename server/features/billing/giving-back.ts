import { changeStripe, planCalls } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { intentsIn, isPaid } from './project.ts';

/**
 * Ends a subscription now, and gives back all that was ever paid for it.
 *
 * @param given.key the same for the same wish: it begins the keys of all its calls
 * @returns the key of the call that ended it
 * @throws AppError stripe_unreachable: what is left of it follows by itself; payments_off
 */
export async function giveBack(
  deps: BillingDeps,
  given: { creatorId: string; id: string; reason: 'duplicate' | 'requested_by_customer'; key: string },
): Promise<string> {
  const { creatorId, id, reason, key } = given;
  const refunds = async () =>
    (await askStripe(deps.stripe.paidInvoicesOf(id)))
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
