import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock, systemIds } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { ensureDemoPeople } from '#server/features/people/demo.ts';
import { settleSimulators } from '#server/real-meta.ts';

const META = { META_APP_ID: '1', META_APP_SECRET: 's', META_VERIFY_TOKEN: 'v' };

let db: TestDatabase;
let said: string[];
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  said = [];
  await db.engine.deleteFrom('real_meta').execute();
});
afterAll(() => db?.drop());

const start = (settings: Record<string, string>) =>
  settleSimulators({ db, clock: systemClock, say: (line) => said.push(line) }, readConfig(settings));

async function enterAsDemo(): Promise<string> {
  const { userId, creatorId } = await ensureDemoPeople({ db, clock: systemClock, ids: systemIds });
  const id = () => systemIds.uuid(new Date());
  const expires_at = new Date(Date.now() + 3_600_000);
  await db.engine.insertInto('sessions').values({ id: id(), user_id: userId, token: id(), expires_at }).execute();
  const credential = { id: id(), user_id: userId, account_id: userId, provider_id: 'credential', password: 'hash' };
  await db.engine.insertInto('credentials').values(credential).execute();
  const token = { id: id(), creator_id: creatorId, user_id: userId, name: 'mine', token_hash: id(), prefix: 'hq' };
  await db.engine
    .insertInto('api_tokens')
    .values({ ...token, scopes: ['read'], created_at: new Date() })
    .execute();
  return userId;
}

async function waysInOf(userId: string) {
  const count = async (table: 'sessions' | 'credentials' | 'api_tokens') =>
    (await db.engine.selectFrom(table).select('id').where('user_id', '=', userId).execute()).length;
  return {
    sessions: await count('sessions'),
    passwords: await count('credentials'),
    tokens: await count('api_tokens'),
  };
}

test('a database that knew the real Meta gets simulators only where they are spelled out', async () => {
  expect((await start({})).trying).toBe(true);
  await start(META);
  await start(META);
  expect(await start({})).toMatchObject({ simulators: false, trying: false });
  expect(said).toEqual([expect.stringContaining('SIMULATORS=on')]);
  expect(await start({ SIMULATORS: 'on' })).toMatchObject({ simulators: true, trying: true });
});

test('a start with simulators beside a Meta app makes nothing real', async () => {
  await start({ ...META, SIMULATORS: 'on' });
  expect((await start({})).simulators).toBe(true);
});

test('a start without simulators ends what was begun as the demo creator', async () => {
  const userId = await enterAsDemo();
  await start({});
  expect(await waysInOf(userId)).toEqual({ sessions: 1, passwords: 1, tokens: 1 });
  await start(META);
  expect(await waysInOf(userId)).toEqual({ sessions: 0, passwords: 0, tokens: 0 });
});

test('a start whose simulators stay off ends it too', async () => {
  await start(META);
  const userId = await enterAsDemo();
  await start({});
  expect(await waysInOf(userId)).toEqual({ sessions: 0, passwords: 0, tokens: 0 });
});
