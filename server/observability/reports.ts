/** Each process tells every few seconds how it is; the operator's page shows those of all. */
import os from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { type DiskSpace, diskState, type ProcessReport } from '#contract/admin.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { ReadDisk } from './disk.ts';
import type { Measures, Totals } from './measures.ts';
import { poolsOf, watchEventLoop } from './process-measures.ts';
import { between, quantile } from './spread.ts';

const REPORT_EVERY_MS = 10_000;
/** Figures of a report are of the last six. */
const WINDOW = 6;
/** A process that fell silent is shown for so long. */
export const SHOWN_FOR_MS = 10 * 60_000;

export type ReportsDeps = {
  db: Database;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  processId: string;
  version: string;
  roles: string[];
  startedAt: Date;
  measures: Measures;
  /** Names of the encryption keys that this process can open, the one it seals with first. */
  keyIds: string[];
  readDisk: ReadDisk;
};

/** Reports until `signal` aborts, then takes its report back. */
export async function startReports(deps: ReportsDeps & { signal: AbortSignal }): Promise<void> {
  const { db, clock, log, processId, signal } = deps;
  const disk = tellOfDisk(deps);
  const loop = watchEventLoop();
  const before: Totals[] = [await deps.measures.totals()];
  while (!signal.aborted) {
    const now = await deps.measures.totals();
    const report = reportOf(deps, before[0]!, now, loop.take().longestMs, await disk.read());
    before.push(now);
    if (before.length > WINDOW) before.shift();
    await save(db, processId, clock.now(), report).catch((error) =>
      log.warn({ err: error }, 'how this process is could not be told'),
    );
    await clock.sleep(REPORT_EVERY_MS, signal);
  }
  loop.close();
  // The database may be what is wrong; then the report is forgotten by itself.
  await db.engine
    .deleteFrom('process_reports')
    .where('process_id', '=', processId)
    .execute()
    .catch(() => {});
}

/** Logs when the disk fills up, before it is full, and when there is room again. */
function tellOfDisk({ readDisk, log }: Pick<ReportsDeps, 'readDisk' | 'log'>) {
  let told: ReturnType<typeof diskState> | 'unknown' = 'enough';
  return {
    async read(): Promise<DiskSpace | null> {
      try {
        const space = await readDisk();
        const state = diskState(space);
        if (state !== told) {
          if (state === 'enough') log.info(space, 'there is room on the disk of DATA_DIR');
          else if (state === 'low') log.warn(space, 'the disk of DATA_DIR is filling up');
          else log.error(space, 'the disk of DATA_DIR is nearly full: soon nothing can be written');
        }
        told = state;
        return space;
      } catch (error) {
        if (told !== 'unknown') log.warn({ err: error }, 'how full the disk of DATA_DIR is cannot be read');
        told = 'unknown';
        return null;
      }
    },
  };
}

function reportOf(
  deps: ReportsDeps,
  before: Totals,
  now: Totals,
  loopDelayMs: number,
  disk: DiskSpace | null,
): ProcessReport {
  const ms = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000));
  return {
    host: os.hostname(),
    version: deps.version,
    roles: deps.roles,
    startedAt: deps.startedAt.toISOString(),
    memoryBytes: process.memoryUsage.rss(),
    loopDelayMs: Math.round(loopDelayMs),
    pools: poolsOf(deps.db),
    shards: now.shards,
    leasesLost: now.leasesLost,
    keyIds: deps.keyIds,
    disk,
    lastMinute: {
      webhooks: now.acknowledged - before.acknowledged,
      refused: now.refused - before.refused,
      ackP99Ms: ms(since('ack', 0.99)),
      ageP50Seconds: since('age', 0.5),
      ageP99Seconds: since('age', 0.99),
      interactions: now.interactions - before.interactions,
      calls: now.calls - before.calls,
      callP99Ms: ms(since('call', 0.99)),
      failedAppends: now.failedAppends - before.failedAppends,
    },
  };

  function since(of: 'ack' | 'age' | 'call', share: number): number | null {
    return quantile(share, between(before[of], now[of]));
  }
}

async function save(db: Database, processId: string, now: Date, report: ProcessReport): Promise<void> {
  await sql`
    with gone as (delete from process_reports where seen_at < ${now}::timestamptz - interval '1 day')
    insert into process_reports (process_id, seen_at, report)
    values (${processId}, ${now}, ${JSON.stringify(report)}::jsonb)
    on conflict (process_id) do update set seen_at = excluded.seen_at, report = excluded.report
  `.execute(db.engine);
}

/** Processes seen lately, the youngest first. */
export async function findReports(
  db: Pick<Database, 'engine'>,
  now: Date,
): Promise<{ processId: string; seenAt: Date; report: ProcessReport }[]> {
  const rows = await db.engine
    .selectFrom('process_reports')
    .selectAll()
    .where('seen_at', '>', new Date(now.getTime() - SHOWN_FOR_MS))
    .orderBy('process_id', 'desc')
    .execute();
  return rows.map(({ process_id, seen_at, report }) => ({
    processId: process_id,
    seenAt: seen_at,
    report: report as ProcessReport,
  }));
}
