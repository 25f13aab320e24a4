/** What segments and pages of contacts read of one creator's 100,000 contacts and a million people, by PostgreSQL's own count. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { systemClock, systemIds } from '#server/clock.ts';
import { connectDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { list } from '#server/features/contacts/contacts.ts';
import { fillContacts, readBySegment, usualSegments } from '#server/features/contacts/testing/many-contacts.ts';
import { fillQuickly, inPortions } from './bulk-fill.ts';
import { percentile } from './load.ts';

const CONTACTS = 100_000;
const PEOPLE = 1_000_000;
const CALLS = 9;
const [SEGMENT_BLOCKS, PAGE_BLOCKS] = [10_000, 300];
const [FORMS, SITE] = [[systemIds.uuid(new Date()), systemIds.uuid(new Date())], systemIds.uuid(new Date())] as const;

/** @param say gets a line of each segment and page, and whether it reads as little as it should */
export async function measureReaders(say: (line: string, isMet: boolean) => void): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
  cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
  // Its own reading would be counted.
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {}, settings: { autovacuum: 'off' } });
  cleanUp.defer(() => postgres.stop());
  await migrate(postgres.connectionString);
  const owner = new pg.Client({ connectionString: postgres.connectionString });
  await owner.connect();
  cleanUp.defer(() => owner.end());
  const db = connectDatabase({ connectionString: postgres.loginString });
  cleanUp.defer(() => db.close());
  const creatorId = await fill(owner);
  for (const segment of await usualSegments(owner, { creatorId, form: FORMS[0]!, site: SITE })) {
    const read = [];
    for (let call = 0; call < CALLS; call++) read.push(await readBySegment(db, creatorId, segment));
    const { blocks } = read.at(-1)!;
    const ms = percentile(
      read.map((one) => one.ms),
      0.5,
    );
    say(`${blocks} blocks, ${ms.toFixed(0)} ms: segment ${segment}`, blocks <= SEGMENT_BLOCKS);
  }
  await measurePages(db, creatorId, say);
}

async function measurePages(db: Database, creatorId: string, say: (line: string, isMet: boolean) => void) {
  const { rows } = await sql<{ at: string; id: string }>`
    select last_seen_at::text as at, id::text from contacts where creator_id = ${creatorId} and email = '50000@example.com'
  `.execute(db.engine);
  const after = Buffer.from(JSON.stringify([rows[0]!.at, rows[0]!.id])).toString('base64url');
  for (const [name, query] of Object.entries({
    first: {},
    'in the middle': { after },
    followers: { filter: 'followers' },
    'with email': { filter: 'with_email' },
    'from the blog': { filter: 'from_blog' },
    confirmed: { filter: 'newsletter_confirmed' },
  } satisfies Record<string, Parameters<typeof list>[3]>)) {
    const read = async () => {
      const before = await blocksRead(db);
      await db.withCreator(creatorId, async (trx) => {
        await list({ clock: systemClock }, trx, creatorId, query);
        await sql`select pg_stat_force_next_flush()`.execute(trx);
      });
      for (;;) {
        const now = await blocksRead(db);
        if (now > before) return now - before;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await read();
    const blocks = await read();
    say(`${blocks} blocks: page of contacts, ${name}`, blocks <= PAGE_BLOCKS);
  }
}

async function fill(owner: pg.Client): Promise<string> {
  console.log(`\nWriting ${CONTACTS.toLocaleString('en')} contacts and ${PEOPLE.toLocaleString('en')} people…`);
  const [creatorId, connectionId] = [systemIds.uuid(new Date()), systemIds.uuid(new Date())];
  await owner.query(`insert into creators (id, handle) values ($1, 'bench')`, [creatorId]);
  await owner.query(
    `insert into connections (creator_id, id, platform, account_id, username, connected_at)
     values ($1, $2, 'instagram', '1784', 'bench', now())`,
    [creatorId, connectionId],
  );
  const tables = ['contacts', 'contact_tags', 'saved_recipes', 'submissions', 'people'];
  await fillQuickly(owner, tables, async () => {
    await fillContacts(owner, { creatorId, count: CONTACTS, forms: [...FORMS], site: SITE });
    // Every tenth contact has an account, too.
    await inPortions(1, PEOPLE, (from, to) =>
      owner.query(
        `insert into people (creator_id, connection_id, id, username, follows, first_seen_at, last_seen_at, contact_id)
         select $1, $2, 'p' || n, 'ana' || n, n % 3 = 0, now(), now() - n * interval '1 minute',
           case when n % 10 = 0 and n <= ${CONTACTS} then md5(n::text)::uuid end from generate_series(${from}, ${to}) as n`,
        [creatorId, connectionId],
      ),
    );
    await owner.query(`update contacts set has_people = true where id in (select contact_id from people)`);
  });
  return creatorId;
}

/** Of tables and indexes, that were looked at so far. */
async function blocksRead(db: Database): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0))::bigint as blocks
    from pg_statio_user_tables`.execute(db.engine);
  return Number(rows[0]!.blocks);
}
