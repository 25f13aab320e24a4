import { defineConfig } from 'vitest/config';

/** The tests of the rules that `npm run mutation` plants faults in: pure, so that a run over all of them takes a second. */
export default defineConfig({
  test: {
    include: [
      'contract/{agents,matching/{matching,tokens,typos},roles}.test.ts',
      'server/engine/{deciding/{choosing,comments,composing,held-messages,messages,open-conversations,stop-words},conversations/conversation-edges,sending/{lanes,lane-window,results}}.test.ts',
      'server/features/{catch-up/reading-rhythm,connections/renewal-times}.test.ts',
      'server/features/{links/visitors,posts/reconciliation,queue/forecast,team/invite-times}.test.ts',
    ],
    pool: 'forks',
    maxWorkers: 1,
  },
});
