import { createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { getHome } from '#contract/home.ts';
import { getEnv, getMe, loginDemo, updateProfile } from '#contract/session.ts';
import { accessMembership, listMemberships } from '#contract/team.ts';
import { createFollowers, LIMITED } from '#server/testing/followers.ts';
import { insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp, WITH_BILLING } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ settings: WITH_BILLING });
});
afterAll(() => app?.close());

const MINUTE_MS = 60_000;

test('says nothing about anybody to a stranger', async () => {
  const answer = await app.visitor().call(getMe);
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ code: 'not_signed_in', title: 'Please log in' });
});

test('knows somebody without a creator', async () => {
  const ada = await app.signUpAndIn({ name: 'Ada 🍝 بيرت' });
  const answer = await ada.call(getMe);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    account: {
      _id: ada.id,
      name: 'Ada 🍝 بيرت',
      email: ada.email,
      emailVerified: true,
      isAdmin: false,
      needsTwoStep: false,
      avatarUrl: null,
      twoFactorEnabled: false,
    },
    creatorAccount: null,
    subscription: null,
    billing: null,
    tokenDetails: {},
    memberships: [],
    currentMembership: null,
    intercomUserHash: null,
    role: null,
    adminAccess: null,
    queue: null,
    toolsToReconnect: [],
    mailServerFails: false,
  });
});

test('shows the creator that a person starts, on the free plan', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator('Ada.Cooks');
  const { body } = await ada.call(getMe);
  expect(body.creatorAccount).toEqual({
    _id: creator.id,
    handle: 'Ada.Cooks',
    instagramAvatarUrl: null,
    facebookAvatarUrl: null,
    instagramFollowersCount: null,
    timeZone: null,
    facebookFollowersCount: null,
    deleteAt: null,
  });
  expect(body.subscription).toEqual({
    plan: { name: 'Free', productId: 'free-plan', price: {} },
    interval: 'month',
    status: 'active',
    cancelAt: null,
    canceledAt: null,
    stripeSubscriptionId: expect.stringMatching(/^inhouse_/),
    isActive: true,
    isFree: true,
  });
  expect(body.currentMembership).toMatchObject({ displayName: 'Ada.Cooks', displayImage: null, current: true });
});

test('where nothing can be paid all but the plan is as it was before there was billing, in as many statements', async () => {
  const free = await createTestApp();
  const statements: number[] = [];
  for (const one of [free, app]) {
    const ada = await one.signUpAndIn({ name: 'Ada', email: `ada.${statements.length}@example.com` });
    const { id } = await ada.createCreator(`ada${statements.length}`);
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const { body } = await ada.call(getMe);
    statements.push(asked.mock.calls.length);
    asked.mockRestore();
    expect(body).toMatchObject({ role: 'owner', creatorAccount: { _id: id } });
    if (one !== free) continue;
    expect(body.subscription).toEqual({
      plan: { name: 'Everything included', productId: 'everything-plan', price: {} },
      ...{ interval: 'month', status: 'active', cancelAt: null, canceledAt: null },
      ...{ stripeSubscriptionId: 'inhouse_everything', isActive: true, isFree: false },
    });
    expect(body.billing).toMatchObject({ mode: 'off', standing: 'given', nextPayment: null });
  }
  expect(statements[0]).toBeLessThanOrEqual(statements[1]!);
  await free.close();
});

test('calls a subscription that is being cancelled not active', async () => {
  const ada = await app.signUpAndIn();
  await ada.createCreator();
  await app.db.engine.updateTable('subscriptions').set({ cancel_at: app.clock.now() }).execute();
  expect((await ada.call(getMe)).body.subscription).toMatchObject({
    status: 'active',
    cancelAt: app.clock.now().toISOString(),
    isActive: false,
  });
});

test('adds up followers and shows the pictures of connected accounts only', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator();
  await connect(creator.id, { account_id: '1', avatar_url: 'https://pictures.test/1', followers_count: 20_000 });
  await connect(creator.id, { account_id: '2', avatar_url: 'https://pictures.test/2', followers_count: 3_000 });
  await connect(creator.id, { account_id: '3', followers_count: 9, disconnected_at: app.clock.now() });
  await connect(creator.id, { platform: 'facebook', account_id: '4', page_id: '4', followers_count: null });
  const { body } = await ada.call(getMe);
  expect(body.creatorAccount).toMatchObject({
    instagramAvatarUrl: 'https://pictures.test/1',
    facebookAvatarUrl: null,
    instagramFollowersCount: 23_000,
    facebookFollowersCount: null,
  });
  expect(body.currentMembership.displayImage).toBe('https://pictures.test/1');
});

