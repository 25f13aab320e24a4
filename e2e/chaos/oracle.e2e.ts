import { describe, expect, test } from 'vitest';
import type { GraphLedgerEntry } from '#simulators/meta/control/types.ts';
import { type DeliveryRow, type Evidence, type InteractionRow, judge, mostWithin } from './oracle.ts';

const HOUR_MS = 3_600_000;
const AT = Date.UTC(2026, 5, 1, 12);

const entry = (given: Partial<GraphLedgerEntry> = {}): GraphLedgerEntry => ({
  seq: 1,
  kind: 'graph',
  at: AT,
  operation: 'private_reply',
  flavour: 'instagram',
  method: 'POST',
  path: '/',
  accountId: 'account',
  commentId: 'c1',
  recipientId: 'p1',
  personId: 'person',
  messageId: 'm1',
  text: 'The recipe',
  status: 200,
  errorCode: null,
  errorSubcode: null,
  delivered: true,
  answer: 'answered',
  fault: null,
  ...given,
});
const interaction = (given: Partial<InteractionRow> = {}): InteractionRow => ({
  id: 'i1',
  kind: 'comment',
  platformId: 'c1',
  outcome: 'replied',
  reason: 'sent',
  ...given,
});
const delivery = (given: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id: 'd1',
  interactionId: 'i1',
  kind: 'private_reply',
  state: 'sent',
  recipient: 'c1',
  text: 'The recipe',
  uncertain: false,
  expiresAt: new Date(AT + HOUR_MS),
  detail: null,
  ...given,
});

/** One comment that was answered as it should be. */
const asItShouldBe: Evidence = {
  comments: [{ commentId: 'c1', matches: true, acked: true, live: false, gone: false }],
  ackedMessages: [],
  stops: [],
  unheard: [],
  ledger: [entry()],
  interactions: [interaction()],
  deliveries: [delivery()],
  limits: { privateRepliesPerHour: 2, publicRepliesPerHour: 2, messagesPerSecond: 2 },
  clockOffMs: 0,
};

const rulesBroken = (given: Partial<Evidence>) => [
  ...new Set(judge({ ...asItShouldBe, ...given }).map(({ rule }) => rule)),
];

describe('the oracle', () => {
  test('finds nothing where nothing is wrong', () => {
    expect(judge(asItShouldBe)).toEqual([]);
  });

  test.each<[string, Partial<Evidence>, number[]]>([
    ['an acknowledged comment that nobody knows', { ledger: [], interactions: [], deliveries: [] }, [1]],
    ['an acknowledged message that nobody knows', { ackedMessages: ['mid'] }, [1]],
    [
      'a failure although Meta refused nothing',
      {
        ledger: [],
        interactions: [interaction({ outcome: 'failed', reason: 'gave_up' })],
        deliveries: [delivery({ state: 'failed' })],
      },
      [1],
    ],
    [
      'a comment skipped without a cause',
      { ledger: [], interactions: [interaction({ outcome: 'skipped', reason: 'no_match' })], deliveries: [] },
      [1],
    ],
    ['two outcomes', { interactions: [interaction(), interaction()] }, [2]],
    ['two messages for one comment', { ledger: [entry(), entry({ seq: 2 })] }, [3]],
    [
      'two public replies',
      {
        ledger: [1, 2, 3].map((seq) => entry({ seq, operation: seq === 1 ? 'private_reply' : 'comment_reply' })),
        deliveries: [delivery(), delivery({ id: 'd2', kind: 'public_reply' })],
      },
      [3],
    ],
    ['a message that was noted and not sent', { ledger: [] }, [3]],
    [
      'a message that was sent and not noted',
      {
        interactions: [interaction({ outcome: 'expired', reason: 'deadline_passed' })],
        deliveries: [delivery({ state: 'expired' })],
      },
      [3],
    ],
    [
      'more in an hour than allowed',
      {
        ledger: ['c1', 'c2', 'c3'].map((commentId, index) => entry({ seq: index, commentId, at: AT + index * 60_000 })),
        deliveries: ['c1', 'c2', 'c3'].map((recipient) => delivery({ recipient })),
      },
      [4],
    ],
    [
      'a call while Meta said to wait',
      {
        ledger: [
          entry({ commentId: 'c2', delivered: false, errorCode: 80002, fault: 'error 80002' }),
          entry({ seq: 2, at: AT + 60_000 }),
        ],
      },
      [4],
    ],
    ['a limit that Meta itself had to defend', { ledger: [entry(), entry({ delivered: false, errorCode: 613 })] }, [4]],
    ['a try after the deadline', { ledger: [entry({ at: AT + 2 * HOUR_MS })] }, [5]],
    ['a message after STOP', { stops: [{ personId: 'person', after: 0, until: null }] }, [6]],
    ['no reason', { interactions: [interaction({ reason: 'because' })] }, [7]],
    ['a reason of another outcome', { interactions: [interaction({ reason: 'stopped' })] }, [7]],
    [
      'something that still waits',
      {
        ledger: [],
        interactions: [interaction({ outcome: 'waiting', reason: 'queued' })],
        deliveries: [delivery({ state: 'queued' })],
      },
      [7],
    ],
  ])('sees %s', (_name, evidence, rules) => {
    expect(rulesBroken(evidence)).toEqual(rules);
  });

  test('does not count a second by a clock that was moved, but still an hour', () => {
    const calls = (count: number, apartMs: number) => ({
      comments: Array.from({ length: count }, (_, number) => ({
        ...asItShouldBe.comments[0]!,
        commentId: `c${number}`,
      })),
      ledger: Array.from({ length: count }, (_, number) =>
        entry({ at: AT + number * apartMs, commentId: `c${number}` }),
      ),
      interactions: Array.from({ length: count }, (_, number) =>
        interaction({ id: `i${number}`, platformId: `c${number}` }),
      ),
      deliveries: Array.from({ length: count }, (_, number) =>
        delivery({ id: `d${number}`, interactionId: `i${number}`, recipient: `c${number}` }),
      ),
    });
    const limits = { ...asItShouldBe.limits, privateRepliesPerHour: 4 };
    expect(rulesBroken({ ...calls(3, 100), limits })).toEqual([4]);
    expect(rulesBroken({ ...calls(3, 100), limits, clockOffMs: 60_000 })).toEqual([]);
    expect(rulesBroken({ ...calls(5, 2000), limits, clockOffMs: 60_000 })).toEqual([4]);
  });

  test('does not mind a message before STOP, or after START', () => {
    expect(judge({ ...asItShouldBe, stops: [{ personId: 'person', after: 1, until: null }] })).toEqual([]);
    expect(
      judge({
        ...asItShouldBe,
        ledger: [entry({ seq: 5 })],
        stops: [{ personId: 'person', after: 1, until: 4 }],
      }),
    ).toEqual([]);
  });
});

