import { useQueryClient } from '@tanstack/react-query';
import { ExternalLink, X } from 'lucide-react';
import { type Automation, getAutomation } from '#contract/automations.ts';
import { listConnections } from '#contract/connections.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getPost, listPosts } from '#contract/posts.ts';
import { AnyPostAutomation } from '#web/features/automations/AnyPostAutomation.tsx';
import { PostAutomations } from '#web/features/automations/PostAutomations.tsx';
import { CatchUpCard } from '#web/features/catch-up/CatchUpCard.tsx';
import { FiguresPanel } from '#web/features/figures/FiguresPanel.tsx';
import { QueueCards } from '#web/features/home/QueueCard.tsx';
import { PostComments } from '#web/features/posts/PostComments.tsx';
import { kindOf, postTitle } from '#web/features/posts/post-title.ts';
import type { PanelTab, PostsView } from '#web/features/posts/posts-address.ts';
import { TestYourself } from '#web/features/posts/TestYourself.tsx';
import { MakeShoppable } from '#web/features/recipes/MakeShoppable.tsx';
import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { Loaded, type LoadedProps } from '#web/shell/Loaded.tsx';
import { queryKey, useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

type Props = {
  view: PostsView;
  show: (change: Partial<PostsView>, options?: { replace?: boolean }) => void;
  onClose: () => void;
};

/** A post opened from the grid: its automation, a live test, and what became of its comments. */
export function PostPanel({ view, show, onClose }: Props) {
  const { creatorId } = useCreator();
  const editsOne = view.post === null && view.editing !== null && !['new', 'next'].includes(view.editing);
  const automation = useEndpoint(
    getAutomation,
    { params: { creatorId, automationId: view.editing ?? '' } },
    { enabled: editsOne },
  );
  // An automation's own link names no post: it is looked up.
  const postId = view.post ?? (editsOne ? postOf(automation.data) : null);
  const post = useEndpoint(getPost, { params: { creatorId, postId: postId ?? '' } }, { enabled: postId !== null });
  const listed = useListedPost(post.data ? null : postId);
  const caption = (post.data ?? listed)?.caption;
  const title = caption !== undefined ? postTitle(caption, 120) : postId === null ? 'Automation' : 'Loading the post';

  const anyPost = (found: Automation | null) => (
    <AnyPost automation={found} isPrepared={view.editing === 'next'} show={show} onClose={onClose} />
  );
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={title} width="wide" bare>
      {postId !== null ? (
        <OnePost postId={postId} view={view} show={show} onClose={onClose} />
      ) : editsOne ? (
        <PanelLoaded query={automation} failed="Couldn’t load the automation" onClose={onClose}>
          {anyPost}
        </PanelLoaded>
      ) : (
        anyPost(null)
      )}
    </Sheet>
  );
}

function OnePost({ postId, view, show, onClose }: Props & { postId: string }) {
  const { creatorId } = useCreator();
  const post = useEndpoint(getPost, { params: { creatorId, postId } });
  return (
    <PanelLoaded query={post} failed="Couldn’t load the post" onClose={onClose}>
      {(data) => (
        <div className="flex min-h-full flex-col">
          <header className="flex items-start gap-3 px-4 pt-4 sm:px-6">
            <Picture src={data.pictureUrl} alt="" className="size-14 shrink-0" />
            <div className="min-w-0 flex-1">
              <h2 className="line-clamp-2 font-semibold leading-snug">
                <bdi>{postTitle(data.caption, 120)}</bdi>
              </h2>
              <p className="flex flex-wrap items-center gap-x-3 text-muted text-sm">
                <span>
                  {kindOf(data)}, <RelativeTime at={data.postedAt} />
                </span>
                {data.permalink && (
                  <a
                    href={data.permalink}
                    target="_blank"
                    rel="noreferrer"
                    className={`${TEXT_LINK} -my-3 inline-flex min-h-11 items-center gap-1 md:my-0 md:min-h-0`}
                  >
                    Open on Instagram
                    <ExternalLink aria-hidden="true" className="size-3.5" />
                    <span className="sr-only"> (opens in a new tab)</span>
                  </a>
                )}
              </p>
            </div>
            <IconButton label="Close" className="-mr-2" onClick={onClose}>
              <X aria-hidden="true" className="size-5" />
            </IconButton>
          </header>
          {data.caption.trim() !== postTitle(data.caption, 120) && (
            <details className="group px-4 text-sm sm:px-6">
              <summary
                className={`${TEXT_LINK} inline-flex min-h-11 list-none items-center md:min-h-9 [&::-webkit-details-marker]:hidden`}
              >
                <span className="group-open:hidden">Show full caption</span>
                <span className="hidden group-open:inline">Hide caption</span>
              </summary>
              <p
                className="max-h-60 overflow-y-auto whitespace-pre-line break-words rounded-md bg-sunken p-3"
                dir="auto"
              >
                {data.caption}
              </p>
            </details>
          )}
          {!data.gone && (
            <div className="px-4 pt-2 sm:px-6">
              <MakeShoppable
                post={data}
                onOpenAutomation={(editing) => show({ post: postId, editing, tab: 'automation' })}
              />
            </div>
          )}
          {data.gone && (
            <Alert variant="warning" title="This post is no longer on Instagram" className="mx-4 mt-2 sm:mx-6">
              No one can comment on it anymore. Its activity stays here.
            </Alert>
          )}
          {data.automation === 'on' && (
            <div className="flex flex-col gap-4 px-4 pt-4 pb-2 empty:hidden sm:px-6">
              {data.waiting > 0 && <QueueCards level={3} post={data} />}
              <CatchUpCard postId={postId} level={3} />
            </div>
          )}
          <div className="flex flex-1 flex-col px-4 sm:px-6 [&>div]:flex [&>div]:flex-1 [&>div]:flex-col">
            <Tabs
              label="Parts of this post"
              value={view.tab}
              onValueChange={(tab) => show({ tab: tab as PanelTab }, { replace: true })}
              tabs={[
                { value: 'automation', label: 'Automation' },
                { value: 'test', label: 'Test it live' },
                { value: 'comments', label: 'Comments' },
                { value: 'figures', label: 'Results' },
              ]}
            >
              <TabPanel value="automation" keep>
                <PostAutomations
                  post={data}
                  editing={view.editing}
                  onEdit={(editing, options) => show({ post: postId, editing }, options)}
                  onTest={() => show({ tab: 'test' }, { replace: true })}
                />
              </TabPanel>
              <TabPanel value="test">
                <TestYourself post={data} onEdit={() => show({ tab: 'automation' }, { replace: true })} />
              </TabPanel>
              <TabPanel value="comments">
                <PostComments
                  post={data}
                  outcome={view.outcome}
                  onOutcome={(outcome) => show({ outcome }, { replace: true })}
                />
              </TabPanel>
              <TabPanel value="figures">
                <FiguresPanel of={{ postId }} />
              </TabPanel>
            </Tabs>
          </div>
        </div>
      )}
    </PanelLoaded>
  );
}

