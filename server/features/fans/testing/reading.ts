/** Who reads must be who pays: read off the simulator's ledger, not off our copy. */
import { paidSpans } from '#simulators/stripe/ledger.ts';
import { DAY_S } from '#simulators/stripe/testing.ts';
import type { SubscriptionRow } from '#simulators/stripe/wire/rows.ts';
import type { MoneyLine } from '#simulators/stripe/world.ts';

/** The longest that somebody reads while a payment is under way: see `project.ts`. */
const UNSETTLED_DAYS = 7;

/**
 * @param fan.now seconds since 1970
 * @param fan.money of all customers that they are
 * @param fan.lateDays that their creator chose
 * @returns what is wrong; null: nothing
 */
export function wrongWithReading(fan: {
  now: number;
  money: readonly MoneyLine[];
  subscriptions: readonly SubscriptionRow[];
  isIn: boolean;
  lateDays?: number;
}): string | null {
  const { now, money, subscriptions, isIn, lateDays = UNSETTLED_DAYS } = fan;
  const trials = subscriptions.flatMap(({ trial_end, start_date: start, ended_at }) =>
    trial_end === null ? [] : [{ start, end: Math.min(trial_end, ended_at ?? trial_end) }],
  );
  const spans = [...paidSpans(money, subscriptions), ...trials];
  if (!isIn && spans.some(({ start, end }) => start <= now && now < end)) return 'has paid, and does not read';
  const until = Math.max(0, ...spans.map(({ end }) => end), ...subscriptions.map(triedSince));
  const slackS = Math.max(UNSETTLED_DAYS, lateDays) * DAY_S;
  return isIn && until + slackS <= now ? 'has not paid, and reads' : null;
}

/** While a payment for it is tried. */
function triedSince({ status, items }: SubscriptionRow): number {
  return status === 'active' || status === 'past_due' ? items.data[0]!.current_period_start : 0;
}
