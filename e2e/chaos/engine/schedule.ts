/** A schedule for the engine alone, in simulated time: everything in it follows from its seed. */
import { pickCallFault, pickWebhookFault, TOKEN_DEATHS } from '#e2e/chaos/meta-faults.ts';
import { SeededRandom } from '#e2e/crash/random.ts';
import type { FaultAction, Operation, TokenDeath } from '#simulators/meta/control/types.ts';

/** How long a call of the engine may take here, in real time. */
export const CALL_TIMEOUT_MS = 150;

/** Followers and posts that a schedule's creator has. */
export const PEOPLE = 6;
const POSTS = 2;

/**
 * Where an engine breaks: at its n-th statement or call from now, before or after that took effect. Few of them are calls,
 * and nothing is as delicate as the moment between a call and its record: so half of all breaks are aimed at calls.
 */
export type Break = {
  how:
    | 'dies'
    /** Sleeps longer than its lease while another takes over, and wakes up later. */
    | 'sleeps'
    /** The database ends the connection; after the statement only the answer is lost. */
    | 'loses its connection';
  at: number;
  of: 'statements and calls' | 'calls';
  when: 'before' | 'after';
};

export type Step =
  | { do: 'comment'; person: number; post: number; says: 'recipe' | 'soup' | 'lovely' }
  /** All at once: more than an hour or a second allows. */
  | { do: 'many comments'; count: number; says: 'recipe' | 'soup' }
  | { do: 'comment in the live'; person: number }
  | { do: 'write'; person: number; says: 'menu' | 'stop' | 'start' | 'hello' }
  | { do: 'tap'; person: number }
  | { do: 'the owner writes'; person: number }
  | { do: 'delete a comment' }
  | { do: 'end the live' }
  | { do: 'deliver'; order: number; copies: number }
  | { do: 'ingest' }
  | { do: 'claim' }
  /** As above, and Meta thinks about its answers: what comes next happens meanwhile. */
  | { do: 'claim, slow answers' }
  | { do: 'dispatch' }
  | { do: 'sweep' }
  | { do: 'break'; break: Break }
  | { do: 'wake' }
  | { do: 'wait'; ms: number }
  | { do: 'move the clock'; toMs: number }
  | { do: 'fault'; operation: Operation[]; action: FaultAction; times: number }
  | { do: 'webhook fault'; action: FaultAction }
  | { do: 'end the token'; reason: TokenDeath }
  | { do: 'reconnect' };

export type EngineSchedule = {
  seed: number;
  /** Minutes in which a person is not answered again; null: every comment is answered. */
  repeatAfterMinutes: number | null;
  steps: Step[];
};

/** By weight. */
const KINDS = [
  ...repeat(14, 'comment'),
  ...repeat(4, 'many comments'),
  ...repeat(2, 'comment in the live'),
  ...repeat(8, 'write'),
  ...repeat(3, 'tap'),
  ...repeat(1, 'the owner writes'),
  ...repeat(1, 'delete a comment'),
  ...repeat(1, 'end the live'),
  ...repeat(10, 'deliver'),
  ...repeat(8, 'ingest'),
  ...repeat(4, 'claim'),
  ...repeat(7, 'dispatch'),
  ...repeat(1, 'sweep'),
  ...repeat(14, 'break'),
  ...repeat(3, 'wake'),
  ...repeat(7, 'wait'),
  ...repeat(1, 'move the clock'),
  ...repeat(8, 'fault'),
  ...repeat(2, 'webhook fault'),
  ...repeat(1, 'end the token'),
  ...repeat(1, 'reconnect'),
] satisfies readonly Step['do'][];

/** Several steps that chance would rarely put in a row: a follower thinks better of it while Meta thinks about the message. */
const STOPS_MEANWHILE = 'stops meanwhile';

/** Earlier seeds are to tell what they always told. */
const FIRST_SEED_WITH_SLOW_ANSWERS = 9000;
const KINDS_WITH_SLOW_ANSWERS = [
  ...KINDS,
  ...repeat(4, 'claim, slow answers'),
  ...repeat(2, STOPS_MEANWHILE),
] satisfies readonly (Step['do'] | typeof STOPS_MEANWHILE)[];

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const WAITS_MS = [
  10,
  200,
  SECOND_MS,
  2 * SECOND_MS,
  5 * SECOND_MS,
  31 * SECOND_MS,
  2 * MINUTE_MS,
  6 * MINUTE_MS,
  HOUR_MS,
  25 * HOUR_MS,
];