test('tells the health of each kind of token', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator();
  const healthy = {
    rateLimited: false,
    pauseWebhooks: { instagram: false, facebook: false },
    missingPermissions: [],
    missingWebhooks: [],
    requiresAuth: false,
    needsFacebookUserToken: false,
    policyBlocked: false,
  };
  const details = async () => (await ada.call(getMe)).body.tokenDetails;

  const instagram = await connect(creator.id, { account_id: '11' });
  await addToken(creator.id, { kind: 'INSTAGRAM_BUSINESS_USER', subject_id: '11' });
  expect(await details()).toEqual({ INSTAGRAM_BUSINESS_USER: healthy });

  const page = await connect(creator.id, {
    account_id: '12',
    page_id: '99',
    missing_permissions: ['instagram_manage_messages'],
    missing_webhooks: ['comments'],
  });
  await addToken(creator.id, { kind: 'FACEBOOK_BUSINESS_PAGE', subject_id: '99' });
  expect(await details()).toEqual({
    INSTAGRAM_BUSINESS_USER: healthy,
    FACEBOOK_BUSINESS_PAGE: {
      ...healthy,
      missingPermissions: ['instagram_manage_messages'],
      missingWebhooks: ['comments'],
      needsFacebookUserToken: true,
    },
  });

  await addToken(creator.id, { kind: 'FACEBOOK_BUSINESS_USER', subject_id: '7' });
  expect(await details()).toMatchObject({
    FACEBOOK_BUSINESS_USER: healthy,
    FACEBOOK_BUSINESS_PAGE: { needsFacebookUserToken: false },
  });

  await app.db.engine
    .updateTable('connections')
    .set({ requires_auth_at: app.clock.now() })
    .where('id', '=', page)
    .execute();
  await app.db.engine
    .updateTable('tokens')
    .set({ expires_at: app.clock.now() })
    .where('creator_id', '=', creator.id)
    .where('kind', '=', 'FACEBOOK_BUSINESS_USER')
    .execute();
  expect(await details()).toMatchObject({
    INSTAGRAM_BUSINESS_USER: healthy,
    FACEBOOK_BUSINESS_PAGE: { requiresAuth: true, needsFacebookUserToken: true },
    FACEBOOK_BUSINESS_USER: { requiresAuth: true },
  });

  await app.db.engine
    .insertInto('lane_states')
    .values({
      creator_id: creator.id,
      connection_id: instagram,
      lane: 'private_replies',
      closed_until: new Date(app.clock.now().getTime() + MINUTE_MS),
      closed_reason: 'rate_limited',
      updated_at: app.clock.now(),
    })
    .execute();
  expect((await details()).INSTAGRAM_BUSINESS_USER).toEqual({ ...healthy, rateLimited: true });
  await app.clock.advance(MINUTE_MS);
  expect((await details()).INSTAGRAM_BUSINESS_USER).toEqual(healthy);
});

test('counts a Page’s token as Instagram’s where Facebook Login alone is used and all of it works', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator();
  const details = async () => (await ada.call(getMe)).body.tokenDetails;
  await connect(creator.id, { account_id: '9831', page_id: '9898' });
  const page = await connect(creator.id, { platform: 'facebook', account_id: '9898', page_id: '9898' });
  await addToken(creator.id, { kind: 'FACEBOOK_BUSINESS_PAGE', subject_id: '9898' });
  await addToken(creator.id, { kind: 'FACEBOOK_BUSINESS_USER', subject_id: '8' });
  const fine = await details();
  expect(fine.FACEBOOK_BUSINESS_PAGE).toMatchObject({ requiresAuth: false, needsFacebookUserToken: false });
  expect(fine.INSTAGRAM_BUSINESS_USER).toEqual(fine.FACEBOOK_BUSINESS_PAGE);

  // Nothing is sent with the person's own token: that it ran out stops nothing.
  await app.db.engine
    .updateTable('tokens')
    .set({ expires_at: app.clock.now() })
    .where('creator_id', '=', creator.id)
    .where('kind', '=', 'FACEBOOK_BUSINESS_USER')
    .execute();
  expect(await details()).toEqual(fine);

  await app.db.engine
    .updateTable('connections')
    .set({ requires_auth_at: app.clock.now() })
    .where('id', '=', page)
    .execute();
  const broken = await details();
  expect(broken.INSTAGRAM_BUSINESS_USER).toBeUndefined();
  expect(broken).toMatchObject({
    FACEBOOK_BUSINESS_PAGE: { requiresAuth: true, needsFacebookUserToken: true },
    FACEBOOK_BUSINESS_USER: { requiresAuth: true },
  });
});

