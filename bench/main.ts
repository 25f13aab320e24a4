/**
 * `npm run bench`: signed comment webhooks in a closed loop against the real program, the simulator and a real
 * PostgreSQL, all on this machine. Compared versions are measured in turns (turns.ts). Not part of the tests; Linux only, for
 * it reads /proc. See docs/benchmarks.md.
 *
 *   --seconds 60       measured seconds of each that is compared, all its slices together
 *   --turns 4          slices of each; what is measured alone has one of full length
 *   --connections 100  connected accounts
 *   --automations 10   automations of each account
 *   --history 1000000  past interactions of the second world; 0 leaves it out
 *   --match 0.5        share of the comments that match
 *   --latency-rate N   comments a second while acknowledgements are timed; half of the rate reached when left out
 *   --idle 300         comments, one at a time, for the delay while nothing else goes on; 0 leaves it out
 *   --floor            also the least that a durable program must do (floor.ts), in turns with ours
 *   --json             one line of JSON, last
 *   --only email       mails to readers and their lists instead: see emails.ts
 *   --only joined      comments of people with contacts beside people without: see joined.ts
 */
import { parseArgs } from 'node:util';
import { measureIdle, measureLatency, measureThroughput } from './load.ts';
import { measureInTurns, type Side, type SustainedLoad } from './turns.ts';
import { type BenchWorld, startWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    turns: { type: 'string', default: '4' },
    connections: { type: 'string', default: '100' },
    automations: { type: 'string', default: '10' },
    history: { type: 'string', default: '1000000' },
    match: { type: 'string', default: '0.5' },
    'latency-rate': { type: 'string' },
    idle: { type: 'string', default: '300' },
    floor: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    part: { type: 'string' },
  },
});
if (values.only !== undefined) {
  const parts: Record<string, () => Promise<unknown>> = {
    email: () => import('./emails.ts'),
    joined: () => import('./joined.ts'),
  };
  const part = parts[values.only];
  if (part === undefined) throw new Error(`--only knows ${Object.keys(parts).join(' and ')}.`);
  await part();
  process.exit();
}
const seconds = Number(values.seconds);
const matchShare = Number(values.match);
const history = Number(values.history);
const idleComments = Number(values.idle);

await using worlds = new AsyncDisposableStack();
const emptySide = programIn(await newWorld(), 'empty tables');
const floorSide = values.floor ? await floorBeside(emptySide.world) : null;
const fullSide = history > 0 ? await programWithHistory() : null;
const sides = [floorSide, emptySide, fullSide].filter((side) => side !== null);

const idle = new Map<Side, Idle>();
for (const side of sides) {
  await warmUp(side);
  if (side === floorSide || idleComments === 0) continue;
  await side.world.settleDisk();
  idle.set(side, await measureIdle(side.world, { comments: idleComments }));
}
const turns = sides.length > 1 ? Number(values.turns) : 1;
console.log(`\n${sides.length > 1 ? `In turns, ${turns} slices for each` : 'One slice'} of ${seconds / turns} s`);
const loads = await measureInTurns(sides, { seconds, turns, matchShare });

const floor = floorSide && loads.get(floorSide)!;
if (floor !== null) sayLoad('the floor', floor);
const empty = await withDelays(emptySide);
const full = fullSide && (await withDelays(fullSide));

if (full !== null) compare([emptySide.name, empty], [fullSide!.name, full]);
const ratio = floor && empty.eventsPerSecond / floor.eventsPerSecond;
if (floor !== null) {
  compare(['the floor', floor], ['ours', empty]);
  console.log(`  ours reaches ${ratio!.toFixed(2)} of the floor's rate`);
}
const { machine } = emptySide.world;
console.log(`Machine: ${machine}`);
if (values.json) {
  console.log(
    JSON.stringify({ ...empty, ...(full && { withHistory: full }), ...(floor && { floor, ratio }), machine }),
  );
}

type Idle = Awaited<ReturnType<typeof measureIdle>>;

type Measured = SustainedLoad & {
  ackP50Ms: number;
  ackP99Ms: number;
  sendP50Ms: number | null;
  sendP99Ms: number | null;
  stolenShare: number;
  slowestWriteMs: number | null;
  latencyRate: number;
  idleP50Ms: number | null;
  idleP99Ms: number | null;
};

