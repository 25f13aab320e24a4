import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contract from '#contract/connections.ts';
import { getMe } from '#contract/session.ts';
import { changeFacebookAddon, getFacebookAddon } from '#contract/settings.ts';
import type { Person } from '#server/testing/test-app.ts';
import { logIn } from '#server/testing/test-app.ts';
import type { SeededCreator } from '#simulators/meta/control-client.ts';
import { tokenFor } from './account-tokens.ts';
import { pauseWebhooks } from './paused-webhooks.ts';
import {
  connectionsOf,
  consent,
  createMetaTestApp,
  follow,
  type MetaTestApp,
  newCreator,
  signIn,
  start,
} from './testing/meta-app.ts';

const INSTAGRAM_SUCCESS = '/creator-hq?instagramAuthSuccess=true';
const FACEBOOK_SUCCESS = '/creator-hq/facebook-success';
const problem = (code: string, screen = 'settings') => `/creator-hq/${screen}?connectProblem=${code}`;

let test: MetaTestApp;
let own: { person: Person; creatorId: string };
let seeded: SeededCreator;

beforeAll(async () => {
  test = await createMetaTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.meta.control.clearFaults();
  test.changes.length = 0;
  own = await newCreator(test);
  seeded = await test.meta.control.seedCreator();
});

const items = async (who = own) => {
  const answer = await who.person.call(contract.listConnections, { params: { creatorId: who.creatorId } });
  expect(answer.status).toBe(200);
  return answer.body.items as contract.Connection[];
};
const tokenCount = async (creatorId: string) =>
  (await test.db.engine.selectFrom('tokens').selectAll().where('creator_id', '=', creatorId).execute()).length;

