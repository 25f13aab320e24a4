/**
 * `npm run lighthouse`: the production build and the real program in Lighthouse's simulated phone, on the login page,
 * the home screen of the demo creator and a shopping list of theirs. Fails below 95 for performance, accessibility or best practices.
 *
 * Lighthouse plays a phone four times slower than the machine it runs on, whatever that is, and means one whose
 * `benchmarkIndex` is 1,500 or so: the column `machine` says how fast this one was.
 *
 *   --runs 3          measures each page so often and takes the middle one: a busy machine makes single runs worse
 *   --report FOLDER   also writes Lighthouse's own HTML reports there
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import lighthouse, { type Flags, type RunnerResult } from 'lighthouse';
import { API_BASE } from '#contract/endpoint.ts';
import { listRecipes } from '#contract/recipes.ts';
import { getMe } from '#contract/session.ts';
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
const browser = await launchBrowser({ debuggingPort, windowless: true });
cleanUp.defer(() => browser.close());

const demo = await enterDemo();
const pages = [
  { name: 'login', address: '/creator-hq/login', cookie: null },
  { name: 'HQ home', address: '/creator-hq', cookie: demo.cookie },
  { name: 'list', address: demo.list, cookie: null },
];
const rows: Record<string, Record<string, number | string>> = {};
let failed = false;
for (const { name, address, cookie } of pages) {
  const result = await middleOfRuns(url + address, cookie);
  describe(name, result);
  if (sayWhatIsBelow(name, result)) failed = true;
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

/** The session of the demo creator, as a Cookie header, and where a list of theirs is. */
async function enterDemo(): Promise<{ cookie: string; list: string }> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' });
  try {
    const page = await context.newPage();
    await page.goto('/creator-hq/login');
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await page.waitForURL('**/creator-hq');
    const cookie = (await context.cookies()).map((one) => `${one.name}=${one.value}`).join('; ');
    const { creatorAccount } = await (await context.request.get(`${API_BASE}${getMe.path}`)).json();
    const path = listRecipes.path.replace(':creatorId', creatorAccount._id);
    const { items } = await (await context.request.get(`${API_BASE}${path}?state=ready`)).json();
    return { cookie, list: new URL(items[0].list.url).pathname };
  } finally {
    await context.close();
  }
}

function describe(name: string, { lhr }: RunnerResult): void {
  const shown = (audit: string) => lhr.audits[audit]?.displayValue ?? '';
  rows[name] = {
    ...Object.fromEntries(CATEGORIES.map((id) => [id, score(lhr, id)])),
    'first paint': shown('first-contentful-paint'),
    'largest paint': shown('largest-contentful-paint'),
    blocking: shown('total-blocking-time'),
    shift: shown('cumulative-layout-shift'),
    machine: lhr.environment.benchmarkIndex,
  };
}

/** @returns whether any category is */
function sayWhatIsBelow(name: string, { lhr }: RunnerResult): boolean {
  const below = CATEGORIES.filter((id) => score(lhr, id) < LEAST);
  for (const id of below) {
    console.log(`\n${name}: ${id} ${score(lhr, id)}, because of`);
    for (const { id: auditId, weight } of lhr.categories[id]?.auditRefs ?? []) {
      const audit = lhr.audits[auditId]!;
      if (weight > 0 && audit.score !== null && audit.score < LEAST / 100) {
        console.log(`  ${audit.title} (${audit.displayValue ?? audit.score})`);
      }
    }
  }
  return below.length > 0;
}

function score(lhr: RunnerResult['lhr'], category: string): number {
  return Math.round((lhr.categories[category]?.score ?? 0) * 100);
}

async function middleOfRuns(address: string, cookie: string | null): Promise<RunnerResult> {
  const results: RunnerResult[] = [];
  for (let run = 0; run < Number(values.runs); run++) results.push(await measure(address, cookie));
  results.sort((a, b) => score(a.lhr, 'performance') - score(b.lhr, 'performance'));
  return results[Math.floor(results.length / 2)]!;
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
