/**
 * The same schedules with the real program: killed within 100 ms of its calls that change something at Stripe and of people's
 * wishes, its line to Stripe cut, on a clock that is moved, with its database beside it.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import Stripe from 'stripe';
import { API_BASE } from '#contract/endpoint.ts';
import { type MoneyWorld, setCards } from '#e2e/chaos/money/at-stripe.ts';
import type { MoneyPlay, Side, Step } from '#e2e/chaos/money/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { Line } from '#e2e/chaos/processes/line.ts';
import { CLOCK_FILE_SETTING, MovingClock } from '#e2e/chaos/processes/moving-clock.ts';
import { logIn } from '#e2e/chaos/processes/tenants.ts';
import { makeWorldFolder, removeWorldFolder } from '#e2e/chaos/processes/world-folder.ts';
import { ProcessMember } from '#e2e/cluster/member.ts';
import { SeededRandom } from '#e2e/crash/random.ts';
import { systemIds } from '#server/clock.ts';
import { connectDatabase, type Database } from '#server/db/database.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import type { Tables } from '#server/db/types.ts';
import { freePort } from '#server/testing/processes.ts';
import { type StripeSimulator, startStripeSimulator } from '#simulators/stripe/main.ts';

const root = path.join(import.meta.dirname, '../../..');
const DAY_S = 86_400;
const ANSWERED_WITHIN_MS = 20_000;
/** The jobs of the program look once a second. */
const QUIET_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
const MOST_KILL_DELAY_MS = 100;
/** Of payments; others may wait, as for a mail server that is not there. */
const JOBS = [
  ...['sync-subscription', 'end-plan-with-creator', 'compare-with-stripe', 'repeat-stripe-calls'],
  ...[
    'sync-fan',
    'end-second-membership',
    'compare-members',
    'follow-fan-checkout',
    'follow-members-money',
    'follow-membership-end',
  ],
  ...['compare-members-with-stripe', 'mail-members', 'follow-given-back'],
];
const KILLED_SHARE = 0.35;

export type MoneyProgram = {
  simulator: StripeSimulator;
  stripe: Stripe;
  clock: MovingClock;
  /** Between the program and Stripe. */
  line: Line;
  program: ProcessMember;
  database: Database;
  baseUrl: string;
  secretKey: string;
  close(): Promise<void>;
};

/** @param db migrated; its server is not broken */
export async function startMoneyProgram(db: TestDatabase): Promise<MoneyProgram> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = makeWorldFolder();
  cleanUp.defer(() => removeWorldFolder(folder));
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  const clockFile = path.join(folder, 'clock');
  const clock = new MovingClock(clockFile);
  await clock.pass(0);
  const simulator = await startStripeSimulator();
  cleanUp.defer(() => simulator.close());
  const { hostname, port: stripePort } = new URL(simulator.url);
  const stripe = new Stripe(simulator.secretKey, {
    ...{ host: hostname, port: stripePort, protocol: 'http', telemetry: false, maxNetworkRetries: 0 },
  });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const endpoint = await stripe.webhookEndpoints.create({
    url: `${baseUrl}/webhooks/stripe/platform`,
    enabled_events: ['*'],
  });
  const connect = await stripe.webhookEndpoints.create({
    ...{ url: `${baseUrl}/webhooks/stripe/connect`, enabled_events: ['*'], connect: true },
  });
  const line = await Line.open({ host: hostname, port: Number(stripePort) });
  cleanUp.defer(() => line.close());
  const secretKey = randomBytes(32).toString('hex');
  const program: ProcessMember = new ProcessMember({
    ...{ name: 'program', what: baseUrl, logFile: path.join(folder, 'program.log'), command: process.execPath },
    args: [path.join(root, 'e2e/chaos/processes/program.ts'), `program of ${dataDir}`],
    cwd: root,
    env: {
      ...(process.env as Record<string, string>),
      ...{ LOG_LEVEL: 'warn', SIMULATORS: 'off', PORT: String(port), BASE_URL: baseUrl, DATA_DIR: dataDir },
      ...{ DATABASE_URL: db.connectionString, SECRET_KEY: secretKey, [CLOCK_FILE_SETTING]: clockFile },
      ENCRYPTION_KEYS: `chaos:${randomBytes(32).toString('base64')}`,
      METRICS_PORT: String(await freePort()),
      ...{ STRIPE_SECRET_KEY: simulator.secretKey, STRIPE_API_URL: `http://127.0.0.1:${line.port}` },
      ...{ STRIPE_WEBHOOK_SECRETS: endpoint.secret!, STRIPE_CONNECT_WEBHOOK_SECRETS: connect.secret! },
      // Readers come from everywhere.
      ...{ FAN_MEMBERSHIPS: 'on', TRUSTED_PROXIES: '1' },
    },
    isReady: (said) => said.some((line) => line.includes(`is ready: ${baseUrl}`)),
    onStarted: () => {},
    onDied: () => {},
  });
  await program.start();
  cleanUp.defer(() => program.stop());
  const database = connectDatabase({ connectionString: db.connectionString, poolSizes: { app: 1, engine: 2 } });
  cleanUp.defer(() => database.close());
  const disposal = cleanUp.move();
  return {
    ...{ simulator, stripe, clock, line, program, database, baseUrl, secretKey },
    close: () => disposal.disposeAsync(),
  };
}

