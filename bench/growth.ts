/**
 * `node bench/growth.ts`: what a comment costs, and how long lists take, against the size of everything around. Writes plots
 * into docs/benchmarks and a table to the terminal. Not part of the tests; Linux only, for it reads /proc. See
 * docs/benchmarks.md.
 *
 *   --quick            small sizes, a few seconds each: for trying; its plots go to a temporary folder
 *   --only NAMES       of connections, automations, history, fairness, lists; separated by commas
 *   --seconds 60       of each size at full speed, in slices that take turns; of other runs half a minute at most
 *   --rate 400         comments a second where costs and delays are compared
 *   --out FOLDER       where plots go
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ListTime, measureLists } from './lists.ts';
import { measureThroughput } from './load.ts';
import { dotRows, linePanels, shown } from './plots.ts';
import { processorTimeOf } from './processor-time.ts';
import { runStreams, type Stream } from './streams.ts';
import { measureInTurns, type Side } from './turns.ts';
import { type BenchWorld, startWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'connections,automations,history,fairness,lists' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    out: { type: 'string' },
  },
});
const quick = values.quick;
const seconds = Number(values.seconds ?? (quick ? 6 : 60));
const rate = Number(values.rate ?? (quick ? 200 : 400));
const MATCH_SHARE = 0.5;
const TURNS = quick ? 2 : 4;
const SIZES = quick
  ? {
      connections: [10, 500],
      automations: [1, 100],
      history: [0, 20_000, 200_000],
      fairness: 100,
      contacts: [2000, 20_000],
    }
  : {
      connections: [10, 1000, 10_000],
      automations: [1, 1000],
      history: [0, 1_000_000, 10_000_000],
      fairness: 10_000,
      contacts: [10_000, 200_000, 1_000_000],
    };

const out = values.out ?? (quick ? await mkdtemp(join(tmpdir(), 'creator-hq-plots-')) : 'docs/benchmarks');
await mkdir(out, { recursive: true });
const scenes: Record<string, () => Promise<void>> = {
  connections: ofConnections,
  automations: ofAutomations,
  history: ofHistory,
  fairness,
  lists,
};
for (const name of values.only.split(',')) {
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`--only knows ${Object.keys(scenes).join(', ')}, not ${name}.`);
  await scene();
}
console.log(`\nPlots are in ${out}.`);

/** At a fixed rate, and while nobody comments. */
type Steady = {
  /** Processor time of one comment at the fixed rate, in ms: everything that goes on anyway is in it. */
  programAtRateMs: number;
  postgresAtRateMs: number;
  /** Of one second in which nobody comments, in ms. */
  idleMs: number;
  ackP99Ms: number;
  sendP50Ms: number;
  sendP99Ms: number;
};

type Measured = Steady & {
  size: number;
  /** Processor time of one comment at full speed, in ms. */
  programMs: number;
  postgresMs: number;
  /** The generator's, which nothing of ours changes: whether the machine was equal. */
  generatorMs: number;
  /** Pages of 8 kB that PostgreSQL looks at for one comment: free of the noise of a busy machine. */
  pages: number;
  perSecond: number;
  /** Of the program, after all of it. */
  memoryMb: number;
};

function ofConnections(): Promise<void> {
  return againstSize('connections', 'connections', SIZES.connections, (size) =>
    startWorld({ connections: size, automationsEach: 1 }),
  );
}

function ofAutomations(): Promise<void> {
  return againstSize('automations', 'automations per connection', SIZES.automations, (size) =>
    startWorld({ connections: quick ? 20 : 100, automationsEach: size }),
  );
}

function ofHistory(): Promise<void> {
  return againstSize('history', 'past interactions', SIZES.history, (size) =>
    startWorld({ connections: 100, automationsEach: 10 }, size),
  );
}

