/** What one comment costs, whatever else the machine does: processor time and bytes, not wall time. */
import { processorTimeOf } from './processor-time.ts';
import type { BenchWorld } from './world.ts';

/** Of one comment. */
export type Costs = {
  programMs: number;
  postgresMs: number;
  generatorMs: number;
  simulatorMs: number;
  /** Written to PostgreSQL's log, which is what a standby is sent too. */
  walBytes: number;
  commits: number;
};

/** @param pid the program that is measured; answers what to call afterwards, with how many comments there were */
export async function startCounting(world: BenchWorld, pid: number): Promise<(comments: number) => Promise<Costs>> {
  const before = await read(world, pid);
  return async (comments) => {
    const after = await read(world, pid);
    const each = (name: keyof Costs) => (after[name] - before[name]) / comments;
    return {
      programMs: each('programMs'),
      postgresMs: each('postgresMs'),
      generatorMs: each('generatorMs'),
      simulatorMs: each('simulatorMs'),
      walBytes: each('walBytes'),
      commits: each('commits'),
    };
  };
}

async function read(world: BenchWorld, pid: number): Promise<Costs> {
  const { rows } = await world.database.query<{ wal: string; commits: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
            (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  );
  const own = process.cpuUsage();
  return {
    programMs: processorTimeOf(pid),
    postgresMs: processorTimeOf(world.postgresPid()),
    generatorMs: (own.user + own.system) / 1000,
    simulatorMs: processorTimeOf(world.simulatorPid),
    walBytes: Number(rows[0]!.wal),
    commits: Number(rows[0]!.commits),
  };
}
