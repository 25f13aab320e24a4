import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/connections.ts';
import { open } from '#server/platforms/secrets.ts';
import type { Person } from '#server/testing/test-app.ts';
import type { SeededCreator } from '#simulators/meta/control-client.ts';
import { checkConnections } from './jobs.ts';
import { deletePersonsData, finishDataDeletions } from './leaving.ts';
import { refreshDueTokens } from './refreshing.ts';
import { createSpeakers, tokenFor } from './speaking.ts';
import { createMetaTestApp, type MetaTestApp, newCreator, signIn } from './testing/meta-app.ts';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

let test: MetaTestApp;
let her: { person: Person; creatorId: string };
let seeded: SeededCreator;

// Each has an application of its own: weeks pass here, and no session made afterwards would be young enough.
beforeEach(async () => {
  test = await createMetaTestApp();
  her = await newCreator(test);
  seeded = await test.meta.control.seedCreator();
});
afterEach(() => test.close());

/** By the database: a session does not outlast the weeks that these tests let pass. */
const rows = () =>
  test.db.engine
    .selectFrom('connections')
    .selectAll()
    .where('creator_id', '=', her.creatorId)
    .orderBy('platform')
    .execute();
const tokens = () =>
  test.db.engine.selectFrom('tokens').selectAll().where('creator_id', '=', her.creatorId).orderBy('kind').execute();
const speaker = async () => {
  const [row] = await rows();
  return tokenFor(test.db.engine, test.deps.keys, { creatorId: her.creatorId, id: row!.id });
};
const connectInstagram = async () => {
  expect(await signIn(test, her, 'instagram', seeded.instagramAccountId)).toContain('instagramAuthSuccess');
  test.changes.length = 0;
};
const connectPage = async () => {
  await signIn(test, her, 'facebook', seeded.facebookUserId);
  const params = { creatorId: her.creatorId };
  const answer = await her.person.call(contract.choosePages, { params, body: { pageIds: [seeded.pageId] } });
  expect(answer.body.items).toHaveLength(2);
  test.changes.length = 0;
};
const account = async (id = seeded.instagramAccountId) =>
  (await test.meta.control.accounts()).find(({ accountId }) => accountId === id)!;

describe('renewing sign-ins', () => {
  it('leaves a young sign-in alone', async () => {
    await connectInstagram();
    const [before] = await tokens();
    await test.advanceBoth(30 * DAY_MS);
    await refreshDueTokens(test.deps);
    expect(await tokens()).toEqual([before]);
  });
  it('renews it twenty days before its end, for another sixty, and only once a day', async () => {
    await connectInstagram();
    const [before] = await tokens();
    await test.advanceBoth(41 * DAY_MS);
    await refreshDueTokens(test.deps);
    const [after] = await tokens();
    expect(after!.expires_at!.getTime() - before!.expires_at!.getTime()).toBeGreaterThan(40 * DAY_MS);
    expect(open(test.deps.keys.encryptionKeys, after!.secret)).not.toBe(
      open(test.deps.keys.encryptionKeys, before!.secret),
    );
    await refreshDueTokens(test.deps);
    expect(await tokens()).toEqual([after]);
    expect((await rows())[0]?.requires_auth_at).toBeNull();
  });
  it('tries again when Meta is away', async () => {
    await connectInstagram();
    await test.advanceBoth(41 * DAY_MS);
    await test.meta.control.addFault({ match: { operation: 'token_refresh' }, action: { kind: 'html', status: 502 } });
    await refreshDueTokens(test.deps);
    expect((await rows())[0]?.requires_auth_at).toBeNull();
    await refreshDueTokens(test.deps);
    expect((await tokens())[0]?.refreshed_at).not.toBeNull();
  });
  it('asks the creator to sign in when the token has died, with the reason', async () => {
    await connectInstagram();
    await test.advanceBoth(41 * DAY_MS);
    await test.meta.control.killTokens({ subjectId: seeded.instagramAccountId, reason: 'password_changed' });
    await refreshDueTokens(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'password_changed' }]);
    expect(test.changes).toHaveLength(1);
    expect(await speaker()).toBeNull();
  });
  it('asks the creator to sign in when it ended unnoticed', async () => {
    await connectInstagram();
    await test.advanceBoth(61 * DAY_MS);
    await refreshDueTokens(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'expired' }]);
  });
  it('lets the Page speak when the own sign-in has ended', async () => {
    await connectInstagram();
    await connectPage();
    await test.meta.control.killTokens({ subjectId: seeded.instagramAccountId, reason: 'app_removed' });
    await test.advanceBoth(41 * DAY_MS);
    await refreshDueTokens(test.deps);
    const instagram = (await rows()).find(({ platform }) => platform === 'instagram')!;
    expect(instagram.requires_auth_at).toBeNull();
    expect(
      await tokenFor(test.db.engine, test.deps.keys, { creatorId: her.creatorId, id: instagram.id }),
    ).toMatchObject({ via: 'page', senderId: seeded.pageId });
  });
  it('exchanges a Facebook sign-in; when that ends, its Pages go on', async () => {
    await connectPage();
    await test.advanceBoth(41 * DAY_MS);
    await refreshDueTokens(test.deps);
    const login = (await tokens()).find(({ kind }) => kind === 'FACEBOOK_BUSINESS_USER')!;
    expect(login.refreshed_at).not.toBeNull();
    await test.advanceBoth(61 * DAY_MS);
    await refreshDueTokens(test.deps);
    expect((await tokens()).find(({ kind }) => kind === 'FACEBOOK_BUSINESS_USER')?.invalid_reason).toBe('expired');
    expect((await rows()).every((row) => row.requires_auth_at === null)).toBe(true);
    expect(await speaker()).not.toBeNull();
  });
});

