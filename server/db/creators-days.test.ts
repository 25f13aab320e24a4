import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { createDatabaseBefore, dropDatabase } from './testing/test-database.ts';

const CREATOR = '01890000-0000-7000-8000-000000000001';
const AUTOMATION = '01890000-0000-7000-8000-000000000002';

test('an upgrade counts whom a keyword matched, answered or not, by post and by day of the post', async () => {
  const database = await createDatabaseBefore(53);
  const client = new pg.Client({ connectionString: database.connectionString });
  try {
    await client.connect();
    await client.query(`
      set session_replication_role = replica;
      insert into creators (id, handle) values ('${CREATOR}', 'anna');
      insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, person_id, occurred_at, received_at,
        outcome, reason, automation_id, outcome_at)
      select '${CREATOR}', gen_random_uuid(), '${CREATOR}', 'comment', id, 'soup', id, at, at, outcome, reason,
        automation_id::uuid, at
      from (values ('1', 'replied', 'sent', '${AUTOMATION}'), ('2', 'skipped', 'blocked', '${AUTOMATION}'),
        ('3', 'skipped', 'no_match', null), ('4', 'replied', 'answered_by_you', null)
      ) as rows (id, outcome, reason, automation_id), (select timestamptz '2026-11-21T23:59:00Z' as at) as times;
      insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
      select '${CREATOR}', counted_by, id, outcome, reason, 1
      from (values ('replied', 'sent'), ('skipped', 'blocked'), ('skipped', 'no_match')) as rows (outcome, reason),
        (values ('post', 'soup'), ('post_day', 'soup 2026-11-21')) as keys (counted_by, id);
      insert into outcome_deltas (creator_id, post_id, day, received_on, counted, reason, change)
      values ('${CREATOR}', 'soup', '2026-11-21', '2026-11-21', 'replied', 'answered_by_you', 1);
      -- Deleted for its age, and still counted.
      update outcome_counts set count = 2 where reason = 'sent';
    `);
    expect(await migrate(database.connectionString)).toContain('0053-creators-days.sql');
    const { rows } = await client.query(`
      select id, sum(count)::int as count from (
        select counted_by || ': ' || counted_id as id, count from outcome_counts where counted = 'matched'
        union all
        select key, change from outcome_deltas,
          unnest(array['post: ' || post_id, 'post_day: ' || counted_on || ' ' || post_id]) as key
        where counted = 'matched'
      ) as both_parts group by 1 order by 1
    `);
    expect(rows).toEqual([
      { id: 'post: soup', count: 3 },
      { id: 'post_day: 2026-11-21 soup', count: 3 },
    ]);
  } finally {
    await client.end();
    await dropDatabase(database.name);
  }
});
