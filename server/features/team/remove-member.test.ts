/** Who leaves a team no longer listens: tokens, webhooks and the API key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTokens, makeToken, revokeToken } from '#contract/api-tokens.ts';
import { getFigures } from '#contract/figures.ts';
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  listEndpoints,
  type OutgoingType,
  removeEndpoint,
} from '#contract/outgoing-webhooks.ts';
import { registerPlugin } from '#contract/plugin.ts';
import { changeNotifications, getApiKey, getNotifications, makeApiKey } from '#contract/settings.ts';
import { acceptInvite, getTeam, removeMember, sendInvite } from '#contract/team.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const URL = 'https://tool.example.test/hook';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

/** Ada's creator with Bert, a collaborator. */
async function team() {
  const ada = await app.signUpAndIn({ name: 'Ada' });
  const bert = await app.signUpAndIn({ name: 'Bert' });
  const creatorId = (await ada.createCreator()).id;
  await join(ada, creatorId, bert);
  return { ada, bert, creatorId };
}

async function join(owner: Person, creatorId: string, person: Person, role: 'owner' | 'collaborator' = 'collaborator') {
  const { inviteId } = (await owner.call(sendInvite, { params: { creatorId }, body: { email: person.email, role } }))
    .body;
  expect((await person.call(acceptInvite, { params: { userId: person.id, inviteId } })).status).toBe(200);
}

const add = (by: Person, creatorId: string, types: OutgoingType[] = ['click']) =>
  by.call(addEndpoint, { params: { creatorId }, body: { url: URL, types } });
const endpoints = async (by: Person, creatorId: string) =>
  (await by.call(listEndpoints, { params: { creatorId } })).body.items;
const token = async (by: Person, creatorId: string) => {
  const body = { name: 'Spreadsheet', scopes: ['read:figures' as const], days: null };
  return (await by.call(makeToken, { params: { creatorId }, body })).body;
};
const figures = async (creatorId: string, bearer: string) =>
  (
    await app.visitor().send({
      method: 'GET',
      url: `/api/v1${getFigures.path.replace(':creatorId', creatorId)}`,
      headers: { authorization: `Bearer ${bearer}` },
    })
  ).status;
const plugin = async (key: string) =>
  (
    await app.visitor().send({
      method: 'POST',
      url: `/api/v1${registerPlugin.path}`,
      body: { pluginVersion: '1.0.0' },
      headers: { authorization: `Bearer ${key}` },
    })
  ).status;
const memberOf = async (by: Person, creatorId: string, person: Person) =>
  (await by.call(getTeam, { params: { creatorId } })).body.members.find(
    ({ email }: { email: string }) => email === person.email,
  );
async function remove(
  by: Person,
  creatorId: string,
  person: Person,
  query: { webhooks?: 'keep' | 'remove'; apiKey?: 'keep' | 'replace' } = {},
) {
  const { membershipId } = await memberOf(by, creatorId, person);
  return by.call(removeMember, { params: { creatorId, membershipId }, query });
}

describe('an outgoing webhook with what people write, or with contacts', () => {
  test.each(['interaction', 'contact'] as const)('needs the right to export to be made: %s', async (type) => {
    const { ada, bert, creatorId } = await team();
    expect(await add(bert, creatorId, ['click', type])).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect((await add(bert, creatorId, ['click', 'delivery'])).status).toBe(200);
    expect((await add(ada, creatorId, [type])).status).toBe(200);
    expect((await endpoints(ada, creatorId)).map((one: { types: string[] }) => one.types)).toEqual([
      ['click', 'delivery'],
      [type],
    ]);
  });

  test('needs it to be changed too: to another address, to more, to less, on or off, and for a new secret', async () => {
    const { ada, bert, creatorId } = await team();
    const personal = (await add(ada, creatorId, ['contact'])).body;
    const harmless = (await add(ada, creatorId, ['click'])).body;
    const change = (by: Person, endpointId: string, over: object) =>
      by.call(changeEndpoint, {
        params: { creatorId, endpointId },
        body: { url: URL, types: ['contact'], on: true, ...over },
      });
    for (const over of [{ url: 'https://bert.example.test' }, { on: false }, { types: ['click'] }])
      expect((await change(bert, personal.id, over)).status, JSON.stringify(over)).toBe(403);
    expect((await change(bert, harmless.id, { types: ['click', 'interaction'] })).status).toBe(403);
    expect((await change(bert, harmless.id, { types: ['delivery'] })).status).toBe(200);
    expect((await change(ada, personal.id, { url: 'https://ada.example.test' })).status).toBe(200);
    const renew = async (by: Person) =>
      (await by.call(changeSecret, { params: { creatorId, endpointId: personal.id } })).status;
    expect([await renew(bert), await renew(ada)]).toEqual([403, 200]);
    expect((await bert.call(removeEndpoint, { params: { creatorId, endpointId: personal.id } })).status).toBe(200);
  });
});

