/** Rows of the busiest tables have no foreign key to their creator: nothing of theirs may stay all the same. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const WITHOUT_KEY = ['interactions', 'deliveries', 'answered_people', 'people', 'outcome_deltas'] as const;

/** One comment that waits, and what happens next to its creator. */
type Work = (database: Database, creatorId: string, connectionId: string, waiting: string) => Promise<unknown>;

const works: [string, Work][] = [
  [
    'a comment comes',
    async (database, creatorId, connectionId) => {
      const commentId = await insertInteraction(database, creatorId, connectionId, { post_id: 'post-1' });
      await database.engine
        .insertInto('answered_people')
        .values({
          creator_id: creatorId,
          automation_id: randomUUID(),
          person_id: 'person-1',
          interaction_id: commentId,
          answered_at: new Date(),
        })
        .execute();
    },
  ],
  [
    'they write to somebody by hand',
    (database, creatorId, connectionId) =>
      database.engine
        .insertInto('own_messages')
        .values({
          creator_id: creatorId,
          connection_id: connectionId,
          platform_id: 'message-1',
          person_id: 'person-2',
          sent_at: new Date(),
        })
        .execute(),
  ],
  [
    'they take somebody over',
    (database, creatorId, connectionId) =>
      database.engine
        .insertInto('people')
        .values({ creator_id: creatorId, connection_id: connectionId, id: 'person-3', first_seen_at: new Date() })
        .execute(),
  ],
  [
    'the outcome of a comment changes',
    (database, _creatorId, _connectionId, waiting) =>
      database.engine
        .updateTable('interactions')
        .set({ outcome: 'replied', reason: 'sent' })
        .where('id', '=', waiting)
        .execute(),
  ],
];

test.each(works)('a creator deleted while %s leaves nothing', async (_what, work) => {
  const creatorId = randomUUID();
  await db.engine
    .insertInto('creators')
    .values({ id: creatorId, handle: `c${creatorId.slice(0, 8)}` })
    .execute();
  const connectionId = await insertConnection(db, creatorId);
  const waiting = await insertInteraction(db, creatorId, connectionId, {
    post_id: 'post-1',
    outcome: 'waiting',
    reason: 'queued',
  });
  const trx = await db.engine.startTransaction().execute();
  await work({ ...db, engine: trx }, creatorId, connectionId, waiting);
  const deleting = db.engine.deleteFrom('creators').where('id', '=', creatorId).execute();
  await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), { timeout: 10_000 });
  await trx.commit().execute();
  await deleting;
  for (const table of WITHOUT_KEY) {
    const left = await db.engine.selectFrom(table).select('creator_id').where('creator_id', '=', creatorId).execute();
    expect({ table, left }).toEqual({ table, left: [] });
  }
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await db.enginePool.query<{ count: number }>(
    `select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
     where datname = current_database() and not granted`,
  );
  return rows[0]!.count;
}
