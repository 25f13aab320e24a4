/** Whether the simulators stand in for Meta at this start: not by default over the data of a real install. */
import type { Clock } from '#server/clock.ts';
import { type Config, withoutSimulators } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { endDemo } from '#server/features/people/demo.ts';

/**
 * Remembers a start with a real Meta app. After one the simulators need `SIMULATORS=on` spelled out, and a start without them
 * ends what was begun as the demo creator. Needs the migrated database.
 *
 * @returns the settings to go on with
 */
export async function settleSimulators(
  { db, clock, say }: { db: Database; clock: Clock; say: (line: string) => void },
  config: Config,
): Promise<Config> {
  if (!config.simulators && (config.meta.appId ?? config.meta.instagramAppId) !== null) {
    await db.engine
      .insertInto('real_meta')
      .values({ first_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const isOn = config.simulators && (config.simulatorsChosen || !(await wasReal(db)));
  if (isOn) return config;
  await endDemo(db);
  if (!config.simulators) return config;
  say(
    'This database was used with a real Meta app, so the simulators stay off. To have them all the same: SIMULATORS=on',
  );
  return withoutSimulators(config);
}

async function wasReal({ engine }: Database): Promise<boolean> {
  return (await engine.selectFrom('real_meta').select('first_at').executeTakeFirst()) !== undefined;
}