test('lists say who made each webhook, token and key', async () => {
  const { ada, bert, creatorId } = await team();
  await add(bert, creatorId);
  const his = await token(bert, creatorId);
  const own = await token(ada, creatorId);
  await bert.call(makeApiKey, { params: { creatorId } });
  expect(await endpoints(ada, creatorId)).toMatchObject([{ createdBy: 'Bert' }]);
  expect((await ada.call(getApiKey, { params: { creatorId } })).body.createdBy).toBe('Bert');
  const tokens = async (by: Person) => (await by.call(listTokens, { params: { creatorId } })).body.items;
  expect(await tokens(ada)).toMatchObject([
    { id: own.id, createdBy: 'Ada', yours: true },
    { id: his.id, createdBy: 'Bert', yours: false },
  ]);
  expect(await tokens(bert)).toMatchObject([{ id: his.id, yours: true }]);
  // An owner ends anybody's; nobody else does.
  expect((await bert.call(revokeToken, { params: { creatorId, tokenId: own.id } })).status).toBe(404);
  expect((await ada.call(revokeToken, { params: { creatorId, tokenId: his.id } })).status).toBe(200);
  expect(await figures(creatorId, his.token)).toBe(401);
});

describe('removing somebody', () => {
  test('ends their tokens for good, also when they come back', async () => {
    const { ada, bert, creatorId } = await team();
    const { token: his } = await token(bert, creatorId);
    expect(await figures(creatorId, his)).toBe(200);
    expect((await remove(ada, creatorId, bert)).status).toBe(200);
    await join(ada, creatorId, bert);
    expect(await figures(creatorId, his)).toBe(401);
  });

  test('asks what happens with their webhooks and the key they made, and changes nothing until it is said', async () => {
    const { ada, bert, creatorId } = await team();
    await add(bert, creatorId);
    await bert.call(makeApiKey, { params: { creatorId } });
    expect(await memberOf(ada, creatorId, bert)).toMatchObject({ webhooks: 1, apiKey: true });
    expect(await memberOf(ada, creatorId, ada)).toMatchObject({ webhooks: 0, apiKey: false });
    for (const [query, path] of [
      [{}, 'webhooks'],
      [{ webhooks: 'keep' }, 'apiKey'],
      [{ apiKey: 'keep' }, 'webhooks'],
    ] as const)
      expect(await remove(ada, creatorId, bert, query)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect(await memberOf(ada, creatorId, bert)).toMatchObject({ webhooks: 1 });
  });

  test('keeps both under the remover’s name', async () => {
    const { ada, bert, creatorId } = await team();
    await add(bert, creatorId);
    const { key } = (await bert.call(makeApiKey, { params: { creatorId } })).body;
    const answer = await remove(ada, creatorId, bert, { webhooks: 'keep', apiKey: 'keep' });
    expect(answer).toMatchObject({ status: 200, body: { apiKey: null } });
    expect(await endpoints(ada, creatorId)).toMatchObject([{ createdBy: 'Ada', on: true }]);
    expect((await ada.call(getApiKey, { params: { creatorId } })).body.createdBy).toBe('Ada');
    expect(await plugin(key)).toBe(200);
  });

  test('removes the webhooks and replaces the key, which is shown once', async () => {
    const { ada, bert, creatorId } = await team();
    await add(bert, creatorId);
    await add(ada, creatorId);
    const { key } = (await bert.call(makeApiKey, { params: { creatorId } })).body;
    const answer = await remove(ada, creatorId, bert, { webhooks: 'remove', apiKey: 'replace' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await endpoints(ada, creatorId)).toMatchObject([{ createdBy: 'Ada' }]);
    expect(await plugin(key)).toBe(401);
    expect(await plugin(answer.body.apiKey)).toBe(200);
    expect((await ada.call(getApiKey, { params: { creatorId } })).body.createdBy).toBe('Ada');
  });

  test('waits for what is being made in their name, so that nothing of it stays', async () => {
    for (let round = 0; round < 3; round++) {
      const { ada, bert, creatorId } = await team();
      const [made] = await Promise.all([
        token(bert, creatorId),
        remove(ada, creatorId, bert, { webhooks: 'remove', apiKey: 'keep' }),
      ]);
      await join(ada, creatorId, bert);
      if (made.token !== undefined) expect(await figures(creatorId, made.token)).toBe(401);
    }
  });
});

test('who leaves by themselves is not asked: their webhooks are off, and the owners hear of them and of the key', async () => {
  const { ada, bert, creatorId } = await team();
  await add(bert, creatorId);
  await bert.call(makeApiKey, { params: { creatorId } });
  expect((await remove(bert, creatorId, bert, { webhooks: 'keep', apiKey: 'keep' })).status).toBe(200);
  expect(await endpoints(ada, creatorId)).toMatchObject([
    { createdBy: null, on: false, offBecause: 'Bert, who added it, left the team.' },
  ]);
  expect((await app.mails(ada.email)).at(-1)).toMatchObject({
    kind: 'left_behind',
    text: expect.stringMatching(/tool\.example\.test are off[\s\S]*created the current API key/),
  });
});

describe('owners get a mail', () => {
  const mailsOf = async (person: Person) => (await app.mails(person.email)).filter(({ kind }) => kind === 'new_access');

  test('for each new address, token and key: who made it and when', async () => {
    const { ada, bert, creatorId } = await team();
    const cleo = await app.signUpAndIn({ name: 'Cleo' });
    await join(ada, creatorId, cleo, 'owner');
    const { id } = (await add(bert, creatorId)).body;
    await token(bert, creatorId);
    await bert.call(makeApiKey, { params: { creatorId } });
    for (const owner of [ada, cleo]) {
      const mails = await mailsOf(owner);
      expect(mails.map(({ subject }) => subject.replace(/@.*/, ''))).toEqual([
        'New webhook for ',
        'New API token for ',
        'New API key for ',
      ]);
      const year = app.clock.now().getUTCFullYear();
      for (const { text } of mails)
        expect(text).toMatch(new RegExp(`Bert \\(${bert.email}\\) added it on .*${year}.* UTC`));
    }
    expect(await mailsOf(bert)).toEqual([]);
    // Another address is a new one; turning it off is not.
    const change = (url: string, on: boolean) =>
      ada.call(changeEndpoint, { params: { creatorId, endpointId: id }, body: { url, types: ['click'], on } });
    await change(URL, false);
    expect(await mailsOf(cleo)).toHaveLength(3);
    await change('https://other.example.test', true);
    expect((await mailsOf(cleo)).at(-1)).toMatchObject({ text: expect.stringContaining('other.example.test') });
  });

  test('unless they chose otherwise', async () => {
    const { ada, bert, creatorId } = await team();
    const { body } = await ada.call(getNotifications, { params: { creatorId } });
    expect(body.newAccess).toBe(true);
    await ada.call(changeNotifications, { params: { creatorId }, body: { ...body, newAccess: false } });
    await token(bert, creatorId);
    expect(await mailsOf(ada)).toEqual([]);
  });
});
