/** The values of a prom-client histogram: how its values spread over its bounds. */
import type { Histogram } from 'prom-client';

/** How many values there were up to each bound, the last being without bound. Empty before the first value. */
export type Spread = [upTo: number, values: number][];

/** Over all labels. */
export async function spreadOf(histogram: Histogram): Promise<Spread> {
  const counts = new Map<number, number>();
  for (const { labels, value } of (await histogram.get()).values) {
    // Its sum and its count have none.
    const { le } = labels as { le?: number | '+Inf' };
    if (le === undefined) continue;
    const upTo = le === '+Inf' ? Number.POSITIVE_INFINITY : le;
    counts.set(upTo, (counts.get(upTo) ?? 0) + value);
  }
  return [...counts];
}

/** The difference between two readings. */
export function between(before: Spread, after: Spread): Spread {
  return after.map(([upTo, values], index) => [upTo, values - (before[index]?.[1] ?? 0)]);
}

/**
 * The value below which this share of the values lies, assuming that they spread evenly between two bounds; for what is
 * above all bounds the last bound. Null without values.
 */
export function quantile(share: number, spread: Spread): number | null {
  const wanted = share * (spread.at(-1)?.[1] ?? 0);
  if (wanted === 0) return null;
  const index = spread.findIndex(([, values]) => values >= wanted);
  const [high, values] = spread[index]!;
  const [low, below] = index === 0 ? [0, 0] : spread[index - 1]!;
  return high === Number.POSITIVE_INFINITY ? low : low + ((wanted - below) / (values - below)) * (high - low);
}
