import { defineConfig } from 'vitest/config';

/** Journeys in a real browser against the real program with the simulator: `npm test`, or `vitest -c vitest.e2e.config.ts`. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // A journey has a server, a database, a simulator and a browser, and waits for them half of its time: two fill two cores.
    maxWorkers: 2,
  },
});
