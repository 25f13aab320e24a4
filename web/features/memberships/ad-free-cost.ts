/**
 * What a member who sees no ads costs in a month: what their pages would have earned.
 *
 * @param income of a year from ads, in the smallest unit of its currency
 * @param views of pages in that year
 * @param reads pages that a member reads in a month
 * @returns in the smallest unit; null: nothing can be said
 */
export function adFreeCost({
  income,
  views,
  reads,
}: {
  income: number | null;
  views: number;
  reads: number;
}): number | null {
  if (income === null || !(views > 0) || !(reads >= 0)) return null;
  return Math.round((income / views) * reads);
}

/** What a member pays in a month, of whichever is less; null: neither price is known. */
export function paidAMonth(month: number | null, year: number | null): number | null {
  const prices = [month, year === null ? null : Math.round(year / 12)].filter((price) => price !== null);
  return prices.length === 0 ? null : Math.min(...prices);
}
