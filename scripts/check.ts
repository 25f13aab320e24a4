/**
 * Runs what must hold before a change goes in, and ends with the line `N passed, N failed`: every test counts as one, and so
 * does every other check. `npm run check` leaves out the browser journeys; `npm test` (--all) runs everything. Before the last
 * line it names the test files that took longest: whoever made one of them slow shall see it.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SLOW_FILE, SLOWEST_SHOWN } from './slowest-files.ts';

type Result = { passed: number; failed: number; skipped?: number; output: string };
type Check = { name: string; run: () => Promise<Result> };

const root = path.dirname(import.meta.dirname);
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name);
// Not from `.bin`: an older compiler that another package needs may have taken its name there.
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

/** Checks that only read: two at a time, as most of them use one core. The longest is first. */
const readingChecks: Check[] = [
  { name: 'Types of the server', run: () => command(tsc, '-p', 'tsconfig.server.json') },
  { name: 'Types of the contract', run: () => command(tsc, '-p', 'tsconfig.contract.json') },
  { name: 'Types of the web app', run: () => command(tsc, '-p', 'tsconfig.web.json') },
  {
    name: 'Format, lint and import directions',
    run: () => command(bin('biome'), 'ci', '--colors=off', '--error-on-warnings'),
  },
  { name: 'Unused code and packages', run: () => command(bin('knip')) },
  { name: 'Lock file for every machine', run: () => command('scripts/complete-lock.ts', '--check') },
  { name: 'Committed schema', run: () => command('scripts/schema.ts', '--check') },
  { name: 'Tests of every sentence of the specification', run: () => command('scripts/spec-coverage.ts') },
  { name: 'Description of the API by Redocly and Spectral', run: () => command('scripts/lint-api.ts') },
  { name: 'Words of product texts', run: () => command('scripts/words.ts') },
  { name: 'Known holes in packages', run: () => command('scripts/audit.ts') },
];

const testChecks: Check[] = [{ name: 'Tests', run: () => tests('vitest.config.ts') }];

/** `npm test` runs these too. The journeys' own set-up builds the web app. */
const browserChecks: Check[] = [
  { name: 'Browser', run: findBrowser },
  { name: 'The plugin in WordPress', run: testWordPress },
  { name: 'Journeys in the browser', run: () => tests('vitest.e2e.config.ts') },
];

const all = process.argv.includes('--all');
let passed = 0;
let failed = 0;
const slowFiles: { seconds: number; name: string }[] = [];
await runAll(readingChecks, 2);
await runAll(all ? [...testChecks, ...browserChecks] : testChecks, 1);
console.log('\nThe slowest test files, in seconds:');
for (const { seconds, name: file } of slowFiles.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

async function runAll(checks: Check[], atATime: number): Promise<void> {
  const waiting = [...checks];
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runAndTell(check);
  };
  await Promise.all(Array.from({ length: atATime }, work));
}

async function runAndTell({ name, run }: Check): Promise<void> {
  const startedAt = performance.now();
  const result = await run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  passed += result.passed;
  failed += result.failed;
  const counts = result.passed + result.failed > 1 ? `, ${result.passed} passed, ${result.failed} failed` : '';
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  // Output of a check that passed: a line of its own that begins so.
  const note = /^NOTE: (.+)$/m.exec(result.output)?.[1];
  console.log(
    `${result.failed ? 'FAILED' : 'ok    '}  ${name} (${seconds} s${counts}${skipped})${note ? `: ${note}` : ''}`,
  );
  if (result.failed) console.log(`\n${result.output.trim()}\n`);
  for (const [, took, file] of result.output.matchAll(SLOW_FILE)) {
    slowFiles.push({ seconds: Number(took), name: file! });
  }
}

async function command(program: string, ...args: string[]): Promise<Result> {
  const { code, output } = await runNode(program, args);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/** Runs a Vitest configuration and counts its tests. A file that cannot even be read counts as a failure. */
async function tests(config: string): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-check-'));
  const reportFile = path.join(folder, 'report.json');
  try {
    const { code, output } = await runNode(bin('vitest'), [
      ...['run', '--config', config, '--reporter=default', '--reporter=scripts/slowest-files.ts'],
      ...['--reporter=json', `--outputFile.json=${reportFile}`],
    ]);
    const report = JSON.parse(await readFile(reportFile, 'utf8').catch(() => '{}')) as {
      numPassedTests?: number;
      numFailedTests?: number;
      numPendingTests?: number;
      numTodoTests?: number;
      testResults?: {
        name: string;
        assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
      }[];
    };
    const failures = report.numFailedTests ?? 0;
    const failed = (report.testResults ?? []).flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(
          ({ fullName, failureMessages }) => `${path.relative(root, name)}: ${fullName}\n${failureMessages.join('\n')}`,
        ),
    );
    return {
      passed: report.numPassedTests ?? 0,
      // Vitest also fails for what is no test: an unreadable file, an unhandled rejection, no test found.
      failed: code === 0 ? failures : Math.max(failures, 1),
      skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
      // Failures come first, so that the beginning of a long log is enough.
      output: [...failed, output].join('\n\n'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findBrowser(): Promise<Result> {
  const { launchBrowser } = await import('#e2e/browser.ts');
  try {
    const browser = await launchBrowser();
    await browser.close();
    return { passed: 1, failed: 0, output: '' };
  } catch (error) {
    return { passed: 0, failed: 1, output: (error as Error).message };
  }
}

/** Left out, and said so, on a machine that has no PHP and may not install it. */
async function testWordPress(): Promise<Result> {
  const { ensurePhp, WORDPRESS_REMEDY } = await import('#server/testing/wordpress.ts');
  if (!ensurePhp()) return { passed: 0, failed: 0, skipped: 1, output: `NOTE: ${WORDPRESS_REMEDY}` };
  return await tests('vitest.wordpress.config.ts');
}

async function runNode(script: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: {
      ...process.env,
      // The program is started some fifty times: reading its sources once halves the time of each start.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      CI: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('close', (code) => resolve(code ?? 1));
  return { code: await promise, output };
}