/** All sizes are there at once, and play the closed loop in turns: the machine's speed changes within minutes. */
async function againstSize(
  name: string,
  sizesAre: string,
  sizes: number[],
  start: (size: number) => Promise<BenchWorld>,
): Promise<void> {
  await using worlds = new AsyncDisposableStack();
  const sides: (Side & { size: number })[] = [];
  for (const size of sizes) {
    const sideName = `${size.toLocaleString('en')} ${sizesAre}`;
    console.log(`\n${sideName}: starting`);
    const world = await start(size);
    worlds.defer(() => world.stop());
    sides.push({ name: sideName, world, pid: world.program.pid, url: world.url, size });
    await spreadDuties(world);
  }
  // Warm: compiled code, prepared statements, caches.
  for (const { world } of sides) {
    await measureThroughput(world, { seconds: Math.min(8, seconds), matchShare: MATCH_SHARE });
  }
  const steady = new Map<Side, Steady>();
  for (const side of sides) steady.set(side, await measureSteady(side.world));
  const pagesBefore = await pagesOf(sides);
  const loads = await measureInTurns(sides, { seconds, turns: TURNS, matchShare: MATCH_SHARE });
  const pagesAfter = await pagesOf(sides);
  const measured = sides.map((side): Measured => {
    const load = loads.get(side)!;
    return {
      size: side.size,
      ...steady.get(side)!,
      programMs: load.costs.programMs,
      postgresMs: load.costs.postgresMs,
      generatorMs: load.costs.generatorMs,
      pages: (pagesAfter.get(side)! - pagesBefore.get(side)!) / load.posted,
      perSecond: load.eventsPerSecond,
      memoryMb: load.rssMb,
    };
  });
  for (const one of measured) say(one);
  await tell(name, sizesAre, measured);
}

/** Every connection's regular reading falls due at some time, as in an installation that has run for a while. */
async function spreadDuties({ database }: BenchWorld): Promise<void> {
  const ago = (most: string) => `now() - random() * interval '${most}'`;
  await database.query(
    `update connections set posts_tried_at = ${ago('15 minutes')}, posts_synced_at = now(), posts_fully_synced_at = ${ago('1 day')},
       checked_at = ${ago('6 hours')}, stories_tried_at = ${ago('15 minutes')}, lives_tried_at = ${ago('15 minutes')}`,
  );
}

async function measureSteady(world: BenchWorld): Promise<Steady> {
  // A minute, where it is not for trying: that is the rhythm of the regular reading.
  const idle = await spentDuring(world, () => pause(Math.min(60, seconds) * 1000));
  const atRate = await spentDuring(world, () => runStreams(world, [evenly(world, rate)], Math.min(30, seconds)));
  const times = atRate.result.get('all')!;
  return {
    programAtRateMs: atRate.programMs / times.posted,
    postgresAtRateMs: atRate.postgresMs / times.posted,
    idleMs: (idle.programMs + idle.postgresMs) / idle.tookSeconds,
    ackP99Ms: times.ackP99Ms,
    sendP50Ms: times.sendP50Ms,
    sendP99Ms: times.sendP99Ms,
  };
}

function say(of: Measured): void {
  console.log(
    `  ${of.size.toLocaleString('en').padStart(10)}: program ${shown(of.programMs)} + PostgreSQL ${shown(of.postgresMs)} ms and ${shown(of.pages)} pages a comment ` +
      `(generator ${shown(of.generatorMs)} ms), ${shown(of.perSecond)}/s; ` +
      `at ${rate}/s ${shown(of.programAtRateMs)} + ${shown(of.postgresAtRateMs)} ms, ` +
      `acknowledged p99 ${shown(of.ackP99Ms)} ms, sent p50 ${shown(of.sendP50Ms)} ms, p99 ${shown(of.sendP99Ms)} ms; ` +
      `idle ${shown(of.idleMs)} ms a second, memory ${of.memoryMb} MB`,
  );
}

async function spentDuring<T>(world: BenchWorld, work: () => Promise<T>) {
  const before = { program: processorTimeOf(world.program.pid), postgres: processorTimeOf(world.postgresPid()) };
  const startedAt = performance.now();
  const result = await work();
  return {
    result,
    tookSeconds: (performance.now() - startedAt) / 1000,
    programMs: processorTimeOf(world.program.pid) - before.program,
    postgresMs: processorTimeOf(world.postgresPid()) - before.postgres,
  };
}

async function pagesOf(sides: Side[]): Promise<Map<Side, number>> {
  // PostgreSQL's processes tell what they counted at most once a second.
  await pause(1500);
  const pages = new Map<Side, number>();
  for (const side of sides) {
    const { rows } = await side.world.database.query<{ pages: string }>(
      'select blks_hit + blks_read as pages from pg_stat_database where datname = current_database()',
    );
    pages.set(side, Number(rows[0]!.pages));
  }
  return pages;
}

function evenly(world: BenchWorld, perSecond: number, name = 'all'): Stream {
  const { accounts } = world;
  // A prime, so that neighbours in time are not neighbours in the tables.
  return {
    name,
    perSecond,
    matchShare: MATCH_SHARE,
    accountOf: (number) => accounts[(number * 7919) % accounts.length]!,
  };
}

