/**
 * Plays a schedule against real processes: followers write, things break and are mended, then everything is worked off and
 * judged. Where the product would wait for minutes or hours, its clock and the simulator's are moved together.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Finding, judge } from '#e2e/chaos/oracle.ts';
import { BadClients } from '#e2e/chaos/processes/bad-client.ts';
import { Crowd } from '#e2e/chaos/processes/crowd.ts';
import {
  commentIsAnswered,
  everythingIsBack,
  type Figures,
  othersAreServed,
  readFigures,
} from '#e2e/chaos/processes/liveness.ts';
import { type Action, type ProcessSchedule, tellAction } from '#e2e/chaos/processes/schedule.ts';
import {
  addCreator,
  addLongPast,
  addTenant,
  type ConnectedCreator,
  type Tenant,
} from '#e2e/chaos/processes/tenants.ts';
import { type ProcessWorld, REPLIES_PER_HOUR } from '#e2e/chaos/processes/world.ts';
import { readRows } from '#e2e/chaos/rows.ts';
import { type Member, STOPPED_WITHIN_MS } from '#e2e/cluster/member.ts';
import { SeededRandom } from '#e2e/crash/random.ts';
import { DOWNLOADS_AT_ONCE } from '#server/db/database.ts';
import { LEASE_SECONDS, RENEW_EVERY_MS } from '#server/engine/shards/leases.ts';
import { ENGINE_CHANNEL, type Signal } from '#server/engine/signals.ts';
import { seal } from '#server/secrets.ts';
import type { GraphLedgerEntry, WebhookLedgerEntry } from '#simulators/meta/control-client.ts';

/** How long it may take, in real time, until Meta has delivered every webhook, and until everything is worked off. */
const DELIVERED_WITHIN_MS = 60_000;
const WORKED_OFF_WITHIN_MS = 120_000;
/** Acknowledged events that nobody knows of after this wait in NATS: a person would look at its servers by now. */
const NATS_RESTARTED_AFTER_MS = 45_000;
/** From one process to another, on a busy machine. */
const ARRIVES_WITHIN_MS = 50;
/** Calls that are never answered are given up by then: these are timed by the machine's clock. */
const UNANSWERED_CALLS_END_WITHIN_MS = 11_000;
/** The longest that a fault holds a webhook back. */
const HELD_BACK_MS = 61_000;
/** Messages on their way when somebody wrote STOP have arrived so much later. */
const ON_ITS_WAY_MS = 15_000;
/** Nothing has happened for so long, seen so many times (on a busy machine looks take longer): what is left waits for a time. */
const LOOK_EVERY_MS = 60;
const QUIET_FOR_MS = 300;
/** With a call under way, which may wait for the database; or its caller died, and then it stays so until time passes. */
const QUIET_UNDER_WAY_MS = 2000;
const QUIET_LOOKS = 3;
/** The worker of a shard renewed its lease less than so long ago; a killed one holds its lease until it runs out. */
const LEASES_LEFT_SECONDS = LEASE_SECONDS - (2 * RENEW_EVERY_MS) / 1000;
const LOG_LINES = 30;
/** Some seconds after the last fault: everybody else is served, and after the last bad client: all is back. */
const SERVED_WITHIN_MS = 20_000;
const BACK_WITHIN_MS = 20_000;
const CREATORS = 2;
/** Meta's answers from so long before a kill may not be written down: with PostgreSQL frozen or a line dead just before it. */
const UNHEARD_BEFORE_KILL_MS = 2000;
/** An answer is on its way so long. */
const UNHEARD_BEFORE_SILENCE_MS = 100;
/** How far time is moved, one after the other, while something still waits: look-ups, retries, limits, bars. */
const PASS_MS = [31, 31, 61, 61, 301, 901, 1801, 3601, 3601, 3601, 3601, 14_401, 14_401, 86_400].map((s) => s * 1000);

