import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import {
  adminChangePlan,
  adminGetMoney,
  adminGiveDays,
  adminMovePayers,
  adminSyncPlan,
} from '#contract/admin-money.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { dollars } from '#contract/plans.ts';
import { movesFrom } from '#contract/price-moves.ts';
import { MONEY_PAGE as WORDS } from '#web/features/admin/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Money = ResponseOf<typeof adminGetMoney>;
type Plan = Money['plans'][number];

const refreshes = [adminGetMoney];

/** Payments of the whole install. */
export function Component() {
  const money = useEndpoint(adminGetMoney, {});
  return (
    <>
      <PageHeader title={WORDS.title} />
      <Loaded query={money} loading={WORDS.loading} failed={WORDS.failed} skeleton={<Skeleton className="h-96" />}>
        {(data) => (
          <div className="flex flex-col gap-5">
            {WORDS.mode[data.mode] && <Alert>{WORDS.mode[data.mode]}</Alert>}
            {WORDS.tax[data.tax] && <Alert variant="warning">{WORDS.tax[data.tax]}</Alert>}
            {data.mode !== 'off' && (
              <>
                <Stripe {...data} />
                <Calls calls={data.calls} />
                <Disputes disputes={data.disputes} />
                <Late late={data.late} />
              </>
            )}
            <Over over={data.over} isOff={data.mode === 'off'} />
            {data.mode !== 'off' && <Plans plans={data.plans} />}
          </div>
        )}
      </Loaded>
    </>
  );
}

function Stripe({ sync, duplicates }: Money) {
  return (
    <Card title={WORDS.stripe}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Figure label={WORDS.customers} value={sync.customers} />
        <Figure label={WORDS.waiting} value={sync.waiting} />
        <Figure label={WORDS.duplicates} value={duplicates} />
        <Figure label={WORDS.repaired} value={sync.repaired} />
      </dl>
      <p className="mt-4 text-muted text-sm">
        {WORDS.lastEvent}: {sync.lastEventAt === null ? WORDS.never : <RelativeTime at={sync.lastEventAt} />}.{' '}
        {WORDS.oldest}: {sync.oldestAt === null ? WORDS.never : <RelativeTime at={sync.oldestAt} />}.
      </p>
    </Card>
  );
}