test('calls it rate limiting when messages wait for a minute and nothing else holds them up', async () => {
  const followers = await createFollowers(app);
  try {
    const ada = await app.signUpAndIn();
    const creator = await ada.createCreator();
    const account = await followers.connect(creator.id);
    await followers.automation(ada, account);
    const rateLimited = async () => (await ada.call(getMe)).body.tokenDetails.INSTAGRAM_BUSINESS_USER.rateLimited;
    await followers.ask(account, { meets: LIMITED });
    expect(await rateLimited()).toBe(true);
    const lanes = (change: { closed_until?: Date; closed_reason?: string }) =>
      app.db.engine
        .updateTable('lane_states')
        .set(change)
        .where('connection_id', '=', account.connectionId)
        .where('closed_until', 'is not', null)
        .execute();
    await lanes({ closed_until: app.clock.now() });
    expect(await rateLimited()).toBe(false);
    await followers.advance(MINUTE_MS + 1);
    expect(await rateLimited()).toBe(true);
    const pause = (since: Date | null) =>
      app.db.engine
        .updateTable('connections')
        .set({ webhooks_paused_at: since })
        .where('id', '=', account.connectionId)
        .execute();
    await pause(app.clock.now());
    expect(await rateLimited()).toBe(false);
    await pause(null);
    await lanes({ closed_until: new Date(app.clock.now().getTime() + MINUTE_MS), closed_reason: 'barred' });
    expect(await rateLimited()).toBe(false);
  } finally {
    await followers.close();
  }
});

test('says which platform paused its webhooks, until it goes on', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator();
  const paused = async () => (await ada.call(getMe)).body.tokenDetails.FACEBOOK_BUSINESS_PAGE.pauseWebhooks;
  await connect(creator.id, { account_id: '41', page_id: '42' });
  const page = await connect(creator.id, { platform: 'facebook', account_id: '42', page_id: '42' });
  const pause = (since: Date | null) =>
    app.db.engine.updateTable('connections').set({ webhooks_paused_at: since }).where('id', '=', page).execute();
  expect(await paused()).toEqual({ instagram: false, facebook: false });
  await pause(app.clock.now());
  expect(await paused()).toEqual({ instagram: false, facebook: true });
  await pause(null);
  expect(await paused()).toEqual({ instagram: false, facebook: false });
});

test('says how many wait for an answer, and until when', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator();
  const queue = async () => (await ada.call(getMe)).body.queue;
  expect(await queue()).toEqual({ waiting: 0, doneAt: null });
  const connection = await connect(creator.id, { account_id: '51' });
  const until = new Date(app.clock.now().getTime() + MINUTE_MS);
  for (const waiting_until of [until, app.clock.now()])
    await insertInteraction(app.db, creator.id, connection, { outcome: 'waiting', reason: 'checking', waiting_until });
  expect(await queue()).toEqual({ waiting: 2, doneAt: until.toISOString() });
});

test('says what the person may do in the creator', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator();
  expect((await ada.call(getMe)).body.role).toBe('owner');
  await app.db.engine
    .updateTable('memberships')
    .set({ role: 'collaborator' })
    .where('creator_id', '=', creator.id)
    .execute();
  expect((await ada.call(getMe)).body.role).toBe('collaborator');
});

test('vouches for the person to the live chat, where one is configured', async () => {
  const other = await createTestApp({ settings: { INTERCOM_APP_ID: 'chat', INTERCOM_SECRET: 'chat secret' } });
  try {
    const ada = await other.signUpAndIn();
    const expected = createHmac('sha256', 'chat secret').update(ada.id).digest('hex');
    expect((await ada.call(getMe)).body.intercomUserHash).toBe(expected);
  } finally {
    await other.close();
  }
});