type Answered = { status: number; text: string; location: string | null };

export abstract class ProgramPlay<Act, What> implements MoneyPlay<Act, What> {
  abstract readonly side: Side<Act, What>;
  readonly trace: string[] = [];
  protected readonly here: MoneyProgram;
  /** When it is killed: drawn apart from what is done, which follows from the seed alone. */
  protected readonly random: SeededRandom;
  protected readonly givenBack: string[] = [];
  protected creatorId!: string;
  private readonly threw: Finding[] = [];
  private cookie!: string;
  private lastNowMs = 0;

  constructor(here: MoneyProgram, seed: number) {
    this.here = here;
    this.random = new SeededRandom(seed + 1_000_003);
  }

  protected abstract readonly world: MoneyWorld;
  protected abstract act(act: Act): Promise<unknown>;
  protected abstract atStripe(what: What): Promise<void>;
  /** All that ever paid here, the newest first. */
  protected abstract customers(): Promise<string[]>;
  protected abstract evidence(): Promise<{ findings: Finding[]; money: object[] }>;

  async begin(): Promise<void> {
    const now = await this.now();
    this.creatorId = systemIds.uuid(now);
    await this.db.insertInto('creators').values({ id: this.creatorId, handle: this.creatorId }).execute();
    const { baseUrl, secretKey, database } = this.here;
    const query = async <Row>(text: string, values: unknown[] = []) =>
      (await database.enginePool.query(text, values)).rows as Row[];
    this.cookie = await logIn({ query, baseUrl, secretKey }, this.creatorId, now);
  }

  async take(step: Step<Act, What>): Promise<void> {
    const { control } = this.here.simulator;
    this.trace.push(JSON.stringify(step));
    switch (step.do) {
      case 'acts':
        return this.killing(() => Promise.all(step.acts.map((act) => this.act(act))));
      case 'at Stripe':
        // What is to go wrong next goes wrong for the operator, too.
        return this.atStripe(step.what).catch((error) => void this.trace.push(`  Stripe: ${error.message}`));
      case 'pass':
        return this.pass(step.seconds);
      case 'events':
        if (step.how === 'come twice, the last first') {
          for (const { id } of (await control.events()).slice(-8).reverse()) await control.sendAgain(id);
        }
        return control.setDelivery(step.how === 'are lost' ? 'lost' : 'at_once');
      case 'work':
        return pause(1200);
      case 'fault':
        return control.failNext({ kind: step.kind, method: step.method });
      case 'hold':
        return control.failNext({ kind: 'slow', method: 'POST' });
      case 'let come':
        this.here.line.heal();
        return control.letCallsGo();
      case 'clock':
        return this.here.clock.setOff(step.offSeconds * 1000);
      case 'break':
        if (step.break.how !== 'loses its connection') return this.kill();
        return this.here.line.break({ kind: 'cut' });
      case 'wake':
        this.here.line.heal();
        return this.kill();
    }
  }

  async finish(): Promise<void> {
    const { control } = this.here.simulator;
    await control.forgetFaults();
    this.here.line.heal();
    await control.letCallsGo();
    await control.setDelivery('at_once');
    await this.here.clock.setOff(0);
    await setCards(this.world, await this.customers(), { kind: 'good' });
    // Longer than what is under way may take, and than the longest pause after a failure.
    for (const seconds of [3700, DAY_S + 60, 3700]) {
      await this.pass(seconds);
      await this.untilQuiet();
    }
  }

