/** Spans of a subscription: each begins where the one before ends, on the day and second of its anchor. */
export type Interval = { interval: 'day' | 'month' | 'week' | 'year'; interval_count: number };

const DAY_S = 86_400;

/**
 * @param anchor seconds since 1970; where the first span began
 * @returns the first end of a span after `start`, in seconds; on the last day of a month that is shorter than the anchor's
 */
export function endOfPeriod(anchor: number, start: number, { interval, interval_count: count }: Interval): number {
  if (interval === 'day' || interval === 'week') {
    const length = count * DAY_S * (interval === 'week' ? 7 : 1);
    return anchor + (Math.floor((start - anchor) / length) + 1) * length;
  }
  const months = interval === 'year' ? 12 * count : count;
  const [from, to] = [new Date(anchor * 1000), new Date(start * 1000)];
  const apart = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  let steps = Math.max(0, Math.floor(apart / months) - 1);
  while (monthsLater(anchor, steps * months) <= start) steps++;
  return monthsLater(anchor, steps * months);
}

function monthsLater(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), last));
  return first.getTime() / 1000;
}

/** @returns the part of an amount that falls on the rest of a span, to the second, rounded to whole cents */
export function proratedCents(cents: number, { start, end }: { start: number; end: number }, at: number): number {
  return Math.round((cents * (end - at)) / (end - start));
}
