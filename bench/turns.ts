/** The closed loop in turns: the machine's speed changes within minutes, and whatever is compared shall have the same minutes. */
import { memoryOf } from '#server/testing/processes.ts';
import { type Costs, costsOfOne, startCounting } from './costs.ts';
import { measureThroughput, type Throughput, together } from './load.ts';
import { processorTimeOf } from './processor-time.ts';
import type { BenchWorld } from './world.ts';

/** One side of a comparison: a program, by its process and where it listens, and the world it runs in, which two may share. */
export type Side = { name: string; world: BenchWorld; pid: number; url: string };

/** @property restingShare of one processor, taken meanwhile by what belongs to the other sides only */
export type SustainedLoad = Throughput & { costs: Costs; rssMb: number; restingShare: number };

type Slice = { throughput: Throughput; costs: Costs; rssMb: number; restingMs: number; countedMs: number };

/** Rows a program writes after its last message are its own and must not count as the next one's. */
const SETTLE_MS = 500;

/**
 * Every side gets as many slices: A B B A A B B A …; while one is measured the others are idle.
 *
 * @param options.seconds of each side, all its slices together
 */
export async function measureInTurns(
  sides: Side[],
  { seconds, turns, matchShare }: { seconds: number; turns: number; matchShare: number },
): Promise<Map<Side, SustainedLoad>> {
  const slices = new Map(sides.map((side): [Side, Slice[]] => [side, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      const slice = await measureSlice(side, sides, { seconds: seconds / turns, matchShare });
      saySlice(side, slice);
      slices.get(side)!.push(slice);
    }
  }
  return new Map([...slices].map(([side, its]) => [side, sustained(its)]));
}

async function measureSlice(
  side: Side,
  sides: Side[],
  options: { seconds: number; matchShare: number },
): Promise<Slice> {
  const own = processesOf(side);
  const others = new Set(sides.flatMap(processesOf).filter((pid) => !own.includes(pid)));
  const restingSoFar = () => [...others].reduce((sum, pid) => sum + processorTimeOf(pid), 0);
  const restingBefore = restingSoFar();
  const startedAt = performance.now();
  const costsSince = await startCounting(side.world, side.pid);
  const throughput = await measureThroughput(side.world, { ...options, url: side.url });
  const rssMb = memoryOf(side.pid);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return {
    throughput,
    costs: await costsSince(),
    rssMb,
    restingMs: restingSoFar() - restingBefore,
    countedMs: performance.now() - startedAt,
  };
}

function processesOf({ world, pid }: Side): number[] {
  return [pid, world.postgresPid(), world.simulatorPid];
}

function sustained(slices: Slice[]): SustainedLoad {
  const throughput = together(slices.map((slice) => slice.throughput));
  const sum = (name: 'restingMs' | 'countedMs') => slices.reduce((total, slice) => total + slice[name], 0);
  return {
    ...throughput,
    costs: costsOfOne(
      slices.map((slice) => slice.costs),
      throughput.posted,
    ),
    rssMb: slices.at(-1)!.rssMb,
    restingShare: sum('restingMs') / sum('countedMs'),
  };
}

function saySlice({ name }: Side, { throughput: { eventsPerSecond, quarters, outstanding } }: Slice): void {
  const rates = quarters.map((rate) => rate.toFixed(0)).join(', ');
  console.log(
    `  ${name}: ${eventsPerSecond.toFixed(0)} comments/s; ` +
      `in quarters ${rates} messages/s; without their message after each ${outstanding.join(', ')}`,
  );
}