  async judged(): Promise<Finding[]> {
    const { findings, money } = await this.evidence();
    const all = [...this.threw, ...findings];
    if (all.length > 0) this.trace.push(...money.map((line) => JSON.stringify(line)));
    return all;
  }

  /** Nothing of it is renewed or asked about in the schedules after it. */
  async leave(): Promise<void> {
    for (const customer of await this.customers()) {
      await this.here.stripe.customers.del(customer, {}, this.world.inAccount).catch(() => {});
    }
    await this.db.deleteFrom('creators').where('id', '=', this.creatorId).execute();
  }

  protected get db(): Kysely<Tables> {
    return this.here.database.engine;
  }

  protected get ours(): Pick<MoneyWorld, 'control' | 'stripe' | 'db' | 'now'> {
    const { simulator, stripe } = this.here;
    return { control: simulator.control, stripe, db: this.db, now: () => new Date(this.lastNowMs) };
  }

  protected async now(): Promise<Date> {
    this.lastNowMs = (await this.here.simulator.control.now()) * 1000;
    return new Date(this.lastNowMs);
  }

  /** Both clocks. */
  private async pass(seconds: number): Promise<void> {
    await this.here.clock.pass(seconds * 1000);
    await this.here.simulator.control.advance(seconds);
  }

  /** Does it, and in some cases kills the program meanwhile: at once, or when it changes something at Stripe. */
  private async killing(work: () => Promise<unknown>): Promise<void> {
    const done = work();
    if (this.random.chance(KILLED_SHARE)) {
      if (this.random.chance(0.7)) await Promise.race([done, this.untilChanging(this.random.between(1, 2))]);
      await pause(this.random.next() * MOST_KILL_DELAY_MS);
      await this.kill();
    }
    await done;
  }

  private async untilChanging(count: number): Promise<void> {
    const calls = await this.here.simulator.control.calls();
    const from = calls.length;
    while (calls.slice(from).filter(({ method }) => method !== 'GET').length < count) await pause(1);
  }

  private async kill(): Promise<void> {
    this.trace.push('  the program is killed');
    await this.here.program.kill();
    await this.here.simulator.control.letCallsGo();
    await this.here.program.start();
  }

  /** @returns null: it was refused, or nobody answered */
  protected async call<Answer>(method: string, where: string, body?: object): Promise<Answer | null> {
    const said = await this.ask(method, `${API_BASE}/creators/${this.creatorId}${where}`, {
      headers: { cookie: this.cookie, origin: this.here.baseUrl, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (said === null) return null;
    if (said.status < 300) return JSON.parse(said.text) as Answer;
    this.trace.push(`  ${(JSON.parse(said.text) as { code?: string }).code}`);
    return null;
  }

  /** @returns null: nobody answered */
  protected async ask(method: string, where: string, init: RequestInit): Promise<Answered | null> {
    const { baseUrl } = this.here;
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const answer = await fetch(baseUrl + where, { ...init, method, signal, redirect: 'manual' }).catch(() => null);
    const text = (await answer?.text().catch(() => null)) ?? null;
    if (answer === null || text === null) {
      this.trace.push('  no answer');
      return null;
    }
    const { status, headers } = answer;
    if (status === 500 || status === 401) this.threw.push({ rule: 7, says: `${method} ${where}: ${text}` });
    return { status, text, location: headers.get('location') };
  }

  /** Until no job is due. Nothing is killed any more, and what was under way then has been given up. */
  private async untilQuiet(): Promise<void> {
    const since = await this.now();
    let busy: { name: string; due_at: Date; lease_id: string | null }[] = [];
    for (const began = Date.now(); Date.now() - began < QUIET_WITHIN_MS; await pause(LOOK_EVERY_MS)) {
      busy = await this.db
        .selectFrom('jobs')
        .select(['name', 'due_at', 'lease_id'])
        .where('name', 'in', JOBS)
        .where((eb) => eb.or([eb('creator_id', '=', this.creatorId), eb('creator_id', 'is', null)]))
        .where((eb) => eb.or([eb('due_at', '<=', since), eb('lease_id', 'is not', null)]))
        .execute();
      if (busy.length === 0) return;
    }
    this.trace.push(`  it never became quiet: ${since.toISOString()} ${JSON.stringify(busy)}`);
  }
}
