/**
 * Plays a schedule: one engine after the other over the same database, in simulated time, with Meta simulated. A crash drops
 * the engine at a statement or a call; the next one takes over what it left. Then everything is worked off and judged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isConnectionLost, Life } from '#e2e/chaos/engine/life.ts';
import { CALL_TIMEOUT_MS, type EngineSchedule, PEOPLE, type Step, tell } from '#e2e/chaos/engine/schedule.ts';
import { type Evidence, type Finding, judge, type ToldComment } from '#e2e/chaos/oracle.ts';
import { readRows } from '#e2e/chaos/rows.ts';
import { SeededRandom } from '#e2e/crash/random.ts';
import type { Clock } from '#server/clock.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import type { Engine } from '#server/engine/engine.ts';
import { LEASE_SECONDS, LeaseLostError } from '#server/engine/shards/leases.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import type { MetaClient } from '#server/platforms/meta/client.ts';
import type { GraphLedgerEntry } from '#simulators/meta/control/types.ts';

/** Small, so that a schedule meets them. */
const LIMITS = { privateRepliesPerHour: 8, publicRepliesPerHour: 8, messagesPerSecond: 3 };
const RENEW_AFTER_MS = 2500;
const LEASE_MS = LEASE_SECONDS * 1000;
/** More than this in a row without anything to do, and what is left is left for good. */
const IDLE_ROUNDS = 4;
const MOST_ROUNDS = 400;

export type Played = { seed: number; findings: Finding[]; trace: string[]; comments: number; messages: number };

/** The world that many schedules share; each has a creator of its own in it. */
export async function createStage(db?: TestDatabase): Promise<EngineWorld> {
  const world = await createEngineWorld({
    limits: LIMITS,
    timeoutMs: CALL_TIMEOUT_MS,
    ...(db !== undefined && { db }),
  });
  await world.simulator.control.updateSettings({
    limits: {
      privateRepliesPerHour: LIMITS.privateRepliesPerHour,
      livePrivateRepliesPerSecond: LIMITS.messagesPerSecond,
      textSendsPerSecond: LIMITS.messagesPerSecond,
      mediaSendsPerSecond: LIMITS.messagesPerSecond,
    },
    webhooks: { maxBatch: 1 },
  });
  return world;
}

export async function playEngineSchedule(world: EngineWorld, schedule: EngineSchedule): Promise<Played> {
  const play = new Play(world, schedule);
  try {
    await play.begin();
    for (const step of schedule.steps) await play.take(step);
    await play.finish();
    return await play.judged();
  } finally {
    await play.leave();
  }
}

type Webhook = { id: string; body: string; accountId: string };
type Alive = { engine: Engine; life: Life<MetaClient> };

class Play {
  private readonly world: EngineWorld;
  private readonly schedule: EngineSchedule;
  private creator!: WorldCreator;
  private liveId!: string;
  private now!: Alive;
  private sleeper: (Alive & { work: Promise<unknown> }) | null = null;
  private readonly told = new Map<string, ToldComment>();
  private waiting: Webhook[] = [];
  private readonly delivered: Webhook[] = [];
  private readonly stops: Evidence['stops'] = [];
  private readonly unheard: Evidence['unheard'] = [];
  /** The last call whose answer is surely written down. */
  private heardTo = 0;
  /** The last of `unheard`, until the next engine does something. */
  private broke: Evidence['unheard'][number] | null = null;
  private readonly trace: string[] = [];
  private readonly threw: Finding[] = [];
  private clockOffMs = 0;
  private clockOffAtMostMs = 0;
  private tokenEnded = false;
  private renewedAt = 0;

  constructor(world: EngineWorld, schedule: EngineSchedule) {
    this.world = world;
    this.schedule = schedule;
  }

  async begin(): Promise<void> {
    const { world } = this;
    const { repeatAfterMinutes } = this.schedule;
    this.creator = await world.addCreator({ webhooks: true });
    const link = (name: string) => [{ title: 'Open', url: `https://example.com/${name}`, code: `${name}123` }];
    await world.addAutomation(this.creator, {
      words: ['recipe'],
      messageText: 'The recipe',
      buttons: link('recipe'),
      publicReplies: ['Look into your messages', 'On its way'],
      repeatAfterMinutes,
    });
    await world.addAutomation(this.creator, {
      words: ['soup'],
      messageText: 'The soup',
      buttons: link('soup'),
      opening: { text: 'Shall I send it?', buttonTitle: 'Send it to me' },
      followUp: { text: 'Did you see it?', afterMinutes: 60 },
      repeatAfterMinutes,
    });
    await world.addAutomation(this.creator, {
      trigger: 'direct_message',
      words: ['menu'],
      messageText: 'The menu',
      buttons: link('menu'),
      repeatAfterMinutes,
    });
    await world.addAutomation(this.creator, {
      trigger: 'live_comment',
      words: ['live'],
      messageText: 'The live',
      buttons: link('live'),
      repeatAfterMinutes,
    });
    const { control } = world.simulator;
    this.liveId = (await control.seedPost({ accountId: this.creator.instagramAccountId, product: 'LIVE' })).mediaId;
    await this.succeed();
  }

