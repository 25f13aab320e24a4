import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getMe, login, signUp, updateProfile } from '#contract/session.ts';
import {
  acceptInvite,
  declineInvite,
  getTeam,
  listInvites,
  listSentInvites,
  lookUpInvite,
  removeMember,
  resendInvite,
  revokeInvite,
  sendInvite,
} from '#contract/team.ts';
import { createTestApp, type Person, type TestApp, tokenIn } from '#server/testing/test-app.ts';

const DAY_MS = 24 * 60 * 60_000;
const password = 'a long enough password';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

let invited = 0;

async function creator() {
  const ada = await app.signUpAndIn({ name: 'Ada' });
  return { ada, creatorId: (await ada.createCreator()).id };
}

/** An address that nobody has used. */
function newAddress(): string {
  invited += 1;
  return `invited${invited}@example.test`;
}

async function invite({ ada, creatorId }: { ada: Person; creatorId: string }, email: string): Promise<string> {
  const answer = await ada.call(sendInvite, { params: { creatorId }, body: { email, role: 'collaborator' } });
  expect(answer.status).toBe(200);
  return answer.body.inviteId;
}

async function mailedToken(email: string): Promise<string> {
  return tokenIn((await app.mails(email)).findLast(({ kind }) => kind === 'invitation'));
}

const lookUp = (token: string) => app.visitor().call(lookUpInvite, { body: { token } });
const accept = (who: Person, inviteId: string) => who.call(acceptInvite, { params: { userId: who.id, inviteId } });
const waiting = async (who: Person) => (await who.call(listInvites, { params: { userId: who.id } })).body.invites;

