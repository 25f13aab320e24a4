/** What must be true of a creator's money whatever broke, once all is quiet: read off the simulator's ledger, not off our copy. */

import { isInHouse, type Standing } from '#contract/plans.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import type { SubscriptionRow } from '#simulators/stripe/wire/rows.ts';
import type { MoneyLine } from '#simulators/stripe/world.ts';

export type MoneyEvidence = {
  money: MoneyLine[];
  /** Of changes in the middle of a period, which cost what is missing. */
  changeInvoices: ReadonlySet<string>;
  /** Of all customers that the creator had. */
  subscriptions: SubscriptionRow[];
  copy: { stripeSubscriptionId: string; planId: string; standing: Standing };
  planOf: (stripePriceId: string) => string | undefined;
  /** Those that this program ended. */
  endedByUs: ReadonlySet<string>;
  callsPlanned: string[];
  /** Subscriptions that were said to be given back in full. */
  givenBack: string[];
  /** The creator is to be deleted: nothing is paid after it. */
  isLeaving: boolean;
};

const SIGN = { charged: 1, won_back: 1, refunded: -1, disputed: -1, declined: 0, bounced: 0 } as const;
const STANDINGS: Record<string, readonly Standing[]> = {
  active: ['paid', 'ending'],
  trialing: ['trial', 'ending'],
  past_due: ['late', 'lapsed'],
  unpaid: ['lapsed'],
  paused: ['lapsed'],
  incomplete: ['lapsed'],
};

export function judgeMoney(evidence: MoneyEvidence): Finding[] {
  return [...paidTwice(evidence), ...standsWrong(evidence), ...leftOver(evidence)];
}

type Span = { subscription: string; charge: string; start: number; end: number; isWhole: boolean };

/** One span of time is paid for once: of one subscription, and over those that ran at the same time. */
function paidTwice({ money, changeInvoices, subscriptions, endedByUs }: MoneyEvidence): Finding[] {
  const kept = new Map<string, number>();
  for (const { charge, kind, cents } of money) kept.set(charge, (kept.get(charge) ?? 0) + SIGN[kind] * cents);
  const endOf = new Map(subscriptions.map(({ id, ended_at }) => [id, ended_at ?? Number.POSITIVE_INFINITY]));
  // What was sold twice by hand, and over before anybody here looked, is for the operator to give back.
  const isKnown = (id: string) => endOf.get(id) === Number.POSITIVE_INFINITY || endedByUs.has(id);
  const spans = money.flatMap(({ kind, charge, invoice, period }): Span[] => {
    if (kind !== 'charged' || period === null || (kept.get(charge) ?? 0) <= 0) return [];
    const { subscription, start, end } = period;
    const isWhole = invoice === null || !changeInvoices.has(invoice);
    return [{ subscription, charge, start, end: Math.min(end, endOf.get(subscription) ?? end), isWhole }];
  });
  return spans.flatMap((one, at) =>
    spans.slice(at + 1).flatMap((other): Finding[] => {
      const isSame =
        one.subscription === other.subscription && one.start === other.start && one.isWhole && other.isWhole;
      const isBeside =
        one.subscription !== other.subscription &&
        isKnown(one.subscription) &&
        isKnown(other.subscription) &&
        Math.max(one.start, other.start) < Math.min(one.end, other.end);
      if (!isSame && !isBeside) return [];
      return [{ rule: 3, says: `paid twice: ${JSON.stringify(one)} and ${JSON.stringify(other)}` }];
    }),
  );
}

/** Who pays is in, who does not is out. */
function standsWrong({ subscriptions, copy, planOf, isLeaving }: MoneyEvidence): Finding[] {
  const says = (text: string): Finding[] => [{ rule: 4, says: `${text}; the copy says ${JSON.stringify(copy)}` }];
  const live = subscriptions.filter(
    ({ status, items }) => !['canceled', 'incomplete_expired'].includes(status) && planOf(items.data[0]!.price.id),
  );
  if (live.length > 1) return says(`${live.length} live subscriptions`);
  const [one] = live;
  if (one === undefined) return isInHouse(copy) && copy.standing === 'free' ? [] : says('none is live');
  if (isLeaving && one.cancel_at === null && !one.cancel_at_period_end) return says(`${one.id} outlives its creator`);
  const isRight =
    copy.stripeSubscriptionId === one.id &&
    copy.planId === planOf(one.items.data[0]!.price.id) &&
    STANDINGS[one.status]!.includes(copy.standing);
  return isRight ? [] : says(`${one.id} is ${one.status}`);
}

function leftOver({ callsPlanned, givenBack, money, subscriptions }: MoneyEvidence): Finding[] {
  const calls = callsPlanned.map((key): Finding => ({ rule: 1, says: `a call without an end: ${key}` }));
  const kept = givenBack.flatMap((id): Finding[] => {
    const charges = new Set(money.filter(({ period }) => period?.subscription === id).map(({ charge }) => charge));
    const cents = money.reduce((sum, line) => sum + (charges.has(line.charge) ? SIGN[line.kind] * line.cents : 0), 0);
    const status = subscriptions.find((one) => one.id === id)?.status;
    if (cents <= 0 && status === 'canceled') return [];
    return [{ rule: 2, says: `${id} was to be given back: ${cents} cents are kept, it is ${status}` }];
  });
  return [...calls, ...kept];
}
