import { lazy, Suspense } from 'react';
import { HomeSkeleton } from '#web/features/home/HomeSkeleton.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useCreator } from '#web/shell/session.ts';

// The head of the page is there while the rest is still on its way: `boot.ts` fetches it beside the figures.
const HomeContent = lazy(() =>
  import('#web/features/home/HomeContent.tsx').then((module) => ({ default: module.HomeContent })),
);

/** HQ home: how the week goes, what waits, what is still to do, and what happens right now. */
export function Component() {
  const { creatorId, account } = useCreator();
  return (
    <>
      <PageHeader
        title={`Hello, ${account.name.split(' ')[0]}`}
        description="Here is what your followers asked for, what they got, and what still waits for its turn."
      />
      <Suspense fallback={<HomeSkeleton />}>
        <HomeContent creatorId={creatorId} />
      </Suspense>
    </>
  );
}
