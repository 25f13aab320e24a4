import { Check, CircleDashed, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { listAutomations } from '#contract/automations.ts';
import { listConnections } from '#contract/connections.ts';
import { getInteraction, listInteractions } from '#contract/interactions.ts';
import { type Post, TEST_LASTS_MINUTES, testPost } from '#contract/posts.ts';
import { type TestStep, testSteps } from '#web/features/posts/test-steps.ts';
import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { useEndpoint, useEndpointMutation, useWholeList } from '#web/shell/queries.ts';
import { useCreator, useEnv } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Spinner } from '#web/ui/Spinner.tsx';

/** A test from a second account, step by step as it happens. */
export function TestYourself({ post, onEdit }: { post: Post; onEdit: () => void }) {
  const { creatorId } = useCreator();
  const env = useEnv();
  useTestSession(post.id);
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  const account = connections.data?.items.find(({ id }) => id === post.connectionId)?.username;
  const automations = useWholeList(listAutomations, { params: { creatorId }, query: { postId: post.id } });
  const recent = useEndpoint(listInteractions, { params: { creatorId }, query: { postId: post.id, limit: 10 } });
  const lines = recent.data?.items;
  // By what was there before and not by the clock: Instagram's and ours may differ.
  const [before, setBefore] = useState<ReadonlySet<string> | null>(null);
  if (lines && before === null) setBefore(new Set(lines.map((line) => line.id)));
  const came = before && lines ? lines.find((line) => !before.has(line.id)) : undefined;
  const details = useEndpoint(
    getInteraction,
    { params: { creatorId, interactionId: came?.id ?? '' } },
    { enabled: came !== undefined },
  );
  const word = post.automationWords[0];
  return (
    <div className="flex flex-col gap-5 pb-6">
      {post.automation !== 'on' && (
        <Alert
          variant="warning"
          title="This post has no automation that’s on"
          action={
            <Button size="small" variant="secondary" onClick={onEdit}>
              Back to automation
            </Button>
          }
        >
          {automations.data?.items.length ? 'Turn on your automation first.' : 'Set up an automation first.'}
        </Alert>
      )}
      <Card title="Test it yourself" level={3}>
        <ol className="flex list-decimal flex-col gap-1.5 pl-5">
          <li>
            {env.data?.phoneUrl ? (
              <>Open the phone and choose a follower.</>
            ) : (
              <>Use another Instagram account: a friend’s or your personal one. Your own comments never get a reply.</>
            )}
          </li>
          <li>
            {word ? (
              <>
                Comment <b className="font-semibold">{word}</b> on this post.
              </>
            ) : (
              'Comment on this post.'
            )}
          </li>
          <li>Watch it happen here. While this tab is open, you can test as often as you like.</li>
        </ol>
        <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          {env.data?.phoneUrl && account !== undefined && (
            <LinkButton
              href={phoneAt(env.data.phoneUrl, { account, post: post.id })}
              target="_blank"
              rel="noreferrer"
              variant="secondary"
            >
              Open phone
            </LinkButton>
          )}
          {post.permalink && !env.data?.phoneUrl && (
            <a href={post.permalink} target="_blank" rel="noreferrer" className={TEXT_LINK}>
              Open post on Instagram
            </a>
          )}
        </p>
      </Card>
      <Card title={came ? 'What happened' : 'Waiting for a comment'} level={3}>
        {/* Read out as it comes. */}
        <div aria-live="polite">
          {came ? (
            <ol className="flex flex-col gap-3">
              {testSteps(came, details.data ?? null).map((step) => (
                <Step key={step.label} step={step} />
              ))}
            </ol>
          ) : (
            <p className="flex items-center gap-3 text-muted">
              <Spinner size="small" />
              The next comment on this post shows up here within a second.
            </p>
          )}
        </div>
        {came && lines && (
          <Button
            variant="quiet"
            size="small"
            className="mt-3 -ml-3"
            onClick={() => setBefore(new Set(lines.map((line) => line.id)))}
          >
            Test again
          </Button>
        )}
      </Card>
    </div>
  );
}

/** While this is shown, whoever comments is answered, also who has the message already. */
function useTestSession(postId: string) {
  const { creatorId } = useCreator();
  const { mutate } = useEndpointMutation(testPost, { successToast: false, errorToast: false });
  useEffect(() => {
    const tell = (open: boolean) => mutate({ params: { creatorId, postId }, body: { open } });
    tell(true);
    const timer = setInterval(() => tell(true), (TEST_LASTS_MINUTES * 60_000) / 2);
    return () => {
      clearInterval(timer);
      tell(false);
    };
  }, [mutate, creatorId, postId]);
}

/** The phone at this account and post. */
function phoneAt(phoneUrl: string, place: { account: string; post: string }): string {
  return `${phoneUrl}?${new URLSearchParams(place)}`;
}

const STATE_SAYS: Record<TestStep['state'], string> = {
  done: 'done',
  now: 'in progress',
  open: 'not yet',
  failed: 'failed',
};

function Step({ step }: { step: TestStep }) {
  return (
    <li className="flex items-start gap-3">
      <span
        className={cx(
          'grid size-6 shrink-0 place-items-center rounded-full',
          step.state === 'done' && 'bg-accent text-on-accent',
          step.state === 'now' && 'text-accent-ink',
          step.state === 'open' && 'text-faint',
          step.state === 'failed' && 'bg-error text-on-error',
        )}
      >
        {step.state === 'done' && <Check aria-hidden="true" className="size-4" />}
        {step.state === 'now' && <Spinner size="small" />}
        {step.state === 'open' && <CircleDashed aria-hidden="true" className="size-5" />}
        {step.state === 'failed' && <X aria-hidden="true" className="size-4" />}
        <span className="sr-only">{STATE_SAYS[step.state]}: </span>
      </span>
      <span className="min-w-0">
        <span className={cx('block font-medium', step.state === 'open' && 'text-muted')}>{step.label}</span>
        {step.detail && <bdi className="block break-words text-muted text-sm">{step.detail}</bdi>}
      </span>
    </li>
  );
}