test('the oracle allows what nobody can know', () => {
  const lostWithItsEngine = {
    ledger: [
      entry({ commentId: 'c2', delivered: false, errorCode: 80002, fault: 'error 80002' }),
      entry({ seq: 2, at: AT + 60_000 }),
    ],
    unheard: [{ after: 0, to: 1 }],
  };
  expect(rulesBroken(lostWithItsEngine)).toEqual([]);
  expect(rulesBroken({ ...lostWithItsEngine, unheard: [{ after: 1, to: 2 }] })).toEqual([4]);
  const saidAnswered = [entry({ delivered: false, errorCode: 10900, fault: 'error 10900' })];
  expect(rulesBroken({ ledger: saidAnswered })).toEqual([]);
  expect(rulesBroken({ ledger: saidAnswered.map((call) => ({ ...call, fault: null })) })).toEqual([3]);
  const tooLate = { interactions: [interaction({ outcome: 'expired', reason: 'deadline_passed' })] };
  expect(rulesBroken({ ...tooLate, deliveries: [delivery({ state: 'expired', uncertain: true })] })).toEqual([]);
  expect(rulesBroken({ ...tooLate, deliveries: [delivery({ state: 'expired' })] })).toEqual([3]);
  const toHer = { commentId: null, recipientId: 'person', operation: 'message' } as const;
  const calledOff = (count: number, uncertain: boolean) => ({
    ledger: [entry({ ...toHer, seq: 1 }), entry({ ...toHer, seq: 2 })],
    interactions: [interaction({ outcome: 'skipped', reason: 'taken_over' })],
    deliveries: Array.from({ length: 2 }, (_, number) =>
      delivery({
        id: `d${number}`,
        kind: 'message',
        recipient: 'person',
        state: 'cancelled',
        uncertain: number < count && uncertain,
      }),
    ),
  });
  expect(rulesBroken(calledOff(2, true))).toEqual([]);
  expect(rulesBroken(calledOff(1, true))).toEqual([3]);
  expect(rulesBroken(calledOff(2, false))).toEqual([3]);
  const refused = { interactions: [interaction({ outcome: 'failed', reason: 'message_rejected' })] };
  expect(rulesBroken({ ...refused, deliveries: [delivery({ state: 'failed', uncertain: true })] })).toEqual([]);
  expect(rulesBroken({ ...refused, deliveries: [delivery({ state: 'failed' })] })).toEqual([3]);
});

test('the most in any period is found wherever it begins', () => {
  expect(mostWithin([], 10)).toBe(0);
  expect(mostWithin([1, 2, 3], 10)).toBe(3);
  expect(mostWithin([0, 9, 10, 18], 10)).toBe(3);
});