describe('inviting', () => {
  test('mails a link that says who invites whom', async () => {
    const from = await creator();
    const email = newAddress();
    await invite(from, ` ${email.toUpperCase()} `);
    const [mail, ...more] = await app.mails(email);
    expect(more).toEqual([]);
    expect(mail!.text).toContain('Ada invited you');
    expect(mail!.text).toContain('/creator-hq/signup?invite=');
    const answer = await lookUp(tokenIn(mail));
    expect(answer.body).toMatchObject({ email, invitedBy: 'Ada' });
  });

  test('sends somebody with an account to log in, and shows them the invite', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn({ name: 'Bert' });
    const inviteId = await invite(from, bert.email);
    const mail = (await app.mails(bert.email)).at(-1)!;
    expect(mail.text).toContain('would like your help, Bert');
    expect(mail.text).toContain('/creator-hq/login?invite=');
    const { handle: creatorAccountHandle } = (await from.ada.call(getMe)).body.creatorAccount;
    expect(await waiting(bert)).toMatchObject([
      { inviteId, creatorAccountHandle, creatorAccountAvatar: null, invitedBy: 'Ada', role: 'collaborator' },
    ]);
  });

  test('carries no link in a name to strangers', async () => {
    const from = await creator();
    const email = newAddress();
    const name = 'Win at evil.example';
    expect((await from.ada.call(updateProfile, { body: { name } })).status).toBe(200);
    await invite(from, email);
    await from.ada.call(updateProfile, { body: { name: 'J.R. van Dam' } });
    const second = newAddress();
    await invite(from, second);
    expect((await app.mails(email))[0]!.text).toContain('An owner invited you');
    expect((await app.mails(second))[0]!.text).toContain('J.R. van Dam invited you');
  });

  test('writes no mail to who wants none about invites; the invite waits all the same', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn();
    const own = (await bert.createCreator()).id;
    await app.db.engine
      .insertInto('notification_choices')
      .values({ creator_id: own, user_id: bert.id, invites: false })
      .execute();
    const before = (await app.mails(bert.email)).length;
    await invite(from, bert.email);
    expect(await app.mails(bert.email)).toHaveLength(before);
    expect(await waiting(bert)).toHaveLength(1);
  });

  test('keeps one open invite per address, also of two clicks', async () => {
    const { ada, creatorId } = await creator();
    const request = { params: { creatorId }, body: { email: newAddress(), role: 'owner' as const } };
    const answers = await Promise.all([1, 2].map(() => ada.call(sendInvite, request)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await app.mails(request.body.email)).toHaveLength(1);
  });

  test('are listed for an owner, apart from the team', async () => {
    const from = await creator();
    const params = { creatorId: from.creatorId };
    await invite(from, newAddress());
    const { invites } = (await from.ada.call(listSentInvites, { params })).body;
    expect(invites).toHaveLength(1);
    expect(invites).toEqual((await from.ada.call(getTeam, { params })).body.invites);
  });

  test('refuses a member', async () => {
    const { ada, creatorId } = await creator();
    const answer = await ada.call(sendInvite, { params: { creatorId }, body: { email: ada.email, role: 'owner' } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_exists', errors: [{ path: 'email' }] } });
  });

  test('is limited per creator and per recipient', async () => {
    const from = await creator();
    const email = newAddress();
    const inviteId = await invite(from, email);
    const again = () => from.ada.call(resendInvite, { params: { creatorId: from.creatorId, inviteId } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await again()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    for (let n = 6; n < 20; n++) await invite(from, newAddress());
    const body = { email: newAddress(), role: 'owner' as const };
    const answer = await from.ada.call(sendInvite, { params: { creatorId: from.creatorId }, body });
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(await app.mails(body.email)).toEqual([]);
  });

  test('sends again with a new link, and the old one ends', async () => {
    const from = await creator();
    const email = newAddress();
    const inviteId = await invite(from, email);
    const first = await mailedToken(email);
    await app.clock.advance(8 * DAY_MS);
    const params = { creatorId: from.creatorId, inviteId };
    const team = (await from.ada.call(getTeam, { params })).body;
    expect(team.invites).toMatchObject([{ inviteId, expired: true }]);
    expect((await from.ada.call(resendInvite, { params })).body).toMatchObject({ inviteId, expired: false });
    expect((await lookUp(first)).status).toBe(410);
    expect((await lookUp(await mailedToken(email))).status).toBe(200);
  });

  test('makes a new one where the one before ran out', async () => {
    const from = await creator();
    const email = newAddress();
    const first = await invite(from, email);
    await app.clock.advance(7 * DAY_MS);
    const second = await invite(from, email);
    expect(second).not.toBe(first);
    expect((await from.ada.call(getTeam, { params: { creatorId: from.creatorId } })).body.invites).toHaveLength(1);
  });
});

describe('answering', () => {
  test('makes a member whose current creator it is', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn();
    await bert.createCreator();
    expect((await accept(bert, await invite(from, bert.email))).body).toEqual({ message: 'Invite accepted' });
    const me = (await bert.call(getMe)).body;
    expect(me).toMatchObject({ creatorAccount: { _id: from.creatorId }, role: 'collaborator' });
    expect(me.memberships).toHaveLength(2);
    expect(await waiting(bert)).toEqual([]);
  });

  test('twice is fine, also at the same moment', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn();
    const inviteId = await invite(from, bert.email);
    const answers = await Promise.all([1, 2, 3].map(() => accept(bert, inviteId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await bert.call(getMe)).body.memberships).toHaveLength(1);
  });

  test('declines, and the owner may invite once more', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn();
    const inviteId = await invite(from, bert.email);
    const declined = await bert.call(declineInvite, { params: { userId: bert.id, inviteId } });
    expect(declined.body).toEqual({ message: 'Successfully deleted invite' });
    expect(await waiting(bert)).toEqual([]);
    expect((await accept(bert, inviteId)).body.code).toBe('link_expired');
    expect((await accept(bert, await invite(from, bert.email))).status).toBe(200);
  });
});

describe('signing up with an invite', () => {
  test('needs no other confirmation when the address is the invited one', async () => {
    const from = await creator();
    const email = newAddress();
    const inviteId = await invite(from, email);
    const inviteToken = await mailedToken(email);
    const browser = app.visitor();
    const answer = await browser.call(signUp, { body: { name: 'Cleo', email, password, inviteToken } });
    expect(answer.body).toMatchObject({ signedIn: true });
    expect((await app.mails(email)).map(({ kind }) => kind)).toEqual(['invitation']);
    const { account } = (await browser.call(getMe)).body;
    expect(account).toMatchObject({ email, emailVerified: true });
    const invites = (await browser.call(listInvites, { params: { userId: account._id } })).body.invites;
    expect(invites).toMatchObject([{ inviteId }]);
    expect((await browser.call(acceptInvite, { params: { userId: account._id, inviteId } })).status).toBe(200);
  });

  test('takes over an account that waits for its confirmation, with the new password only', async () => {
    const from = await creator();
    const email = newAddress();
    await app.visitor().call(signUp, { body: { name: 'Someone', email, password: 'the password before' } });
    await invite(from, email);
    const body = { name: 'Cleo', email, password, inviteToken: await mailedToken(email) };
    expect((await app.visitor().call(signUp, { body })).body.signedIn).toBe(true);
    const old = await app.visitor().call(login, { body: { email, password: 'the password before' } });
    expect(old.status).toBe(401);
  });

  test('opens no account that is there', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn({ name: 'Bert' });
    await invite(from, bert.email);
    const browser = app.visitor();
    const body = { name: 'X', email: bert.email, password, inviteToken: await mailedToken(bert.email) };
    expect((await browser.call(signUp, { body })).body.signedIn).toBe(false);
    expect((await browser.call(getMe)).status).toBe(401);
    expect((await app.visitor().call(login, { body: { email: bert.email, password } })).status).toBe(401);
  });
});

