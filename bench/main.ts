/**
 * `npm run bench`: signed comment webhooks in a closed loop against the real program, the simulator and a real
 * PostgreSQL, all on this machine. Not part of the tests; Linux only, for it reads /proc. See docs/benchmarks.md.
 *
 *   --seconds 60       length of each measured run
 *   --connections 100  connected accounts, with 10 automations each
 *   --history 1000000  past interactions for the second run; 0 leaves it out
 *   --match 0.5        share of the comments that match
 *   --latency-rate N   comments a second while acknowledgements are timed; half of the rate reached when left out
 *   --idle 300         comments, one at a time, for the delay while nothing else goes on; 0 leaves it out
 *   --floor            also the least that a durable program must do (floor.ts), in turns with ours
 *   --json             one line of JSON, last
 */
import { parseArgs } from 'node:util';
import { memoryOf } from '#server/testing/processes.ts';
import { type Costs, startCounting } from './costs.ts';
import { measureIdle, measureLatency, measureThroughput, type Throughput } from './load.ts';
import { type BenchWorld, startWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '100' },
    automations: { type: 'string', default: '10' },
    history: { type: 'string', default: '1000000' },
    match: { type: 'string', default: '0.5' },
    'latency-rate': { type: 'string' },
    idle: { type: 'string', default: '300' },
    floor: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const matchShare = Number(values.match);
const history = Number(values.history);

const world = await startWorld({
  connections: Number(values.connections),
  automationsEach: Number(values.automations),
});
try {
  const floor = values.floor ? await measureFloor(world) : null;
  const empty = await measureAll(world, 'with empty tables');
  let full: Measured | null = null;
  if (history > 0) {
    console.log(`Writing ${history.toLocaleString('en')} past interactions…`);
    await world.addHistory(history);
    full = await measureAll(world, `with ${history.toLocaleString('en')} past interactions`);
    const slower = 100 * (1 - full.eventsPerSecond / empty.eventsPerSecond);
    console.log(`A million past interactions cost ${slower.toFixed(1)} % of the rate.`);
  }
  const ratio = floor === null ? null : empty.eventsPerSecond / floor.eventsPerSecond;
  if (ratio !== null) console.log(`\nOurs reaches ${ratio.toFixed(2)} of the floor's rate.`);
  console.log(`Machine: ${world.machine}`);
  if (values.json) {
    console.log(
      JSON.stringify({
        ...empty,
        ...(full && { withHistory: full }),
        ...(floor && { floor, ratio }),
        machine: world.machine,
      }),
    );
  }
} finally {
  await world.stop();
}

type Measured = Throughput & {
  ackP50Ms: number;
  ackP99Ms: number;
  sendP50Ms: number | null;
  sendP99Ms: number | null;
  latencyRate: number;
  idleP50Ms: number | null;
  idleP99Ms: number | null;
  rssMb: number;
  costs: Costs;
};

async function measureAll(world: BenchWorld, name: string): Promise<Measured> {
  console.log(`\n${name}`);
  // Warm: compiled code, prepared statements, caches.
  await measureThroughput(world, { seconds: Math.min(5, seconds), matchShare });
  const idleComments = Number(values.idle);
  const idle = idleComments > 0 ? await measureIdle(world, { comments: idleComments }) : null;
  const costsOf = await startCounting(world, world.program.pid);
  const throughput = await measureThroughput(world, { seconds, matchShare });
  const costs = await costsOf(throughput.posted);
  const rssMb = memoryOf(world.program.pid);
  const latencyRate = Number(values['latency-rate'] ?? Math.round(throughput.eventsPerSecond / 2));
  const latency = await measureLatency(world, { seconds: Math.min(20, seconds), perSecond: latencyRate, matchShare });
  const measured: Measured = {
    ...throughput,
    ...latency,
    latencyRate,
    idleP50Ms: idle?.idleP50Ms ?? null,
    idleP99Ms: idle?.idleP99Ms ?? null,
    rssMb,
    costs,
  };
  sayThroughput(measured, costs);
  console.log(
    `  at ${latencyRate} comments/s: acknowledged p50 ${ms(measured.ackP50Ms)}, p99 ${ms(measured.ackP99Ms)}`,
  );
  if (measured.sendP50Ms !== null)
    console.log(`  comment to Graph call p50 ${ms(measured.sendP50Ms)}, p99 ${ms(measured.sendP99Ms)}`);
  if (idle !== null) console.log(`  the same while idle: p50 ${ms(idle.idleP50Ms)}, p99 ${ms(idle.idleP99Ms)}`);
  console.log(`  memory of the program ${measured.rssMb} MB`);
  return measured;
}

async function measureFloor(world: BenchWorld): Promise<Throughput & { costs: Costs }> {
  console.log('\nthe floor');
  const { url, process: floor } = await world.startFloor();
  try {
    await measureThroughput(world, { seconds: Math.min(5, seconds), matchShare, url });
    const costsOf = await startCounting(world, floor.pid);
    const throughput = await measureThroughput(world, { seconds, matchShare, url });
    const costs = await costsOf(throughput.posted);
    sayThroughput(throughput, costs);
    return { ...throughput, costs };
  } finally {
    await floor.stop();
    await world.database.query('drop table floor_events');
  }
}

function sayThroughput(throughput: Throughput, costs: Costs): void {
  const { eventsPerSecond, sentPerSecond, quarters, outstanding } = throughput;
  console.log(`  ${eventsPerSecond.toFixed(0)} comments/s worked off, ${sentPerSecond.toFixed(0)} messages/s sent`);
  console.log(`  in quarters: ${quarters.map((rate) => rate.toFixed(0)).join(', ')} messages/s`);
  console.log(`  without their message after each: ${outstanding.join(', ')}`);
  const { programMs, postgresMs, generatorMs, simulatorMs, walBytes, commits } = costs;
  console.log(
    `  processor time of one comment: program ${us(programMs)}, PostgreSQL ${us(postgresMs)}, generator ${us(generatorMs)}, simulator ${us(simulatorMs)}`,
  );
  console.log(`  of one comment: ${walBytes.toFixed(0)} bytes to the log, ${commits.toFixed(3)} commits`);
}

function us(valueMs: number): string {
  return `${(valueMs * 1000).toFixed(0)} µs`;
}

function ms(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(1)} ms`;
}
