import { isInHouse, priceLabel } from '#contract/plans.ts';
import { mayDo } from '#contract/roles.ts';
import type { Me } from '#contract/session.ts';
import { changeBillingEmail, getBillingEmail } from '#contract/settings.ts';
import { intervalWords } from '#web/features/plans/plan-offers.ts';
import { asksForBillingEmail } from '#web/features/refer/referral.ts';
import { planStatus } from '#web/features/settings/plan-status.ts';
import { PLAN_PANEL } from '#web/features/settings/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

export function PlanPanel() {
  const me = useCreator();
  const { subscription, role } = me;
  if (role === null || !mayDo(role, 'billing')) {
    return (
      <Card title={PLAN_PANEL.planAndBilling}>
        <p className="text-muted">{PLAN_PANEL.onlyAnOwnerCan}</p>
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <PlanCard subscription={subscription} />
      <BillingEmailCard asked={asksForBillingEmail(me)} />
    </div>
  );
}

function PlanCard({ subscription }: { subscription: Me['subscription'] }) {
  if (!subscription) {
    return (
      <Card title={PLAN_PANEL.yourPlan}>
        <p className="mb-4">{PLAN_PANEL.thisAccountHasNo}</p>
        <ButtonLink to={paths.planUpgrade}>{PLAN_PANEL.seePlans}</ButtonLink>
      </Card>
    );
  }
  const status = planStatus(subscription);
  return (
    <Card title={PLAN_PANEL.yourPlan} aside={<Badge tone={status.tone}>{status.label}</Badge>}>
      <p className="font-semibold text-xl">{subscription.plan.name}</p>
      {paid(subscription) && <p className="text-muted">{paid(subscription)}</p>}
      {status.words && <p className="mt-2">{status.words}</p>}
      <ButtonLink to={paths.planUpgrade} variant="secondary" className="mt-4">
        {PLAN_PANEL.comparePlans}
      </ButtonLink>
    </Card>
  );
}

/** Null when the plan's name says it all. A plan that support has given costs nothing, whatever its price is. */
function paid(subscription: NonNullable<Me['subscription']>): string | null {
  const { plan, interval, isFree } = subscription;
  const label = priceLabel(plan.price, interval);
  if (isFree || label === null || label === 'Free') return null;
  return isInHouse(subscription) ? PLAN_PANEL.freeFromSupport : `${label} ${intervalWords(interval)}`;
}

function BillingEmailCard({ asked }: { asked: boolean }) {
  return (
    <Card title={PLAN_PANEL.billingEmail}>
      {asked ? <BillingEmail /> : <p className="text-muted">{PLAN_PANEL.thisPlanHasNo}</p>}
    </Card>
  );
}

function BillingEmail() {
  const { creatorId } = useCreator();
  const billing = useEndpoint(getBillingEmail, { params: { creatorId } });
  return (
    <Loaded
      query={billing}
      loading={PLAN_PANEL.loadingTheBillingEmail}
      failed={PLAN_PANEL.couldntLoadTheBilling}
      skeleton={<Skeleton className="h-28" />}
    >
      {({ email }) => <BillingEmailForm email={email} />}
    </Loaded>
  );
}

function BillingEmailForm({ email }: { email: string }) {
  const { creatorId } = useCreator();
  const form = useApiForm({
    endpoint: changeBillingEmail,
    schema: changeBillingEmail.body,
    defaultValues: { email },
    request: (values) => ({ params: { creatorId }, body: values }),
    refreshes: [getBillingEmail],
    successToast: { title: PLAN_PANEL.saved, detail: PLAN_PANEL.invoicesNowGoTo },
    draftKey: `billing-email:${creatorId}`,
  });
  return (
    <FormFrame form={form} submitLabel={PLAN_PANEL.save}>
      <TextField
        form={form}
        name="email"
        label={PLAN_PANEL.whereWeSendInvoices}
        type="email"
        autoComplete="email"
        inputMode="email"
      />
    </FormFrame>
  );
}
