import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '#contract/admin.ts';
import { createAutomation, listAutomations } from '#contract/automations.ts';
import { choosePages } from '#contract/connections.ts';
import { eraseContact, exportContact, getContact, getContactTimeline, listContacts } from '#contract/contacts.ts';
import { createCreator } from '#contract/creators.ts';
import { getInteraction, listInteractions } from '#contract/interactions.ts';
import { changePassword, getMe, login, updateProfile } from '#contract/session.ts';
import { changeBillingEmail, changeFacebookAddon, listVisits, requestDeletion } from '#contract/settings.ts';
import { systemIds } from '#server/clock.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { createFollowers, type Followers, LIMITED } from '#server/testing/followers.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import {
  createTestApp,
  logIn,
  type Person,
  type TestApp,
  type Visitor,
  WITH_BILLING,
} from '#server/testing/test-app.ts';

const REASON = 'They asked why their reel does not answer.';
const HOUR_MS = 3_600_000;

let app: TestApp;
let sam: Person;
let anna: Person;
let creatorId: string;
let followers: Followers;

beforeAll(async () => {
  app = await createTestApp({ settings: WITH_BILLING });
  followers = await createFollowers(app);
  sam = await app.signUpAndIn({ name: 'Sam of support' });
  await makeAdmin(sam);
  anna = await app.signUpAndIn({ name: 'Anna', email: 'anna@kitchen.test' });
  creatorId = (await anna.createCreator('anna.cooks')).id;
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

async function makeAdmin({ id }: { id: string }) {
  await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', id).execute();
}

function enter(who: Visitor, more: { reason?: string; returnTo?: string; into?: string } = {}) {
  const { reason = REASON, into = creatorId, ...rest } = more;
  return who.call(contract.adminEnterCreator, { params: { adminCreatorId: into }, body: { reason, ...rest } });
}

function leave(who: Visitor, headers: Record<string, string> = {}) {
  return who.send({ method: 'GET', url: '/api/v1/auth/end-creator-session', headers });
}

async function auditOf(of: string) {
  return app.db.engine.selectFrom('audit_log').selectAll().where('creator_id', '=', of).orderBy('id').execute();
}

describe('who is no admin', () => {
  const endpoints = ENDPOINTS.filter(({ endpoint }) => endpoint.access === 'admin');

  test.each(endpoints)('does not learn that there is $name', async ({ endpoint }) => {
    const url = `/api/v1${endpoint.path.replace(':adminCreatorId', creatorId)}`;
    const body = { reason: REASON, productId: 'studio-plan', flag: 'storyMentions', creatorId, on: true };
    const request = { method: endpoint.method, url, ...(endpoint.method !== 'GET' && { body }) };
    expect(await anna.send(request)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await app.visitor().send(request)).toMatchObject({ status: 401 });
  });

  test('enters nobody’s account, and nothing is written', async () => {
    const bert = await app.signUpAndIn();
    expect((await enter(bert)).status).toBe(404);
    expect((await bert.call(getMe)).body).toMatchObject({ creatorAccount: null, role: null, adminAccess: null });
    expect(await auditOf(creatorId)).toEqual([]);
    expect((await anna.call(listVisits, { params: { creatorId } })).body).toEqual({ items: [] });
  });

  test('is sent home when they open the way out of an account', async () => {
    expect((await leave(anna)).headers.location).toBe('/creator-hq');
    expect((await leave(app.visitor())).headers.location).toBe('/creator-hq/login');
  });
});

describe('entering', () => {
  test.each(['', 'too short', '          '])('asks for a reason of ten characters, not %j', async (reason) => {
    const answer = await enter(sam, { reason });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'reason' }] } });
    expect((await sam.call(getMe)).body.adminAccess).toBeNull();
  });

  test('knows no creator of a made-up id', async () => {
    expect((await enter(sam, { into: '01890000-0000-7000-8000-000000000001' })).status).toBe(404);
  });

  test.each([
    'https://evil.test',
    '//evil.test',
    '/',
    '/api/v1/auth/logout',
    '/creator-hq/../api/v1/auth/logout',
    '/creator-hqx',
    '/creator-hq\\..\\..\\x',
  ])('does not come back to %s', async (returnTo) => {
    expect((await enter(sam, { returnTo })).status).toBe(422);
  });
});

