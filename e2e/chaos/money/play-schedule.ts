/**
 * Plays what happens to one creator's plan: programs that share a database and die, sleep and lose it at any statement or call,
 * before a Stripe whose answers and events are lost. Then all is well again for two weeks, and the money is counted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type Stripe from 'stripe';
import { isConnectionLost, Life } from '#e2e/chaos/engine/life.ts';
import { atStripe, collectEvidence, customersOf, type MoneyWorld, setCards } from '#e2e/chaos/money/at-stripe.ts';
import { judgeMoney } from '#e2e/chaos/money/oracle.ts';
import {
  type Act,
  CARDS,
  type MoneyPlay,
  type PlayedMoney,
  playThrough,
  type Step,
} from '#e2e/chaos/money/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { later } from '#server/db/jobs.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { changePlan, previewChange } from '#server/features/billing/changing.ts';
import { readCheckout, startCheckout } from '#server/features/billing/checkout.ts';
import { cancelPlan, followDeletion, keepPlan, refundPlan } from '#server/features/billing/ending.ts';
import { findBought } from '#server/features/billing/subscriptions.ts';
import { takeEvent } from '#server/features/billing/sync.ts';
import {
  type BillingWorld,
  JOBS,
  sessionOf,
  startBillingWorld,
} from '#server/features/billing/testing/billing-world.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createStripeClient, type StripeClient } from '#server/platforms/stripe/client.ts';

const DAY_S = 86_400;
const LEAVES_AFTER_MS = 30 * DAY_S * 1000;
/** Answers that are held back take longer than anybody's patience here. */
const PATIENCE_MS = 40;
const MOST_ROUNDS = 60;
/** The sleeper's row is locked for half a minute. */
const EXPECTED = /woke up too late|lock timeout/;

type Deps = JobDeps & { stripe: StripeClient };
type Program = { life: Life<StripeClient>; deps: Deps };

export type MoneyStage = BillingWorld;

export const createMoneyStage = (db?: TestDatabase): Promise<MoneyStage> =>
  startBillingWorld({ ...(db !== undefined && { db }) });

export const playMoneySchedule = (stage: MoneyStage, seed: number): Promise<PlayedMoney> =>
  playThrough(new Play(stage), seed);

class Play implements MoneyPlay {
  readonly trace: string[] = [];
  private readonly stage: MoneyStage;
  private readonly threw: Finding[] = [];
  private readonly givenBack: string[] = [];
  private creatorId!: string;
  private program!: Program;
  private readonly sleepers: Program[] = [];
  private page: string | null = null;
  private offSeconds = 0;
  private seenEvents = 0;

  constructor(stage: MoneyStage) {
    this.stage = stage;
  }

  async begin(): Promise<void> {
    const { app } = this.stage;
    this.creatorId = app.deps.ids.uuid(app.clock.now());
    await this.db.insertInto('creators').values({ id: this.creatorId, handle: this.creatorId }).execute();
    this.seenEvents = (await this.stage.control.events()).length;
    this.start();
  }

