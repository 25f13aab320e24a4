/** What happens to one creator's money: people's wishes, time, Stripe's events, and everything that can break. */
import type { Break } from '#e2e/chaos/engine/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { SeededRandom } from '#e2e/crash/random.ts';

export type Wish = { planId: 'creator-plan' | 'studio-plan'; interval: 'month' | 'year' };

/** What an owner does in one of their tabs. */
export type PlanAct =
  | { do: 'begin'; wish: Wish }
  /** On Stripe's page that was begun last. */
  | { do: 'pay'; card: 'good' | 'declined' }
  | { do: 'look' }
  | { do: 'change'; wish: Wish }
  | { do: 'cancel' | 'keep' | 'refund' | 'delete' | 'stay' };

export type PlanWhat =
  | 'ends'
  | 'gives back'
  | 'disputes'
  | 'sells'
  | 'forgets'
  | 'card good'
  | 'card bad'
  | 'card asks';

const RARE = ['declare', 'withdraw', 'withdraw', 'refund', 'refund', 'give a part back', 'give a part back'] as const;

/** A reader whom the creator has, or may get. */
export type Reader = 0 | 1;

/** What a reader does in one of their tabs, or the creator with what they pay. */
export type FanAct = { reader: Reader } & (
  | { do: 'join'; tier: 0 | 1; interval: 'month' | 'year' }
  /** @see PlanAct; `tab` 1: on the page before. */
  | { do: 'pay'; tab: 0 | 1; card: 'good' | 'declined' | 'debit' | 'bounces' }
  | { do: 'look'; tab: 0 | 1 }
  | { do: 'cancel' | 'keep' | 'declare' | 'withdraw' | 'refund' | 'give a part back' | 'mend' }
);

export type FanWhat = { reader: Reader; does: PlanWhat | 'gives back a part' | 'decides' };

/** @typeParam Act of people; @typeParam What by the operator or the creator at Stripe's dashboard, or by the bank */
export type Step<Act, What> =
  | { do: 'acts'; acts: Act[] }
  | { do: 'at Stripe'; what: What }
  | { do: 'pass'; seconds: number }
  | { do: 'events'; how: 'come' | 'come twice, the last first' | 'are lost' }
  | { do: 'work' }
  | {
      do: 'fault';
      kind: 'cut_before' | 'cut_after' | 'error_after' | 'rate_limited' | 'web_page';
      method: 'POST' | 'GET';
    }
  /** Answers of Stripe stay on their way until they are let come. */
  | { do: 'hold' | 'let come' | 'wake' }
  | { do: 'break'; break: Break }
  /** How far our clock is from Stripe's. */
  | { do: 'clock'; offSeconds: number };

/** Whose money it is. */
export type Side<Act, What> = {
  first: (random: SeededRandom) => Act[];
  act: (random: SeededRandom) => Act;
  what: (random: SeededRandom) => What;
};

const DAY_S = 86_400;
const MOST_STEPS = 26;

const planWish = (random: SeededRandom): Wish => ({
  planId: random.pick(['creator-plan', 'studio-plan']),
  interval: random.pick(['month', 'month', 'year']),
});

export const PLANS: Side<PlanAct, PlanWhat> = {
  // Most have begun to pay when things start to break.
  first(random) {
    const begun: PlanAct = { do: 'begin', wish: planWish(random) };
    return random.chance(0.8) ? [begun, { do: 'pay', card: 'good' }] : [begun];
  },
  act(random) {
    const acts = ['begin', 'pay', 'pay', 'look', 'change', 'change', 'cancel', 'keep', 'refund', 'rare'] as const;
    const what = random.pick(acts);
    if (what === 'begin') return { do: what, wish: planWish(random) };
    if (what === 'pay') return { do: what, card: random.chance(0.85) ? 'good' : 'declined' };
    if (what === 'change') return { do: what, wish: planWish(random) };
    return { do: what === 'rare' ? random.pick(['delete', 'stay']) : what };
  },
  what: (random) => random.pick(['ends', 'gives back', 'disputes', 'sells', 'forgets', ...CARDS_ARE]),
};

const CARDS_ARE = ['card good', 'card bad', 'card asks'] as const;

const readerOf = (random: SeededRandom): Reader => (random.chance(0.75) ? 0 : 1);
const tabOf = (random: SeededRandom) => (random.chance(0.7) ? 0 : 1);