export type PlayedProcesses = {
  seed: number;
  findings: Finding[];
  trace: string[];
  comments: number;
  messages: number;
  /** The longest that Meta had to try until a webhook was acknowledged, in real time. */
  longestToAckMs: number;
};

export async function playProcessSchedule(world: ProcessWorld, schedule: ProcessSchedule): Promise<PlayedProcesses> {
  const random = new SeededRandom(schedule.seed + 1);
  const laps = new Laps();
  const creators: ConnectedCreator[] = [];
  for (let number = 0; number < CREATORS; number++) creators.push(await addCreator(world));
  const neighbors = await Neighbors.moveIn(world);
  const trouble = new Trouble(world, schedule, creators, neighbors.badClients);
  const crowd = new Crowd(world, creators, random);
  const tell = () => [
    `${schedule.setting}, ${crowd.comments.size} comments; ${laps}`,
    ...trouble.trace,
    ...neighbors.badClients.trace,
    ...neighbors.trace,
  ];
  try {
    const { findings, graph, webhooks } = await play({ world, schedule, creators, neighbors, trouble, crowd, laps });
    const evidence =
      findings.length === 0
        ? []
        : [...world.servers.flatMap(tellLog), await tellIgnored(world), ...graph.map(tellEntry)];
    return {
      seed: schedule.seed,
      findings,
      trace: [...tell(), ...evidence],
      comments: crowd.comments.size,
      messages: graph.filter(({ delivered }) => delivered).length,
      longestToAckMs: longestToAck(webhooks),
    };
  } catch (error) {
    // Never seen but where this code was wrong or a machine overloaded; what was done until then tells which.
    const findings: Finding[] = [error, ...world.takeDeaths()].map((says) => ({
      rule: 7,
      says: says === error ? `the schedule could not be played: ${inspect(error)}` : String(says),
    }));
    const trace = [...tell(), ...world.servers.flatMap(tellLog)];
    return { seed: schedule.seed, findings, trace, comments: crowd.comments.size, messages: 0, longestToAckMs: 0 };
  } finally {
    neighbors.badClients.leave();
  }
}

type Play = {
  world: ProcessWorld;
  schedule: ProcessSchedule;
  creators: ConnectedCreator[];
  neighbors: Neighbors;
  trouble: Trouble;
  crowd: Crowd;
  laps: Laps;
};

async function play({ world, schedule, creators, neighbors, trouble, crowd, laps }: Play) {
  const stops = new Stops(world, creators);
  const broken = Promise.all([pause(schedule.forMs), trouble.make()]);
  await broken.finally(() => crowd.stop());
  laps.end('broken');
  await trouble.mend();
  laps.end('mended');

  const findings: Finding[] = [...trouble.findings, ...(await neighbors.areServed())];
  laps.end('served');
  const thrownOut = neighbors.badClients.untilThrownOut();
  const callsEnd = trouble.hasUnanswered ? pause(UNANSWERED_CALLS_END_WITHIN_MS) : Promise.resolve();
  findings.push(...(await untilDelivered(world, creators)));
  if (trouble.holdsWebhooksBack) {
    await callsEnd;
    if (!(await passTime(world, HELD_BACK_MS, Date.now() + DELIVERED_WITHIN_MS))) {
      findings.push({ rule: 1, says: 'webhooks never came to rest' });
    }
    findings.push(...(await untilDelivered(world, creators)));
  }
  laps.end('delivered');
  findings.push(...(await untilWorkedOff({ world, creators, stops, trouble, callsEnd })));
  laps.end('worked off');
  findings.push(...(await thrownOut).map(notLive));
  laps.end('thrown out');
  findings.push(...(await neighbors.haveEverythingBack()));
  // Meanwhile reading may have found comments that no webhook told of.
  findings.push(...(await untilWorkedOff({ world, creators, stops, trouble, callsEnd })));
  laps.end('back');
  for (const death of world.takeDeaths()) findings.push({ rule: 7, says: death });

  const { graph, webhooks } = await readLedger(world, creators);
  const rows = await readRows(
    world.query,
    creators.map(({ creatorId }) => creatorId),
  );
  const acked = new Set(webhooks.filter(({ outcome }) => outcome === 'ok').map(({ subjectId }) => subjectId));
  findings.push(
    ...judge({
      ...rows,
      ledger: graph,
      comments: [...crowd.comments].map(([commentId, matches]) => ({
        commentId,
        matches,
        acked: acked.has(commentId),
        live: false,
        gone: false,
      })),
      ackedMessages: webhooks.flatMap(({ field, outcome, subjectId }) =>
        field === 'messages' && outcome === 'ok' && subjectId !== null ? [subjectId] : [],
      ),
      stops: stops.inLedger(graph),
      unheard: trouble.unheardInLedger(graph),
      limits: {
        privateRepliesPerHour: REPLIES_PER_HOUR,
        publicRepliesPerHour: REPLIES_PER_HOUR,
        messagesPerSecond: 100,
      },
      clockOffMs: trouble.clockOffAtMostMs,
    }),
  );
  await world.control.clearLedger();
  laps.end('judged');
  return { findings, graph, webhooks };
}

