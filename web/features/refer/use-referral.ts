import type { Flags } from '#contract/flags.ts';
import type { Me } from '#contract/session.ts';
import { getBillingEmail } from '#contract/settings.ts';
import { asksForBillingEmail, referralAddress } from '#web/features/refer/referral.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useEnv } from '#web/shell/session.ts';

/** Address of Refer & Earn; null while it is not to be shown. */
export function useReferral(me: Me, flags: Flags | null): string | null {
  const programmeUrl = useEnv().data?.referralProgrammeUrl;
  const creatorId = me.creatorAccount?._id ?? '';
  const billing = useEndpoint(getBillingEmail, { params: { creatorId } }, { enabled: asksForBillingEmail(me) });
  return referralAddress({ me, flags, billingEmail: billing.data?.email, programmeUrl });
}