async function tell(name: string, sizesAre: string, measured: Measured[]): Promise<void> {
  const seriesOf = (series: string, of: (one: Measured) => number) => ({ name: series, values: measured.map(of) });
  const plot = linePanels({
    title: `Against ${sizesAre}`,
    sizes: measured.map(({ size }) => size.toLocaleString('en')),
    sizesAre,
    panels: [
      {
        title: 'Processor time of a comment',
        unit: 'ms, at full speed',
        series: [seriesOf('PostgreSQL', (one) => one.postgresMs), seriesOf('program', (one) => one.programMs)],
      },
      { title: 'Worked off', unit: 'comments a second', series: [seriesOf('comments', (one) => one.perSecond)] },
      {
        title: `Delay at ${rate} comments a second`,
        unit: 'ms, 99 of 100 are quicker',
        series: [
          seriesOf('comment to Graph call', (one) => one.sendP99Ms),
          seriesOf('acknowledged', (one) => one.ackP99Ms),
        ],
      },
      {
        title: 'While nobody comments',
        unit: 'ms of processor time a second',
        series: [seriesOf('program and PostgreSQL', (one) => one.idleMs)],
      },
    ],
  });
  await writeFile(join(out, `growth-${name}.svg`), plot);
  const [first, last] = [measured[0]!, measured.at(-1)!];
  const more = 100 * ((last.programMs + last.postgresMs) / (first.programMs + first.postgresMs) - 1);
  console.log(
    `  from ${first.size} to ${last.size} ${sizesAre}: ${more >= 0 ? '+' : ''}${more.toFixed(1)} % a comment`,
  );
}

/** One viral connection beside many quiet ones; and the same load spread evenly, which tells unfairness from load. */
async function fairness(): Promise<void> {
  await using worlds = new AsyncDisposableStack();
  console.log(`\n${SIZES.fairness.toLocaleString('en')} connections, one of them viral: starting`);
  const world = await startWorld({ connections: SIZES.fairness, automationsEach: 1 });
  worlds.defer(() => world.stop());
  await spreadDuties(world);
  const [viral, ...others] = world.accounts;
  const quiet: Stream = {
    name: 'quiet',
    perSecond: rate / 10,
    matchShare: 1,
    accountOf: (number) => others[(number * 7919) % others.length]!,
  };
  const loud = (accountOf: Stream['accountOf']): Stream => ({
    name: 'loud',
    perSecond: rate,
    matchShare: 1,
    accountOf,
  });
  await measureThroughput(world, { seconds: Math.min(8, seconds), matchShare: MATCH_SHARE });
  const cases: [name: string, streams: Stream[]][] = [
    [`${shown(quiet.perSecond)}/s on quiet connections alone`, [quiet]],
    [`and ${rate}/s spread over all`, [quiet, loud(evenly(world, rate).accountOf)]],
    [`and ${rate}/s on one viral connection`, [quiet, loud(() => viral!)]],
  ];
  const rows: { name: string; values: number[] }[] = [];
  for (const [name, streams] of cases) {
    const times = (await runStreams(world, streams, seconds)).get('quiet')!;
    rows.push({ name, values: [times.sendP50Ms, times.sendP99Ms] });
    console.log(`  ${name}: quiet ones sent after p50 ${shown(times.sendP50Ms)} ms, p99 ${shown(times.sendP99Ms)} ms`);
  }
  const title = `Delay of quiet connections beside a viral one, ${world.accounts.length.toLocaleString('en')} connections`;
  await writeFile(join(out, 'growth-fairness.svg'), dotRows({ title, unit: 'ms', sizes: ['p50', 'p99'], rows }));
}

const SLOWEST_SHOWN = 24;

async function lists(): Promise<void> {
  const bySize: ListTime[][] = [];
  for (const people of SIZES.contacts) {
    bySize.push(await measureLists({ people, interactions: people * 10, posts: 3000 }, { calls: quick ? 10 : 40 }));
  }
  const rows = bySize
    .at(-1)!
    .map(({ name }) => ({ name, values: bySize.map((of) => of.find((one) => one.name === name)?.p95Ms ?? null) }))
    .sort((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  await writeFile(
    join(out, 'growth-lists.svg'),
    dotRows({
      title: `The ${SLOWEST_SHOWN} slowest of ${rows.length} lists, searches and figures, p95 at the server`,
      unit: 'ms',
      sizes: SIZES.contacts.map((people) => `${people.toLocaleString('en')} contacts`),
      limit: { at: 100, says: '100 ms' },
      rows: rows.slice(0, SLOWEST_SHOWN),
    }),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
