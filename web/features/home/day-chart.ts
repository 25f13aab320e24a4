export type Day = { day: string; comments: number; sent: number };

/** Heights as parts of one, against the largest number of the week; a week of nothing is flat. */
export function barsOf(days: readonly Day[]): { day: string; comments: number; sent: number }[] {
  const most = Math.max(1, ...days.map(({ comments, sent }) => Math.max(comments, sent)));
  return days.map(({ day, comments, sent }) => ({ day, comments: comments / most, sent: sent / most }));
}

const number = new Intl.NumberFormat('en');
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
const shortWeekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** The chart's title: what the week shows. */
export function findingOf(days: readonly Day[]): string {
  const comments = days.reduce((sum, day) => sum + day.comments, 0);
  if (comments === 0) return 'No comments in the last seven days';
  const best = days.reduce((most, day) => (day.comments > most.comments ? day : most));
  const [today] = days.slice(-1);
  if (best === today) return `Today is your busiest day this week: ${commented(best.comments)} so far`;
  return `${weekdayOf(best.day)} was your busiest day: ${commented(best.comments)}`;
}

export function weekdayOf(day: string): string {
  return weekday.format(Date.parse(day));
}

export function shortWeekdayOf(day: string): string {
  return shortWeekday.format(Date.parse(day));
}

function commented(count: number): string {
  return `${number.format(count)} comment${count === 1 ? '' : 's'}`;
}