function notLive(says: string): Finding {
  return { rule: 'liveness', says };
}

/**
 * Creators that nothing of the schedule is about: one who is to be served whatever happens, and as many with much data as a
 * process has places for downloads.
 */
class Neighbors {
  readonly badClients: BadClients;
  readonly trace: string[] = [];
  private readonly world: ProcessWorld;
  private readonly quiet: Tenant;
  private readonly large: Tenant[];
  private readonly before: ReadonlyMap<string, Figures>;

  private constructor(world: ProcessWorld, quiet: Tenant, large: Tenant[], before: ReadonlyMap<string, Figures>) {
    this.world = world;
    this.quiet = quiet;
    this.large = large;
    this.before = before;
    this.badClients = new BadClients(large[0]!);
  }

  static async moveIn(world: ProcessWorld): Promise<Neighbors> {
    const quiet = await addTenant(world);
    const large: Tenant[] = [];
    for (let number = 0; number < DOWNLOADS_AT_ONCE; number++) large.push(await addTenant(world));
    for (const creator of large) await addLongPast(world, creator);
    const before = new Map<string, Figures>();
    for (const server of world.servers) {
      const figures = await readFigures(server);
      if (figures !== null) before.set(server.name, figures);
    }
    return new Neighbors(world, quiet, large, before);
  }

  /** Bad clients that stay are still there. */
  async areServed(): Promise<Finding[]> {
    return (await othersAreServed(this.world.servers, this.before, this.quiet, SERVED_WITHIN_MS)).map(notLive);
  }

  async haveEverythingBack(): Promise<Finding[]> {
    const { world, before, quiet: other, large } = this;
    for (const server of world.servers) {
      const [was, is] = [before.get(server.name), await readFigures(server)];
      this.trace.push(`${server.name}: ${was?.residentMb} MB before, ${is?.residentMb} MB after`);
    }
    const wrong = await Promise.all([
      everythingIsBack({ ...world, before, other, large, withinMs: BACK_WITHIN_MS }),
      commentIsAnswered(world.control, other, BACK_WITHIN_MS),
    ]);
    return wrong.flat().map(notLive);
  }
}

/** Events the product ignored, in all schedules of this world: an event may then leave no trace. */
async function tellIgnored(world: ProcessWorld): Promise<string> {
  const counts = await world.query<{ what: string; count: string }>(
    'select what, sum(count) as count from ignored_events group by what order by what',
    [],
  );
  return `ignored: ${counts.map(({ what, count }) => `${what} ${count}`).join(', ') || 'nothing'}`;
}

/** How long each part of a schedule took. */
class Laps {
  private readonly parts: string[] = [];
  private from = performance.now();

  end(what: string): void {
    const now = performance.now();
    this.parts.push(`${what} ${((now - this.from) / 1000).toFixed(1)} s`);
    this.from = now;
  }

  toString(): string {
    return this.parts.join(', ');
  }
}

