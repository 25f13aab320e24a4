import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemIds } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { readCounts } from '#server/engine/outcomes/counts.ts';
import { markClicked } from '#server/engine/outcomes/results-log.ts';
import { createEngineWorld } from '#server/engine/testing/engine-world.ts';
import { emptyWorkedOff } from '#server/events/postgres-event-log.ts';
import { countFound } from '#server/features/posts/queries.ts';
import { HELD } from '#server/features/registered.ts';
import { insertConnection, insertInteraction, insertPost, insertStory } from '#server/testing/rows.ts';
import { forgetOld } from './forget-old.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = new Date('2026-11-21T09:30:00Z');
const KEPT = { historyDays: 365, textsDays: 90, webhookLogDays: 30, parkedEventsDays: 30, auditLogDays: 365 };
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const id = () => systemIds.uuid(NOW);

let db: TestDatabase;
let creatorId: string;
let connectionId: string;
/** Where followers are answered; begun by the first of them. */
let world: Awaited<ReturnType<typeof answering>> | undefined;
/** How often it rested. */
let rests: number;
const clock: Clock = {
  now: () => NOW,
  sleep: async () => {
    rests++;
  },
};
const forget = (keep: Partial<typeof KEPT> = {}, now = NOW) =>
  forgetOld({
    db,
    held: HELD,
    clock: { ...clock, now: () => now },
    config: { keep: { ...readConfig({}).keep, ...KEPT, ...keep } },
    log: pino({ level: 'silent' }),
  });

const rows = async <Row extends object>(sqlText: string, values: unknown[] = [creatorId]): Promise<Row[]> =>
  (await db.enginePool.query<Row>(sqlText, values)).rows;
const count = async (table: string) => (await rows(`select from ${table} where creator_id = $1`)).length;
const choose = (days: { history?: number; texts?: number; webhookLog?: number }) =>
  rows(
    `insert into retention_choices (creator_id, history_days, texts_days, webhook_log_days, changed_at)
     values ($1, $2, $3, $4, now())`,
    [creatorId, days.history ?? null, days.texts ?? null, days.webhookLog ?? null],
  );

beforeEach(async () => {
  await world?.close();
  world = undefined;
  await db?.drop();
  db = await createTestDatabase();
  rests = 0;
  creatorId = id();
  await rows('insert into creators (id, handle) values ($1, $2)', [creatorId, creatorId.slice(-12)]);
  connectionId = await insertConnection(db, creatorId);
});
afterAll(async () => {
  await world?.close();
  await db?.drop();
});

/** A comment that was answered, opened and clicked so many days ago; each later than the one before. */
async function comment(days: number, over: { found_by_reading?: boolean } = {}): Promise<string> {
  world ??= await answering(days);
  const { account, engine } = world;
  const received_at = daysAgo(days);
  await world.advance(received_at.getTime() - world.clock.now().getTime());
  const { personId } = account.followers[world.asked++]!;
  const { control } = world.simulator;
  await control.comment({ mediaId: account.posts[0]!.mediaId, personId, text: 'RECIPE please' });
  await world.webhooksArrived();
  await world.settle(engine, 1000);
  await control.read({ accountId: account.instagramAccountId, personId });
  await world.webhooksArrived();
  await world.settle(engine, 1000);
  const [message] = await rows<{ id: string; interaction_id: string }>(
    'select id, interaction_id from deliveries where creator_id = $1 and read_at is not null order by id desc limit 1',
  );
  const { id: delivery, interaction_id: interactionId } = message!;
  await markClicked(db.engine, [{ creator_id: creatorId, delivery_id: delivery, at: received_at }]);
  // As when no webhook tells of it.
  if (over.found_by_reading)
    await rows('update interactions set found_by_reading = true where id = $1', [interactionId]);
  await rows('insert into clicks (creator_id, id, link_id, delivery_id, clicked_at) values ($1, $2, $2, $3, now())', [
    creatorId,
    id(),
    delivery,
  ]);
  await rows(
    `insert into conversations (creator_id, id, connection_id, automation_id, interaction_id, person_id, state, plan,
       given_email, expires_at, created_at, updated_at)
     values ($1, $2, $3, $2, $4, 'somebody', 'ended', '{"username": "ana", "text": "Hi"}', 'a@b.c', now(), $5, $5)`,
    [creatorId, id(), connectionId, interactionId, received_at],
  );
  return interactionId;
}

