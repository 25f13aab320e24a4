import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { deletingOldest } from '#server/engine/holds.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { beginHistoryAt } from '#server/features/retention/queries.ts';
import { insertPost } from '#server/testing/rows.ts';
import { catchUpJobs, type ReconcileDeps, reconcile } from './reconcile.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: EngineWorld;
let engine: Engine;
let deps: ReconcileDeps;
const pacing = new Map();
beforeAll(async () => {
  world = await createEngineWorld();
  engine = await world.startEngine();
  deps = { ...world, speakerOf: world.speakerOf, log: pino({ level: 'silent' }) };
});
afterAll(() => world.close());

/** A creator with a post of now and an automation that listens. */
async function creatorWithPost(given: { listens?: boolean; postedAt?: Date } = {}) {
  const creator = await world.addCreator();
  const postId = await addPost(creator, 0, given.postedAt);
  if (given.listens !== false) await world.addAutomation(creator);
  engine.automationsChanged(creator.creatorId);
  return { creator, postId };
}

/** @returns its id */
async function addPost(creator: WorldCreator, post: number, postedAt = world.clock.now()) {
  const id = creator.posts[post]!.mediaId;
  await insertPost(world.db, creator.creatorId, creator.connectionId, { id, posted_at: postedAt, comments_count: 0 });
  return id;
}

async function readAndWorkOff() {
  const found = await reconcile(deps, pacing);
  await world.settle(engine, MINUTE_MS);
  return found;
}

async function outcomes(creator: WorldCreator) {
  const rows = await world.db.engine
    .selectFrom('interactions')
    .select(['text', 'outcome', 'reason', 'found_by_reading as found'])
    .where('creator_id', '=', creator.creatorId)
    .orderBy('occurred_at')
    .orderBy('text')
    .execute();
  return rows.map(({ text, outcome, reason, found }) => `${text}: ${outcome} ${reason}${found ? ', found' : ''}`);
}

async function readingOf(postId: string) {
  return world.db.engine
    .selectFrom('comment_readings')
    .selectAll()
    .where('post_id', '=', postId)
    .executeTakeFirstOrThrow();
}