  async take(step: Step): Promise<void> {
    const { control } = this.stage;
    this.trace.push(JSON.stringify(step));
    switch (step.do) {
      case 'acts':
        return this.run((deps) => Promise.all(step.acts.map((act) => this.minding(this.act(deps, act)))));
      case 'at Stripe':
        // What is to go wrong next goes wrong for the operator, too.
        return atStripe(this.world, this.creatorId, step.what).catch(
          (error) => void this.trace.push(`  Stripe: ${error.message}`),
        );
      case 'pass':
        return this.stage.pass(step.seconds);
      case 'events': {
        const fresh = (await this.stage.control.events()).slice(this.seenEvents);
        this.seenEvents += fresh.length;
        if (step.how === 'are lost') return;
        const told = step.how === 'come' ? fresh : [...fresh, ...fresh].reverse();
        return this.run(async (deps) => {
          for (const event of told) await this.minding(takeEvent(deps, event as unknown as Stripe.Event));
        });
      }
      case 'work':
        return this.run(async (deps) => {
          for (let round = 0; round < MOST_ROUNDS && (await this.minding(runDue(JOBS, deps))) !== 0; round++);
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
    await setCards(this.world, this.creatorId, { kind: 'good' });
    // A page of Stripe's ends after an hour, an unfinished payment after a day, the last try of a failed one after a week.
    for (const seconds of [60, 3700, DAY_S + 60, 8 * DAY_S, 2 * DAY_S]) {
      await this.stage.pass(seconds);
      await this.take({ do: 'work' });
    }
    await this.take({ do: 'work' });
  }

  async judged(): Promise<Finding[]> {
    const evidence = await collectEvidence(this.world, this.creatorId, this.givenBack);
    const findings = [...this.threw, ...judgeMoney(evidence)];
    if (findings.length > 0) this.trace.push(...evidence.money.map((line) => JSON.stringify(line)));
    return findings;
  }

  /** Nothing of it is renewed or asked about in the schedules after it. */
  async leave(): Promise<void> {
    this.program.life.die();
    for (const customer of await customersOf(this.world, this.creatorId))
      await this.stage.stripe.customers.del(customer).catch(() => {});
    for (const table of ['stripe_customers', 'stripe_calls', 'checkouts', 'subscriptions', 'jobs'] as const)
      await this.db.deleteFrom(table).where('creator_id', '=', this.creatorId).execute();
  }

  private get db(): Kysely<Tables> {
    return this.stage.app.db.engine;
  }

  private get world(): MoneyWorld {
    const { control, stripe, app } = this.stage;
    return { control, stripe, db: this.db, now: () => app.clock.now() };
  }

  private async act(deps: Deps, act: Act): Promise<void> {
    const { creatorId } = this;
    switch (act.do) {
      case 'begin':
        this.page = (await startCheckout(deps, creatorId, act.wish)).url;
        return;
      case 'pay':
        if (this.page !== null) {
          const fields = { email: 'anna@example.com', name: 'Anna', number: CARDS[act.card], code: '' };
          await this.stage.submit(this.page, fields);
        }
        return;
      case 'look':
        if (this.page !== null) await readCheckout(deps, creatorId, sessionOf(this.page));
        return;
      case 'change': {
        const { token } = await previewChange(deps, creatorId, act.wish);
        await changePlan(deps, creatorId, token);
        return;
      }
      case 'cancel':
        return cancelPlan(deps, creatorId, null);
      case 'keep':
        return keepPlan(deps, creatorId);
      case 'refund': {
        const id = (await findBought(deps, creatorId))?.stripe_subscription_id;
        await refundPlan(deps, creatorId);
        if (id !== undefined) this.givenBack.push(id);
        return;
      }
      default: {
        const leavesAt = act.do === 'stay' ? null : new Date(deps.clock.now().getTime() + LEAVES_AFTER_MS);
        await this.db.transaction().execute(async (trx) => {
          await trx.updateTable('creators').set({ delete_at: leavesAt }).where('id', '=', creatorId).execute();
          await later(trx, deps, followDeletion, { creatorId });
        });
      }
    }
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
    if (ended === 'fell asleep') this.sleepers.push(this.program);
    this.start();
  }

  private start(): void {
    const { app } = this.stage;
    const stripe = createStripeClient(app.deps.config.stripe!);
    const life = new Life(app.db.enginePool, stripe);
    const clock = { ...app.clock, now: () => new Date(app.clock.now().getTime() + this.offSeconds * 1000) };
    const engine = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: life.pool }) });
    this.program = {
      life,
      deps: { ...(app.deps as Deps), clock, db: { ...app.db, engine }, stripe: life.platform },
    };
  }

  private wake(): void {
    for (const { life } of this.sleepers.splice(0)) {
      life.loseConnections();
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
