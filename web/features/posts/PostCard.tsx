import { Clapperboard, Images, MessageCircle, Send } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { AsksFor, asksInVain } from '#web/features/posts/AsksFor.tsx';
import { kindOf, postTitle } from '#web/features/posts/post-title.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { cx } from '#web/ui/class-names.ts';
import { compactNumerals } from '#web/ui/numerals.ts';
import { Picture } from '#web/ui/Picture.tsx';

const STATE = {
  on: { label: 'On', tone: 'accent' },
  off: { label: 'Off', tone: 'neutral' },
  none: { label: 'No automation', tone: 'neutral' },
} as const;

/** One post in the grid: a link, named by all that it shows. */
export const PostCard = memo(function PostCard({ post, to, eager }: { post: Post; to: string; eager: boolean }) {
  const kind = kindOf(post);
  const state = STATE[post.automation];
  const asks = asksInVain(post) && !post.gone;
  return (
    <li className="relative">
      <Link
        to={to}
        preventScrollReset
        className="flex h-full flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card transition-shadow hover:shadow-raised"
      >
        <span className="relative block">
          <Picture src={post.pictureUrl} alt="" shape="post" eager={eager} className="rounded-none" />
          <span className="absolute top-2 right-2 flex gap-1">
            {post.gone && <Badge tone="warning">No longer on Instagram</Badge>}
            <Badge
              icon={
                kind === 'Reel' ? (
                  <Clapperboard aria-hidden="true" className="size-3.5" />
                ) : kind === 'Carousel' ? (
                  <Images aria-hidden="true" className="size-3.5" />
                ) : undefined
              }
            >
              {kind}
            </Badge>
          </span>
        </span>
        <span className="flex flex-1 flex-col gap-2 p-2.5 sm:p-3">
          <span className="line-clamp-2 min-h-[2lh] text-sm leading-snug">
            <bdi>{postTitle(post.caption)}</bdi>
          </span>
          <span className="mt-auto flex flex-col gap-1.5">
            <span className={cx('flex min-w-0 items-center gap-1.5', asks && 'flex-wrap')}>
              {asks && <AsksFor word={post.asksFor!} />}
              {(!asks || post.automation === 'off') && <Badge tone={state.tone}>{state.label}</Badge>}
              {!asks && post.automationWords.length > 0 && (
                <bdi className="line-clamp-2 min-w-0 text-muted text-xs">
                  {post.automationWords.slice(0, 3).join(', ')}
                </bdi>
              )}
            </span>
            <span className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-xs tabular-nums">
              <span className="inline-flex items-center gap-1">
                <MessageCircle aria-hidden="true" className="size-3.5" />
                {compactNumerals(post.comments)}
                <span className="sr-only">{post.comments === 1 ? ' comment' : ' comments'}</span>
              </span>
              {(post.sent > 0 || post.automation === 'on') && (
                <span className="inline-flex items-center gap-1">
                  <Send aria-hidden="true" className="size-3.5" />
                  {compactNumerals(post.sent)}
                  <span className="sr-only"> sent</span>
                </span>
              )}
              {post.waiting > 0 && <span className="text-info-ink">{compactNumerals(post.waiting)} waiting</span>}
              {post.failed > 0 && <span className="text-error-ink">{compactNumerals(post.failed)} failed</span>}
            </span>
          </span>
        </span>
      </Link>
    </li>
  );
});
