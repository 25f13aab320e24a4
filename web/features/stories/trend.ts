import { numerals } from '#web/ui/numerals.ts';

type Day = { day: string; replies: number };

/** With fewer in the whole period, which day had the most says nothing. */
const FEWEST_FOR_A_FINDING = 20;

const dayOf = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The chart's title: which day brought the most. */
export function findingOf(trend: readonly Day[]): string {
  const total = trend.reduce((sum, day) => sum + day.replies, 0);
  if (total === 0) return 'No replies in this period';
  if (total < FEWEST_FOR_A_FINDING) return `${total} ${total === 1 ? 'reply' : 'replies'} in this period`;
  const best = trend.reduce((most, day) => (day.replies > most.replies ? day : most));
  return `${dayOf.format(Date.parse(best.day))} brought in the most: ${numerals(best.replies)} replies`;
}