describe('inside a creator in admin access mode', () => {
  async function visit() {
    const [ada, admin] = [await app.signUpAndIn(), await app.signUpAndIn({ name: 'Support' })];
    const visited = await ada.createCreator();
    const own = await admin.createCreator();
    const now = app.clock.now();
    const visitId = app.deps.ids.uuid(now);
    const until = new Date(now.getTime() + 60 * MINUTE_MS);
    await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', admin.id).execute();
    await app.db.engine
      .insertInto('admin_visits')
      .values({
        creator_id: visited.id,
        id: visitId,
        admin_id: admin.id,
        admin_name: 'Support',
        reason: 'They asked why nothing is sent',
        started_at: now,
        until,
      })
      .execute();
    await app.db.engine
      .updateTable('sessions')
      .set({ admin_visit_id: visitId })
      .where('user_id', '=', admin.id)
      .execute();
    return { admin, visited, own, visitId, until };
  }

  test('shows that creator, the reason and the end, until the hour is over', async () => {
    const { admin, visited, own, until } = await visit();
    const { body } = await admin.call(getMe);
    expect(body).toMatchObject({
      creatorAccount: { _id: visited.id },
      role: 'admin',
      adminAccess: { until: until.toISOString(), reason: 'They asked why nothing is sent' },
    });
    await app.clock.advance(60 * MINUTE_MS);
    expect((await admin.call(getMe)).body).toMatchObject({
      creatorAccount: { _id: own.id },
      role: 'owner',
      adminAccess: null,
    });
    expect((await admin.call(getHome, { params: { creatorId: visited.id }, query: {} })).status).toBe(404);
  });

  test('ends with the visit, and at once for who is no admin any more', async () => {
    const first = await visit();
    expect((await first.admin.call(getHome, { params: { creatorId: first.visited.id }, query: {} })).status).toBe(200);
    await app.db.engine.updateTable('users').set({ is_admin: false }).where('id', '=', first.admin.id).execute();
    expect(await currentCreator(first.admin)).toBe(first.own.id);
    expect((await first.admin.call(getHome, { params: { creatorId: first.visited.id }, query: {} })).status).toBe(404);

    const second = await visit();
    await app.db.engine
      .updateTable('admin_visits')
      .set({ ended_at: app.clock.now() })
      .where('id', '=', second.visitId)
      .execute();
    expect(await currentCreator(second.admin)).toBe(second.own.id);
  });

  test('leaves exactly one of the admin’s own memberships current; choosing one ends the visit', async () => {
    const { admin, own, visited, visitId } = await visit();
    const { memberships, currentMembership } = (await admin.call(getMe)).body;
    expect(memberships.filter(({ current }: { current: boolean }) => current)).toEqual([currentMembership]);
    const params = { userId: admin.id };
    expect((await admin.call(listMemberships, { params })).body.memberships).toEqual(memberships);
    expect(await currentCreator(admin)).toBe(visited.id);
    const { membershipId } = currentMembership;
    expect((await admin.call(accessMembership, { params: { ...params, membershipId } })).status).toBe(200);
    expect(await currentCreator(admin)).toBe(own.id);
    const ended = await app.db.engine.selectFrom('admin_visits').select('ended_at').where('id', '=', visitId).execute();
    expect(ended).toEqual([{ ended_at: app.clock.now() }]);
  });

  test("is worth nothing in somebody else's session", async () => {
    const { visitId, visited } = await visit();
    const other = await app.signUpAndIn();
    await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', other.id).execute();
    await app.db.engine
      .updateTable('sessions')
      .set({ admin_visit_id: visitId })
      .where('user_id', '=', other.id)
      .execute();
    expect(await currentCreator(other)).toBeUndefined();
    expect((await other.call(getHome, { params: { creatorId: visited.id }, query: {} })).status).toBe(404);
  });

  test("leaves the admin's own account alone", async () => {
    const { admin } = await visit();
    const answer = await admin.call(updateProfile, { body: { name: 'Changed' } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect((await admin.call(getMe)).body.account.name).toBe('Support');
  });
});

test("shows nothing of anybody else's creator", async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  const own = await ada.createCreator();
  await connect(own.id, { account_id: '21', followers_count: 5 });
  await bert.createCreator();
  const { body } = await bert.call(getMe);
  expect(body.memberships).toHaveLength(1);
  expect(body.creatorAccount.instagramFollowersCount).toBeNull();
  expect(body.tokenDetails).toEqual({});
});

test('falls back to another creator when the person was removed from the current one', async () => {
  const ada = await app.signUpAndIn();
  const first = await ada.createCreator();
  const second = await ada.createCreator();
  expect(await currentCreator(ada)).toBe(second.id);
  await app.db.engine.deleteFrom('memberships').where('creator_id', '=', second.id).execute();
  expect(await currentCreator(ada)).toBe(first.id);
  await app.db.engine.deleteFrom('creators').where('id', '=', first.id).execute();
  expect(await currentCreator(ada)).toBeUndefined();
});

test('opens the demo to everybody, with one demo creator for all', async () => {
  const visitors = [app.visitor(), app.visitor(), app.visitor()];
  const answers = await Promise.all(visitors.map((visitor) => visitor.call(loginDemo)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const creators = await Promise.all(visitors.map(async (visitor) => (await visitor.call(getMe)).body.creatorAccount));
  expect(creators[0].handle).toBe('thegoldenspoon');
  expect(new Set(creators.map(({ _id }) => _id)).size).toBe(1);
});

test.each([
  ['from elsewhere', { host: 'hq.example.com' }],
  ['from a page that had its name point here', { host: 'rebinding.example:3000' }],
  ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
])('opens no demo to a request %s', async (_whence, headers) => {
  const request = { method: 'POST', url: '/api/v1/auth/login/demo', body: {}, headers };
  expect((await app.visitor().send(request)).body).toMatchObject({ code: 'not_found' });
  const env = await app.visitor().send({ method: 'GET', url: '/api/v1/env', headers });
  expect(env.body).toMatchObject({ simulated: false, phoneUrl: null, mailboxUrl: null });
});

test.each([
  { BASE_URL: 'https://hq.example.com', SIMULATORS: 'on' },
  { HOST: '0.0.0.0', SIMULATORS: 'on' },
] as Record<string, string>[])('opens no demo with %j', async (settings) => {
  const other = await createTestApp({ settings });
  try {
    expect((await other.visitor().call(loginDemo)).body).toMatchObject({ code: 'not_found' });
    expect((await other.visitor().call(getEnv)).body).toMatchObject({ simulated: false, phoneUrl: null });
  } finally {
    await other.close();
  }
});

test('has no demo without simulators, and says so', async () => {
  const other = await createTestApp({ settings: { SIMULATORS: 'off', SMTP_URL: 'smtp://localhost:2525' } });
  try {
    expect((await other.visitor().call(loginDemo)).body).toMatchObject({ code: 'not_found' });
    expect((await other.visitor().call(getEnv)).body).toEqual({
      baseUrl: 'http://localhost:3000',
      environment: 'test',
      featureFlagClientId: null,
      errorReportingDsn: null,
      simulated: false,
      phoneUrl: null,
      blogUrl: null,
      mailboxUrl: null,
      signUp: 'open',
      hasPlans: false,
      intercomAppId: null,
      tagManagerId: null,
      referralProgrammeUrl: null,
      helpDocsUrl: '/creator-hq/help',
      hasFans: false,
      pluginDownloadUrl: 'http://localhost:3000/api/v1/plugin/creator-hq.zip',
      logins: { instagram: false, facebook: false },
    });
  } finally {
    await other.close();
  }
});

async function currentCreator(person: Person): Promise<string | undefined> {
  return (await person.call(getMe)).body.creatorAccount?._id;
}

type Columns = {
  platform?: 'instagram' | 'facebook';
  account_id: string;
  page_id?: string;
  avatar_url?: string;
  followers_count?: number | null;
  missing_permissions?: string[];
  missing_webhooks?: string[];
  disconnected_at?: Date;
};

async function connect(creatorId: string, columns: Columns): Promise<string> {
  const id = app.deps.ids.uuid(app.clock.now());
  await app.db.engine
    .insertInto('connections')
    .values({
      platform: 'instagram',
      username: 'ada',
      connected_at: app.clock.now(),
      ...columns,
      creator_id: creatorId,
      id,
    })
    .execute();
  return id;
}

type Kind = 'FACEBOOK_BUSINESS_USER' | 'FACEBOOK_BUSINESS_PAGE' | 'INSTAGRAM_BUSINESS_USER';

async function addToken(creatorId: string, token: { kind: Kind; subject_id: string }): Promise<void> {
  const id = app.deps.ids.uuid(app.clock.now());
  await app.db.engine
    .insertInto('tokens')
    .values({ ...token, creator_id: creatorId, id, secret: 'sealed', issued_at: app.clock.now() })
    .execute();
}
