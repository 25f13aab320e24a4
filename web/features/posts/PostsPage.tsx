import { Images, RotateCw, Search, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { listConnections } from '#contract/connections.ts';
import { listPosts, syncPosts } from '#contract/posts.ts';
import { listCaptionWarnings } from '#contract/prepared-posts.ts';
import { ConnectButtons } from '#web/features/connections/ConnectButtons.tsx';
import { PostPanel } from '#web/features/posts/PostPanel.tsx';
import { GridSkeleton, PostsGrid, useFirstPosts } from '#web/features/posts/PostsGrid.tsx';
import { type PostsView, readPostsView, writePostsView } from '#web/features/posts/posts-address.ts';
import { CaptionWarnings } from '#web/features/prepared-posts/CaptionWarnings.tsx';
import { PreparedCard } from '#web/features/prepared-posts/PreparedCard.tsx';
import { settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { ROOMY } from '#web/shell/breakpoints.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useMedia } from '#web/shell/media.ts';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Select } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** All posts and reels, searched and filtered; a post opens its panel over the grid. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const isRoomy = useMedia(ROOMY);
  const view = readPostsView(params);
  const show = (change: Partial<PostsView>, options?: { replace?: boolean }) =>
    setParams(writePostsView({ ...view, ...change }), { replace: options?.replace ?? false, preventScrollReset: true });

  const filter = {
    ...(view.search !== '' && { search: view.search }),
    ...(view.automation && { automation: view.automation }),
    ...(view.kind && { kind: view.kind }),
  };
  const request = { ...filter, ...(view.sort !== 'newest' && { sort: view.sort }) };
  const posts = useFirstPosts(request);
  const isFiltered = Object.keys(filter).length > 0;
  const address = writePostsView({ ...view, post: null, editing: null, tab: 'automation', outcome: null }).toString();
  /** The grid on screen: the one before while the first posts of another filter are on their way. */
  const [shown, setShown] = useState({ filter: request, address });
  if (!posts.isPlaceholderData && shown.address !== address) setShown({ filter: request, address });

  return (
    <>
      <PageHeader
        title="Posts & Reels"
        description={isRoomy ? 'Choose a post to set up its reply.' : undefined}
        compact={!isRoomy}
        actions={<SyncButton short={!isRoomy} />}
      />
      {isRoomy && <AboveTheGrid />}
      <Filters view={view} show={show} folded={!isRoomy} />
      <Loaded query={posts} failed="Couldn’t load your posts" skeleton={<GridSkeleton />}>
        {(first) =>
          first.items.length === 0 ? (
            <NoPosts filtered={isFiltered} onShowAll={() => show({ search: '', automation: null, kind: null })} />
          ) : (
            <>
              <p role="status" className="mb-3 text-muted text-sm max-sm:mb-2">
                {numerals(first.total)} {first.total === 1 ? 'post' : 'posts'}
                {isFiltered && ' found'}
                {first.syncedAt && (
                  <>
                    , synced <RelativeTime at={first.syncedAt} />
                  </>
                )}
              </p>
              <PostsGrid key={shown.address} {...shown} faded={posts.isPlaceholderData} />
            </>
          )
        }
      </Loaded>
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

/** Actions that are not about one post; on a phone, where the pictures come first, behind a button of the filters. */
function AboveTheGrid() {
  return (
    <>
      <CaptionWarnings className="mb-4" />
      <PreparedCard />
    </>
  );
}

function SyncButton({ short }: { short: boolean }) {
  const { creatorId } = useCreator();
  const sync = useEndpointMutation(syncPosts, {
    refreshes: [listPosts],
    successToast: { title: 'Your posts are up to date' },
  });
  return (
    <Button
      variant="secondary"
      size={short ? 'icon' : 'normal'}
      busy={sync.isPending}
      onClick={() => sync.mutate({ params: { creatorId } })}
    >
      {!sync.isPending && <RotateCw aria-hidden="true" className="size-4" />}
      <span className={short ? 'sr-only' : undefined}>Sync posts</span>
    </Button>
  );
}

type Show = (change: Partial<PostsView>, options?: { replace?: boolean }) => void;

/** @param props.folded only the search, with a button for the rest */
function Filters({ view, show, folded }: { view: PostsView; show: Show; folded: boolean }) {
  const { creatorId } = useCreator();
  const [open, setOpen] = useState(false);
  const warnings = useEndpoint(listCaptionWarnings, { params: { creatorId }, query: {} }, { enabled: folded });
  const toFix = warnings.data?.items.length ?? 0;
  const chosen = Number(view.automation !== null) + Number(view.kind !== null) + Number(view.sort !== 'newest');
  return (
    <>
      <search className="mb-4 flex flex-col gap-3 max-sm:mb-2 sm:flex-row">
        <div className="flex flex-1 gap-2">
          <div className="min-w-0 flex-1">
            <SearchField
              label="Search in captions"
              labelHidden
              placeholder="Search in captions"
              search={view.search}
              onSearch={(search) => show({ search }, { replace: true })}
            />
          </div>
          {folded && (
            <Button
              variant="secondary"
              size="icon"
              className="relative"
              aria-expanded={open}
              aria-label={`Filter and sort${chosen > 0 ? `, ${chosen} chosen` : ''}${toFix > 0 ? `, ${toFix} to fix` : ''}`}
              onClick={() => setOpen(!open)}
            >
              <SlidersHorizontal aria-hidden="true" className="size-4" />
              {chosen + toFix > 0 && (
                <span
                  aria-hidden="true"
                  className={cx(
                    'absolute -top-2 -right-2 min-w-5 rounded-full px-1 font-semibold text-xs leading-5',
                    toFix > 0 ? 'bg-warning-soft text-warning-ink' : 'bg-accent text-on-accent',
                  )}
                >
                  {chosen + toFix}
                </span>
              )}
            </Button>
          )}
        </div>
        {(!folded || open) && <Choices view={view} show={show} />}
      </search>
      {folded && open && <AboveTheGrid />}
    </>
  );
}

function Choices({ view, show }: { view: PostsView; show: Show }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:w-2/3 sm:grid-cols-3">
      <Select
        aria-label="Automation"
        className="col-span-2 sm:col-span-1"
        value={view.automation ?? ''}
        onChange={(event) => show({ automation: (event.target.value || null) as PostsView['automation'] })}
      >
        <option value="">All posts</option>
        <option value="asks">Asks, no reply yet</option>
        <option value="on">Automation on</option>
        <option value="off">Automation off</option>
        <option value="none">No automation</option>
      </Select>
      <Select
        aria-label="Kind"
        value={view.kind ?? ''}
        onChange={(event) => show({ kind: (event.target.value || null) as PostsView['kind'] })}
      >
        <option value="">Posts &amp; reels</option>
        <option value="reel">Reels only</option>
        <option value="post">Posts only</option>
      </Select>
      <Select
        aria-label="Sort"
        value={view.sort}
        onChange={(event) => show({ sort: event.target.value as PostsView['sort'] })}
      >
        <option value="newest">Newest first</option>
        <option value="comments">Most comments</option>
      </Select>
    </div>
  );
}

function NoPosts({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  const { creatorId } = useCreator();
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  if (filtered) {
    return (
      <EmptyState
        icon={<Search className="size-7" />}
        title="No posts match"
        action={
          <Button variant="secondary" onClick={onShowAll}>
            Show all posts
          </Button>
        }
      >
        Try a shorter search or another filter.
      </EmptyState>
    );
  }
  if (connections.data && !connections.data.items.some(({ health }) => health !== 'disconnected')) {
    return (
      <EmptyState
        icon={<Images className="size-7" />}
        title="Connect Instagram"
        action={<ConnectButtons creatorId={creatorId} />}
      >
        Your posts and reels show up here once your account is connected.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Images className="size-7" />}
      title="No posts yet"
      action={
        <ButtonLink variant="secondary" to={settingsPath('connections')}>
          See accounts
        </ButtonLink>
      }
    >
      Posts and reels from your connected Instagram account show up here.
    </EmptyState>
  );
}
