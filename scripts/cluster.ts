/**
 * `npm run cluster`: Creator HQ as on many machines, all on this one: three NATS servers, PostgreSQL, the simulator of Meta,
 * web and worker processes, a balancing proxy. For trying it out, and for breaking it: kill any process and look.
 *
 *   --port 3000          the proxy's; the others are its neighbours
 *   --data data/cluster  where everything is kept
 *   --webs 2             web processes
 *   --workers 3          worker processes
 *
 * With --break nobody is invited: under a load of comments every process but the proxy and the simulator is killed once and
 * started again, and what was acknowledged is compared with what arrived. In a folder of its own, which is removed.
 *
 *   --per-second 1000    comments
 *   --rounds 1           how many times
 *   --only web-1,nats-2  kills these and no others
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from '#e2e/cluster/cluster.ts';
import { failOver } from '#e2e/cluster/failing-over.ts';
import { missingPrograms } from '#e2e/cluster/installed.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/binaries.ts';
import { buildWebApps } from './build.ts';
import { loadDotEnv } from './dot-env.ts';

class Refused extends Error {}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    data: { type: 'string', default: 'data/cluster' },
    webs: { type: 'string', default: '2' },
    workers: { type: 'string', default: '3' },
    break: { type: 'boolean', default: false },
    'per-second': { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

try {
  loadDotEnv();
  const missing = missingPrograms();
  if (missing.length > 0) throw new Refused(missing.join('\n'));
  if (values.break) await breakIt();
  else await run();
} catch (error) {
  console.error(error instanceof Refused || error instanceof EmbeddedPostgresError ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  await buildWebApps(console.log);
  const stopping = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.resolve());
  console.log('Starting the cluster…');
  const cluster = await startCluster({
    dataDir: values.data,
    port: wholeNumber('port', 1024, 65_000),
    webs: wholeNumber('webs', 1, 9),
    workers: wholeNumber('workers', 1, 16),
    demo: true,
    restart: true,
    log: (line) => console.log(line),
  });
  sayReady(cluster);
  await stopping.promise;
  console.log('Stopping: finishing what is under way…');
  await cluster.close();
  console.log('Stopped. Nothing was lost.');
}

async function breakIt(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-cluster-'));
  const victims = values.only?.split(',') ?? namesOf(wholeNumber('webs', 1, 9), wholeNumber('workers', 1, 16));
  const rounds = wholeNumber('rounds', 1, 1000);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const report = await failOver({
    dataDir,
    perSecond: wholeNumber('per-second', 1, 20_000),
    victims: Array.from({ length: rounds }, () => victims).flat(),
    betweenMs: 5_000,
    awayMs: 12_000,
    cluster: { webs: wholeNumber('webs', 1, 9), workers: wholeNumber('workers', 1, 16) },
    log: (line) => console.log(`  ${line}`),
  });
  console.log(`
${report.comments} comments, ${report.acked} acknowledged (${report.ackedPerSecond.toFixed(0)} a second)
${report.lost} lost, ${report.doubled} doubled, ${report.faults.length} disagreements
worked off ${seconds(report.workedOffAfterMs)} after the last acknowledgement

killed       longest without an acknowledgement   longest from one to the message`);
  for (const { victim, longestGapMs, longestToMessageMs } of report.failovers) {
    console.log(`${victim.padEnd(13)}${seconds(longestGapMs).padEnd(37)}${seconds(longestToMessageMs)}`);
  }
  for (const fault of report.faults.slice(0, 50)) console.log(`  ${fault}`);
  process.exitCode = report.faults.length > 0 ? 1 : 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/**
 * The proxy is one process here: in an install of many machines it is the orchestrator's. The simulator's ledger, with which
 * everything is compared, would be gone with it.
 */
function namesOf(webs: number, workers: number): string[] {
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
  return [...numbered('web', webs), ...numbered('worker', workers), ...numbered('nats', 3), 'postgres'];
}

function sayReady(cluster: Cluster): void {
  console.log(`\nCreator HQ is ready: ${cluster.url}`);
  console.log('  Log in: press "Try the demo" on the login page, or sign up with any address.');
  console.log(`  Be a follower: ${cluster.simulatorUrl}/phone/`);
  console.log(`  Emails that would be sent: ${cluster.url}/mailbox\n`);
  for (const member of cluster.members.values()) {
    const [name, pid, what] = [member.name.padEnd(10), `${member.pid()}`.padStart(8), member.what.padEnd(24)];
    console.log(`  ${name}${pid}  ${what}${member.logFile}`);
  }
  if (!cluster.writesThrough) {
    console.log(
      '\n  This nats-server is older than 2.10: it acknowledges an event when two servers have it in memory. Newer ones',
    );
    console.log('  write to disk first.');
  }
  console.log('\n  Kill any of them (kill -9 PID) and it is started again. Stop everything with Ctrl+C.\n');
}

function wholeNumber(name: 'port' | 'webs' | 'workers' | 'per-second' | 'rounds', least: number, most: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Refused(`--${name} is a whole number from ${least} to ${most}.`);
}
