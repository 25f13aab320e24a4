/**
 * The program as `server/main.ts` starts it, on a clock that a schedule moves: what stands in the file CHAOS_CLOCK_FILE is
 * added to the machine's. A production install has no such clock: it is given here and nowhere else.
 */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import v8 from 'node:v8';
import { pino } from 'pino';
import { CLOCK_FILE_SETTING } from '#e2e/chaos/processes/moving-clock.ts';
import { type Clock, systemClock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { startProgram } from '#server/program.ts';
import { stopInTime } from '#server/stop-in-time.ts';

v8.setFlagsFromString('--heap-growing-percent=60');

const config = readConfig();
const clockFile = process.env[CLOCK_FILE_SETTING]!;
// Looked at every time: not a call goes out by the time before.
const clock: Clock = { now: () => new Date(Date.now() + readOff()), sleep: systemClock.sleep };

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const output = pino.destination({ dest: 2, sync: false });
for (const stream of [output, process.stdout]) stream.on('error', () => {});
const log = pino({ level: config.logLevel }, output);
const program = await startProgram(config, { log, say: (line) => console.log(line), clock, stopping: stopping.signal });
// One that is killed could not keep it.
flushCompileCache();
if (!stopping.signal.aborted) {
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
}
if (!(await stopInTime(() => program.stop(), systemClock))) process.exit(1);

function readOff(): number {
  try {
    return Number(readFileSync(clockFile, 'utf8'));
  } catch {
    return 0;
  }
}
