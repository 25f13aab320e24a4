import { useEffect, useRef } from 'react';
import { seeFirstLink } from '#contract/home.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

const COLORS = ['--color-accent', '--color-info-ink', '--color-warning-ink'];
const PIECES = Array.from({ length: 14 }, (_, at) => ({ at, left: `${4 + at * 7}%`, color: COLORS[at % 3]! }));

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
    <section className="relative overflow-hidden rounded-lg border border-accent-line bg-accent-soft p-4 text-center sm:p-5">
      {!matchMedia('(prefers-reduced-motion: reduce)').matches &&
        PIECES.map(({ at, left, color }) => (
          <span
            key={at}
            aria-hidden="true"
            ref={(piece) => fall(piece, at)}
            style={{ position: 'absolute', top: -12, left, width: 8, height: 8, background: `var(${color})` }}
          />
        ))}
      <div role="status">
        <h2 className="font-semibold text-accent-ink text-lg">Your first follower got your link 🎉</h2>
        <p className="mt-1 text-sm">From now on it happens by itself, day and night.</p>
      </div>
    </section>
  );
}

function fall(piece: HTMLElement | null, place: number): void {
  piece?.animate([{ transform: 'none' }, { transform: 'translateY(10rem) rotate(540deg)', opacity: 0 }], {
    duration: 1800,
    delay: (place * 350) % 490,
    easing: 'ease-in',
    fill: 'forwards',
  });
}
