import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeToken, Scope } from '#contract/api-tokens.ts';
import { ERRORS } from '#contract/errors.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { furnishCreator } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { codesOf, describeApi } from './openapi.ts';

const DESCRIBED = describeApi(ENDPOINTS);
const OPERATIONS = Object.values(DESCRIBED.paths).flatMap((methods) => Object.values(methods));

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('the description of the API', () => {
  test('has every endpoint of the contract, each under its own name', () => {
    const described = OPERATIONS.map(({ operationId }) => operationId);
    expect(described.sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
    expect(new Set(described).size).toBe(described.length);
  });

  test('names path parameters, input and problems', () => {
    const operation = DESCRIBED.paths['/creators/{creatorId}/automations/{automationId}']!.put!;
    const SOME_ID = '01890000-0000-7000-8000-000000000001';
    expect(operation.parameters).toEqual([
      { name: 'creatorId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' }, example: SOME_ID },
      {
        name: 'automationId',
        in: 'path',
        required: true,
        schema: { type: 'string', format: 'uuid' },
        example: SOME_ID,
      },
    ]);
    expect(operation.requestBody!.content['application/json']!.schema).toMatchObject({
      type: 'object',
      properties: { words: { type: 'array' }, version: { type: 'integer' } },
    });
    expect(operation.responses[409]!.description).toContain('changed_meanwhile');
    expect(operation.responses[401]!.description).toContain('not_signed_in');
  });

  test('says which path parameters there are exactly', () => {
    for (const { name, endpoint } of ENDPOINTS) {
      const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
      const operation = DESCRIBED.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]![endpoint.method.toLowerCase()]!;
      const described = (operation.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
      expect(described.sort(), name).toEqual(inPath.sort());
    }
  });

  test('has an example of every parameter, body, answer and problem', () => {
    for (const { operationId, parameters = [], requestBody, responses } of OPERATIONS) {
      for (const one of parameters) expect(one.example, `${operationId} ${one.name}`).toBeDefined();
      const contents = [requestBody, ...Object.values(responses)].flatMap((one) => Object.entries(one?.content ?? {}));
      for (const [type, content] of contents) {
        if (type !== 'text/event-stream') expect(content.example, `${operationId} ${type}`).toBeDefined();
      }
    }
  });

  test('names Idempotency-Key where a call makes something, and how calls are limited', () => {
    for (const { name, endpoint } of ENDPOINTS) {
      const operation = OPERATIONS.find(({ operationId }) => operationId === name)!;
      const names = (operation.parameters ?? []).map((one) => one.name);
      expect(names.includes('Idempotency-Key'), name).toBe(endpoint.makes === true);
      expect(Object.keys(operation.responses[429]!.headers!), name).toEqual([
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
      ]);
    }
  });

  test('is served as JSON and as a page with nothing from elsewhere', async () => {
    const json = await app.visitor().send({ method: 'GET', url: '/api/v1/openapi.json' });
    expect(json.body).toMatchObject({ openapi: '3.1.0' });
    const page = await app.visitor().send({ method: 'GET', url: '/api/docs' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).not.toMatch(/https?:/);
    const scripts = [...page.text.matchAll(/<script ([^>]*)>([^<]*)/g)].map(([, attributes, code]) => [
      /src="([^"]*)"/.exec(attributes!)?.[1],
      code,
    ]);
    expect(scripts).toEqual([
      [undefined, ''],
      ['/api/docs/scalar.js', ''],
    ]);
    const script = await app.app.inject({ method: 'GET', url: '/api/docs/scalar.js' });
    expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(gunzipSync(script.rawPayload).toString()).toContain('createApiReference');
  });

  test('has a place for every code that the type of a problem leads to', async () => {
    const problem = await app.visitor().send({ method: 'GET', url: '/api/v1/nothing' });
    expect(problem.body.type).toBe('/api/docs#not_found');
    const page = await app.visitor().send({ method: 'GET', url: '/api/docs' });
    for (const code of Object.keys(ERRORS)) expect(page.text).toContain(`id="${code}"`);
  });
});

test('every example works as it is printed', async () => {
  const owner = await app.signUpAndIn();
  const ids = await furnishCreator(app, owner, await app.signUpAndIn());
  const body = { name: 'Examples', scopes: Scope.options, days: 1 };
  const { token } = (await owner.call(makeToken, { params: { creatorId: ids.creatorId }, body })).body;
  const values: Record<string, string> = { CREATOR_HQ: '', TOKEN: token };
  for (const [name, id] of Object.entries(ids)) {
    values[name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()] = id;
  }
  const { body: api } = await app.visitor().send({ method: 'GET', url: '/api/v1/openapi.json' });
  const samples = Object.values(api.paths as ReturnType<typeof describeApi>['paths'])
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => (operation['x-codeSamples'] ?? []).map(({ source }) => source))
    // Deletions come last, for the others need their rows.
    .toSorted((a, b) => Number(a.includes('-X DELETE')) - Number(b.includes('-X DELETE')));
  expect(samples.length).toBeGreaterThan(15);
  for (const sample of samples) {
    const typed = sample.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => values[name] ?? `no ${name}`);
    const [, method, url] = /^curl -X (\w+) "([^"]+)"/.exec(typed)!;
    const headers = [...typed.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]) => [name!, value!]);
    const json = /<<JSON\n(.*)\nJSON$/s.exec(typed)?.[1];
    const answer = await app.visitor().send({
      method: method!,
      url: url!,
      headers: Object.fromEntries(headers),
      ...(json !== undefined && { body: JSON.parse(json) }),
    });
    expect(answer.status, `${sample}\n${answer.text}`).toBe(200);
  }
});

test('every endpoint of the contract has a route', async () => {
  const missing = ENDPOINTS.filter(
    ({ endpoint }) => !app.app.hasRoute({ method: endpoint.method, url: `/api/v1${endpoint.path}` }),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('an endpoint names no code twice', () => {
  for (const { endpoint } of ENDPOINTS) expect(new Set(codesOf(endpoint)).size).toBe(codesOf(endpoint).length);
});
