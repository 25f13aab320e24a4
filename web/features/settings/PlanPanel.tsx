import { useEffect, useState } from 'react';
import {
  CANCEL_REASONS,
  type CancelReason,
  cancelPlan,
  keepPlan,
  openPortal,
  payDue,
  refreshPlan,
  refundPlan,
} from '#contract/billing.ts';
import { dollars, isInHouse, priceLabel } from '#contract/plans.ts';
import { mayDo } from '#contract/roles.ts';
import { getMe, type Me } from '#contract/session.ts';
import { changeBillingEmail, getBillingEmail } from '#contract/settings.ts';
import { limitWords } from '#web/features/plans/limit-words.ts';
import { intervalWords } from '#web/features/plans/plan-offers.ts';
import { DUE, ENDING, PLANS, REASONS } from '#web/features/plans/words.ts';
import { asksForBillingEmail } from '#web/features/refer/referral.ts';
import { Invoices } from '#web/features/settings/Invoices.tsx';
import { planStatus } from '#web/features/settings/plan-status.ts';
import { PLAN_PANEL } from '#web/features/settings/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
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
  const { subscription, billing, role } = me;
  if (billing?.mode === 'off') {
    return (
      <Card title={PLAN_PANEL.yourPlan}>
        <p>{PLANS.off}</p>
        <p className="text-muted">{PLANS.offSays}</p>
      </Card>
    );
  }
  if (role === null || !mayDo(role, 'billing')) {
    return (
      <Card title={PLAN_PANEL.planAndBilling}>
        {subscription && <p className="font-semibold text-xl">{subscription.plan.name}</p>}
        <p className="text-muted">{PLAN_PANEL.onlyAnOwnerCan}</p>
      </Card>
    );
  }
  const bought = subscription && billing && !isInHouse(subscription) ? { subscription, billing } : null;
  return (
    <div className="flex flex-col gap-5">
      <PlanCard subscription={subscription} billing={billing} bought={bought} />
      {bought && <Invoices firstAt={bought.billing.nextPayment?.at ?? null} />}
      <BillingEmailCard asked={asksForBillingEmail(me)} />
    </div>
  );
}

type PaidFor = { subscription: NonNullable<Me['subscription']>; billing: NonNullable<Me['billing']> };

function PlanCard({
  subscription,
  billing,
  bought,
}: Pick<Me, 'subscription' | 'billing'> & { bought: PaidFor | null }) {
  if (!subscription || !billing) {
    return (
      <Card title={PLAN_PANEL.yourPlan}>
        <p className="mb-4">{PLAN_PANEL.thisAccountHasNo}</p>
        <ButtonLink to={paths.planUpgrade}>{PLAN_PANEL.seePlans}</ButtonLink>
      </Card>
    );
  }
  const status = planStatus(billing, subscription.status);
  const price = paid(subscription);
  const { nextPlan, nextPrice } = billing;
  const limit = limitWords(billing.limit);
  return (
    <Card title={PLAN_PANEL.yourPlan} aside={<Badge tone={status.tone}>{status.label}</Badge>}>
      <p className="font-semibold text-xl">{subscription.plan.name}</p>
      {price && <p className="text-muted">{price}</p>}
      {status.words && <p className="mt-2">{status.words}</p>}
      {limit && <p className="mt-2">{limit}</p>}
      {nextPrice && <p className="mt-2">{DUE.price(dollars(nextPrice.cents), dayOf(nextPrice.at))}</p>}
      {nextPlan && <p className="mt-2">{DUE.next(nextPlan.name, dayOf(nextPlan.at))}</p>}
      {billing.payNeeded !== null && <PaymentDue payNeeded={billing.payNeeded} />}
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to={paths.planUpgrade} variant="secondary">
          {PLAN_PANEL.comparePlans}
        </ButtonLink>
        {bought && <PortalButton />}
        {bought && <EndingButton {...bought} />}
      </div>
    </Card>
  );
}

const LOOK_EVERY_MS = 10_000;

function PaymentDue({ payNeeded }: { payNeeded: 'card' | 'bank_confirmation' }) {
  const { creatorId } = useCreator();
  const { mutate: ask } = useEndpointMutation(refreshPlan, { successToast: false, errorToast: false });
  // They may just have come back from paying; the answer comes with the news of the account.
  useEffect(() => {
    const look = () => ask({ params: { creatorId } });
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [ask, creatorId]);
  const pay = useEndpointMutation(payDue, { successToast: false, onSuccess: ({ url }) => leaveFor(url) });
  return (
    <Alert
      variant="warning"
      className="mt-3"
      action={
        <Button busy={pay.isPending || pay.isSuccess} onClick={() => pay.mutate({ params: { creatorId } })}>
          {payNeeded === 'card' ? DUE.pay : DUE.confirm}
        </Button>
      }
    >
      {DUE[payNeeded]}
    </Alert>
  );
}

function PortalButton() {
  const { creatorId } = useCreator();
  const open = useEndpointMutation(openPortal, { successToast: false, onSuccess: ({ url }) => leaveFor(url) });
  return (
    <Button
      variant="secondary"
      busy={open.isPending || open.isSuccess}
      onClick={() => open.mutate({ params: { creatorId } })}
    >
      {DUE.portal}
    </Button>
  );
}

function leaveFor(url: string) {
  window.location.assign(url);
}

/** To the end of what is paid; until then the way back is the same button, as it is for a change that is planned. */
function EndingButton({ subscription, billing }: PaidFor) {
  const { creatorId } = useCreator();
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useState<CancelReason | ''>('');
  const params = { creatorId };
  const done = { refreshes: [getMe], onSuccess: () => setAsks(false) };
  const keep = useEndpointMutation(keepPlan, { refreshes: [getMe] });
  const cancel = useEndpointMutation(cancelPlan, done);
  const refund = useEndpointMutation(refundPlan, done);
  const isEnding = subscription.cancelAt !== null;
  const until = billing.nextPayment?.at ?? billing.until;
  return (
    <>
      {(isEnding || billing.nextPlan !== null) && (
        <Button busy={keep.isPending} onClick={() => keep.mutate({ params })}>
          {isEnding ? ENDING.keep : DUE.keep(subscription.plan.name)}
        </Button>
      )}
      {!isEnding && (
        <Button variant="quiet" onClick={() => setAsks(true)}>
          {ENDING.cancel}
        </Button>
      )}
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
        {billing.refundUntil !== null && (
          <div className="flex flex-col items-start gap-2">
            <p className="text-muted text-sm">{ENDING.refundSays(dayOf(billing.refundUntil))}</p>
            <Button variant="secondary" size="small" busy={refund.isPending} onClick={() => refund.mutate({ params })}>
              {ENDING.refund}
            </Button>
          </div>
        )}
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
