import type { Flags } from '#contract/flags.ts';
import { isInHouse } from '#contract/plans.ts';
import type { Me } from '#contract/session.ts';

/** Nobody is asked for the billing email of a plan that is not paid for. */
const UNBILLED_PRODUCT = 'free-plan';

/** Spec section 7: only when the creator exists, the subscription is not in-house and the plan is not one product. */
export function asksForBillingEmail({ creatorAccount, subscription }: Me): boolean {
  if (!creatorAccount || !subscription) return false;
  return !isInHouse(subscription) && subscription.plan.productId !== UNBILLED_PRODUCT;
}

type Given = { me: Me; flags: Flags | null; billingEmail: string | undefined; programmeUrl: string | null | undefined };

/**
 * Where Refer & Earn leads: the configured programme, with the creator's handle and billing email. Null, and the entry is
 * absent, unless all five hold: `referralFactoryEnabled` is on, the plan is not free, the creator has a handle, a billing
 * email is loaded, and this install has a programme. Support inside an account never sees it.
 */
export function referralAddress({ me, flags, billingEmail, programmeUrl }: Given): string | null {
  const handle = me.creatorAccount?.handle;
  if (me.account.isAdmin || !flags?.referralFactoryEnabled) return null;
  if (!me.subscription || me.subscription.isFree || !handle || !billingEmail || !programmeUrl) return null;
  const address = new URL(programmeUrl);
  address.searchParams.set('handle', handle);
  address.searchParams.set('email', billingEmail);
  return address.href;
}
