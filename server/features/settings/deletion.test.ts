import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getMe } from '#contract/session.ts';
import { cancelDeletion, getDeletion, makeApiKey, requestDeletion } from '#contract/settings.ts';
import { systemIds } from '#server/clock.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { createFollowers, type Followers, LIMITED } from '#server/testing/followers.ts';
import { insertConnection, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { deletionJobs } from './deletion.ts';

const DAY_MS = 24 * 3_600_000;
const NOTHING = { deleteAt: null, requestedBy: null, members: 0 };

let app: TestApp;
let followers: Followers;
let told: string[];
beforeAll(async () => {
  app = await createTestApp({ deps: { automationsChanged: ({ creatorId }) => void told.push(creatorId) } });
  followers = await createFollowers(app);
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

let anna: Person;
let handle: string;
let creatorId: string;
beforeEach(async () => {
  told = [];
  anna = await app.signUpAndIn();
  ({ id: creatorId, handle } = await anna.createCreator());
});

const params = () => ({ params: { creatorId } });
const request = (typed = handle, who = anna) => who.call(requestDeletion, { ...params(), body: { handle: typed } });
const deletion = async () => (await anna.call(getDeletion, params())).body;
/** The facts behind the banner, as `who` sees them. */
const announced = async (who: Person) => (await who.call(getMe)).body.creatorAccount.deleteAt;
const deletionMails = async (to: Person) =>
  (await app.mails(to.email)).map(({ kind }) => kind).filter((kind) => /delet/.test(kind));
/** With a clock of its own: people's sessions would not last that long. */
const runJob = (afterMs: number) => {
  const later = createTestClock(new Date(app.clock.now().getTime() + afterMs));
  return deletionJobs[0]!.run({ ...app.deps, clock: later });
};

async function join(role: 'owner' | 'collaborator'): Promise<Person> {
  const person = await app.signUpAndIn();
  const id = systemIds.uuid(new Date());
  const row = { creator_id: creatorId, id, user_id: person.id, role, created_at: app.clock.now() };
  await app.db.engine.insertInto('memberships').values(row).execute();
  return person;
}

/** Rows of the creator by table, of those tables that have any. */
async function rowsLeft(): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'creator_id' and t.table_type = 'BASE TABLE'
  `.execute(app.db.engine);
  const left: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} where creator_id = ${creatorId}`.execute(app.db.engine);
    if (rows[0]!.count > 0) left[name] = rows[0]!.count;
  }
  return left;
}

async function outcome(id: string) {
  const row = await app.db.engine
    .selectFrom('interactions')
    .select(['outcome', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return `${row.outcome}: ${row.reason}`;
}

describe('asking for deletion', () => {
  test('is for owners', async () => {
    for (const [who, status] of [
      [await join('collaborator'), 403],
      [await app.signUpAndIn(), 404],
    ] as const) {
      expect((await request(handle, who)).status).toBe(status);
    }
    expect(await deletion()).toEqual(NOTHING);
    expect(told).toEqual([]);
  });

  test.each(['', 'somebody else', 'kitchen'])('is refused with the handle %j', async (typed) => {
    const answer = await request(typed);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'handle' }] } });
    expect(await deletion()).toEqual(NOTHING);
    expect(await deletionMails(anna)).toEqual([]);
  });

  test('sets the day in 14 days, tells every owner and the engine; asking again changes nothing', async () => {
    const [owner, collaborator] = [await join('owner'), await join('collaborator')];
    const deleteAt = new Date(app.clock.now().getTime() + 14 * DAY_MS).toISOString();
    expect((await request(` @${handle.toUpperCase()} `)).body).toEqual({ deleteAt });
    await app.clock.advance(60_000);
    expect((await request()).body).toEqual({ deleteAt });
    expect(await deletion()).toEqual({ deleteAt, requestedBy: anna.name, members: 0 });
    expect(await deletionMails(anna)).toEqual(['deletion_requested']);
    expect(await deletionMails(owner)).toEqual(['deletion_requested']);
    expect(await deletionMails(collaborator)).toEqual([]);
    expect(told).toContain(creatorId);
  });

  test('is told by auth/me to everybody who works there, and to nobody else', async () => {
    const [collaborator, neighbour] = [await join('collaborator'), await app.signUpAndIn()];
    await neighbour.createCreator();
    expect(await announced(anna)).toBeNull();
    await request();
    const deleteAt = new Date(app.clock.now().getTime() + 14 * DAY_MS).toISOString();
    await app.clock.advance(3_600_000);
    expect(await announced(anna)).toBe(deleteAt);
    expect(await announced(collaborator)).toBe(deleteAt);
    expect(await announced(neighbour)).toBeNull();
    await anna.call(cancelDeletion, params());
    expect(await announced(anna)).toBeNull();
    expect(await announced(collaborator)).toBeNull();
  });

  test('drops what waits, where one can see it', async () => {
    const account = await followers.connect(creatorId);
    await followers.automation(anna, account);
    const sent = await followers.ask(account);
    const waiting = await followers.ask(account, { meets: LIMITED });
    await request();
    expect(await outcome(waiting.interactionId)).toBe('missed: being_deleted');
    expect(await outcome(sent.interactionId)).toBe('replied: sent');
  });
});

