/** A Vitest reporter: the files whose tests took longest, as lines for `scripts/check.ts` to show. */
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** One of its lines: the seconds, and the file's path. */
export const SLOW_FILE = /^SLOW FILE ([\d.]+) (.+)$/gm;
export const SLOWEST_SHOWN = 10;

/** Everything a worker did for a file: reading what it imports, setting up, tests, tidying up. */
function secondsOf(module: TestModule): number {
  const spent = module.diagnostic();
  return (spent.environmentSetupDuration + spent.collectDuration + spent.setupDuration + spent.duration) / 1000;
}

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      seconds: secondsOf(module),
      name: path.relative(process.cwd(), module.moduleId),
    }));
    for (const { seconds, name } of files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)) {
      console.log(`SLOW FILE ${seconds.toFixed(1)} ${name}`);
    }
  }
}
