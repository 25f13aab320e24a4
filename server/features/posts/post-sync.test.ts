import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPosts, syncPosts } from '#contract/posts.ts';
import { takeNewPosts } from '#server/features/prepared-posts/queries.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import type { SeededCreator } from '#simulators/meta/control/types.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { postJobs, syncConnectionPosts } from './post-sync.ts';
import { markGone, upsertFetched } from './queries.ts';

const POSTS = 230;

let meta: MetaSimulator;
let seeded: SeededCreator;
let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;

beforeAll(async () => {
  meta = await startMetaSimulator();
  const start = Date.UTC(2026, 0, 1);
  seeded = await meta.control.seedCreator({
    posts: Array.from({ length: POSTS }, (_, n) => ({
      caption: n === 0 ? 'The very first' : `Dish ${n}`,
      createdAt: start + n * 3_600_000,
      product: n % 2 === 0 ? ('REELS' as const) : ('FEED' as const),
    })),
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
  connectionId = await insertConnection(app.db, creatorId, { account_id: seeded.instagramAccountId });
});
afterAll(async () => {
  await app.close();
  await meta.close();
});

const sync = async () => (await anna.call(syncPosts, { params: { creatorId } })).body;
const list = async (query: object = {}) => (await anna.call(listPosts, { params: { creatorId }, query })).body;
const mediaCalls = async () => (await meta.control.ledgerSummary()).byOperation.media_list ?? 0;
const connection = async () => {
  const row = await app.db.engine
    .selectFrom('connections')
    .select('posts_fully_synced_at')
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow();
  return {
    creatorId,
    id: connectionId,
    platform: 'instagram' as const,
    accountId: seeded.instagramAccountId,
    fullySyncedAt: row.posts_fully_synced_at,
  };
};

describe('fetching posts', () => {
  test('an account that cannot be asked says so and changes nothing', async () => {
    await meta.control.addFault({ match: { operation: 'media_list' }, action: { kind: 'html', status: 503 } });
    expect(await sync()).toMatchObject({ code: 'platform_unreachable' });
    expect((await list()).total).toBe(0);
  });

  test('goes on where it was cut off: what is half there is not taken for the whole', async () => {
    let pages = 0;
    const cut = {
      ...app.deps,
      meta: {
        media: (call: Parameters<typeof app.deps.meta.media>[0]) => {
          pages++;
          return pages === 2 ? app.deps.meta.media({ ...call, token: 'dead' }) : app.deps.meta.media(call);
        },
      },
    };
    await expect(syncConnectionPosts(cut, await connection(), 'recent')).rejects.toMatchObject({
      code: 'needs_reconnect',
    });
    expect((await list()).total).toBe(100);
    expect((await list()).syncedAt).toBeNull();

    expect(await sync()).toEqual({ added: POSTS - 100, updated: 100 });
    const all = await list({ limit: 100 });
    expect(all).toMatchObject({ total: POSTS, syncedAt: app.clock.now().toISOString() });
    expect(all.items[0]).toMatchObject({
      caption: `Dish ${POSTS - 1}`,
      productType: 'FEED',
      permalink: expect.stringContaining('http'),
      gone: false,
    });
    expect((await list({ kind: 'reel' })).total).toBe(POSTS / 2);
  });

  test('twice brings nothing twice, and asks only for the newest page', async () => {
    await meta.control.clearLedger();
    expect(await sync()).toEqual({ added: 0, updated: 100 });
    expect(await mediaCalls()).toBe(1);
    expect((await list()).total).toBe(POSTS);
    await Promise.all([sync(), sync(), sync()]);
    expect((await list()).total).toBe(POSTS);
  });

  test('refreshes figures, brings new posts, and marks what was deleted', async () => {
    const [newest] = seeded.posts.slice(-1);
    const [second] = seeded.posts.slice(-2);
    const [oldest] = seeded.posts;
    await meta.control.comment({ mediaId: newest!.mediaId, personId: seeded.followers[0]!.personId, text: 'Yum' });
    await meta.control.deletePost(second!.mediaId);
    await meta.control.deletePost(oldest!.mediaId);
    await meta.control.seedPost({ accountId: seeded.instagramAccountId, caption: 'Fresh from the oven' });
    expect(await sync()).toMatchObject({ added: 1 });
    const { items } = await list({ limit: 3 });
    expect(items[0]).toMatchObject({ caption: 'Fresh from the oven' });
    expect(items[1]).toMatchObject({ id: newest!.mediaId, instagramCounts: 1 });
    expect(items[2]).toMatchObject({ id: second!.mediaId, gone: true });
    // Older than what was read: only the daily, full sync can tell.
    const last = async () => (await list({ search: 'very first' })).items.at(-1);
    expect(await last()).toMatchObject({ id: oldest!.mediaId, gone: false });
    expect(await syncConnectionPosts(app.deps, await connection(), 'full')).toMatchObject({ added: 0, gone: 1 });
    expect(await last()).toMatchObject({ gone: true });
  });

  test('happens by itself, once for all workers, and not again before its time', async () => {
    await meta.control.clearLedger();
    const run = () => Promise.all([runDue(postJobs, app.deps), runDue(postJobs, app.deps)]);
    await run();
    expect(await mediaCalls()).toBe(0);
    await app.clock.advance(16 * 60_000);
    await run();
    expect(await mediaCalls()).toBe(1);
    await app.clock.advance(25 * 3_600_000);
    await run();
    expect(await mediaCalls()).toBe(1 + Math.ceil((POSTS - 1) / 100));
  });
});

test('syncs that cross take posts in the same order: neither holds one that the other waits for', async () => {
  const own = await insertConnection(app.db, creatorId, { account_id: '17840000000000099' });
  const ids = ['9-last', '5-middle', '1-first'];
  const posts = ids.map((id) => ({
    id,
    caption: id,
    caption_key: id,
    asked_word: null,
    media_type: 'IMAGE',
    product_type: 'FEED',
    permalink: null,
    picture_url: null,
    comments_count: null,
    like_count: null,
    posted_at: new Date('2026-01-01'),
  }));
  const mine = { ...(await connection()), id: own };
  const now = new Date('2026-02-01');
  for (const post of posts) await upsertFetched(app.db, mine, [post], now);
  const writes = {
    upsertFetched: () => upsertFetched(app.db, mine, posts, now),
    takeNewPosts: () => takeNewPosts(app.db.engine, mine, now),
    markGone: () => markGone(app.db, mine, { ids: [], since: null }, now),
  };
  for (const [name, write] of Object.entries(writes)) {
    const other = await app.db.enginePool.connect();
    try {
      await other.query('begin');
      await other.query('select from posts where creator_id = $1 and id = $2 for update', [creatorId, '1-first']);
      const writing = write();
      await expect.poll(() => someoneWaits()).toBe(true);
      const free = await other.query(
        'select id from posts where creator_id = $1 and id = any($2) order by id for update skip locked',
        [creatorId, ids],
      );
      expect([name, free.rows.map(({ id }) => id)]).toEqual([name, ids.toSorted()]);
      await other.query('rollback');
      await writing;
    } finally {
      other.release();
    }
  }
});

async function someoneWaits(): Promise<boolean> {
  const { rows } = await app.db.enginePool.query(
    `select from pg_locks l join pg_stat_activity a using (pid)
     where a.datname = current_database() and not l.granted limit 1`,
  );
  return rows.length > 0;
}
