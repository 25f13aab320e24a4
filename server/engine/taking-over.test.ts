/** Who takes a shard over keeps to the limits that its predecessors have used up; who slept says nothing of what is others' now. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALL_WITHIN_MS } from '#server/engine/sending/dispatcher.ts';
import { RETRY_AFTER_MS } from '#server/engine/sending/results.ts';
import type { MetaClient } from '#server/platforms/meta/client.ts';
import type { GraphLedgerEntry } from '#simulators/meta/control/types.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from './testing/engine-world.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld({ limits: { privateRepliesPerHour: 4, messagesPerSecond: 3 } });
});
afterAll(() => world.close());

/** A worker whose calls are made, and which is gone before their answers come. */
async function dyingWorker(expectedCalls: number) {
  const { promise: called, resolve } = Promise.withResolvers<void>();
  let made = 0;
  const meta = {
    ...world.meta,
    privateReply: async (call: never) => {
      await world.meta.privateReply(call);
      if (++made === expectedCalls) resolve();
      return new Promise(() => {});
    },
  } as unknown as MetaClient;
  return { engine: await world.startEngine({ meta }), called };
}

async function callsTo(creator: WorldCreator): Promise<number[]> {
  const accountId = creator.instagramAccountId;
  const ledger = (await world.simulator.control.ledger({ kind: 'graph', accountId })) as GraphLedgerEntry[];
  return ledger.filter(({ operation }) => operation === 'private_reply').map(({ at }) => at);
}

test('calls that were made again count as often as they were made', async () => {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  for (let worker = 0; worker < 3; worker++) {
    const { engine, called } = await dyingWorker(1);
    await engine.ingestOnce();
    await engine.claimAndCall();
    await called;
    await world.advance(60_000);
  }
  expect(await callsTo(creator)).toHaveLength(3);
  for (const person of [1, 2]) await world.deliver(await world.comment(creator, { text: 'recipe', person }));
  const engine = await world.startEngine();
  await engine.ingestOnce();
  while ((await engine.dispatchOnce()) > 0);
  // One try more of the first is all that is left of this hour.
  expect(await callsTo(creator)).toHaveLength(4);
  await world.settle(engine);
  expect((await world.interactions(creator)).map(({ outcome }) => outcome)).toEqual(['replied', 'replied', 'replied']);
});

test('what was claimed a moment ago counts as called now', async () => {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  for (const person of [0, 1, 2]) await world.deliver(await world.comment(creator, { text: 'recipe', person }));
  const { engine: dying, called } = await dyingWorker(3);
  await dying.ingestOnce();
  // Written as sending; called a little later than that.
  await world.advance(2000);
  await dying.claimAndCall();
  await called;
  const engine = await world.startEngine();
  while ((await engine.dispatchOnce()) > 0);
  expect(await callsTo(creator)).toHaveLength(3);
  await world.settle(engine);
});

/** A worker whose one call is refused, and which hears of it when `wake` is called: it slept meanwhile. */
async function sleepingWorker() {
  const { promise: called, resolve } = Promise.withResolvers<void>();
  const { promise: awake, resolve: wake } = Promise.withResolvers<void>();
  const meta = {
    ...world.meta,
    privateReply: async () => {
      resolve();
      await awake;
      return { verdict: { kind: 'refused', reason: 'message_rejected', detail: '' }, usage: null };
    },
  } as unknown as MetaClient;
  return { engine: await world.startEngine({ meta }), called, wake };
}

test.each(['waits', 'is under way'])(
  'a worker that slept says nothing of a message that %s elsewhere',
  async (where) => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { opening: { text: 'Shall I send it?', buttonTitle: 'Send it to me' } });
    await world.deliver(await world.comment(creator, { text: 'recipe' }));
    const sleeper = await sleepingWorker();
    await sleeper.engine.ingestOnce();
    await sleeper.engine.claimAndCall();
    await sleeper.called;
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const meta = {
      ...world.meta,
      privateReply: async (call: never) => {
        const result = await world.meta.privateReply(call);
        await mayAnswer;
        return result;
      },
    } as unknown as MetaClient;
    const next = await world.startEngine({ meta });
    if (where === 'is under way') await next.claimAndCall();
    sleeper.wake();
    await sleeper.engine.dispatchOnce();
    answer();
    await world.settle(next);
    expect(await world.interactions(creator)).toMatchObject([{ outcome: 'replied', reason: 'opening_sent' }]);
    expect(await callsTo(creator)).toHaveLength(1);
  },
);

test('a worker that falls asleep before each call has not tried: it sends when it is awake', async () => {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  let naps = 0;
  const engine = await world.startEngine({
    speakerOf: async (connection) => {
      if (naps++ <= RETRY_AFTER_MS.length) await world.advance(CALL_WITHIN_MS + 1);
      return world.speakerOf(connection);
    },
  });
  await world.settle(engine);
  expect(await world.interactions(creator)).toMatchObject([{ outcome: 'replied' }]);
  expect(await callsTo(creator)).toHaveLength(1);
  expect(naps).toBeGreaterThan(RETRY_AFTER_MS.length);
});
