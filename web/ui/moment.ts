const FORMATS = {
  time: { hour: 'numeric', minute: '2-digit' },
  dayAndTime: { weekday: 'long', hour: 'numeric', minute: '2-digit' },
  date: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'long' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
const DAY_MS = 24 * 3_600_000;

/** "2:20 PM" within a day, with the weekday within six, else with the date. In the reader's own time zone. */
export function momentOf(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  const distanceMs = Math.abs(atMs - nowMs);
  return formatOf(distanceMs < DAY_MS ? 'time' : distanceMs < 6 * DAY_MS ? 'dayAndTime' : 'date').format(atMs);
}

/** The full date and time, for hints: "Mar 1, 2026, 2:20 PM". */
export function fullMomentOf(atMs: number): string {
  return formatOf('date').format(atMs);
}

/** "2:20 PM". */
export function timeOf(at: string): string {
  return formatOf('time').format(Date.parse(at));
}

/** "March 1, 2026". */
export function dayOf(at: string): string {
  return formatOf('day').format(Date.parse(at));
}

const made = new Map<keyof typeof FORMATS, Intl.DateTimeFormat>();

/** Made when first needed: most first screens need none, and they are slow to make. */
function formatOf(name: keyof typeof FORMATS): Intl.DateTimeFormat {
  let format = made.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', FORMATS[name]);
    made.set(name, format);
  }
  return format;
}