  async take(step: Step): Promise<void> {
    const { world } = this;
    const { control } = world.simulator;
    this.note(tell(step));
    await this.stayHolder();
    switch (step.do) {
      case 'comment':
        await this.comment(
          this.creator.posts[step.post]!.mediaId,
          step.person,
          `${step.says} please`,
          step.says !== 'lovely',
        );
        break;
      case 'many comments':
        for (let number = 0; number < step.count; number++) {
          const { mediaId } = this.creator.posts[number % this.creator.posts.length]!;
          await this.comment(mediaId, number % PEOPLE, `${step.says} please`, true);
        }
        break;
      case 'comment in the live':
        await this.comment(this.liveId, step.person, 'live please', true);
        break;
      case 'write':
        await control.directMessage({ ...this.with(step.person), text: step.says });
        await this.webhooks();
        break;
      case 'tap':
        await this.tap(step.person);
        break;
      case 'the owner writes':
        await control.ownerMessage({ ...this.with(step.person), text: 'Hi, it is me' });
        await this.webhooks();
        break;
      case 'delete a comment': {
        const [last] = [...this.told.keys()].slice(-1);
        if (last === undefined) break;
        await control.deleteComment(last);
        this.told.get(last)!.gone = true;
        break;
      }
      case 'end the live':
        await control.endLive(this.liveId);
        for (const comment of this.told.values()) if (comment.live) comment.gone = true;
        break;
      case 'deliver':
        await this.deliver(step.order, step.copies);
        break;
      case 'ingest':
        await this.runMeanwhile((engine) => engine.ingestOnce());
        break;
      case 'claim':
        await this.run((engine) => engine.claimAndCall());
        break;
      case 'claim, slow answers':
        this.now.life.holdAnswers();
        await this.runMeanwhile((engine) => engine.claimAndCall());
        break;
      case 'dispatch':
        await this.run((engine) => engine.dispatchOnce());
        break;
      case 'sweep':
        await this.run((engine) => engine.sweep());
        break;
      case 'break':
        this.now.life.breakAt(step.break);
        break;
      case 'wake':
        await this.wake();
        break;
      case 'wait':
        this.now.life.letAnswersCome();
        await this.passTime(step.ms);
        break;
      case 'move the clock':
        this.clockOffMs = step.toMs;
        this.clockOffAtMostMs = Math.max(this.clockOffAtMostMs, Math.abs(step.toMs));
        break;
      case 'fault': {
        const { operation, action, times } = step;
        await control.addFault({ match: { operation, accountId: this.creator.instagramAccountId }, action, times });
        break;
      }
      case 'webhook fault':
        await control.addFault({ match: { accountId: this.creator.instagramAccountId }, action: step.action });
        break;
      case 'end the token':
        await control.killTokens({ subjectId: this.creator.instagramAccountId, reason: step.reason });
        this.tokenEnded = true;
        break;
      case 'reconnect':
        await this.reconnect();
        break;
    }
    await this.noteStops();
  }

  /** Everything that was wrong is put right, and everything that waits is worked off. */
  async finish(): Promise<void> {
    this.note('finish');
    const { world } = this;
    await world.simulator.control.clearFaults();
    this.clockOffMs = 0;
    await this.wake();
    await this.deliver(this.schedule.seed, 1);
    // Webhooks that Meta held back.
    await this.passTime(60_000);
    let idle = 0;
    for (let round = 0; round < MOST_ROUNDS && idle < IDLE_ROUNDS; round++) {
      await this.stayHolder();
      // Calls that were on their way may bring the news only now.
      await this.reconnect();
      await this.webhooks();
      await this.runUntilEmpty((engine) => engine.ingestOnce());
      await this.noteStops();
      await this.runUntilEmpty((engine) => engine.dispatchOnce());
      if (await this.isQuiet()) return;
      const waitMs = this.now.engine.nextDispatchAt() - world.clock.now().getTime();
      if (Number.isFinite(waitMs)) await this.passTime(Math.max(1, waitMs));
      else {
        // Changes without a signal: the engine looks for it now and then.
        idle++;
        await this.passTime(61_000);
        await this.run((engine) => engine.sweep());
      }
    }
    await this.tellLeft();
  }

