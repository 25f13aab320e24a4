import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/connections.ts';
import { deletePersonsData, finishDataDeletions } from './leaving.ts';
import {
  type Creator,
  connectInstagram,
  connectionsOf,
  connectPage,
  createMetaTestApp,
  type MetaTestApp,
  startAnew,
  tokensOf,
} from './testing/meta-app.ts';

let test: MetaTestApp;
let her: Creator;

beforeAll(async () => {
  test = await createMetaTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  her = await startAnew(test);
});

const rows = () => connectionsOf(test, her);
const tokens = () => tokensOf(test, her);

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
    await connectInstagram(test, her);
    for (const url of ['/webhooks/meta/deauthorize', '/webhooks/meta/data-deletion']) {
      expect((await post(url, {})).status).toBe(400);
      expect((await post(url, { signed_request: 'x.y' })).status).toBe(403);
      const forged = signed({ user_id: her.seeded.instagramAppScopedId }, 'a guess');
      expect((await post(url, { signed_request: forged })).status).toBe(403);
    }
    expect(await rows()).toMatchObject([{ disconnected_at: null }]);
  });
  it('is disconnected, her tokens are gone, and she can see why', async () => {
    await connectInstagram(test, her);
    expect(await test.meta.control.deauthorize({ subjectId: her.seeded.instagramAccountId })).toEqual({ status: 200 });
    expect(await rows()).toMatchObject([{ disconnected_reason: 'app_removed' }]);
    expect(await tokens()).toEqual([]);
    expect(test.changes).toHaveLength(1);
    const shown = await her.person.call(contract.listConnections, { params: { creatorId: her.creatorId } });
    expect(shown.body.items).toMatchObject([
      { health: 'disconnected', healthDetail: expect.stringContaining('removed') },
    ]);
    expect(await test.meta.control.deauthorize({ subjectId: her.seeded.instagramAccountId })).toEqual({ status: 200 });
  });
  it('at Facebook keeps what she signed in directly at Instagram', async () => {
    await connectInstagram(test, her);
    await connectPage(test, her);
    expect(await test.meta.control.deauthorize({ subjectId: her.seeded.facebookUserId })).toEqual({ status: 200 });
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

  it('and asks for deletion leaves nothing of herself and her followers', async () => {
    await connectInstagram(test, her);
    const [row] = await rows();
    await expect
      .poll(() => test.db.engine.selectFrom('posts').select('id').where('connection_id', '=', row!.id).execute())
      .not.toEqual([]);
    await addInteraction(row!.id, { personId: '430', username: 'ana', text: 'RECIPE please' });
    const answer = await test.meta.control.requestDataDeletion({ subjectId: her.seeded.instagramAccountId });
    expect(answer.status).toBe(200);
    const { url, confirmation_code } = JSON.parse(answer.body);
    expect(url).toBe(`http://localhost:3000/data-deletion/${confirmation_code}`);
    const everything = JSON.stringify([
      await rows(),
      await tokens(),
      await test.db.engine.selectFrom('interactions').selectAll().where('connection_id', '=', row!.id).execute(),
      await test.db.engine.selectFrom('deliveries').selectAll().where('connection_id', '=', row!.id).execute(),
      await test.db.engine.selectFrom('people').selectAll().where('connection_id', '=', row!.id).execute(),
      await test.db.engine.selectFrom('posts').selectAll().where('connection_id', '=', row!.id).execute(),
      await test.db.engine.selectFrom('data_deletions').selectAll().execute(),
    ]);
    for (const trace of [
      her.seeded.username,
      her.seeded.instagramAccountId,
      her.seeded.instagramAppScopedId,
      'ana',
      '430',
      'RECIPE',
      her.seeded.posts[0]!.caption,
    ]) {
      expect(everything).not.toContain(`"${trace}`);
    }
    expect(everything).toContain('"outcome":"replied"');
    const page = await test.visitor().send({ method: 'GET', url: `/data-deletion/${confirmation_code}` });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Your data was deleted');
    expect((await test.visitor().send({ method: 'GET', url: '/data-deletion/nonsense' })).status).toBe(404);
  });
  it('as a follower is forgotten where her id is known', async () => {
    await connectInstagram(test, her);
    const [row] = await rows();
    await addInteraction(row!.id, { personId: '431', username: 'bea', text: 'hello' });
    await addInteraction(row!.id, { personId: '432', username: 'cleo', text: 'hello' });
    await deletePersonsData(test.deps, '431');
    const left = await test.db.engine
      .selectFrom('interactions')
      .select(['person_id', 'username', 'text'])
      .where('connection_id', '=', row!.id)
      .orderBy('person_id')
      .execute();
    expect(left).toEqual([
      { person_id: '432', username: 'cleo', text: 'hello' },
      { person_id: 'deleted', username: null, text: '' },
    ]);
    expect(await rows()).toMatchObject([{ disconnected_at: null }]);
  });
  it('is deleted later when it could not be done at once', async () => {
    await connectInstagram(test, her);
    await test.db.engine
      .insertInto('data_deletions')
      .values({
        confirmation_code: 'left-over',
        platform_user_id: her.seeded.instagramAppScopedId,
        requested_at: test.clock.now(),
      })
      .execute();
    const status = async () => (await test.visitor().send({ method: 'GET', url: '/data-deletion/left-over' })).text;
    expect(await status()).toContain('being deleted');
    await finishDataDeletions(test.deps);
    expect(await status()).toContain('was deleted');
    expect(await rows()).toMatchObject([{ disconnected_reason: 'data_deleted', username: 'deleted account' }]);
  });

  async function addInteraction(connectionId: string, who: { personId: string; username: string; text: string }) {
    const now = test.clock.now();
    const id = test.deps.ids.uuid(now);
    const owner = { creator_id: her.creatorId, connection_id: connectionId };
    await test.db.engine
      .insertInto('people')
      .values({ ...owner, id: who.personId, username: who.username, first_seen_at: now })
      .execute();
    await test.db.engine
      .insertInto('interactions')
      .values({
        ...owner,
        id,
        kind: 'comment',
        platform_id: `${who.personId}-comment`,
        person_id: who.personId,
        username: who.username,
        text: who.text,
        occurred_at: now,
        received_at: now,
        outcome: 'replied',
        reason: 'sent',
        outcome_at: now,
      })
      .execute();
    await test.db.engine
      .insertInto('deliveries')
      .values({
        ...owner,
        id: test.deps.ids.uuid(now),
        interaction_id: id,
        kind: 'private_reply',
        lane: 'private_replies',
        recipient: `${who.personId}-comment`,
        recipient_person_id: who.personId,
        content: '{"text":"Here you are","buttons":[]}',
        state: 'sent',
        due_at: now,
        expires_at: now,
        created_at: now,
      })
      .execute();
  }
});
