const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago, as short as a phone says it. */
export function ago(instant: number, now = Date.now()): string {
  const passed = now - instant;
  if (passed < MINUTE_MS) return 'now';
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h`;
  if (passed < 14 * DAY_MS) return `${Math.floor(passed / DAY_MS)} d`;
  return new Date(instant).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
}

export function clockTime(instant: number): string {
  return new Date(instant).toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' });
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}
