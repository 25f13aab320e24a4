import { CircleDashed, RotateCw } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { listLives, listStories, readStories, type Story } from '#contract/stories.ts';
import { AnyStoryAutomations } from '#web/features/stories/AnyStoryAutomations.tsx';
import { LiveConsole } from '#web/features/stories/LiveConsole.tsx';
import { STORY_GRID, StoryCard } from '#web/features/stories/StoryCard.tsx';
import { StoryPanel } from '#web/features/stories/StoryPanel.tsx';
import { readStoriesView, type StoriesView, writeStoriesView } from '#web/features/stories/stories-address.ts';
import { paths, settingsPath, storyPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const PAGE_SIZE = 24;
/** How long an ended live stays at the top with what was missed. */
const JUST_OVER_MS = 24 * 3_600_000;

/** Stories that run and that are over, the live console, and the automations for any of them. */
export function Component() {
  const [params, setParams] = useSearchParams();
  const view = readStoriesView(params);
  const show = (change: Partial<StoriesView>, options?: { replace?: boolean }) =>
    setParams(writeStoriesView({ ...view, ...change }), {
      replace: options?.replace ?? false,
      preventScrollReset: true,
    });
  return (
    <>
      <PageHeader
        title="Stories & Lives"
        description="Anyone who replies to your story or comments on your live gets your link."
        actions={
          <>
            <LookButton />
            <ButtonLink variant="secondary" to={paths.storiesAndLivesAnalytics}>
              Analytics
            </ButtonLink>
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <LatestLive />
        <RunningStories />
        <div className="grid gap-4 lg:grid-cols-2">
          <AnyStoryAutomations kind="story" />
          <AnyStoryAutomations kind="live" />
        </div>
        <Over kind="story" />
        <Over kind="live" />
      </div>
      {(view.id !== null || view.editing !== null) && (
        <StoryPanel
          key={view.id ?? 'any'}
          view={view}
          show={show}
          onClose={() => show({ kind: 'story', id: null, editing: null, tab: 'automation' })}
        />
      )}
    </>
  );
}

function LookButton() {
  const { creatorId } = useCreator();
  const looking = useEndpointMutation(readStories, {
    successToast: { title: 'Up to date with Instagram' },
    refreshes: [listStories, listLives],
  });
  return (
    <Button variant="secondary" busy={looking.isPending} onClick={() => looking.mutate({ params: { creatorId } })}>
      {!looking.isPending && <RotateCw aria-hidden="true" className="size-4" />}
      Refresh
    </Button>
  );
}

function LatestLive() {
  const { creatorId } = useCreator();
  const now = useNow();
  const lives = useEndpoint(listLives, { params: { creatorId }, query: { limit: 5 } });
  const shown = lives.data?.items.filter(
    (live, place) => live.endedAt === null || (place === 0 && now - Date.parse(live.endedAt) < JUST_OVER_MS),
  );
  return shown?.map((live) => <LiveConsole key={live.id} live={live} />);
}

function RunningStories() {
  const { creatorId } = useCreator();
  const running = useEndpoint(listStories, { params: { creatorId }, query: { state: 'running', limit: 100 } });
  return (
    <section aria-labelledby="running">
      <h2 id="running" className="mb-3 font-semibold text-lg">
        On Instagram now
      </h2>
      <Loaded
        query={running}
        loading="Loading your stories"
        failed="Couldn’t load your stories"
        skeleton={<GridSkeleton />}
      >
        {({ items, readAt }) =>
          items.length === 0 ? <NoStories everRead={readAt !== null} /> : <Grid stories={items} />
        }
      </Loaded>
    </section>
  );
}

function NoStories({ everRead }: { everRead: boolean }) {
  const { creatorAccount } = useCreator();
  const connected = everRead || creatorAccount.instagramAvatarUrl !== null;
  return (
    <div className="rounded-lg border border-line bg-surface">
      {connected ? (
        <EmptyState icon={<CircleDashed className="size-7" />} title="No stories right now">
          Post a story on Instagram. It shows up here within 15 minutes, or when you tap “Refresh”. An automation for
          any story replies right away.
        </EmptyState>
      ) : (
        <EmptyState
          icon={<CircleDashed className="size-7" />}
          title="Connect Instagram"
          action={<ButtonLink to={settingsPath('connections')}>Connect an account</ButtonLink>}
        >
          Your stories and lives show up here once your account is connected.
        </EmptyState>
      )}
    </div>
  );
}

function Over({ kind }: { kind: Story['kind'] }) {
  const { creatorId } = useCreator();
  const endpoint = (kind === 'story' ? listStories : listLives) as typeof listLives;
  const pages = useEndpointPages(endpoint, { params: { creatorId }, query: { state: 'over', limit: PAGE_SIZE } });
  if (pages.data?.pages.every((page) => page.items.length === 0)) return null;
  const title = kind === 'story' ? 'Past stories' : 'Past live videos';
  return (
    <section aria-labelledby={`over-${kind}`}>
      <h2 id={`over-${kind}`} className="mb-3 font-semibold text-lg">
        {title}
      </h2>
      <PagedList
        query={pages}
        loading="Loading your stories"
        failed={`Couldn’t load ${title.toLowerCase()}`}
        skeleton={<GridSkeleton />}
        empty={null}
        more="Show older"
      >
        {(stories) => <Grid stories={stories} tab="replies" />}
      </PagedList>
    </section>
  );
}

function Grid({ stories, tab }: { stories: Story[]; tab?: 'replies' }) {
  return (
    <ul className={STORY_GRID}>
      {stories.map((story) => (
        <StoryCard
          key={story.id}
          story={story}
          to={`${storyPath(story.kind, story.id)}${tab === undefined ? '' : `&tab=${tab}`}`}
        />
      ))}
    </ul>
  );
}

function GridSkeleton() {
  return (
    <span className={STORY_GRID}>
      {[1, 2, 3, 4].map((card) => (
        <Skeleton key={card} className="aspect-9/16 h-auto" />
      ))}
    </span>
  );
}
