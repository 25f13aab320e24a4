/**
 * Plays what happens to one creator's money: programs that share a database and die, sleep and lose it at any statement or call,
 * before a Stripe whose answers and events are lost. Then all is well again for two weeks, and the money is counted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type Stripe from 'stripe';
import { isConnectionLost, Life } from '#e2e/chaos/engine/life.ts';
import { type MoneyWorld, setCards } from '#e2e/chaos/money/at-stripe.ts';
import type { MoneyPlay, Side, Step } from '#e2e/chaos/money/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { withCreatorOn } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createStripeClient, type StripeClient } from '#server/platforms/stripe/client.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import type { StripeControl } from '#simulators/stripe/control.ts';

const DAY_S = 86_400;
/** Answers that are held back take longer than anybody's patience here. */
const PATIENCE_MS = 40;
const MOST_ROUNDS = 60;
/** The sleeper's row is locked for half a minute. */
const EXPECTED = /woke up too late|lock timeout/;

/** What would be worked on, and asked about, in the schedules after it. */
const TABLES = [
  ...(['stripe_customers', 'stripe_calls', 'checkouts', 'subscriptions', 'jobs'] as const),
  ...(['stripe_accounts', 'fan_checkouts', 'fans', 'passes'] as const),
];

type Jobs = Parameters<typeof runDue<JobDeps>>[0];
type Stage = {
  app: TestApp;
  control: StripeControl;
  stripe: Stripe;
  submit: (url: string, fields: Record<string, string>) => Promise<unknown>;
};

export abstract class SimulatedPlay<Act, What, Deps extends JobDeps> implements MoneyPlay<Act, What> {
  abstract readonly side: Side<Act, What>;
  readonly trace: string[] = [];
  protected creatorId!: string;
  protected readonly stage: Stage;
  protected readonly givenBack: string[] = [];
  private readonly jobs: Jobs;
  private readonly threw: Finding[] = [];
  private program!: { life: Life<StripeClient>; deps: Deps };
  private readonly sleepers: { life: Life<StripeClient> }[] = [];
  private offSeconds = 0;
  private seenEvents = 0;

  constructor(stage: Stage, jobs: Jobs) {
    this.stage = stage;
    this.jobs = jobs;
  }

  protected abstract readonly world: MoneyWorld;
  /** What the program alone has, with its calls passing through its life. */
  protected abstract depsOf(life: Life<StripeClient>, deps: JobDeps): Deps;
  protected abstract act(deps: Deps, act: Act): Promise<unknown>;
  protected abstract atStripe(what: What): Promise<void>;
  protected abstract takeEvent(deps: Deps, event: Stripe.Event): Promise<void>;
  /** All that ever paid here, the newest first. */
  protected abstract customers(): Promise<string[]>;
  protected abstract evidence(): Promise<{ findings: Finding[]; money: object[] }>;

  async begin(): Promise<void> {
    const { app } = this.stage;
    this.creatorId = app.deps.ids.uuid(app.clock.now());
    await this.db.insertInto('creators').values({ id: this.creatorId, handle: this.creatorId }).execute();
    this.seenEvents = (await this.stage.control.events()).length;
    this.start();
  }

  async take(step: Step<Act, What>): Promise<void> {
    const { control } = this.stage;
    this.trace.push(JSON.stringify(step));
    switch (step.do) {
      case 'acts':
        return this.run((deps) => Promise.all(step.acts.map((act) => this.minding(this.act(deps, act)))));
      case 'at Stripe':
        // What is to go wrong next goes wrong for the operator, too.
        return this.atStripe(step.what).catch((error) => void this.trace.push(`  Stripe: ${error.message}`));
      case 'pass':
        return this.pass(step.seconds);
      case 'events': {
        const fresh = (await this.stage.control.events()).slice(this.seenEvents);
        this.seenEvents += fresh.length;
        if (step.how === 'are lost') return;
        const told = step.how === 'come' ? fresh : [...fresh, ...fresh].reverse();
        return this.run(async (deps) => {
          for (const event of told) await this.minding(this.takeEvent(deps, event as unknown as Stripe.Event));
        });
      }
      case 'work':
        return this.run(async (deps) => {
          for (let round = 0; round < MOST_ROUNDS && (await this.minding(runDue(this.jobs, deps))) !== 0; round++);
        });
      case 'fault':
        return control.failNext({ kind: step.kind, method: step.method });
      case 'hold':
        return this.program.life.holdAnswers();
      case 'let come':
        return this.program.life.letAnswersCome();
      case 'wake':
        return this.wake();
      case 'break':
        return this.program.life.breakAt(step.break);
      case 'clock':
        this.offSeconds = step.offSeconds;
    }
  }

