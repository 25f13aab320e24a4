import { useQueries } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { previewCatchUp } from '#contract/catch-up.ts';
import { getHome } from '#contract/figures.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listQueues } from '#contract/queue.ts';
import { ActivityList } from '#web/features/activity/ActivityList.tsx';
import { CatchUpCard } from '#web/features/catch-up/CatchUpCard.tsx';
import { DayChart } from '#web/features/home/DayChart.tsx';
import { FirstSteps } from '#web/features/home/FirstSteps.tsx';
import { nextStep } from '#web/features/home/first-steps.ts';
import { HomeSkeleton } from '#web/features/home/HomeSkeleton.tsx';
import { QueueCards } from '#web/features/home/QueueCard.tsx';
import { WeekFigures } from '#web/features/home/WeekFigures.tsx';
import { BrokenLinkNotices } from '#web/features/link-guard/BrokenLinkNotices.tsx';
import { CaptionWarnings } from '#web/features/prepared-posts/CaptionWarnings.tsx';
import { PreparedNotices } from '#web/features/prepared-posts/PreparedNotices.tsx';
import { WakingPosts } from '#web/features/prepared-posts/WakingPosts.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { endpointQuery, useEndpoint } from '#web/shell/queries.ts';
import { Card } from '#web/ui/Card.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

/** Everything of the home screen below its head. */
export function HomeContent({ creatorId }: { creatorId: string }) {
  const home = useEndpoint(getHome, { params: { creatorId } });
  const noticesKnown = useNoticesKnown(creatorId);
  if (home.isError) {
    return (
      <ErrorState title="Your figures could not be loaded" onRetry={() => home.refetch()} retrying={home.isFetching}>
        {home.error.detail}
      </ErrorState>
    );
  }
  const isReady = home.isSuccess && noticesKnown;
  return (
    <div className="flex flex-col gap-5">
      {!isReady && <HomeSkeleton />}
      <div className={isReady ? 'contents' : 'hidden'}>
        {home.isSuccess && (home.data.queue.waiting > 0 || home.data.queue.paused) && <QueueCards />}
        <CatchUpCard postId={null} />
        <BrokenLinkNotices />
        <CaptionWarnings />
        <PreparedNotices />
        <WakingPosts />
      </div>
      {isReady && (
        <>
          <FirstSteps steps={home.data.steps} />
          {home.data.steps.some((step) => step.id === 'connect' && step.done) && (
            <>
              <div className="grid gap-5 lg:grid-cols-[3fr_2fr]">
                <WeekFigures week={home.data.week} weekBefore={home.data.weekBefore} />
                <DayChart days={home.data.days} />
              </div>
              <RecentActivity everythingSetUp={nextStep(home.data.steps) === null} />
            </>
          )}
        </>
      )}
    </div>
  );
}

/** What may stand above the figures is asked for beside them, so that nothing pushes them down once they are there. */
function useNoticesKnown(creatorId: string): boolean {
  const request = { params: { creatorId } };
  return useQueries({
    queries: [
      endpointQuery(listQueues, request),
      endpointQuery(listLinkChecks, request),
      endpointQuery(previewCatchUp, request),
      endpointQuery(listCaptionWarnings, { ...request, query: {} }),
      endpointQuery(listPreparedPosts, request),
      endpointQuery(listWakingPosts, request),
    ],
    combine: areKnown,
  });
}

/** One that fails is tried again, and nobody waits for that. */
function areKnown(notices: { isPending: boolean; failureCount: number }[]): boolean {
  return notices.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}

function RecentActivity({ everythingSetUp }: { everythingSetUp: boolean }) {
  return (
    <Card title="Activity" description="What followers wrote and what became of it. New rows arrive by themselves.">
      <ActivityList
        filter={{}}
        empty={
          <EmptyState
            icon={<MessageCircle className="size-7" />}
            title="Nothing yet"
            action={
              !everythingSetUp && (
                <ButtonLink variant="secondary" to={paths.postsAndReels}>
                  Pick a post
                </ButtonLink>
              )
            }
          >
            Every comment on your posts appears here, with what was sent and why.
          </EmptyState>
        }
      />
    </Card>
  );
}
