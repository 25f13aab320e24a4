import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContactFilter } from '#contract/contacts.ts';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { list } from './contacts.ts';
import { findHuman } from './human.ts';
import { join } from './joining.ts';

const NOW = new Date('2026-11-21T09:30:00Z');
const keys = { encryptionKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] };
const deps = { clock: createTestClock(NOW), ids: systemIds, keys };
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

async function creator(): Promise<{ creatorId: string; connectionId: string }> {
  const creatorId = systemIds.uuid(NOW);
  await db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [creatorId, creatorId.slice(-12)]);
  return { creatorId, connectionId: await insertConnection(db, creatorId) };
}
type Query = { filter?: ContactFilter; search?: string; limit?: number; after?: string };
const pageOf = (creatorId: string, query: Query) =>
  db.withCreator(creatorId, (trx) => list(deps, trx, creatorId, query));
async function walk(creatorId: string, query: Query, between: (page: number) => Promise<void> = async () => {}) {
  const seen = [];
  let after: string | undefined;
  for (let page = 0; ; page++) {
    const { items, next } = await pageOf(creatorId, { ...query, ...(after !== undefined && { after }) });
    seen.push(...items);
    if (next === null) return seen;
    after = next;
    await between(page);
  }
}

const person = (whose: { creatorId: string; connectionId: string }, id: string, minutes: number) =>
  sql`
  insert into people (creator_id, connection_id, id, username, follows, first_seen_at, last_seen_at)
  values (${whose.creatorId}, ${whose.connectionId}, ${id}, ${`ana.${id}`}, true, ${ago(minutes)}, ${ago(minutes)})`.execute(
    db.engine,
  );
async function contact({ creatorId }: { creatorId: string }, name: string, minutes: number): Promise<string> {
  const id = systemIds.uuid(NOW);
  await sql`
    insert into contacts (creator_id, id, email, email_key, name_key, first_seen_at, last_seen_at, source)
    values (${creatorId}, ${id}, ${`ana.${name}@example.com`}, ${`ana.${name}@example.com`}, ${`anita ${name}`}, ${ago(minutes)}, ${ago(minutes)}, 'blog')
  `.execute(db.engine);
  return id;
}

test('pages have everybody once and in order, whatever their size and however many were seen at the same moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4 })), { minLength: 1, maxLength: 14 }),
      fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (everybody, pairs, limit) => {
        const whose = await creator();
        const ids: string[] = [];
        for (const [index, [isPerson, minutes]] of everybody.entries()) {
          if (isPerson) await person(whose, `p${index}`, minutes);
          ids.push(isPerson ? `${whose.connectionId}.p${index}` : await contact(whose, `c${index}`, minutes));
        }
        const { creatorId } = whose;
        for (const [one, other] of pairs) {
          const both = {
            creatorId,
            contactId: ids[one % ids.length]!,
            otherId: ids[other % ids.length]!,
            userId: null,
          };
          await db
            .withCreator(creatorId, (trx) => join(deps, trx, { ...both, why: 'by_hand' }))
            .catch((error: { code?: string }) => (error.code === 'invalid_input' ? null : Promise.reject(error)));
        }
        const expected = new Set<string>();
        for (const id of ids) {
          const human = await db.withCreator(creatorId, (trx) => findHuman(trx, creatorId, id));
          expected.add(human.contactId ?? id);
        }
        for (const query of [{}, { search: 'ana' }]) {
          const seen = await walk(creatorId, { ...query, limit });
          expect(seen.map(({ id }) => id).toSorted()).toEqual([...expected].toSorted());
          const times = seen.map(({ lastSeenAt }) => lastSeenAt);
          expect(times).toEqual(times.toSorted().toReversed());
        }
        const followers = await walk(creatorId, { filter: 'followers', limit });
        expect(new Set(followers.map(({ id }) => id)).size).toBe(followers.length);
        expect(followers.every(({ follows }) => follows)).toBe(true);
        expect((await walk(creatorId, { filter: 'from_blog', limit })).every(({ email }) => email !== null)).toBe(true);
      },
    ),
    { numRuns: 8, seed: 11 },
  );
}, 60_000);

