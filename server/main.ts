/** Starts the roles asked for and ends them in order. `npm start` runs this; so does a container. */
import v8 from 'node:v8';
import { pino } from 'pino';
import { systemClock, systemIds } from '#server/clock.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/binaries.ts';
import { MigrationError } from '#server/db/migrate.ts';
import { DatabaseRefused, StoppedWaiting } from '#server/db/wait-for-database.ts';
import { createErrorReporter, readDsn } from '#server/observability/reporter.ts';
import { createLog } from '#server/observability/reporting-log.ts';
import { PortTaken, startProgram } from '#server/program.ts';
import { stopInTime } from '#server/stop-in-time.ts';

// The engine makes much short-lived garbage around a small heap (some 60 MB). Left alone the heap grows to several times that
// before it is tidied; so it stays within one and a half, and the whole process some 100 MB smaller at the same rate.
v8.setFlagsFromString('--heap-growing-percent=60');
// Objects that live as long as their call are not old: V8 takes them for that where most of it outlives one collection of young objects, and
// makes all that the same code makes old from then on, together with what hangs on it. A full collection every five seconds at
// 1,500 comments/s, and each of them holds acknowledgements up.
v8.setFlagsFromString('--no-allocation-site-pretenuring');

/** How long the demo creator has lived. */
const DEMO_DAYS = 60;

try {
  const config = readConfig();
  const dsn = config.errorReportingDsn === null ? null : readDsn(config.errorReportingDsn);
  const reporter =
    dsn === null
      ? null
      : createErrorReporter({
          dsn,
          environment: config.environment,
          clock: systemClock,
          ids: systemIds,
          warn: (message) => log.warn(message),
        });
  const output = pino.destination({ dest: 2, sync: false });
  // A log that cannot be written (a full disk) must not end the work that it tells of.
  for (const stream of [output, process.stdout]) stream.on('error', () => {});
  const log = createLog({ level: config.logLevel, reporter }, output);
  const stopping = stopOnSignals();

  // For tests, which need a demo and no history.
  const demoDays = process.argv.includes('--short-demo') ? 0 : DEMO_DAYS;
  const program = await startProgram(config, { log, say: (line) => console.log(line), stopping, demoDays });
  if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve));
  console.log('Stopping: finishing what is under way…');
  if (!(await stopInTime(() => program.stop(), systemClock))) {
    console.error(
      'Not everything ended within 25 seconds; ending now. Acknowledged events are not lost: the next start continues.',
    );
    process.exit(1);
  }
  await reporter?.close();
  console.log('Stopped. Nothing was lost.');
} catch (error) {
  if (error instanceof StoppedWaiting) {
    console.log(error.message);
  } else {
    // Words for the person at the keyboard; a stack only where the fault is ours.
    console.error(isForPeople(error) ? error.message : error);
    process.exitCode = 1;
  }
}

/** The first signal stops in order; one more, a second later or after, ends at once. */
function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  let firstAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // NOTE: a terminal's Ctrl+C reaches npm and us, and npm passes it on: two signals for one key.
      if (stopping.signal.aborted && Date.now() - firstAt > 1000) process.exit(1);
      firstAt ||= Date.now();
      stopping.abort();
    });
  }
  return stopping.signal;
}

function isForPeople(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return [ConfigError, DatabaseRefused, EmbeddedPostgresError, MigrationError, PortTaken].some(
    (kind) => error instanceof kind,
  );
}
