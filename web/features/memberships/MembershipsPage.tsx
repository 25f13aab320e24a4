import { Ticket } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { amountLabel } from '#contract/amounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getLocks } from '#contract/locks.ts';
import { getMemberFigures, LEAVING_REASONS } from '#contract/members.ts';
import { mayDo } from '#contract/roles.ts';
import {
  ACCOUNT_STATES,
  checkStripeAccount,
  connectStripeAccount,
  getStripeAccount,
  linkStripeAccount,
  type StripeAccount,
} from '#contract/stripe-account.ts';
import { listTiers } from '#contract/tiers.ts';
import { LocksTab, Proof } from '#web/features/memberships/LocksTab.tsx';
import { MembersTab } from '#web/features/memberships/MembersTab.tsx';
import { MoneyTab } from '#web/features/memberships/MoneyTab.tsx';
import { SettingsTab } from '#web/features/memberships/SettingsTab.tsx';
import { TiersTab } from '#web/features/memberships/TiersTab.tsx';
import { ACCOUNT, FIGURES, MEMBERSHIPS, STEPS, TIERS } from '#web/features/memberships/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { StepList } from '#web/ui/StepList.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

const TABS = ['overview', 'members', 'tiers', 'locks', 'money', 'settings'] as const;
const OF_MONEY: readonly string[] = ['money', 'settings'];

/** Readers who pay. The tab is in the address. */
export function Component() {
  const { creatorId } = useCreator();
  const account = useEndpoint(getStripeAccount, { params: { creatorId } });
  return (
    <>
      <PageHeader title={MEMBERSHIPS.title} description={MEMBERSHIPS.says} />
      <Loaded
        query={account}
        loading={MEMBERSHIPS.loading}
        failed={MEMBERSHIPS.failed}
        skeleton={<Skeleton className="h-96" />}
      >
        {(data) =>
          data.mode === 'none' ? (
            <EmptyState icon={<Ticket className="size-7" />} title={MEMBERSHIPS.none} titleAs="h2">
              <p>{MEMBERSHIPS.noneSays}</p>
            </EmptyState>
          ) : (
            <Memberships account={data} />
          )
        }
      </Loaded>
    </>
  );
}

