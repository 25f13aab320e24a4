/** When a creator passes the free plan's limit, at the pace of their last four weeks. */

/** Days since 1970. */
export type Reading = { day: number; followers: number };

const AT_LEAST_DAYS = 7;
const OVER_DAYS = 28;

/**
 * The line through the middle of all slopes between two readings (Theil and Sen): days on which a platform counted wrong, or a
 * post went viral, do not move it.
 *
 * @param readings one a day, oldest first; some may be missing
 * @returns the day on which the line meets the limit, at the earliest tomorrow; null: too little is known, or it does not within
 *   `withinDays`
 */
export function dayOfPassing(
  readings: readonly Reading[],
  { limit, withinDays }: { limit: number; withinDays: number },
): number | null {
  const last = readings.at(-1);
  if (last === undefined) return null;
  const recent = readings.filter(({ day }) => day > last.day - OVER_DAYS);
  if (recent.length < AT_LEAST_DAYS) return null;
  // What has slowed down is not taken to go on as it did.
  const slope = Math.min(slopeOf(recent), slopeOf(recent.slice(-AT_LEAST_DAYS)));
  if (slope <= 0) return null;
  const today = median(recent.map(({ day, followers }) => followers + slope * (last.day - day)));
  const days = Math.max(1, Math.ceil((limit - today) / slope));
  return days <= withinDays ? last.day + days : null;
}

function slopeOf(readings: readonly Reading[]): number {
  return median(
    readings.flatMap((a, at) => readings.slice(at + 1).map((b) => (b.followers - a.followers) / (b.day - a.day))),
  );
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
