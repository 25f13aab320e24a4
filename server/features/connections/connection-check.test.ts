import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as contract from '#contract/connections.ts';
import { systemIds } from '#server/clock.ts';
import { createSpeakers } from './account-tokens.ts';
import { check } from './connection-check.ts';
import { checkConnections } from './jobs.ts';
import { wantedWebhooks } from './permissions.ts';
import {
  type Creator,
  connectInstagram,
  connectionsOf,
  connectPage,
  createMetaTestApp,
  type MetaTestApp,
  speakerOf,
  startAnew,
  tokensOf,
} from './testing/meta-app.ts';
import { kindOf } from './webhooks.ts';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

let test: MetaTestApp;
let creator: Creator;

beforeAll(async () => {
  test = await createMetaTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  creator = await startAnew(test);
});

const rows = () => connectionsOf(test, creator);
const tokens = () => tokensOf(test, creator);
const speaker = () => speakerOf(test, creator);
const account = async () =>
  (await test.meta.control.accounts()).find(({ accountId }) => accountId === creator.seeded.instagramAccountId)!;

describe('the health check', () => {
  it('reads figures, handle and picture again', async () => {
    await connectInstagram(test, creator);
    await test.meta.control.updateAccount(creator.seeded.instagramAccountId, {
      followersCount: 123_456,
      username: 'renamed',
    });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ followers_count: 123_456, username: 'renamed' }]);
    expect(test.changes).toHaveLength(1);
  });
  it('tells of another number of followers to the screens alone', async () => {
    await connectInstagram(test, creator);
    await test.meta.control.updateAccount(creator.seeded.instagramAccountId, { followersCount: 123_456 });
    await test.advanceBoth(HOUR_MS + 1);
    using shown = vi.spyOn(test.deps.live, 'publish');
    await checkConnections(test.deps);
    const [row] = await rows();
    expect(shown).toHaveBeenCalledWith(row!.creator_id, { what: 'connections' });
    expect(test.changes).toEqual([]);
  });
  it('looks at a connection once an hour', async () => {
    await connectInstagram(test, creator);
    await test.meta.control.clearLedger();
    await checkConnections(test.deps);
    expect((await test.meta.control.ledgerSummary()).byOperation.me ?? 0).toBe(0);
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    await checkConnections(test.deps);
    expect((await test.meta.control.ledgerSummary()).byOperation.me).toBe(1);
  });
  it('subscribes again when Meta has unsubscribed us in silence, and notes it', async () => {
    await connectInstagram(test, creator);
    const own = (await speaker())!;
    await test.deps.meta.unsubscribe(own);
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect((await account()).subscribed.instagramLogin).toContain('comments');
    expect(await rows()).toMatchObject([{ missing_webhooks: [], webhooks_repaired_at: test.clock.now() }]);
  });
  it('says which webhooks are missing when subscribing is refused', async () => {
    await connectInstagram(test, creator);
    await test.deps.meta.unsubscribe((await speaker())!);
    await test.meta.control.addFault({ match: { operation: 'subscribe' }, action: { kind: 'error', code: 200 } });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ missing_webhooks: ['comments', 'messages', 'messaging_postbacks'] }]);
  });
  it.each([
    ['Page', connectPage, ['feed', 'messages', 'messaging_postbacks']],
    ['Instagram account', connectInstagram, ['comments', 'messages', 'messaging_postbacks']],
  ] as const)(
    'asks for webhooks that were not wanted yet when the %s was connected',
    async (_what, connect, fields) => {
      await connect(test, creator);
      await test.deps.meta.subscribe({ ...(await speaker())!, fields: [...fields] });
      await test.advanceBoth(DAY_MS);
      await checkConnections(test.deps);
      const { login } = kindOf((await speaker())!);
      expect(await test.deps.meta.readSubscriptions((await speaker())!)).toMatchObject({ data: wantedWebhooks(login) });
      for (const row of await rows()) expect(row).toMatchObject({ missing_webhooks: [], webhooks_repaired_at: null });
    },
  );
  it('asks once a day for webhooks that Meta refuses, and misses nothing that is needed', async () => {
    await connectInstagram(test, creator);
    await test.deps.meta.subscribe({ ...(await speaker())!, fields: ['comments', 'messages', 'messaging_postbacks'] });
    await test.meta.control.addFault({
      match: { operation: 'subscribe' },
      action: { kind: 'error', code: 100 },
      times: 100,
    });
    await test.meta.control.clearLedger();
    const asked = async () => (await test.meta.control.ledgerSummary()).byOperation.subscribe ?? 0;
    for (let hour = 0; hour < 48; hour += 2) {
      await test.advanceBoth(2 * HOUR_MS);
      await checkConnections(test.deps);
    }
    expect(await asked()).toBe(2);
    expect(await rows()).toMatchObject([{ missing_webhooks: [] }]);
  });
  it('notices a permission withdrawn at Facebook', async () => {
    await connectPage(test, creator);
    await test.meta.control.removeScopes(creator.seeded.pageId, ['instagram_manage_comments']);
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect((await rows()).find(({ platform }) => platform === 'instagram')).toMatchObject({
      missing_permissions: ['instagram_manage_comments'],
    });
  });
  it("renews a Page's token while the person's sign-in lives", async () => {
    await connectPage(test, creator);
    const dead = (await speaker())!.token;
    await test.meta.control.killTokens({ token: dead, reason: 'invalid' });
    await test.advanceBoth(HOUR_MS + 1);
    test.changes.length = 0;
    await checkConnections(test.deps);
    expect((await rows()).map((row) => row.requires_auth_at)).toEqual([null, null]);
    expect((await speaker())!.token).not.toBe(dead);
    // Caches of the dead one are cleared.
    expect(test.changes.length).toBeGreaterThan(0);
  });
  it('asks to sign in when no token works, and takes it back when one does', async () => {
    await connectInstagram(test, creator);
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
  it('does not hold against a new sign-in what Meta says of the one before', async () => {
    await connectInstagram(test, creator);
    await test.meta.control.killTokens({ subjectId: creator.seeded.instagramAccountId, reason: 'password_changed' });
    await test.advanceBoth(HOUR_MS + 1);
    const { instagramMe } = test.deps.meta;
    using _ = vi.spyOn(test.deps.meta, 'instagramMe').mockImplementationOnce(async (token) => {
      const refused = await instagramMe(token);
      await connectInstagram(test, creator);
      return refused;
    });
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_at: null }]);
    expect(await tokens()).toMatchObject([{ invalid_at: null }]);
    expect(test.changes).toEqual([]);
  });
  it('asks no one to sign in who has since the connection was read', async () => {
    await connectInstagram(test, creator);
    const [before] = await rows();
    await test.advanceBoth(1);
    await connectInstagram(test, creator);
    await test.db.engine.deleteFrom('tokens').execute();
    await check(test.deps, before!);
    expect(await rows()).toMatchObject([{ requires_auth_at: null }]);
    // A token nobody replaces is asked for with the next check.
    await check(test.deps, (await rows())[0]!);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'no_token' }]);
  });
  it("asks to sign in when a renewed Page's token does not work either", async () => {
    await connectPage(test, creator);
    await test.meta.control.killTokens({ token: (await speaker())!.token, reason: 'invalid' });
    await test.meta.control.addFault({
      match: { operation: 'account_read' },
      action: { kind: 'error', code: 190, subcode: 459 },
      times: 4,
    });
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    const instagram = (await rows()).find(({ platform }) => platform === 'instagram');
    expect(instagram).toMatchObject({ requires_auth_at: test.clock.now() });
  });
  it('leaves everything as it was when Meta is away, and says so on demand', async () => {
    await connectInstagram(test, creator);
    const [before] = await rows();
    await test.meta.control.addFault({ match: { operation: 'me' }, action: { kind: 'html', status: 502 } });
    const params = { creatorId: creator.creatorId, connectionId: before!.id };
    const answer = await creator.person.call(contract.checkConnection, { params });
    expect(answer).toMatchObject({ status: 502, body: { code: 'platform_unreachable' } });
    const { missing_webhooks, webhooks_checked_at, figures_refreshed_at } = before!;
    expect(await rows()).toMatchObject([
      { requires_auth_at: null, missing_webhooks, webhooks_checked_at, figures_refreshed_at },
    ]);
    expect((await creator.person.call(contract.checkConnection, { params })).body).toMatchObject({ health: 'working' });
  });
  it('of one odd connection does not keep the others from theirs', async () => {
    await connectInstagram(test, creator);
    const sealed = (await tokens())[0]!;
    await test.db.engine.updateTable('tokens').set({ secret: 'gone.x.y.z' }).where('id', '=', sealed.id).execute();
    await test.advanceBoth(HOUR_MS + 1);
    await checkConnections(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'no_token' }]);
  });
});