test('while others are joined, come and are seen again, whoever stays as they were is there once', async () => {
  const whose = await creator();
  const { creatorId, connectionId } = whose;
  const still: string[] = [];
  for (let index = 0; index < 30; index++) {
    if (index % 2 === 0) await person(whose, `p${index}`, index);
    const id = index % 2 === 0 ? `${connectionId}.p${index}` : await contact(whose, `c${index}`, index);
    if (index % 5 < 3) still.push(id);
  }
  const moving = (await walk(creatorId, {})).map(({ id }) => id).filter((id) => !still.includes(id));
  const seen = await walk(creatorId, { limit: 4 }, async (page) => {
    const [one, other] = [moving[page % moving.length]!, moving[(page * 3 + 1) % moving.length]!];
    await db
      .withCreator(creatorId, (trx) =>
        join(deps, trx, { creatorId, contactId: one, otherId: other, userId: null, why: 'by_hand' }),
      )
      .catch(() => {});
    await contact(whose, `new${page}`, 0);
    await sql`update people set last_seen_at = ${ago(-1)} where creator_id = ${creatorId} and id = 'p8'`.execute(
      db.engine,
    );
  });
  const ids = seen.map(({ id }) => id);
  expect(still.filter((id) => ids.filter((one) => one === id).length !== 1)).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Blocks of tables and indexes that were looked at, as the database counts them. */
async function blocksRead(): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0))::bigint as blocks
    from pg_statio_user_tables`.execute(db.engine);
  return rows[0]!.blocks;
}
async function blocksOf(creatorId: string, query: Query): Promise<number> {
  const before = await blocksRead();
  await db.withCreator(creatorId, async (trx) => {
    await list(deps, trx, creatorId, query);
    await sql`select pg_stat_force_next_flush()`.execute(trx);
  });
  await expect.poll(blocksRead).toBeGreaterThan(before);
  return (await blocksRead()) - before;
}

test('a page reads a few hundred blocks of 30,000 people and contacts, whichever page and filter', async () => {
  const { creatorId, connectionId } = await creator();
  // Every tenth contact is linked to an account.
  await sql`
    insert into people (creator_id, connection_id, id, username, follows, first_seen_at, last_seen_at, contact_id)
    select ${creatorId}, ${connectionId}, 'p' || n, 'ana' || n, n % 3 = 0, ${NOW}, ${NOW}::timestamptz - n * interval '1 minute',
      case when n % 10 = 0 then md5(n::text)::uuid end
    from generate_series(1, 15000) as n`.execute(db.engine);
  await sql`
    insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, first_seen_at, last_seen_at, source, has_people)
    select ${creatorId}, md5(n::text)::uuid, n || '@example.com', n || '@example.com', status, status, ${NOW},
      ${NOW}::timestamptz - n * interval '61 seconds', 'blog', n % 10 = 0
    from generate_series(1, 15000) as n, lateral (select case when n % 2 = 0 then 'confirmed' else 'none' end as status) s`.execute(
    db.engine,
  );
  await sql`
    insert into interactions (creator_id, id, connection_id, kind, platform_id, person_id, text, occurred_at, received_at, outcome, reason, outcome_at)
    select ${creatorId}, gen_random_uuid(), ${connectionId}, 'comment', 'i' || n, 'p' || n, 'recipe', ${NOW}, ${NOW}, 'skipped', 'no_match', ${NOW}
    from generate_series(1, 1500) as n`.execute(db.engine);
  // Only their owner may.
  const owner = new pg.Client({ connectionString: db.connectionString });
  await owner.connect();
  await owner.query('vacuum analyze people, contacts, interactions');
  await owner.end();
  const { rows } = await sql<{ at: string; id: string }>`
    select last_seen_at::text as at, id::text from contacts where creator_id = ${creatorId} and email = '8000@example.com'`.execute(
    db.engine,
  );
  const deep = Buffer.from(JSON.stringify([rows[0]!.at, rows[0]!.id])).toString('base64url');
  const read: Record<string, number> = {};
  for (const [name, query] of Object.entries({
    first: {},
    deep: { after: deep },
    followers: { filter: 'followers' },
    'with email': { filter: 'with_email' },
    'from the blog': { filter: 'from_blog' },
    confirmed: { filter: 'newsletter_confirmed' },
  } satisfies Record<string, Query>)) {
    // What other connections read before may be counted late, within one of the three.
    read[name] = Math.min(
      await blocksOf(creatorId, query),
      await blocksOf(creatorId, query),
      await blocksOf(creatorId, query),
    );
  }
  // Each index of these tables is three blocks more for who plans a query.
  expect(Object.entries(read).filter(([, blocks]) => blocks > 330)).toEqual([]);
}, 120_000);