/** Breaks things at their time, and mends each after its time. */
class Trouble {
  readonly trace: string[] = [];
  readonly findings: Finding[] = [];
  clockOffAtMostMs = 0;
  /** Some calls are never answered. */
  hasUnanswered = false;
  /** Some webhooks come only after a while. */
  holdsWebhooksBack = false;
  private readonly world: ProcessWorld;
  private readonly schedule: ProcessSchedule;
  private readonly creators: ConnectedCreator[];
  private readonly badClients: BadClients;
  /** One thing at a time for each member and line. */
  private readonly queues = new Map<string, Promise<void>>();
  private tokensEnded = false;
  /** By Meta's clock: when answers may not have reached anybody who lived to write them down. */
  private readonly unheard: { from: number; until: number }[] = [];

  constructor(world: ProcessWorld, schedule: ProcessSchedule, creators: ConnectedCreator[], badClients: BadClients) {
    this.world = world;
    this.schedule = schedule;
    this.creators = creators;
    this.badClients = badClients;
  }

  async make(): Promise<void> {
    const startedAt = performance.now();
    await Promise.all(
      this.schedule.actions.map(async (action) => {
        await pause(Math.max(0, startedAt + action.atMs - performance.now()));
        this.trace.push(tellAction(action));
        const before = unheardBeforeMs(action);
        if (before === null) return this.take(action);
        const from = (await this.world.control.now()) - before;
        await this.take(action);
        this.unheard.push({ from, until: await this.world.control.now() });
      }),
    );
  }

  unheardInLedger(ledger: GraphLedgerEntry[]): { after: number; to: number }[] {
    return this.unheard.map(({ from, until }) => ({
      after: lastSeqUntil(ledger, from),
      to: lastSeqUntil(ledger, until),
    }));
  }

  /** Everything runs, is reachable, and tells the right time. */
  async mend(): Promise<void> {
    const { world } = this;
    await world.control.clearFaults();
    for (const line of world.lines.values()) line.heal();
    await world.disk?.free();
    await world.clock.setOff(0);
    for (const member of world.members.values()) member.thaw();
    await this.endHung();
    await startMissing(world);
    const stopped = await world.query<{ id: string }>(
      'select creator_id as id from connections where requires_auth_at is not null and creator_id = any($1::uuid[])',
      [this.creators.map(({ creatorId }) => creatorId)],
    );
    const ids = new Set(stopped.map(({ id }) => id));
    for (const creator of this.creators) {
      if (this.tokensEnded || ids.has(creator.creatorId)) await reconnect(world, creator);
    }
  }

  /** One after the other: what two of three have is kept. As operations.md says, where they find no leader for long. */
  async restartNats(): Promise<void> {
    for (const [name, member] of this.world.members) {
      if (!name.startsWith('nats-')) continue;
      this.trace.push(`${name} was started again: what was acknowledged did not come out of the stream`);
      await member.stop();
      await startPatiently(this.world, member);
    }
  }

  /** As an orchestrator does with what answers nothing any more: docs/chaos.md tells which NATS server needs it after a full disk. */
  private async endHung(): Promise<void> {
    await Promise.all(
      [...this.world.members.values()].map(async (member) => {
        if (member.pid() === null || (await member.isAlive())) return;
        this.trace.push(`${member.name} answered nothing any more: ended and started again`);
        await member.kill();
      }),
    );
  }