const OPERATIONS: readonly Operation[][] = [
  ['private_reply'],
  ['private_reply'],
  ['comment_reply'],
  ['message'],
  ['private_reply', 'comment_reply', 'message'],
  ['reply_list', 'conversation_list', 'conversation_read', 'message_read', 'profile_read'],
];

export function engineSchedule(seed: number): EngineSchedule {
  const random = new SeededRandom(seed);
  const count = random.between(8, 36);
  const kinds = seed < FIRST_SEED_WITH_SLOW_ANSWERS ? KINDS : KINDS_WITH_SLOW_ANSWERS;
  return {
    seed,
    repeatAfterMinutes: random.pick([null, 1440]),
    steps: Array.from({ length: count }, () => {
      const kind = random.pick<(typeof KINDS_WITH_SLOW_ANSWERS)[number]>(kinds);
      return kind === STOPS_MEANWHILE ? stopsMeanwhile(random) : [stepOf(kind, random)];
    }).flat(),
  };
}

function stopsMeanwhile(random: SeededRandom): Step[] {
  const person = random.between(0, PEOPLE - 1);
  const asks: Step = random.pick([
    { do: 'comment', person, post: 0, says: 'recipe' },
    { do: 'write', person, says: 'menu' },
  ]);
  return [
    asks,
    { do: 'deliver', order: random.between(0, 2 ** 31), copies: 1 },
    { do: 'ingest' },
    { ...(stepOf('fault', random) as Step & { do: 'fault' }), operation: ['private_reply', 'message'] },
    { do: 'claim, slow answers' },
    { do: 'write', person, says: 'stop' },
    { do: 'ingest' },
  ];
}

function stepOf(kind: Step['do'], random: SeededRandom): Step {
  const person = random.between(0, PEOPLE - 1);
  switch (kind) {
    case 'comment':
      return {
        do: kind,
        person,
        post: random.between(0, POSTS - 1),
        says: random.pick(['recipe', 'recipe', 'recipe', 'soup', 'soup', 'lovely']),
      };
    case 'many comments':
      return { do: kind, count: random.between(3, 12), says: random.pick(['recipe', 'recipe', 'soup']) };
    case 'comment in the live':
    case 'tap':
    case 'the owner writes':
      return { do: kind, person };
    case 'write':
      return { do: kind, person, says: random.pick(['menu', 'menu', 'stop', 'stop', 'start', 'hello']) };
    case 'deliver':
      return { do: kind, order: random.between(0, 2 ** 31), copies: random.pick([1, 1, 1, 2, 5]) };
    case 'break':
      return {
        do: kind,
        break: random.pick([
          {
            how: random.pick(['dies', 'dies', 'sleeps', 'loses its connection', 'loses its connection']),
            at: random.between(1, 16),
            of: 'statements and calls',
            when: random.pick(['before', 'after']),
          },
          {
            how: random.pick(['dies', 'dies', 'sleeps']),
            at: random.between(1, 3),
            of: 'calls',
            when: random.pick(['before', 'after', 'after']),
          },
        ]),
      };
    case 'wait':
      return { do: kind, ms: random.pick(WAITS_MS) };
    case 'move the clock':
      return {
        do: kind,
        toMs: random.pick([-HOUR_MS, -MINUTE_MS, -2 * SECOND_MS, 0, 2 * SECOND_MS, MINUTE_MS, HOUR_MS]),
      };
    case 'fault':
      return {
        do: kind,
        operation: random.pick(OPERATIONS),
        action: pickCallFault(random, { timeoutMs: CALL_TIMEOUT_MS }),
        times: random.pick([1, 1, 1, 2, 4]),
      };
    case 'webhook fault':
      return { do: kind, action: pickWebhookFault(random) };
    case 'end the token':
      return { do: kind, reason: random.pick(TOKEN_DEATHS) };
    default:
      return { do: kind };
  }
}

/** One line of a trace. */
export function tell({ do: what, ...rest }: Step): string {
  const details = Object.values(rest).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value));
  return [what, ...details].join(' ');
}

function repeat<T extends string>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value);
}