/** An account whose followers are answered, from so many days ago on. */
async function answering(days: number) {
  const made = await createEngineWorld({ db: { ...db, drop: async () => {} }, start: daysAgo(days) });
  const account = await made.addCreator({ creatorId, webhooks: true });
  await made.addAutomation(account, { messageText: 'Here is the recipe' });
  return { ...made, account, engine: await made.startEngine(), asked: 0 };
}

const figures = (post: string) =>
  db.withCreator(creatorId, async (trx) => ({
    post: await readCounts(trx, creatorId, 'post', [post]),
    found: await countFound(trx, creatorId, post),
  }));

describe('activity', () => {
  test('goes with all that hangs on it once it is too old, and stays counted', async () => {
    await comment(366, { found_by_reading: true });
    const { account } = world!;
    const post = account.posts[0]!.mediaId;
    await insertPost(db, creatorId, account.connectionId, { id: post });
    await rows(
      'insert into comment_readings (creator_id, post_id, connection_id, next_at) values ($1, $2, $3, now())',
      [creatorId, post, account.connectionId],
    );
    await comment(366);
    const young = await comment(364, { found_by_reading: true });
    const before = await figures(post);
    expect(before.found).toBe(2);
    await forget();
    expect(await rows('select id from interactions where creator_id = $1')).toEqual([{ id: young }]);
    for (const table of ['deliveries', 'clicks', 'conversations']) expect(await count(table), table).toBe(1);
    expect(await figures(post)).toEqual(before);
    await forget();
    expect(await figures(post)).toEqual(before);
  });

  test('that is deleted in another way is not counted any more', async () => {
    await insertInteraction(db, creatorId, connectionId, { post_id: 'post' });
    expect((await figures('post')).post.size).toBe(1);
    await rows('delete from interactions where creator_id = $1');
    expect((await figures('post')).post).toEqual(new Map());
  });

  test('is kept to the day: what happened on the last day stays whole until the next one', async () => {
    await insertInteraction(db, creatorId, connectionId, { received_at: new Date('2025-11-21T00:00:00Z') });
    await insertInteraction(db, creatorId, connectionId, { received_at: new Date('2025-11-20T23:59:59Z') });
    await forget();
    expect(await count('interactions')).toBe(1);
    await forget({}, new Date(NOW.getTime() + DAY_MS));
    expect(await count('interactions')).toBe(0);
  });

  test('is kept for fewer days where the creator chose so, never for more than the operator keeps it', async () => {
    const other = id();
    await rows('insert into creators (id, handle) values ($1, $2)', [other, other.slice(-12)]);
    const others = await insertInteraction(db, other, await insertConnection(db, other), { received_at: daysAgo(200) });
    await insertInteraction(db, creatorId, connectionId, { received_at: daysAgo(200) });
    await choose({ history: 100 });
    await forget();
    expect(await rows('select id from interactions', [])).toEqual([{ id: others }]);
    await rows('update retention_choices set history_days = 3650 where creator_id = $1');
    await insertInteraction(db, creatorId, connectionId, { received_at: daysAgo(366) });
    await forget();
    expect(await count('interactions')).toBe(0);
  });

  test('goes in steps with a rest after each, and a turn that broke off is gone on with', async () => {
    await rows(
      `insert into interactions (creator_id, id, connection_id, kind, platform_id, person_id, occurred_at, received_at,
         outcome, reason, outcome_at)
       select $1, gen_random_uuid(), $2, 'comment', 'c' || n, 'p' || n, $3, $3, 'skipped', 'no_match', $3
       from generate_series(1, 2500) as n`,
      [creatorId, connectionId, daysAgo(400)],
    );
    // Said already that it is gone, by a worker that then died.
    await rows(`update creators set history_from = $2, texts_cleared_to = $2 where id = $1`, [creatorId, NOW]);
    await forget();
    expect(await count('interactions')).toBe(0);
    expect(rests).toBeGreaterThanOrEqual(2);
  });

  test('that still waits is not deleted', async () => {
    await insertInteraction(db, creatorId, connectionId, {
      received_at: daysAgo(400),
      outcome: 'waiting',
      reason: 'queued',
    });
    await forget();
    expect(await count('interactions')).toBe(1);
  });

  test('takes along what the creator wrote by hand and what the team noted', async () => {
    for (const days of [364, 366]) {
      await rows(
        `insert into own_messages (creator_id, connection_id, platform_id, person_id, text, sent_at)
         values ($1, $2, $3, 'p', 'Hi', $4)`,
        [creatorId, connectionId, `m${days}`, daysAgo(days)],
      );
      await rows(
        `insert into contact_changes (creator_id, id, connection_id, person_id, what, changed_at)
         values ($1, $2, $3, 'p', 'blocked', $4)`,
        [creatorId, id(), connectionId, daysAgo(days)],
      );
    }
    await forget();
    for (const table of ['own_messages', 'contact_changes']) expect(await count(table), table).toBe(1);
  });

  test('tells reading from when on comments are known', async () => {
    await forget();
    expect(await rows('select history_from from creators where id = $1')).toEqual([
      { history_from: new Date('2025-11-21T00:00:00Z') },
    ]);
    await choose({ history: 100 });
    await forget();
    const [{ history_from: shorter }] = (await rows('select history_from from creators where id = $1')) as [
      { history_from: Date },
    ];
    await rows('delete from retention_choices where creator_id = $1');
    await forget();
    // Deleted rows do not come back with a longer time.
    expect(await rows('select history_from from creators where id = $1')).toEqual([{ history_from: shorter }]);
  });

  test('is known of those too of whom nothing is old', async () => {
    await comment(5);
    const other = id();
    await rows('insert into creators (id, handle) values ($1, $2)', [other, other.slice(-12)]);
    await forget();
    const kept = { history_from: new Date('2025-11-21T00:00:00Z'), texts_cleared_to: new Date('2026-08-23T00:00:00Z') };
    expect(await rows('select history_from, texts_cleared_to from creators', [])).toEqual([kept, kept]);
    expect(await count('interactions')).toBe(1);
  });
});