type Speakers = ReturnType<typeof createSpeakers>;

describe('the token that speaks', () => {
  async function connected() {
    await connectInstagram(test, creator);
    const [row] = await rows();
    return { connection: { creatorId: creator.creatorId, id: row!.id }, speakers: createSpeakers(test.deps) };
  }

  it('is remembered for ten minutes, or until told to forget', async () => {
    const { connection, speakers } = await connected();
    const first = await speakers.speakerOf(connection);
    expect(first).not.toBeNull();
    await test.db.engine.deleteFrom('tokens').execute();
    expect(await speakers.speakerOf(connection)).toEqual(first);
    speakers.forget(connection.id);
    expect(await speakers.speakerOf(connection)).toBeNull();
  });
  it('is not remembered where the connection changed while it was read', async () => {
    const { connection, speakers } = await connected();
    const asked = speakers.speakerOf(connection);
    await new Promise((resolve) => setImmediate(resolve));
    speakers.forget(connection.id);
    expect(await asked).not.toBeNull();
    await test.db.engine.deleteFrom('tokens').execute();
    expect(await speakers.speakerOf(connection)).toBeNull();
  });
  it('is read again after Meta refused it', async () => {
    const { connection, speakers } = await connected();
    const refused = await speakers.speakerOf(connection);
    await connectInstagram(test, creator);
    expect(await speakers.speakerOf(connection)).toEqual(refused);
    expect((await speakers.speakerOf(connection, { fresh: true }))!.token).not.toBe(refused!.token);
  });
  it('is found for all who ask at the same moment, for whom there is none too', async () => {
    const { connection, speakers } = await connected();
    const nobody = { creatorId: creator.creatorId, id: systemIds.uuid(new Date()) };
    const found = await Promise.all([connection, nobody, connection].map((one) => speakers.speakerOf(one)));
    expect(found).toEqual([expect.objectContaining({ via: 'instagram' }), null, found[0]]);
  });
  it.each([
    ['ten minutes have passed', (speakers: Speakers) => test.advanceBoth(10 * 60_000).then(() => speakers)],
    ['any connection may have changed', async (speakers: Speakers) => speakers.forgetAll()],
  ])('is read again when %s', async (_when, happens) => {
    const { connection, speakers } = await connected();
    expect(await speakers.speakerOf(connection)).not.toBeNull();
    await test.db.engine.deleteFrom('tokens').execute();
    await happens(speakers);
    expect(await speakers.speakerOf(connection)).toBeNull();
  });
});

