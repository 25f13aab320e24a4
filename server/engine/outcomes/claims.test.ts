import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { claim } from '#server/engine/outcomes/claims.ts';
import { insertDelivery } from '#server/engine/testing/delivery-rows.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';

const MINUTE_MS = 60_000;

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

describe('when Meta', () => {
  const sentTo = async (commentId: string) =>
    (await world.simulator.control.deliveries([commentId]))[0]?.privateReplies ?? 0;

  async function asking(creator: WorldCreator, person = 0) {
    const comment = await world.comment(creator, { text: 'recipe', person });
    await world.deliver(comment);
    return comment.id;
  }

  const meet = (creator: WorldCreator, code: number, subcode?: number) =>
    world.simulator.control.addFault({
      match: { operation: 'private_reply', accountId: creator.instagramAccountId },
      action: { kind: 'error', code, ...(subcode !== undefined && { subcode }) },
      times: 1,
    });

  async function answering() {
    const creator = await world.addCreator();
    await world.addAutomation(creator);
    return creator;
  }

  test('limits the whole app, nobody’s messages go out until it is over, whether they waited or not', async () => {
    const [one, other] = [await answering(), await answering()];
    const engine = await world.startEngine();
    await meet(one, 4);
    const asked = [await asking(one)];
    await engine.ingestOnce();
    await engine.dispatchOnce();
    const limitedAt = world.clock.now().getTime();
    for (const person of [0, 1]) {
      asked.push(await asking(other, person));
      await engine.ingestOnce();
      expect(await engine.dispatchOnce()).toBe(0);
      engine.deliveriesQueued(other.creatorId, other.connectionId);
    }
    expect(await Promise.all(asked.map(sentTo))).toEqual([0, 0, 0]);
    expect(engine.nextDispatchAt()).toBe(limitedAt + 5 * MINUTE_MS);
    await world.advance(5 * MINUTE_MS - 1);
    expect(await engine.dispatchOnce()).toBe(0);
    await world.settle(engine, 60 * MINUTE_MS);
    expect(await Promise.all(asked.map(sentTo))).toEqual([1, 1, 1]);
  });

  test('bars an account again, the bar is longer, and no sign-in cuts it short or is a new beginning', async () => {
    const creator = await answering();
    let engine = await world.startEngine();
    const signInAgain = async () => {
      const subjectId = creator.instagramAccountId;
      const { token } = await world.simulator.control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId });
      await world.reconnect(creator, token);
      await engine.connectionChanged(creator.creatorId, creator.connectionId);
    };
    const minutes: number[] = [];
    for (const person of [0, 1, 2]) {
      await meet(creator, 10, 1_893_063);
      const asked = await asking(creator, person);
      await engine.ingestOnce();
      await engine.dispatchOnce();
      const barredAt = world.clock.now().getTime();
      await signInAgain();
      minutes.push((engine.nextDispatchAt() - barredAt) / MINUTE_MS);
      expect(await engine.dispatchOnce()).toBe(0);
      // Another worker knows it too.
      engine = await world.startEngine();
      minutes.push((engine.nextDispatchAt() - barredAt) / MINUTE_MS);
      await world.settle(engine, 24 * 60 * MINUTE_MS);
      expect(await sentTo(asked)).toBe(1);
    }
    expect(minutes).toEqual([30, 30, 60, 60, 120, 120]);
  });
});

// The last ones: what they leave behind waits for nobody.
describe('a claim', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  const worker = systemIds.uuid(now);

  /** A connection with three who wait, by priority and hours until they are too late; the lease is the worker's. */
  async function waiting(sorted: 'deadline' | 'newest') {
    const creatorId = systemIds.uuid(now);
    await world.db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [
      creatorId,
      creatorId.slice(-12),
    ]);
    const connectionId = await insertConnection(world.db, creatorId);
    await world.db.enginePool.query(
      'insert into queue_controls (creator_id, connection_id, sorted, changed_at) values ($1, $2, $3, now())',
      [creatorId, connectionId, sorted],
    );
    await setLease(worker, '1 hour');
    const names = new Map<string, string>();
    for (const [name, priority, hours] of [
      ['by hand', 9, 40],
      ['first post', 5, 30],
      ['dies first', 0, 10],
      ['newest', 0, 50],
    ] as const) {
      const interactionId = await insertInteraction(world.db, creatorId, connectionId);
      const expires_at = new Date(now.getTime() + hours * 60 * MINUTE_MS);
      const over = { state: 'queued', called_at: null, due_at: now, priority, expires_at } as const;
      names.set(await insertDelivery(world.db, creatorId, connectionId, interactionId, over), name);
    }
    return async () => {
      const lanes = [{ connectionId, lane: 'private_replies' as const, most: 1 }];
      const claimed = await claim(world.db.enginePool, worker, systemIds.uuid(now), now, lanes);
      return claimed.map(({ id }) => names.get(id));
    };
  }

  const setLease = (holder: string, lasts: string) =>
    world.db.enginePool.query(`update shard_leases set holder = $1, expires_at = now() + $2::interval`, [
      holder,
      lasts,
    ]);

  test.each([
    ['deadline', ['by hand', 'first post', 'dies first', 'newest']],
    ['newest', ['by hand', 'first post', 'newest', 'dies first']],
  ] as const)('takes what has priority first, then by %s', async (sorted, order) => {
    const next = await waiting(sorted);
    const claimed = [];
    for (let n = 0; n < 5; n++) claimed.push(await next());
    expect(claimed).toEqual([...order.map((name) => [name]), []]);
  });

  test('takes nothing once the lease has run out or is another worker’s', async () => {
    const next = await waiting('deadline');
    await setLease(worker, '-1 second');
    expect(await next()).toEqual([]);
    await setLease(systemIds.uuid(now), '1 hour');
    expect(await next()).toEqual([]);
    await setLease(worker, '1 hour');
    expect(await next()).toEqual(['by hand']);
  });
});