  /** Events that could not be processed, to find the reason. */
  private async tellLeft(): Promise<void> {
    const { rows } = await this.world.db.enginePool.query(
      `select d.kind, d.lane, d.state, d.due_at, d.expires_at, d.attempts, d.uncertain, l.closed_until, l.closed_reason,
              c.requires_auth_reason, (select count(*) from event_log_waiting) as events
       from connections c
       left join deliveries d on d.connection_id = c.id and d.state in ('queued', 'sending')
       left join lane_states l on l.connection_id = c.id and l.lane = d.lane
       where c.creator_id = $1`,
      [this.creator.creatorId],
    );
    for (const row of rows) this.trace.push(`  left: ${JSON.stringify(row)}`);
    this.trace.push(`  now: ${this.world.clock.now().toISOString()}, next: ${this.now.engine.nextDispatchAt()}`);
  }

  async judged(): Promise<Played> {
    const { world, creator } = this;
    const { control } = world.simulator;
    const accountId = creator.instagramAccountId;
    const ledger = (await control.ledger({ kind: 'graph', accountId })) as GraphLedgerEntry[];
    const webhooks = await control.ledger({ kind: 'webhook', accountId });
    const rows = await readRows(
      async (text, values) => (await world.db.enginePool.query(text, values)).rows,
      [creator.creatorId],
    );
    const findings = judge({
      ...rows,
      ledger,
      comments: [...this.told.values()],
      ackedMessages: webhooks.flatMap((entry) =>
        entry.kind === 'webhook' && entry.field === 'messages' && entry.outcome === 'ok' && entry.subjectId !== null
          ? [entry.subjectId]
          : [],
      ),
      stops: this.stops,
      unheard: this.unheard,
      limits: LIMITS,
      clockOffMs: this.clockOffAtMostMs,
    });
    const all = [...this.threw, ...findings];
    if (all.length > 0)
      this.trace.push(
        ...ledger.map(tellCall),
        ...webhooks.map((each) => JSON.stringify(each)),
        ...rows.deliveries.map((each) => JSON.stringify(each)),
      );
    return {
      seed: this.schedule.seed,
      findings: all,
      trace: this.trace,
      comments: this.told.size,
      messages: ledger.filter(({ delivered }) => delivered).length,
    };
  }

  /** With the time, which the ledger has too. */
  private note(what: string): void {
    this.trace.push(`${this.world.clock.now().toISOString().slice(5, 23)} ${what}`);
  }

  /** Nothing is left for the next schedule, whatever happened. */
  async leave(): Promise<void> {
    this.now?.life.die();
    this.sleeper?.life.die();
    const { control } = this.world.simulator;
    await control.clearFaults();
    await control.settle();
    await control.clearLedger();
    const pool = this.world.db.enginePool;
    await pool.query(
      `update event_log_positions p
       set done_to = coalesce((select max(e.id) from event_log e where e.shard = p.shard), p.done_to)`,
    );
    await pool.query(`update deliveries set state = 'cancelled' where state in ('queued', 'sending')`);
  }

  // --- What people do -----------------------------------------------------------------------------------------------

  private with(person: number): { accountId: string; personId: string } {
    return {
      accountId: this.creator.instagramAccountId,
      personId: this.creator.followers[person % PEOPLE]!.personId,
    };
  }

  private async comment(mediaId: string, person: number, text: string, matches: boolean): Promise<void> {
    const { control } = this.world.simulator;
    const { accountId, personId } = this.with(person);
    const commented = await unlessRefused(control.comment({ mediaId, personId, text, notify: false }));
    if (commented === null) return;
    const { commentId } = commented;
    const { body } = await control.webhookForComment(commentId);
    this.told.set(commentId, { commentId, matches, acked: false, live: mediaId === this.liveId, gone: false });
    this.waiting.push({ id: commentId, body, accountId });
  }