describe('the health check', () => {
  it('reads figures, handle and picture anew', async () => {
    await connectInstagram();
    await test.meta.control.updateAccount(seeded.instagramAccountId, { followersCount: 123_456, username: 'renamed' });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ followers_count: 123_456, username: 'renamed' }]);
    expect(test.changes).toHaveLength(1);
  });
  it('looks at a connection once an hour', async () => {
    await connectInstagram();
    await test.meta.control.clearLedger();
    await checkConnections(test.deps);
    expect((await test.meta.control.ledgerSummary()).byOperation.me ?? 0).toBe(0);
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    await checkConnections(test.deps);
    expect((await test.meta.control.ledgerSummary()).byOperation.me).toBe(1);
  });
  it('subscribes again when Meta has unsubscribed us in silence, and notes it', async () => {
    await connectInstagram();
    const own = (await speaker())!;
    await test.deps.meta.unsubscribe(own);
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect((await account()).subscribed.instagramLogin).toContain('comments');
    expect(await rows()).toMatchObject([{ missing_webhooks: [], webhooks_repaired_at: test.clock.now() }]);
  });
  it('says which webhooks are missing when subscribing is refused', async () => {
    await connectInstagram();
    await test.deps.meta.unsubscribe((await speaker())!);
    await test.meta.control.addFault({ match: { operation: 'subscribe' }, action: { kind: 'error', code: 200 } });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ missing_webhooks: ['comments', 'messages', 'messaging_postbacks'] }]);
  });
  it('notices a permission withdrawn at Facebook', async () => {
    await connectPage();
    await test.meta.control.removeScopes(seeded.pageId, ['instagram_manage_comments']);
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect((await rows()).find(({ platform }) => platform === 'instagram')).toMatchObject({
      missing_permissions: ['instagram_manage_comments'],
    });
  });
  it("makes a Page's token anew while the person's sign-in lives", async () => {
    await connectPage();
    const dead = (await speaker())!.token;
    await test.meta.control.killTokens({ token: dead, reason: 'invalid' });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect((await rows()).map((row) => row.requires_auth_at)).toEqual([null, null]);
    expect((await speaker())!.token).not.toBe(dead);
  });
  it('asks to sign in when no token works, and takes it back when one does', async () => {
    await connectInstagram();
    await test.meta.control.addFault({
      match: { operation: 'me' },
      action: { kind: 'error', code: 190, subcode: 459 },
    });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'checkpoint' }]);
    expect(await speaker()).toBeNull();
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_at: null, requires_auth_reason: null }]);
    expect(await speaker()).not.toBeNull();
  });
  it('leaves everything as it was when Meta is away, and says so on demand', async () => {
    await connectInstagram();
    const [before] = await rows();
    await test.meta.control.addFault({ match: { operation: 'me' }, action: { kind: 'html', status: 502 } });
    const params = { creatorId: her.creatorId, connectionId: before!.id };
    const answer = await her.person.call(contract.checkConnection, { params });
    expect(answer).toMatchObject({ status: 502, body: { code: 'platform_unreachable' } });
    expect(await rows()).toEqual([before]);
    expect((await her.person.call(contract.checkConnection, { params })).body).toMatchObject({ health: 'working' });
  });
  it('of one odd connection does not keep the others from theirs', async () => {
    await connectInstagram();
    const sealed = (await tokens())[0]!;
    await test.db.engine.updateTable('tokens').set({ secret: 'gone.x.y.z' }).where('id', '=', sealed.id).execute();
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'no_token' }]);
  });
});

