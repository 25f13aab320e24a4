import { numerals } from '#web/ui/numerals.ts';

type Day = { day: string; stories: number; replies: number; sent: number };

/** Heights as parts of one, against the largest number there is; nothing at all is flat. */
export function heightsOf(trend: readonly Day[]): { day: string; replies: number; sent: number }[] {
  const most = Math.max(1, ...trend.map(({ replies, sent }) => Math.max(replies, sent)));
  return trend.map(({ day, replies, sent }) => ({ day, replies: replies / most, sent: sent / most }));
}

const dayOf = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The chart's title: which day brought most. */
export function findingOf(trend: readonly Day[]): string {
  const best = trend.reduce((most, day) => (day.replies > most.replies ? day : most));
  if (best.replies === 0) return 'No replies in this period';
  const replies = `${numerals(best.replies)} ${best.replies === 1 ? 'reply' : 'replies'}`;
  return `${dayOf.format(Date.parse(best.day))} brought in the most: ${replies}`;
}
