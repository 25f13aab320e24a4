/** A call under way when somebody wrote STOP is not repeated when it comes back to be tried again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import type { MetaClient } from '#server/platforms/meta/client.ts';
import type { Verdict } from '#server/platforms/meta/verdict.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

test('STOP reaches a message whose worker died over it', async () => {
  const { creator, comment } = await matchingComment();
  const meta = { ...world.meta, privateReply: () => new Promise(() => {}) } as unknown as MetaClient;
  const dying = await world.startEngine({ meta });
  await dying.ingestOnce();
  await dying.claimAndCall();
  await writeStop(creator, dying);
  await world.settle(await world.startEngine());
  await expectStopped(creator, comment.id);
});

test.each<Verdict>([
  { kind: 'reauthenticate', reason: 'token_expired', detail: '' },
  { kind: 'rate_limited', scope: 'lane', waitMs: 60_000, detail: '' },
  { kind: 'retry', detail: '' },
])('STOP reaches a message that comes back from Meta: $kind', async (verdict) => {
  const { creator, comment } = await matchingComment();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let calls = 0;
  const meta = {
    ...world.meta,
    privateReply: async (call: never) => {
      if (calls++ > 0) return world.meta.privateReply(call);
      await answered;
      return { verdict, usage: null };
    },
  } as unknown as MetaClient;
  const engine = await world.startEngine({ meta });
  await engine.ingestOnce();
  await engine.claimAndCall();
  await writeStop(creator, engine);
  answer();
  await engine.dispatchOnce();
  if (verdict.kind === 'reauthenticate') await world.reconnect(creator, creator.tokens.instagram.token);
  await world.settle(await world.startEngine());
  await expectStopped(creator, comment.id);
});

async function matchingComment() {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator);
  const comment = await world.comment(creator, { text: 'recipe' });
  await world.deliver(comment);
  return { creator, comment };
}

/** By whoever wrote the comment. */
async function writeStop(creator: WorldCreator, engine: Engine): Promise<void> {
  await world.simulator.control.directMessage({
    accountId: creator.instagramAccountId,
    personId: creator.followers[0]!.personId,
    text: 'stop',
  });
  await world.webhooksArrived();
  await engine.ingestOnce();
}

async function expectStopped(creator: WorldCreator, commentId: string): Promise<void> {
  expect(await world.simulator.control.deliveries([commentId])).toMatchObject([{ privateReplies: 0 }]);
  const interaction = (await world.interactions(creator)).find((row) => row.platform_id === commentId);
  expect(interaction).toMatchObject({ outcome: 'skipped', reason: 'stopped' });
}