describe('the token that speaks', () => {
  it('is remembered for a minute, or until told to forget', async () => {
    await connectInstagram();
    const [row] = await rows();
    const connection = { creatorId: her.creatorId, id: row!.id };
    const speakers = createSpeakers(test.deps);
    const first = await speakers.speakerOf(connection);
    expect(first).not.toBeNull();
    await test.db.engine.deleteFrom('tokens').execute();
    expect(await speakers.speakerOf(connection)).toEqual(first);
    speakers.forget(connection.id);
    expect(await speakers.speakerOf(connection)).toBeNull();
  });
});

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
    await connectInstagram();
    for (const url of ['/webhooks/meta/deauthorize', '/webhooks/meta/data-deletion']) {
      expect((await post(url, {})).status).toBe(400);
      expect((await post(url, { signed_request: 'x.y' })).status).toBe(403);
      const forged = signed({ user_id: seeded.instagramAppScopedId }, 'a guess');
      expect((await post(url, { signed_request: forged })).status).toBe(403);
    }
    expect(await rows()).toMatchObject([{ disconnected_at: null }]);
  });
  it('is disconnected, her tokens are gone, and she can see why', async () => {
    await connectInstagram();
    expect(await test.meta.control.deauthorize({ subjectId: seeded.instagramAccountId })).toEqual({ status: 200 });
    expect(await rows()).toMatchObject([{ disconnected_reason: 'app_removed' }]);
    expect(await tokens()).toEqual([]);
    expect(test.changes).toHaveLength(1);
    const shown = await her.person.call(contract.listConnections, { params: { creatorId: her.creatorId } });
    expect(shown.body.items).toMatchObject([
      { health: 'disconnected', healthDetail: expect.stringContaining('removed') },
    ]);
    expect(await test.meta.control.deauthorize({ subjectId: seeded.instagramAccountId })).toEqual({ status: 200 });
  });
  it('at Facebook keeps what she signed in directly at Instagram', async () => {
    await connectInstagram();
    await connectPage();
    expect(await test.meta.control.deauthorize({ subjectId: seeded.facebookUserId })).toEqual({ status: 200 });
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
    await connectInstagram();
    const [row] = await rows();
    await addInteraction(row!.id, { personId: '430', username: 'ana', text: 'RECIPE please' });
    const answer = await test.meta.control.requestDataDeletion({ subjectId: seeded.instagramAccountId });
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
      seeded.username,
      seeded.instagramAccountId,
      seeded.instagramAppScopedId,
      'ana',
      '430',
      'RECIPE',
      seeded.posts[0]!.caption,
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
    await connectInstagram();
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
    await connectInstagram();
    await test.db.engine
      .insertInto('data_deletions')
      .values({
        confirmation_code: 'left-over',
        platform_user_id: seeded.instagramAppScopedId,
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
