import { numerals } from '#web/ui/numerals.ts';

export type Day = { day: string; comments: number; sent: number };

/** With fewer in the whole period, which day had the most says nothing. */
const FEWEST_FOR_A_FINDING = 20;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The chart's title: what the days show. */
export function findingOf(days: readonly Day[]): string {
  const comments = days.reduce((sum, day) => sum + day.comments, 0);
  const period = `in the last ${days.length} days`;
  if (comments === 0) return `No comments ${period}`;
  if (comments < FEWEST_FOR_A_FINDING) return `${commented(comments)} ${period}`;
  const best = days.reduce((most, day) => (day.comments > most.comments ? day : most));
  const week = days.length <= 7;
  if (best === days.at(-1)) {
    return `Today is your busiest day${week ? ' this week' : ''}: ${commented(best.comments)} so far`;
  }
  return `${week ? weekdayOf(best.day) : dateOf(best.day)} was your busiest day: ${commented(best.comments)}`;
}

/** "Mon, Nov 23" */
export function dayLabel(day: string): string {
  return `${weekdayOf(day).slice(0, 3)}, ${dateOf(day)}`;
}

/** Below a column: weekdays tell the days of a week apart, dates those of more. */
export function shortLabel(day: string, days: number): string {
  return days <= 7 ? weekdayOf(day).slice(0, 3) : dateOf(day);
}

function weekdayOf(day: string): string {
  return WEEKDAYS[new Date(day).getUTCDay()]!;
}

function dateOf(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`;
}

function commented(count: number): string {
  return `${numerals(count)} comment${count === 1 ? '' : 's'}`;
}
