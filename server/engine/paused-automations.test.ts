import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { pauseWebhooks } from '#server/features/connections/paused-webhooks.ts';
import { control } from '#server/features/queue/queue.ts';
import type { Engine } from './engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from './testing/engine-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CONFIG = readConfig({ SIMULATORS: 'on' });
const ANNA = '01890000-0000-7000-8000-000000000001';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

async function sentTo(commentId: string) {
  const [deliveries] = await world.simulator.control.deliveries([commentId]);
  return deliveries?.privateReplies ?? 0;
}

async function outcomes(creator: WorldCreator) {
  return (await world.interactions(creator)).map(({ outcome, reason }) => `${outcome}: ${reason}`);
}

async function pause(engine: Engine, platform: 'instagram' | 'facebook', on: boolean) {
  const changed = await pauseWebhooks(world.db, platform, on, world.clock.now());
  // The effect of the change's signal.
  await engine.refreshAll();
  return changed;
}

async function creatorWhoAnswers(followers = 2) {
  const creator = await world.addCreator({ followers: Array.from({ length: followers }, () => ({})) });
  await world.addAutomation(creator);
  return { creator, engine: await world.startEngine() };
}

async function commentOf(creator: WorldCreator, person: number) {
  const comment = await world.comment(creator, { text: 'recipe', person });
  await world.deliver(comment);
  return comment;
}

describe('while the webhooks of its platform are paused', () => {
  test('nothing goes out; afterwards everything does that came meanwhile, once', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    const before = await commentOf(creator, 0);
    engine.deliveriesQueued(creator.creatorId, creator.connectionId);
    while ((await engine.ingestOnce()) > 0);
    const changed = await pause(engine, 'instagram', true);
    expect(changed).toBe(1);
    const meanwhile = await commentOf(creator, 1);
    await world.settle(engine, 10 * MINUTE_MS);
    expect(await outcomes(creator)).toEqual(['waiting: paused', 'waiting: paused']);
    expect(await Promise.all([before, meanwhile].map(({ id }) => sentTo(id)))).toEqual([0, 0]);

    await pause(engine, 'instagram', false);
    expect(await outcomes(creator)).toEqual(['waiting: queued', 'waiting: queued']);
    await world.settle(engine, 10 * MINUTE_MS);
    expect(await outcomes(creator)).toEqual(['replied: sent', 'replied: sent']);
    expect(await Promise.all([before, meanwhile].map(({ id }) => sentTo(id)))).toEqual([1, 1]);
  });

  test('a worker that restarts sends nothing either', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    const comment = await commentOf(creator, 0);
    engine.deliveriesQueued(creator.creatorId, creator.connectionId);
    while ((await engine.ingestOnce()) > 0);
    await pause(engine, 'instagram', true);
    const other = await world.startEngine();
    await other.sweep();
    await world.settle(other, 10 * MINUTE_MS);
    expect(await sentTo(comment.id)).toBe(0);
    await pause(other, 'instagram', false);
    await world.settle(other, 10 * MINUTE_MS);
    expect(await sentTo(comment.id)).toBe(1);
  });

  test('another platform is not held up, and a second pause changes nothing', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    expect(await pause(engine, 'facebook', true)).toBe(0);
    const comment = await commentOf(creator, 0);
    await world.settle(engine, MINUTE_MS);
    expect(await sentTo(comment.id)).toBe(1);
    await pause(engine, 'instagram', true);
    expect(await pause(engine, 'instagram', true)).toBe(0);
    await pause(engine, 'instagram', false);
    expect(await pause(engine, 'instagram', false)).toBe(0);
  });

  test('an account that is disconnected meanwhile keeps no pause', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    await pause(engine, 'instagram', true);
    const setEnd = (disconnected_at: Date | null) =>
      world.db.engine
        .updateTable('connections')
        .set({ disconnected_at })
        .where('id', '=', creator.connectionId)
        .execute();
    await setEnd(world.clock.now());
    await pause(engine, 'instagram', false);
    await setEnd(null);
    await engine.connectionChanged(creator.creatorId, creator.connectionId);
    const comment = await commentOf(creator, 0);
    await world.settle(engine, MINUTE_MS);
    expect(await sentTo(comment.id)).toBe(1);
  });

  test('what must be connected again waits for that', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    await world.simulator.control.killTokens({ subjectId: creator.instagramAccountId, reason: 'password_changed' });
    await commentOf(creator, 0);
    await world.settle(engine, MINUTE_MS);
    await pause(engine, 'instagram', true);
    await pause(engine, 'instagram', false);
    await world.settle(engine, MINUTE_MS);
    expect(await outcomes(creator)).toEqual(['waiting: needs_reconnect']);
  });
});

