/** Faults at Meta's side, for schedules to pick from: reference 4.3 row by row, and the answers that do not come. */
import type { SeededRandom } from '#e2e/crash/random.ts';
import type { FaultAction, TokenDeath } from '#simulators/meta/control/types.ts';

/** Code and subcode of every row of the error table, whatever the product makes of it. */
export const ERROR_ROWS: readonly (readonly [code: number, subcode?: number])[] = [
  [1],
  [1, 99],
  [2],
  [2, 2018344],
  [3],
  [4],
  [4, 2018022],
  [9],
  [9, 2018352],
  [10],
  [10, 2534022],
  [10, 2018278],
  [10, 2018065],
  [10, 2018108],
  [10, 2534077],
  [10, 1893063],
  [17],
  [17, 2446079],
  [32],
  [80001],
  [80002],
  [80004],
  [80006],
  [100],
  [100, 33],
  [100, 2018001],
  [100, 2534014],
  [100, 2534015],
  [100, 2534013],
  [100, 2534025],
  [100, 2534029],
  [100, 2534037],
  [100, 2018300],
  [100, 2018008],
  [100, 2018047],
  [100, 2018109],
  [100, 2018294],
  [100, 2534068],
  [102],
  [190],
  [190, 458],
  [190, 459],
  [190, 460],
  [190, 463],
  [190, 464],
  [190, 467],
  [190, 492],
  [200],
  [200, 2018028],
  [200, 2018027],
  [200, 1545041],
  [200, 2534041],
  [230],
  [341],
  [368],
  [506],
  [551],
  [551, 1545041],
  [613],
  [613, 2534040],
  [613, 1996],
  [613, 2018338],
  [2022],
  [2018218],
  [2018247],
  [9000001],
  [9010],
  [10900],
  [10903],
  [2534122],
];

/** After these nobody but Meta knows whether the message arrived. */
const AMBIGUOUS: readonly FaultAction[] = [
  { kind: 'success_but_error' },
  { kind: 'error', code: 1, afterEffect: true },
  { kind: 'error', code: 1 },
  { kind: 'no_message_id' },
  { kind: 'reset', when: 'before' },
  { kind: 'reset', when: 'after' },
  { kind: 'html', status: 502, when: 'before' },
  { kind: 'html', status: 502, when: 'after' },
  { kind: 'garbled', when: 'after' },
  { kind: 'hang', when: 'before' },
  { kind: 'hang', when: 'after' },
  { kind: 'echo_first' },
];

/** How Meta's webhooks come when they do not come once and in order. */
const WEBHOOKS: readonly FaultAction[] = [
  { kind: 'webhook_duplicate' },
  { kind: 'webhook_duplicate', copies: 3 },
  { kind: 'webhook_delay', delayMs: 45_000 },
  { kind: 'webhook_reorder' },
];

export const TOKEN_DEATHS: readonly TokenDeath[] = [
  'expired',
  'app_removed',
  'password_changed',
  'checkpoint',
  'role_lost',
  'invalid',
  'unconfirmed',
];

/** @param options.timeoutMs how long the product waits for an answer: slow ones come before and after that */
export function pickCallFault(random: SeededRandom, options: { timeoutMs: number }): FaultAction {
  const kind = random.pick(['row', 'row', 'ambiguous', 'ambiguous', 'ambiguous', 'slow', 'limited'] as const);
  switch (kind) {
    case 'row': {
      const [code, subcode] = random.pick(ERROR_ROWS);
      return { kind: 'error', code, ...(subcode !== undefined && { subcode }) };
    }
    case 'ambiguous':
      return random.pick(AMBIGUOUS);
    case 'slow': {
      const delayMs = random.between(1, Math.round(options.timeoutMs * 1.5));
      return { kind: 'slow', delayMs, when: random.pick(['before', 'after']) };
    }
    case 'limited':
      return { kind: 'rate_limited', regainMinutes: random.between(1, 30) };
  }
}

export function pickWebhookFault(random: SeededRandom): FaultAction {
  return random.pick(WEBHOOKS);
}
