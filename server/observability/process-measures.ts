/** This process: memory, event loop, pools of database connections. Names as other programs have them, where they do. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter } from 'prom-client';
import type { Database } from '#server/db/database.ts';
import type { ReadDisk } from './disk.ts';
import type { Measures } from './measures.ts';

const RESOLUTION_MS = 20;
const MICROSECONDS = 1e6;

/** Holds the event loop under watch; costs a timer of 20 ms. */
export function watchEventLoop() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // Between two looks of the monitor passes its own step, too.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    /** How much later than planned things ran since the last call, in milliseconds. */
    take(): { meanMs: number; p99Ms: number; longestMs: number } {
      const seen = delay.count > 0;
      const taken = {
        meanMs: seen ? late(delay.mean) : 0,
        p99Ms: seen ? late(delay.percentile(99)) : 0,
        longestMs: seen ? late(delay.max) : 0,
      };
      delay.reset();
      return taken;
    },
    close: () => void delay.disable(),
  };
}

export type PoolState = { pool: string; used: number; idle: number; waiting: number };

export function poolsOf({ appPool, enginePool }: Pick<Database, 'appPool' | 'enginePool'>): PoolState[] {
  return Object.entries({ app: appPool, engine: enginePool }).map(
    ([pool, { totalCount, idleCount, waitingCount }]) => ({
      pool,
      used: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
    }),
  );
}

/** @returns ends the watching */
export function measureProcess(
  { registry, gauge }: Pick<Measures, 'registry' | 'gauge'>,
  deps: { db: Pick<Database, 'appPool' | 'enginePool'>; version: string; roles: string[]; readDisk: ReadDisk },
): () => void {
  const loop = watchEventLoop();
  gauge(
    'creator_hq_build_info',
    'Always 1; the labels tell version and roles.',
    () => [[[deps.version, deps.roles.join(',')], 1]],
    ['version', 'roles'],
  );
  gauge(
    'process_start_time_seconds',
    'When the process began, in seconds since 1970.',
    () => performance.timeOrigin / 1000,
  );
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used, user and system.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / MICROSECONDS);
    },
  });
  gauge('creator_hq_disk_free_bytes', 'Free on the disk of DATA_DIR.', async () => (await deps.readDisk()).freeBytes);
  gauge('creator_hq_disk_size_bytes', 'Size of the disk of DATA_DIR.', async () => (await deps.readDisk()).totalBytes);
  gauge(
    'nodejs_eventloop_lag_seconds',
    'How much later than planned things ran since the last look.',
    () => {
      const { meanMs, p99Ms, longestMs } = loop.take();
      return [
        [['mean'], meanMs / 1000],
        [['p99'], p99Ms / 1000],
        [['longest'], longestMs / 1000],
      ];
    },
    ['statistic'],
  );
  gauge(
    'creator_hq_db_connections',
    'Database connections of this process; waiting are callers that wait for one.',
    () =>
      poolsOf(deps.db).flatMap(({ pool, used, idle, waiting }): [string[], number][] => [
        [[pool, 'used'], used],
        [[pool, 'idle'], idle],
        [[pool, 'waiting'], waiting],
      ]),
    ['pool', 'state'],
  );
  return loop.close;
}
