import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/longest-first.ts';

export default defineConfig({
  test: {
    include: ['{contract,server,simulators,web,widgets,scripts,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/db/testing/global-setup.ts', 'server/testing/nats-setup.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Costs nothing where it comes true at once; a machine that is busy with other tests is slow, not wrong.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    sequence: {
      sequencer: longestFirst([
        'http/attacks.security.test.ts',
        'recipe-imports/killed.test.ts',
        'http/quotas.test.ts',
        'http/roles.test.ts',
        'reader-mails/every-answer.test.ts',
        'embedded/supervisor.test.ts',
        'people/login-flood.security.test.ts',
        'connections/connect.test.ts',
        'contacts/contacts.test.ts',
        'scripts/backup.test.ts',
        'engine/fault-table.test.ts',
        'scripts/admin.test.ts',
        'retention/forget-old.test.ts',
        'http/fuzz.test.ts',
        'http/tenancy.test.ts',
      ]),
    },
  },
});