describe('texts', () => {
  const texts = async () => {
    const [words] = await rows<{ words: string[] }>(
      `select array(
         select text from interactions where creator_id = $1
         union all select content ->> 'text' from deliveries where creator_id = $1
         union all select plan ->> 'username' from conversations where creator_id = $1
         union all select given_email from conversations where creator_id = $1
       ) as words`,
    );
    return words!.words.filter(Boolean).toSorted();
  };

  test('are cleared when they are too old; that something happened stays', async () => {
    await comment(91);
    await forget();
    expect(await texts()).toEqual([]);
    expect(await rows('select outcome from interactions where creator_id = $1')).toEqual([{ outcome: 'replied' }]);
    expect(await count('deliveries')).toBe(1);
  });

  test('stay until then, and what is looked at once is not looked at again', async () => {
    await comment(89);
    const before = await texts();
    expect(before).toEqual(['Here is the recipe', 'RECIPE please', 'a@b.c', 'ana']);
    await forget();
    expect(await texts()).toEqual(before);
    await choose({ texts: 30 });
    await forget();
    expect(await texts()).toEqual([]);
  });

  test('are cleared in steps', async () => {
    await rows(
      `insert into interactions (creator_id, id, connection_id, kind, platform_id, person_id, text, occurred_at,
         received_at, outcome, reason, outcome_at)
       select $1, gen_random_uuid(), $2, 'comment', 'c' || n, 'p' || n, 'words', $3, $3, 'skipped', 'no_match', $3
       from generate_series(1, 2100) as n`,
      [creatorId, connectionId, daysAgo(100)],
    );
    await forget();
    expect(await texts()).toEqual([]);
    expect(await count('interactions')).toBe(2100);
  });
});

