import { useState } from 'react';
import {
  type CatchUpPreview,
  cancelCatchUp,
  getCatchUp,
  previewCatchUp,
  previewPostCatchUp,
  startCatchUp,
  startPostCatchUp,
} from '#contract/catch-up.ts';
import { listQueues } from '#contract/queue.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { peopleOf, previewWords, progressWords } from '#web/features/catch-up/words.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { momentOf } from '#web/ui/moment.ts';
import { Question } from '#web/ui/Question.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

const POLL_MS = 3000;
const SHOWN = 10;
/** More people than this are asked about first. */
const ASKED_BEYOND = 20;

/** The message and its recipients, then the progress. */
export function CatchUpOffer({
  postId,
  preview,
  level,
}: {
  postId: string | null;
  preview: CatchUpPreview;
  level: 2 | 3;
}) {
  const [batchId, setBatchId] = useState<string | null>(null);
  if (batchId !== null) return <Progress batchId={batchId} level={level} onDone={() => setBatchId(null)} />;
  return preview.people > 0 && <Offer postId={postId} preview={preview} level={level} onStarted={setBatchId} />;
}

function Offer({
  postId,
  preview,
  level,
  onStarted,
}: {
  postId: string | null;
  preview: CatchUpPreview;
  level: 2 | 3;
  onStarted: (batchId: string) => void;
}) {
  const { creatorId } = useCreator();
  const now = useNow();
  // A second try after a lost answer is the same catch-up.
  const [body] = useState(() => ({ batchId: crypto.randomUUID() }));
  const options = {
    successToast: false,
    refreshes: [previewCatchUp, previewPostCatchUp, listQueues],
    onSuccess: () => onStarted(body.batchId),
  };
  const all = useEndpointMutation(startCatchUp, options);
  const one = useEndpointMutation(startPostCatchUp, options);
  const send = () =>
    postId === null ? all.mutate({ params: { creatorId }, body }) : one.mutate({ params: { creatorId, postId }, body });
  const [asking, setAsking] = useState(false);
  const people = Math.min(preview.people, preview.atMost);
  const title = `${peopleOf(preview.people)} asked in the last 7 days and didn’t get your link`;
  return (
    <Card title={title} level={level}>
      <p className="text-sm">{previewWords(preview, now).join(' ')}</p>
      {postId === null && preview.posts.length > 1 && (
        <ul className="mt-2 flex flex-col gap-1 text-sm">
          {preview.posts.slice(0, 4).map((post) => (
            <li key={post.postId} className="flex justify-between gap-3">
              <bdi className="truncate">{post.caption?.split('\n')[0] || 'A post'}</bdi>
              <span className="shrink-0 text-muted">{peopleOf(post.people)}</span>
            </li>
          ))}
        </ul>
      )}
      <Messages preview={preview} />
      <Who preview={preview} now={now} />
      <Button
        className="mt-2"
        busy={all.isPending || one.isPending}
        onClick={people > ASKED_BEYOND ? () => setAsking(true) : send}
      >
        Send to {peopleOf(people)}
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={`Send this to ${peopleOf(people)}?`}
        description="You can cancel the ones that haven’t gone out yet."
        keep="Not now"
        act="Send now"
        onAct={() => {
          setAsking(false);
          send();
        }}
      >
        <Messages preview={preview} />
      </Question>
    </Card>
  );
}

/** Their message as it is written; the names are filled in when it is sent. */
function Messages({ preview: { messages } }: { preview: CatchUpPreview }) {
  return (
    <ul aria-label={messages.length === 1 ? 'Message' : 'Messages'} className="mt-3 flex flex-col gap-2 text-sm">
      {messages.map(({ text, buttons, people }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two automations may say the same
        <li key={at} className="rounded-xl bg-sunken px-3.5 py-2.5">
          <bdi className="block whitespace-pre-line break-words">{inWords(text)}</bdi>
          {buttons.map((title) => (
            <bdi key={title} className="mt-1.5 mr-1.5 inline-block rounded-lg bg-surface px-3 py-1.5 font-semibold">
              {title}
            </bdi>
          ))}
          {messages.length > 1 && <span className="block pt-1 text-muted">to {peopleOf(people)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Drawn when it is opened: most who come to the screen do not ask, and times take a slow phone a while to write. */
function Who({ preview, now }: { preview: CatchUpPreview; now: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-1 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-muted md:min-h-9">See who</summary>
      {open && (
        <ul className="flex flex-col gap-1">
          {preview.first.slice(0, SHOWN).map((person) => (
            <li key={person.interactionId} className="flex flex-wrap gap-x-2">
              <bdi className="font-medium">{person.username === null ? 'Someone' : `@${person.username}`}</bdi>
              <bdi className="min-w-0 break-words">{person.text}</bdi>
              <span className="text-muted">until {momentOf(person.expiresAt, now)}</span>
            </li>
          ))}
          {preview.people > SHOWN && <li className="text-muted">and {peopleOf(preview.people - SHOWN)} more</li>}
        </ul>
      )}
    </details>
  );
}

function Progress({ batchId, level, onDone }: { batchId: string; level: 2 | 3; onDone: () => void }) {
  const { creatorId } = useCreator();
  const params = { creatorId, batchId };
  const progress = useEndpoint(
    getCatchUp,
    { params },
    { refetchInterval: (query) => (query.state.data?.waiting === 0 ? false : POLL_MS) },
  );
  const cancel = useEndpointMutation(cancelCatchUp, {
    successToast: false,
    refreshes: [getCatchUp, previewCatchUp, previewPostCatchUp, listQueues],
  });
  if (progress.data === undefined) return null;
  const { waiting, people } = progress.data;
  return (
    <Card title={waiting > 0 ? 'Catching up' : 'Caught up'} level={level}>
      <p role="status" className="text-sm">
        {progressWords(progress.data)}
      </p>
      <div aria-hidden="true" className="mt-2 h-2 overflow-hidden rounded-sm bg-sunken">
        <div className="h-full bg-accent" style={{ width: `${(100 * (people - waiting)) / Math.max(1, people)}%` }} />
      </div>
      {waiting > 0 ? (
        <Button variant="secondary" className="mt-3" busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          Cancel the rest
        </Button>
      ) : (
        <Button variant="secondary" className="mt-3" onClick={onDone}>
          Done
        </Button>
      )}
    </Card>
  );
}
