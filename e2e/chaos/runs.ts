/** Many schedules, one after the other in a few worlds at a time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import { createStage, playEngineSchedule } from '#e2e/chaos/engine/play-schedule.ts';
import { engineSchedule } from '#e2e/chaos/engine/schedule.ts';
import { playFansSchedule, playFansWithProgram } from '#e2e/chaos/money/fans.ts';
import { playMoneySchedule, playMoneyWithProgram } from '#e2e/chaos/money/plans.ts';
import { type MoneyProgram, startMoneyProgram } from '#e2e/chaos/money/processes.ts';
import type { PlayedMoney } from '#e2e/chaos/money/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { playProcessSchedule } from '#e2e/chaos/processes/play-schedule.ts';
import { processSchedule, type Setting } from '#e2e/chaos/processes/schedule.ts';
import { type ProcessWorld, startProcessWorld } from '#e2e/chaos/processes/world.ts';
import { removeWorldFolder } from '#e2e/chaos/processes/world-folder.ts';
import { connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import { startBillingWorld } from '#server/features/billing/testing/billing-world.ts';
import { startFanWorld } from '#server/features/fans/testing/fan-world.ts';

/**
 * `engine`, `money` and `fans`: the engine, and the payments for plans and to creators, alone in simulated time. The others break
 * real processes, `money-program` and `fans-program` where these are paid.
 */
export type Mode = keyof typeof STAGES | keyof typeof SETTINGS;

const SETTINGS: Record<'one-machine' | 'cluster', readonly Setting[]> = {
  'one-machine': ['embedded', 'own-database'],
  cluster: ['cluster'],
};

/** Longer than every wait of a schedule together. */
const ENDS_WITHIN_MS = 10 * 60_000;
/** An orderly end waits for everybody's; after that they are ended without being asked. */
const LEFT_WITHIN_MS = 60_000;

/** Worlds grow with everything that happened in them. */
const SCHEDULES_PER_WORLD = 60;
const SCHEDULES_PER_STAGE = 250;

export type ScheduleResult = {
  seed: number;
  findings: Finding[];
  trace: string[];
  comments: number;
  messages: number;
  /** In one-machine and cluster mode: the longest that Meta tried until a webhook was taken. */
  longestToAckMs: number;
};

export type Run = {
  mode: Mode;
  seeds: number[];
  /** Worlds at a time. */
  parallel: number;
  onResult: (result: ScheduleResult) => void;
  /** Ends the run: what was begun is left, and cleaned up. */
  stopping?: AbortSignal;
};

export async function runSchedules({ mode, seeds, parallel, onResult, stopping }: Run): Promise<void> {
  const waiting = [...seeds];
  const next = () => (stopping?.aborted ? undefined : waiting.shift());
  const runners = Math.min(parallel, seeds.length);
  // Half of what a start of the program costs, and schedules start it again and again.
  process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, '../../.cache/compiled');
  if (mode !== 'one-machine' && mode !== 'cluster') {
    await withStages(STAGES[mode], runners, async (play) => {
      for (let seed = next(); seed !== undefined; seed = next()) onResult(await play(seed));
    });
    return;
  }
  await Promise.all(
    Array.from({ length: runners }, async () => {
      await using worlds = new Worlds(stopping);
      for (let seed = next(); seed !== undefined; seed = next()) {
        const result = await worlds.play(seed, SETTINGS[mode]);
        if (result !== null) onResult(result);
      }
    }),
  );
}

type Stage = { play: (seed: number) => Promise<ScheduleResult>; close: () => Promise<void> };

const STAGES = {
  async engine(db: TestDatabase): Promise<Stage> {
    const stage = await createStage(db);
    return {
      play: async (seed) => ({ ...(await playEngineSchedule(stage, engineSchedule(seed))), longestToAckMs: 0 }),
      close: () => stage.close(),
    };
  },
  async money(db: TestDatabase): Promise<Stage> {
    const stage = await startBillingWorld({ db });
    return { play: async (seed) => withoutComments(await playMoneySchedule(stage, seed)), close: () => stage.close() };
  },
  async fans(db: TestDatabase): Promise<Stage> {
    const stage = await startFanWorld({}, db);
    return { play: async (seed) => withoutComments(await playFansSchedule(stage, seed)), close: () => stage.close() };
  },
  'money-program': (db: TestDatabase) => withProgram(db, playMoneyWithProgram),
  'fans-program': (db: TestDatabase) => withProgram(db, playFansWithProgram),
};