describe('keeping it after all', () => {
  test('is for owners', async () => {
    await request();
    const answer = await (await join('collaborator')).call(cancelDeletion, params());
    expect(answer.status).toBe(403);
    expect((await deletion()).deleteAt).not.toBeNull();
  });

  test('is too late when the 14 days are over', async () => {
    await request();
    const over = { delete_at: app.clock.now() };
    await app.db.engine.updateTable('creators').set(over).where('id', '=', creatorId).execute();
    expect(await anna.call(cancelDeletion, params())).toMatchObject({
      status: 409,
      body: { code: 'not_possible_now' },
    });
  });

  test('restores everything and tells every owner', async () => {
    await request();
    told = [];
    expect((await anna.call(cancelDeletion, params())).status).toBe(200);
    expect(await deletion()).toEqual(NOTHING);
    expect(await deletionMails(anna)).toEqual(['deletion_requested', 'deletion_cancelled']);
    expect(told).toEqual([creatorId]);
    await runJob(20 * DAY_MS);
    expect(Object.keys(await rowsLeft())).toContain('memberships');
  });
});

describe('when the day has come', () => {
  test('nothing is deleted a moment before', async () => {
    await request();
    await runJob(14 * DAY_MS - 1);
    await runJob(14 * DAY_MS - 1);
    expect(Object.keys(await rowsLeft())).toContain('memberships');
  });

  test('every row in every table goes, and no other creator’s', async () => {
    const neighbour = await app.signUpAndIn();
    const neighboursId = (await neighbour.createCreator()).id;
    await insertConnection(app.db, neighboursId);
    await fill();
    await request();
    const before = await rowsLeft();
    expect(Object.keys(before).length).toBeGreaterThan(20);
    await runJob(14 * DAY_MS);
    const cut = await app.db.engine
      .selectFrom('connections')
      .select('disconnected_at')
      .where('creator_id', '=', creatorId)
      .execute();
    expect(cut).toEqual([{ disconnected_at: expect.any(Date) }]);
    await runJob(14 * DAY_MS);
    // Support's log names whom it worked for, also afterwards.
    expect(await rowsLeft()).toEqual({ audit_log: 1 });
    expect((await deletionMails(anna)).at(-1)).toBe('creator_deleted');
    expect(await app.db.engine.selectFrom('users').select('id').where('id', '=', anna.id).execute()).toHaveLength(1);
    creatorId = neighboursId;
    expect(await rowsLeft()).toMatchObject({ memberships: 1, connections: 1, subscriptions: 1 });
  });
});

/** A row of everything that a creator can have. */
async function fill(): Promise<void> {
  const account = await followers.connect(creatorId);
  const { connectionId } = account;
  await insertPost(app.db, creatorId, connectionId);
  await followers.automation(anna, account);
  const asked = await followers.ask(account);
  await anna.call(makeApiKey, params());
  const at = app.clock.now();
  const id = () => systemIds.uuid(at);
  const own = { creator_id: creatorId };
  const db = app.db.engine;
  await followers.tap(asked.deliveryId);
  await db
    .insertInto('lane_states')
    .values({ ...own, connection_id: connectionId, lane: 'messages', updated_at: at })
    .execute();
  await rollUpCounts(app.db);
  const invite = { id: id(), email: 'x@example.test', role: 'owner' as const, token_hash: id() };
  await db
    .insertInto('invites')
    .values({ ...own, ...invite, sent_at: at, expires_at: at })
    .execute();
  const visit = { id: id(), admin_name: 'Sam', reason: 'Asked', started_at: at, until: at };
  await db
    .insertInto('admin_visits')
    .values({ ...own, ...visit })
    .execute();
  await db
    .insertInto('audit_log')
    .values({ ...own, id: id(), at, admin_name: 'Sam', what: 'Entered' })
    .execute();
  await db
    .insertInto('flag_values')
    .values({ ...own, flag: 'storyMentions', is_on: true, changed_at: at })
    .execute();
  await db
    .insertInto('notification_choices')
    .values({ ...own, user_id: anna.id })
    .execute();
  await db
    .insertInto('notices_sent')
    .values({ ...own, user_id: anna.id, about: 'week:x', sent_at: at })
    .execute();
  const session = await db.selectFrom('sessions').select('id').where('user_id', '=', anna.id).executeTakeFirstOrThrow();
  await db
    .insertInto('oauth_attempts')
    .values({
      ...own,
      state_hash: id(),
      user_id: anna.id,
      session_id: session.id,
      login: 'instagram',
      created_at: at,
      expires_at: at,
    })
    .execute();
}
