import { keepPreviousData } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { useSearchParams } from 'react-router';
import { getHome, HOME_DAYS } from '#contract/home.ts';
import { listInteractions } from '#contract/interactions.ts';
import { ActivityList, ActivitySkeleton } from '#web/features/activity/ActivityList.tsx';
import { CatchUpCard } from '#web/features/catch-up/CatchUpCard.tsx';
import { AskingPosts } from '#web/features/home/AskingPosts.tsx';
import { FirstSteps } from '#web/features/home/FirstSteps.tsx';
import { nextStep } from '#web/features/home/first-steps.ts';
import { FiguresSkeleton, HomeSkeleton } from '#web/features/home/HomeSkeleton.tsx';
import { QueueCards } from '#web/features/home/QueueCard.tsx';
import { Reasons } from '#web/features/home/Reasons.tsx';
import { useHomeNotices } from '#web/features/home/use-home-notices.ts';
import { BrokenLinkNotices } from '#web/features/link-guard/BrokenLinkNotices.tsx';
import { CaptionWarnings } from '#web/features/prepared-posts/CaptionWarnings.tsx';
import { PreparedNotices } from '#web/features/prepared-posts/PreparedNotices.tsx';
import { WakingPosts } from '#web/features/prepared-posts/WakingPosts.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useIsPainted } from '#web/shell/painted.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { Card } from '#web/ui/Card.tsx';
import { EmptyState } from '#web/ui/states.tsx';

// A new creator needs neither for days.
const HomeFigures = lazyPart(async () => (await import('#web/features/home/HomeFigures.tsx')).HomeFigures);
const FirstLink = lazyPart(async () => (await import('#web/features/home/FirstLink.tsx')).FirstLink);

// Brings the preview of a phone along, and is opened now and then.
const TurnOnDialog = lazyPart(async () => (await import('#web/features/prepared-posts/TurnOnDialog.tsx')).TurnOnDialog);

/** As `HomePage` asks for it. */
const ACTIVITY_ROWS = 20;

/** Everything of the home screen below its head: of a new creator the steps alone, until somebody comments. */
export function HomeContent({ creatorId }: { creatorId: string }) {
  const [params, setParams] = useSearchParams();
  const days = HOME_DAYS.find((count) => String(count) === params.get('days')) ?? HOME_DAYS[0];
  const home = useEndpoint(
    getHome,
    { params: { creatorId }, query: days === HOME_DAYS[0] ? {} : { days } },
    { placeholderData: keepPreviousData },
  );
  const noticesKnown = useHomeNotices(creatorId);
  useEndpointPages(listInteractions, { params: { creatorId }, query: { limit: ACTIVITY_ROWS } }, { unseen: true });
  // Told once, and shown until the page is left.
  const [celebrates, setCelebrates] = useState(false);
  if (home.data?.celebrates && !celebrates) setCelebrates(true);
  const shown = useDeferredValue(home.isSuccess && noticesKnown ? home.data : null, null);
  const show = (count: number) =>
    setParams(count === HOME_DAYS[0] ? {} : { days: String(count) }, { replace: true, preventScrollReset: true });
  // Here: the first that is turned on changes everything around the button.
  const [isTurningOn, setTurningOn] = useState(false);
  const turnOn = () => setTurningOn(true);
  return (
    <>
      <Loaded query={home} shown={shown} failed="Couldn’t load your results" skeleton={<HomeSkeleton />}>
        {(data) => {
          const { queue, steps, begun, outcomes } = data;
          if (!begun) return <FirstSteps steps={steps} onTurnOn={turnOn} />;
          return (
            <div className="flex flex-col gap-5">
              {celebrates && (
                <Suspense>
                  <FirstLink />
                </Suspense>
              )}
              {(queue.waiting > 0 || queue.paused) && <QueueCards />}
              <CatchUpCard postId={null} />
              <BrokenLinkNotices />
              <CaptionWarnings />
              {nextStep(steps)?.id !== 'automation' && <AskingPosts onTurnOn={turnOn} />}
              <PreparedNotices />
              <WakingPosts />
              <FirstSteps steps={steps} onTurnOn={turnOn} />
              <Suspense fallback={<FiguresSkeleton />}>
                <HomeFigures home={data} days={days} onDays={show} />
              </Suspense>
              <RecentActivity everythingSetUp={nextStep(steps) === null}>
                <Reasons outcomes={outcomes} days={data.days.length} />
              </RecentActivity>
            </div>
          );
        }}
      </Loaded>
      {isTurningOn && (
        <Suspense>
          <TurnOnDialog onClose={() => setTurningOn(false)} />
        </Suspense>
      )}
    </>
  );
}

function RecentActivity({ everythingSetUp, children }: { everythingSetUp: boolean; children: ReactNode }) {
  const isCardPainted = useIsPainted();
  return (
    <Card title="Activity" description="What followers wrote and what was sent. New activity shows up here.">
      {children}
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
