/** Headers HTTP demands besides the status, for programs that read no documentation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeToken } from '#contract/api-tokens.ts';
import { switchAutomation } from '#contract/automations.ts';
import { getContact } from '#contract/contacts.ts';
import { sendInvite } from '#contract/team.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { furnishCreator, type Params, urlFor } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let owner: Person;
let own: Params;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUpAndIn();
  own = await furnishCreator(app, owner, await app.signUpAndIn());
  const body = { name: 'Tool', scopes: ['read:figures' as const], days: null };
  token = (await owner.call(makeToken, { params: own, body })).body.token;
});
afterAll(() => app?.close());

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

test('every address of the API answers a method that it does not take with 405 and what it takes', async () => {
  for (const [path, same] of Map.groupBy(ENDPOINTS, ({ endpoint }) => endpoint.path)) {
    const known = same.map(({ endpoint }) => endpoint.method as string);
    const url = urlFor(same[0]!.endpoint, own);
    for (const method of METHODS.filter((one) => !known.includes(one))) {
      const answer = await owner.send({ method, url });
      // `/automations/test` is also read as `/automations/:automationId`.
      if (answer.status !== 405) {
        const others = ENDPOINTS.filter(({ endpoint }) => endpoint.method === method && endpoint.path !== path);
        const fits = others.some(({ endpoint }) =>
          new RegExp(`^/api/v1${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(url),
        );
        expect(fits, `${method} ${path}: ${answer.status}`).toBe(true);
        continue;
      }
      expect(answer.body.code, path).toBe('method_not_allowed');
      expect(String(answer.headers.allow).split(', '), path).toEqual(expect.arrayContaining(known));
      expect(String(answer.headers.allow), path).not.toMatch(new RegExp(`\\b${method}\\b`));
    }
  }
  expect(await owner.send({ method: 'DELETE', url: '/healthz' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  });
  expect((await owner.send({ method: 'DELETE', url: '/api/v1/nothing' })).status).toBe(404);
});

describe('a body of the wrong type', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
  ])('%s is answered with 415 wherever JSON is meant', async (type) => {
    for (const { name, endpoint } of ENDPOINTS.filter(({ endpoint }) => endpoint.body !== undefined)) {
      const headers = { 'content-type': type };
      const answer = await owner.send({ method: endpoint.method, url: urlFor(endpoint, own), body: 'a=b', headers });
      expect(answer, name).toMatchObject({ status: 415, body: { code: 'wrong_media_type' } });
    }
  });

  test('is refused at the addresses that forms are for, too', async () => {
    const send = (type: string) =>
      owner.send({
        method: 'POST',
        url: '/webhooks/meta/data-deletion',
        body: 'a=b',
        headers: { 'content-type': type },
      });
    expect((await send('multipart/form-data; boundary=x')).status).toBe(415);
    expect((await send('application/x-www-form-urlencoded')).status).toBe(400);
  });
});

describe('who is refused learns how to sign in', () => {
  const challenge = async (url: string, authorization?: string) => {
    const answer = await app
      .visitor()
      .send({ method: 'GET', url, headers: authorization === undefined ? {} : { authorization } });
    return [answer.status, answer.headers['www-authenticate']];
  };

  test('without a token, with a wrong one, and with one that is too narrow', async () => {
    const url = urlFor(getContact, own);
    expect(await challenge(url)).toEqual([401, 'Bearer realm="Creator HQ"']);
    expect(await challenge(url, `Bearer ${token}x`)).toEqual([
      401,
      'Bearer realm="Creator HQ", error="invalid_token", error_description="This API token is wrong or has expired. Create a new one."',
    ]);
    expect(await challenge(url, `Bearer ${token}`)).toEqual([
      403,
      'Bearer realm="Creator HQ", error="insufficient_scope", scope="read:contacts", error_description="This API token needs the scope read:contacts."',
    ]);
    expect(await challenge(`/api/v1/creators/${own.creatorId}/api-tokens`, `Bearer ${token}`)).toEqual([
      403,
      'Bearer realm="Creator HQ", error="insufficient_scope", error_description="API tokens are not allowed to do this. Log in to do it."',
    ]);
  });
});

test('an input that is wrong is answered in words of the product, field by field', async () => {
  const url = urlFor(switchAutomation, own);
  const answer = await owner.send({ method: 'POST', url, body: { on: 'yes' } });
  expect(answer).toMatchObject({
    status: 422,
    body: { detail: '“on” must be true or false.', errors: [{ path: 'on', message: '“on” must be true or false.' }] },
  });
  const invite = await owner.send({ method: 'POST', url: urlFor(sendInvite, own), body: {} });
  expect(invite.body.errors.map(({ message }: { message: string }) => message)).toContain('“role” is missing.');
});

test('no endpoint answers an empty body in words of a library', async () => {
  for (const { name, endpoint } of ENDPOINTS.filter(({ endpoint }) => endpoint.body !== undefined)) {
    const answer = await owner.send({ method: endpoint.method, url: urlFor(endpoint, own), body: { nonsense: [1] } });
    expect(JSON.stringify(answer.body), name).not.toMatch(/Invalid (input|option)|expected|Too (big|small)/);
  }
});
