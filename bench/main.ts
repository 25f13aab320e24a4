/**
 * `npm run bench`: signed comment webhooks in a closed loop against the real program, the simulator and a real
 * PostgreSQL, all on this machine. Not part of the tests. See docs/benchmarks.md.
 *
 *   --seconds 60       length of each measured run
 *   --connections 100  connected accounts, with 10 automations each
 *   --history 1000000  past interactions for the second run; 0 leaves it out
 *   --match 0.5        share of the comments that match
 *   --json             one line of JSON, last
 */
import { parseArgs } from 'node:util';
import { memoryOf } from '#server/testing/processes.ts';
import { measureLatency, measureThroughput } from './load.ts';
import { type BenchWorld, startWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '100' },
    automations: { type: 'string', default: '10' },
    history: { type: 'string', default: '1000000' },
    match: { type: 'string', default: '0.5' },
    'latency-rate': { type: 'string', default: '500' },
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
  const empty = await measureAll(world, 'with empty tables');
  let full: Measured | null = null;
  if (history > 0) {
    console.log(`Writing ${history.toLocaleString('en')} past interactions…`);
    await world.addHistory(history);
    full = await measureAll(world, `with ${history.toLocaleString('en')} past interactions`);
    const slower = 100 * (1 - full.eventsPerSecond / empty.eventsPerSecond);
    console.log(`A million past interactions cost ${slower.toFixed(1)} % of the rate.`);
  }
  console.log(`Machine: ${world.machine}`);
  if (values.json) {
    console.log(JSON.stringify({ ...empty, ...(full && { withHistory: full }), machine: world.machine }));
  }
} finally {
  await world.stop();
}

type Measured = {
  eventsPerSecond: number;
  sentPerSecond: number;
  ackP50Ms: number;
  ackP99Ms: number;
  sendP50Ms: number | null;
  sendP99Ms: number | null;
  rssMb: number;
};

async function measureAll(world: BenchWorld, name: string): Promise<Measured> {
  console.log(`\n${name}`);
  // Warm: compiled code, prepared statements, caches.
  await measureThroughput(world, { seconds: Math.min(5, seconds), matchShare });
  const latency = await measureLatency(world, {
    seconds: Math.min(20, seconds),
    perSecond: Number(values['latency-rate']),
    matchShare,
  });
  const throughput = await measureThroughput(world, { seconds, matchShare });
  const rssMb = memoryOf(world.program.pid);
  const measured = { ...throughput, ...latency, rssMb };
  console.log(
    `  ${measured.eventsPerSecond.toFixed(0)} comments/s worked off, ${measured.sentPerSecond.toFixed(0)} messages/s sent`,
  );
  console.log(
    `  at ${values['latency-rate']} comments/s: acknowledged p50 ${ms(measured.ackP50Ms)}, p99 ${ms(measured.ackP99Ms)}`,
  );
  if (measured.sendP50Ms !== null)
    console.log(`  comment to Graph call p50 ${ms(measured.sendP50Ms)}, p99 ${ms(measured.sendP99Ms)}`);
  console.log(`  memory of the program ${measured.rssMb} MB`);
  return measured;
}

function ms(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(1)} ms`;
}
