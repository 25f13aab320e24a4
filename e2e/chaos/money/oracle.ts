/** What must be true of a creator's money whatever broke, once all is quiet: read off the simulator's ledger, not off our copy. */

import { isInHouse, type Standing } from '#contract/plans.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { wrongWithReading } from '#server/features/fans/testing/reading.ts';
import { keptOf, paidSpans } from '#simulators/stripe/ledger.ts';
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

/** One span of time is paid for once: of one subscription, and over those that ran at the same time. */
function paidTwice({
  money,
  changeInvoices,
  subscriptions,
  endedByUs,
}: Pick<MoneyEvidence, 'money' | 'changeInvoices' | 'subscriptions' | 'endedByUs'>): Finding[] {
  const endOf = new Map(subscriptions.map(({ id, ended_at }) => [id, ended_at]));
  // What was sold twice by hand, and over before anybody here looked, is for the operator to give back.
  const isKnown = (id: string) => endOf.get(id) === null || endedByUs.has(id);
  const spans = paidSpans(money, subscriptions).map((span) => ({
    ...span,
    isWhole: span.invoice === null || !changeInvoices.has(span.invoice),
  }));
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

function leftOver({
  callsPlanned,
  givenBack,
  money,
  subscriptions,
}: Pick<MoneyEvidence, 'callsPlanned' | 'givenBack' | 'money' | 'subscriptions'>): Finding[] {
  const calls = callsPlanned.map((key): Finding => ({ rule: 1, says: `a call without an end: ${key}` }));
  const kept = givenBack.flatMap((id): Finding[] => {
    const cents = keptOf(money.filter(({ period }) => period?.subscription === id));
    const sum = [...cents.values()].reduce((total, one) => total + one, 0);
    const status = subscriptions.find((one) => one.id === id)?.status;
    if (sum <= 0 && status === 'canceled') return [];
    return [{ rule: 2, says: `${id} was to be given back: ${sum} cents are kept, it is ${status}` }];
  });
  return [...calls, ...kept];
}

export type FansEvidence = Pick<MoneyEvidence, 'endedByUs' | 'callsPlanned' | 'givenBack'> & {
  /** Seconds since 1970. */
  now: number;
  /** Cents: available and on the way there, and by our lines. */
  atStripe: number;
  ours: number;
  /** Parts of payments that the creator gave back, and mails about them. */
  partsGiven: number;
  partsTold: number;
  readers: {
    email: string;
    money: MoneyLine[];
    subscriptions: SubscriptionRow[];
    isIn: boolean;
    /** Passes that are paid for and not over, and those whose withdrawal is to be followed. */
    live: number;
    withdraws: number;
    /** Second subscriptions that were ended, and how often they were told. */
    surplus: string[];
    told: number;
    endsSaidAt: number | null;
  }[];
};

const NO_INVOICES: ReadonlySet<string> = new Set();

/** As `judgeMoney`, of readers who pay a creator. */
export function judgeFans(evidence: FansEvidence): Finding[] {
  const { now, readers, atStripe, ours, endedByUs, givenBack, callsPlanned, partsGiven, partsTold } = evidence;
  const all = readers.flatMap(({ subscriptions }) => subscriptions);
  const money = readers.flatMap((reader) => reader.money);
  const toGiveBack = [...givenBack, ...readers.flatMap(({ surplus }) => surplus)];
  const findings = leftOver({ callsPlanned, money, subscriptions: all, givenBack: toGiveBack });
  if (atStripe !== ours) findings.push({ rule: 1, says: `Stripe has ${atStripe} cents, our lines say ${ours}` });
  if (partsGiven !== partsTold) findings.push({ rule: 4, says: `${partsGiven} parts given back, ${partsTold} told` });
  for (const reader of readers) {
    const { email, subscriptions, surplus, told, endsSaidAt } = reader;
    const finds = (says: string) => findings.push({ rule: 4, says: `${email}: ${says}` });
    const wrong = wrongWithReading({ now, ...reader });
    if (wrong !== null) finds(wrong);
    findings.push(...paidTwice({ ...reader, changeInvoices: NO_INVOICES, endedByUs }));
    const live = subscriptions.filter(({ status }) => ['active', 'trialing', 'past_due'].includes(status));
    if (live.length > 1 || reader.live > 1) finds(`${live.length} live at Stripe, ${reader.live} here`);
    if (told !== surplus.length) finds(`${surplus.length} were ended as second ones, told ${told} times`);
    if (reader.withdraws > 0) finds('a withdrawal was never followed');
    // What was sold by hand meanwhile is none of what they spoke of.
    const goesOn = live
      .filter(({ metadata }) => metadata.chq_tier !== undefined)
      .find((one) => one.created <= (endsSaidAt ?? 0) && one.cancel_at === null && !one.cancel_at_period_end);
    if (goesOn !== undefined) finds(`${goesOn.id} goes on, though they said that it ends`);
  }
  return findings;
}
