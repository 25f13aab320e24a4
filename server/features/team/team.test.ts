import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAutomation } from '#contract/automations.ts';
import { getHome } from '#contract/home.ts';
import { getMe } from '#contract/session.ts';
import {
  acceptInvite,
  accessMembership,
  changeRole,
  getTeam,
  listInvites,
  listMemberships,
  removeMember,
  sendInvite,
} from '#contract/team.ts';
import { createTestApp, logIn, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

type Role = 'owner' | 'collaborator';

/** Ada's creator, and a member for each role that is named. */
async function team(...roles: Role[]) {
  const ada = await app.signUpAndIn({ name: 'Ada' });
  const creatorId = (await ada.createCreator()).id;
  const others: Person[] = [];
  for (const role of roles) {
    const person = await app.signUpAndIn();
    await join(ada, creatorId, person, role);
    others.push(person);
  }
  return { ada, creatorId, others };
}

async function join(owner: Person, creatorId: string, person: Person, role: Role) {
  const invite = await owner.call(sendInvite, { params: { creatorId }, body: { email: person.email, role } });
  expect(invite.status).toBe(200);
  const { inviteId } = invite.body;
  const accepted = await person.call(acceptInvite, { params: { userId: person.id, inviteId } });
  expect(accepted.status).toBe(200);
}

async function membershipOf(person: Person, creatorId: string): Promise<string> {
  const row = await app.db.engine
    .selectFrom('memberships')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow();
  return row.id;
}

async function rolesIn(creatorId: string): Promise<string[]> {
  const rows = await app.db.engine
    .selectFrom('memberships')
    .select('role')
    .where('creator_id', '=', creatorId)
    .orderBy('role')
    .execute();
  return rows.map(({ role }) => role);
}

describe('switching', () => {
  test('lists the creators of a person, exactly one as the current one', async () => {
    const ada = await app.signUpAndIn();
    await ada.createCreator('switch.one');
    await ada.createCreator('switch.two');
    const { memberships } = (await ada.call(listMemberships, { params: { userId: ada.id } })).body;
    expect(memberships).toMatchObject([
      { displayName: 'switch.one', displayImage: null, current: false },
      { displayName: 'switch.two', displayImage: null, current: true },
    ]);
  });

  test('makes another creator the current one, in this session only', async () => {
    const ada = await app.signUpAndIn();
    const first = (await ada.createCreator()).id;
    const second = (await ada.createCreator()).id;
    const params = { userId: ada.id, membershipId: await membershipOf(ada, first) };
    const phone = await logIn(app, ada);
    await phone.call(accessMembership, { params: { ...params, membershipId: await membershipOf(ada, second) } });
    expect((await ada.call(accessMembership, { params })).body).toEqual({ message: 'Switching Creator...' });
    expect((await ada.call(getMe)).body.creatorAccount._id).toBe(first);
    expect((await phone.call(getMe)).body.creatorAccount._id).toBe(second);
  });

  test('leads nobody into a creator by somebody else’s membership', async () => {
    const { ada, creatorId } = await team();
    const mallory = await app.signUpAndIn();
    const membershipId = await membershipOf(ada, creatorId);
    for (const userId of [mallory.id, ada.id])
      expect((await mallory.call(accessMembership, { params: { userId, membershipId } })).status).toBe(404);
    expect((await mallory.call(getMe)).body.creatorAccount).toBeNull();
    expect((await mallory.call(listMemberships, { params: { userId: ada.id } })).status).toBe(404);
    expect((await mallory.call(listInvites, { params: { userId: ada.id } })).status).toBe(404);
  });
});

describe('the team', () => {
  test('is shown to every member, its invites to owners', async () => {
    const { ada, creatorId, others } = await team('collaborator');
    await ada.call(sendInvite, { params: { creatorId }, body: { email: 'later@example.test', role: 'collaborator' } });
    const shown = (await ada.call(getTeam, { params: { creatorId } })).body;
    expect(shown.members).toMatchObject([
      { name: 'Ada', email: ada.email, role: 'owner', you: true },
      { email: others[0]!.email, role: 'collaborator', you: false },
    ]);
    expect(shown.invites).toMatchObject([{ email: 'later@example.test', role: 'collaborator', expired: false }]);
    const theirs = (await others[0]!.call(getTeam, { params: { creatorId } })).body;
    expect(theirs.members.map(({ you }: { you: boolean }) => you)).toEqual([false, true]);
    expect(theirs.invites).toEqual([]);
  });

  test('lets owners change roles, and collaborators not', async () => {
    const { ada, creatorId, others } = await team('collaborator');
    const membershipId = await membershipOf(others[0]!, creatorId);
    const promote = { params: { creatorId, membershipId }, body: { role: 'owner' as const } };
    expect((await others[0]!.call(changeRole, promote)).body.code).toBe('not_allowed');
    expect(await rolesIn(creatorId)).toEqual(['collaborator', 'owner']);
    expect((await ada.call(changeRole, promote)).status).toBe(200);
    expect(await rolesIn(creatorId)).toEqual(['owner', 'owner']);
  });

  test('finds nobody under another creator', async () => {
    const [one, two] = [await team('collaborator'), await team()];
    const membershipId = await membershipOf(one.others[0]!, one.creatorId);
    const params = { creatorId: two.creatorId, membershipId };
    expect((await two.ada.call(changeRole, { params, body: { role: 'owner' } })).status).toBe(404);
    expect((await two.ada.call(removeMember, { params })).status).toBe(404);
    expect(await rolesIn(one.creatorId)).toEqual(['collaborator', 'owner']);
  });

  test('lets a collaborator leave, and remove nobody else', async () => {
    const { ada, creatorId, others } = await team('collaborator', 'collaborator');
    const [bert, cleo] = others as [Person, Person];
    for (const person of [ada, cleo]) {
      const params = { creatorId, membershipId: await membershipOf(person, creatorId) };
      expect((await bert.call(removeMember, { params })).body.code).toBe('not_allowed');
    }
    const params = { creatorId, membershipId: await membershipOf(bert, creatorId) };
    expect((await bert.call(removeMember, { params })).status).toBe(200);
    expect(await rolesIn(creatorId)).toEqual(['collaborator', 'owner']);
    expect((await bert.call(getMe)).body).toMatchObject({ creatorAccount: null, memberships: [] });
  });
});

describe('bad input: deleting the last owner', () => {
  test('is refused in every way, and nothing changes', async () => {
    const { ada, creatorId, others } = await team('collaborator');
    const params = { creatorId, membershipId: await membershipOf(ada, creatorId) };
    const refused = { status: 409, body: { code: 'not_possible_now', detail: expect.stringContaining('an owner') } };
    expect(await ada.call(removeMember, { params })).toMatchObject(refused);
    expect(await ada.call(changeRole, { params, body: { role: 'collaborator' } })).toMatchObject(refused);
    expect((await ada.call(changeRole, { params, body: { role: 'owner' } })).status).toBe(200);
    expect((await others[0]!.call(removeMember, { params })).body.code).toBe('not_allowed');
    expect(await rolesIn(creatorId)).toEqual(['collaborator', 'owner']);
  });

  test('does not happen when two owners go at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { ada, creatorId, others } = await team('owner');
      const bert = others[0]!;
      const [first, second] = [await membershipOf(ada, creatorId), await membershipOf(bert, creatorId)];
      const [a, b] = await Promise.all([
        ada.call(removeMember, { params: { creatorId, membershipId: first } }),
        bert.call(changeRole, { params: { creatorId, membershipId: second }, body: { role: 'collaborator' } }),
      ]);
      expect([a.status, b.status].toSorted()).toEqual([200, 409]);
      expect(await rolesIn(creatorId)).toContain('owner');
    }
  });
});