  private async take(action: Action): Promise<void> {
    const { world } = this;
    switch (action.do) {
      case 'kill':
        await this.alone(action.members, async () => {
          for (const name of action.members) await this.member(name).kill();
          await pause(action.forMs);
          if (action.twice) await this.killWhileStarting(action);
          await this.startAll(action.members);
        });
        break;
      case 'stop':
        await this.alone([action.member], async () => {
          await this.stop(this.member(action.member));
          await pause(action.forMs);
          await this.startAll([action.member]);
        });
        break;
      case 'pause':
        await this.alone([action.member], async () => {
          this.member(action.member).freeze();
          await pause(action.forMs);
          this.member(action.member).thaw();
        });
        break;
      case 'line':
        await this.alone([`line ${action.line}`], async () => {
          world.lines.get(action.line)!.break(action.fault);
          await pause(action.forMs);
          world.lines.get(action.line)!.heal();
        });
        break;
      case 'clock':
        await this.alone(['clock'], async () => {
          this.clockOffAtMostMs = Math.max(this.clockOffAtMostMs, Math.abs(action.offMs));
          await world.clock.setOff(action.offMs);
          await pause(action.forMs);
          await world.clock.setOff(0);
        });
        break;
      case 'fill the disk':
        await this.alone(['disk'], async () => {
          await world.disk?.fill();
          await pause(action.forMs);
          await world.disk?.free();
        });
        break;
      case 'fault':
        if (action.action.kind === 'hang') this.hasUnanswered = true;
        await this.everyAccount((accountId) =>
          world.control.addFault({
            match: { operation: action.operation, accountId },
            action: action.action,
            times: action.times,
          }),
        );
        break;
      case 'webhook fault':
        if (action.action.kind === 'webhook_delay') this.holdsWebhooksBack = true;
        await this.everyAccount((accountId) =>
          world.control.addFault({ match: { accountId }, action: action.action, times: action.times }),
        );
        break;
      case 'bad client': {
        const url = world.servers.find(({ name }) => name === action.member)!.url!;
        await this.badClients.play(url, action, action.forMs);
        break;
      }
      case 'end tokens':
        this.tokensEnded = true;
        await this.everyAccount((subjectId) => world.control.killTokens({ subjectId, reason: action.reason }));
        break;
    }
  }

  private async stop(member: Member): Promise<void> {
    const startedAt = performance.now();
    await member.stop();
    const isOurs = this.world.servers.some(({ name }) => name === member.name);
    if (!isOurs || performance.now() - startedAt < STOPPED_WITHIN_MS) return;
    this.findings.push(
      notLive(`${member.name} was asked to end, and had to be killed ${STOPPED_WITHIN_MS / 1000} s later`),
    );
  }

  private async killWhileStarting(action: Action & { do: 'kill' }): Promise<void> {
    const names = action.members.filter((name) => name !== 'postgres');
    const started = Promise.allSettled(names.map((name) => this.member(name).start()));
    await pause(100 + (action.atMs % 900));
    for (const name of names) await this.member(name).kill();
    await started;
  }

  private async startAll(names: string[]): Promise<void> {
    for (const name of names) {
      // The program starts its own database, or the supervisor has.
      if (name === 'postgres' && this.world.setting === 'embedded') continue;
      const startedAt = performance.now();
      await startPatiently(this.world, this.member(name), (error) => {
        // Something else is broken at this moment: that it ended is no finding.
        this.world.takeDeaths(name);
        this.trace.push(
          `  ${name} did not start in ${Math.round((performance.now() - startedAt) / 1000)} s: ${firstWords(error)}`,
        );
      });
    }
  }

  private member(name: string): Member {
    return this.world.members.get(name)!;
  }

  private async alone(names: string[], work: () => Promise<void>): Promise<void> {
    const before = Promise.all(names.map((name) => this.queues.get(name)));
    const now = before.then(work);
    for (const name of names) this.queues.set(name, now);
    await now;
  }

  private async everyAccount(work: (accountId: string) => Promise<unknown>): Promise<void> {
    for (const { instagramAccountId } of this.creators) await work(instagramAccountId);
  }
}

/** How long before it Meta's answers may be lost with whoever should have heard them; null where nobody is lost. */
function unheardBeforeMs(action: Action): number | null {
  switch (action.do) {
    case 'kill':
      return action.members.some(isSender) ? UNHEARD_BEFORE_KILL_MS : null;
    case 'line':
      return action.line === 'meta' ? UNHEARD_BEFORE_SILENCE_MS : null;
    case 'pause':
      // Another one has taken over when it hears.
      return isSender(action.member) && action.forMs > LEASE_SECONDS * 1000 ? UNHEARD_BEFORE_SILENCE_MS : null;
    default:
      return null;
  }
}

