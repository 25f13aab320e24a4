import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/longest-first.ts';

/** Journeys in a real browser against the real program with the simulator: `npm test`, or `vitest -c vitest.e2e.config.ts`. */
export default defineConfig({
  test: {
    expect: { poll: { timeout: 20_000 } },
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    setupFiles: ['scripts/test-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // A journey has a server, a database, a simulator and a browser, and waits for them half of its time: two fill two cores.
    maxWorkers: 2,
    sequence: {
      // Those that break whole worlds want the machine most: a journey in the browser stands between them.
      sequencer: longestFirst([
        'cluster.e2e.ts',
        'every-screen-desktop.e2e.ts',
        'every-screen-phone.e2e.ts',
        'crash.e2e.ts',
        'routes.e2e.ts',
        'chaos.e2e.ts',
        'accounts.e2e.ts',
        'newsletters.e2e.ts',
        'app-links.e2e.ts',
        'paying.e2e.ts',
        'stories-and-lives.e2e.ts',
        'conversation.e2e.ts',
        'prepared.e2e.ts',
        'contacts.e2e.ts',
        'recipes.e2e.ts',
        'shops.e2e.ts',
        'whole-blog.e2e.ts',
        'ingredient-words.e2e.ts',
        'recipe-to-cart.e2e.ts',
        'shoppable.e2e.ts',
        'people.e2e.ts',
        'viral-hour.e2e.ts',
      ]),
    },
  },
});