  /** The newest button that the follower got. */
  private async tap(person: number): Promise<void> {
    const { control } = this.world.simulator;
    const { accountId, personId } = this.with(person);
    const thread = await unlessRefused(control.thread(personId, accountId));
    const [last] = (thread?.messages ?? []).filter(({ buttons }) => buttons.length > 0).slice(-1);
    if (last === undefined) return;
    await unlessRefused(control.tap({ personId, messageId: last.messageId, button: 0 }));
    await this.webhooks();
  }

  /** Everything that waits, in some order, as often as Meta likes; and something from before once more. */
  private async deliver(order: number, copies: number): Promise<void> {
    const random = new SeededRandom(order);
    const webhooks = this.waiting
      .map((webhook) => ({ webhook, place: random.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ webhook }) => webhook);
    this.waiting = [];
    if (copies > 1 && this.delivered.length > 0) webhooks.push(random.pick(this.delivered));
    for (let copy = 0; copy < copies; copy++) {
      for (const webhook of webhooks) {
        await this.world.deliver(webhook);
        this.told.get(webhook.id)!.acked = true;
        if (copy === 0) this.delivered.push(webhook);
      }
    }
  }

  private webhooks(): Promise<void> {
    return this.world.webhooksArrived();
  }

  private async reconnect(): Promise<void> {
    const { world, creator } = this;
    const { rows } = await world.db.enginePool.query<{ stopped: boolean }>(
      'select requires_auth_at is not null as stopped from connections where creator_id = $1',
      [creator.creatorId],
    );
    if (!this.tokenEnded && !rows[0]!.stopped) return;
    const subjectId = creator.instagramAccountId;
    const { token } = await world.simulator.control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId });
    await world.reconnect(creator, token);
    this.tokenEnded = false;
    await this.run((engine) => engine.connectionChanged(creator.creatorId, creator.connectionId));
  }

  // --- Engines ------------------------------------------------------------------------------------------------------

  /** The next engine takes over what the one before left. */
  private async succeed(): Promise<void> {
    const { world } = this;
    const life = new Life(world.db.enginePool, world.meta);
    const clock: Clock = {
      now: () => new Date(world.clock.now().getTime() + this.clockOffMs),
      sleep: (ms, signal) => world.clock.sleep(ms, signal),
    };
    const { pool, platform: meta } = life;
    const engine = await world.startEngine({ pool, meta, clock, eventLog: new PostgresEventLog(pool) });
    this.renewedAt = performance.now();
    this.now = { engine, life };
  }

  /** Leases run in the database's time, which is the real one. */
  private async stayHolder(): Promise<void> {
    if (performance.now() < this.renewedAt + RENEW_AFTER_MS) return;
    this.renewedAt = performance.now();
    await this.takeOver();
  }

  /** Runs work that may wait for calls to end: none is held back. @returns the work's result; null when the engine broke over it */
  private run<T>(work: (engine: Engine) => Promise<T>): Promise<T | null> {
    this.now.life.letAnswersCome();
    return this.runMeanwhile(work);
  }

  /** As `run`, while answers may be on their way. */
  private async runMeanwhile<T>(work: (engine: Engine) => Promise<T>): Promise<T | null> {
    const { engine, life } = this.now;
    const wasBusy = life.busy;
    const last = await this.lastCall();
    // Messages on their way when the engine before broke have arrived meanwhile.
    if (this.broke !== null) this.broke.to = last;
    this.broke = null;
    // Calls go on after the step that began them: what was answered and not written down yet dies with its engine.
    if (!wasBusy && !life.busy) this.heardTo = last;
    const after = this.heardTo;
    const answer = this.minding(work(engine));
    const ended = await this.driven(answer, life);
    if (ended !== 'done') {
      this.broke = { after, to: await this.lastCall() };
      this.unheard.push(this.broke);
    }
    if (ended === 'died') {
      this.trace.push('  died; another takes over');
      await this.succeed();
    }
    if (ended === 'fell asleep') {
      await this.wake();
      this.sleeper = { engine, life, work: answer };
      this.trace.push('  fell asleep; another takes over');
      // Not before its lease has run out; what it held open the server ends.
      await this.passTime(LEASE_MS + 1000);
      life.loseConnections();
      await this.succeed();
    }
    return ended === 'done' ? answer : null;
  }

  private async runUntilEmpty(work: (engine: Engine) => Promise<number>): Promise<void> {
    for (let times = 0; times < MOST_ROUNDS; times++) {
      const done = await this.run(work);
      if (done === 0) return;
      // It stumbled, perhaps over a lease that ran out on a busy machine.
      if (done === null) await this.takeOver();
    }
  }

  /** It wakes up and goes on with what it was at, as if nothing had happened. */
  private async wake(): Promise<void> {
    if (this.sleeper === null) return;
    const { engine, life, work } = this.sleeper;
    this.sleeper = null;
    this.trace.push('  the sleeper wakes up');
    life.wake();
    life.letAnswersCome();
    const goOn = async () => {
      await work;
      await this.minding(engine.claimAndCall());
      await this.minding(engine.ingestOnce());
      await this.minding(engine.holdShards(false));
      await this.minding(engine.dispatchOnce());
    };
    await this.driven(goOn(), life);
    life.die();
    // Shards it took or was given are free again once its heartbeat is old.
    await this.takeOver();
  }

  /** As the loop of leases does by itself, it tries again after it stumbled: a break is over then. */
  private async takeOver(): Promise<void> {
    const hold = (engine: Engine) => engine.holdShards(true).then(() => 'held');
    if ((await this.run(hold)) === null) await this.run(hold);
  }

  /** A call that is slow by the real clock counts at Meta at the time at which it was made, whoever made it may be dead by now. */
  private async passTime(ms: number): Promise<void> {
    await this.world.simulator.control.settle();
    await this.world.advance(ms);
  }

  /** Waits, moving the clock for those who sleep by it (a second try at writing a result down). */
  private async driven(work: Promise<unknown>, life: Life<MetaClient>): Promise<'done' | 'died' | 'fell asleep'> {
    const done = work.then(() => 'done' as const);
    for (;;) {
      const ended = await Promise.race([done, life.gone, pause(5)]);
      if (ended !== undefined) return ended;
      if (this.world.clock.sleeping() > 0) await this.passTime(100);
    }
  }

  /** A lost connection or lease is what it should stumble over; anything else is a finding. */
  private async minding<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if (isConnectionLost(error) || error instanceof LeaseLostError) this.trace.push(`  stumbled: ${String(error)}`);
      else
        this.threw.push({ rule: 7, says: `the engine threw ${error instanceof Error ? error.stack : String(error)}` });
      return null;
    }
  }

  // --- Looking ------------------------------------------------------------------------------------------------------

  /** Who is to be left alone from now on, or may be written to again. */
  private async noteStops(): Promise<void> {
    const { rows } = await this.world.db.enginePool.query<{ id: string }>(
      'select id from people where creator_id = $1 and stopped_at is not null',
      [this.creator.creatorId],
    );
    const stopped = new Set(rows.map(({ id }) => id));
    for (const { igsid, personId } of this.creator.followers) {
      const open = this.stops.find((stop) => stop.personId === personId && stop.until === null);
      if (stopped.has(igsid) === (open !== undefined)) continue;
      if (open !== undefined) {
        open.until = await this.lastCall();
        continue;
      }
      // Calls on their way at that moment arrive; results that come back must ask.
      await this.run((engine) => engine.dispatchOnce());
      while (this.now.life.busy) await pause(2);
      this.stops.push({ personId, after: await this.lastCall(), until: null });
    }
  }

  private async lastCall(): Promise<number> {
    const [last] = (await this.world.simulator.control.ledger({ kind: 'graph' })).slice(-1);
    return last?.seq ?? 0;
  }

  private async isQuiet(): Promise<boolean> {
    const { rows } = await this.world.db.enginePool.query<{ quiet: boolean }>(
      `select not exists (select from event_log_waiting)
          and not exists (select from deliveries where creator_id = $1 and state in ('queued', 'sending')) as quiet`,
      [this.creator.creatorId],
    );
    return rows[0]!.quiet;
  }
}

/** Null when the simulator says that nobody can do that now. */
async function unlessRefused<T>(act: Promise<T>): Promise<T | null> {
  try {
    return await act;
  } catch (error) {
    if (/^Simulator refused/.test((error as Error).message)) return null;
    throw error;
  }
}

/** One line of a trace: what reached Meta. */
function tellCall(entry: GraphLedgerEntry): string {
  const { at, seq, operation, commentId, recipientId, text, status, errorCode, errorSubcode, delivered, fault } = entry;
  const to = commentId ?? recipientId ?? '';
  const came = delivered ? 'delivered' : errorCode === null ? String(status) : `error ${errorCode}/${errorSubcode}`;
  return `${new Date(at).toISOString().slice(5, 23)} #${seq} ${operation} "${text ?? ''}" to ${to}: ${came}${fault === null ? '' : `, fault ${fault}`}`;
}
