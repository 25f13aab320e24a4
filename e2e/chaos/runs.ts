/** Many schedules, one after the other in a few worlds at a time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createStage, playEngineSchedule } from '#e2e/chaos/engine/playing.ts';
import { engineSchedule } from '#e2e/chaos/engine/schedule.ts';
import type { Finding } from '#e2e/chaos/oracle.ts';
import { playProcessSchedule } from '#e2e/chaos/processes/playing.ts';
import { processSchedule, type Setting } from '#e2e/chaos/processes/schedule.ts';
import { type ProcessWorld, startProcessWorld } from '#e2e/chaos/processes/world.ts';
import { connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';

/** `engine`: the engine alone in simulated time. The others break real processes. */
export type Mode = 'engine' | 'one-machine' | 'cluster';

const SETTINGS: Record<Exclude<Mode, 'engine'>, readonly Setting[]> = {
  'one-machine': ['embedded', 'own-database'],
  cluster: ['cluster'],
};

/** Worlds grow with everything that happened in them. */
const SCHEDULES_PER_WORLD = 60;

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
};

export async function runSchedules({ mode, seeds, parallel, onResult }: Run): Promise<void> {
  const waiting = [...seeds];
  const runners = Math.min(parallel, seeds.length);
  if (mode === 'engine') {
    await withStages(runners, async (play) => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) onResult(await play(seed));
    });
    return;
  }
  await Promise.all(
    Array.from({ length: runners }, async () => {
      await using worlds = new Worlds();
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        onResult(await worlds.play(seed, SETTINGS[mode]));
      }
    }),
  );
}

/** One PostgreSQL for all, a database for each. */
async function withStages(
  count: number,
  work: (play: (seed: number) => Promise<ScheduleResult>) => Promise<void>,
): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-chaos-'));
  cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Nothing here kills the server.
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  cleanUp.defer(() => postgres.stop());
  const stages = [];
  for (let number = 1; number <= count; number++) {
    const connectionString = await createDatabase(postgres.connectionString, `chaos_${number}`);
    await migrate(connectionString);
    const database = connectDatabase({ connectionString });
    const stage = await createStage({ ...database, connectionString, drop: () => database.close() });
    cleanUp.defer(() => stage.close());
    stages.push(stage);
  }
  await Promise.all(
    stages.map((stage) =>
      work(async (seed) => {
        const played = await playEngineSchedule(stage, engineSchedule(seed));
        return { ...played, longestToAckMs: 0 };
      }),
    ),
  );
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

  async play(seed: number, settings: readonly Setting[]): Promise<ScheduleResult> {
    const schedule = processSchedule(seed, settings);
    const { setting } = schedule;
    let here = this.worlds.get(setting);
    if (here === undefined) {
      here = { world: await startProcessWorld(setting), played: 0 };
      this.worlds.set(setting, here);
    }
    here.played++;
    try {
      const played = await playProcessSchedule(here.world, schedule);
      if (played.findings.length > 0 || here.played >= SCHEDULES_PER_WORLD) await this.leave(setting);
      return played;
    } catch (error) {
      await this.leave(setting).catch(() => {});
      const says = `the schedule could not be played: ${(error as Error).stack}`;
      return { seed, findings: [{ rule: 7, says }], trace: [], comments: 0, messages: 0, longestToAckMs: 0 };
    }
  }

  private async leave(setting: Setting): Promise<void> {
    const here = this.worlds.get(setting);
    this.worlds.delete(setting);
    await here?.world.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const setting of [...this.worlds.keys()]) await this.leave(setting);
  }
}
