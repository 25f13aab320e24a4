/** The cost of one comment, whatever else the machine does: processor time and bytes, not wall time. */
import { processorTimeOf } from './processor-time.ts';
import type { BenchWorld } from './world.ts';

/** Of some comments, or of one. */
export type Costs = {
  programMs: number;
  postgresMs: number;
  generatorMs: number;
  simulatorMs: number;
  /** Written to PostgreSQL's log, which is what a standby is sent too. */
  walBytes: number;
  /** That wrote something. */
  commits: number;
};

/** @param pid the program that is measured; answers what to call afterwards, for what was used since */
export async function startCounting(world: BenchWorld, pid: number): Promise<() => Promise<Costs>> {
  const before = await read(world, pid);
  return async () => {
    const after = await read(world, pid);
    return costsBy((name) => after[name] - before[name]);
  };
}

/** Of one comment, from what was counted in several slices. */
export function costsOfOne(slices: Costs[], comments: number): Costs {
  return costsBy((name) => slices.reduce((sum, slice) => sum + slice[name], 0) / comments);
}

function costsBy(of: (name: keyof Costs) => number): Costs {
  return {
    programMs: of('programMs'),
    postgresMs: of('postgresMs'),
    generatorMs: of('generatorMs'),
    simulatorMs: of('simulatorMs'),
    walBytes: of('walBytes'),
    commits: of('commits'),
  };
}

async function read(world: BenchWorld, pid: number): Promise<Costs> {
  const { rows } = await world.database.query<{ wal: string; commits: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
            pg_snapshot_xmax(pg_current_snapshot()) as commits`,
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
