import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { adminGetOperations } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { jobWords, laneWords, workerState } from '#web/features/admin/operation-words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Operations = ResponseOf<typeof adminGetOperations>;

const NUMBER = new Intl.NumberFormat('en');
const REFRESH_MS = 15_000;

/** What waits, what is closed and what failed, over all creators; renews itself. */
export function Component() {
  const operations = useEndpoint(adminGetOperations, {}, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader
        title="Operations"
        actions={
          <Button variant="secondary" busy={operations.isFetching} onClick={() => operations.refetch()}>
            {!operations.isFetching && <RotateCw aria-hidden="true" className="size-4" />}
            Refresh
          </Button>
        }
      />
      <Loaded
        query={operations}
        loading="Loading the operations"
        failed="The operations could not be loaded"
        skeleton={
          <div className="flex flex-col gap-5">
            <Skeleton className="h-28" />
            <Skeleton className="h-52" />
            <Skeleton className="h-52" />
          </div>
        }
      >
        {(data) => (
          <div className="flex flex-col gap-5">
            {operations.isError && (
              <p role="alert" className="text-error-ink">
                These figures are not fresh: {operations.error.detail}
              </p>
            )}
            <Totals operations={data} />
            <Lanes lanes={data.lanes} />
            <div className="grid items-start gap-5 md:grid-cols-2">
              <Workers workers={data.workers} />
              <Jobs jobs={data.jobs} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Totals({ operations: { eventLog, mails } }: { operations: Operations }) {
  return (
    <Card title="Events and mails">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Figure
          label="Events waiting"
          value={eventLog.waiting}
          hint={
            eventLog.oldest && (
              <>
                oldest <RelativeTime at={eventLog.oldest} />
              </>
            )
          }
        />
        <Figure label="Events parked" value={eventLog.parked} hint={eventLog.parked > 0 && 'failed again and again'} />
        <Figure label="Mails waiting" value={mails.waiting} />
        <Figure label="Mails failed" value={mails.failed} />
      </dl>
    </Card>
  );
}

function Lanes({ lanes }: { lanes: Operations['lanes'] }) {
  const now = useNow();
  return (
    <Card title="Lanes" description="Per account and kind of message: what waits, and what is closed.">
      {lanes.length === 0 ? (
        <p className="text-muted">Nothing waits and no lane is closed.</p>
      ) : (
        <Rows>
          {lanes.map((lane) => {
            const { closed, reason } = laneWords(lane, now);
            return (
              <Row key={`${lane.connectionId} ${lane.lane}`}>
                <span className="min-w-0 flex-1 basis-48">
                  <TextLink
                    className="break-words"
                    to={`${paths.admin}?${new URLSearchParams({ search: lane.handle })}`}
                  >
                    @{lane.handle}
                  </TextLink>
                  <span className="block break-words text-muted">
                    {lane.username}, {lane.lane.replaceAll('_', ' ')}
                  </span>
                </span>
                <span className="tabular-nums">
                  {NUMBER.format(lane.waiting)} waiting
                  {lane.oldest && (
                    <span className="block text-muted">
                      oldest <RelativeTime at={lane.oldest} />
                    </span>
                  )}
                </span>
                {closed && lane.closedUntil && (
                  <Badge tone="warning">
                    Opens <RelativeTime at={lane.closedUntil} />
                  </Badge>
                )}
                {closed && reason && <span className="basis-full break-words text-muted">{reason}</span>}
              </Row>
            );
          })}
        </Rows>
      )}
    </Card>
  );
}

function Workers({ workers }: { workers: Operations['workers'] }) {
  const now = useNow();
  const running = workers.some((worker) => workerState(worker, now).label === 'Running');
  return (
    <Card title="Workers">
      {!running && <p className="mb-2 text-error-ink">No worker is running: nothing is answered.</p>}
      {workers.length > 0 && (
        <Rows>
          {workers.map((worker) => {
            const state = workerState(worker, now);
            return (
              <Row key={worker.workerId}>
                <span className="min-w-0 flex-1 break-all font-mono text-xs">{worker.workerId}</span>
                <span className="tabular-nums">{NUMBER.format(worker.shards)} shards</span>
                <Badge tone={state.tone}>{state.label}</Badge>
                <span className="basis-full text-muted">
                  last seen <RelativeTime at={worker.seenAt} />
                </span>
              </Row>
            );
          })}
        </Rows>
      )}
    </Card>
  );
}

function Jobs({ jobs }: { jobs: Operations['jobs'] }) {
  return (
    <Card title="Jobs">
      {jobs.length === 0 ? (
        <p className="text-muted">No job is planned.</p>
      ) : (
        <Rows>
          {jobs.map((job) => (
            <Row key={job.name}>
              <span className="min-w-0 flex-1 break-words">{jobWords(job.name)}</span>
              <RelativeTime at={job.nextAt} className="text-muted" />
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line text-sm">{children}</ul>;
}

function Row({ children }: { children: ReactNode }) {
  return <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0">{children}</li>;
}
