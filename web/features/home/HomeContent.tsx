import { MessageCircle } from 'lucide-react';
import { useDeferredValue } from 'react';
import { getHome } from '#contract/home.ts';
import { listInteractions } from '#contract/interactions.ts';
import { ActivityList, ActivitySkeleton } from '#web/features/activity/ActivityList.tsx';
import { CatchUpCard } from '#web/features/catch-up/CatchUpCard.tsx';
import { AskingPosts } from '#web/features/home/AskingPosts.tsx';
import { DayChart } from '#web/features/home/DayChart.tsx';
import { FirstSteps } from '#web/features/home/FirstSteps.tsx';
import { nextStep } from '#web/features/home/first-steps.ts';
import { HomeSkeleton } from '#web/features/home/HomeSkeleton.tsx';
import { QueueCards } from '#web/features/home/QueueCard.tsx';
import { useHomeNotices } from '#web/features/home/use-home-notices.ts';
import { WeekFigures } from '#web/features/home/WeekFigures.tsx';
import { BrokenLinkNotices } from '#web/features/link-guard/BrokenLinkNotices.tsx';
import { CaptionWarnings } from '#web/features/prepared-posts/CaptionWarnings.tsx';
import { PreparedNotices } from '#web/features/prepared-posts/PreparedNotices.tsx';
import { WakingPosts } from '#web/features/prepared-posts/WakingPosts.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useIsPainted } from '#web/shell/painted.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { Card } from '#web/ui/Card.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** As `HomePage` asks for it. */
const ACTIVITY_ROWS = 20;

/** Everything of the home screen below its head. */
export function HomeContent({ creatorId }: { creatorId: string }) {
  const home = useEndpoint(getHome, { params: { creatorId }, query: {} });
  const noticesKnown = useHomeNotices(creatorId);
  useEndpointPages(listInteractions, { params: { creatorId }, query: { limit: ACTIVITY_ROWS } }, { unseen: true });
  const shown = useDeferredValue(home.isSuccess && noticesKnown ? home.data : null, null);
  return (
    <Loaded query={home} shown={shown} failed="Couldn’t load your results" skeleton={<HomeSkeleton />}>
      {({ queue, steps, figures, before, days }) => (
        <div className="flex flex-col gap-5">
          {(queue.waiting > 0 || queue.paused) && <QueueCards />}
          <CatchUpCard postId={null} />
          <BrokenLinkNotices />
          <CaptionWarnings />
          {nextStep(steps)?.id !== 'automation' && <AskingPosts />}
          <PreparedNotices />
          <WakingPosts />
          <FirstSteps steps={steps} />
          {steps.some((step) => step.id === 'connect' && step.done) && (
            <>
              <div className="grid gap-5 lg:grid-cols-[3fr_2fr]">
                <WeekFigures figures={figures} before={before} />
                <DayChart days={days} />
              </div>
              <RecentActivity everythingSetUp={nextStep(steps) === null} />
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}

function RecentActivity({ everythingSetUp }: { everythingSetUp: boolean }) {
  const isCardPainted = useIsPainted();
  return (
    <Card title="Activity" description="What followers wrote and what was sent. New activity shows up here.">
      {isCardPainted ? (
        <ActivityList
          filter={{}}
          pageSize={ACTIVITY_ROWS}
          empty={
            <EmptyState
              icon={<MessageCircle className="size-7" />}
              title="No activity yet"
              action={
                !everythingSetUp && (
                  <ButtonLink variant="secondary" to={paths.postsAndReels}>
                    Choose a post
                  </ButtonLink>
                )
              }
            >
              Every comment on your posts shows up here, with what was sent and why.
            </EmptyState>
          }
        />
      ) : (
        <ActivitySkeleton />
      )}
    </Card>
  );
}
