/** Costly work, a few at a time: the rest waits in a line with an end, people we know before strangers. */
import { AppError } from '#server/errors.ts';

/** About as long as a full line takes. */
const TRY_AGAIN_S = 5;

export type Turns = <T>(who: 'known' | 'stranger', work: () => Promise<T>) => Promise<T>;

/**
 * @param limits.atOnce how many run at the same moment
 * @param limits.waiting how many wait at most, counted apart for those we know and for strangers
 * @returns a function that runs `work` in its turn. It throws AppError too_many_requests when the line is full.
 */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  let running = 0;
  const lines: { known: (() => void)[]; stranger: (() => void)[] } = { known: [], stranger: [] };
  return async (who, work) => {
    if (running < atOnce) running += 1;
    else if (lines[who].length < waiting) await new Promise<void>((resolve) => lines[who].push(resolve));
    else {
      throw new AppError('too_many_requests', 'Many people are logging in right now. Try again in a moment.', {
        retryAfterSeconds: TRY_AGAIN_S,
      });
    }
    try {
      return await work();
    } finally {
      const next = lines.known.shift() ?? lines.stranger.shift();
      // The next one takes over the place, so that nobody slips in between.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
