import { Hourglass, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { controlQueue, listExpiring, listQueues, type Queue } from '#contract/queue.ts';
import { queueWords } from '#web/features/home/words.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

const POSTS_SHOWN = 4;

type Props = {
  level?: 2 | 3;
  /** Only the queue of this post's account, and of its posts only this one. */
  post?: { id: string; connectionId: string };
};

/** One card for each account in whose queue somebody waits, or whose queue is held. */
export function QueueCards({ level = 2, post }: Props) {
  const { creatorId } = useCreator();
  const queues = useEndpoint(listQueues, { params: { creatorId } });
  return queues.data?.items
    .filter((queue) => post === undefined || queue.connectionId === post.connectionId)
    .map((queue) => <QueueCard key={queue.connectionId} queue={queue} level={level} onlyPostId={post?.id ?? null} />);
}

function QueueCard({ queue, level, onlyPostId }: { queue: Queue; level: 2 | 3; onlyPostId: string | null }) {
  const now = useNow();
  const Title = level === 2 ? 'h2' : 'h3';
  const { title, pace, loss } = queueWords(queue, now);
  return (
    <section
      aria-label={`Queue of @${queue.username}`}
      className="flex flex-col gap-4 rounded-lg border border-info-line bg-info-soft p-4 sm:p-5"
    >
      <div className="flex items-start gap-3">
        <Hourglass aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-info-ink" />
        <div className="min-w-0">
          <Title className="font-semibold text-info-ink">{title}</Title>
          <p className="mt-0.5 text-sm">{pace}</p>
          {loss !== null && <Loss queue={queue} says={loss} />}
        </div>
      </div>
      <QueuedPosts queue={queue} onlyPostId={onlyPostId} now={now} />
      <Controls queue={queue} />
    </section>
  );
}

/** Named before it happens. */
function Loss({ queue, says }: { queue: Queue; says: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-2 text-sm">
      <p className="font-medium text-warning-ink">{says}</p>
      <Button variant="quiet" size="small" className="-ml-3" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide people' : 'See who'}
      </Button>
      {open && <LostPeople connectionId={queue.connectionId} />}
    </div>
  );
}

function LostPeople({ connectionId }: { connectionId: string }) {
  const { creatorId } = useCreator();
  const now = useNow();
  const people = useEndpoint(listExpiring, { params: { creatorId, connectionId }, query: { limit: 20 } });
  if (people.data === undefined) return null;
  const more = people.data.total - people.data.items.length;
  return (
    <ul className="flex flex-col gap-1">
      {people.data.items.map((person) => (
        <li key={person.interactionId} className="flex flex-wrap gap-x-2">
          <bdi className="font-medium">{person.username === null ? 'Someone' : `@${person.username}`}</bdi>
          <bdi className="min-w-0 truncate">{person.text}</bdi>
          <span className="text-muted">until {momentOf(person.expiresAt, now)}</span>
        </li>
      ))}
      {more > 0 && <li className="text-muted">and {numerals(more)} more</li>}
    </ul>
  );
}

function QueuedPosts({ queue, onlyPostId, now }: { queue: Queue; onlyPostId: string | null; now: number }) {
  const shown = queue.posts.filter(({ postId }, place) =>
    onlyPostId === null ? place < POSTS_SHOWN : postId === onlyPostId,
  );
  // All that waits is of this post: the title has said it.
  if (shown.length === 0 || (onlyPostId !== null && queue.posts.length === 1)) return null;
  const hidden = queue.posts.filter((post) => !shown.includes(post));
  const more = hidden.reduce((sum, post) => sum + post.waiting, 0);
  return (
    <ul className="flex flex-col gap-2">
      {shown.map((post) => (
        <li key={post.postId} className="flex items-center gap-3 text-sm">
          <Picture src={post.pictureUrl} alt="" className="size-10 shrink-0" />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate font-medium">{post.caption?.split('\n')[0] || 'A post'}</bdi>
            <span className="text-muted">
              {numerals(post.waiting)} waiting
              {post.doneAt !== null && `, done by ${momentOf(post.doneAt, now)}`}
              {post.expiring > 0 && `, ${numerals(post.expiring)} will run out of time`}
            </span>
          </span>
          {queue.posts.length > 1 && post.postId !== null && <FirstButton queue={queue} postId={post.postId} />}
        </li>
      ))}
      {more > 0 && <li className="text-muted text-sm">and {numerals(more)} on other posts</li>}
    </ul>
  );
}

function useControl({ connectionId }: Queue) {
  const { creatorId } = useCreator();
  const control = useEndpointMutation(controlQueue, { successToast: false, refreshes: [listQueues] });
  return {
    busy: control.isPending,
    change: (body: Parameters<typeof control.mutate>[0]['body']) =>
      control.mutate({ params: { creatorId, connectionId }, body }),
  };
}

function FirstButton({ queue, postId }: { queue: Queue; postId: string }) {
  const { busy, change } = useControl(queue);
  const isFirst = queue.control.firstPostId === postId;
  return (
    <Button
      variant={isFirst ? 'primary' : 'secondary'}
      size="small"
      aria-pressed={isFirst}
      busy={busy}
      onClick={() => change({ firstPostId: isFirst ? null : postId })}
    >
      First
    </Button>
  );
}

/** As a share of the platform's rate and for how long. */
const PACES = [
  { value: 'full', label: 'As fast as Instagram allows', slow: null },
  { value: 'half', label: 'Half speed for 6 hours', slow: { toPercent: 50, minutes: 360 } },
  { value: 'quarter', label: 'A quarter of the speed for 6 hours', slow: { toPercent: 25, minutes: 360 } },
  { value: 'tenth', label: 'A tenth of the speed for a day', slow: { toPercent: 10, minutes: 1440 } },
] as const;

function Controls({ queue }: { queue: Queue }) {
  const { busy, change } = useControl(queue);
  const { paused, slowedToPercent, order } = queue.control;
  const pace = PACES.find(({ slow }) => (slow?.toPercent ?? null) === slowedToPercent)?.value ?? 'other';
  return (
    <div className="flex flex-wrap items-start gap-x-4">
      <Button variant={paused ? 'primary' : 'secondary'} busy={busy} onClick={() => change({ paused: !paused })}>
        {paused ? <Play aria-hidden="true" className="size-4" /> : <Pause aria-hidden="true" className="size-4" />}
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <details className="group text-sm open:w-full">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-info-ink md:min-h-9">
          Change speed or order
        </summary>
        <div className="mt-1 flex flex-col gap-3 sm:flex-row">
          <div className="w-full sm:w-56">
            <Field label="Speed">
              {(wiring) => (
                <Select
                  {...wiring}
                  value={pace}
                  onChange={(event) => {
                    const chosen = PACES.find(({ value }) => value === event.target.value);
                    if (chosen) change({ slow: chosen.slow });
                  }}
                >
                  {pace === 'other' && <option value="other">{`${slowedToPercent} %`}</option>}
                  {PACES.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <div className="w-full sm:w-56">
            <Field label="Order">
              {(wiring) => (
                <Select
                  {...wiring}
                  value={order}
                  onChange={(event) => change({ order: event.target.value as 'deadline' | 'newest' })}
                >
                  <option value="deadline">Running out of time first</option>
                  <option value="newest">Newest comments first</option>
                </Select>
              )}
            </Field>
          </div>
        </div>
      </details>
    </div>
  );
}