async function withProgram(
  db: TestDatabase,
  play: (world: MoneyProgram, seed: number) => Promise<PlayedMoney>,
): Promise<Stage> {
  const world = await startMoneyProgram(db);
  return { play: async (seed) => withoutComments(await play(world, seed)), close: () => world.close() };
}

function withoutComments(played: PlayedMoney): ScheduleResult {
  return { ...played, comments: 0, messages: 0, longestToAckMs: 0 };
}

/** One PostgreSQL for all, a database for each; after some schedules the next. */
async function withStages(
  begin: (db: TestDatabase) => Promise<Stage>,
  count: number,
  work: (play: (seed: number) => Promise<ScheduleResult>) => Promise<void>,
): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-chaos-'));
  cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Nothing here kills the server.
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  cleanUp.defer(() => postgres.stop());
  let made = 0;
  const beginNext = async () => {
    const connectionString = await createDatabase(postgres.connectionString, `chaos_${++made}`);
    await migrate(connectionString);
    const database = connectDatabase({ connectionString });
    return begin({ ...database, connectionString, drop: () => database.close() });
  };
  const runner = async () => {
    let [stage, played] = [await beginNext(), 0];
    try {
      await work(async (seed) => {
        if (played === SCHEDULES_PER_STAGE) {
          await stage.close();
          [stage, played] = [await beginNext(), 0];
        }
        played++;
        return stage.play(seed);
      });
    } finally {
      await stage.close();
    }
  };
  await Promise.all(Array.from({ length: count }, runner));
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return serverUrl.replace('/creator_hq?', `/${name}?`);
}

/** One world of each setting, started when a schedule asks for it. */
class Worlds implements AsyncDisposable {
  private readonly worlds = new Map<Setting, { world: ProcessWorld; played: number }>();
  private readonly stopping: AbortSignal | undefined;

  constructor(stopping: AbortSignal | undefined) {
    this.stopping = stopping;
  }

  /** @returns null when the run ended meanwhile */
  async play(seed: number, settings: readonly Setting[]): Promise<ScheduleResult | null> {
    const schedule = processSchedule(seed, settings);
    const { setting } = schedule;
    const unplayed = (says: string) => ({
      ...{ seed, findings: [{ rule: 7 as const, says }], trace: [], comments: 0, messages: 0, longestToAckMs: 0 },
    });
    try {
      const here = this.worlds.get(setting) ?? { world: await startProcessWorld(setting), played: 0 };
      this.worlds.set(setting, here);
      here.played++;
      const played = await this.inTime(playProcessSchedule(here.world, schedule));
      if (this.stopping?.aborted) return null;
      const result = played ?? unplayed(`the schedule was not over after ${ENDS_WITHIN_MS / 60_000} minutes`);
      if (result.findings.length > 0 || here.played >= SCHEDULES_PER_WORLD) await this.leave(setting);
      return result;
    } catch (error) {
      if (this.stopping?.aborted) return null;
      await this.leave(setting);
      return unplayed(`the schedule could not be played: ${inspect(error)}`);
    }
  }

  /** Work that is not done in time continues unheard in a world that is gone. */
  private async inTime(playing: Promise<ScheduleResult>): Promise<ScheduleResult | null> {
    const over = new AbortController();
    const late = pause(ENDS_WITHIN_MS, null, { signal: AbortSignal.any([over.signal, ...this.stoppingSignals()]) });
    try {
      return await Promise.race([playing, late.catch(() => null)]);
    } finally {
      playing.catch(() => {});
      over.abort();
    }
  }

  private stoppingSignals(): AbortSignal[] {
    return this.stopping === undefined ? [] : [this.stopping];
  }

  private async leave(setting: Setting): Promise<void> {
    const here = this.worlds.get(setting);
    if (here === undefined) return;
    this.worlds.delete(setting);
    const left = here.world.close().catch((error) => console.error(`A world did not end in order: ${inspect(error)}`));
    await Promise.race([left, pause(LEFT_WITHIN_MS, null, { ref: false })]);
    removeWorldFolder(here.world.folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const setting of [...this.worlds.keys()]) await this.leave(setting);
  }
}