function isSender(member: string): boolean {
  return member === 'program' || member.startsWith('worker-');
}

/** Their supervisor restarts what ended; the program's own database is the program's. */
async function startMissing(world: ProcessWorld): Promise<void> {
  for (const [name, member] of world.members) {
    const isOwn = name === 'postgres' && world.setting === 'embedded';
    if (member.pid() === null && !isOwn) await startPatiently(world, member);
  }
}

/** A part it needs may be away at this moment; its supervisor tries again. */
async function startPatiently(
  world: ProcessWorld,
  member: Member,
  onFailed: (error: unknown) => void = () => {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    // A schedule that was given up goes on: it must not start anything that nobody would end.
    if (world.isClosed()) throw new Error('The world is gone.');
    try {
      await member.start();
      return;
    } catch (error) {
      if (attempt === 30) throw error;
      onFailed(error);
      await pause(300);
    }
  }
}

/** The report on a program that ended: its log's line about an error, else the last. */
function firstWords(error: unknown): string {
  const lines = String(error).split('\n');
  return (lines.slice(1).find((line) => /^\s*\w*error: /i.test(line)) ?? lines.at(-1)!).trim();
}

async function reconnect(world: ProcessWorld, creator: ConnectedCreator): Promise<void> {
  const { creatorId, connectionId, instagramAccountId: subjectId } = creator;
  const { token } = await world.control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId });
  await world.query('update tokens set secret = $2, invalid_at = null where creator_id = $1', [
    creatorId,
    seal([world.encryptionKey], token),
  ]);
  await world.query(
    'update connections set requires_auth_at = null, requires_auth_reason = null where creator_id = $1',
    [creatorId],
  );
  await signal(world, { what: 'connection', creatorId, connectionId });
}

async function signal(world: ProcessWorld, what: Signal): Promise<void> {
  await world.query('select pg_notify($1, $2)', [ENGINE_CHANNEL, JSON.stringify(what)]);
}

/** Who wrote STOP, as soon as the product knows it. */
class Stops {
  private readonly world: ProcessWorld;
  private readonly creators: ConnectedCreator[];
  private readonly seen: { personId: string; accountId: string; from: number; until: number | null }[] = [];

  constructor(world: ProcessWorld, creators: ConnectedCreator[]) {
    this.world = world;
    this.creators = creators;
  }

  async look(): Promise<void> {
    const ids = this.creators.map(({ creatorId }) => creatorId);
    const rows = await this.world.query<{ creator_id: string; id: string }>(
      'select creator_id, id from people where creator_id = any($1::uuid[]) and stopped_at is not null',
      [ids],
    );
    const stopped = new Set(rows.map(({ creator_id, id }) => `${creator_id} ${id}`));
    const now = await this.world.control.now();
    for (const { creatorId, instagramAccountId: accountId, followers } of this.creators) {
      for (const { igsid, personId } of followers) {
        const open = this.seen.find((one) => one.personId === personId && one.until === null);
        if (stopped.has(`${creatorId} ${igsid}`) === (open !== undefined)) continue;
        if (open !== undefined) open.until = now;
        else this.seen.push({ personId, accountId, from: now, until: null });
      }
    }
  }

  inLedger(ledger: GraphLedgerEntry[]): { personId: string; after: number; until: number | null }[] {
    return this.seen.map(({ personId, from, until }) => ({
      personId,
      after: lastSeqUntil(ledger, from + ON_ITS_WAY_MS),
      until: until === null ? null : lastSeqUntil(ledger, until),
    }));
  }
}

function lastSeqUntil(ledger: GraphLedgerEntry[], at: number): number {
  return ledger.filter((entry) => entry.at <= at).at(-1)?.seq ?? 0;
}

