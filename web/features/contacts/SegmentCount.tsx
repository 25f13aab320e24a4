import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { countSegment } from '#contract/segments.ts';
import { SEGMENTS } from '#web/features/contacts/segment-words.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

const TYPING_PAUSE_MS = 300;

/** How many contacts match, while conditions change. */
export function SegmentCount({ segment, className }: { segment: string; className?: string }) {
  const { creatorId } = useCreator();
  const [asked, setAsked] = useState(segment);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(segment), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [segment]);
  const counted = useEndpoint(
    countSegment,
    { params: { creatorId }, query: { segment: asked } },
    { placeholderData: keepPreviousData },
  );
  const isOld = asked !== segment || counted.isPlaceholderData;
  return (
    <p role="status" aria-busy={isOld} className={className}>
      {counted.isError
        ? SEGMENTS.cannotCount
        : counted.data === undefined || isOld
          ? SEGMENTS.counting
          : SEGMENTS.count(counted.data.count)}
    </p>
  );
}
