import { lazy, Suspense } from 'react';
import { HomeSkeleton } from '#web/features/home/HomeSkeleton.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { painted } from '#web/shell/painted.ts';
import { useCreator } from '#web/shell/session.ts';

// The head of the page is painted first: on a slow line it does not share its bandwidth with what is below.
const HomeContent = lazy(async () => {
  await painted();
  return { default: (await import('#web/features/home/HomeContent.tsx')).HomeContent };
});

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
