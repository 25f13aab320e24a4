/** A schedule for real processes: what is broken when, and for how long. Everything in it follows from its seed. */
import { pickCallFault, pickWebhookFault, TOKEN_DEATHS } from '#e2e/chaos/meta-faults.ts';
import { type BadClient, MISDEEDS, type Misdeed } from '#e2e/chaos/processes/bad-client.ts';
import type { Fault } from '#e2e/chaos/processes/line.ts';
import { SeededRandom } from '#e2e/crash/random.ts';
import type { FaultAction, Operation, TokenDeath } from '#simulators/meta/control/types.ts';

/**
 * - `embedded`: one process that keeps its own database.
 * - `own-database`: one process and a PostgreSQL of one's own, which another line leads to.
 * - `cluster`: three NATS servers, PostgreSQL, two web and three worker processes.
 */
export type Setting = 'embedded' | 'own-database' | 'cluster';

export type Breaking =
  /** Without asking, and started again after `forMs`. `twice`: once more while it starts. */
  | { do: 'kill'; members: string[]; twice: boolean }
  /** Asked to end, and started again after `forMs`. */
  | { do: 'stop'; member: string }
  /** Frozen for `forMs`. */
  | { do: 'pause'; member: string }
  | { do: 'line'; line: string; fault: Fault }
  /** The clocks of the product's machines are off by so much for `forMs`. */
  | { do: 'clock'; offMs: number }
  | { do: 'fill the disk' }
  | { do: 'fault'; operation: Operation[]; action: FaultAction; times: number }
  | { do: 'webhook fault'; action: FaultAction; times: number }
  | { do: 'end tokens'; reason: TokenDeath }
  | ({ do: 'bad client'; member: string } & BadClient);

export type Action = Breaking & { atMs: number; forMs: number };

export type ProcessSchedule = {
  seed: number;
  setting: Setting;
  /** How long followers write, at least. */
  forMs: number;
  actions: Action[];
};

const MEMBERS: Record<Setting, readonly string[]> = {
  embedded: ['program', 'program', 'postgres'],
  'own-database': ['program', 'program', 'postgres'],
  cluster: [
    ...['web-1', 'web-2'],
    ...['worker-1', 'worker-2', 'worker-3', 'worker-1', 'worker-2', 'worker-3'],
    ...['nats-1', 'nats-2', 'nats-3', 'postgres'],
  ],
};
const LINES: Record<Setting, readonly string[]> = {
  embedded: ['meta'],
  'own-database': ['meta', 'postgres', 'postgres'],
  cluster: ['meta', 'postgres', 'nats-1', 'nats-2', 'nats-3'],
};

/** Calls that take longer are given up by the product (10 s); these are slow and in time. */
const SLOW_CALL_MS = 1000;
const OPERATIONS: readonly Operation[][] = [
  ['private_reply'],
  ['private_reply', 'comment_reply', 'message'],
  ['comment_reply'],
  ['reply_list', 'conversation_list', 'conversation_read', 'message_read'],
];

/** @param settings which may be chosen; the seed chooses */
export function processSchedule(seed: number, settings: readonly Setting[]): ProcessSchedule {
  const random = new SeededRandom(seed);
  const setting = random.pick(settings);
  const forMs = random.between(1200, 3000);
  const count = random.between(2, 6);
  const actions: Action[] = Array.from({ length: count }, () => ({
    ...pickBreaking(random, setting),
    atMs: random.between(0, forMs),
    forMs: random.between(50, 1200),
  }));
  // A pause longer than a lease, now and then: another takes over and then there are two.
  if (random.chance(0.08)) {
    actions.push({ do: 'pause', member: random.pick(MEMBERS[setting]), atMs: random.between(0, forMs), forMs: 12_000 });
  }
  actions.push(...badClients(seed, setting, forMs));
  return { seed, setting, forMs, actions: actions.toSorted((a, b) => a.atMs - b.atMs) };
}

/** Chance of their own: what else a seed breaks is the same as before there were bad clients. */
function badClients(seed: number, setting: Setting, untilMs: number): Action[] {
  const random = new SeededRandom(~seed);
  return Array.from({ length: random.between(1, 2) }).flatMap((): Action[] => {
    const misdeed = random.pick(Object.keys(MISDEEDS) as Misdeed[]);
    const { most, thrownOutWithinMs } = MISDEEDS[misdeed];
    // Waiting for the end of one that stays is most of a schedule's time.
    const stays = thrownOutWithinMs !== null && random.chance(4000 / thrownOutWithinMs);
    const member = setting === 'cluster' ? random.pick(['web-1', 'web-2']) : 'program';
    const client: Action = {
      do: 'bad client',
      misdeed,
      member,
      count: random.pick([random.between(1, 10), most, most]),
      thrownOutWithinMs: stays ? thrownOutWithinMs : null,
      atMs: random.between(0, untilMs),
      forMs: random.between(300, 2500),
    };
    if (!random.chance(0.15)) return [client];
    return [
      client,
      { do: 'stop', member, atMs: client.atMs + random.between(100, 300), forMs: random.between(50, 500) },
    ];
  });
}

function pickBreaking(random: SeededRandom, setting: Setting): Exclude<Breaking, { do: 'bad client' }> {
  const kind = random.pick([
    ...['kill', 'kill', 'kill', 'stop', 'pause', 'pause', 'line', 'line', 'line'],
    ...['clock', 'fill the disk', 'fault', 'fault', 'fault', 'fault', 'webhook fault', 'end tokens'],
  ] as Exclude<Breaking['do'], 'bad client'>[]);
  const member = random.pick(MEMBERS[setting]);
  switch (kind) {
    case 'kill': {
      const both = setting !== 'cluster' && random.chance(0.25);
      return { do: kind, members: both ? ['program', 'postgres'] : [member], twice: random.chance(0.25) };
    }
    case 'stop':
      // The program's own database has nobody else to ask it.
      return { do: kind, member: setting === 'embedded' ? 'program' : member };
    case 'pause':
      return { do: kind, member: setting === 'embedded' ? 'program' : member };
    case 'line':
      return {
        do: kind,
        line: random.pick(LINES[setting]),
        fault: random.pick<Fault>([
          { kind: 'cut' },
          { kind: 'dead' },
          { kind: 'slow', delayMs: random.between(5, 300) },
        ]),
      };
    case 'clock':
      return { do: kind, offMs: random.pick([-3_600_000, -60_000, -2000, 2000, 60_000, 3_600_000]) };
    case 'fault':
      return {
        do: kind,
        operation: random.pick(OPERATIONS),
        action: patient(pickCallFault(random, { timeoutMs: SLOW_CALL_MS }), random),
        times: random.pick([1, 2, 5]),
      };
    case 'webhook fault':
      return { do: kind, action: pickWebhookFault(random), times: random.pick([1, 3]) };
    case 'end tokens':
      return { do: kind, reason: random.pick(TOKEN_DEATHS) };
    case 'fill the disk':
      return { do: kind };
  }
}

/** A call that is never answered takes ten real seconds: only now and then. */
function patient(action: FaultAction, random: SeededRandom): FaultAction {
  if (action.kind !== 'hang' || random.chance(0.1)) return action;
  return { kind: 'reset', when: action.when };
}

export function tellAction({ atMs, forMs, do: what, ...rest }: Action): string {
  const details = Object.values(rest).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return `${String(atMs).padStart(5)} ms, for ${String(forMs).padStart(5)} ms: ${[what, ...details].join(' ')}`;
}
