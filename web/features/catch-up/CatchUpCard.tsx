import { Suspense, useState } from 'react';
import { previewCatchUp, previewPostCatchUp } from '#contract/catch-up.ts';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** Most days nobody is left without an answer. */
const CatchUpOffer = lazyPart(async () => (await import('#web/features/catch-up/CatchUpOffer.tsx')).CatchUpOffer);

type Props = {
  /** Null: across posts. */
  postId: string | null;
  level?: 2 | 3;
};

/** "N people asked in the last 7 days and didn’t get your link": who, how long it takes, and sending. Nothing while nobody did. */
export function CatchUpCard({ postId, level = 2 }: Props) {
  const { creatorId } = useCreator();
  const across = useEndpoint(previewCatchUp, { params: { creatorId } }, { enabled: postId === null });
  const ofPost = useEndpoint(
    previewPostCatchUp,
    { params: { creatorId, postId: postId ?? '' } },
    { enabled: postId !== null },
  );
  const preview = (postId === null ? across : ofPost).data;
  // Stays while what was started goes on and nobody is left to offer.
  const [offered, setOffered] = useState(false);
  if (preview !== undefined && preview.people > 0 && !offered) setOffered(true);
  return (
    offered &&
    preview !== undefined && (
      <Suspense fallback={null}>
        <CatchUpOffer postId={postId} preview={preview} level={level} />
      </Suspense>
    )
  );
}
