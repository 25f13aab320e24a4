/** How long something is kept, in words that nobody has to count. */
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getRetention } from '#contract/settings.ts';

export type Retention = ResponseOf<typeof getRetention>;
export type Kept = keyof Retention['most'];

const CHOICES: Record<Kept, number[]> = {
  historyDays: [90, 180, 365, 730, 1095],
  textsDays: [30, 90, 180, 365, 730],
  webhookLogDays: [1, 7, 30],
};

/** `365` is "1 year", `90` "3 months", `45` "45 days". */
export function daysInWords(days: number): string {
  if (days >= 365 && days % 365 === 0) return plural(days / 365, 'year');
  if (days >= 60 && days % 30 === 0) return plural(days / 30, 'month');
  return plural(days, 'day');
}

/**
 * What can be chosen: nothing longer than this installation keeps things, and what was chosen before. Null is the
 * installation's own time.
 */
export function choicesFor(kept: Kept, retention: Retention): { days: number | null; label: string }[] {
  const most = retention.most[kept];
  const chosen = retention[kept];
  const offered = new Set(CHOICES[kept].filter((days) => days < most));
  if (chosen !== null && chosen < most) offered.add(chosen);
  return [
    ...[...offered].sort((a, b) => a - b).map((days) => ({ days, label: daysInWords(days) })),
    { days: null, label: `${daysInWords(most)} (maximum)` },
  ];
}

/** What counts now; a longer time than the installation's is the installation's. */
export function selectedOf(kept: Kept, retention: Retention): number | null {
  const chosen = retention[kept];
  return chosen === null || chosen >= retention.most[kept] ? null : chosen;
}

/** Whether saving deletes something that would have been kept. */
export function keepsLess(before: Retention, after: Pick<Retention, Kept>): boolean {
  const days = (of: Pick<Retention, Kept>, kept: Kept) =>
    Math.min(of[kept] ?? Number.POSITIVE_INFINITY, before.most[kept]);
  return (Object.keys(before.most) as Kept[]).some((kept) => days(after, kept) < days(before, kept));
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
