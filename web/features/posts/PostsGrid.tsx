import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { memo, type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import { listPosts, type Post } from '#contract/posts.ts';
import { PostCard } from '#web/features/posts/PostCard.tsx';
import { paths } from '#web/paths.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { queryKey, useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';

export type PostsFilter = Pick<QueryOf<typeof listPosts>, 'search' | 'automation' | 'kind' | 'sort'>;

/** Full rows in every grid: of two, three and four. So few that a slow phone draws them between two frames of scrolling. */
const PAGE_SIZE = 24;
/** How far from the screen a page begins to exist. */
const NEAR = '1200px 0px';
/** A page that came into view again within this time is not asked for, unless something changed. */
const FRESH_MS = 60_000;

const requestOf = (creatorId: string, filter: PostsFilter, after: string | null) => ({
  params: { creatorId },
  query: { ...filter, limit: PAGE_SIZE, ...(after !== null && { after }) },
});

/** The first posts that pass the filter, how many do, and how old that is; while it changes, those of the filter before. */
export function useFirstPosts(filter: PostsFilter) {
  const { creatorId } = useCreator();
  return useEndpoint(listPosts, requestOf(creatorId, filter, null), {
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
}

/**
 * All posts that pass a filter; remount it for another one (`key`). Each page of the list is a query of its own, and
 * exists only while it is near the screen: a change asks for what is looked at, not for a hundred pages, and 3,000 posts weigh
 * no more than a hundred.
 *
 * @param props.address the search of the address to which a card adds its post
 */
export function PostsGrid({ filter, address, faded }: { filter: PostsFilter; address: string; faded: boolean }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  /** Where each page begins, as far as the list is known; also from an earlier visit, so that its height is the same. */
  const [starts, setStarts] = useState(() => {
    const known: (string | null)[] = [null];
    for (;;) {
      const key = queryKey(listPosts, requestOf(creatorId, filter, known.at(-1)!));
      const next = client.getQueryData<ResponseOf<typeof listPosts>>(key)?.next ?? null;
      if (next === null || known.includes(next)) return known;
      known.push(next);
    }
  });
  const [pageHeight, setPageHeight] = useState(0);
  /** The rows after a page may change: new posts push others from page to page. */
  const onNext = (place: number, next: string | null) =>
    setStarts((now) => {
      const kept = now.slice(0, place + 1);
      if (next === null) return now.length === kept.length ? now : kept;
      return now[place + 1] === next ? now : [...kept, next];
    });
  return (
    <div className={cx('flex flex-col gap-3 xl:gap-4', faded && 'opacity-60 transition-opacity')}>
      {starts.map((after, place) => (
        <PostsPart
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place, wherever it begins
          key={place}
          filter={filter}
          address={address}
          after={after}
          place={place}
          usualHeight={pageHeight}
          onNext={onNext}
          onHeight={setPageHeight}
        />
      ))}
    </div>
  );
}

type PartProps = {
  filter: PostsFilter;
  address: string;
  after: string | null;
  place: number;
  usualHeight: number;
  onNext: (place: number, next: string | null) => void;
  onHeight: (height: number) => void;
};

/** One page; while it is far away, an empty place as high as it was. */
function PostsPart({ usualHeight, ...props }: PartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const near = useNear(box, props.place === 0, setHeight);
  return (
    <div ref={box} style={near ? undefined : { height: height ?? usualHeight }}>
      {near && <NearPart {...props} />}
    </div>
  );
}

/** @param onLeave told how high it was when it goes out of reach */
function useNear(box: RefObject<HTMLElement | null>, atFirst: boolean, onLeave: (height: number) => void): boolean {
  const [near, setNear] = useState(atFirst);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry === undefined) return;
        if (!entry.isIntersecting) onLeave(entry.boundingClientRect.height);
        // In small steps that give way to the finger.
        startTransition(() => setNear(entry.isIntersecting));
      },
      { rootMargin: NEAR },
    );
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, onLeave]);
  return near;
}

function NearPart({ filter, address, after, place, onNext, onHeight }: Omit<PartProps, 'usualHeight'>) {
  const { creatorId } = useCreator();
  // Begins the page elsewhere than before, what it showed stays until it is known what it shows now.
  const posts = useEndpoint(listPosts, requestOf(creatorId, filter, after), {
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
  const list = useRef<HTMLUListElement>(null);
  const { data, isPlaceholderData } = posts;
  useLayoutEffect(() => {
    if (data === undefined || isPlaceholderData) return;
    onNext(place, data.next);
    if (place === 0 && list.current) onHeight(list.current.offsetHeight);
  });
  const first = place * PAGE_SIZE + 1;
  return (
    <Loaded query={posts} failed="Couldn’t load the older posts" skeleton={<GridSkeleton rows={place === 0 ? 2 : 1} />}>
      {({ items }) => (
        <ul ref={list} className={GRID} aria-label={`Posts ${first} to ${first + items.length - 1}`}>
          <Cards posts={items} isFirst={place === 0} address={address} />
        </ul>
      )}
    </Loaded>
  );
}

/** By itself, so that a page that grows does not draw the others again. */
const Cards = memo(function Cards({ posts, isFirst, address }: { posts: Post[]; isFirst: boolean; address: string }) {
  return posts.map((post, place) => {
    const search = new URLSearchParams(address);
    search.set('post', post.id);
    return <PostCard key={post.id} post={post} eager={isFirst && place < 4} to={`${paths.postsAndReels}?${search}`} />;
  });
});

const GRID = 'grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:gap-4';

export function GridSkeleton({ rows = 2 }: { rows?: 1 | 2 }) {
  return (
    <Loading label="Loading your posts">
      <span className={GRID}>
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