describe('a visit', () => {
  let visitor: Visitor;
  let olga: Person;
  let own: { id: string; handle: string };

  beforeAll(async () => {
    olga = await app.signUpAndIn({ name: 'Olga' });
  });

  beforeEach(async () => {
    const person = await app.signUpAndIn({ name: 'Vera of support' });
    await makeAdmin(person);
    visitor = person;
    own = await olga.createCreator();
  });

  const inside = (more: Parameters<typeof enter>[1] = {}) => enter(visitor, { into: own.id, ...more });

  test('shows the account in admin access mode, an hour long, with its reason', async () => {
    const answer = await inside();
    const until = new Date(app.clock.now().getTime() + HOUR_MS).toISOString();
    expect(answer).toMatchObject({ status: 200, body: { until } });
    expect((await visitor.call(getMe)).body).toMatchObject({
      creatorAccount: { _id: own.id },
      role: 'admin',
      adminAccess: { until, reason: REASON },
    });
  });

  test('opens this account and no other', async () => {
    await inside();
    expect((await visitor.send({ method: 'GET', url: `/api/v1/creators/${own.id}/automations` })).status).toBe(200);
    expect((await visitor.send({ method: 'GET', url: `/api/v1/creators/${creatorId}/automations` })).status).toBe(404);
  });

  test('is of one session: in another browser the admin is outside', async () => {
    const person = await app.signUpAndIn();
    await makeAdmin(person);
    await enter(person, { into: own.id });
    const elsewhere = await logIn(app, person);
    expect((await elsewhere.call(getMe)).body.adminAccess).toBeNull();
    expect((await elsewhere.send({ method: 'GET', url: `/api/v1/creators/${own.id}/automations` })).status).toBe(404);
  });

  test('leads back to where one was, and is over', async () => {
    await inside({ returnTo: '/creator-hq/admin/creators?search=anna' });
    const answer = await leave(visitor);
    expect(answer).toMatchObject({ status: 302, headers: { location: '/creator-hq/admin/creators?search=anna' } });
    expect((await visitor.call(getMe)).body).toMatchObject({ creatorAccount: null, role: null, adminAccess: null });
    expect((await visitor.send({ method: 'GET', url: `/api/v1/creators/${own.id}/automations` })).status).toBe(404);
    expect((await leave(visitor)).headers.location).toBe('/creator-hq/admin');
  });

  test('is not ended by another website', async () => {
    await inside();
    expect((await leave(visitor, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await visitor.call(getMe)).body.role).toBe('admin');
  });

  test('is over by itself after an hour, and still leads back', async () => {
    await inside({ returnTo: '/creator-hq/admin/creators' });
    const { startedAt } = (await olga.call(listVisits, { params: { creatorId: own.id } })).body.items[0];
    await app.clock.advance(HOUR_MS - 1);
    expect((await visitor.call(getMe)).body.role).toBe('admin');
    await app.clock.advance(1);
    expect((await visitor.call(getMe)).body).toMatchObject({ role: null, adminAccess: null });
    expect((await visitor.send({ method: 'GET', url: `/api/v1/creators/${own.id}/automations` })).status).toBe(404);
    expect((await leave(visitor)).headers.location).toBe('/creator-hq/admin/creators');
    const endedAt = new Date(new Date(startedAt).getTime() + HOUR_MS).toISOString();
    expect((await olga.call(listVisits, { params: { creatorId: own.id } })).body.items).toMatchObject([{ endedAt }]);
    expect((await auditOf(own.id)).map(({ what }) => what)).toEqual(['Entered the account']);
  });

  test('ends with the session', async () => {
    await inside();
    expect((await visitor.send({ method: 'GET', url: '/api/v1/auth/logout' })).status).toBe(200);
    const endedAt = app.clock.now().toISOString();
    expect((await olga.call(listVisits, { params: { creatorId: own.id } })).body.items).toMatchObject([{ endedAt }]);
  });

  test('is one, also when two tabs enter at the same moment', async () => {
    const other = await olga.createCreator();
    const answers = await Promise.all([inside(), inside({ into: other.id })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const open = await app.db.engine
      .selectFrom('admin_visits')
      .select('creator_id')
      .where('creator_id', 'in', [own.id, other.id])
      .where('ended_at', 'is', null)
      .execute();
    expect(open).toEqual([{ creator_id: (await visitor.call(getMe)).body.creatorAccount._id }]);
  });

  test('ends when another account is entered', async () => {
    await inside();
    expect((await enter(visitor, { into: creatorId })).status).toBe(200);
    expect((await visitor.call(getMe)).body.creatorAccount._id).toBe(creatorId);
    expect((await visitor.send({ method: 'GET', url: `/api/v1/creators/${own.id}/automations` })).status).toBe(404);
    expect((await auditOf(own.id)).map(({ what }) => what)).toEqual(['Entered the account', 'Left the account']);
    await leave(visitor);
  });

  test('puts what is changed into the audit log with both ids, without texts', async () => {
    const connectionId = await insertConnection(app.db, own.id);
    await inside();
    const made = await visitor.call(createAutomation, {
      params: { creatorId: own.id },
      body: automationInput(connectionId, { messageText: 'Secret sauce' }),
    });
    expect(made.status).toBe(200);
    // Refused: nothing was changed, so nothing is noted.
    expect(
      (
        await visitor.call(createAutomation, {
          params: { creatorId: own.id },
          body: automationInput(connectionId, { name: 'x'.repeat(1000) }),
        })
      ).status,
    ).toBe(422);
    await visitor.send({ method: 'GET', url: `/api/v1/creators/${own.id}/automations?handle=anna@kitchen.test` });
    await leave(visitor);

    const rows = await auditOf(own.id);
    const adminId = (await visitor.call(getMe)).body.account._id;
    expect(rows.map(({ what, detail }) => [what, detail])).toEqual([
      ['Entered the account', REASON],
      [createAutomation.summary, `POST /api/v1/creators/${own.id}/automations`],
      ['Left the account', ''],
    ]);
    expect(new Set(rows.map((row) => `${row.admin_id} ${row.creator_id} ${row.admin_name}`))).toEqual(
      new Set([`${adminId} ${own.id} Vera of support`]),
    );
    expect(new Set(rows.map((row) => row.visit_id)).size).toBe(1);
    expect(JSON.stringify(rows)).not.toContain('Secret sauce');
    expect((await olga.call(listVisits, { params: { creatorId: own.id } })).body.items).toMatchObject([
      { adminName: 'Vera of support', reason: REASON, actions: 1, endedAt: app.clock.now().toISOString() },
    ]);
  });

  test('notes what is read of people, each page once, and shows the creator how many', async () => {
    const connectionId = await insertConnection(app.db, own.id);
    const interactionId = await insertInteraction(app.db, own.id, connectionId, { text: 'my secret word' });
    const params = { creatorId: own.id };
    await olga.call(listContacts, { params });
    await inside();
    const { items } = (await visitor.call(listContacts, { params })).body;
    const contactId = items[0].id;
    // As screens do it: the same again, at the same moment and with other filters.
    await Promise.all(
      [1, 2, 3].map(() => visitor.call(listContacts, { params, query: { search: 'anna@kitchen.test' } })),
    );
    await visitor.call(getContact, { params: { ...params, contactId } });
    await visitor.call(getContactTimeline, { params: { ...params, contactId } });
    await visitor.call(exportContact, { params: { ...params, contactId } });
    await visitor.call(listInteractions, { params });
    await visitor.call(getInteraction, { params: { ...params, interactionId } });
    // Nothing of people in it.
    await visitor.call(listAutomations, { params });
    const noted = (await auditOf(own.id)).filter(({ detail }) => detail.startsWith('GET '));
    const prefix = `GET /api/v1/creators/${own.id}`;
    const path = encodeURIComponent(contactId);
    expect(noted.map(({ detail }) => detail)).toEqual([
      `${prefix}/contacts`,
      `${prefix}/contacts/${path}`,
      `${prefix}/contacts/${path}/timeline`,
      `${prefix}/contacts/${path}/export`,
      `${prefix}/interactions`,
      `${prefix}/interactions/${interactionId}`,
    ]);
    expect(JSON.stringify(noted)).not.toMatch(/secret word|kitchen\.test/);
    await leave(visitor);
    expect((await olga.call(listVisits, { params })).body.items).toMatchObject([{ reads: 6, actions: 0 }]);
    // The next visit starts over.
    await inside();
    await visitor.call(listContacts, { params });
    expect((await olga.call(listVisits, { params })).body.items).toMatchObject([{ reads: 1 }, { reads: 6 }]);
  });

  test('shows nothing of people when the note cannot be written', async () => {
    await inside();
    const before = app.deps.audit.note;
    app.deps.audit.note = async () => {
      throw new Error('no room for the note');
    };
    const answer = await visitor.call(listContacts, { params: { creatorId: own.id } });
    app.deps.audit.note = before;
    expect(answer.status).toBe(500);
  });

  test('erases nobody and connects nothing', async () => {
    const connectionId = await insertConnection(app.db, own.id);
    await insertInteraction(app.db, own.id, connectionId);
    await inside();
    const params = { creatorId: own.id };
    const contactId = (await visitor.call(listContacts, { params })).body.items[0].id;
    const answers = [
      await visitor.call(eraseContact, { params: { ...params, contactId } }),
      await visitor.call(changeFacebookAddon, { params, body: { facebookAddon: true } }),
      await visitor.call(choosePages, { params, body: { pageIds: ['1'] } }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
      expect(answer.body.detail).toContain('admin access mode');
    }
    for (const login of ['instagram', 'facebook']) {
      const url = `/api/v1/creators/${own.id}/connections/${login}/start`;
      expect((await visitor.send({ method: 'GET', url })).status).toBe(404);
    }
    expect((await olga.call(listContacts, { params })).body.items).toHaveLength(1);
    expect((await olga.call(eraseContact, { params: { ...params, contactId } })).status).toBe(200);
  });

  test('is mailed to every owner, with who, why and until when', async () => {
    const bert = await app.signUpAndIn();
    for (const [person, role] of [
      [bert, 'owner'],
      [await app.signUpAndIn(), 'collaborator'],
    ] as const) {
      const row = { creator_id: own.id, id: systemIds.uuid(new Date()), user_id: person.id, role };
      await app.db.engine
        .insertInto('memberships')
        .values({ ...row, created_at: app.clock.now() })
        .execute();
    }
    await inside();
    const mails = await app.db.engine
      .selectFrom('mails')
      .select(['recipient', 'text'])
      .where('kind', '=', 'support_visit')
      .where('about_creator_id', '=', own.id)
      .execute();
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([olga.email, bert.email].sort());
    for (const { text } of mails) {
      expect(text).toContain(REASON);
      expect(text).toMatch(/Vera of support entered your account until .* UTC/);
    }
  });

  test('changes nothing when the note cannot be written', async () => {
    const connectionId = await insertConnection(app.db, own.id);
    await inside();
    const before = app.deps.audit.note;
    app.deps.audit.note = async () => {
      throw new Error('no room for the note');
    };
    const answer = await visitor.call(createAutomation, {
      params: { creatorId: own.id },
      body: automationInput(connectionId, { messageText: 'Secret sauce' }),
    });
    app.deps.audit.note = before;
    expect(answer.status).toBe(500);
    const rows = await app.db.engine.selectFrom('automations').select('id').where('creator_id', '=', own.id).execute();
    expect(rows).toEqual([]);
  });

  test('allows no change of password, profile, billing, plan or the account’s existence', async () => {
    await inside();
    const params = { creatorId: own.id };
    const answers = [
      await visitor.call(changePassword, { body: { currentPassword: 'correct horse', newPassword: 'another horse' } }),
      await visitor.call(updateProfile, { body: { name: 'Anna' } }),
      await visitor.call(createCreator, { body: { handle: 'planted' } }),
      await visitor.call(changeBillingEmail, { params, body: { email: 'evil@evil.test' } }),
      await visitor.call(requestDeletion, { params, body: { handle: own.handle } }),
      await visitor.call(contract.adminGrantPlan, {
        params: { adminCreatorId: own.id },
        body: { productId: 'studio-plan', reason: 'a present' },
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
      expect(answer.body.detail).toContain('admin access mode');
    }
    const creator = await app.db.engine
      .selectFrom('creators')
      .innerJoin('subscriptions', 'subscriptions.creator_id', 'creators.id')
      .selectAll()
      .where('creators.id', '=', own.id)
      .executeTakeFirstOrThrow();
    expect(creator).toMatchObject({ billing_email: null, delete_at: null, plan_id: 'free-plan' });
    await leave(visitor);
    const { email } = (await visitor.call(getMe)).body.account;
    expect((await app.visitor().call(login, { body: { email, password: 'correct horse' } })).status).toBe(200);
  });
});

describe('creators', () => {
  const list = (query: object) => sam.call(contract.adminListCreators, { query });

  test('are found by handle, owner’s name and address; signs of patterns are letters', async () => {
    const handles = async (search: string) =>
      (await list({ search })).body.items.map(({ handle }: { handle: string }) => handle);
    expect(await handles('ANNA.coo')).toEqual(['anna.cooks']);
    expect(await handles('@anna.cooks')).toEqual(['anna.cooks']);
    expect(await handles('anna@kitchen')).toContain('anna.cooks');
    expect(await handles('%')).toEqual([]);
    expect(await handles('anna_cooks')).toEqual([]);
    expect(await handles('\\')).toEqual([]);
  });

  test('come in pages, each once', async () => {
    const all = (await list({ limit: 100 })).body.items.map(({ handle }: { handle: string }) => handle);
    const paged: string[] = [];
    let after: string | undefined;
    do {
      const { body } = await list({ limit: 2, ...(after && { after }) });
      paged.push(...body.items.map(({ handle }: { handle: string }) => handle));
      after = body.next ?? undefined;
    } while (after !== undefined);
    expect(paged).toEqual(all);
    expect((await list({ after: 'nonsense' })).status).toBe(422);
  });

  test('show plan, owners, followers, health in words, and what waits', async () => {
    const bea = await app.signUpAndIn({ email: 'bea@bakes.test' });
    const { id } = await bea.createCreator('bea.bakes');
    const account = await followers.connect(id);
    await followers.automation(bea, account);
    await followers.ask(account, { meets: LIMITED });
    await app.db.engine
      .updateTable('connections')
      .set({ username: 'bea', followers_count: 1200, connected_at: new Date('2026-01-05T10:00:00Z') })
      .where('id', '=', account.connectionId)
      .execute();
    await insertConnection(app.db, id, {
      connected_at: new Date('2026-01-06T10:00:00Z'),
      platform: 'facebook',
      username: 'Bea’s',
      followers_count: 300,
      requires_auth_at: new Date(),
      requires_auth_reason: 'password_changed',
    });
    expect((await list({ search: 'bea.bakes' })).body.items).toEqual([
      {
        creatorId: id,
        handle: 'bea.bakes',
        createdAt: expect.any(String),
        hasOwnAccount: false,
        planName: 'Free',
        status: 'active',
        owners: ['bea@bakes.test'],
        followers: 1500,
        connections: [
          { platform: 'instagram', username: 'bea', working: true, health: 'Working.' },
          {
            platform: 'facebook',
            username: 'Bea’s',
            working: false,
            health: 'The password was changed, or all devices were logged out. Reconnect the account.',
          },
        ],
        waiting: 1,
        deleteAt: null,
      },
    ]);
  });

  test('in trouble are those whose connections do not work, or whose messages wait', async () => {
    const now = app.clock.now();
    const soon = new Date(now.getTime() + HOUR_MS);
    const troubles = {
      'auth.lost': { requires_auth_at: now },
      'barred.now': { barred_until: soon },
      'box.unticked': { missing_permissions: ['pages_messaging'] },
      'hook.missing': { missing_webhooks: ['comments'] },
      'app.removed': { disconnected_at: now, disconnected_reason: 'app_removed' },
      'token.ends': {},
      'all.fine': { barred_until: new Date(now.getTime() - 1) },
      'left.alone': { disconnected_at: now, disconnected_reason: 'by_creator' },
    };
    const tom = await app.signUpAndIn();
    for (const [handle, over] of Object.entries(troubles)) {
      const { id } = await tom.createCreator(handle);
      if (handle === 'all.fine') {
        const account = await followers.connect(id);
        await followers.automation(tom, account);
        await followers.ask(account, { meets: LIMITED });
        await app.db.engine.updateTable('connections').set(over).where('creator_id', '=', id).execute();
        continue;
      }
      const connectionId = await insertConnection(app.db, id, over);
      if (handle === 'token.ends') await insertEndingToken(id, connectionId, soon);
    }
    const { body } = await list({ trouble: 'connection', limit: 100 });
    const found = body.items
      .map(({ handle }: { handle: string }) => handle)
      .filter((handle: string) => handle in troubles);
    expect(found.toSorted()).toEqual([
      'app.removed',
      'auth.lost',
      'barred.now',
      'box.unticked',
      'hook.missing',
      'token.ends',
    ]);
    // The filter repeats in SQL what the words say.
    for (const { connections } of body.items) {
      expect(connections.some(({ health }: { health: string }) => health !== 'Working.')).toBe(true);
    }
    await followers.advance(30 * 60_000);
    const queue = (await list({ trouble: 'queue' })).body.items.map(({ handle }: { handle: string }) => handle);
    expect(queue).toContain('all.fine');
    expect(queue).not.toContain('left.alone');
  });

  async function insertEndingToken(id: string, connectionId: string, endsAt: Date) {
    const { account_id } = await app.db.engine
      .selectFrom('connections')
      .select('account_id')
      .where('id', '=', connectionId)
      .executeTakeFirstOrThrow();
    await app.db.engine
      .insertInto('tokens')
      .values({
        creator_id: id,
        id: app.deps.ids.uuid(app.clock.now()),
        kind: 'INSTAGRAM_BUSINESS_USER',
        subject_id: account_id,
        secret: 'sealed',
        scopes: [],
        issued_at: app.clock.now(),
        expires_at: endsAt,
      })
      .execute();
  }
});

test('people are found by name and address, with their creators', async () => {
  const { body } = await sam.call(contract.adminListUsers, { query: { search: 'anna@kitchen' } });
  expect(body.items).toMatchObject([
    { userId: anna.id, name: 'Anna', email: 'anna@kitchen.test', emailVerified: true, isAdmin: false },
  ]);
  expect(body.items[0].creators[0]).toBe('anna.cooks');
  const first = (await sam.call(contract.adminListUsers, { query: { limit: 1 } })).body;
  const second = (await sam.call(contract.adminListUsers, { query: { limit: 1, after: first.next } })).body;
  expect(second.items[0].userId).not.toBe(first.items[0].userId);
});

test('operations show the event log, parked events, workers, jobs, lanes and mails', async () => {
  const owner = await app.signUpAndIn();
  const own = await owner.createCreator('lanes');
  const account = await followers.connect(own.id);
  await followers.automation(owner, account);
  const [busy, shut] = [account.connectionId, await insertConnection(app.db, own.id)];
  for (const minutes of [1, 2]) {
    await followers.ask(account, { meets: LIMITED });
    await followers.advance(minutes * 60_000);
  }
  const now = app.clock.now();
  const { engine } = app.db;
  const workerId = app.deps.ids.uuid(now);
  await engine.deleteFrom('worker_heartbeats').execute();
  await engine.insertInto('worker_heartbeats').values({ worker_id: workerId, seen_at: now }).execute();
  await engine
    .insertInto('worker_heartbeats')
    .values({ worker_id: app.deps.ids.uuid(now), seen_at: new Date(now.getTime() - HOUR_MS) })
    .execute();
  await engine
    .updateTable('shard_leases')
    .set({ holder: null, expires_at: new Date(0) })
    .execute();
  await engine
    .updateTable('shard_leases')
    .set({ holder: workerId, expires_at: new Date(now.getTime() + 10_000) })
    .where('shard', '<', 5)
    .execute();
  await engine.insertInto('jobs').values({ name: 'sync-posts', due_at: now }).execute();
  await engine.insertInto('event_log').values({ shard: 1, received_at: now, body: '{}' }).execute();
  await engine
    .insertInto('parked_events')
    .values({ shard: 1, received_at: now, body: '{}', error: 'no', parked_at: now })
    .execute();
  const until = new Date(now.getTime() + HOUR_MS);
  // The whole account is limited; one lane is open again.
  await engine.deleteFrom('lane_states').where('connection_id', '=', busy).where('lane', '=', 'messages').execute();
  await engine
    .insertInto('lane_states')
    .values([
      {
        creator_id: own.id,
        connection_id: shut,
        lane: 'messages',
        closed_until: until,
        closed_reason: 'rate_limited',
        updated_at: now,
      },
      {
        creator_id: own.id,
        connection_id: busy,
        lane: 'messages',
        closed_until: now,
        closed_reason: 'past',
        updated_at: now,
      },
    ])
    .execute();

  const { status, body } = await sam.call(contract.adminGetOperations);
  expect(status).toBe(200);
  expect(body.eventLog).toEqual({ waiting: 1, oldest: now.toISOString(), parked: 1, refusing: false });
  expect(body.workers).toEqual([{ workerId, seenAt: now.toISOString(), shards: 5 }]);
  expect(body.jobs).toContainEqual(
    expect.objectContaining({ name: 'sync-posts', nextAt: now.toISOString(), failuresInARow: 0 }),
  );
  expect(body.mails).toMatchObject({ waiting: expect.any(Number), failed: 0 });
  expect(body.queue).toContainEqual({
    lane: 'private_replies',
    waiting: expect.any(Number),
    oldest: expect.any(String),
  });
  expect(body.shards).toEqual({ held: 5, free: 11 });
  const lanes = body.lanes.filter((lane: { handle: string }) => lane.handle === 'lanes');
  expect(lanes).not.toContainEqual(expect.objectContaining({ connectionId: busy, lane: 'messages' }));
  for (const lane of [
    {
      connectionId: busy,
      lane: 'private_replies',
      waiting: 2,
      oldest: new Date(now.getTime() - 180_000).toISOString(),
      closedReason: 'rate_limited',
    },
    {
      connectionId: shut,
      lane: 'messages',
      waiting: 0,
      oldest: null,
      closedUntil: until.toISOString(),
      closedReason: 'rate_limited',
    },
  ]) {
    expect(lanes).toContainEqual(expect.objectContaining(lane));
  }
});

test('reading people and creators in the admin area is noted, once an hour', async () => {
  const reader = await app.signUpAndIn({ name: 'Rita of support' });
  await makeAdmin(reader);
  const noted = async () => {
    const rows = await app.db.engine.selectFrom('audit_log').selectAll().where('admin_id', '=', reader.id).execute();
    return rows.map(({ detail, creator_id, visit_id }) => [detail, creator_id, visit_id]);
  };
  const users = () => reader.call(contract.adminListUsers, { query: { search: 'anna@kitchen.test' } });
  expect((await users()).status).toBe(200);
  await users();
  await reader.call(contract.adminListCreators);
  const [people, creators] = [
    ['GET /api/v1/admin/users', null, null],
    ['GET /api/v1/admin/creators', null, null],
  ];
  expect(await noted()).toEqual([people, creators]);
  await app.clock.advance(HOUR_MS);
  await users();
  expect(await noted()).toEqual([people, creators, people]);
});

describe('granting a plan', () => {
  const grant = (id: string, productId: string) =>
    sam.call(contract.adminGrantPlan, { params: { adminCreatorId: id }, body: { productId, reason: 'Our pilot.' } });

  test('gives an active in-house subscription and writes it down', async () => {
    const owner = await app.signUpAndIn();
    const own = await owner.createCreator('granted');
    const answer = await grant(own.id, 'studio-plan');
    expect(answer).toMatchObject({ status: 200, body: { message: 'The plan is now Studio' } });
    expect((await owner.call(getMe)).body.subscription).toMatchObject({
      plan: { productId: 'studio-plan', name: 'Studio' },
      status: 'active',
      isActive: true,
      isFree: false,
      stripeSubscriptionId: expect.stringMatching(/^inhouse_[\da-f-]{36}$/),
    });
    expect(await auditOf(own.id)).toMatchObject([
      { admin_id: sam.id, creator_id: own.id, what: 'Granted the plan Studio', detail: 'Our pilot.' },
    ]);
    expect((await grant(own.id, 'free-plan')).status).toBe(200);
    expect((await owner.call(getMe)).body.subscription.isFree).toBe(true);
  });

  test('refuses plans and creators that do not exist', async () => {
    expect(await grant(creatorId, 'golden-plan')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'productId' }] },
    });
    expect((await grant('01890000-0000-7000-8000-000000000001', 'studio-plan')).status).toBe(404);
  });

  test('does not replace a subscription that is paid for, but one that has ended', async () => {
    const owner = await app.signUpAndIn();
    const own = await owner.createCreator('payer');
    const set = (values: { status: 'past_due' | 'canceled' }) =>
      app.db.engine
        .updateTable('subscriptions')
        .set({ ...values, stripe_subscription_id: 'sub_123' })
        .where('creator_id', '=', own.id)
        .execute();
    await set({ status: 'past_due' });
    expect((await grant(own.id, 'studio-plan')).status).toBe(409);
    await set({ status: 'canceled' });
    expect((await grant(own.id, 'studio-plan')).status).toBe(200);
  });
});

test('the audit log is read newest first, by creator and by admin, in pages', async () => {
  const owner = await app.signUpAndIn();
  const own = await owner.createCreator('audited');
  await enter(sam, { into: own.id });
  await app.clock.advance(1000);
  await leave(sam);
  const list = async (query: object) => (await sam.call(contract.adminListAudit, { query })).body;
  const { items } = await list({ creatorId: own.id });
  expect(items).toMatchObject([
    { adminId: sam.id, adminName: 'Sam of support', handle: 'audited', what: 'Left the account' },
    { creatorId: own.id, what: 'Entered the account', detail: REASON },
  ]);
  const first = await list({ adminId: sam.id, limit: 1 });
  const second = await list({ adminId: sam.id, limit: 1, after: first.next });
  expect([first.items[0].id, second.items[0].id]).toEqual(items.map(({ id }: { id: string }) => id));
  expect((await list({ adminId: anna.id })).items).toEqual([]);
});

test('nobody changes or deletes what the audit log says', async () => {
  await expect(app.db.engine.deleteFrom('audit_log').execute()).rejects.toThrow('permission denied');
  await expect(app.db.engine.updateTable('audit_log').set({ what: 'x' }).execute()).rejects.toThrow(
    'permission denied',
  );
  await expect(app.db.app.selectFrom('audit_log').selectAll().execute()).rejects.toThrow('permission denied');
});
