/**
 * The program as `server/main.ts` starts it, on a clock that a schedule moves: what stands in the file `chaos-clock` of its
 * DATA_DIR is added to the machine's. A production install has no such clock: it is given here and nowhere else.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import { pino } from 'pino';
import { CLOCK_FILE } from '#e2e/chaos/processes/moving-clock.ts';
import { type Clock, systemClock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { startProgram } from '#server/program.ts';

v8.setFlagsFromString('--heap-growing-percent=60');

const config = readConfig();
const clockFile = path.join(config.dataDir, CLOCK_FILE);
// Looked at every time: not a call goes out by the time before.
const clock: Clock = { now: () => new Date(Date.now() + readOff()), sleep: systemClock.sleep };

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const output = pino.destination({ dest: 2, sync: false });
for (const stream of [output, process.stdout]) stream.on('error', () => {});
const log = pino({ level: config.logLevel }, output);
const program = await startProgram(config, { log, say: (line) => console.log(line), clock, stopping: stopping.signal });
if (!stopping.signal.aborted) {
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
}
await program.stop();

function readOff(): number {
  try {
    return Number(readFileSync(clockFile, 'utf8'));
  } catch {
    return 0;
  }
}
