import pg from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { migrate } from '#server/db/migrate.ts';
import { createDatabaseBefore, dropDatabase } from '#server/db/testing/test-database.ts';
import { createLinkFinder } from './find-link.ts';

const CREATOR = '01890000-0000-7000-8000-000000000001';
const LINKS = 100_000;

test('100,000 links of an install of before lead where they led', { timeout: 120_000 }, async () => {
  // When links belonged to automations alone.
  const database = await createDatabaseBefore(57);
  const client = new pg.Client({ connectionString: database.connectionString });
  try {
    await client.connect();
    await client.query(`
      set session_replication_role = replica;
      insert into creators (id, handle) values ('${CREATOR}', 'anna');
      insert into links (creator_id, id, automation_id, code, url, created_at)
      select '${CREATOR}', gen_random_uuid(), gen_random_uuid(), 'c' || lpad(n::text, 6, '0'),
        'https://blog.example/' || n || '?from=dm#card', now()
      from generate_series(1, ${LINKS}) as n;
      reset session_replication_role;
    `);
    await migrate(database.connectionString);
    const find = createLinkFinder({ db: { enginePool: client }, clock: systemClock, config: {} } as never);
    const numbers = Array.from({ length: LINKS }, (_, at) => at + 1);
    const found = await Promise.all(numbers.map((n) => find(`c${String(n).padStart(6, '0')}`, '127.0.0.1', null)));
    const wrong = numbers.filter(
      (n, at) => (found[at] as { url: string }).url !== `https://blog.example/${n}?from=dm#card`,
    );
    expect(wrong).toEqual([]);
  } finally {
    await client.end();
    await dropDatabase(database.name);
  }
});
