import { ShieldCheck } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listVisits } from '#contract/settings.ts';
import { visitWords } from '#web/features/settings/visit-words.ts';
import { VISITS_PANEL } from '#web/features/settings/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Visit = ResponseOf<typeof listVisits>['items'][number];

/** Who of support was in this account, when, and the reason they gave. */
export function VisitsPanel() {
  const { creatorId } = useCreator();
  const visits = useEndpoint(listVisits, { params: { creatorId } });
  return (
    <Card title={VISITS_PANEL.supportVisits} description={VISITS_PANEL.supportCanEnterFor}>
      <Loaded
        query={visits}
        loading={VISITS_PANEL.loadingTheVisits}
        failed={VISITS_PANEL.couldntLoadTheVisits}
        skeleton={
          <div className="flex flex-col gap-3">
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
          </div>
        }
      >
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<ShieldCheck className="size-7" />} title={VISITS_PANEL.noSupportVisitsYet}>
              {VISITS_PANEL.ifSomeoneSignsIn}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {items.map((visit) => (
                <VisitRow key={visit.id} visit={visit} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function VisitRow({ visit }: { visit: Visit }) {
  const words = visitWords(visit);
  return (
    <li className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{visit.adminName}</span>
        {visit.endedAt === null && <Badge tone="warning">{VISITS_PANEL.signedInNow}</Badge>}
        <time dateTime={visit.startedAt} className="text-muted text-sm">
          {words.when}
        </time>
      </p>
      <p className="break-words">{visit.reason}</p>
      <p className="text-muted text-sm">{words.did}</p>
    </li>
  );
}
