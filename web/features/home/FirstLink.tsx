import { useEffect, useRef, useState } from 'react';
import { seeFirstLink } from '#contract/home.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

const COLORS = ['--color-accent', '--color-info-ink', '--color-warning-ink'];
const PIECES = Array.from({ length: 24 }, (_, at) => ({ left: `${2 + at * 4}%`, color: COLORS[at % 3]! }));

/** The first follower has their link: said once for the whole team, until the page is left. Nothing moves for those who want none. */
export function FirstLink() {
  const { creatorId } = useCreator();
  const { mutate } = useEndpointMutation(seeFirstLink, { successToast: false, errorToast: false });
  const [moves] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const confetti = useRef<HTMLDivElement>(null);
  const isNoted = useRef(false);
  useEffect(() => {
    if (isNoted.current) return;
    isNoted.current = true;
    mutate({ params: { creatorId } });
    // Here: while drawn again, as home is by every comment, they must not start over.
    for (const [place, piece] of [...(confetti.current?.children ?? [])].entries()) fall(piece, place);
  }, [mutate, creatorId]);
  return (
    <section className="relative overflow-hidden rounded-lg border border-accent-line bg-accent-soft p-4 text-center sm:p-5">
      {moves && (
        <div ref={confetti} aria-hidden="true">
          {PIECES.map(({ left, color }) => (
            <span
              key={left}
              style={{ position: 'absolute', top: -12, left, width: 8, height: 8, background: `var(${color})` }}
            />
          ))}
        </div>
      )}
      {/* Above what falls: it can be read all the time. */}
      <div role="status" className="relative">
        <h2 className="font-semibold text-accent-ink text-lg">Your first follower got your link 🎉</h2>
        <p className="mt-1 text-sm">From now on it happens by itself, day and night.</p>
      </div>
    </section>
  );
}

function fall(piece: Element, place: number): void {
  piece.animate([{ transform: 'none' }, { transform: 'translateY(10rem) rotate(540deg)', opacity: 0 }], {
    duration: 1800,
    delay: (place * 350) % 490,
    easing: 'ease-in',
    fill: 'forwards',
  });
}
