import { FileText } from 'lucide-react';
import { listInvoices } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { dollars } from '#contract/plans.ts';
import { INVOICES } from '#web/features/plans/words.ts';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Invoice = ResponseOf<typeof listInvoices>['items'][number];

const TONES = { open: 'warning', paid: 'accent', uncollectible: 'error', void: 'neutral' } as const;

/** @param firstAt when the first one comes, where it is known */
export function Invoices({ firstAt }: { firstAt: string | null }) {
  const { creatorId } = useCreator();
  const invoices = useEndpointPages(listInvoices, { params: { creatorId }, query: {} });
  return (
    <Card title={INVOICES.title}>
      <PagedList
        query={invoices}
        loading={INVOICES.loading}
        failed={INVOICES.failed}
        skeleton={<Skeleton className="h-28" />}
        more={INVOICES.more}
        empty={<p className="text-muted">{firstAt === null ? INVOICES.none : INVOICES.first(dayOf(firstAt))}</p>}
      >
        {(items) => (
          <ul className="flex flex-col">
            {items.map((invoice) => (
              <InvoiceRow key={invoice.id} {...invoice} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}

function InvoiceRow({ at, number, says, totalCents, taxCents, status, payUrl, pdfUrl }: Invoice) {
  return (
    <li className="flex items-center justify-between gap-x-4 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{dayOf(at)}</span>
          <span className="tabular-nums">{dollars(totalCents)}</span>
          {taxCents !== 0 && <span className="text-muted text-sm">{INVOICES.withTax(dollars(taxCents))}</span>}
          <Badge tone={TONES[status]}>{INVOICES.status[status]}</Badge>
        </p>
        <p className="wrap-anywhere text-muted text-sm">{[says, number].filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex shrink-0 flex-col gap-2 sm:flex-row">
        {payUrl !== null && (
          <LinkButton href={payUrl} variant="secondary" size="small">
            {INVOICES.pay}
          </LinkButton>
        )}
        {pdfUrl !== null && (
          <LinkButton href={pdfUrl} variant="quiet" size="small" target="_blank" rel="noopener">
            <FileText aria-hidden="true" className="size-4" />
            {INVOICES.pdf}
            <span className="sr-only"> {number}</span>
          </LinkButton>
        )}
      </div>
    </li>
  );
}
