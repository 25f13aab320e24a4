/** What happens to one creator's plan: their owners' wishes, money, time, Stripe's events, and everything that can break. */
import type { Break } from '#e2e/chaos/engine/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { SeededRandom } from '#e2e/crash/random.ts';

export type Wish = { planId: 'creator-plan' | 'studio-plan'; interval: 'month' | 'year' };

/** What an owner does in one of their tabs. */
export type Act =
  | { do: 'begin'; wish: Wish }
  /** On Stripe's page that was begun last. */
  | { do: 'pay'; card: 'good' | 'declined' }
  | { do: 'look' }
  | { do: 'change'; wish: Wish }
  | { do: 'cancel' | 'keep' | 'refund' | 'delete' | 'stay' };

export type Step =
  | { do: 'acts'; acts: Act[] }
  /** By the operator at Stripe's dashboard, or by the bank. */
  | {
      do: 'at Stripe';
      what: 'ends' | 'gives back' | 'disputes' | 'sells' | 'forgets' | 'card good' | 'card bad' | 'card asks';
    }
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

const DAY_S = 86_400;
const MOST_STEPS = 26;

function moneySchedule(seed: number): Step[] {
  const random = new SeededRandom(seed);
  const wish = (): Wish => ({
    planId: random.pick(['creator-plan', 'studio-plan']),
    interval: random.pick(['month', 'month', 'year']),
  });
  const act = (): Act => {
    const what = random.pick([
      'begin',
      'pay',
      'pay',
      'look',
      'change',
      'change',
      'cancel',
      'keep',
      'refund',
      'rare',
    ] as const);
    if (what === 'begin') return { do: what, wish: wish() };
    if (what === 'pay') return { do: what, card: random.chance(0.85) ? 'good' : 'declined' };
    if (what === 'change') return { do: what, wish: wish() };
    return { do: what === 'rare' ? random.pick(['delete', 'stay']) : what };
  };
  const broken = (): Step => ({
    do: 'break',
    break: {
      how: random.pick(['dies', 'dies', 'sleeps', 'loses its connection']),
      at: random.between(1, 14),
      of: random.pick(['statements and calls', 'calls']),
      when: random.pick(['before', 'after']),
    },
  });
  const step = (): Step => {
    const share = random.next();
    if (share < 0.3) return { do: 'acts', acts: [act()] };
    if (share < 0.4) return { do: 'acts', acts: Array.from({ length: random.between(2, 4) }, act) };
    if (share < 0.47) {
      const what = [
        'ends',
        'gives back',
        'disputes',
        'sells',
        'forgets',
        'card good',
        'card bad',
        'card asks',
      ] as const;
      return { do: 'at Stripe', what: random.pick(what) };
    }
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
  // Most have begun to pay when things start to break.
  const first: Step[] = [{ do: 'acts', acts: [{ do: 'begin', wish: wish() }] }];
  if (random.chance(0.8)) first.push({ do: 'acts', acts: [{ do: 'pay', card: 'good' }] });
  return [...first, ...Array.from({ length: random.between(5, MOST_STEPS) }, step)];
}

/** What each card number does on Stripe's page. */
export const CARDS = { good: '4242424242424242', declined: '4000000000000002' };

export type PlayedMoney = { seed: number; findings: Finding[]; trace: string[] };

export type MoneyPlay = {
  readonly trace: string[];
  begin(): Promise<void>;
  take(step: Step): Promise<void>;
  /** All is well from here on, until nothing waits. */
  finish(): Promise<void>;
  judged(): Promise<Finding[]>;
  leave(): Promise<void>;
};

export async function playThrough(play: MoneyPlay, seed: number): Promise<PlayedMoney> {
  await play.begin();
  for (const step of moneySchedule(seed)) await play.take(step);
  await play.finish();
  const findings = await play.judged();
  await play.leave();
  return { seed, findings, trace: play.trace };
}