  /** All is well from now on: what is owed is paid, and whatever waits ends. */
  async finish(): Promise<void> {
    const { control } = this.stage;
    await control.forgetFaults();
    this.offSeconds = 0;
    this.program.life.letAnswersCome();
    this.program.life.die();
    this.wake();
    await pause(1);
    this.start();
    await setCards(this.world, await this.customers(), { kind: 'good' });
    // A page of Stripe's ends after an hour, an unfinished payment after a day, the last try of a failed one after a week.
    for (const seconds of [60, 3700, DAY_S + 60, 8 * DAY_S, 2 * DAY_S]) {
      await this.pass(seconds);
      await this.take({ do: 'work' });
    }
    await this.take({ do: 'work' });
  }

  async judged(): Promise<Finding[]> {
    const { findings, money } = await this.evidence();
    const all = [...this.threw, ...findings];
    if (all.length > 0) this.trace.push(...money.map((line) => JSON.stringify(line)));
    return all;
  }

  /** Nothing of it is renewed or asked about in the schedules after it. */
  async leave(): Promise<void> {
    this.program.life.die();
    for (const customer of await this.customers())
      await this.stage.stripe.customers.del(customer, {}, this.world.inAccount).catch(() => {});
    for (const table of TABLES) await this.db.deleteFrom(table).where('creator_id', '=', this.creatorId).execute();
  }

  protected get db(): Kysely<Tables> {
    return this.stage.app.db.engine;
  }

  protected now(): Date {
    return this.stage.app.clock.now();
  }

  /** Both clocks. */
  private async pass(seconds: number): Promise<void> {
    await this.stage.app.clock.advance(seconds * 1000);
    await this.stage.control.advance(seconds);
  }

  /** Runs work in the program that is alive, until it is done, or the program is gone, or has to wait too long. */
  private async run(work: (deps: Deps) => Promise<unknown>): Promise<void> {
    const { life, deps } = this.program;
    const done = work(deps).then(() => 'done' as const);
    done.catch(() => {});
    const waited = life.isHolding ? pause(PATIENCE_MS, 'waits' as const) : new Promise<never>(() => {});
    const ended = await Promise.race([done, life.gone, waited]);
    if (ended === 'done' || ended === 'waits') return;
    this.trace.push(`  the program ${ended}`);
    if (ended === 'fell asleep') {
      // PostgreSQL waits a minute for it, and others with it: here that minute is over.
      life.loseConnections();
      this.sleepers.push(this.program);
    }
    this.start();
  }

  private start(): void {
    const { app } = this.stage;
    const stripe = createStripeClient(app.deps.config.stripe!);
    const life = new Life(app.db.enginePool, stripe);
    const clock = { ...app.clock, now: () => new Date(app.clock.now().getTime() + this.offSeconds * 1000) };
    const over = (pool: Pool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool: life.poolOver(pool) }) });
    const db = { ...app.db, engine: over(app.db.enginePool), withCreator: withCreatorOn(over(app.db.appPool)) };
    this.program = { life, deps: this.depsOf(life, { ...(app.deps as JobDeps), clock, db }) };
  }

  private wake(): void {
    for (const { life } of this.sleepers.splice(0)) {
      life.letAnswersCome();
      life.wake();
    }
  }

  /** Refusals are answers; anything else is a finding. */
  private async minding<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      const isExpected = error instanceof AppError || isConnectionLost(error) || EXPECTED.test(String(error));
      this.trace.push(`  ${error instanceof AppError ? error.code : String(error)}`);
      if (!isExpected) this.threw.push({ rule: 7, says: (error as Error).stack ?? String(error) });
      return null;
    }
  }
}
