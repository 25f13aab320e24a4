import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router';
import { listPreparedPosts, type PreparedPost } from '#contract/prepared-posts.ts';
import { PostLine } from '#web/features/prepared-posts/PostLine.tsx';
import { useAttach, useDetach } from '#web/features/prepared-posts/use-prepared.ts';
import { WhichPostButton } from '#web/features/prepared-posts/WhichPostButton.tsx';
import { preparedSays, STATE_WORDS, worthShowing } from '#web/features/prepared-posts/words.ts';
import { automationPath, postPath, preparePath } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';

const ATTACHED_SHOWN = 3;

/** Automations made before their post, above the posts: what they wait for, what they ask, where they are. */
export function PreparedCard() {
  const { creatorId } = useCreator();
  const now = useNow();
  const prepared = useEndpoint(listPreparedPosts, { params: { creatorId } });
  if (prepared.isPending) {
    return (
      <Loading label="Loading prepared automations">
        <Skeleton className="mb-4 h-14" />
      </Loading>
    );
  }
  if (prepared.isError) {
    return (
      <Alert
        variant="warning"
        className="mb-4"
        title="Couldn’t load your prepared automations"
        action={
          <Button size="small" variant="secondary" busy={prepared.isFetching} onClick={() => prepared.refetch()}>
            Try again
          </Button>
        }
      >
        It still attaches itself.
      </Alert>
    );
  }
  const items = worthShowing(prepared.data.items, now);
  if (items.length === 0) {
    return (
      <p className="mb-4 flex flex-wrap items-center gap-x-2 text-muted text-sm">
        <CalendarClock aria-hidden="true" className="size-4 shrink-0" />
        Posting later?
        <TextLink to={preparePath()} className="inline-flex min-h-11 items-center md:min-h-0">
          Set up the automation now
        </TextLink>
      </p>
    );
  }
  return (
    <Card
      className="mb-5"
      title="Ready for your next posts"
      description="Set up before you post. They attach themselves when you do."
      aside={
        <ButtonLink size="small" variant="secondary" to={preparePath()}>
          Set up another
        </ButtonLink>
      }
    >
      <ul>
        {items.map((item) => (
          <PreparedRow key={item.automationId} item={item} />
        ))}
      </ul>
    </Card>
  );
}

function PreparedRow({ item }: { item: PreparedPost }) {
  const { label, tone } = STATE_WORDS[item.state];
  const postId = item.preparedFor === 'next' ? (item.attached[0]?.id ?? null) : null;
  return (
    <li className="flex flex-col gap-2.5 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Link
          to={automationPath(item.automationId, postId)}
          preventScrollReset
          className="group min-h-11 min-w-0 flex-1 basis-52 rounded-md"
        >
          <span className="flex flex-wrap items-center gap-2">
            <bdi className="max-w-full truncate font-medium group-hover:underline">{item.name}</bdi>
            <Badge tone={tone}>{label}</Badge>
          </span>
          <span className="block text-muted text-sm">{preparedSays(item)}</span>
        </Link>
        {item.state === 'asks' && <WhichPostButton item={item} />}
      </div>
      {item.attached.length > 0 && (
        <ul className="flex flex-col gap-2">
          {item.attached.slice(0, ATTACHED_SHOWN).map((post) => (
            <AttachedPost key={post.id} item={item} post={post} />
          ))}
        </ul>
      )}
      {item.olderPosts.length > 0 && item.state !== 'off' && <OlderPosts item={item} />}
    </li>
  );
}

function AttachedPost({ item, post }: { item: PreparedPost; post: PreparedPost['attached'][number] }) {
  const { creatorId } = useCreator();
  const detach = useDetach();
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 rounded-md bg-sunken p-2">
      <Link
        to={postPath(post.id)}
        preventScrollReset
        className="flex min-w-0 flex-1 basis-52 rounded-md hover:underline"
      >
        <PostLine post={post}>
          Attached <RelativeTime at={post.attachedAt} />
        </PostLine>
      </Link>
      <Button
        size="small"
        variant="quiet"
        className="shrink-0"
        busy={detach.isPending}
        onClick={() =>
          detach.mutate({ params: { creatorId, automationId: item.automationId }, body: { postId: post.id } })
        }
      >
        Wrong post
      </Button>
    </li>
  );
}

/** Found too, but from before: never answered without being asked. */
function OlderPosts({ item }: { item: PreparedPost }) {
  const { creatorId } = useCreator();
  const attach = useAttach();
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-muted md:min-h-0">
        {item.olderPosts.length === 1
          ? 'An older post asks for it, too'
          : `${item.olderPosts.length} older posts ask for it, too`}
      </summary>
      <ul className="mt-2 flex flex-col gap-2">
        {item.olderPosts.map((post) => (
          <li key={post.id} className="flex items-center gap-3">
            <PostLine post={post} />
            <Button
              size="small"
              variant="secondary"
              className="shrink-0"
              busy={attach.isPending && attach.variables.body.postId === post.id}
              onClick={() =>
                attach.mutate({ params: { creatorId, automationId: item.automationId }, body: { postId: post.id } })
              }
            >
              Reply there too
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
