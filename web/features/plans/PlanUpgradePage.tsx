import { Check } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { previewPlanChange } from '#contract/billing.ts';
import { dollars, FREE_PLAN_FOLLOWER_LIMIT, isInHouse, needsUpgrade } from '#contract/plans.ts';
import { mayDo } from '#contract/roles.ts';
import type { Me } from '#contract/session.ts';
import { listPlans } from '#contract/settings.ts';
import { ChangeDialog } from '#web/features/plans/ChangeDialog.tsx';
import { limitWords } from '#web/features/plans/limit-words.ts';
import { type Interval, intervalWords, type PlanOffer, planOffers } from '#web/features/plans/plan-offers.ts';
import { PLANS } from '#web/features/plans/words.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { numerals } from '#web/ui/numerals.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Prices and contents of plans, beside the one in use. `?interval=year` shows yearly prices. */
export function Component() {
  const { role, billing } = useCreator();
  return (
    <div className="mx-auto max-w-5xl">
      <PageHeader title="Plans" description={<TextLink to={settingsPath('plan')}>Back to plan and billing</TextLink>} />
      {billing?.mode === 'off' ? (
        <Alert title={PLANS.off}>{PLANS.offSays}</Alert>
      ) : role !== null && mayDo(role, 'billing') ? (
        <Plans />
      ) : (
        <p className="text-muted">{PLANS.onlyOwners}</p>
      )}
    </div>
  );
}

