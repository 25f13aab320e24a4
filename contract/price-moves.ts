/** When payers of an earlier price come to pay the present one. */

/** How long payers of an earlier price are told before they pay the present one. */
const NOTICE_DAYS = 30;

/** @param toldAt when they were told @returns the first day on which a renewal may cost more */
export function movesFrom(toldAt: Date): Date {
  return new Date(toldAt.getTime() + NOTICE_DAYS * 86_400_000);
}

/** The first renewal that is not before a day. @param next the coming renewal */
export function renewalFrom(day: Date, { next, interval }: { next: Date; interval: 'month' | 'year' }): Date {
  const months = interval === 'year' ? 12 : 1;
  let renewal = next;
  for (let count = months; renewal < day; count += months) {
    renewal = new Date(next);
    renewal.setUTCMonth(next.getUTCMonth() + count, 1);
    const lastDay = new Date(Date.UTC(renewal.getUTCFullYear(), renewal.getUTCMonth() + 1, 0)).getUTCDate();
    renewal.setUTCDate(Math.min(next.getUTCDate(), lastDay));
  }
  return renewal;
}
