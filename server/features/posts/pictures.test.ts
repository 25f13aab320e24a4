import { PhotonImage } from '@silvia-odwyer/photon-node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPosts, syncPosts } from '#contract/posts.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch, isPublicOrInside } from '#server/platforms/guarded-fetch.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import type { SeededCreator } from '#simulators/meta/control/types.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { keepPicture } from './pictures.ts';

const SMALL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>';
/** As large as Instagram gives them. */
const LARGE = photo(1080, 1350);

let meta: MetaSimulator;
let seeded: SeededCreator;
let app: TestApp;
let anna: Person;
let creatorId: string;
/** The pictures at Instagram's addresses; empty: they have expired. */
let pictures: Record<string, { contentType: string; body: string | Buffer }>;
const fetching = createGuardedFetch({ isAllowed: isPublicOrInside });

beforeAll(async () => {
  meta = await startMetaSimulator({
    pictures: (path) => pictures[path.split('?')[0]!] ?? { contentType: 'text/html', body: 'gone' },
  });
  seeded = await meta.control.seedCreator({
    posts: [
      { caption: 'A photo', picture: '/pictures/photo.jpg' },
      { caption: 'A drawing', picture: '/pictures/drawing.svg' },
      { caption: 'A broken one', picture: '/pictures/broken.jpg' },
    ],
  });
  app = await createTestApp({
    settings: meta.environment,
    deps: {
      speakerOf: async () => ({
        platform: 'instagram',
        via: 'instagram',
        senderId: seeded.instagramAccountId,
        token: seeded.tokens.instagram.token,
      }),
    },
  });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  await insertConnection(app.db, creatorId, { account_id: seeded.instagramAccountId });
});
afterAll(async () => {
  await fetching.close();
  await app.close();
  await meta.close();
});
beforeEach(() => {
  pictures = {
    '/pictures/photo.jpg': { contentType: 'image/jpeg', body: LARGE },
    '/pictures/drawing.svg': { contentType: 'image/svg+xml', body: SMALL },
    '/pictures/broken.jpg': { contentType: 'image/jpeg', body: Buffer.alloc(100_000, 'not a picture') },
  };
});

const sync = () => anna.call(syncPosts, { params: { creatorId } });
const keep = async () => {
  while ((await runDue([keepPicture], { ...app.deps, pictureFetching: fetching })) > 0);
};
const post = async (caption: string) => {
  const { items } = (await anna.call(listPosts, { params: { creatorId } })).body;
  return items.find((item: { caption: string }) => item.caption === caption);
};
const open = (address: string, who: Person = anna) => who.send({ method: 'GET', url: address });
const keptBytes = async (contentType: string): Promise<Buffer[]> => {
  const { rows } = await app.db.enginePool.query('select bytes from post_pictures where content_type like $1', [
    contentType,
  ]);
  return rows.map(({ bytes }) => bytes);
};

describe('pictures of posts', () => {
  test('are kept small, and outlive the addresses that Instagram gave', async () => {
    await sync();
    expect((await post('A photo')).pictureUrl).toContain('/pictures/photo.jpg');
    await keep();
    pictures = {};
    const { pictureUrl } = await post('A photo');
    expect(pictureUrl).toMatch(new RegExp(`^/api/v1/creators/${creatorId}/posts/[^/]+/picture\\?v=\\d+$`));
    const answer = await open(pictureUrl);
    expect(answer.headers['content-type']).toBe('image/jpeg');
    expect(answer.headers['cache-control']).toBe('private, max-age=604800, immutable');
    const [bytes] = await keptBytes('image/jpeg');
    const image = PhotonImage.new_from_byteslice(bytes!);
    expect([image.get_width(), image.get_height()]).toEqual([320, 400]);
    expect(bytes!.length).toBeLessThan(LARGE.length / 4);
  });

  test('that are small already are kept as they are, and can do nothing by themselves', async () => {
    const answer = await open((await post('A drawing')).pictureUrl);
    expect(answer.text).toBe(SMALL);
    expect(answer.headers['content-security-policy']).toContain('sandbox');
  });

  test('that cannot be read stay where they are', async () => {
    expect((await post('A broken one')).pictureUrl).toContain('/pictures/broken.jpg');
    expect(await keptBytes('%')).toHaveLength(2);
  });

  test('are for members only', async () => {
    const { pictureUrl } = await post('A photo');
    expect((await app.visitor().send({ method: 'GET', url: pictureUrl })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await open(pictureUrl, stranger)).status).toBe(404);
    const own = (await stranger.createCreator()).id;
    expect((await open(pictureUrl.replace(creatorId, own), stranger)).status).toBe(404);
  });

  test('are not fetched again for another signature, but for another cover', async () => {
    const before = await post('A photo');
    const change = (picture_url: string) =>
      app.db.engine.updateTable('posts').set({ picture_url }).where('id', '=', before.id).execute();
    pictures = { '/pictures/photo.jpg': { contentType: 'image/svg+xml', body: SMALL } };
    await change(`${meta.url}/pictures/photo.jpg?signature=another`);
    await sync();
    await keep();
    expect((await open((await post('A photo')).pictureUrl)).headers['content-type']).toBe('image/jpeg');

    await app.db.engine.updateTable('post_pictures').set({ source: '/pictures/old-cover.jpg' }).execute();
    await app.clock.advance(5000);
    await sync();
    await keep();
    const { pictureUrl } = await post('A photo');
    expect(pictureUrl).not.toBe(before.pictureUrl);
    expect((await open(pictureUrl)).text).toBe(SMALL);
  });

  test('go when the post is deleted on Instagram', async () => {
    expect(await keptBytes('%')).toHaveLength(2);
    const { id } = await post('A drawing');
    await meta.control.deletePost(id);
    await app.db.engine.updateTable('connections').set({ posts_fully_synced_at: null }).execute();
    await sync();
    expect(await keptBytes('%')).toHaveLength(1);
  });
});

/** A photo of these dimensions as a camera gives it: nothing in it repeats. */
function photo(width: number, height: number): Buffer {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0, seed = 7; at < pixels.length; at++) {
    seed = (seed * 16_807) % 2_147_483_647;
    pixels[at] = at % 4 === 3 ? 255 : ((at / width) % 200) + (seed % 40);
  }
  return Buffer.from(new PhotonImage(pixels, width, height).get_bytes_jpeg(85));
}
