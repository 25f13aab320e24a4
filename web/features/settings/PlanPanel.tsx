import { useState } from 'react';
import { CANCEL_REASONS, type CancelReason, cancelPlan, keepPlan } from '#contract/billing.ts';
import { isInHouse, priceLabel } from '#contract/plans.ts';
import { mayDo } from '#contract/roles.ts';
import { getMe, type Me } from '#contract/session.ts';
import { changeBillingEmail, getBillingEmail } from '#contract/settings.ts';
import { intervalWords } from '#web/features/plans/plan-offers.ts';
import { ENDING, REASONS } from '#web/features/plans/words.ts';
import { asksForBillingEmail } from '#web/features/refer/referral.ts';
import { planStatus } from '#web/features/settings/plan-status.ts';
import { PLAN_PANEL } from '#web/features/settings/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { Question } from '#web/ui/Question.tsx';
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
      <PlanCard subscription={subscription} billing={me.billing} />
      <BillingEmailCard asked={asksForBillingEmail(me)} />
    </div>
  );
}

function PlanCard({ subscription, billing }: Pick<Me, 'subscription' | 'billing'>) {
  if (!subscription || !billing) {
    return (
      <Card title={PLAN_PANEL.yourPlan}>
        <p className="mb-4">{PLAN_PANEL.thisAccountHasNo}</p>
        <ButtonLink to={paths.planUpgrade}>{PLAN_PANEL.seePlans}</ButtonLink>
      </Card>
    );
  }
  const status = planStatus(billing);
  return (
    <Card title={PLAN_PANEL.yourPlan} aside={<Badge tone={status.tone}>{status.label}</Badge>}>
      <p className="font-semibold text-xl">{subscription.plan.name}</p>
      {paid(subscription) && <p className="text-muted">{paid(subscription)}</p>}
      {status.words && <p className="mt-2">{status.words}</p>}
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to={paths.planUpgrade} variant="secondary">
          {PLAN_PANEL.comparePlans}
        </ButtonLink>
        {billing.mode !== 'off' && !isInHouse(subscription) && (
          <EndingButton subscription={subscription} billing={billing} />
        )}
      </div>
    </Card>
  );
}

type PaidFor = { subscription: NonNullable<Me['subscription']>; billing: NonNullable<Me['billing']> };

/** To the end of what is paid; until then the way back is the same button. */
function EndingButton({ subscription, billing }: PaidFor) {
  const { creatorId } = useCreator();
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useState<CancelReason | ''>('');
  const params = { creatorId };
  const keep = useEndpointMutation(keepPlan, { refreshes: [getMe] });
  const cancel = useEndpointMutation(cancelPlan, { refreshes: [getMe], onSuccess: () => setAsks(false) });
  if (subscription.cancelAt !== null) {
    return (
      <Button busy={keep.isPending} onClick={() => keep.mutate({ params })}>
        {ENDING.keep}
      </Button>
    );
  }
  const until = billing.nextPayment?.at ?? billing.until;
  return (
    <>
      <Button variant="quiet" onClick={() => setAsks(true)}>
        {ENDING.cancel}
      </Button>
      <Question
        open={asks}
        onOpenChange={setAsks}
        title={ENDING.title}
        description={ENDING.says(subscription.plan.name, until === null ? null : dayOf(until))}
        keep={ENDING.notNow}
        act={ENDING.cancel}
        busy={cancel.isPending}
        onAct={() => cancel.mutate({ params, body: { reason: reason === '' ? null : reason } })}
      >
        <Field label={ENDING.why}>
          {(field) => (
            <Select {...field} value={reason} onChange={({ target }) => setReason(target.value as CancelReason | '')}>
              <option value="" />
              {CANCEL_REASONS.map((one) => (
                <option key={one} value={one}>
                  {REASONS[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </Question>
    </>
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
