/** Several engines on one database: who works what, and what becomes of a shard that changes hands. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';

let world: EngineWorld;
afterEach(() => world.close());

async function twoEngines(limits = {}): Promise<{ engines: [Engine, Engine]; creators: WorldCreator[] }> {
  world = await createEngineWorld({ limits });
  const creators = [];
  for (let count = 0; count < 12; count++) creators.push(await world.addCreator());
  for (const creator of creators) await world.addAutomation(creator, { repeatAfterMinutes: null });
  const engines: [Engine, Engine] = [await world.startEngine(), await world.startEngine()];
  // The second took over everything; within two turns they have half each.
  await takeTurns(engines);
  await takeTurns(engines);
  return { engines, creators };
}

async function takeTurns(engines: Engine[]): Promise<void> {
  for (const engine of engines) await engine.holdShards(false);
}

async function sizes(): Promise<number[]> {
  const { rows } = await world.db.enginePool.query(
    'select count(*)::int as count from shard_leases where holder is not null group by holder order by 1',
  );
  return rows.map(({ count }) => count);
}

/** Returns how many messages the followers got, by comment. */
async function commentAndWorkOff(creators: WorldCreator[], engines: Engine[], person = 0): Promise<number[]> {
  const comments = [];
  for (const creator of creators) comments.push(await world.comment(creator, { text: 'recipe please', person }));
  for (const comment of comments) await world.deliver(comment);
  // At the same time, as in processes of their own.
  await Promise.all(engines.map(workOff));
  const delivered = await world.simulator.control.deliveries(comments.map(({ id }) => id));
  return delivered.map(({ privateReplies }) => privateReplies);
}

async function workOff(engine: Engine): Promise<void> {
  while ((await engine.ingestOnce()) > 0);
  while ((await engine.dispatchOnce()) > 0);
}

describe('two engines', () => {
  test('have half of the shards each, and send everything once', async () => {
    const { engines, creators } = await twoEngines();
    expect(await sizes()).toEqual([8, 8]);
    expect(await commentAndWorkOff(creators, engines)).toEqual(creators.map(() => 1));
  });

  test('become one when one ends, and two again when another one comes', async () => {
    const { engines, creators } = await twoEngines();
    const [first, second] = engines;
    await first.stop();
    await takeTurns([second]);
    expect(await sizes()).toEqual([16]);
    expect(await commentAndWorkOff(creators, [second])).toEqual(creators.map(() => 1));

    const third = await world.startEngine();
    await takeTurns([second, third]);
    await takeTurns([second, third]);
    expect(await sizes()).toEqual([8, 8]);
    expect(await commentAndWorkOff(creators, [second, third], 1)).toEqual(creators.map(() => 1));
  });

  test('keep to the limits of an account whose shard changes hands', async () => {
    const { engines, creators } = await twoEngines({ privateRepliesPerHour: 1 });
    const [first, second] = engines;
    expect(await commentAndWorkOff(creators, engines)).toEqual(creators.map(() => 1));
    await first.stop();
    await takeTurns([second]);
    expect(await commentAndWorkOff(creators, [second], 1)).toEqual(creators.map(() => 0));
    await world.advance(3_600_000);
    await workOff(second);
    for (const creator of creators) {
      expect((await world.interactions(creator)).map(({ outcome }) => outcome)).toEqual(['replied', 'replied']);
    }
  });

  test('hand a shard over with nothing under way', async () => {
    const { engines, creators } = await twoEngines();
    const [first, second] = engines;
    await first.stop();
    await takeTurns([second]);
    const comments = [];
    for (const creator of creators) comments.push(await world.comment(creator, { text: 'recipe please' }));
    for (const comment of comments) await world.deliver(comment);
    while ((await second.ingestOnce()) > 0);
    // On their way to Meta when another worker says that it is there.
    await second.claimAndCall();
    await world.db.enginePool.query('insert into worker_heartbeats (worker_id, seen_at) values ($1, now())', [
      world.ids.uuid(world.clock.now()),
    ]);
    await takeTurns([second]);
    expect(await sizes()).toEqual([8]);
    const { rows } = await world.db.enginePool.query(
      `select count(*)::int as count from deliveries d join connections c on c.id = d.connection_id
       join shard_leases s on s.shard = c.shard where d.state = 'sending' and s.holder is null`,
    );
    expect(rows).toEqual([{ count: 0 }]);
    const third = await world.startEngine();
    await world.settle(third);
    const delivered = await world.simulator.control.deliveries(comments.map(({ id }) => id));
    expect(delivered.map(({ privateReplies }) => privateReplies)).toEqual(creators.map(() => 1));
  });
});
