/** A worker of imports alone, which a test kills. Turns of hosts cost no time; its clock may be ahead, so that leases have ended. */
import { pino } from 'pino';
import { systemClock, systemIds } from '#server/clock.ts';
import { connectDatabase } from '#server/db/database.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { importRecipes } from '../importing.ts';

let aheadMs = Number(process.env.AHEAD_MS);
const db = connectDatabase({ connectionString: process.env.DATABASE!, poolSizes: { app: 2, engine: 2 } });
const deps = {
  ...{
    db,
    ids: systemIds,
    config: { baseUrl: 'https://hq.example.test' },
    log: pino({ level: 'error' }, pino.destination(2)),
  },
  clock: { ...systemClock, now: () => new Date(Date.now() + aheadMs), sleep: async () => {} },
  fetching: createGuardedFetch({ isAllowed: (address) => address === '127.0.0.1' }),
  live: { publish: () => {} },
};
// What failed waits for its next try, an hour at most, so the clock goes there before nothing is left to do.
for (let idle = 0; idle < 361; ) {
  if ((await runDue([importRecipes], deps)) > 0) idle = 0;
  else {
    idle++;
    aheadMs += 10_000;
  }
}
process.exit();
