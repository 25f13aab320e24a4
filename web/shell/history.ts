/** Steps of an editor that can be undone and done again. */

export type History<T> = {
  past: readonly T[];
  now: T;
  future: readonly T[];
  /** The last step, while more of the same may join it. */
  last: { what: string; atMs: number } | null;
};

export type Step<T> =
  /** `what`: edits of the same thing in quick succession are one step, so that undoing does not go letter by letter. */
  | { do: 'edit'; change: (now: T) => T; what?: string; atMs: number }
  | { do: 'undo' }
  | { do: 'redo' }
  /** Something else to begin with: nothing leads back behind it. */
  | { do: 'begin'; now: T };

const MOST_STEPS = 200;
const SAME_STEP_MS = 1000;

export function beginHistory<T>(now: T): History<T> {
  return { past: [], now, future: [], last: null };
}

export function reduceHistory<T>(history: History<T>, step: Step<T>): History<T> {
  const { past, now, future } = history;
  switch (step.do) {
    case 'begin':
      return beginHistory(step.now);
    case 'undo': {
      const before = past.at(-1);
      if (before === undefined) return history;
      return { past: past.slice(0, -1), now: before, future: [now, ...future], last: null };
    }
    case 'redo': {
      const [after, ...rest] = future;
      if (after === undefined) return history;
      return { past: [...past, now], now: after, future: rest, last: null };
    }
    case 'edit': {
      const changed = step.change(now);
      if (changed === now) return history;
      const { what, atMs } = step;
      const joins = what !== undefined && history.last?.what === what && atMs - history.last.atMs < SAME_STEP_MS;
      return {
        past: joins ? past : [...past, now].slice(-MOST_STEPS),
        now: changed,
        future: [],
        last: what === undefined ? null : { what, atMs },
      };
    }
  }
}
