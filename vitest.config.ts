import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,simulators,web,widgets,scripts,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/db/testing/global-setup.ts', 'server/testing/nats-setup.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
