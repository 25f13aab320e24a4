import { useEffect, useRef } from 'react';
import { seeFirstLink } from '#contract/home.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';

const PIECES = Array.from({ length: 14 }, (_, at) => ({
  left: `${4 + at * 7}%`,
  delay: `${(at * 5) % 7}0ms`,
  colour: ['bg-accent', 'bg-info-ink', 'bg-warning-ink'][at % 3]!,
}));

/** The first follower has their link: said once for the whole team, until the page is left. Nothing moves for those who want none. */
export function FirstLink() {
  const { creatorId } = useCreator();
  const { mutate } = useEndpointMutation(seeFirstLink, { successToast: false, errorToast: false });
  const isNoted = useRef(false);
  useEffect(() => {
    if (isNoted.current) return;
    isNoted.current = true;
    mutate({ params: { creatorId } });
  }, [mutate, creatorId]);
  return (
    <Card className="relative overflow-hidden border-accent-line bg-accent-soft text-center">
      <span aria-hidden="true" className="absolute inset-0 motion-reduce:hidden">
        {PIECES.map(({ left, delay, colour }) => (
          <span
            key={left}
            className={`absolute -top-3 size-2 animate-confetti rounded-[2px] ${colour}`}
            style={{ left, animationDelay: delay }}
          />
        ))}
      </span>
      <div role="status">
        <h2 className="font-semibold text-accent-ink text-lg">Your first follower got your link 🎉</h2>
        <p className="mt-1 text-sm">From now on it happens by itself, day and night.</p>
      </div>
    </Card>
  );
}
