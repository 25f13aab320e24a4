import { Suspense } from 'react';
import { API_BASE } from '#contract/endpoint.ts';
import { HomeSkeleton } from '#web/features/home/HomeSkeleton.tsx';
import { limitWords } from '#web/features/plans/limit-words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { beginEarly } from '#web/shell/early-calls.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { painted } from '#web/shell/painted.ts';
import { useCreator } from '#web/shell/session.ts';

/** Whose screen was drawn last. */
let creatorShown: string | null = null;

// The head of the page is painted first: on a slow line it does not share its bandwidth with what is below. That is asked for
// while its code is on its way.
const HomeContent = lazyPart(async () => {
  await painted();
  for (const what of ['home', 'home-notices', 'interactions?limit=20']) {
    void beginEarly(`${API_BASE}/creators/${creatorShown}/${what}`);
  }
  return (await import('#web/features/home/HomeContent.tsx')).HomeContent;
});

/** HQ home: how the week goes, what waits, what is still to do, and what happens right now. */
export function Component() {
  const { creatorId, account, billing } = useCreator();
  // What is over the limit already has its banner.
  const ahead = billing && !billing.limit.isOver && limitWords(billing.limit);
  creatorShown = creatorId;
  return (
    <>
      <PageHeader
        title={`Hello, ${account.name.split(' ')[0]}`}
        description="What your followers asked for, what they got, and what’s next."
      />
      {ahead && (
        <p className="mb-5">
          {ahead} <TextLink to={paths.planUpgrade}>Compare plans</TextLink>
        </p>
      )}
      <Suspense fallback={<HomeSkeleton />}>
        <HomeContent creatorId={creatorId} />
      </Suspense>
    </>
  );
}