function Plans() {
  const { subscription, billing } = useCreator();
  const first = billing && whatComesFirst(billing);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('interval') ?? subscription?.interval;
  const interval: Interval = wanted === 'year' ? 'year' : 'month';
  const plans = useEndpoint(listPlans, {});
  return (
    <div className="flex flex-col gap-5">
      <FollowersLine />
      {first && (
        <Alert
          variant="warning"
          action={
            <ButtonLink to={settingsPath('plan')} variant="secondary">
              {PLANS.settings}
            </ButtonLink>
          }
        >
          {PLANS.first[first]}
        </Alert>
      )}
      <IntervalChoice
        interval={interval}
        onInterval={(next) => setSearch({ interval: next }, { replace: true, preventScrollReset: true })}
      />
      <Loaded
        query={plans}
        loading="Loading the plans"
        failed="Couldn’t load the plans"
        skeleton={
          <div className="grid gap-4 md:grid-cols-3">
            <Skeleton className="h-72" />
            <Skeleton className="h-72" />
            <Skeleton className="h-72" />
          </div>
        }
      >
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No plans yet">
              The people who run this Creator HQ haven’t set up any plans. Everything works without one.
            </EmptyState>
          ) : (
            <ul className="grid gap-4 md:grid-cols-3">
              {planOffers(items, interval, subscription?.plan.productId ?? null).map((offer) => (
                <OfferCard key={offer.productId} offer={offer} interval={interval} canBuy={first === null} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

type Billing = NonNullable<Me['billing']>;

/** Before another plan is chosen. */
function whatComesFirst({ standing, payNeeded, nextPlan }: Billing): keyof typeof PLANS.first | null {
  if (payNeeded !== null || standing === 'late' || standing === 'lapsed' || standing === 'paused') return 'due';
  if (standing === 'ending') return 'ending';
  return nextPlan === null ? null : 'planned';
}

/** Instagram and Facebook together against what the free plan is for. */
function FollowersLine() {
  const { creatorAccount, subscription, billing } = useCreator();
  const { instagramFollowersCount, facebookFollowersCount } = creatorAccount;
  const limit = numerals(FREE_PLAN_FOLLOWER_LIMIT);
  if (instagramFollowersCount === null && facebookFollowersCount === null) {
    return <p>The free plan is for creators with under {limit} followers. You haven’t connected an account yet.</p>;
  }
  const followers = (instagramFollowersCount ?? 0) + (facebookFollowersCount ?? 0);
  const share = Math.min(100, Math.round((followers / FREE_PLAN_FOLLOWER_LIMIT) * 100));
  const over = needsUpgrade({ isFree: subscription?.isFree ?? true, followers });
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4 shadow-card">
      <p>
        You have <strong className="tabular-nums">{numerals(followers)}</strong> followers on Instagram and Facebook
        combined. The free plan is for creators with under {limit}
        {over ? '; you need another plan.' : '.'} {billing && limitWords(billing.limit)}
      </p>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-sm bg-sunken">
        <div className={cx('h-full rounded-sm', over ? 'bg-error' : 'bg-accent')} style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

const INTERVALS: { value: Interval; label: string }[] = [
  { value: 'month', label: 'Monthly' },
  { value: 'year', label: 'Yearly' },
];

function IntervalChoice({ interval, onInterval }: { interval: Interval; onInterval: (interval: Interval) => void }) {
  return (
    <fieldset className="flex w-fit gap-1 rounded-md border border-line bg-sunken p-1">
      <legend className="sr-only">Billing</legend>
      {INTERVALS.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-11 cursor-pointer items-center rounded-sm px-4 font-medium text-muted has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-checked:shadow-card md:min-h-9"
        >
          <input
            type="radio"
            name="interval"
            value={value}
            checked={interval === value}
            className="sr-only"
            onChange={() => onInterval(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function OfferCard({ offer, interval, canBuy }: { offer: PlanOffer; interval: Interval; canBuy: boolean }) {
  const mayTry = useCreator().billing?.mayTry ?? false;
  return (
    <li
      aria-current={offer.current || undefined}
      className={cx(
        'flex flex-col gap-3 rounded-lg border bg-surface p-5 shadow-card',
        offer.current ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <h2 className="font-semibold text-lg">{offer.name}</h2>
        {offer.current && <Badge tone="accent">Your plan</Badge>}
      </div>
      <p>
        {offer.price === null ? (
          <span className="text-muted">Not available by the {interval}</span>
        ) : (
          <>
            <span className="font-semibold text-2xl tabular-nums">{offer.price}</span>
            {offer.price !== 'Free' && <span className="text-muted"> {intervalWords(interval)}</span>}
          </>
        )}
        {mayTry && offer.trialDays > 0 && (
          <span className="block text-accent-ink text-sm">{PLANS.trial(offer.trialDays)}</span>
        )}
        {offer.savedCents !== null && (
          <span className="block text-accent-ink text-sm">{dollars(offer.savedCents)} less than 12 months</span>
        )}
      </p>
      <p className="text-muted">{offer.tagline}</p>
      <ul className="flex flex-col gap-2">
        {offer.features.map((feature) => (
          <li key={feature} className="flex items-start gap-2">
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-ink" />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      {canBuy && offer.price !== null && offer.price !== 'Free' && <ChooseButton offer={offer} interval={interval} />}
    </li>
  );
}

/** To the checkout; where a plan is paid already, to what a change costs. */
function ChooseButton({ offer, interval }: { offer: PlanOffer; interval: Interval }) {
  const { creatorId, subscription } = useCreator();
  const preview = useEndpointMutation(previewPlanChange, { successToast: false });
  if (subscription === null || isInHouse(subscription)) {
    return (
      <ButtonLink
        to={`${paths.checkout}?${new URLSearchParams({ plan: offer.productId, interval })}`}
        variant="secondary"
        className="mt-auto"
      >
        {PLANS.choose(offer.name)}
      </ButtonLink>
    );
  }
  if (offer.current && subscription.interval === interval) return null;
  const body = { planId: offer.productId, interval };
  return (
    <>
      <Button
        variant="secondary"
        className="mt-auto"
        busy={preview.isPending}
        onClick={() => preview.mutate({ params: { creatorId }, body })}
      >
        {PLANS.change(offer.name)}
      </Button>
      {preview.data && <ChangeDialog plan={offer.name} preview={preview.data} onClose={preview.reset} />}
    </>
  );
}
