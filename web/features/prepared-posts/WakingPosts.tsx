import { TrendingUp } from 'lucide-react';
import { dismissWakingPost, listWakingPosts, type WakingPost } from '#contract/prepared-posts.ts';
import { PostLine } from '#web/features/prepared-posts/PostLine.tsx';
import { useAttach } from '#web/features/prepared-posts/use-prepared.ts';
import { wakingSays } from '#web/features/prepared-posts/words.ts';
import { postPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';

const ATTACHABLE = 2;

/** Old posts that people suddenly comment on while nothing answers there. Silent when all sleep. */
export function WakingPosts() {
  const { creatorId } = useCreator();
  const waking = useEndpoint(listWakingPosts, { params: { creatorId } });
  return waking.data?.items.map((item) => <Waking key={item.post.id} item={item} />);
}

function Waking({ item }: { item: WakingPost }) {
  const { creatorId } = useCreator();
  const attach = useAttach();
  const dismissing = useEndpointMutation(dismissWakingPost, { successToast: false, refreshes: [listWakingPosts] });
  const { post, prepared } = item;
  return (
    <section className="rounded-lg border border-info-line bg-info-soft p-4 sm:p-5">
      <div className="flex items-start gap-3">
        <TrendingUp aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-info-ink" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold text-info-ink">An older post is getting comments again</h2>
          <p className="mt-0.5 mb-3 text-sm">{wakingSays(item)} It has no automation.</p>
          <PostLine post={post} />
          <div className="mt-3 flex flex-wrap gap-2">
            <ButtonLink size="small" to={postPath(post.id)}>
              Create automation
            </ButtonLink>
            {prepared.slice(0, ATTACHABLE).map(({ automationId, name }) => (
              <Button
                key={automationId}
                size="small"
                variant="secondary"
                busy={attach.isPending}
                onClick={() => attach.mutate({ params: { creatorId, automationId }, body: { postId: post.id } })}
              >
                Attach “{name}”
              </Button>
            ))}
            <Button
              size="small"
              variant="quiet"
              busy={dismissing.isPending}
              onClick={() => dismissing.mutate({ params: { creatorId, postId: post.id } })}
            >
              Not now
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
}