const joining = (random: SeededRandom, reader: Reader): FanAct => ({
  ...{ reader, do: 'join', tier: random.chance(0.75) ? 0 : 1 },
  interval: random.pick(['month', 'month', 'year']),
});

export const FANS: Side<FanAct, FanWhat> = {
  first(random) {
    const begun = [joining(random, 0)];
    // Another tab.
    if (random.chance(0.3)) begun.push(joining(random, 0));
    return random.chance(0.8) ? [...begun, { reader: 0, do: 'pay', tab: 0, card: 'good' }] : begun;
  },
  act(random) {
    const reader = readerOf(random);
    const acts = ['join', 'join', 'pay', 'pay', 'pay', 'look', 'look', 'cancel', 'keep', 'rare', 'mend'] as const;
    const what = random.pick(acts);
    if (what === 'join') return joining(random, reader);
    if (what === 'look') return { reader, do: what, tab: tabOf(random) };
    if (what === 'rare') return { reader, do: random.pick(RARE) };
    if (what !== 'pay') return { reader, do: what };
    return { reader, do: what, tab: tabOf(random), card: random.pick(['good', 'good', 'good', ...PAID_WITH]) };
  },
  what: (random) => ({
    reader: readerOf(random),
    does: random.pick([
      ...(['ends', 'gives back', 'gives back a part', 'disputes', 'decides', 'sells', 'forgets'] as const),
      ...CARDS_ARE,
    ]),
  }),
};

const PAID_WITH = ['good', 'declined', 'debit', 'bounces'] as const;

function moneySchedule<Act, What>(seed: number, side: Side<Act, What>): Step<Act, What>[] {
  const random = new SeededRandom(seed);
  const act = () => side.act(random);
  const broken = (): Step<Act, What> => ({
    do: 'break',
    break: {
      how: random.pick(['dies', 'dies', 'sleeps', 'loses its connection']),
      at: random.between(1, 14),
      of: random.pick(['statements and calls', 'calls']),
      when: random.pick(['before', 'after']),
    },
  });
  const step = (): Step<Act, What> => {
    const share = random.next();
    if (share < 0.3) return { do: 'acts', acts: [act()] };
    if (share < 0.4) return { do: 'acts', acts: Array.from({ length: random.between(2, 4) }, act) };
    if (share < 0.47) return { do: 'at Stripe', what: side.what(random) };
    if (share < 0.59) return { do: 'pass', seconds: random.pick([2, 40, 700, 3700, DAY_S, 8 * DAY_S, 31 * DAY_S]) };
    if (share < 0.69) return { do: 'events', how: random.pick(['come', 'come twice, the last first', 'are lost']) };
    if (share < 0.79) return { do: 'work' };
    if (share < 0.87) {
      const kinds = ['cut_before', 'cut_after', 'error_after', 'rate_limited', 'web_page'] as const;
      return { do: 'fault', kind: random.pick(kinds), method: random.pick(['POST', 'POST', 'GET']) };
    }
    if (share < 0.92) return { do: random.pick(['hold', 'let come', 'wake']) };
    if (share < 0.98) return broken();
    return { do: 'clock', offSeconds: random.between(-1200, 1200) };
  };
  const first = side.first(random).map((one): Step<Act, What> => ({ do: 'acts', acts: [one] }));
  return [...first, ...Array.from({ length: random.between(5, MOST_STEPS) }, step)];
}

/** What each does on Stripe's page: a card's number, or a bank account's. */
export const CARDS = {
  ...{ good: '4242424242424242', declined: '4000000000000002' },
  ...{ debit: 'DE89370400440532013000', bounces: 'DE62370400440532013001' },
};

export type PlayedMoney = { seed: number; findings: Finding[]; trace: string[] };

export type MoneyPlay<Act, What> = {
  readonly side: Side<Act, What>;
  readonly trace: string[];
  begin(): Promise<void>;
  take(step: Step<Act, What>): Promise<void>;
  /** All is well from here on, until nothing waits. */
  finish(): Promise<void>;
  judged(): Promise<Finding[]>;
  leave(): Promise<void>;
};

export async function playThrough<Act, What>(play: MoneyPlay<Act, What>, seed: number): Promise<PlayedMoney> {
  await play.begin();
  for (const step of moneySchedule(seed, play.side)) await play.take(step);
  await play.finish();
  const findings = await play.judged();
  await play.leave();
  return { seed, findings, trace: play.trace };
}