describe('the start of a sign-in', () => {
  it('sends strangers to the login, and shows nobody a foreign creator', async () => {
    const url = contract.CONNECT_PATHS.instagram(own.creatorId);
    expect((await test.visitor().send({ method: 'GET', url })).headers.location).toBe('/creator-hq/login');
    const other = await newCreator(test);
    expect((await other.person.send({ method: 'GET', url })).status).toBe(404);
    const nonsense = contract.CONNECT_PATHS.facebook('nonsense');
    expect((await own.person.send({ method: 'GET', url: nonsense })).status).toBe(404);
  });
  it('asks Instagram for the scopes we need, at the exact redirect address, without PKCE', async () => {
    const url = new URL(await start(own.person, own.creatorId, 'instagram'));
    expect(url.origin + url.pathname).toBe(`${test.meta.url}/www.instagram.com/oauth/authorize`);
    expect(url.searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/v1/connections/instagram/callback');
    expect(url.searchParams.get('scope')).toContain('instagram_business_manage_messages');
    expect(url.searchParams.get('state')).toMatch(/^\w{43}$/);
    expect(url.searchParams.has('code_challenge')).toBe(false);
  });
  it('gives Facebook a code challenge and keeps the state only as a hash', async () => {
    const url = new URL(await start(own.person, own.creatorId, 'facebook'));
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    const rows = await test.db.engine
      .selectFrom('oauth_attempts')
      .selectAll()
      .where('creator_id', '=', own.creatorId)
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(url.searchParams.get('state'));
  });
  it('holds its cookie away from scripts and other sites', async () => {
    const answer = await own.person.send({ method: 'GET', url: contract.CONNECT_PATHS.instagram(own.creatorId) });
    expect(String(answer.headers['set-cookie'])).toMatch(/^creator_hq_connect=\w{43};.*HttpOnly; SameSite=Lax/);
  });
});

describe('connecting Instagram before there is a creator account', () => {
  /** The whole way of somebody without one; returns the screen it ends on. */
  const connectFirst = async (person: Person, accountId = seeded.instagramAccountId) => {
    const begun = await person.send({ method: 'GET', url: contract.CONNECT_PATHS.instagramFirst });
    return follow(person, await consent(test, String(begun.headers.location), accountId));
  };
  const creatorOf = async (person: Person) => (await person.call(getMe)).body.creatorAccount;

  it('starts one under the handle of the account, and leads back to the set-up', async () => {
    const person = await test.signUpAndIn();
    expect(await connectFirst(person)).toBe('/creator-hq/account-setup?instagramAuthSuccess=true');
    const creator = await creatorOf(person);
    expect(creator).toMatchObject({ handle: seeded.username, instagramAvatarUrl: expect.any(String) });
    const shown = await items({ person, creatorId: creator._id });
    expect(shown).toMatchObject([{ username: seeded.username, health: 'working' }]);
  });
  it('puts a number behind a handle that somebody else has', async () => {
    await own.person.createCreator(seeded.username);
    const person = await test.signUpAndIn();
    await connectFirst(person);
    expect(await creatorOf(person)).toMatchObject({ handle: `${seeded.username}.2` });
  });
  it('starts none for an account that is connected elsewhere, is personal, or was refused', async () => {
    const person = await test.signUpAndIn();
    await signIn(test, own, 'instagram', seeded.instagramAccountId);
    expect(await connectFirst(person)).toBe(problem('connected_elsewhere', 'account-setup'));
    const personal = await test.meta.control.seedCreator();
    const begun = await person.send({ method: 'GET', url: contract.CONNECT_PATHS.instagramFirst });
    const callback = await consent(test, String(begun.headers.location), personal.instagramAccountId);
    await test.meta.control.updateAccount(personal.instagramAccountId, { accountType: 'PERSONAL' });
    expect(await follow(person, callback)).toBe(problem('personal_account', 'account-setup'));
    const again = await person.send({ method: 'GET', url: contract.CONNECT_PATHS.instagramFirst });
    const refused = await consent(test, String(again.headers.location), seeded.instagramAccountId, {
      decision: 'deny',
    });
    expect(await follow(person, refused)).toBe(problem('refused', 'account-setup'));
    expect(await creatorOf(person)).toBeNull();
  });
  it('sends strangers to the login', async () => {
    const url = contract.CONNECT_PATHS.instagramFirst;
    expect((await test.visitor().send({ method: 'GET', url })).headers.location).toBe('/creator-hq/login');
  });
});

describe('an app with Facebook Login for Business', () => {
  let business: MetaTestApp;
  beforeAll(async () => {
    business = await createMetaTestApp({ META_LOGIN_CONFIG_ID: '778899' });
    await business.meta.control.updateSettings({ switches: { loginForBusiness: true } });
  });
  afterAll(() => business.close());

  it('is asked by its configuration, and signs in', async () => {
    const owner = await newCreator(business);
    const account = await business.meta.control.seedCreator();
    const url = new URL(await start(owner.person, owner.creatorId, 'facebook'));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ config_id: '778899', auth_type: 'reauthorize' });
    expect(url.searchParams.has('scope')).toBe(false);
    expect(await signIn(business, owner, 'facebook', account.facebookUserId)).toBe(FACEBOOK_SUCCESS);
    const instagram = new URL(await start(owner.person, owner.creatorId, 'instagram'));
    expect(instagram.searchParams.has('config_id')).toBe(false);
  });
  it('refuses a list of permissions', async () => {
    await test.meta.control.updateSettings({ switches: { loginForBusiness: true } });
    const dialog = await fetch(await start(own.person, own.creatorId, 'facebook'));
    expect([dialog.status, await dialog.text()]).toEqual([400, expect.stringContaining('needs a configuration')]);
    await test.meta.control.updateSettings({ switches: { loginForBusiness: false } });
  });
});