async function newWorld(past = 0): Promise<BenchWorld> {
  const size = { connections: Number(values.connections), automationsEach: Number(values.automations) };
  const world = await startWorld(size, past);
  worlds.defer(() => world.stop());
  return world;
}

function programIn(world: BenchWorld, name: string): Side {
  return { name, world, pid: world.program.pid, url: world.url };
}

async function programWithHistory(): Promise<Side> {
  return programIn(await newWorld(history), `${history.toLocaleString('en')} past interactions`);
}

async function floorBeside(world: BenchWorld): Promise<Side> {
  return { name: 'the floor', world, ...(await world.startFloor()) };
}

/** Compiled code, prepared statements, caches. */
async function warmUp({ world, url }: Side): Promise<void> {
  await measureThroughput(world, { seconds: Math.min(5, seconds), matchShare, url });
}

/** After the closed loop, for acknowledgements are timed at half of the rate that was reached in it. */
async function withDelays(side: Side): Promise<Measured> {
  const load = loads.get(side)!;
  const latencyRate = Number(values['latency-rate'] ?? Math.round(load.eventsPerSecond / 2));
  await side.world.settleDisk();
  const latency = await measureLatency(side.world, {
    seconds,
    perSecond: latencyRate,
    matchShare,
  });
  const { idleP50Ms, idleP99Ms } = idle.get(side) ?? { idleP50Ms: null, idleP99Ms: null };
  sayLoad(side.name, load);
  console.log(
    `  at ${latencyRate} comments/s: acknowledged p50 ${ms(latency.ackP50Ms)}, p99 ${ms(latency.ackP99Ms)}; ` +
      `the host took ${(100 * latency.stolenShare).toFixed(1)} % of the processors, the disk up to ${ms(latency.slowestWriteMs)} for a write`,
  );
  if (latency.sendP50Ms !== null)
    console.log(`  comment to Graph call p50 ${ms(latency.sendP50Ms)}, p99 ${ms(latency.sendP99Ms)}`);
  if (idleP50Ms !== null) console.log(`  the same while idle: p50 ${ms(idleP50Ms)}, p99 ${ms(idleP99Ms)}`);
  console.log(`  memory of the program ${load.rssMb} MB`);
  return { ...load, ...latency, latencyRate, idleP50Ms, idleP99Ms };
}

function sayLoad(name: string, { eventsPerSecond, sentPerSecond, costs, restingShare }: SustainedLoad): void {
  console.log(`\n${name}`);
  console.log(`  ${eventsPerSecond.toFixed(0)} comments/s worked off, ${sentPerSecond.toFixed(0)} messages/s sent`);
  const { programMs, postgresMs, generatorMs, simulatorMs, walBytes, commits } = costs;
  console.log(
    `  processor time of one comment: program ${us(programMs)}, PostgreSQL ${us(postgresMs)}, generator ${us(generatorMs)}, simulator ${us(simulatorMs)}`,
  );
  console.log(`  of one comment: ${walBytes.toFixed(0)} bytes to the log, ${commits.toFixed(3)} commits`);
  if (sides.length > 1)
    console.log(`  what rested meanwhile took ${(100 * restingShare).toFixed(1)} % of one processor`);
}

type Named = [name: string, load: SustainedLoad];

function compare([oneName, one]: Named, [otherName, other]: Named): void {
  const own = ({ costs }: SustainedLoad) => costs.programMs + costs.postgresMs;
  console.log(`\n${otherName}, beside ${oneName}`);
  console.log(
    `  ${other.eventsPerSecond.toFixed(0)} comments/s instead of ${one.eventsPerSecond.toFixed(0)}: ${change(one.eventsPerSecond, other.eventsPerSecond, ['slower', 'quicker'])}`,
  );
  console.log(
    `  processor time of program and PostgreSQL ${us(own(other))} instead of ${us(own(one))}: ${change(own(one), own(other), ['less', 'more'])}`,
  );
  console.log(
    `  the generator's, which says whether the machine was equal: ${us(other.costs.generatorMs)} and ${us(one.costs.generatorMs)}`,
  );
}

function change(from: number, to: number, [down, up]: [string, string]): string {
  return `${Math.abs(100 * (to / from - 1)).toFixed(1)} % ${to < from ? down : up}`;
}

function us(valueMs: number): string {
  return `${(valueMs * 1000).toFixed(0)} µs`;
}

function ms(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(1)} ms`;
}
