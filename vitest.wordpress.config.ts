import { defineConfig } from 'vitest/config';

/** The plugin in a real WordPress: `npm test`, or `vitest --config vitest.wordpress.config.ts`. */
export default defineConfig({
  test: {
    include: ['wordpress-plugin/tests/**/*.test.ts'],
    globalSetup: ['server/db/testing/global-setup.ts', 'wordpress-plugin/tests/global-setup.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