describe('a callback that does not belong to a sign-in', () => {
  it('without state, with a made-up one, or without a session leads back with a reason', async () => {
    const callback = '/api/v1/connections/instagram/callback';
    for (const url of [callback, `${callback}?code=x`, `${callback}?code=x&state=${'x'.repeat(43)}`]) {
      expect(await follow(own.person, url)).toBe(problem('state_mismatch'));
      expect(await follow(test.visitor(), url)).toBe(problem('state_mismatch'));
    }
  });
  it("with someone else's state is refused and connects nothing", async () => {
    const other = await newCreator(test);
    const callback = await consent(
      test,
      await start(other.person, other.creatorId, 'instagram'),
      seeded.instagramAccountId,
    );
    await start(own.person, own.creatorId, 'instagram');
    expect(await follow(own.person, callback)).toBe(problem('state_mismatch'));
    expect(await items()).toEqual([]);
  });
  it('in another browser or another session of the same person is refused', async () => {
    const callback = await consent(
      test,
      await start(own.person, own.creatorId, 'instagram'),
      seeded.instagramAccountId,
    );
    const elsewhere = await logIn(test, own.person);
    expect(await follow(elsewhere, callback)).toBe(problem('state_mismatch'));
    elsewhere.cookies.set('creator_hq_connect', own.person.cookies.get('creator_hq_connect')!);
    expect(await follow(elsewhere, callback)).toBe(problem('state_mismatch'));
    expect(await items()).toEqual([]);
  });
  it("with the other login's state is refused", async () => {
    const callback = await consent(test, await start(own.person, own.creatorId, 'facebook'), seeded.facebookUserId);
    expect(await follow(own.person, callback.replace('/facebook/', '/instagram/'))).toBe(problem('state_mismatch'));
    expect(await items()).toEqual([]);
  });
  it('after ten minutes is too late', async () => {
    const callback = await consent(
      test,
      await start(own.person, own.creatorId, 'instagram', 'account-setup'),
      seeded.instagramAccountId,
    );
    await test.advanceBoth(10 * 60_000);
    expect(await follow(own.person, callback)).toBe(problem('expired', 'account-setup'));
    expect(await items()).toEqual([]);
  });
  it('works once', async () => {
    const callback = await consent(
      test,
      await start(own.person, own.creatorId, 'instagram'),
      seeded.instagramAccountId,
    );
    expect(await follow(own.person, callback)).toBe(INSTAGRAM_SUCCESS);
    expect(await follow(own.person, callback)).toBe(problem('state_mismatch'));
    expect(await items()).toHaveLength(1);
  });
  it('with a code that was used already is told so', async () => {
    const first = await consent(test, await start(own.person, own.creatorId, 'instagram'), seeded.instagramAccountId);
    expect(await follow(own.person, first)).toBe(INSTAGRAM_SUCCESS);
    const code = new URLSearchParams(first.split('?')[1]).get('code')!;
    const second = new URL(await start(own.person, own.creatorId, 'instagram'));
    const replayed = `/api/v1/connections/instagram/callback?code=${code}&state=${second.searchParams.get('state')}`;
    expect(await follow(own.person, replayed)).toBe(problem('expired'));
  });
  it('of one of two tabs does not disturb the other', async () => {
    const one = await start(own.person, own.creatorId, 'instagram');
    const two = await start(own.person, own.creatorId, 'instagram');
    expect(await follow(own.person, await consent(test, two, seeded.instagramAccountId))).toBe(INSTAGRAM_SUCCESS);
    expect(await follow(own.person, await consent(test, one, seeded.instagramAccountId))).toBe(INSTAGRAM_SUCCESS);
  });
});