/** One line of a failed schedule's ledger. */
function tellEntry(entry: GraphLedgerEntry): string {
  const { at, operation, accountId, commentId, recipientId, status, errorCode, errorSubcode, delivered, fault } = entry;
  const answer = errorCode === null ? `${status}` : [errorCode, errorSubcode].filter((code) => code !== null).join('/');
  const what = `${operation} of ${accountId} to ${commentId ?? recipientId}`;
  return `${new Date(at).toISOString()} ${what}: ${answer}, ${fault ?? 'no fault'}${delivered ? ', delivered' : ''}`;
}

/** The last output of a member. */
function tellLog({ name, logFile }: Member): string[] {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
  return [`the end of what ${name} said:`, ...lines.map((line) => `  ${line}`)];
}

async function readLedger(world: ProcessWorld, creators: ConnectedCreator[]) {
  const accounts = new Set(creators.map(({ instagramAccountId }) => instagramAccountId));
  const all = (await world.control.ledger()).filter(({ accountId }) => accounts.has(accountId ?? ''));
  return {
    graph: all.filter((entry): entry is GraphLedgerEntry => entry.kind === 'graph'),
    webhooks: all.filter((entry): entry is WebhookLedgerEntry => entry.kind === 'webhook'),
  };
}

/** An account that removed the app is unsubscribed: none of its events come any more. */
const FINAL = new Set<WebhookLedgerEntry['outcome']>(['ok', 'dropped', 'unsubscribed', 'test']);

/** Meta tries again and again; everything that was ever tried is acknowledged in the end. */
async function untilDelivered(world: ProcessWorld, creators: ConnectedCreator[]): Promise<Finding[]> {
  for (const giveUpAt = Date.now() + DELIVERED_WITHIN_MS; ; await pause(100)) {
    await startMissing(world);
    const isAtRest = await isOver(world.control.settle(), giveUpAt);
    const { webhooks } = await readLedger(world, creators);
    const over = new Set(webhooks.filter(({ outcome }) => FINAL.has(outcome)).map(({ subjectId }) => subjectId));
    const open = webhooks.filter(({ subjectId }) => !over.has(subjectId));
    if (open.length === 0 && isAtRest) return [];
    if (Date.now() >= giveUpAt) {
      return [{ rule: 1, says: `${open.length} webhooks could not be delivered: ${open.at(-1)?.outcome}` }];
    }
  }
}

type Aftermath = Pick<Play, 'world' | 'creators' | 'trouble'> & { stops: Stops; callsEnd: Promise<void> };

async function untilWorkedOff({ world, creators, stops, trouble, callsEnd }: Aftermath): Promise<Finding[]> {
  const restartNatsAt = Date.now() + NATS_RESTARTED_AFTER_MS;
  let natsRestarted = false;
  let giveUpAt = Date.now() + WORKED_OFF_WITHIN_MS;
  let moves = 0;
  let mayMove = false;
  void callsEnd.then(() => {
    mayMove = true;
  });
  const quiet = new Quiet();
  for (; ; await pause(LOOK_EVERY_MS)) {
    await stops.look();
    const left = await lookAtWork(world, creators);
    if (left.events === 0 && left.deliveries === 0 && left.unknown === 0) return [];
    if (Date.now() > giveUpAt) {
      return [{ rule: 1, says: `${left.events} events and ${left.deliveries} deliveries were never worked off` }];
    }
    if (left.unknown > 0 && !natsRestarted && Date.now() > restartNatsAt) {
      natsRestarted = true;
      await trouble.restartNats();
      giveUpAt = Date.now() + WORKED_OFF_WITHIN_MS;
    }
    const isQuiet = quiet.since(JSON.stringify(left), left.sending > 0 ? QUIET_UNDER_WAY_MS : QUIET_FOR_MS);
    // Not while nobody works: after a kill the next one waits, in real time, for the lease to run out.
    if (!isQuiet || !mayMove || left.events > 0 || left.unheld > 0) continue;
    if (!(await passTime(world, PASS_MS[Math.min(moves, PASS_MS.length - 1)]!, giveUpAt))) continue;
    moves++;
    await signal(world, { what: 'all' });
    quiet.start();
  }
}

