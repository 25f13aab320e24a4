/** The person behind the demo's door. Their connected accounts, posts and comments are seeded with the simulator. */

import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { startCreator } from '#server/features/creators/creators.ts';

type Deps = { db: Database; clock: Clock; ids: Ids };

export const DEMO = { email: 'demo@creator-hq.test', name: 'Demo Creator', handle: 'thegoldenspoon' };
/** Of the demo creator's team; nobody logs in as they. */
export const DEMO_MATE = { email: 'noor@creator-hq.test', name: 'Noor Haddad' };

/** For a start without simulators: nobody stays in as the demo person, or comes back by a password or a token. */
export async function endDemo({ engine }: Database): Promise<void> {
  const demo = await engine.selectFrom('users').select('id').where('email', '=', DEMO.email).executeTakeFirst();
  if (demo === undefined) return;
  for (const table of ['sessions', 'credentials', 'api_tokens', 'emailed_links'] as const)
    await engine.deleteFrom(table).where('user_id', '=', demo.id).execute();
  await engine.deleteFrom('api_keys').where('created_by', '=', demo.id).execute();
}

/** Creates a person of the demo unless they are there; they have no password. @returns their id */
export async function ensureDemoPerson(
  { db, clock, ids }: Deps,
  { email, name }: { email: string; name: string },
): Promise<string> {
  const now = clock.now();
  await db.engine
    .insertInto('users')
    .values({ id: ids.uuid(now), name, email, email_verified: true, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const user = await db.engine.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return user.id;
}

/** Creates the demo person and their creator unless they are there. Call it with simulators only. */
export async function ensureDemoPeople(deps: Deps): Promise<{ userId: string; creatorId: string }> {
  const userId = await ensureDemoPerson(deps, DEMO);
  return deps.db.engine.transaction().execute(async (trx) => {
    // Locked: several processes may start at once.
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const membership = await trx
      .selectFrom('memberships')
      .select('creator_id')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .executeTakeFirst();
    const creatorId =
      membership?.creator_id ?? (await startCreator(trx, deps, { handle: DEMO.handle, ownerId: userId }));
    return { userId, creatorId };
  });
}
