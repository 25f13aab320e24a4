/** The person behind the demo's door. Their connected accounts, posts and comments are seeded with the simulator. */

import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { startCreator } from '#server/features/creators/creators.ts';

export const DEMO = { email: 'demo@creator-hq.test', name: 'Demo Creator', handle: 'thegoldenspoon' };

/** For a start without simulators: nobody stays in as the demo person, or comes back by a password or a token. */
export async function endDemo({ engine }: Database): Promise<void> {
  const demo = await engine.selectFrom('users').select('id').where('email', '=', DEMO.email).executeTakeFirst();
  if (demo === undefined) return;
  for (const table of ['sessions', 'credentials', 'api_tokens', 'emailed_links'] as const)
    await engine.deleteFrom(table).where('user_id', '=', demo.id).execute();
}

/** Creates the demo person and their creator unless they are there. They have no password. Call it with simulators only. */
export async function ensureDemoPeople(deps: {
  db: Database;
  clock: Clock;
  ids: Ids;
}): Promise<{ userId: string; creatorId: string }> {
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute(async (trx) => {
    await trx
      .insertInto('users')
      .values({
        id: deps.ids.uuid(now),
        name: DEMO.name,
        email: DEMO.email,
        email_verified: true,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    // Locked: several processes may start at once.
    const user = await trx
      .selectFrom('users')
      .select('id')
      .where('email', '=', DEMO.email)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const membership = await trx
      .selectFrom('memberships')
      .select('creator_id')
      .where('user_id', '=', user.id)
      .orderBy('created_at')
      .executeTakeFirst();
    const creatorId =
      membership?.creator_id ?? (await startCreator(trx, deps, { handle: DEMO.handle, ownerId: user.id }));
    return { userId: user.id, creatorId };
  });
}
