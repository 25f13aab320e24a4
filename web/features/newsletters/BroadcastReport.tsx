import { useState } from 'react';
import {
  type Broadcast,
  cancelBroadcast,
  getBroadcast,
  HOLD_SECONDS,
  listBroadcasts,
  pauseBroadcast,
  resumeBroadcast,
} from '#contract/newsletters.ts';
import { mayDo } from '#contract/roles.ts';
import { Looks } from '#web/features/newsletters/Looks.tsx';
import { figuresWords, holdWords, REPORT } from '#web/features/newsletters/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Figure } from '#web/ui/Figure.tsx';
import { Question } from '#web/ui/Question.tsx';
import { NowProvider, RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';

type Props = { broadcast: Broadcast };

/** A newsletter that is on its way or was sent: how far it is, what can be done about it, and what became of it. */
export function BroadcastReport({ broadcast }: Props) {
  const { state, figures, topLinks } = broadcast;
  const { sent, waiting, leftOut, bounced, complained, unsubscribed, clicked } = figures;
  const begun = state !== 'scheduled';
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <Card>
        <NowProvider everyMs={1000}>
          <Progress broadcast={broadcast} />
        </NowProvider>
        <Actions broadcast={broadcast} />
      </Card>
      {begun && (
        <Card title={REPORT.figures} description={REPORT.noOpens}>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
            <Figure label={REPORT.sentTo} value={sent} />
            <Figure label={REPORT.clicked} value={clicked} hint={REPORT.clickedSays} />
            <Figure label={REPORT.waiting} value={waiting} />
            <Figure label={REPORT.unsubscribed} value={unsubscribed} />
            <Figure label={REPORT.bounced} value={bounced} />
            <Figure label={REPORT.complained} value={complained} />
            <Figure label={REPORT.leftOut} value={leftOut} {...(leftOut > 0 && { hint: REPORT.leftOutSays })} />
          </dl>
          <TopLinks links={topLinks} />
        </Card>
      )}
      <Looks type={broadcast.kind} design={broadcast.design} />
    </div>
  );
}

function TopLinks({ links }: { links: Broadcast['topLinks'] }) {
  if (links.length === 0) return null;
  return (
    <section aria-label={REPORT.topLinks} className="mt-5">
      <h3 className="mb-2 font-semibold text-sm">{REPORT.topLinks}</h3>
      <ol className="flex flex-col gap-1 text-sm">
        {links.map(({ url, clicked }) => (
          <li key={url} className="flex items-baseline justify-between gap-3">
            <bdi className="min-w-0 break-words">{url.replace(/^https?:\/\//, '')}</bdi>
            <span className="shrink-0 text-muted tabular-nums">{REPORT.clickedBy(clicked)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Progress({ broadcast: { state, sendAt, because, slowed, figures, finishedAt } }: Props) {
  const now = useNow();
  if (state === 'scheduled' && sendAt !== null) {
    return (
      <p className="font-semibold text-lg tabular-nums">
        {holdWords(sendAt, now, HOLD_SECONDS) ?? REPORT.startsAt(sendAt, now)}
      </p>
    );
  }
  if (state === 'paused') return <p className="font-semibold text-lg">{because}</p>;
  if (state === 'gathering' || state === 'sending') {
    const { sent, leftOut, total } = figures;
    return (
      <div role="status" className="flex flex-col gap-2">
        <p className="font-semibold text-lg">{state === 'gathering' ? REPORT.gathering : REPORT.progress(figures)}</p>
        {slowed !== null && <p className="text-muted">{REPORT.slowed(slowed, now)}</p>}
        {total > 0 && (
          <progress
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
            value={sent + leftOut}
            max={total}
            aria-hidden="true"
          />
        )}
      </div>
    );
  }
  return (
    <p className="font-semibold text-lg">
      {figuresWords(state, figures)}
      {finishedAt !== null && (
        <span className="block font-normal text-base text-muted">
          <RelativeTime at={finishedAt} />
        </span>
      )}
    </p>
  );
}

function Actions({ broadcast: { id, state, figures } }: Props) {
  const { creatorId, role } = useCreator();
  const [asking, setAsking] = useState(false);
  const params = { creatorId, broadcastId: id };
  const after = { refreshes: [listBroadcasts], pendingUntilRead: [getBroadcast] };
  const pause = useEndpointMutation(pauseBroadcast, { successToast: false, ...after });
  const resume = useEndpointMutation(resumeBroadcast, { successToast: false, ...after });
  const cancel = useEndpointMutation(cancelBroadcast, {
    successToast: { title: state === 'scheduled' ? REPORT.tookBack : REPORT.cancelled },
    ...after,
    onSuccess: () => setAsking(false),
  });
  if (state === 'done' || state === 'cancelled' || state === 'draft') return null;
  if (role === null || !mayDo(role, 'newsletter')) return <p className="mt-3 text-muted">{REPORT.ownersOnly}</p>;
  if (state === 'scheduled') {
    return (
      <Button variant="secondary" className="mt-4" busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
        {REPORT.takeBack}
      </Button>
    );
  }
  const isPaused = state === 'paused';
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {isPaused ? (
        <Button busy={resume.isPending} onClick={() => resume.mutate({ params })}>
          {REPORT.resume}
        </Button>
      ) : (
        <Button variant="secondary" busy={pause.isPending} onClick={() => pause.mutate({ params })}>
          {REPORT.pause}
        </Button>
      )}
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {REPORT.cancel}
      </Button>
      {asking && (
        <Question
          open
          onOpenChange={setAsking}
          title={REPORT.cancelAsk}
          description={REPORT.cancelSays(figures.waiting)}
          keep={isPaused ? REPORT.keepPaused : REPORT.keep}
          act={REPORT.cancel}
          danger
          busy={cancel.isPending}
          onAct={() => cancel.mutate({ params })}
        />
      )}
    </div>
  );
}