describe('what the creator chooses for their queue', () => {
  beforeAll(() =>
    world.db.enginePool.query(`insert into users (id, name, email) values ($1, 'Anna', 'anna@example.com')`, [ANNA]),
  );
  const sentCounts = (comments: { id: string }[]) => Promise.all(comments.map(({ id }) => sentTo(id)));
  /** The effect of the screen's call. */
  const choose = async (engine: Engine, creator: WorldCreator, change: Parameters<typeof control>[3]) => {
    const { creatorId, connectionId } = creator;
    await world.db.withCreator(creatorId, (trx) =>
      control({ clock: world.clock, config: CONFIG }, trx, { creatorId, connectionId }, change, ANNA),
    );
    await engine.queueChanged(creatorId, connectionId);
  };

  test('paused, nothing arrives at Meta; resumed, everything does, once', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    await choose(engine, creator, { paused: true });
    const comments = [await commentOf(creator, 0), await commentOf(creator, 1)];
    await world.settle(engine, 3 * HOUR_MS);
    expect(await sentCounts(comments)).toEqual([0, 0]);
    await choose(engine, creator, { paused: false });
    await world.settle(engine, MINUTE_MS);
    expect(await sentCounts(comments)).toEqual([1, 1]);
  });

  test('slowed down, Meta gets the share of an hour that was chosen, and the rest when it ends', async () => {
    const { creator, engine } = await creatorWhoAnswers(9);
    // Of 750 an hour: seven.
    await choose(engine, creator, { slow: { toPercent: 1, minutes: 30 } });
    const comments = await Promise.all(creator.followers.map((_, person) => commentOf(creator, person)));
    await world.settle(engine, 29 * MINUTE_MS);
    expect((await sentCounts(comments)).toSorted()).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1]);
    await world.settle(engine, 31 * MINUTE_MS);
    expect(await sentCounts(comments)).toEqual(Array(9).fill(1));
  });
});

describe('while its creator is to be deleted', () => {
  const setDeletion = async (engine: Engine, { creatorId }: WorldCreator, at: Date | null) => {
    await world.db.engine.updateTable('creators').set({ delete_at: at }).where('id', '=', creatorId).execute();
    engine.automationsChanged(creatorId);
  };

  test('nobody is answered, where one can see it; afterwards new comments are', async () => {
    const { creator, engine } = await creatorWhoAnswers();
    const before = await commentOf(creator, 0);
    while ((await engine.ingestOnce()) > 0);
    await setDeletion(engine, creator, new Date(world.clock.now().getTime() + 14 * 24 * 60 * MINUTE_MS));
    const meanwhile = await commentOf(creator, 1);
    await world.settle(engine, MINUTE_MS);
    expect((await outcomes(creator)).toSorted()).toEqual(['missed: being_deleted', 'missed: being_deleted']);
    expect(await Promise.all([before, meanwhile].map(({ id }) => sentTo(id)))).toEqual([0, 0]);

    await setDeletion(engine, creator, null);
    const after = await commentOf(creator, 0);
    await world.settle(engine, MINUTE_MS);
    expect(await sentTo(after.id)).toBe(1);
    expect(await Promise.all([before, meanwhile].map(({ id }) => sentTo(id)))).toEqual([0, 0]);
  });
});