describe('reading the comments of a post', () => {
  test('finds what no webhook told of, replies too, and answers it; what was told changes nothing', async () => {
    const { creator, postId } = await creatorWithPost();
    const told = await world.comment(creator, { text: 'recipe, told', person: 0 });
    await world.deliver(told);
    await world.comment(creator, { text: 'recipe, lost', person: 1 });
    await world.comment(creator, { text: 'recipe, a lost reply', person: 2, parentId: told.id });
    await world.comment(creator, { text: 'thanks', by: 'owner' });
    await world.settle(engine, MINUTE_MS);

    expect(await readAndWorkOff()).toBe(3);
    expect((await outcomes(creator)).toSorted()).toEqual([
      'recipe, a lost reply: replied sent, found',
      'recipe, lost: replied sent, found',
      'recipe, told: replied sent',
      'thanks: skipped own_comment, found',
    ]);
    const deliveries = await world.simulator.control.deliveries([told.id]);
    expect(deliveries[0]!.privateReplies).toBe(1);
    const reading = await readingOf(postId);
    expect(reading).toMatchObject({ platform_counted: 4, listed: 4, seen: 4, cursor: null, failures: 0 });

    await world.advance(2 * MINUTE_MS);
    expect(await readAndWorkOff()).toBe(0);
  });

  test('a webhook that comes after our reading changes nothing', async () => {
    const { creator } = await creatorWithPost();
    const late = await world.comment(creator, { text: 'recipe, late', person: 0 });
    expect(await readAndWorkOff()).toBe(1);
    await world.deliver(late);
    await world.settle(engine, MINUTE_MS);
    expect(await outcomes(creator)).toEqual(['recipe, late: replied sent, found']);
    expect((await world.simulator.control.deliveries([late.id]))[0]!.privateReplies).toBe(1);
  });

  test('does not find again what is deleted because of its age, and its figure goes on adding up', async () => {
    const { creator, postId } = await creatorWithPost();
    const { creatorId } = creator;
    await world.comment(creator, { text: 'recipe, once', person: 0 });
    await world.comment(creator, { text: 'nice', person: 1 });
    expect(await readAndWorkOff()).toBe(2);
    await world.advance(MINUTE_MS);
    await beginHistoryAt(world.db, creatorId, world.clock.now());
    expect(await deletingOldest(world.db, { creatorId, before: world.clock.now(), clearedTo: null, most: 100 })()).toBe(
      2,
    );
    await world.comment(creator, { text: 'young', person: 2 });
    await world.db.engine
      .updateTable('comment_readings')
      .set({ next_at: world.clock.now(), read_to: null, whole_at: null })
      .where('post_id', '=', postId)
      .execute();
    expect(await readAndWorkOff()).toBe(1);
    expect(await outcomes(creator)).toEqual(['young: skipped no_match, found']);
    expect(await readingOf(postId)).toMatchObject({ platform_counted: 3, listed: 3, seen: 3 });
  });

  test('leaves to a catch-up what came before the automation was on', async () => {
    const { creator } = await creatorWithPost({ listens: false });
    await world.comment(creator, { text: 'recipe, early', person: 0 });
    await world.advance(MINUTE_MS);
    await world.addAutomation(creator);
    engine.automationsChanged(creator.creatorId);
    await readAndWorkOff();
    expect(await outcomes(creator)).toEqual(['recipe, early: skipped before_it_was_on, found']);
  });

  test('goes through many pages, and goes on where it broke off', async () => {
    const { creator, postId } = await creatorWithPost({ listens: false });
    const personId = creator.followers[0]!.personId;
    const many = Array.from({ length: 120 }, (_, n) => ({
      mediaId: postId,
      personId,
      text: `nice ${n}`,
      notify: false,
    }));
    await world.simulator.control.commentMany(many);
    const calls = { count: 0 };
    const failing: ReconcileDeps = {
      ...deps,
      meta: {
        ...world.meta,
        comments: async (call) => {
          calls.count++;
          if (calls.count !== 2) return world.meta.comments(call);
          return { ok: false, verdict: { kind: 'retry', detail: 'A hiccup.' }, error: null, status: 500, usage: null };
        },
      },
    };
    await reconcile(failing, pacing);
    await world.settle(engine, MINUTE_MS);
    expect(await readingOf(postId)).toMatchObject({ listed_so_far: 50, failures: 1 });
    await world.advance(2 * MINUTE_MS);
    await readAndWorkOff();
    expect((await outcomes(creator)).length).toBe(120);
    expect(await readingOf(postId)).toMatchObject({ listed: 120, seen: 120, platform_counted: 120, failures: 0 });
  });

  test('reads at once when a connection works again, and never while it does not', async () => {
    const { creator, postId } = await creatorWithPost();
    await readAndWorkOff();
    const setHeldUp = (at: Date | null) =>
      world.db.engine
        .updateTable('connections')
        .set({ webhooks_paused_at: at })
        .where('id', '=', creator.connectionId)
        .execute();
    await setHeldUp(world.clock.now());
    await world.comment(creator, { text: 'recipe, meanwhile', person: 0 });
    await world.advance(MINUTE_MS);
    expect(await reconcile(deps, pacing)).toBe(0);
    await setHeldUp(null);
    await engine.refreshAll();
    expect(await readAndWorkOff()).toBe(1);
    expect(await outcomes(creator)).toEqual(['recipe, meanwhile: replied sent, found']);
    expect((await readingOf(postId)).failures).toBe(0);
  });

  test('stops reading an account for as long as the platform wants', async () => {
    const { creator, postId } = await creatorWithPost();
    await world.simulator.control.updateSettings({
      usage: [{ accountId: creator.instagramAccountId, type: 'instagram', percent: 100, regainMinutes: 30 }],
    });
    await world.comment(creator, { text: 'recipe, slow', person: 0 });
    expect(await reconcile(deps, pacing)).toBe(0);
    await world.simulator.control.updateSettings({ usage: [] });
    await world.advance(10 * MINUTE_MS);
    expect(await reconcile(deps, pacing)).toBe(0);
    expect((await readingOf(postId)).read_to).toBeNull();
    await world.advance(25 * MINUTE_MS);
    expect(await readAndWorkOff()).toBe(1);
  });

  test('a reconnect does not cut short the time for which the platform wants no reading', async () => {
    const { creator } = await creatorWithPost();
    const { control } = world.simulator;
    const subjectId = creator.instagramAccountId;
    await control.updateSettings({
      usage: [{ accountId: subjectId, type: 'instagram', percent: 100, regainMinutes: 30 }],
    });
    const comment = await world.comment(creator, { text: 'recipe, told of', person: 0 });
    expect(await reconcile(deps, pacing)).toBe(0);
    await control.updateSettings({ usage: [] });
    await control.killTokens({ subjectId, reason: 'password_changed' });
    await world.deliver(comment);
    await world.settle(engine, MINUTE_MS);
    expect(await outcomes(creator)).toEqual(['recipe, told of: waiting needs_reconnect']);
    await world.reconnect(creator, (await control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId })).token);
    await engine.connectionChanged(creator.creatorId, creator.connectionId);
    await world.settle(engine, MINUTE_MS);
    // Nothing but the account's own wait keeps it from being read.
    await addPost(creator, 1);
    await world.comment(creator, { text: 'recipe, slow', person: 1, post: 1 });
    await world.advance(10 * MINUTE_MS);
    expect(await reconcile(deps, pacing)).toBe(0);
    await world.advance(25 * MINUTE_MS);
    expect(await readAndWorkOff()).toBe(1);
    expect(await outcomes(creator)).toEqual(['recipe, slow: replied sent, found', 'recipe, told of: replied sent']);
  });

  test('asks for quiet old posts only when their number changed', async () => {
    const { postId } = await creatorWithPost({ postedAt: new Date(world.clock.now().getTime() - 20 * DAY_MS) });
    await reconcile(deps, pacing);
    await world.advance(DAY_MS);
    await readAndWorkOff();
    const asked = { count: 0 };
    const counting: ReconcileDeps = {
      ...deps,
      meta: {
        ...world.meta,
        comments: (call) => {
          asked.count++;
          return world.meta.comments(call);
        },
      },
    };
    const setCount = (comments_count: number) =>
      world.db.engine.updateTable('posts').set({ comments_count }).where('id', '=', postId).execute();
    const readTomorrow = async () => {
      await world.db.engine
        .updateTable('comment_readings')
        .set({ next_at: new Date('2030-01-01') })
        .execute();
      await world.db.engine
        .updateTable('comment_readings')
        .set({ next_at: world.clock.now() })
        .where('post_id', '=', postId)
        .execute();
      await reconcile(counting, pacing);
      return asked.count;
    };
    expect(await readTomorrow()).toBe(0);
    await setCount(3);
    expect(await readTomorrow()).toBe(1);
  });

  test('counts a comment once that is worked off while its post is read', async () => {
    const { creator, postId } = await creatorWithPost();
    for (const person of [0, 1]) await world.comment(creator, { text: 'recipe', person });
    const append: ReconcileDeps['eventLog']['append'] = async (events) => {
      await world.eventLog.append(events);
      await world.settle(engine, MINUTE_MS);
    };
    expect(await reconcile({ ...deps, eventLog: { append } }, pacing)).toBe(2);
    expect(await readingOf(postId)).toMatchObject({ platform_counted: 2, listed: 2, seen: 2 });
  });

  test('asks 1,200 times an hour at most, and goes on when an hour is over', async () => {
    const { postId } = await creatorWithPost({ listens: false });
    await reconcile(deps, pacing);
    await world.db.engine
      .updateTable('comment_readings')
      .set({ next_at: new Date('2030-01-01') })
      .execute();
    let calls = 0;
    const comments: ReconcileDeps['meta']['comments'] = async () => {
      calls++;
      return { ok: true, data: { items: [], after: 'more' }, usage: null };
    };
    const own = new Map();
    const read = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await world.db.engine
          .updateTable('comment_readings')
          .set({ next_at: world.clock.now() })
          .where('post_id', '=', postId)
          .execute();
        await reconcile({ ...deps, meta: { ...world.meta, comments } }, own);
      }
      return calls;
    };
    expect(await read(30)).toBe(1200);
    expect(await read(1)).toBe(1200);
    const { next_at, failures } = await readingOf(postId);
    expect([next_at.getTime() - world.clock.now().getTime(), failures]).toEqual([5 * MINUTE_MS, 0]);
    await world.advance(60 * MINUTE_MS - 1000);
    expect(await read(1)).toBe(1200);
    await world.advance(1000);
    expect(await read(1)).toBe(1240);
  });

  // The last one: it moves the clock, and keeps what it found from the engine.
  test('takes what it finds in the order in which it was written, replies too', async () => {
    const { creator } = await creatorWithPost();
    const first = await world.comment(creator, { text: 'recipe, first', person: 0 });
    await world.advance(MINUTE_MS);
    await world.comment(creator, { text: 'recipe, second', person: 1 });
    await world.advance(MINUTE_MS);
    await world.comment(creator, { text: 'recipe, a reply to the first', person: 2, parentId: first.id });
    const taken: string[] = [];
    const append = async (events: { body: string | Buffer }[]) => {
      taken.push(...events.map(({ body }) => body.toString()));
    };
    await reconcile({ ...deps, eventLog: { append } as ReconcileDeps['eventLog'] }, pacing);
    const texts = taken.join().match(/recipe, [a-z ]+/g);
    expect(texts).toEqual(['recipe, first', 'recipe, second', 'recipe, a reply to the first']);
  });
});

test('posts that are due are looked for every 15 seconds, unread messages every two', () => {
  expect(catchUpJobs.map(({ name, everyMs }) => [name, everyMs])).toEqual([
    ['read-comments', 15_000],
    ['read-messages', 2_000],
  ]);
});
