/**
 * `npm run lighthouse`: the production build and the real program in Lighthouse's simulated phone, on the login page and
 * on the home screen of the demo creator. Fails below 95 for performance, accessibility or best practices.
 *
 *   --runs 3          measures each page so often and takes the middle one: a busy machine makes single runs worse
 *   --report FOLDER   also writes Lighthouse's own HTML reports there
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import lighthouse, { type Flags, type RunnerResult } from 'lighthouse';
import { launchBrowser } from '#e2e/browser.ts';
import { freePort, startScript } from '#server/testing/processes.ts';
import { buildWebApps } from './build.ts';

const LEAST = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' }, report: { type: 'string' } } });
await using cleanUp = new AsyncDisposableStack();
await buildWebApps(console.log);
const dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-lighthouse-'));
cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
const [port, simulatorPort, debuggingPort] = [await freePort(), await freePort(), await freePort()];
const url = `http://localhost:${port}`;
const program = await startScript(
  'server/main.ts',
  [],
  {
    PORT: String(port),
    BASE_URL: url,
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATORS: 'on',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  },
  (line) => line.includes(`is ready: ${url}`),
);
cleanUp.defer(() => program.stop());
const browser = await launchBrowser({ debuggingPort });
cleanUp.defer(() => browser.close());

const pages = [
  { name: 'login', address: '/creator-hq/login', cookie: null },
  { name: 'HQ home', address: '/creator-hq', cookie: await demoCookie() },
];
const rows: Record<string, Record<string, number | string>> = {};
let failed = false;
for (const { name, address, cookie } of pages) {
  const result = await middleRun(url + address, cookie);
  const { categories, audits } = result.lhr;
  const scores = Object.fromEntries(CATEGORIES.map((id) => [id, Math.round((categories[id]?.score ?? 0) * 100)]));
  rows[name] = {
    ...scores,
    'first paint': audits['first-contentful-paint']?.displayValue ?? '',
    'largest paint': audits['largest-contentful-paint']?.displayValue ?? '',
    blocking: audits['total-blocking-time']?.displayValue ?? '',
    shift: audits['cumulative-layout-shift']?.displayValue ?? '',
    // Lighthouse's own measure of the machine: its four-fold throttling is meant for 1,500 to 2,000.
    machine: result.lhr.environment.benchmarkIndex,
  };
  for (const id of CATEGORIES) {
    if (scores[id]! >= LEAST) continue;
    failed = true;
    console.log(`\n${name}: ${id} ${scores[id]}, because of`);
    for (const { id: auditId, weight } of categories[id]?.auditRefs ?? []) {
      const audit = audits[auditId]!;
      if (weight > 0 && audit.score !== null && audit.score < 0.95) {
        console.log(`  ${audit.title} (${audit.displayValue ?? audit.score})`);
      }
    }
  }
  if (values.report !== undefined) {
    await mkdir(values.report, { recursive: true });
    await writeFile(path.join(values.report, `${name.replace(' ', '-')}.html`), String(result.report));
  }
}
console.table(rows);
if (failed) {
  console.log(`Some are below ${LEAST}.`);
  process.exitCode = 1;
}

/** The session of the demo creator, as a Cookie header. */
async function demoCookie(): Promise<string> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' });
  try {
    const page = await context.newPage();
    await page.goto('/creator-hq/login');
    await page.getByRole('button', { name: 'Enter as the demo creator' }).click();
    await page.waitForURL('**/creator-hq');
    return (await context.cookies()).map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
  } finally {
    await context.close();
  }
}

async function middleRun(address: string, cookie: string | null): Promise<RunnerResult> {
  const runs: RunnerResult[] = [];
  for (let run = 0; run < Number(values.runs); run++) runs.push(await measure(address, cookie));
  const performance = (run: RunnerResult) => run.lhr.categories.performance?.score ?? 0;
  return runs.toSorted((a, b) => performance(a) - performance(b))[Math.floor(runs.length / 2)]!;
}

async function measure(address: string, cookie: string | null): Promise<RunnerResult> {
  const flags: Flags = {
    port: debuggingPort,
    output: 'html',
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
    ...(cookie !== null && { extraHeaders: { cookie } }),
  };
  const result = await lighthouse(address, flags);
  if (result === undefined) throw new Error(`Lighthouse measured nothing at ${address}.`);
  return result;
}
