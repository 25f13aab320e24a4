import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { getCheckout, startCheckout } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { CheckoutState } from '#contract/plans.ts';
import { mayDo } from '#contract/roles.ts';
import { getMe } from '#contract/session.ts';
import { getBillingEmail, listPlans } from '#contract/settings.ts';
import { type Interval, type PlanOffer, planOffers } from '#web/features/plans/plan-offers.ts';
import { CHECKOUT, PLANS, RETURNED } from '#web/features/plans/words.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { refresh, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Before paying, `?plan=…&interval=…`; after it, `?session_id=…`, as Stripe's page leads back. */
export function Component() {
  const { role, billing } = useCreator();
  const [search, setSearch] = useSearchParams();
  // Gone from the address once it is known: going back or loading again asks for nothing.
  const [sessionId] = useState(search.get('session_id'));
  const plan = search.get('plan');
  const isOwner = role !== null && mayDo(role, 'billing');
  const isOff = !billing || billing.mode === 'off';
  return (
    <div className="mx-auto max-w-xl">
      <PageHeader title={CHECKOUT.title} description={<TextLink to={paths.planUpgrade}>{CHECKOUT.others}</TextLink>} />
      {isOff ? (
        <Alert title={PLANS.off}>{PLANS.offSays}</Alert>
      ) : !isOwner ? (
        <p className="text-muted">{PLANS.onlyOwners}</p>
      ) : sessionId !== null ? (
        <Returned sessionId={sessionId} onKnown={() => setSearch({}, { replace: true })} />
      ) : plan === null ? (
        <ChooseFirst />
      ) : (
        <Review planId={plan} interval={search.get('interval') === 'year' ? 'year' : 'month'} />
      )}
    </div>
  );
}

function ChooseFirst() {
  return (
    <EmptyState
      title={CHECKOUT.chooseFirst}
      action={<ButtonLink to={paths.planUpgrade}>{CHECKOUT.others}</ButtonLink>}
    />
  );
}

function Review({ planId, interval }: { planId: string; interval: Interval }) {
  const { subscription } = useCreator();
  const plans = useEndpoint(listPlans, {});
  return (
    <Loaded query={plans} loading={CHECKOUT.loading} failed={CHECKOUT.failed} skeleton={<Skeleton className="h-96" />}>
      {({ items }) => {
        const offers = planOffers(items, interval, subscription?.plan.productId ?? null);
        const offer = offers.find(({ productId }) => productId === planId);
        if (offer?.price == null || offer.price === 'Free') return <ChooseFirst />;
        return <ReviewCard offer={offer} price={offer.price} interval={interval} />;
      }}
    </Loaded>
  );
}

function ReviewCard({ offer, price, interval }: { offer: PlanOffer; price: string; interval: Interval }) {
  const { creatorId, billing } = useCreator();
  const isTrial = offer.trialDays > 0 && (billing?.mayTry ?? false);
  const email = useEndpoint(getBillingEmail, { params: { creatorId } });
  const start = useEndpointMutation(startCheckout, {
    ...{ successToast: false, errorToast: false },
    onSuccess: ({ url }) => {
      window.location.assign(url);
    },
  });
  const facts = [
    [CHECKOUT.today, isTrial ? CHECKOUT.todayFree(offer.trialDays) : CHECKOUT.price(price)],
    [CHECKOUT.later, CHECKOUT.laterSays(price, interval)],
    [CHECKOUT.invoices, email.data?.email ?? '…'],
    [CHECKOUT.cancel, CHECKOUT.cancelSays],
  ] as const;
  return (
    <Card title={offer.name}>
      <div className="flex flex-col gap-5">
        <p className="text-muted">{offer.tagline}</p>
        <dl className="flex flex-col gap-3">
          {facts.map(([name, says]) => (
            <div key={name} className="flex flex-col border-line border-b pb-3 last:border-b-0">
              <dt className="text-muted text-sm">{name}</dt>
              <dd className="wrap-anywhere">{says}</dd>
            </div>
          ))}
        </dl>
        {billing?.mode === 'play' && <Alert>{CHECKOUT.play}</Alert>}
        {start.error !== null && <Alert variant="error">{start.error.message}</Alert>}
        <div className="flex flex-col gap-2">
          <Button
            busy={start.isPending || start.isSuccess}
            onClick={() => start.mutate({ params: { creatorId }, body: { planId: offer.productId, interval } })}
          >
            {(isTrial ? CHECKOUT.subscribeLater : CHECKOUT.subscribe)(price, interval)}
          </Button>
          <p className="text-center text-muted text-sm">{CHECKOUT.next}</p>
        </div>
      </div>
    </Card>
  );
}

/** Nothing more becomes of these by waiting. */
const KNOWN: CheckoutState[] = ['paid', 'trial', 'processing', 'open', 'expired'];
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 16_000;

function Returned({ sessionId, onKnown }: { sessionId: string; onKnown: () => void }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const asked = useEndpoint(
    getCheckout,
    { params: { creatorId, stripeSessionId: sessionId } },
    {
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        data !== undefined && KNOWN.includes(data.state)
          ? false
          : Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, dataUpdateCount - 1), LONGEST_PAUSE_MS),
    },
  );
  const state = asked.data?.state;
  const isKnown = state !== undefined && KNOWN.includes(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known
  useEffect(() => {
    if (!isKnown) return;
    onKnown();
    void refresh(client, getMe);
  }, [isKnown]);
  return (
    <Loaded
      query={asked}
      loading={CHECKOUT.asking}
      failed={CHECKOUT.askFailed}
      skeleton={<Skeleton className="h-48" />}
    >
      {(answer) => <Outcome {...answer} />}
    </Loaded>
  );
}

function Outcome({ state, plan, url }: ResponseOf<typeof getCheckout>) {
  const { title, says } = RETURNED[state];
  const isWaiting = state === 'checking' || state === 'unreachable';
  return (
    <Card title={title} aside={isWaiting ? <Spinner size="small" /> : undefined}>
      <p role="status">{says(plan)}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        {url !== null && <Button onClick={() => window.location.assign(url)}>{CHECKOUT.goOn}</Button>}
        {(state === 'paid' || state === 'trial' || state === 'processing') && (
          <>
            <ButtonLink to={paths.home}>{CHECKOUT.home}</ButtonLink>
            <ButtonLink to={settingsPath('plan')} variant="secondary">
              {CHECKOUT.plan}
            </ButtonLink>
          </>
        )}
        {state === 'expired' && <ButtonLink to={paths.planUpgrade}>{CHECKOUT.others}</ButtonLink>}
      </div>
    </Card>
  );
}
