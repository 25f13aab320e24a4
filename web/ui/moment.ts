const time = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat('en', { weekday: 'long', hour: 'numeric', minute: '2-digit' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const DAY_MS = 24 * 3_600_000;

/** "2:20 PM" within a day, with the weekday within six, else with the date. In the reader's own time zone. */
export function momentOf(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  const distanceMs = Math.abs(atMs - nowMs);
  return (distanceMs < DAY_MS ? time : distanceMs < 6 * DAY_MS ? dayAndTime : date).format(atMs);
}