describe('connecting with Instagram', () => {
  const connect = (decision = {}) => signIn(test, own, 'instagram', seeded.instagramAccountId, decision);

  it('that they refuse ends where they began', async () => {
    const dialog = await start(own.person, own.creatorId, 'instagram', 'account-setup');
    const callback = await consent(test, dialog, seeded.instagramAccountId, { decision: 'deny' });
    expect(await follow(own.person, callback)).toBe(problem('refused', 'account-setup'));
  });
  it('of a personal account says so', async () => {
    const callback = await consent(
      test,
      await start(own.person, own.creatorId, 'instagram'),
      seeded.instagramAccountId,
    );
    await test.meta.control.updateAccount(seeded.instagramAccountId, { accountType: 'PERSONAL' });
    expect(await follow(own.person, callback)).toBe(problem('personal_account'));
    expect(await items()).toEqual([]);
  });
  it('of an account without a role on the app says so', async () => {
    await test.meta.control.updateAccount(seeded.instagramAccountId, { appRole: 'no_role_silent' });
    expect(await connect()).toBe(problem('app_access'));
  });
  it('says when Meta is away', async () => {
    await test.meta.control.addFault({ match: { operation: 'me' }, action: { kind: 'html', status: 502 } });
    expect(await connect()).toBe(problem('meta_unreachable'));
    await test.meta.control.addFault({
      match: { operation: 'token_exchange' },
      action: { kind: 'reset', when: 'before' },
    });
    expect(await connect()).toBe(problem('meta_unreachable'));
    expect(await tokenCount(own.creatorId)).toBe(0);
  });
  it('without a box that was unticked connects and says which is missing', async () => {
    expect(await connect({ declinedScopes: ['instagram_business_manage_messages'] })).toBe(
      problem('missing_permissions'),
    );
    expect(await items()).toMatchObject([
      { health: 'missing_permissions', missingPermissions: ['instagram_business_manage_messages'] },
    ]);
  });

  it.each([
    ['number', 'flat', 'array', 'flat'],
    ['string', 'data', 'csv', 'data'],
  ] as const)(
    'keeps the account, its token sealed and its webhooks on (%s, %s)',
    async (exchangeUserId, exchangeShape, exchangePermissions, meShape) => {
      await test.meta.control.updateSettings({
        switches: { exchangeUserId, exchangeShape, exchangePermissions, meShape },
      });
      expect(await connect()).toBe(INSTAGRAM_SUCCESS);
      const [connection] = await items();
      expect(connection).toMatchObject({
        platform: 'instagram',
        login: 'instagram',
        username: seeded.username,
        health: 'working',
        healthDetail: null,
        missingWebhooks: [],
        missingPermissions: [],
      });
      expect(connection?.tokenExpiresAt).not.toBeNull();
      const row = await test.db.engine
        .selectFrom('connections')
        .selectAll()
        .where('id', '=', connection!.id)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({
        account_id: seeded.instagramAccountId,
        app_scoped_id: seeded.instagramAppScopedId,
        page_id: null,
        connected_by: own.person.id,
      });
      const speaker = await tokenFor(test.db.engine, test.deps.keys, { creatorId: own.creatorId, id: row.id });
      expect(speaker).toMatchObject({ platform: 'instagram', via: 'instagram', senderId: seeded.instagramAccountId });
      const stored = await test.db.engine
        .selectFrom('tokens')
        .selectAll()
        .where('creator_id', '=', own.creatorId)
        .execute();
      expect(stored).toHaveLength(1);
      expect(stored[0]?.secret).not.toContain(speaker!.token);
      const accounts = await test.meta.control.accounts();
      const account = accounts.find(({ accountId }) => accountId === seeded.instagramAccountId);
      expect(account?.subscribed.instagramLogin).toContain('comments');
      expect(test.changes).toEqual([{ creatorId: own.creatorId, connectionId: row.id }]);
    },
  );

  it('fetches the first posts', async () => {
    await connect();
    await expect
      .poll(() => test.db.engine.selectFrom('posts').select('id').where('creator_id', '=', own.creatorId).execute())
      .toHaveLength(seeded.posts.length);
  });
  it('again does not end the time for which Meta bars the account, nor make the next one short again', async () => {
    await signIn(test, own, 'instagram', seeded.instagramAccountId);
    const bar = { barred_until: new Date(test.clock.now().getTime() + 3_600_000), barred_count: 2 };
    await test.db.engine.updateTable('connections').set(bar).where('creator_id', '=', own.creatorId).execute();
    await signIn(test, own, 'instagram', seeded.instagramAccountId);
    const shown = test.db.engine.selectFrom('connections').select(['barred_until', 'barred_count']);
    expect(await shown.where('creator_id', '=', own.creatorId).execute()).toEqual([bar]);
  });
  it('again keeps the connection and clears what was wrong', async () => {
    await connect();
    const [before] = await items();
    await test.db.engine
      .updateTable('connections')
      .set({ requires_auth_at: new Date(), requires_auth_reason: 'expired' })
      .where('id', '=', before!.id)
      .execute();
    expect((await items())[0]).toMatchObject({ health: 'needs_reconnect' });
    expect(await connect()).toBe(INSTAGRAM_SUCCESS);
    const after = await items();
    expect(after).toMatchObject([{ id: before!.id, health: 'working' }]);
    expect(await tokenCount(own.creatorId)).toBe(1);
  });
  it('after disconnecting brings the same connection back', async () => {
    await connect();
    const [before] = await items();
    const params = { creatorId: own.creatorId, connectionId: before!.id };
    expect((await own.person.call(contract.disconnect, { params })).status).toBe(200);
    expect(await items()).toEqual([]);
    await connect();
    expect(await items()).toMatchObject([{ id: before!.id, health: 'working' }]);
  });
  it('while its platform is paused begins paused, also after disconnecting, until the pause is lifted', async () => {
    const pause = (on: boolean) => pauseWebhooks(test.db, 'instagram', on, test.clock.now());
    const pausedAt = async () => (await connectionsOf(test, own)).map((row) => row.webhooks_paused_at);
    await pause(true);
    await connect();
    expect(await pausedAt()).toEqual([expect.any(Date)]);
    const [row] = await items();
    await own.person.call(contract.disconnect, { params: { creatorId: own.creatorId, connectionId: row!.id } });
    await pause(false);
    expect(await pausedAt()).toEqual([null]);
    await pause(true);
    await connect();
    expect(await pausedAt()).toEqual([expect.any(Date)]);
    await pause(false);
    expect(await pausedAt()).toEqual([null]);
  });
  it('while only the other platform is paused is not held up', async () => {
    await pauseWebhooks(test.db, 'facebook', true, test.clock.now());
    await connect();
    expect((await connectionsOf(test, own))[0]!.webhooks_paused_at).toBeNull();
    await pauseWebhooks(test.db, 'facebook', false, test.clock.now());
  });
  it('of an account that answers for another creator is refused, until it is disconnected there', async () => {
    const other = await newCreator(test);
    expect(await signIn(test, other, 'instagram', seeded.instagramAccountId)).toBe(INSTAGRAM_SUCCESS);
    expect(await connect()).toBe(problem('connected_elsewhere'));
    expect(await tokenCount(own.creatorId)).toBe(0);
    const [theirs] = await items(other);
    await other.person.call(contract.disconnect, {
      params: { creatorId: other.creatorId, connectionId: theirs!.id },
    });
    expect(await connect()).toBe(INSTAGRAM_SUCCESS);
  });
});