function Memberships({ account }: { account: StripeAccount }) {
  const [params, setParams] = useSearchParams();
  const { role } = useCreator();
  // Support and collaborators help members, and see no money.
  const tabs = TABS.filter((one) => !OF_MONEY.includes(one) || (role !== null && mayDo(role, 'money')));
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'overview';
  useStripeReturn();
  return (
    <div className="flex flex-col gap-4">
      {account.mode === 'off' && <Alert variant="warning">{MEMBERSHIPS.off}</Alert>}
      {account.mode === 'play' && <Alert>{MEMBERSHIPS.play}</Alert>}
      <Tabs
        value={tab}
        onValueChange={(value) => setParams(value === 'overview' ? {} : { tab: value }, { replace: true })}
        label={MEMBERSHIPS.title}
        tabs={tabs.map((value) => ({ value, label: MEMBERSHIPS.tabs[value] }))}
      >
        <TabPanel value="overview">
          <Overview account={account} />
        </TabPanel>
        <TabPanel value="members">
          <MembersTab />
        </TabPanel>
        <TabPanel value="tiers">
          <TiersTab />
        </TabPanel>
        <TabPanel value="locks">
          <LocksTab />
        </TabPanel>
        <TabPanel value="money">
          <MoneyTab />
        </TabPanel>
        <TabPanel value="settings">
          <SettingsTab />
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** Back from Stripe: it is asked at once. A link that was too old is followed by another one. */
function useStripeReturn() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const { mutate: check } = useEndpointMutation(checkStripeAccount, {
    refreshes: [getStripeAccount],
    successToast: false,
  });
  const { mutate: goOn } = useEndpointMutation(linkStripeAccount, {
    successToast: false,
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const stripe = params.get('stripe');
  useEffect(() => {
    if (stripe === null) return;
    setParams({}, { replace: true });
    if (stripe === 'again') goOn({ params: { creatorId } });
    else check({ params: { creatorId } });
  }, [stripe, setParams, check, goOn, creatorId]);
}

function Overview({ account }: { account: StripeAccount }) {
  const { creatorId } = useCreator();
  const tiers = useEndpoint(listTiers, { params: { creatorId } });
  const figures = useEndpoint(getMemberFigures, { params: { creatorId } });
  const isConnected = account.state !== 'none' && account.state !== 'unfinished';
  const isPriced = tiers.data?.items.some(({ isArchived }) => !isArchived) === true;
  return (
    <div className="flex flex-col gap-5">
      <Loaded query={tiers} loading={TIERS.loading} failed={TIERS.failed} skeleton={<Skeleton className="h-48" />}>
        {({ joinUrl }) => (
          <Loaded
            query={figures}
            loading={FIGURES.loading}
            failed={FIGURES.failed}
            skeleton={<Skeleton className="h-48" />}
          >
            {(data) => (
              <>
                {data.members > 0 && <Figures {...data} />}
                {!(isConnected && isPriced && data.members > 0) && (
                  <First account={account} isConnected={isConnected} isPriced={isPriced} />
                )}
                <Proof />
                {isPriced && (
                  <Card title={FIGURES.joinUrl}>
                    <div className="flex flex-wrap items-center gap-3">
                      <a className="wrap-anywhere min-w-0 flex-1 underline" href={joinUrl}>
                        {joinUrl}
                      </a>
                      <CopyButton text={joinUrl} label={FIGURES.copy} />
                    </div>
                  </Card>
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      {account.state !== 'none' && <AccountCard account={account} />}
    </div>
  );
}

function First({
  account,
  isConnected,
  isPriced,
}: {
  account: StripeAccount;
  isConnected: boolean;
  isPriced: boolean;
}) {
  const [, setParams] = useSearchParams();
  const { creatorId, role } = useCreator();
  const { data: locks } = useEndpoint(getLocks, { params: { creatorId } });
  return (
    <Card title={STEPS.title}>
      <StepList
        steps={[
          {
            ...{ id: 'connect', done: isConnected, title: STEPS.connect, says: ACCOUNT_STATES[account.state].says },
            action: account.mode !== 'off' && <GoToStripe account={account} />,
          },
          {
            ...{ id: 'price', done: isPriced, title: STEPS.price, says: STEPS.priceSays },
            action:
              role !== null && mayDo(role, 'money') ? (
                <Button onClick={() => setParams({ tab: 'tiers' })}>{STEPS.priceNow}</Button>
              ) : (
                <p className="text-muted text-sm">{STEPS.priceOwner}</p>
              ),
          },
          { id: 'lock', done: (locks?.site?.posts?.locked ?? 0) > 0, title: STEPS.lock, says: STEPS.lockSays },
        ]}
      />
    </Card>
  );
}

function GoToStripe({ account }: { account: StripeAccount }) {
  const { creatorId, role } = useCreator();
  const leave = { successToast: false, onSuccess: ({ url }: { url: string }) => window.location.assign(url) } as const;
  const connect = useEndpointMutation(connectStripeAccount, leave);
  const goOn = useEndpointMutation(linkStripeAccount, leave);
  if (!ACCOUNT_STATES[account.state].acts) return null;
  if (role === null || !mayDo(role, 'money')) return <p className="text-muted text-sm">{ACCOUNT.owner}</p>;
  const act = account.state === 'none' ? connect : goOn;
  return (
    <Button busy={act.isPending || act.isSuccess} onClick={() => act.mutate({ params: { creatorId } })}>
      {account.state === 'none' ? STEPS.connectNow : ACCOUNT.goOn}
    </Button>
  );
}

function AccountCard({ account }: { account: StripeAccount }) {
  const { creatorId } = useCreator();
  const { title, says, acts } = ACCOUNT_STATES[account.state];
  const check = useEndpointMutation(checkStripeAccount, {
    refreshes: [getStripeAccount],
    successToast: { title: ACCOUNT.checked },
  });
  const tone = account.state === 'ready' ? 'accent' : acts ? 'warning' : 'neutral';
  return (
    <Card title={ACCOUNT.title} aside={<Badge tone={tone}>{title}</Badge>}>
      <p>{says}</p>
      {account.needs.length > 0 && (
        <p className="mt-2">
          {ACCOUNT.needs(account.needs)} {account.dueAt && ACCOUNT.due(dayOf(account.dueAt))}
        </p>
      )}
      <p className="mt-2 text-muted text-sm">{ACCOUNT.fee(account.feePercent)}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <GoToStripe account={account} />
        <Button variant="secondary" busy={check.isPending} onClick={() => check.mutate({ params: { creatorId } })}>
          {ACCOUNT.check}
        </Button>
      </div>
    </Card>
  );
}

function Figures({
  members,
  paying,
  joined,
  joinedByPassing,
  left,
  late,
  leftBecause,
  monthly,
}: ResponseOf<typeof getMemberFigures>) {
  return (
    <Card title={FIGURES.title}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-5">
        <Figure label={FIGURES.members} value={members} />
        <Figure label={FIGURES.paying} value={paying} />
        <Figure
          label={FIGURES.joined}
          value={joined}
          hint={joinedByPassing > 0 && FIGURES.byPassing(joinedByPassing)}
        />
        <Figure label={FIGURES.left} value={left} />
        <Figure label={FIGURES.late} value={late} />
      </dl>
      {leftBecause.length > 0 && (
        <p className="mt-4 text-muted">
          {FIGURES.leftBecause}:{' '}
          {leftBecause.map(({ reason, members: many }) => `${LEAVING_REASONS[reason]} (${numerals(many)})`).join(', ')}
        </p>
      )}
      {monthly.length > 0 && (
        <p className="mt-4 text-muted">
          {FIGURES.monthly}: {monthly.map(({ amount, currency }) => amountLabel(amount, currency)).join(' + ')}
        </p>
      )}
    </Card>
  );
}