describe('besides', () => {
  test('the log of webhooks goes, for each creator on their time, but not what is still to be told', async () => {
    const endpointId = id();
    await rows(
      `insert into outgoing_endpoints (creator_id, id, url, secret, types, created_at)
       values ($1, $2, 'https://tool.example', 'sealed', '{}', now())`,
      [creatorId, endpointId],
    );
    for (const [days, state] of [
      [31, 'delivered'],
      [31, 'queued'],
      [29, 'failed'],
      [6, 'delivered'],
    ] as const) {
      await rows(
        `insert into outgoing_events (creator_id, endpoint_id, type, data, happened_at, state, due_at, expires_at)
         values ($1, $2, 'click', '{}', $3, $4, $3, $3)`,
        [creatorId, endpointId, daysAgo(days), state],
      );
    }
    await forget();
    const left = () => rows('select state from outgoing_events where creator_id = $1 order by happened_at');
    expect(await left()).toEqual([{ state: 'queued' }, { state: 'failed' }, { state: 'delivered' }]);
    await choose({ webhookLog: 7 });
    await forget();
    expect(await left()).toEqual([{ state: 'queued' }, { state: 'delivered' }]);
  });

  test('webhooks that could not be worked off, the audit log and visits go', async () => {
    for (const days of [29, 31]) {
      await rows(`insert into parked_events (shard, received_at, body, error, parked_at) values (0, $1, '', '', $1)`, [
        daysAgo(days),
      ]);
    }
    for (const days of [364, 366]) {
      await rows(`insert into audit_log (id, at, admin_name, what) values ($1, $2, 'Sam', 'Entered')`, [
        id(),
        daysAgo(days),
      ]);
      await rows(
        `insert into admin_visits (creator_id, id, admin_name, reason, started_at, until) values ($1, $2, 'Sam', '', $3, $3)`,
        [creatorId, id(), daysAgo(days)],
      );
    }
    await forget();
    for (const table of ['parked_events', 'audit_log', 'admin_visits']) {
      expect(await rows(`select from ${table}`, []), table).toHaveLength(1);
    }
  });

  test('tokens that let nobody in any more go three months later', async () => {
    const userId = id();
    await rows(`insert into users (id, name, email) values ($1, 'Anna', 'anna@x.test')`, [userId]);
    const add = (name: string, expires: Date | null, revoked: Date | null) =>
      rows(
        `insert into api_tokens (creator_id, id, user_id, name, token_hash, prefix, scopes, created_at, expires_at, revoked_at)
         values ($1, $2, $3, $4, gen_random_uuid()::text, 'x', '{}', now(), $5, $6)`,
        [creatorId, id(), userId, name, expires, revoked],
      );
    await add('for ever', null, null);
    await add('expired lately', daysAgo(80), null);
    await add('expired', daysAgo(92), null);
    await add('revoked', daysAgo(-100), daysAgo(92));
    await forget();
    expect(await rows('select name from api_tokens where creator_id = $1 order by name')).toEqual([
      { name: 'expired lately' },
      { name: 'for ever' },
    ]);
  });

  test('pictures of stories go when they are old, and when the creator took the story down', async () => {
    const HOUR_MS = 3_600_000;
    const story = async (name: string, days: number, endedAfterHours: number | null) => {
      const posted = daysAgo(days);
      const ended_at = endedAfterHours === null ? null : new Date(posted.getTime() + endedAfterHours * HOUR_MS);
      await insertStory(db, creatorId, connectionId, { id: name, posted_at: posted, ended_at });
      await rows(
        `insert into story_pictures (creator_id, story_id, content_type, bytes) values ($1, $2, 'image/png', 'x')`,
        [creatorId, name],
      );
    };
    await story('runs', 0, null);
    await story('taken down', 1, 3);
    await story('over', 30, 24);
    await story('old', 366, 24);
    await forget();
    expect(await rows('select story_id from story_pictures where creator_id = $1 order by 1')).toEqual([
      { story_id: 'over' },
      { story_id: 'runs' },
    ]);
    expect(await count('stories')).toBe(4);
  });

  test('webhooks that are worked off do not lie in the log, however few they are', async () => {
    const add = () =>
      rows(
        `insert into event_log (slot, shard, received_at, body)
         select slot, 3, now() - interval '11 minutes', 'words' from generate_series(0, 2) as slot`,
        [],
      );
    await add();
    // Whichever part's turn is next: what still waits is not emptied.
    expect(await emptyWorkedOff(db.enginePool)).toBe(false);
    await rows('update event_log_positions set done_to = (select max(id) from event_log)', []);
    expect(await emptyWorkedOff(db.enginePool)).toBe(true);
    expect(await rows('select from event_log', [])).toHaveLength(2);
  });
});

test('one creator whose data cannot be deleted does not keep that of others', async () => {
  const other = id();
  await rows('insert into creators (id, handle) values ($1, $2)', [other, other.slice(-12)]);
  const hindered = await insertInteraction(db, creatorId, connectionId, { received_at: daysAgo(400) });
  await insertInteraction(db, other, await insertConnection(db, other), { received_at: daysAgo(400) });
  const admin = new pg.Client({ connectionString: db.connectionString });
  await admin.connect();
  await admin.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
     create trigger refuse before delete on interactions for each row when (old.id = '${hindered}') execute function refuse()`,
  );
  await admin.end();
  await forget();
  expect(await rows('select id from interactions', [])).toEqual([{ id: hindered }]);
});
