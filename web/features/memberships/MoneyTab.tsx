import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { amountLabel } from '#contract/amounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getMembersMoney, listMoneyLines, MONEY_FIGURES, type MoneyFigure } from '#contract/members-money.ts';
import { MoneyCsv } from '#web/features/figures/CsvButtons.tsx';
import { MONEY } from '#web/features/memberships/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { dayOf, fullMomentOf } from '#web/ui/moment.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Money = ResponseOf<typeof getMembersMoney>;
type Month = Money['months'][number];
type Opened = { month: Month; figure: MoneyFigure };

/** Whose money it is, by month: each figure opens the lines that it is the sum of. */
export function MoneyTab() {
  const { creatorId } = useCreator();
  const money = useEndpoint(getMembersMoney, { params: { creatorId } });
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <>
      <Loaded query={money} loading={MONEY.loading} failed={MONEY.failed} skeleton={<Skeleton className="h-64" />}>
        {(data) =>
          data.months.length === 0 ? (
            <Card>
              <EmptyState icon={<Wallet className="size-7" />} title={MONEY.none}>
                {MONEY.noneSays}
              </EmptyState>
            </Card>
          ) : (
            <div className="flex flex-col gap-5">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <AddsUp {...data} />
                <MoneyCsv />
              </div>
              <Disputes disputes={data.disputes} />
              {data.months.map((month) => (
                <MonthCard
                  key={`${month.month} ${month.currency}`}
                  month={month}
                  onOpen={(figure) => setOpened({ month, figure })}
                />
              ))}
              <Payouts payouts={data.payouts} />
              {data.taxUrl !== null && (
                <a className="inline-flex min-h-11 items-center self-start underline" href={data.taxUrl}>
                  {MONEY.taxes}
                </a>
              )}
            </div>
          )
        }
      </Loaded>
      {opened && <Lines {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function AddsUp({ checkedAt, differences, differsSince, balance }: Money) {
  const inStripe = balance.map(({ amount, currency }) => amountLabel(amount, currency)).join(' + ');
  if (differences.length > 0) {
    const missing = differences.map(({ amount, currency }) => amountLabel(amount, currency)).join(', ');
    const since = differsSince && fullMomentOf(Date.parse(differsSince));
    return <Alert variant="warning">{MONEY.differs(missing, since)}</Alert>;
  }
  return (
    <p className="text-muted">
      {MONEY.addsUp}
      {checkedAt !== null && (
        <>
          , <RelativeTime at={checkedAt} />
        </>
      )}
      . {MONEY.inStripe(inStripe)}
    </p>
  );
}

function MonthCard({ month, onOpen }: { month: Month; onOpen: (figure: MoneyFigure) => void }) {
  return (
    <Card title={`${monthLabel(month.month)}, ${month.currency.toUpperCase()}`}>
      <dl className="flex flex-col">
        {MONEY_FIGURES.filter((figure) => month[figure] !== 0 || figure === 'net').map((figure) => (
          <div key={figure} className="flex items-center justify-between gap-4 border-line border-b last:border-b-0">
            <dt className={figure === 'net' ? 'font-semibold' : ''}>{MONEY.figures[figure]}</dt>
            <dd>
              <button
                type="button"
                className="min-h-11 font-medium tabular-nums hover:underline"
                onClick={() => onOpen(figure)}
              >
                <span className="sr-only">{MONEY.open(MONEY.figures[figure])}</span>
                {amountLabel(month[figure], month.currency)}
              </button>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function monthLabel(month: string): string {
  const day = new Date(`${month}-15T00:00:00Z`);
  return day.toLocaleDateString('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });
}

function Lines({ month, figure, onClose }: Opened & { onClose: () => void }) {
  const { creatorId } = useCreator();
  const lines = useEndpointPages(listMoneyLines, {
    params: { creatorId },
    query: { month: month.month, currency: month.currency, figure },
  });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={MONEY.figures[figure]}
      description={`${monthLabel(month.month)}: ${amountLabel(month[figure], month.currency)}`}
    >
      <PagedList
        query={lines}
        loading={MONEY.loading}
        failed={MONEY.failed}
        skeleton={<Skeleton className="h-64" />}
        empty={<p className="text-muted">{MONEY.noLines}</p>}
      >
        {(items) => (
          <ul className="flex flex-col">
            {items.map(({ id, at, category, amount, fee, net, email }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 border-line border-b py-3 last:border-b-0">
                <span className="min-w-0">
                  <bdi className="wrap-anywhere block">{email ?? MONEY.category(category)}</bdi>
                  <span className="block text-muted text-sm">
                    {[email !== null && MONEY.category(category), dayOf(at)].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className="ml-auto text-right tabular-nums">
                  {amountLabel(amount, month.currency)}
                  {fee !== 0 && (
                    <span className="block text-muted text-sm">
                      {MONEY.fees(amountLabel(fee, month.currency), amountLabel(net, month.currency))}
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Sheet>
  );
}

function Disputes({ disputes }: Pick<Money, 'disputes'>) {
  if (disputes.length === 0) return null;
  return (
    <Card title={MONEY.disputes} description={MONEY.disputesSay}>
      <ul className="flex flex-col">
        {disputes.map(({ id, amount, currency, reason, email, answerBy, url }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-medium tabular-nums">
                {amountLabel(amount, currency)} {email !== null && <bdi className="wrap-anywhere">{email}</bdi>}
              </span>
              <span className="block text-muted text-sm">
                {answerBy === null ? MONEY.bankDecides : MONEY.answerBy(dayOf(answerBy))} {MONEY.reason(reason)}
              </span>
            </span>
            {url !== null && (
              <a className="inline-flex min-h-11 items-center underline" href={url}>
                {MONEY.answer}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Payouts({ payouts }: Pick<Money, 'payouts'>) {
  if (payouts.length === 0) return null;
  return (
    <Card title={MONEY.payouts}>
      <ul className="flex flex-col">
        {payouts.map(({ id, amount, currency, status, arrivesAt, failure }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-medium tabular-nums">{amountLabel(amount, currency)}</span>
              <span className="block text-muted text-sm">{failure ?? dayOf(arrivesAt)}</span>
            </span>
            <Badge tone={status === 'failed' ? 'error' : status === 'paid' ? 'accent' : 'neutral'}>
              {MONEY.payoutStates[status]}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}
