/** In plain words and not by `Intl`, whose first use costs a slow phone a tenth of a second, just when the first rows are drawn. */
const STEPS: [unit: string, seconds: number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const CLOCKS_DIFFER_SECONDS = 10;

/**
 * "3 minutes ago", "in 2 hours", "just now" (up to 45 s ago, and as far ahead as clocks differ), "in a moment". The past
 * counts whole units; what is to come goes to the nearest, so that an invite for seven days does not begin with six.
 */
export function relativeTime(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1000);
  if (Math.abs(seconds) < 45) return seconds > CLOCKS_DIFFER_SECONDS ? 'in a moment' : 'just now';
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) {
      return inWords(seconds < 0 ? Math.ceil(seconds / size) : Math.round(seconds / size), unit);
    }
  }
  return inWords(Math.sign(seconds), 'minute');
}

/** As `Intl.RelativeTimeFormat('en', { numeric: 'auto' })` has it. */
function inWords(count: number, unit: string): string {
  if (unit === 'day' && Math.abs(count) === 1) return count < 0 ? 'yesterday' : 'tomorrow';
  if (['week', 'month', 'year'].includes(unit) && Math.abs(count) === 1)
    return `${count < 0 ? 'last' : 'next'} ${unit}`;
  const amount = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
  return count < 0 ? `${amount} ago` : `in ${amount}`;
}
