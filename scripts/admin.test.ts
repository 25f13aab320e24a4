import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { ENGINE_CHANNEL } from '#server/engine/signals.ts';
import { insertConnection } from '#server/testing/rows.ts';

// Each test starts programs, one after the other.
vi.setConfig({ testTimeout: 120_000 });

const SECRETS = {
  SECRET_KEY: 'test-secret-key-of-more-than-32-characters',
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
};

/** `npm run admin -- ARGS` with these settings. */
function run(settings: Record<string, string>, ...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'admin.ts'), ...args],
      // Compiled once for all of them.
      { env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out: out.trim(), err: err.trim() }),
    );
  });
}

async function insertPerson(db: Pick<TestDatabase, 'engine'>, email: string, email_verified = true): Promise<string> {
  const id = systemIds.uuid(new Date());
  await db.engine.insertInto('users').values({ id, name: 'Ada', email, email_verified }).execute();
  return id;
}

describe('with a database of its own', () => {
  let db: TestDatabase;
  let settings: Record<string, string>;
  beforeAll(async () => {
    db = await createTestDatabase();
    settings = { ...SECRETS, DATABASE_URL: db.connectionString };
  });
  afterAll(() => db?.drop());

  const isAdmin = async (email: string) =>
    (await db.engine.selectFrom('users').select('is_admin').where('email', '=', email).executeTakeFirst())?.is_admin;

  test.each([[[]], [['grant']], [['promote', 'ada@example.test']], [['grant', 'a@example.test', 'b@example.test']]])(
    '%j says how it is used',
    async (args) => {
      expect(await run(settings, ...args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Usage:') });
    },
  );

  test.each([[[]], [['instagram']], [['myspace', 'on']], [['instagram', 'maybe']], [['instagram', 'on', 'now']]])(
    'pause-webhooks %j says how it is used',
    async (args) => {
      const answer = await run(settings, 'pause-webhooks', ...args);
      expect(answer).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Usage:') });
    },
  );

  test('pauses the webhooks of a platform, tells the workers, and lifts it again', async () => {
    const creator_id = systemIds.uuid(new Date());
    await db.engine.insertInto('creators').values({ id: creator_id, handle: 'paused' }).execute();
    await insertConnection(db, creator_id);
    const isPaused = async () => {
      const rows = await db.engine.selectFrom('connections').select('webhooks_paused_at').execute();
      return rows.map(({ webhooks_paused_at }) => webhooks_paused_at !== null);
    };
    const worker = await db.enginePool.connect();
    const heard: (string | undefined)[] = [];
    worker.on('notification', ({ payload }) => heard.push(payload));
    await worker.query(`listen ${ENGINE_CHANNEL}`);
    try {
      const on = await run(settings, 'pause-webhooks', 'instagram', 'on');
      expect(on).toEqual({ code: 0, out: 'Paused for 1 account.', err: '' });
      expect(await isPaused()).toEqual([true]);
      await worker.query('select 1');
      expect(heard).toEqual(['{"what":"all"}']);
      const off = await run(settings, 'pause-webhooks', 'instagram', 'off');
      expect(off).toEqual({ code: 0, out: 'No longer paused for 1 account; what waited goes out.', err: '' });
      expect(await isPaused()).toEqual([false]);
    } finally {
      worker.release(true);
    }
  });

  test('signs a person out of every device, or everybody', async () => {
    const sessionsOf = async (userId: string) => {
      const rows = await db.engine.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();
      return rows.length;
    };
    const people = [await insertPerson(db, 'lost.phone@example.test'), await insertPerson(db, 'other@example.test')];
    for (const [index, user_id] of [people[0]!, people[0]!, people[1]!].entries()) {
      const id = systemIds.uuid(new Date());
      const expires_at = new Date(Date.now() + 3_600_000);
      await db.engine
        .insertInto('sessions')
        .values({ id, token: `token ${index}`, user_id, expires_at })
        .execute();
    }
    expect(await run(settings, 'end-sessions', 'nobody@example.test')).toMatchObject({ code: 1, out: '' });
    const one = await run(settings, 'end-sessions', ' Lost.Phone@example.test');
    expect(one).toEqual({ code: 0, out: 'Ended 2 sessions.', err: '' });
    expect(await Promise.all(people.map(sessionsOf))).toEqual([0, 1]);
    expect((await run(settings, 'end-sessions', 'everybody')).out).toBe('Ended 1 session.');
    expect(await Promise.all(people.map(sessionsOf))).toEqual([0, 0]);
  });

  test('takes a lost second factor away, signs out, tells by mail, on record', async () => {
    const email = 'lost.codes@example.test';
    const user_id = await insertPerson(db, email);
    const ids = () => systemIds.uuid(new Date());
    await db.engine.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', user_id).execute();
    await db.engine
      .insertInto('two_factors')
      .values({ id: ids(), user_id, secret: 'sealed', backup_codes: 'sealed' })
      .execute();
    const expires_at = new Date(Date.now() + 3_600_000);
    await db.engine.insertInto('sessions').values({ id: ids(), token: 'with two', user_id, expires_at }).execute();
    const unknown = await run(settings, 'reset-two-step', 'nobody@example.test');
    expect(unknown).toMatchObject({ code: 1, err: 'No account has the address nobody@example.test.' });

    const out = `${email} logs in with the password alone now.`;
    expect(await run(settings, 'reset-two-step', email)).toEqual({ code: 0, out, err: '' });
    expect(await run(settings, 'reset-two-step', email)).toMatchObject({
      code: 0,
      out: `${email} had no two-step login.`,
    });
    const person = db.engine.selectFrom('users').select('two_factor_enabled').where('id', '=', user_id);
    expect(await person.executeTakeFirst()).toEqual({ two_factor_enabled: false });
    for (const table of ['two_factors', 'sessions'] as const) {
      expect(await db.engine.selectFrom(table).select('id').where('user_id', '=', user_id).execute(), table).toEqual(
        [],
      );
    }
    const mails = db.engine.selectFrom('mails').select('kind').where('recipient', '=', email);
    expect(await mails.execute()).toHaveLength(1);
    const audit = db.engine
      .selectFrom('audit_log')
      .select(['admin_name', 'what'])
      .where('detail', '=', `user ${user_id}`);
    expect(await audit.execute()).toEqual([{ admin_name: 'Command line', what: 'Reset two-step login' }]);
  });

  test('an unknown address, or one not confirmed, is no admin’s', async () => {
    const unknown = await run(settings, 'grant', 'nobody@example.test');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('No one has signed up') });
    await insertPerson(db, 'claimed@example.test', false);
    const claimed = await run(settings, 'grant', 'claimed@example.test');
    expect(claimed).toMatchObject({ code: 1, err: expect.stringContaining('confirmed yet') });
    expect(await isAdmin('claimed@example.test')).toBe(false);
    expect((await run(settings, 'list')).out).toBe('Nobody is an admin yet.');
  });

  test('invites somebody to sign up, shows the link, and not where signing up is closed', async () => {
    const publicly = { ...settings, BASE_URL: 'https://hq.example.com' };
    const invited = await run(publicly, 'invite', ' First@Example.test');
    expect(invited).toMatchObject({ code: 0, err: '' });
    expect(invited.out).toMatch(
      /^first@example\.test can sign up here for 7 days:\nhttps:\/\/hq\.example\.com\/creator-hq\/signup\?invite=[\w-]{43}$/,
    );
    const mails = await db.engine
      .selectFrom('mails')
      .select('text')
      .where('recipient', '=', 'first@example.test')
      .execute();
    expect(mails).toMatchObject([{ text: expect.stringContaining(invited.out.split('\n')[1]!) }]);
    expect(await run(publicly, 'invite', 'nonsense')).toMatchObject({ code: 1, err: expect.stringContaining('email') });
    const closed = await run({ ...publicly, SIGN_UP: 'closed' }, 'invite', 'first@example.test');
    expect(closed).toMatchObject({ code: 1, err: expect.stringContaining('SIGN_UP is closed') });
  });

  test('grants once, lists, revokes and ends visits, each on record', async () => {
    const id = await insertPerson(db, 'ada@example.test');
    expect(await run(settings, 'grant', ' Ada@Example.test')).toMatchObject({ code: 0, err: '' });
    expect((await run(settings, 'grant', 'ada@example.test')).out).toContain('already');
    expect(await isAdmin('ada@example.test')).toBe(true);
    expect((await run(settings, 'list')).out).toBe('ada@example.test  Ada');

    const now = new Date();
    const creator_id = systemIds.uuid(now);
    await db.engine.insertInto('creators').values({ id: creator_id, handle: 'visited' }).execute();
    await db.engine
      .insertInto('admin_visits')
      .values({
        creator_id,
        id: systemIds.uuid(now),
        admin_id: id,
        admin_name: 'Ada',
        reason: 'They asked for help.',
        started_at: now,
        until: new Date(now.getTime() + 3_600_000),
      })
      .execute();
    expect((await run(settings, 'revoke', 'ada@example.test')).out).toContain('no admin any more');
    expect((await run(settings, 'revoke', 'ada@example.test')).out).toContain('was no admin');
    expect(await isAdmin('ada@example.test')).toBe(false);
    const [visit] = await db.engine.selectFrom('admin_visits').select('ended_at').execute();
    expect(visit!.ended_at).not.toBeNull();
    const audit = await db.engine
      .selectFrom('audit_log')
      .select(['admin_name', 'what', 'detail'])
      .where('detail', '=', `user ${id}`)
      .orderBy('id')
      .execute();
    expect(audit).toEqual([
      { admin_name: 'Command line', what: 'Made an admin', detail: `user ${id}` },
      { admin_name: 'Command line', what: 'No longer an admin', detail: `user ${id}` },
    ]);
  });
});

describe('with the built-in database', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-admin-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test('works while the program runs, and while it does not; never creates a database', async () => {
    const settings = { DATA_DIR: dataDir };
    expect(await run(settings, 'list')).toMatchObject({ code: 1, err: expect.stringContaining('no database') });

    const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
    await migrate(server.connectionString);
    const db = connectDatabase({ connectionString: server.connectionString });
    await insertPerson(db, 'ada@example.test');
    expect(await run(settings, 'grant', 'ada@example.test')).toMatchObject({ code: 0, err: '' });
    await db.close();
    await server.stop();

    expect(await run(settings, 'list')).toMatchObject({ code: 0, out: 'ada@example.test  Ada' });
    // It stopped what it started: the folder is free.
    const again = await startEmbeddedPostgres({ dataDir, log: () => {} });
    await again.stop();
  });
});
