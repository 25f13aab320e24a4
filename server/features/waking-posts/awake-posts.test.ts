import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAutomation, switchAutomation } from '#contract/automations.ts';
import { dismissWakingPost, listWakingPosts } from '#contract/prepared-posts.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { findWakingPosts, isAwake } from './awake-posts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
  await insertPost(app.db, creatorId, connectionId, { id: 'reel', posted_at: ago(90 * DAY_MS), caption: 'Old soup' });
});

const ago = (ms: number) => new Date(app.clock.now().getTime() - ms);
async function comments(many: number, text: string, over: object = {}) {
  for (let n = 0; n < many; n++) {
    await insertInteraction(app.db, creatorId, connectionId, {
      text,
      post_id: 'reel',
      received_at: ago(HOUR_MS),
      ...over,
    });
  }
}
const look = async () => {
  await findWakingPosts(app.deps);
  return (await anna.call(listWakingPosts, { params: { creatorId } })).body.items;
};

test.each([
  [{ comments: 9, usual: 0, asking: 4 }, false],
  [{ comments: 10, usual: 2.1, asking: 0 }, false],
  [{ comments: 10, usual: 2, asking: 0 }, true],
  [{ comments: 5, usual: 5, asking: 5 }, true],
])('%j is awake: %s', (post, awake) => expect(isAwake(post)).toBe(awake));

test('sleeps: few comments, usual comments, young posts, own comments, old comments', async () => {
  await comments(4, 'recipe?');
  await comments(20, 'Yum', { reason: 'own_comment' });
  await comments(20, 'recipe?', { received_at: ago(5 * HOUR_MS) });
  await insertPost(app.db, creatorId, connectionId, { id: 'young', posted_at: ago(DAY_MS) });
  await comments(20, 'recipe?', { post_id: 'young' });
  expect(await look()).toEqual([]);
});

test('wakes when people ask; an automation that answers there settles it', async () => {
  await comments(5, 'RECETA por favor');
  expect(await look()).toMatchObject([
    { post: { id: 'reel', caption: 'Old soup' }, comments: 5, asking: 5, prepared: [] },
  ]);

  const made = await anna.call(createAutomation, {
    params: { creatorId },
    body: automationInput(connectionId, { name: 'Soup', postId: 'reel', words: ['RECETA'], buttons: [] }),
  });
  const params = { creatorId, automationId: made.body.id };
  expect((await anna.call(switchAutomation, { params, body: { on: true } })).status).toBe(200);
  expect(await look()).toEqual([]);
});

test('wakes when far more than usual write, is put away with one tap, and may wake again another day', async () => {
  await comments(12, 'Wow');
  const [found] = await look();
  expect(found).toMatchObject({ comments: 12, usual: 0, asking: 0 });
  const put = (postId: string) => anna.call(dismissWakingPost, { params: { creatorId, postId } });
  expect((await put('somebody-elses')).status).toBe(404);
  expect((await put('reel')).status).toBe(200);
  expect(await look()).toEqual([]);
  await app.clock.advance(2 * DAY_MS);
  expect(await look()).toEqual([]);
  await comments(60, 'Wow');
  expect(await look()).toHaveLength(1);
});