describe('bad input: a session cookie of a removed member', () => {
  test('opens nothing of the creator from that moment on', async () => {
    const { ada, creatorId, others } = await team('collaborator');
    const bert = others[0]!;
    expect((await bert.call(getHome, { params: { creatorId }, query: {} })).status).toBe(200);
    const params = { creatorId, membershipId: await membershipOf(bert, creatorId) };
    expect((await ada.call(removeMember, { params })).status).toBe(200);
    const read = await bert.call(getHome, { params: { creatorId }, query: {} });
    expect(read).toMatchObject({
      status: 404,
      body: { detail: 'This doesn’t exist, or you don’t have access to it.' },
    });
    const write = await bert.call(createAutomation, { params: { creatorId }, body: {} as never });
    expect(write.status).toBe(404);
    expect((await bert.call(accessMembership, { params: { userId: bert.id, ...params } })).status).toBe(404);
    expect((await bert.call(getMe)).body).toMatchObject({ creatorAccount: null, role: null, memberships: [] });
    const sessions = await app.db.engine
      .selectFrom('sessions')
      .select('current_creator_id')
      .where('user_id', '=', bert.id)
      .execute();
    expect(sessions).toEqual([{ current_creator_id: null }]);
  });
});

describe('starting another creator', () => {
  test('is a navigation to account-setup', async () => {
    const go = async (who: { send: Person['send'] }) =>
      (await who.send({ method: 'GET', url: '/api/v1/auth/add-new-creator' })).headers.location;
    const { ada } = await team();
    expect(await go(ada)).toBe('/creator-hq/account-setup?new=1');
    expect(await go(app.visitor())).toBe('/creator-hq/login');
  });
});