describe('connecting with Facebook', () => {
  const login = (decision = {}) => signIn(test, own, 'facebook', seeded.facebookUserId, decision);
  const pages = async () => {
    const answer = await own.person.call(contract.listGrantedPages, { params: { creatorId: own.creatorId } });
    return answer;
  };
  const choose = (...pageIds: string[]) =>
    own.person.call(contract.choosePages, { params: { creatorId: own.creatorId }, body: { pageIds } });

  const switchAddon = (on: boolean) =>
    own.person.call(changeFacebookAddon, { params: { creatorId: own.creatorId }, body: { facebookAddon: on } });

  it('that they refuse ends on the settings', async () => {
    expect(await login({ decision: 'deny' })).toBe(problem('refused'));
  });
  it('without the list of Pages says that a permission is missing', async () => {
    expect(await login({ declinedScopes: ['pages_show_list'] })).toBe(problem('missing_permissions'));
  });
  it('of a person without Pages says so', async () => {
    const { facebookUserId } = await test.meta.control.seedFacebookUser();
    expect(await signIn(test, own, 'facebook', facebookUserId)).toBe(problem('no_pages'));
  });
  it('of a Page that a business hides says so', async () => {
    seeded = await test.meta.control.seedCreator({ businessOwned: true });
    expect(await login({ declinedScopes: ['business_management'] })).toMatch(
      /connectProblem=pages_hidden|facebook-success/,
    );
  });
  it('of a Page without an Instagram account says so', async () => {
    await test.meta.control.updateAccount(seeded.instagramAccountId, { pageId: null });
    expect(await login()).toBe(problem('no_linked_instagram'));
    const { body } = await pages();
    expect(body.items).toMatchObject([{ pageId: seeded.pageId, instagram: null, problem: expect.any(String) }]);
    expect((await choose(seeded.pageId)).body).toMatchObject({ items: [], problems: [{ pageId: seeded.pageId }] });
  });
  it('of a Page without an Instagram account connects it by itself with the Facebook Addon', async () => {
    await test.meta.control.updateAccount(seeded.instagramAccountId, { pageId: null });
    await switchAddon(true);
    expect(await login()).toBe(FACEBOOK_SUCCESS);
    expect((await pages()).body.items).toMatchObject([{ pageId: seeded.pageId, instagram: null, problem: null }]);
    expect((await choose(seeded.pageId)).body).toMatchObject({
      items: [{ platform: 'facebook', username: seeded.pageName, health: 'working', missingWebhooks: [] }],
      problems: [],
    });
  });
  it('names a Page of their business that they left unticked, and why it cannot be chosen', async () => {
    seeded = await test.meta.control.seedCreator({ businessOwned: true });
    const other = await test.meta.control.seedPage({ businessOwned: true });
    const { facebookUserId } = await test.meta.control.seedFacebookUser({
      pages: [{ pageId: seeded.pageId }, { pageId: other.accountId }],
    });
    await signIn(test, own, 'facebook', facebookUserId, { pageIds: [seeded.pageId] });
    expect((await pages()).body.items).toMatchObject([
      { pageId: seeded.pageId, problem: null },
      { pageId: other.accountId, problem: expect.stringContaining('select') },
    ]);
  });
  it('of an account whose Page was left unticked says so', async () => {
    expect(await login({ pageIds: [] })).toBe(problem('page_not_granted'));
  });
  it('of a Page without the tasks we need says so', async () => {
    const page = await test.meta.control.seedPage({ instagramAccountId: seeded.instagramAccountId });
    const { facebookUserId } = await test.meta.control.seedFacebookUser({
      pages: [{ pageId: page.accountId, tasks: ['ANALYZE', 'ADVERTISE'] }],
    });
    expect(await signIn(test, own, 'facebook', facebookUserId)).toBe(problem('missing_permissions'));
  });

  it('lists Pages only after a sign-in', async () => {
    expect(await pages()).toMatchObject({ status: 409, body: { code: 'not_connected' } });
    expect(await choose(seeded.pageId)).toMatchObject({ status: 409, body: { code: 'not_connected' } });
  });
  it('asks to sign in again when the sign-in has died', async () => {
    await login();
    await test.meta.control.killTokens({ subjectId: seeded.facebookUserId, reason: 'password_changed' });
    expect(await pages()).toMatchObject({ status: 409, body: { code: 'needs_reconnect' } });
  });
  it('says when Facebook is away', async () => {
    await login();
    await test.meta.control.addFault({ match: { operation: 'page_list' }, action: { kind: 'html', status: 502 } });
    expect(await pages()).toMatchObject({ status: 502, body: { code: 'platform_unreachable' } });
  });
  it('connects a chosen Page and its Instagram account', async () => {
    expect(await login()).toBe(FACEBOOK_SUCCESS);
    expect((await pages()).body.items).toMatchObject([
      {
        pageId: seeded.pageId,
        name: seeded.pageName,
        connected: false,
        problem: null,
        instagram: { accountId: seeded.instagramAccountId, username: seeded.username },
      },
    ]);
    const chosen = await choose(seeded.pageId, seeded.pageId, '999');
    expect(chosen.body.problems).toMatchObject([{ pageId: '999' }]);
    expect(chosen.body.items).toMatchObject([
      { platform: 'facebook', login: 'facebook', health: 'working', missingWebhooks: [] },
      { platform: 'instagram', login: 'facebook', username: seeded.username, health: 'working' },
    ]);
    const instagram = chosen.body.items[1];
    expect(
      await tokenFor(test.db.engine, test.deps.keys, { creatorId: own.creatorId, id: instagram.id }),
    ).toMatchObject({
      platform: 'instagram',
      via: 'page',
      senderId: seeded.pageId,
    });
    expect((await pages()).body.items).toMatchObject([{ connected: true }]);
    const page = (await test.meta.control.accounts()).find(({ accountId }) => accountId === seeded.pageId);
    expect(page?.subscribed.facebookLogin).toContain('feed');
  });
  it('twice changes nothing but the tokens', async () => {
    await login();
    await choose(seeded.pageId);
    const before = await items();
    await login();
    await choose(seeded.pageId);
    expect((await items()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await tokenCount(own.creatorId)).toBe(2);
  });
  it('of an account signed in directly keeps the direct token speaking', async () => {
    await signIn(test, own, 'instagram', seeded.instagramAccountId);
    await login();
    await choose(seeded.pageId);
    const instagram = (await items()).find(({ platform }) => platform === 'instagram');
    expect(instagram).toMatchObject({ login: 'instagram' });
    expect(
      await tokenFor(test.db.engine, test.deps.keys, { creatorId: own.creatorId, id: instagram!.id }),
    ).toMatchObject({
      via: 'instagram',
    });
  });
  it('of a Page that answers for another creator is told in words', async () => {
    const other = await newCreator(test);
    await signIn(test, other, 'facebook', seeded.facebookUserId);
    await other.person.call(contract.choosePages, {
      params: { creatorId: other.creatorId },
      body: { pageIds: [seeded.pageId] },
    });
    await login();
    expect((await choose(seeded.pageId)).body).toMatchObject({
      items: [],
      problems: [{ pageId: seeded.pageId, detail: expect.stringContaining('another creator') }],
    });
    expect(await items()).toEqual([]);
  });
});

describe('the Facebook Addon', () => {
  const params = {
    params: {
      get creatorId() {
        return own.creatorId;
      },
    },
  };
  it('is off until it is switched on, and tells the engine of each Page', async () => {
    expect((await own.person.call(getFacebookAddon, params)).body).toEqual({ facebookAddon: false });
    await signIn(test, own, 'facebook', seeded.facebookUserId);
    const chosen = await own.person.call(contract.choosePages, { ...params, body: { pageIds: [seeded.pageId] } });
    test.changes.length = 0;
    const answer = await own.person.call(changeFacebookAddon, { ...params, body: { facebookAddon: true } });
    expect(answer).toMatchObject({ status: 200, body: { facebookAddon: true } });
    expect((await own.person.call(getFacebookAddon, params)).body).toEqual({ facebookAddon: true });
    const page = chosen.body.items.find(({ platform }: contract.Connection) => platform === 'facebook');
    expect(test.changes).toEqual([{ creatorId: own.creatorId, connectionId: page.id }]);
  });
  it('is nobody else’s to see or to switch', async () => {
    const other = await newCreator(test);
    expect((await test.visitor().call(getFacebookAddon, params)).status).toBe(401);
    expect((await other.person.call(getFacebookAddon, params)).status).toBe(404);
    const change = { ...params, body: { facebookAddon: true } };
    expect((await other.person.call(changeFacebookAddon, change)).status).toBe(404);
    expect((await own.person.call(getFacebookAddon, params)).body).toEqual({ facebookAddon: false });
  });
});

describe('the endpoints of connections', () => {
  it('refuse strangers, foreign creators and nonsense', async () => {
    await signIn(test, own, 'instagram', seeded.instagramAccountId);
    const [mine] = await items();
    const other = await newCreator(test);
    const params = { creatorId: own.creatorId, connectionId: mine!.id };
    for (const endpoint of [contract.checkConnection, contract.disconnect]) {
      expect((await test.visitor().call(endpoint, { params })).status).toBe(401);
      expect((await other.person.call(endpoint, { params })).status).toBe(404);
      const mixed = { creatorId: other.creatorId, connectionId: mine!.id };
      expect((await other.person.call(endpoint, { params: mixed })).status).toBe(404);
      expect((await own.person.call(endpoint, { params: { ...params, connectionId: 'x' } })).status).toBe(422);
    }
    const noPages = { params: { creatorId: own.creatorId }, body: { pageIds: [] } };
    expect((await own.person.call(contract.choosePages, noPages)).status).toBe(422);
    expect(await items()).toMatchObject([{ id: mine!.id, health: 'working' }]);
  });
  it('disconnect once and for all: no token, no webhooks, and twice is as good as once', async () => {
    await signIn(test, own, 'instagram', seeded.instagramAccountId);
    const [mine] = await items();
    const params = { creatorId: own.creatorId, connectionId: mine!.id };
    expect((await own.person.call(contract.disconnect, { params })).status).toBe(200);
    expect((await own.person.call(contract.disconnect, { params })).status).toBe(200);
    expect(await tokenCount(own.creatorId)).toBe(0);
    const account = (await test.meta.control.accounts()).find(
      ({ accountId }) => accountId === seeded.instagramAccountId,
    );
    expect(account?.subscribed.instagramLogin).toBeNull();
    expect(await tokenFor(test.db.engine, test.deps.keys, { creatorId: own.creatorId, id: mine!.id })).toBeNull();
  });
  it('disconnect a Page without silencing the Instagram account it speaks for', async () => {
    await signIn(test, own, 'facebook', seeded.facebookUserId);
    const params = { creatorId: own.creatorId };
    const chosen = await own.person.call(contract.choosePages, { params, body: { pageIds: [seeded.pageId] } });
    const [page, instagram] = chosen.body.items;
    await own.person.call(contract.disconnect, { params: { ...params, connectionId: page.id } });
    expect(
      await tokenFor(test.db.engine, test.deps.keys, { creatorId: own.creatorId, id: instagram.id }),
    ).not.toBeNull();
    const account = (await test.meta.control.accounts()).find(({ accountId }) => accountId === seeded.pageId);
    expect(account?.subscribed.facebookLogin).toContain('feed');
    await own.person.call(contract.disconnect, { params: { ...params, connectionId: instagram.id } });
    expect(await tokenCount(own.creatorId)).toBe(0);
  });
});