describe('the link in the profile', () => {
  const linkOf = async (person = creator.person) => {
    const [row] = await rows();
    const params = { creatorId: creator.creatorId, connectionId: row!.id };
    return person.call(contract.getProfileLink, { params });
  };
  const write = (profile: { website?: string; biography?: string }) =>
    test.meta.control.updateAccount(creator.seeded.instagramAccountId, profile);

  it('is the website of it, else the first link of its biography', async () => {
    await connectInstagram(test, creator);
    expect((await linkOf()).body).toEqual({ url: null });
    await write({ biography: 'Cooking 🥄 every recipe: maya.example/recipes, daily' });
    expect((await linkOf()).body).toEqual({ url: 'https://maya.example/recipes' });
    await write({ website: 'http://maya.example/' });
    expect((await linkOf()).body).toEqual({ url: 'http://maya.example/' });
  });
  it('is read through the Page where that speaks for the account', async () => {
    await connectPage(test, creator);
    await test.meta.control.updateAccount(creator.seeded.pageId, { website: 'https://page.example/' });
    expect((await linkOf()).body).toEqual({ url: 'https://page.example/' });
    await write({ website: 'https://maya.example/' });
    const [, instagram] = await rows();
    const params = { creatorId: creator.creatorId, connectionId: instagram!.id };
    expect((await creator.person.call(contract.getProfileLink, { params })).body).toEqual({
      url: 'https://maya.example/',
    });
  });
  it('is nothing while Meta does not answer, and nobody else’s to see', async () => {
    await connectInstagram(test, creator);
    await write({ website: 'https://maya.example/' });
    await test.meta.control.addFault({ match: { operation: 'me' }, action: { kind: 'error', code: 2 } });
    expect(await linkOf()).toMatchObject({ status: 200, body: { url: null } });
    expect((await linkOf(await test.signUpAndIn())).status).toBe(404);
    await test.db.engine.deleteFrom('tokens').execute();
    expect((await linkOf()).body).toEqual({ url: null });
  });
});
