import { useState } from 'react';
import { listPreparedPosts } from '#contract/prepared-posts.ts';
import { dismissalOf, keepDismissed, readDismissed } from '#web/features/banners/dismissed.ts';
import { postTitle } from '#web/features/posts/post-title.ts';
import { WhichPostButton } from '#web/features/prepared-posts/WhichPostButton.tsx';
import { recentAttachments } from '#web/features/prepared-posts/words.ts';
import { postPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';

/** On home: what attached itself since yesterday, with its picture, and what the creator is asked. Silent when there is nothing. */
export function PreparedNotices() {
  const { creatorId } = useCreator();
  const now = useNow();
  const [dismissed, setDismissed] = useState(readDismissed);
  const prepared = useEndpoint(listPreparedPosts, { params: { creatorId } });
  const items = prepared.data?.items ?? [];
  const dismiss = (name: string) => {
    const all = [...readDismissed(), name];
    keepDismissed(all);
    setDismissed(all);
  };
  return (
    <>
      {items
        .filter(({ state }) => state === 'asks')
        .map((item) => (
          <Alert
            key={item.automationId}
            variant="warning"
            title={`Which post is “${item.name}” for?`}
            action={<WhichPostButton item={item} />}
          >
            More than one post matches. Choose the right one.
          </Alert>
        ))}
      {recentAttachments(items, now).map(({ item, post }) => {
        const name = dismissalOf(creatorId, { id: `attached ${item.automationId}`, text: post.id });
        if (dismissed.includes(name)) return null;
        return (
          <Alert
            key={name}
            variant="success"
            title={`“${item.name}” found its post`}
            action={
              <ButtonLink size="small" variant="secondary" to={postPath(post.id)}>
                See it
              </ButtonLink>
            }
            onDismiss={() => dismiss(name)}
          >
            <span className="mt-1 flex items-center gap-3">
              <Picture src={post.pictureUrl} alt="" className="size-12 shrink-0" />
              <span className="min-w-0">
                <bdi className="line-clamp-2">{postTitle(post.caption)}</bdi>
                <span className="text-muted">
                  Attached <RelativeTime at={post.attachedAt} />
                </span>
              </span>
            </span>
          </Alert>
        );
      })}
    </>
  );
}
