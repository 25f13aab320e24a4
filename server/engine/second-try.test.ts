/** What was under way when somebody wrote STOP is not sent to her when it comes back to be tried again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MetaClient } from '#server/platforms/meta/client.ts';
import { createEngineWorld, type EngineWorld } from './testing/engine-world.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

test('STOP reaches a message whose worker died over it', async () => {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator);
  const comment = await world.comment(creator, { text: 'recipe' });
  await world.deliver(comment);
  const meta = { ...world.meta, privateReply: () => new Promise(() => {}) } as unknown as MetaClient;
  const dying = await world.startEngine({ meta });
  await dying.ingestOnce();
  await dying.claimAndCall();
  const { control } = world.simulator;
  await control.directMessage({
    accountId: creator.instagramAccountId,
    personId: creator.followers[0]!.personId,
    text: 'stop',
  });
  await world.webhooksArrived();
  await dying.ingestOnce();

  await world.settle(await world.startEngine());
  expect(await control.deliveries([comment.id])).toMatchObject([{ privateReplies: 0 }]);
  const interaction = (await world.interactions(creator)).find((row) => row.platform_id === comment.id);
  expect(interaction).toMatchObject({ outcome: 'skipped', reason: 'stopped' });
});
