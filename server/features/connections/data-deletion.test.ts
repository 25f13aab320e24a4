import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/connections.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { tracesOf } from '#server/features/retention/testing/privacy-table.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { deletePersonsData, finishDataDeletions } from './data-deletion.ts';
import {
  type Creator,
  connectInstagram,
  connectionsOf,
  connectPage,
  createMetaTestApp,
  type MetaTestApp,
  seededCreator,
  startAnew,
  tokensOf,
} from './testing/meta-app.ts';

let test: MetaTestApp;
let creator: Creator;

let followers: Followers;

beforeAll(async () => {
  test = await createMetaTestApp();
  followers = await createFollowers(test, { simulator: test.meta });
});
afterAll(async () => {
  await followers?.close();
  await test?.close();
});
beforeEach(async () => {
  creator = await startAnew(test);
});

const rows = () => connectionsOf(test, creator);
const tokens = () => tokensOf(test, creator);

describe('a person who leaves at Meta', () => {
  const post = (url: string, body: Record<string, string>) =>
    test.visitor().send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(body).toString(),
    });
  const signed = (content: object, secret: string) => {
    const payload = Buffer.from(JSON.stringify({ algorithm: 'HMAC-SHA256', ...content })).toString('base64url');
    return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`;
  };

  it('is believed only with the signature of one of our secrets', async () => {
    await connectInstagram(test, creator);
    for (const url of ['/webhooks/meta/deauthorize', '/webhooks/meta/data-deletion']) {
      expect((await post(url, {})).status).toBe(400);
      expect((await post(url, { signed_request: 'x.y' })).status).toBe(403);
      const forged = signed({ user_id: creator.seeded.instagramAppScopedId }, 'a guess');
      expect((await post(url, { signed_request: forged })).status).toBe(403);
    }
    expect(await rows()).toMatchObject([{ disconnected_at: null }]);
  });
  it('is disconnected, their tokens are gone, and they can see why', async () => {
    await connectInstagram(test, creator);
    expect(await test.meta.control.deauthorize({ subjectId: creator.seeded.instagramAccountId })).toEqual({
      status: 200,
    });
    expect(await rows()).toMatchObject([{ disconnected_reason: 'app_removed' }]);
    expect(await tokens()).toEqual([]);
    expect(test.changes).toHaveLength(1);
    const shown = await creator.person.call(contract.listConnections, { params: { creatorId: creator.creatorId } });
    expect(shown.body.items).toMatchObject([
      { health: 'disconnected', healthDetail: expect.stringContaining('removed') },
    ]);
    expect(await test.meta.control.deauthorize({ subjectId: creator.seeded.instagramAccountId })).toEqual({
      status: 200,
    });
  });
  it('at Facebook keeps what they signed in directly at Instagram', async () => {
    await connectInstagram(test, creator);
    await connectPage(test, creator);
    expect(await test.meta.control.deauthorize({ subjectId: creator.seeded.facebookUserId })).toEqual({ status: 200 });
    expect(await rows()).toMatchObject([
      { platform: 'facebook', disconnected_reason: 'app_removed' },
      { platform: 'instagram', disconnected_at: null, page_id: null },
    ]);
    expect((await tokens()).map(({ kind }) => kind)).toEqual(['INSTAGRAM_BUSINESS_USER']);
  });
  it('whom nobody knows is answered all the same', async () => {
    const request = { signed_request: signed({ user_id: '1' }, test.meta.app.metaAppSecret) };
    expect((await post('/webhooks/meta/deauthorize', request)).status).toBe(200);
  });

  it('and asks for deletion leaves nothing of them and their followers', async () => {
    await connectInstagram(test, creator);
    const [row] = await rows();
    await expect
      .poll(() => test.db.engine.selectFrom('posts').select('id').where('connection_id', '=', row!.id).execute())
      .not.toEqual([]);
    const account = await answering(row!.id);
    const { personId } = await followers.ask(account, { text: 'zq-RECIPE please' });
    // As within minutes after it is worked off.
    const emptyLog = () => test.db.enginePool.query('truncate event_log_0, event_log_1, event_log_2');
    await emptyLog();
    await test.db.enginePool.query(
      `insert into parked_events (shard, received_at, body, error) values (0, now(), $1, 'unreadable')`,
      [JSON.stringify({ entry: [{ id: creator.seeded.instagramAccountId }] })],
    );
    await test.db.engine
      .insertInto('stories')
      .values({
        creator_id: creator.creatorId,
        id: 'a-story',
        connection_id: row!.id,
        kind: 'story',
        caption: 'zq-story',
        posted_at: test.clock.now(),
        expires_at: test.clock.now(),
      })
      .execute();
    const words = [
      creator.seeded.username,
      creator.seeded.instagramAccountId,
      creator.seeded.instagramAppScopedId,
      creator.seeded.posts[0]!.caption,
      personId,
      creator.seeded.followers[0]!.username,
      'zq-RECIPE please',
      'zq-story',
    ];
    expect(new Set(Object.values(await tracesOf(test.db, words)).flat()).size).toBe(words.length);
    const counts = () => rollUpCounts(test.db).then(() => countsOf('automation_day', 'day', 'post'));
    const counted = await counts();

    const answer = await test.meta.control.requestDataDeletion({ subjectId: creator.seeded.instagramAccountId });
    expect(answer.status).toBe(200);
    const { url, confirmation_code } = JSON.parse(answer.body);
    expect(url).toBe(`http://localhost:3000/data-deletion/${confirmation_code}`);
    // At once: nothing is answered in their name any more.
    expect(await rows()).toMatchObject([{ disconnected_at: expect.any(Date) }]);
    expect(await tokens()).toEqual([]);
    const page = () => test.visitor().send({ method: 'GET', url: `/data-deletion/${confirmation_code}` });
    expect((await page()).text).toContain('Your data is being deleted');
    // Asked again meanwhile, it is the same request.
    const second = await test.meta.control.requestDataDeletion({ subjectId: creator.seeded.instagramAccountId });
    expect(JSON.parse(second.body)).toEqual({ url, confirmation_code });

    await finishDataDeletions(test.deps);
    // Meta may tell something meanwhile.
    await expect.poll(async () => (await emptyLog()) && tracesOf(test.db, words)).toEqual({});
    expect(await counts()).toEqual(counted);
    const finished = await page();
    expect(finished.status).toBe(200);
    expect(finished.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(finished.text).toContain('Your data was deleted');
    expect(finished.text).toContain(confirmation_code);
    expect((await test.visitor().send({ method: 'GET', url: '/data-deletion/nonsense' })).status).toBe(404);
    // People unknown here are answered as well, with a code of their own.
    const third = await test.meta.control.requestDataDeletion({ subjectId: creator.seeded.instagramAccountId });
    expect(JSON.parse(third.body).confirmation_code).not.toBe(confirmation_code);
    await finishDataDeletions(test.deps);
  });
  it('as a follower is forgotten where their id is known', async () => {
    await connectInstagram(test, creator);
    const [row] = await rows();
    const account = await answering(row!.id);
    const asked = await followers.ask(account, { text: 'zq-RECIPE please' });
    const other = await followers.ask(account, { text: 'zq-recipe?' });
    await deletePersonsData(test.deps, asked.personId);
    await finishDataDeletions(test.deps);
    const left = await test.db.engine
      .selectFrom('interactions')
      .select(['person_id', 'username', 'text'])
      .where('connection_id', '=', row!.id)
      .orderBy('id', 'desc')
      .execute();
    const { username } = creator.seeded.followers[1]!;
    expect(left).toEqual([
      { person_id: other.personId, username, text: 'zq-recipe?' },
      { person_id: 'erased', username: null, text: '' },
    ]);
    expect(await rows()).toMatchObject([{ disconnected_at: null }]);
  });
  it('is deleted later when it could not be done at once', async () => {
    await connectInstagram(test, creator);
    await test.db.engine
      .insertInto('data_deletions')
      .values({
        confirmation_code: 'left-over',
        platform_user_id: creator.seeded.instagramAppScopedId,
        requested_at: test.clock.now(),
      })
      .execute();
    const status = async () => (await test.visitor().send({ method: 'GET', url: '/data-deletion/left-over' })).text;
    expect(await status()).toContain('being deleted');
    await finishDataDeletions(test.deps);
    expect(await status()).toContain('was deleted');
    expect(await rows()).toMatchObject([{ disconnected_reason: 'data_deleted', username: 'deleted account' }]);
  });

  it('who is many does not hold up the others when something fails', async () => {
    await connectInstagram(test, creator);
    const other = await seededCreator(test);
    await connectInstagram(test, other);
    for (const { seeded } of [creator, other]) await deletePersonsData(test.deps, seeded.instagramAppScopedId);
    const connectionChanged = async ({ creatorId }: { creatorId: string }) => {
      if (creatorId === creator.creatorId) throw new Error('Somebody hangs up');
    };
    await finishDataDeletions({ ...test.deps, connectionChanged });
    expect(await rows()).toMatchObject([{ disconnected_reason: 'app_removed' }]);
    expect(await connectionsOf(test, other)).toMatchObject([{ disconnected_reason: 'data_deleted' }]);
    await finishDataDeletions(test.deps);
    expect(await rows()).toMatchObject([{ disconnected_reason: 'data_deleted' }]);
  });

  async function countsOf(...by: string[]) {
    const { rows } = await test.db.enginePool.query(
      'select counted_by, counted_id, counted, reason, count from outcome_counts where creator_id = $1 and counted_by = any($2) order by 1, 2, 3, 4',
      [creator.creatorId, by],
    );
    return rows;
  }

  /** An account whose followers get something when they ask. */
  async function answering(connectionId: string): Promise<WorldCreator> {
    const account = { ...creator.seeded, creatorId: creator.creatorId, connectionId };
    await followers.automation(creator.person, account, { words: ['zq-RECIPE'] });
    return account;
  }
});
