import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { addKeptKey, dropKeptKeys, type EncryptionKey, loadKeys, open, seal } from '#server/secrets.ts';
import { countByKey, rotateKeys, SEALED_COLUMNS } from './key-rotation.ts';

const OLD: EncryptionKey = { id: 'k1', key: Buffer.alloc(32, 1) };
const NEW: EncryptionKey = { id: 'k2', key: Buffer.alloc(32, 2) };
const LOST: EncryptionKey = { id: 'k0', key: Buffer.alloc(32, 3) };

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  await db.enginePool.query('delete from creators');
});

const now = new Date('2026-11-20T12:00:00Z');

/** A creator with tokens and a webhook, sealed with this key. */
async function addSealed(key: EncryptionKey, tokens: number): Promise<string> {
  const creatorId = systemIds.uuid(now);
  await db.engine
    .insertInto('creators')
    .values({ id: creatorId, handle: `h${creatorId.slice(-12)}` })
    .execute();
  await db.engine
    .insertInto('tokens')
    .values(
      Array.from({ length: tokens }, (_, n) => ({
        creator_id: creatorId,
        id: systemIds.uuid(now),
        kind: 'INSTAGRAM_BUSINESS_USER' as const,
        subject_id: `account ${n}`,
        secret: seal([key], `token ${n}`),
        issued_at: now,
      })),
    )
    .execute();
  await db.engine
    .insertInto('outgoing_endpoints')
    .values({
      creator_id: creatorId,
      id: systemIds.uuid(now),
      url: 'https://tools.example.test/hook',
      secret: seal([key], 'the webhook’s secret'),
      types: ['click'],
      created_at: now,
    })
    .execute();
  return creatorId;
}

async function secretsOf(creatorId: string): Promise<string[]> {
  const { rows } = await db.enginePool.query<{ secret: string }>(
    `select secret from tokens where creator_id = $1 union all select secret from outgoing_endpoints where creator_id = $1`,
    [creatorId],
  );
  return rows.map((row) => row.secret);
}

test('everything is sealed with the newest key and reads as before; the old key is not needed any more', async () => {
  const creatorId = await addSealed(OLD, 3);
  expect(await rotateKeys(db.enginePool, [NEW, OLD])).toEqual({ resealed: 4, unreadable: 0 });
  const opened = (await secretsOf(creatorId)).map((sealed) => open([NEW], sealed));
  expect(opened.sort()).toEqual(['the webhook’s secret', 'token 0', 'token 1', 'token 2']);
  expect(await countByKey(db.enginePool)).toEqual(new Map([['k2', 4]]));
});

test('no column with sealed texts is forgotten', async () => {
  await addSealed(OLD, 1);
  await rotateKeys(db.enginePool, [NEW, OLD]);
  const { rows: columns } = await db.enginePool.query<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.data_type = 'text' and t.table_type = 'BASE TABLE'`,
  );
  expect(columns.length).toBeGreaterThan(50);
  for (const { table_name, column_name } of columns) {
    const { rows } = await db.enginePool.query(`select 1 from "${table_name}" where "${column_name}" ~ '^k1[.]'`);
    expect(rows, `${table_name}.${column_name} is sealed with the old key`).toEqual([]);
  }
  expect(SEALED_COLUMNS.length).toBeGreaterThan(0);
});

test('more rows than fit in one read are all done, and a second time there is nothing to do', async () => {
  await addSealed(OLD, 1100);
  expect(await rotateKeys(db.enginePool, [NEW, OLD])).toEqual({ resealed: 1101, unreadable: 0 });
  expect(await rotateKeys(db.enginePool, [NEW, OLD])).toEqual({ resealed: 0, unreadable: 0 });
});

test('what no key opens is left as it is and told of; the rest is done', async () => {
  const lost = await addSealed(LOST, 2);
  await addSealed(OLD, 2);
  const before = await secretsOf(lost);
  expect(await rotateKeys(db.enginePool, [NEW, OLD])).toEqual({ resealed: 3, unreadable: 3 });
  expect(await secretsOf(lost)).toEqual(before);
});

test('keys in the data folder: a new one comes first, the old ones go, and only the owner can read them', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'creator-hq-keys-'));
  try {
    const read = () => loadKeys({ secretKey: null, encryptionKeys: null, dataDir });
    const first = read();
    const sealed = seal(first.encryptionKeys, 'a token');
    expect(addKeptKey(dataDir)).toBe('k2');
    const both = read();
    expect(both.encryptionKeys.map(({ id }) => id)).toEqual(['k2', 'k1']);
    expect(both.secretKey).toBe(first.secretKey);
    expect(open(both.encryptionKeys, sealed)).toBe('a token');
    expect(seal(both.encryptionKeys, 'a token')).toMatch(/^k2\./);
    expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
    dropKeptKeys(dataDir);
    expect(read().encryptionKeys.map(({ id }) => id)).toEqual(['k2']);
    // A name is never used again for another key.
    expect(addKeptKey(dataDir)).toBe('k3');
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
