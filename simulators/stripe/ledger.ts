/** Reads the ledger: what of each payment was kept, and which days it paid for. */
import type { SubscriptionRow } from './wire/rows.ts';
import type { MoneyLine } from './world.ts';

/** What each kind does to what is kept. */
const SIGN = { charged: 1, won_back: 1, refunded: -1, disputed: -1, declined: 0, bounced: 0 } as const;

/** @returns by charge, in cents */
export function keptOf(money: readonly MoneyLine[]): Map<string, number> {
  const kept = new Map<string, number>();
  for (const { charge, kind, cents } of money) kept.set(charge, (kept.get(charge) ?? 0) + SIGN[kind] * cents);
  return kept;
}

type PaidSpan = { subscription: string; charge: string; invoice: string | null; start: number; end: number };

/** Spans that were paid for, and the money was not given or taken back; over when their subscription is. */
export function paidSpans(
  money: readonly MoneyLine[],
  subscriptions: readonly Pick<SubscriptionRow, 'id' | 'ended_at'>[],
): PaidSpan[] {
  const kept = keptOf(money);
  const endOf = new Map(subscriptions.map(({ id, ended_at }) => [id, ended_at ?? Number.POSITIVE_INFINITY]));
  return money.flatMap(({ kind, charge, invoice, period }) => {
    if (kind !== 'charged' || period === null || (kept.get(charge) ?? 0) <= 0) return [];
    const { subscription, start, end } = period;
    return [{ subscription, charge, invoice, start, end: Math.min(end, endOf.get(subscription) ?? end) }];
  });
}
