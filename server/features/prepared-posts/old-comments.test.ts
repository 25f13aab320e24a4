import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld } from '#server/engine/testing/engine-world.ts';
import { type AttachDeps, attachNewPosts } from './attach-posts.ts';

const MINUTE_MS = 60_000;

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

/** A creator with an automation that waits since a minute ago, and a new post nobody was offered yet. */
async function scene(scope: 'next' | 'caption') {
  const creator = await world.addCreator();
  const automationId = await world.addAutomation(creator, { words: ['pasta'] });
  await world.db.enginePool.query(
    `update automations set scope = $2, caption_words = '{tonight}' where creator_id = $1`,
    [creator.creatorId, scope],
  );
  await world.advance(MINUTE_MS);
  await world.db.enginePool.query(
    `insert into posts (creator_id, id, connection_id, caption, posted_at, synced_at) values ($1, $2, $3, 'Tonight: pasta', $4, $4)`,
    [creator.creatorId, creator.posts[0]!.mediaId, creator.connectionId, world.clock.now()],
  );
  const engine = await world.startEngine();
  const deps: AttachDeps = {
    db: world.db,
    clock: world.clock,
    live: { publish: () => {} },
    automationsChanged: ({ creatorId }) => engine.automationsChanged(creatorId),
  };
  return {
    creator,
    automationId,
    engine,
    attach: () => attachNewPosts(deps, { creatorId: creator.creatorId, id: creator.connectionId }),
    outcomes: async () => (await world.interactions(creator)).map(({ outcome, reason }) => `${outcome} ${reason}`),
  };
}

describe.each(['next', 'caption'] as const)('an automation that waits (%s)', (scope) => {
  test('answers what comes once it is attached, never what was there before, however late we hear of it', async () => {
    const { creator, engine, attach, outcomes } = await scene(scope);
    await world.deliver(await world.comment(creator, { text: 'pasta', person: 0 }));
    await world.settle(engine, MINUTE_MS);
    expect(await outcomes()).toEqual(['skipped no_automation']);

    const late = await world.comment(creator, { text: 'pasta please', person: 1 });
    await world.advance(MINUTE_MS);
    await attach();
    await world.deliver(late);
    await world.settle(engine, MINUTE_MS);
    expect(await outcomes()).toEqual(['skipped no_automation', 'skipped before_it_was_on']);

    await world.advance(2000);
    await world.deliver(await world.comment(creator, { text: 'PASTA', person: 2 }));
    await world.settle(engine, MINUTE_MS);
    expect((await outcomes()).at(-1)).toBe('replied sent');
  });
});