/** From a list that is read already: screen readers say the panel's name once, as it opens. */
function useListedPost(postId: string | null) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  if (postId === null) return undefined;
  return client
    .getQueriesData<Partial<ResponseOf<typeof listPosts>>>({ queryKey: queryKey(listPosts, { params: { creatorId } }) })
    .flatMap(([, list]) => list?.items ?? [])
    .find(({ id }) => id === postId);
}

/** Stories and lives have no panel here: their automations are edited without one. */
function postOf(automation: Automation | undefined): string | null {
  return automation?.trigger === 'comment' ? automation.postId : null;
}

/** An automation that is not of one post. */
function AnyPost({
  automation,
  isPrepared,
  show,
  onClose,
}: {
  automation: Parameters<typeof AnyPostAutomation>[0]['automation'];
  /** A new one begins as one for the next post. */
  isPrepared: boolean;
  show: Props['show'];
  onClose: () => void;
}) {
  const { creatorId } = useCreator();
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  return (
    <PanelLoaded query={connections} failed="Couldn’t load your accounts" onClose={onClose}>
      {({ items }) => (
        <div className="flex min-h-full flex-col px-4 pt-4 sm:px-6">
          <header className="mb-4 flex items-start justify-between gap-3">
            <div>
              <h2 className="font-semibold text-lg">{automation ? automation.name : 'New automation'}</h2>
              {isPrepared && <p className="text-muted text-sm">Set it up now. It attaches itself when you post.</p>}
            </div>
            <IconButton label="Close" className="-mr-2" onClick={onClose}>
              <X aria-hidden="true" className="size-5" />
            </IconButton>
          </header>
          <AnyPostAutomation
            automation={automation}
            connections={items}
            {...(isPrepared && { scope: 'next' })}
            onCreated={(editing) => show({ editing }, { replace: true })}
            onDeleted={onClose}
          />
        </div>
      )}
    </PanelLoaded>
  );
}

type PanelLoadedProps<T> = Pick<LoadedProps<T>, 'query' | 'failed' | 'children'> & { onClose: () => void };

/** A panel that waits for its answer, with the way out above. */
function PanelLoaded<T>({ onClose, ...props }: PanelLoadedProps<T>) {
  return (
    <Loaded
      {...props}
      loading="Loading the post"
      skeleton={
        <span className="flex flex-col gap-4">
          <span className="-mt-10 mr-12 flex gap-3">
            <Skeleton className="size-14" />
            <span className="flex flex-1 flex-col gap-2 pt-1">
              <Skeleton className="h-5 w-2/3" />
              <Skeleton className="h-4 w-32" />
            </span>
          </span>
          <Skeleton className="h-10 w-72" />
          <Skeleton className="h-52" />
          <Skeleton className="h-64" />
        </span>
      }
      around={(frame) => (
        <div className="px-4 pt-4 sm:px-6">
          <div className="flex justify-end">
            <IconButton label="Close" onClick={onClose}>
              <X aria-hidden="true" className="size-5" />
            </IconButton>
          </div>
          {frame}
        </div>
      )}
    />
  );
}