class Quiet {
  private state = '';
  private startedAt = 0;
  private looks = 0;

  start(): void {
    this.startedAt = performance.now();
    this.looks = 0;
  }

  /** @param state when it is another one than at the last look, something has happened */
  since(state: string, forMs: number): boolean {
    if (state !== this.state) this.start();
    this.state = state;
    this.looks++;
    return this.looks > QUIET_LOOKS && performance.now() - this.startedAt >= forMs;
  }
}

type Work = {
  events: number;
  deliveries: number;
  /** Of these are under way, or were when somebody died. */
  sending: number;
  /** Acknowledged and not known yet: events that wait outside the database (NATS) are seen by this. */
  unknown: number;
  /** Shards that nobody works at this moment. */
  unheld: number;
  calls: number;
};

async function lookAtWork(world: ProcessWorld, creators: ConnectedCreator[]): Promise<Work> {
  const { graph, webhooks } = await readLedger(world, creators);
  const acked = webhooks.flatMap(({ field, outcome, subjectId }) =>
    (field === 'comments' || field === 'messages') && outcome === 'ok' && subjectId !== null ? [subjectId] : [],
  );
  const [left] = await world.query<Omit<Work, 'unknown' | 'calls'> & { known: number }>(
    `select (select count(*)::int from event_log_waiting) as events,
            (select count(*)::int from deliveries where creator_id = any($1::uuid[]) and state in ('queued', 'sending')) as deliveries,
            (select count(*)::int from deliveries where creator_id = any($1::uuid[]) and state = 'sending') as sending,
            (select count(distinct platform_id)::int from interactions
             where creator_id = any($1::uuid[]) and platform_id = any($2::text[])) as known,
            (select count(*)::int from shard_leases
             where holder is null or expires_at < now() + make_interval(secs => $3)) as unheld`,
    [creators.map(({ creatorId }) => creatorId), acked, LEASES_LEFT_SECONDS],
  );
  const { known, ...rest } = left!;
  return { ...rest, unknown: new Set(acked).size - known, calls: graph.length };
}

/**
 * For the product and for Meta at the same moment: everything stands still while the clocks are moved. What Meta does in the
 * time that passes (webhooks held back, tries again) it does afterwards: each would wait two seconds for who is frozen.
 *
 * @returns false when there was no moment until `giveUpAt` in which nothing was under way: no time has passed then
 */
async function passTime(world: ProcessWorld, ms: number, giveUpAt: number): Promise<boolean> {
  for (;;) {
    for (const server of world.servers) server.freeze();
    // Messages sent until now count at the time they were sent.
    await pause(ARRIVES_WITHIN_MS);
    const settled = world.control.settle();
    if (await isOver(settled, Date.now() + ARRIVES_WITHIN_MS)) break;
    for (const server of world.servers) server.thaw();
    if (!(await isOver(settled, giveUpAt))) return false;
  }
  await world.clock.pass(ms);
  await world.control.jump(ms);
  for (const server of world.servers) server.thaw();
  await isOver(world.control.advance(0), giveUpAt);
  return true;
}

/** Waits for it, but not longer than until then; it goes on unheard. */
async function isOver(work: Promise<unknown>, giveUpAt: number): Promise<boolean> {
  const late = pause(Math.max(0, giveUpAt - Date.now()), false, { ref: false });
  return Promise.race([work.then(() => true), late]);
}

/** From the first try to the first 200, over all webhooks. */
function longestToAck(webhooks: WebhookLedgerEntry[]): number {
  const firstTries = new Map<string, number>();
  let longest = 0;
  for (const { subjectId, at, outcome } of webhooks) {
    if (subjectId === null) continue;
    const first = firstTries.get(subjectId) ?? at;
    firstTries.set(subjectId, first);
    if (outcome === 'ok') longest = Math.max(longest, at - first);
  }
  return longest;
}
