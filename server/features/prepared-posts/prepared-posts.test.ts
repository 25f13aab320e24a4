import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAutomation, getAutomation, switchAutomation, updateAutomation } from '#contract/automations.ts';
import { getPost, syncPosts } from '#contract/posts.ts';
import {
  attachPreparedPost,
  detachPreparedPost,
  listCaptionWarnings,
  listPreparedPosts,
} from '#contract/prepared-posts.ts';
import { postJobs } from '#server/features/posts/post-sync.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import type { SeededCreator } from '#simulators/meta/control/types.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';

const MINUTE_MS = 60_000;

let meta: MetaSimulator;
let app: TestApp;
let anna: Person;
let seeded: SeededCreator;
let creatorId: string;
let connectionId: string;
const told: string[] = [];

beforeAll(async () => {
  meta = await startMetaSimulator();
  app = await createTestApp({
    settings: meta.environment,
    deps: {
      speakerOf: async () => ({
        platform: 'instagram',
        via: 'instagram',
        senderId: seeded.instagramAccountId,
        token: seeded.tokens.instagram.token,
      }),
      automationsChanged: (change) => void told.push(change.creatorId),
    },
  });
  anna = await app.signUpAndIn();
});
afterAll(async () => {
  await app.close();
  await meta.close();
});

/** A creator of its own for each test, with one old post that has PASTA in its caption. */
beforeEach(async () => {
  await app.db.engine.updateTable('connections').set({ disconnected_at: new Date() }).execute();
  seeded = await meta.control.seedCreator({
    posts: [{ caption: 'Old pasta. Comment PASTA', createdAt: app.clock.now().getTime() - 3_600_000 }],
  });
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId, { account_id: seeded.instagramAccountId });
  await sync();
  told.length = 0;
});

const sync = async () => expect((await anna.call(syncPosts, { params: { creatorId } })).status).toBe(200);

async function prepare(over: object = {}, { on = true } = {}): Promise<string> {
  const made = await anna.call(createAutomation, {
    params: { creatorId },
    body: automationInput(connectionId, { name: '', scope: 'next' as const, words: ['PASTA'], buttons: [], ...over }),
  });
  const automationId = made.body.id as string;
  if (on) {
    const params = { creatorId, automationId };
    expect((await anna.call(switchAutomation, { params, body: { on } })).status).toBe(200);
  }
  return automationId;
}

/** Time passes, something is published, the posts are fetched. */
async function publish(...captions: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const caption of captions) {
    await app.clock.advance(MINUTE_MS);
    const post = await meta.control.seedPost({
      accountId: seeded.instagramAccountId,
      caption,
      createdAt: app.clock.now().getTime(),
    });
    ids.push(post.mediaId);
  }
  await sync();
  return ids;
}

const list = async () => (await anna.call(listPreparedPosts, { params: { creatorId } })).body.items;
const one = async (automationId: string) =>
  (await list()).find((item: { automationId: string }) => item.automationId === automationId);
const automation = async (automationId: string) =>
  (await anna.call(getAutomation, { params: { creatorId, automationId } })).body;
const warnings = async () => (await anna.call(listCaptionWarnings, { params: { creatorId } })).body.items;
const attach = (automationId: string, postId: string) =>
  anna.call(attachPreparedPost, { params: { creatorId, automationId }, body: { postId } });
const detach = (automationId: string, postId?: string) =>
  anna.call(detachPreparedPost, {
    params: { creatorId, automationId },
    body: postId === undefined ? {} : { postId },
  });

