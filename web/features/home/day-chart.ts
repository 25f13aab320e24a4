import { numerals } from '#web/ui/numerals.ts';

export type Day = { day: string; comments: number; sent: number };

/** Heights as parts of one, against the largest number of the week; a week of nothing is flat. */
export function barsOf(days: readonly Day[]): { day: string; comments: number; sent: number }[] {
  const most = Math.max(1, ...days.map(({ comments, sent }) => Math.max(comments, sent)));
  return days.map(({ day, comments, sent }) => ({ day, comments: comments / most, sent: sent / most }));
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The chart's title: what the week shows. */
export function findingOf(days: readonly Day[]): string {
  const comments = days.reduce((sum, day) => sum + day.comments, 0);
  if (comments === 0) return 'No comments in the last 7 days';
  const best = days.reduce((most, day) => (day.comments > most.comments ? day : most));
  const [today] = days.slice(-1);
  if (best === today) return `Today is your busiest day this week: ${commented(best.comments)} so far`;
  return `${weekdayOf(best.day)} was your busiest day: ${commented(best.comments)}`;
}

export function weekdayOf(day: string): string {
  return WEEKDAYS[new Date(day).getUTCDay()]!;
}

export function shortWeekdayOf(day: string): string {
  return weekdayOf(day).slice(0, 3);
}

function commented(count: number): string {
  return `${numerals(count)} comment${count === 1 ? '' : 's'}`;
}
