import type { ReactNode } from 'react';
import { postTitle } from '#web/features/posts/post-title.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Props = {
  post: { caption: string; pictureUrl: string | null; postedAt: string };
  children?: ReactNode;
};

/** A post in one line: its picture, how its caption begins, when it was published. */
export function PostLine({ post, children }: Props) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3">
      <Picture src={post.pictureUrl} alt="" className="size-12 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-sm leading-snug">
          <bdi>{postTitle(post.caption)}</bdi>
        </span>
        <span className="block text-muted text-xs">{children ?? <RelativeTime at={post.postedAt} />}</span>
      </span>
    </span>
  );
}
