import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { adminGetOperations } from '#contract/admin.ts';
import {
  gigabytes,
  jobState,
  jobWords,
  laneWords,
  lastMinute,
  megabytes,
  type Operations,
  seconds,
  troubles,
  workerState,
} from '#web/features/admin/operation-words.ts';
import { ReportedLinks } from '#web/features/admin/ReportedLinks.tsx';
import { UnsentMails } from '#web/features/admin/UnsentMails.tsx';
import { OPERATIONS_PAGE } from '#web/features/admin/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const REFRESH_MS = 15_000;

/** Waiting, closed and failed work of all creators; refreshes itself. */
export function Component() {
  const operations = useEndpoint(adminGetOperations, {}, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader
        title={OPERATIONS_PAGE.operations}
        actions={
          <Button variant="secondary" busy={operations.isFetching} onClick={() => operations.refetch()}>
            {!operations.isFetching && <RotateCw aria-hidden="true" className="size-4" />}
            {OPERATIONS_PAGE.refresh}
          </Button>
        }
      />
      <Loaded
        query={operations}
        loading={OPERATIONS_PAGE.loadingTheOperations}
        failed={OPERATIONS_PAGE.couldntLoadTheOperations}
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
                These figures are out of date: {operations.error.detail}
              </p>
            )}
            <Attention operations={data} />
            <Speed operations={data} />
            <Waiting operations={data} />
            {(data.mails.readable || data.mails.waiting > 0) && <UnsentMails readable={data.mails.readable} />}
            {data.mailChecks.length > 0 && <MailChecks checks={data.mailChecks} />}
            <ReportedLinks />
            <Failures failures={data.failures} />
            <Lanes lanes={data.lanes} />
            <div className="grid items-start gap-5 md:grid-cols-2">
              <Processes operations={data} />
              <Jobs jobs={data.jobs} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Attention({ operations }: { operations: Operations }) {
  const found = troubles(operations, useNow());
  return (
    <Card title={OPERATIONS_PAGE.needsAttention}>
      {found.length === 0 ? (
        <p className="text-muted">{OPERATIONS_PAGE.nothingRightNowWebhooks}</p>
      ) : (
        <Rows>
          {found.map(({ what, tone }) => (
            <Row key={what}>
              <Badge tone={tone}>{tone === 'error' ? OPERATIONS_PAGE.actNow : OPERATIONS_PAGE.check}</Badge>
              <span className="min-w-0 flex-1 basis-48 break-words">{what}</span>
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Speed({ operations: { processes } }: { operations: Operations }) {
  const figures = lastMinute(processes, useNow());
  const shown = (value: number | null) => (value === null ? null : seconds(value));
  const inMs = (value: number | null) => shown(value === null ? null : value / 1000);
  return (
    <Card title={OPERATIONS_PAGE.lastMinute} description={OPERATIONS_PAGE.allProcessesTogetherTimes}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Figure
          label={OPERATIONS_PAGE.webhooksReceived}
          value={figures.webhooks}
          hint={figures.refused > 0 && `${numerals(figures.refused)} refused`}
        />
        <Figure label={OPERATIONS_PAGE.acknowledgedWithin} value={inMs(figures.ackP99Ms)} />
        <Figure
          label={OPERATIONS_PAGE.metasDeliveryTime}
          value={shown(figures.ageP99Seconds)}
          hint={figures.ageP50Seconds !== null && `half within ${seconds(figures.ageP50Seconds)}`}
        />
        <Figure
          label={OPERATIONS_PAGE.callsToMeta}
          value={figures.calls}
          hint={figures.callP99Ms !== null && `answered within ${inMs(figures.callP99Ms)}`}
        />
      </dl>
    </Card>
  );
}

function Waiting({
  operations: { eventLog, queue, mails, readerMails, outgoingWebhooks },
}: {
  operations: Operations;
}) {
  const oldest = (at: string | null) =>
    at !== null && (
      <>
        oldest <RelativeTime at={at} />
      </>
    );
  return (
    <Card title={OPERATIONS_PAGE.waiting} description={OPERATIONS_PAGE.acrossAllAccountsMessages}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
        <Figure label={OPERATIONS_PAGE.events} value={eventLog.waiting} hint={oldest(eventLog.oldest)} />
        <Figure
          label={OPERATIONS_PAGE.eventsParked}
          value={eventLog.parked}
          hint={eventLog.parked > 0 && 'failed repeatedly'}
        />
        <Figure label={OPERATIONS_PAGE.emails} value={mails.waiting} hint={oldest(mails.oldest)} />
        <Figure label={OPERATIONS_PAGE.readerEmails} value={readerMails.waiting} hint={oldest(readerMails.oldest)} />
        <Figure
          label={OPERATIONS_PAGE.outgoingWebhooks}
          value={outgoingWebhooks.waiting}
          hint={oldest(outgoingWebhooks.oldest)}
        />
        {queue.map((lane) => (
          <Figure key={lane.lane} label={sentenceCase(lane.lane)} value={lane.waiting} hint={oldest(lane.oldest)} />
        ))}
      </dl>
    </Card>
  );
}

function Failures({ failures }: { failures: Operations['failures'] }) {
  return (
    <Card title={OPERATIONS_PAGE.notSentInThe} description={OPERATIONS_PAGE.byReasonAsCreators}>
      {failures.length === 0 ? (
        <p className="text-muted">{OPERATIONS_PAGE.everyMessageWasSent}</p>
      ) : (
        <Rows>
          {failures.map(({ lane, reason, says, count }) => (
            <Row key={`${lane} ${reason}`}>
              <span className="min-w-8 font-semibold tabular-nums">{numerals(count)}</span>
              <span className="min-w-0 flex-1 basis-48 break-words">
                {says}
                <span className="block text-muted">
                  {lane.replaceAll('_', ' ')}, {reason.replaceAll('_', ' ')}
                </span>
              </span>
            </Row>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Lanes({ lanes }: { lanes: Operations['lanes'] }) {
  const now = useNow();
  return (
    <Card title={OPERATIONS_PAGE.sendQueues} description={OPERATIONS_PAGE.whatsWaitingAndWhats}>
      {lanes.length === 0 ? (
        <p className="text-muted">{OPERATIONS_PAGE.nothingIsWaitingOr}</p>
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
                  {numerals(lane.waiting)} waiting
                  {lane.oldest && (
                    <span className="block text-muted">
                      oldest <RelativeTime at={lane.oldest} />
                    </span>
                  )}
                </span>
                {closed && lane.closedUntil && (
                  <Badge tone="warning">
                    Resumes <RelativeTime at={lane.closedUntil} />
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

function Processes({ operations: { processes, workers } }: { operations: Operations }) {
  const now = useNow();
  const silent = workers.filter((worker) => workerState(worker, now).label === 'Silent');
  return (
    <Card title={OPERATIONS_PAGE.processes}>
      {processes.length === 0 && <p className="text-muted">{OPERATIONS_PAGE.noProcessHasReported}</p>}
      <Rows>
        {processes.map((each) => {
          const state = workerState(each, now);
          const { pools, lastMinute: figures } = each;
          const used = pools.reduce((total, pool) => total + pool.used, 0);
          return (
            <Row key={each.processId}>
              <span className="min-w-0 flex-1 break-words font-medium">
                {each.host}
                <span className="block font-normal text-muted">
                  {each.roles.join(' and ')}, {each.version}, since <RelativeTime at={each.startedAt} />
                </span>
              </span>
              <Badge tone={state.tone}>{state.label}</Badge>
              <span className="basis-full text-muted tabular-nums">
                {[
                  megabytes(each.memoryBytes),
                  ...(each.disk ? [`${gigabytes(each.disk.freeBytes)} of disk free`] : []),
                  `blocked ${seconds(each.loopDelayMs / 1000)}`,
                  `${used} database connections in use`,
                  `${each.shards} shards${each.leasesLost > 0 ? ` (${each.leasesLost} lost)` : ''}`,
                  `${numerals(figures.webhooks)} webhooks and ${numerals(figures.calls)} calls a minute`,
                ].join(' · ')}
              </span>
            </Row>
          );
        })}
        {silent.map((worker) => (
          <Row key={worker.workerId}>
            <span className="min-w-0 flex-1 break-all font-mono text-xs">worker {worker.workerId}</span>
            <Badge tone="error">{OPERATIONS_PAGE.silent}</Badge>
            <span className="basis-full text-muted">
              {worker.shards} shards, last seen <RelativeTime at={worker.seenAt} />
            </span>
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

const CHECK_TONES = { fine: 'accent', waiting: 'neutral', trouble: 'warning' } as const;

function MailChecks({ checks }: { checks: Operations['mailChecks'] }) {
  return (
    <Card title={OPERATIONS_PAGE.emailChecks}>
      <Rows>
        {checks.map(({ name, state, says, checkedAt }) => (
          <Row key={name}>
            <Badge tone={CHECK_TONES[state]}>{OPERATIONS_PAGE.checkStates[state]}</Badge>
            <span className="min-w-0 flex-1 basis-48 break-words">
              {says}
              <span className="block text-muted">
                Checked <RelativeTime at={checkedAt} />
              </span>
            </span>
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

function Jobs({ jobs }: { jobs: Operations['jobs'] }) {
  const now = useNow();
  const failingFirst = jobs.toSorted((a, b) => b.failuresInARow - a.failuresInARow);
  return (
    <Card title={OPERATIONS_PAGE.jobs}>
      {jobs.length === 0 ? (
        <p className="text-muted">{OPERATIONS_PAGE.noJobsScheduled}</p>
      ) : (
        <Rows>
          {failingFirst.map((job) => {
            const state = jobState(job, now);
            return (
              <Row key={job.name}>
                <span className="min-w-0 flex-1 break-words">
                  {sentenceCase(jobWords(job.name))}
                  <span className="block text-muted">
                    {job.lastSucceededAt !== null && (
                      <>
                        done <RelativeTime at={job.lastSucceededAt} />,{' '}
                      </>
                    )}
                    next {Date.parse(job.nextAt) - now < 10_000 ? 'now' : <RelativeTime at={job.nextAt} />}
                  </span>
                </span>
                <Badge tone={state.tone}>{state.label}</Badge>
                {job.heldBecause !== null && <span className="basis-full break-words">{job.heldBecause}</span>}
                {job.failuresInARow > 0 && (
                  <span className="basis-full break-words text-error-ink">
                    {numerals(job.failuresInARow)} in a row: {job.lastFailure}
                  </span>
                )}
              </Row>
            );
          })}
        </Rows>
      )}
    </Card>
  );
}

function sentenceCase(text: string): string {
  const words = text.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line text-sm">{children}</ul>;
}

function Row({ children }: { children: ReactNode }) {
  return <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0">{children}</li>;
}
