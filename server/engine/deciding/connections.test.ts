import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { EngineConnections } from './connections.ts';

let world: EngineWorld;
let creator: WorldCreator;
beforeAll(async () => {
  world = await createEngineWorld();
  creator = await world.addCreator();
});
afterAll(() => world.close());

/** An automation for a word of its own, with these links; answers its id. */
async function addWith(word: string, links: string[]): Promise<string> {
  await world.advance(1000);
  return world.addAutomation(creator, {
    words: [word],
    buttons: links.map((link, place) => ({
      title: 'Open',
      url: `https://example.com/${link}`,
      code: `${word}${place}`,
    })),
  });
}

test('others that have every link of an automation are known, the newest five', async () => {
  const both = await addWith('both', ['shop', 'cake']);
  await addWith('cake', ['cake']);
  const shops: string[] = [];
  for (let number = 0; number < 7; number++) shops.push(await addWith(`shop${number}`, ['shop']));
  await addWith('nothing', []);

  const connection = await new EngineConnections().withId(creator.connectionId, world.db.enginePool);
  const sameLink = (word: string) => {
    const { automation } = connection!.automations.choose(
      { trigger: 'comment', postId: creator.posts[0]!.mediaId },
      word,
    );
    return automation!.sameLink;
  };
  expect(sameLink('cake')).toEqual([both]);
  expect(sameLink('both')).toEqual([]);
  expect(sameLink('shop0')).toEqual(shops.slice(2).reverse());
  expect(sameLink('shop6')).toEqual(shops.slice(1, 6).reverse());
  expect(sameLink('nothing')).toEqual([]);
});
