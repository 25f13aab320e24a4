const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * "3 minutes ago", "in 2 hours", "just now" (within 45 s, either side: clocks differ by a little). The past counts whole
 * units; what is to come goes to the nearest, so that an invite for seven days does not begin with six.
 */
export function relativeTime(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1000);
  if (Math.abs(seconds) < 45) return 'just now';
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size)
      return FORMAT.format(seconds < 0 ? Math.ceil(seconds / size) : Math.round(seconds / size), unit);
  }
  return FORMAT.format(Math.sign(seconds), 'minute');
}
