/**
 * `npm run chaos`: random schedules of everything that can break, judged by the rules that must always hold. docs/chaos.md.
 *
 *   --schedules 100     how many
 *   --seed 1            of the first; the next ones follow. Printed, to play the same again. `3,97`: these and no others
 *   --mode one-machine  real processes, one machine's or a `cluster`'s; `engine`, `money`, `fans`: the engine, and payments for
 *                       plans and to creators, alone in simulated time
 *   --parallel 2        worlds at a time
 *   --trace             what every schedule did, not only what failed
 */
import { parseArgs } from 'node:util';
import { missingPrograms } from '../cluster/installed.ts';
import { type Mode, runSchedules, type ScheduleResult } from './runs.ts';

/** A trace goes on with the ledger. */
const MOST_LINES = 400;
const TELL_EVERY = 10;
const MODES: readonly Mode[] = ['engine', 'money', 'fans', 'money-program', 'fans-program', 'one-machine', 'cluster'];

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '100' },
    seed: { type: 'string' },
    mode: { type: 'string', default: 'one-machine' },
    parallel: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
  },
});
const mode = MODES.find((known) => known === values.mode);
if (mode === undefined) {
  console.error(`There is no mode ${values.mode}, only ${MODES.join(', ')}.`);
  process.exit(1);
}
const named = (values.seed ?? String(Date.now() % 1_000_000)).split(',').map(Number);
const [first] = named;
const count = named.length > 1 ? named.length : Number(values.schedules);
const seeds = named.length > 1 ? named : Array.from({ length: count }, (_, index) => first! + index);
const missing = mode === 'cluster' ? missingPrograms() : [];
if (missing.length > 0) {
  for (const what of missing) console.error(what);
  process.exit(1);
}
const isWhole = mode === 'one-machine' || mode === 'cluster';
if (isWhole && (process.platform !== 'linux' || process.getuid?.() !== 0)) {
  console.log('Not root on Linux: no disk will be full.');
}
console.log(`${count} schedules, ${mode}, from seed ${first}`);

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const startedAt = performance.now();
const results: ScheduleResult[] = [];
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second time: what is left is ended without being asked.
    if (stopping.signal.aborted) process.exit(130);
    console.log('\nEnding what runs…');
    stopping.abort();
  });
}
let strayed = 0;
process.on('unhandledRejection', (error) => {
  strayed++;
  console.error('\nAn error that nobody waited for; going on:', error);
});
await runSchedules({
  mode,
  seeds,
  parallel: Number(values.parallel),
  stopping: stopping.signal,
  onResult(result) {
    results.push(result);
    if (values.trace || result.findings.length > 0) tell(result);
    if (results.length % TELL_EVERY === 0) console.log(progress());
  },
});

const sum = (figure: (result: ScheduleResult) => number) => results.reduce((total, each) => total + figure(each), 0);
console.log(`
${results.length} schedules in ${seconds(performance.now() - startedAt)}: ${failed().length} failed
${sum(({ comments }) => comments)} comments, ${sum(({ messages }) => messages)} messages and public replies delivered`);
if (isWhole) {
  const longest = Math.max(0, ...results.map(({ longestToAckMs }) => longestToAckMs));
  console.log(`longest that Meta had to try until a webhook was taken: ${seconds(longest)}`);
}
if (failed().length > 0) {
  const failedSeeds = failed()
    .map(({ seed }) => seed)
    .sort((one, other) => one - other);
  console.log(`failed: --mode ${mode} --seed ${failedSeeds.join(',')}`);
}
const isClean = failed().length === 0 && strayed === 0;
// Schedules that were given up are under way still.
process.exit(stopping.signal.aborted ? 130 : isClean ? 0 : 1);

function progress(): string {
  const tookMs = performance.now() - startedAt;
  const leftMs = (tookMs / results.length) * (count - results.length);
  const each = `${seconds(tookMs / results.length)} each`;
  return `  ${results.length} of ${count} played, ${failed().length} failed; ${each}, ${Math.ceil(leftMs / 60_000)} min left`;
}

function failed(): ScheduleResult[] {
  return results.filter(({ findings }) => findings.length > 0);
}

function tell({ seed, findings, trace }: ScheduleResult): void {
  console.log(`\nSeed ${seed}: ${findings.length === 0 ? 'nothing wrong' : `${findings.length} findings`}`);
  for (const { rule, says } of findings.slice(0, 20)) console.log(`  rule ${rule}: ${says}`);
  for (const line of trace.slice(0, MOST_LINES)) console.log(`    ${line}`);
  if (findings.length > 0) console.log(`  again: npm run chaos -- --mode ${mode} --schedules 1 --seed ${seed}`);
}
