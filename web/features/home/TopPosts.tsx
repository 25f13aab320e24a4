import { Link } from 'react-router';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/home.ts';
import { postTitle } from '#web/features/posts/post-title.ts';
import { postPath } from '#web/paths.ts';
import { Card } from '#web/ui/Card.tsx';
import { compactNumerals } from '#web/ui/numerals.ts';
import { Picture } from '#web/ui/Picture.tsx';

/** The posts that people wrote most under in these days. */
export function TopPosts({ posts }: { posts: ResponseOf<typeof getHome>['topPosts'] }) {
  if (posts.length === 0) return null;
  return (
    <Card title="Top posts">
      <ol className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {posts.map((post, place) => (
          <li key={post.id} className={place === 4 ? 'hidden sm:block' : undefined}>
            <Link to={postPath(post.id)} className="group block rounded-md">
              <Picture src={post.pictureUrl} alt="" shape="post" />
              <bdi className="mt-1.5 line-clamp-2 font-medium text-sm group-hover:underline">
                {postTitle(post.caption)}
              </bdi>
              <span className="mt-0.5 flex flex-wrap gap-x-2 text-muted text-xs tabular-nums">
                <span>
                  {compactNumerals(post.comments)} {post.comments === 1 ? 'comment' : 'comments'}
                </span>{' '}
                <span>{compactNumerals(post.sent)} sent</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