function Calls({ calls }: Pick<Money, 'calls'>) {
  return (
    <Card title={WORDS.calls}>
      <Rows none={WORDS.callsNone}>
        {calls.map(({ key, verb, handle, plannedAt, state }) => (
          <Row key={key}>
            <span className="wrap-anywhere min-w-0 flex-1">
              {[verb.replaceAll('_', ' '), handle && `@${handle}`].filter(Boolean).join(' · ')}
            </span>
            <RelativeTime at={plannedAt} />
            <Badge tone={state === 'unknown' ? 'error' : 'neutral'}>{WORDS.callSays[state]}</Badge>
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

function Disputes({ disputes }: Pick<Money, 'disputes'>) {
  return (
    <Card title={WORDS.disputes}>
      {disputes === null ? (
        <Alert variant="warning">{WORDS.disputesUnknown}</Alert>
      ) : (
        <Rows none={WORDS.disputesNone}>
          {disputes.map(({ id, handle, amount, reason, openedAt, answerBy }) => (
            <Row key={id}>
              <span className="wrap-anywhere min-w-0 flex-1">
                {handle === null ? WORDS.unknownCreator : `@${handle}`} · {amount}
                <span className="text-muted"> · {reason.replaceAll('_', ' ')}</span>
              </span>
              <RelativeTime at={openedAt} />
              {answerBy && <Badge tone="warning">{WORDS.answerBy(dayOf(answerBy))}</Badge>}
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Late({ late }: Pick<Money, 'late'>) {
  const sync = useEndpointMutation(adminSyncPlan, { refreshes });
  return (
    <Card title={WORDS.late}>
      <Rows none={WORDS.lateNone}>
        {late.map(({ creatorId, handle, plan, since, cause }) => (
          <Row key={creatorId}>
            <span className="wrap-anywhere min-w-0 flex-1">
              @{handle} · {plan}
              {cause && <span className="text-muted"> · {cause.replaceAll('_', ' ')}</span>}
            </span>
            <RelativeTime at={since} />
            <Button
              size="small"
              variant="secondary"
              busy={sync.isPending && sync.variables.params.adminCreatorId === creatorId}
              onClick={() => sync.mutate({ params: { adminCreatorId: creatorId } })}
            >
              {WORDS.sync}
            </Button>
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

function Over({ over, isOff }: Pick<Money, 'over'> & { isOff: boolean }) {
  const [given, setGiven] = useState<Money['over'][number] | null>(null);
  return (
    <Card
      title={isOff ? WORDS.wouldBeOver : WORDS.over}
      description={isOff && over.length > 0 ? WORDS.wouldBeOverSays : undefined}
    >
      <Rows none={WORDS.overNone}>
        {over.map((one) => (
          <Row key={one.creatorId}>
            <span className="wrap-anywhere min-w-0 flex-1">
              @{one.handle} <span className="text-muted tabular-nums">{numerals(one.followers)}</span>
            </span>
            {one.isLimited ? (
              <Badge tone="error">{WORDS.limited}</Badge>
            ) : (
              !isOff && (
                <span className="text-muted text-sm">
                  {one.graceUntil === null ? WORDS.untold : `${WORDS.until} ${dayOf(one.graceUntil)}`}
                </span>
              )
            )}
            {!isOff && (
              <Button size="small" variant="secondary" onClick={() => setGiven(one)}>
                {WORDS.days}
              </Button>
            )}
          </Row>
        ))}
      </Rows>
      {given && <DaysDialog creator={given} onClose={() => setGiven(null)} />}
    </Card>
  );
}

function DaysDialog({ creator, onClose }: { creator: Money['over'][number]; onClose: () => void }) {
  const form = useApiForm({
    endpoint: adminGiveDays,
    schema: adminGiveDays.body,
    defaultValues: { reason: '' },
    request: (body) => ({ params: { adminCreatorId: creator.creatorId }, body }),
    ...{ refreshes, successToast: true, onSuccess: onClose },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={WORDS.daysTitle(creator.handle)}>
      <FormFrame form={form} submitLabel={WORDS.days} actions={<Cancel onClick={onClose} />}>
        <TextField form={form} name="reason" label={WORDS.reason} maxLength={500} autoComplete="off" />
      </FormFrame>
    </Dialog>
  );
}

function Plans({ plans }: Pick<Money, 'plans'>) {
  const [edited, setEdited] = useState<Plan | null>(null);
  const [moved, setMoved] = useState<Move | null>(null);
  return (
    <Card title={WORDS.plans}>
      <Rows none="">
        {plans.map((plan) => (
          <Row key={plan.planId}>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {plan.name}
                {!plan.isOnSale && <Badge tone="neutral">{WORDS.notOnSale}</Badge>}
              </p>
              <p className="text-muted text-sm">{pricesOf(plan) || 'Free'}</p>
              {plan.payers.map((payers) => (
                <Payers key={`${payers.interval} ${payers.cents}`} plan={plan} payers={payers} onMove={setMoved} />
              ))}
            </div>
            {pricesOf(plan) !== '' && (
              <Button size="small" variant="secondary" onClick={() => setEdited(plan)}>
                {WORDS.edit}
                <span className="sr-only"> {plan.name}</span>
              </Button>
            )}
          </Row>
        ))}
      </Rows>
      {edited && <PlanDialog plan={edited} onClose={() => setEdited(null)} />}
      {moved && <MoveDialog {...moved} onClose={() => setMoved(null)} />}
    </Card>
  );
}

type Move = { plan: Plan; payers: Plan['payers'][number]; toCents: number };

function Payers({
  plan,
  payers,
  onMove,
}: Pick<Move, 'plan' | 'payers'> & {
  onMove: (move: Move) => void;
}) {
  const { cents, interval, creators, told } = payers;
  const toCents = plan[interval];
  const mayMove = plan.isOnSale && toCents !== null && toCents !== cents && told < creators;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {WORDS.payers(creators, dollars(cents), interval)}
      {told > 0 && <Badge tone="neutral">{WORDS.told(told)}</Badge>}
      {mayMove && (
        <Button size="small" variant="quiet" onClick={() => onMove({ plan, payers, toCents })}>
          {WORDS.move(dollars(toCents))}
        </Button>
      )}
    </p>
  );
}

function MoveDialog({ plan, payers, toCents, onClose }: Move & { onClose: () => void }) {
  const { cents, interval, creators, told } = payers;
  const move = useEndpointMutation(adminMovePayers, { refreshes, onSuccess: onClose });
  const day = dayOf(movesFrom(new Date()).toISOString());
  return (
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={WORDS.moveTitle(creators - told, dollars(toCents))}
      description={WORDS.moveSays(dollars(cents), dollars(toCents), interval, day)}
      keep={WORDS.cancel}
      act={WORDS.moveNow}
      busy={move.isPending}
      onAct={() => move.mutate({ params: { planId: plan.planId }, body: { interval, cents, toCents } })}
    />
  );
}

function pricesOf({ month, year, trialDays }: Plan): string {
  return [
    month !== null && `${dollars(month)} a month`,
    year !== null && `${dollars(year)} a year`,
    trialDays > 0 && WORDS.trialDays(trialDays),
  ]
    .filter(Boolean)
    .join(' · ');
}

const Amount = z.string().check(z.regex(/^(\d{1,5}(\.\d\d)?)?$/, 'Enter an amount, as in 29 or 29.00.'));
const PlanForm = z.object({
  ...{ month: Amount, year: Amount, isOnSale: z.boolean() },
  trialDays: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(90)),
});

function PlanDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const typed = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(2));
  const form = useApiForm({
    endpoint: adminChangePlan,
    schema: PlanForm,
    defaultValues: {
      ...{ month: typed(plan.month), year: typed(plan.year), trialDays: plan.trialDays, isOnSale: plan.isOnSale },
    },
    request: ({ month, year, ...rest }) => ({
      params: { planId: plan.planId },
      body: { ...rest, month: centsOf(month), year: centsOf(year) },
    }),
    ...{ refreshes, successToast: true, onSuccess: onClose },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={WORDS.editTitle(plan.name)}>
      <div className="text-muted">
        {plan.payers.length === 0
          ? WORDS.nobody
          : plan.payers.map(({ cents, interval, creators }) => (
              <p key={`${interval} ${cents}`}>{WORDS.keeps(creators, dollars(cents), interval)}</p>
            ))}
      </div>
      <FormFrame form={form} submitLabel={WORDS.save} actions={<Cancel onClick={onClose} />}>
        <TextField form={form} name="month" label={WORDS.month} hint={WORDS.priceHint} inputMode="decimal" />
        <TextField form={form} name="year" label={WORDS.year} hint={WORDS.priceHint} inputMode="decimal" />
        <TextField form={form} name="trialDays" label={WORDS.trial} inputMode="numeric" />
        <Checkbox label={WORDS.onSale} {...form.register('isOnSale')} />
      </FormFrame>
    </Dialog>
  );
}

function centsOf(typed: string): number | null {
  return typed === '' ? null : Math.round(Number(typed) * 100);
}

function Cancel({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="quiet" onClick={onClick}>
      {WORDS.cancel}
    </Button>
  );
}

function Rows({ none, children }: { none: string; children: ReactNode[] }) {
  if (children.length === 0) return <p className="text-muted">{none}</p>;
  return <ul className="flex flex-col">{children}</ul>;
}

function Row({ children }: { children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      {children}
    </li>
  );
}
