import { Images, RotateCw, Search } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { listPosts, type Post, syncPosts } from '#contract/posts.ts';
import { PostCard } from '#web/features/posts/PostCard.tsx';
import { PostPanel } from '#web/features/posts/PostPanel.tsx';
import { type PostsView, readPostsView, writePostsView } from '#web/features/posts/posts-address.ts';
import { CaptionWarnings } from '#web/features/prepared-posts/CaptionWarnings.tsx';
import { PreparedCard } from '#web/features/prepared-posts/PreparedCard.tsx';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Select } from '#web/ui/inputs.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

const number = new Intl.NumberFormat('en');
/** Fits the widest grid's first screens. */
const PAGE_SIZE = 48;

/** All posts and reels, searched and filtered; a post opens its panel over the grid. */
export function Component() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const view = readPostsView(params);
  const show = (change: Partial<PostsView>, options?: { replace?: boolean }) =>
    setParams(writePostsView({ ...view, ...change }), { replace: options?.replace ?? false, preventScrollReset: true });

  const filter = {
    ...(view.search !== '' && { search: view.search }),
    ...(view.automation && { automation: view.automation }),
    ...(view.kind && { kind: view.kind }),
  };
  const posts = useEndpointPages(
    listPosts,
    { params: { creatorId }, query: { ...filter, limit: PAGE_SIZE } },
    { keepPrevious: true },
  );
  const pages = posts.data?.pages;
  const [first] = pages ?? [];
  const filters = writePostsView({ ...view, post: null, editing: null }).toString();
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <>
      <PageHeader
        title="Posts & Reels"
        description="Pick a post to say what its comments are answered with."
        actions={<SyncButton />}
      />
      <CaptionWarnings className="mb-4" />
      <PreparedCard />
      <Filters view={view} show={show} />
      {pages === undefined ? (
        posts.isError ? (
          <ErrorState
            title="Your posts could not be loaded"
            onRetry={() => posts.refetch()}
            retrying={posts.isFetching}
          >
            {posts.error.message}
          </ErrorState>
        ) : (
          <GridSkeleton />
        )
      ) : first?.items.length === 0 ? (
        <NoPosts filtered={isFiltered} onShowAll={() => show({ search: '', automation: null, kind: null })} />
      ) : (
        <>
          <p role="status" className="mb-3 text-muted text-sm">
            {number.format(first?.total ?? 0)} {first?.total === 1 ? 'post' : 'posts'}
            {isFiltered && ' found'}
            {first?.syncedAt && (
              <>
                , synced <RelativeTime at={first.syncedAt} />
              </>
            )}
          </p>
          <ul className={cx(GRID, posts.isPlaceholderData && 'opacity-60 transition-opacity')}>
            {pages.map((page, place) => (
              <PageOfPosts key={page.items[0]?.id} posts={page.items} isFirst={place === 0} filters={filters} />
            ))}
          </ul>
          <LoadMore
            active={posts.hasNextPage && !posts.isFetchingNextPage && !posts.isFetchNextPageError}
            onReached={() => posts.fetchNextPage()}
          />
          {posts.isFetchingNextPage && <GridSkeleton rows={1} />}
          {posts.isFetchNextPageError && (
            <ErrorState title="The older posts could not be loaded" onRetry={() => posts.fetchNextPage()}>
              {posts.error?.message}
            </ErrorState>
          )}
        </>
      )}
      {(view.post !== null || view.editing !== null) && (
        <PostPanel
          key={view.post ?? view.editing}
          view={view}
          show={show}
          onClose={() => show({ post: null, editing: null, tab: 'automation', outcome: null })}
        />
      )}
    </>
  );
}

/** By itself, so that fetching page 30 does not draw the 29 before it again. */
const PageOfPosts = memo(function PageOfPosts({
  posts,
  isFirst,
  filters,
}: {
  posts: Post[];
  isFirst: boolean;
  filters: string;
}) {
  return posts.map((post, place) => {
    const address = new URLSearchParams(filters);
    address.set('post', post.id);
    return <PostCard key={post.id} post={post} eager={isFirst && place < 4} to={`${paths.postsAndReels}?${address}`} />;
  });
});

const GRID = 'grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:gap-4';

function SyncButton() {
  const { creatorId } = useCreator();
  const sync = useEndpointMutation(syncPosts, {
    refreshes: [listPosts],
    successToast: { title: 'Your posts are up to date' },
  });
  return (
    <Button variant="secondary" busy={sync.isPending} onClick={() => sync.mutate({ params: { creatorId } })}>
      {!sync.isPending && <RotateCw aria-hidden="true" className="size-4" />}
      Sync posts
    </Button>
  );
}

type Show = (change: Partial<PostsView>, options?: { replace?: boolean }) => void;

function Filters({ view, show }: { view: PostsView; show: Show }) {
  return (
    <search className="mb-4 flex flex-col gap-3 sm:flex-row">
      <div className="flex-1">
        <SearchField
          label="Search in captions"
          labelHidden
          placeholder="Search in captions"
          search={view.search}
          onSearch={(search) => show({ search }, { replace: true })}
        />
      </div>
      <div className="grid grid-cols-2 gap-3 sm:w-96">
        <Select
          aria-label="Automation"
          value={view.automation ?? ''}
          onChange={(event) => show({ automation: (event.target.value || null) as PostsView['automation'] })}
        >
          <option value="">On, off or none</option>
          <option value="on">Automation on</option>
          <option value="off">Automation off</option>
          <option value="none">No automation</option>
        </Select>
        <Select
          aria-label="Kind"
          value={view.kind ?? ''}
          onChange={(event) => show({ kind: (event.target.value || null) as PostsView['kind'] })}
        >
          <option value="">Posts and reels</option>
          <option value="reel">Reels only</option>
          <option value="post">Posts only</option>
        </Select>
      </div>
    </search>
  );
}

/** Asks for the next page well before its place comes into view. */
function LoadMore({ active, onReached }: { active: boolean; onReached: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const reached = useRef(onReached);
  reached.current = onReached;
  useEffect(() => {
    if (!active || !mark.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reached.current(), {
      rootMargin: '1200px 0px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [active]);
  return <div ref={mark} aria-hidden="true" className="h-px" />;
}

function NoPosts({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        icon={<Search className="size-7" />}
        title="No post fits"
        action={
          <Button variant="secondary" onClick={onShowAll}>
            Show all posts
          </Button>
        }
      >
        Try fewer words, or another filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Images className="size-7" />}
      title="No posts yet"
      action={
        <ButtonLink variant="secondary" to={settingsPath('connections')}>
          See your accounts
        </ButtonLink>
      }
    >
      Posts and reels of your connected Instagram account appear here by themselves.
    </EmptyState>
  );
}

function GridSkeleton({ rows = 2 }: { rows?: 1 | 2 }) {
  return (
    <Loading label="Loading your posts">
      <span className={cx(GRID, rows === 1 && 'mt-3')}>
        {Array.from({ length: rows * 4 }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes that never change places
          <span key={place} className="overflow-hidden rounded-lg border border-line bg-surface">
            <Skeleton className="aspect-4/5 rounded-none" />
            <span className="flex flex-col gap-2 p-3">
              <Skeleton className="h-4 w-full" />
              <Skeleton className="h-4 w-2/3" />
              <Skeleton className="h-5 w-24" />
            </span>
          </span>
        ))}
      </span>
    </Loading>
  );
}