describe('an automation for the next post', () => {
  test('leaves alone what was published before it was switched on, and waits while it is off', async () => {
    const off = await prepare({}, { on: false });
    await publish('Comment PASTA while off');
    expect(await one(off)).toMatchObject({ state: 'off', attached: [], candidates: [] });
    const late = await meta.control.seedPost({
      accountId: seeded.instagramAccountId,
      caption: 'PASTA from before the switch, found after it',
      createdAt: app.clock.now().getTime(),
    });
    await app.clock.advance(MINUTE_MS);
    const on = await prepare();
    await sync();
    expect((await automation(on)).postId).toBeNull();
    expect((await anna.call(getPost, { params: { creatorId, postId: late.mediaId } })).status).toBe(200);
    expect(await one(on)).toMatchObject({ state: 'waiting' });
  });

  test('attaches itself to the one that comes, tells everybody, and stays with it', async () => {
    const automationId = await prepare();
    told.length = 0;
    const [postId] = await publish('Tonight! Comment PASTA');
    expect(await automation(automationId)).toMatchObject({ scope: 'one', postId, version: 2 });
    expect(told).toEqual([creatorId]);
    expect(await one(automationId)).toMatchObject({
      preparedFor: 'next',
      state: 'attached',
      attached: [{ id: postId, attachedAt: app.clock.now().toISOString() }],
    });
    await publish('And more PASTA');
    expect((await automation(automationId)).postId).toBe(postId);
  });

  test('is attached once by syncs that cross', async () => {
    const automationId = await prepare();
    await app.clock.advance(MINUTE_MS);
    await meta.control.seedPost({
      accountId: seeded.instagramAccountId,
      caption: 'One',
      createdAt: app.clock.now().getTime(),
    });
    await Promise.all([sync(), sync(), sync()]);
    expect(await automation(automationId)).toMatchObject({ scope: 'one', version: 2 });
  });

  test('asks when two fit; the creator says which, and the other stays nobody’s', async () => {
    const automationId = await prepare();
    const [first, second] = await publish('Sunday', 'Monday');
    expect(await one(automationId)).toMatchObject({ state: 'asks', candidates: [{ id: second }, { id: first }] });
    expect((await automation(automationId)).scope).toBe('next');
    expect((await attach(automationId, 'somebody-elses')).status).toBe(404);
    expect((await attach(automationId, first!)).status).toBe(200);
    expect(await one(automationId)).toMatchObject({ state: 'attached', attached: [{ id: first }], candidates: [] });
    expect((await attach(automationId, second!)).body).toMatchObject({ code: 'not_possible_now' });
  });

  test('of two for one post the one whose word is in the caption takes it', async () => {
    const pasta = await prepare();
    const cake = await prepare({ words: ['CAKE'] });
    const [postId] = await publish('Comment CAKE for the recipe');
    expect(await one(cake)).toMatchObject({ state: 'attached', attached: [{ id: postId }] });
    expect(await one(pasta)).toMatchObject({ state: 'waiting' });
  });

  test('was wrong: it waits on and does not come back to the same post; none of those asked about is an answer too', async () => {
    const automationId = await prepare();
    const [postId] = await publish('A story about my cat');
    expect((await detach(automationId)).status).toBe(200);
    await sync();
    expect(await one(automationId)).toMatchObject({ state: 'waiting', attached: [] });
    const [first] = await publish('Cat two', 'Cat three');
    expect((await one(automationId)).candidates).toHaveLength(2);
    expect((await detach(automationId)).status).toBe(200);
    expect(await one(automationId)).toMatchObject({ state: 'waiting', candidates: [] });
    expect((await automation(automationId)).postId).toBeNull();
    expect([postId, first]).not.toContain(undefined);
  });

  test('an editor that was open meanwhile does not undo it', async () => {
    const automationId = await prepare();
    const { id, switchedOnAt, createdAt, updatedAt, clashes, blockedBecause, ...opened } =
      await automation(automationId);
    await publish('Comment PASTA');
    const saved = await anna.call(updateAutomation, { params: { creatorId, automationId }, body: opened });
    expect(saved.body).toMatchObject({ code: 'changed_meanwhile' });
  });

  test('has its account looked at every minute, and no longer once it is attached', async () => {
    const calls = async () => (await meta.control.ledgerSummary()).byOperation.media_list ?? 0;
    const run = () => postJobs[0]!.run(app.deps);
    await run();
    await app.clock.advance(MINUTE_MS);
    const before = await calls();
    await run();
    expect(await calls()).toBe(before);
    await prepare();
    await run();
    expect(await calls()).toBe(before + 1);
    await meta.control.seedPost({
      accountId: seeded.instagramAccountId,
      caption: 'PASTA',
      createdAt: app.clock.now().getTime() + 1,
    });
    await app.clock.advance(MINUTE_MS);
    await run();
    await app.clock.advance(MINUTE_MS);
    const attached = await calls();
    await run();
    expect(await calls()).toBe(attached);
  });
});

describe('an automation for captions with a word', () => {
  test('takes every new post that has it, older ones only when the creator says so', async () => {
    const automationId = await prepare({ scope: 'caption', captionWords: ['pasta'] });
    const [first, , third] = await publish('Lemon Pasta', 'Antipasta', 'PASTA al forno');
    const item = await one(automationId);
    expect(item).toMatchObject({ preparedFor: 'caption', state: 'attached', captionWords: ['pasta'] });
    expect(item.attached.map(({ id }: { id: string }) => id).sort()).toEqual([first, third].sort());
    const [old] = seeded.posts;
    expect(item.olderPosts).toMatchObject([{ id: old!.mediaId }]);
    expect((await attach(automationId, old!.mediaId)).status).toBe(200);
    expect((await one(automationId)).olderPosts).toEqual([]);
    expect((await anna.call(getPost, { params: { creatorId, postId: third! } })).body.automation).toBe('on');

    expect((await detach(automationId)).status).toBe(409);
    expect((await detach(automationId, first)).status).toBe(200);
    expect((await detach(automationId, first)).status).toBe(404);
    expect((await one(automationId)).attached).toHaveLength(2);
  });
});

describe('a caption that asks for another word', () => {
  test('is told of until somebody listens for it', async () => {
    const automationId = await prepare({ words: ['RECIPE'] });
    const [postId] = await publish('Comment PASTA and I send it');
    expect(await warnings()).toMatchObject([{ automationId, asked: 'PASTA', words: ['RECIPE'], post: { id: postId } }]);
    const { id, switchedOnAt, createdAt, updatedAt, clashes, blockedBecause, ...input } =
      await automation(automationId);
    const body = { ...input, words: [...input.words, 'PASTA'] };
    expect((await anna.call(updateAutomation, { params: { creatorId, automationId }, body })).status).toBe(200);
    expect(await warnings()).toEqual([]);
  });

  test('is no trouble when another automation hears it, or it asks for none', async () => {
    await prepare({ words: ['RECIPE'] });
    await publish('Just dinner');
    expect(await warnings()).toEqual([]);
    await prepare({ words: ['SALAD'] });
    await publish('Comment PASTA');
    expect(await warnings()).toHaveLength(1);
    await prepare({ scope: 'any' });
    expect(await warnings()).toEqual([]);
  });
});