describe('bad input: expired, reused and foreign invite links, an invite for another address', () => {
  test('an expired link says so, and nothing changed', async () => {
    const from = await creator();
    const email = newAddress();
    const bert = await app.signUpAndIn();
    const inviteId = await invite(from, bert.email);
    await invite(from, email);
    await app.clock.advance(7 * DAY_MS);
    expect(await waiting(bert)).toEqual([]);
    expect(await accept(bert, inviteId)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
    expect((await bert.call(getMe)).body.memberships).toEqual([]);
    const inviteToken = await mailedToken(email);
    expect((await lookUp(inviteToken)).body.code).toBe('link_expired');
    const browser = app.visitor();
    const answer = await browser.call(signUp, { body: { name: 'Cleo', email, password, inviteToken } });
    expect(answer.body.signedIn).toBe(false);
    expect((await browser.call(getMe)).status).toBe(401);
  });

  test('a link used before, or taken back, leads nowhere', async () => {
    const from = await creator();
    const bert = await app.signUpAndIn();
    const inviteId = await invite(from, bert.email);
    const token = await mailedToken(bert.email);
    await accept(bert, inviteId);
    expect((await lookUp(token)).status).toBe(410);
    // Somebody removed does not come back by the invite of then.
    const { members } = (await bert.call(getTeam, { params: { creatorId: from.creatorId } })).body;
    const { membershipId } = members.find(({ you }: { you: boolean }) => you);
    await from.ada.call(removeMember, { params: { creatorId: from.creatorId, membershipId } });
    expect((await accept(bert, inviteId)).body.code).toBe('link_expired');
    expect((await bert.call(getMe)).body.memberships).toEqual([]);

    const second = await invite(from, bert.email);
    const params = { creatorId: from.creatorId, inviteId: second };
    expect((await from.ada.call(revokeInvite, { params })).status).toBe(200);
    expect((await from.ada.call(revokeInvite, { params })).status).toBe(404);
    expect((await from.ada.call(resendInvite, { params })).status).toBe(404);
    expect((await lookUp(await mailedToken(bert.email))).status).toBe(410);
    expect((await accept(bert, second)).body.code).toBe('link_expired');
    expect((await bert.call(declineInvite, { params: { userId: bert.id, inviteId: second } })).status).toBe(404);
  });

  test.each(['nonsense', 'x'.repeat(200), "' or true --"])('the link %j leads nowhere', async (token) => {
    expect((await lookUp(token)).body.code).toBe('link_expired');
  });

  test('an invite for another address cannot be seen, accepted or declined', async () => {
    const from = await creator();
    const [bert, mallory] = [await app.signUpAndIn(), await app.signUpAndIn()];
    const inviteId = await invite(from, bert.email);
    expect(await waiting(mallory)).toEqual([]);
    expect(await accept(mallory, inviteId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await mallory.call(declineInvite, { params: { userId: mallory.id, inviteId } })).status).toBe(404);
    expect((await mallory.call(acceptInvite, { params: { userId: bert.id, inviteId } })).status).toBe(404);
    expect((await mallory.call(getMe)).body.memberships).toEqual([]);
    expect(await waiting(bert)).toHaveLength(1);
  });

  test('a foreign link confirms no other address', async () => {
    const from = await creator();
    const [email, other] = [newAddress(), newAddress()];
    await invite(from, email);
    const browser = app.visitor();
    const body = { name: 'Mallory', email: other, password, inviteToken: await mailedToken(email) };
    expect((await browser.call(signUp, { body })).body.signedIn).toBe(false);
    expect((await browser.call(login, { body: { email: other, password } })).body.code).toBe('email_not_verified');
  });

  test('an owner reaches no invite of another creator', async () => {
    const [from, other] = [await creator(), await creator()];
    const email = newAddress();
    const inviteId = await invite(from, email);
    const params = { creatorId: other.creatorId, inviteId };
    expect((await other.ada.call(resendInvite, { params })).status).toBe(404);
    expect((await other.ada.call(revokeInvite, { params })).status).toBe(404);
    expect((await lookUp(await mailedToken(email))).status).toBe(200);
  });
});

test('an invite that was accepted cannot be declined any more', async () => {
  const from = await creator();
  const bert = await app.signUpAndIn({ name: 'Bert' });
  const inviteId = await invite(from, bert.email);
  expect((await accept(bert, inviteId)).status).toBe(200);
  const answer = await bert.call(declineInvite, { params: { userId: bert.id, inviteId } });
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const row = await app.db.engine
    .selectFrom('invites')
    .select(['accepted_at', 'declined_at'])
    .where('id', '=', inviteId)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ accepted_at: expect.any(Date), declined_at: null });
});
