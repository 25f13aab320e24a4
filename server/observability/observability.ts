/** Puts together what this process counts and traces, and who is told: Prometheus, a collector, the operator's page. */
import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { Keys } from '#server/secrets.ts';
import type { ReadDisk } from './disk.ts';
import { measureInstallation } from './installation.ts';
import { measureEventLog } from './measured-event-log.ts';
import { createMeasures, type Measures } from './measures.ts';
import { startMetricsServer } from './metrics-server.ts';
import { measureProcess } from './process-measures.ts';
import { startReports } from './reports.ts';
import { createTracing, type Tracing } from './traces.ts';

/** `tracing` is null unless a collector takes traces. */
export type Observed = { measures: Measures; tracing: Tracing | null };

export type Observing = Observed & {
  /** The same log, observed. */
  watch(eventLog: EventLog): EventLog;
  /** Opens the endpoint for Prometheus, where one is asked for. @throws as `listen` does */
  listen(): Promise<void>;
  close(): Promise<void>;
};

type Deps = {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  keys: Pick<Keys, 'encryptionKeys'>;
  readDisk: ReadDisk;
};

export async function startObserving({ config, db, clock, ids, log, keys, readDisk }: Deps): Promise<Observing> {
  const startedAt = clock.now();
  const processId = ids.uuid(startedAt);
  const version = readVersion();
  const { roles, environment } = config;
  const measures = createMeasures((error) => log.warn({ err: error }, 'a measure could not be read'));
  const { registry } = measures;
  const isRead = config.metrics !== null || (config.otlp?.metrics ?? false);
  const stopWatching = isRead ? measureProcess(measures, { db, version, roles, readDisk }) : () => {};
  const otlp =
    config.otlp === null
      ? null
      : (await import('./otlp.ts')).startOtlp({
          settings: config.otlp,
          ...{ registry, clock, processId, environment, version, log },
        });
  const tracing = otlp !== null && config.otlp?.traces ? createTracing({ ...config.otlp, onSpan: otlp.span }) : null;
  const keyIds = keys.encryptionKeys.map(({ id }) => id);
  const stopping = new AbortController();
  const reporting = startReports({
    ...{ db, clock, log, processId, version, roles, startedAt, measures, keyIds, readDisk },
    signal: stopping.signal,
  });
  let server: Awaited<ReturnType<typeof startMetricsServer>> | null = null;

  return {
    measures,
    tracing,
    watch(eventLog) {
      if (isRead) measureInstallation(measures.gauge, { db, eventLog, clock });
      return measureEventLog(eventLog, measures, tracing);
    },
    async listen() {
      if (config.metrics !== null) server = await startMetricsServer(config.metrics, registry);
    },
    async close() {
      stopWatching();
      stopping.abort();
      await Promise.all([reporting, server?.close(), otlp?.close()]);
    },
  };
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
