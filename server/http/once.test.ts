import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeToken } from '#contract/api-tokens.ts';
import { createAutomation } from '#contract/automations.ts';
import { systemIds } from '#server/clock.ts';
import { removeExpired } from '#server/features/people/expired-rows.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { urlFor } from '#server/testing/endpoint-walk.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createOnce } from './once.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let body: ReturnType<typeof automationInput>;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  body = automationInput(await insertConnection(app.db, creatorId));
});
afterAll(() => app?.close());
beforeEach(async () => {
  key = `"${crypto.randomUUID()}"`;
  await app.db.engine.deleteFrom('automations').execute();
});

const create = (over: object = {}, { by = anna, headers = {} }: { by?: Pick<Person, 'send'>; headers?: object } = {}) =>
  by.send({
    method: 'POST',
    url: urlFor(createAutomation, { creatorId }),
    body: { ...body, ...over },
    headers: { 'idempotency-key': key, ...headers },
  });
const made = async () => (await app.db.engine.selectFrom('automations').select('id').execute()).length;
const rows = () =>
  app.db.engine.selectFrom('idempotency_keys').selectAll().where('creator_id', '=', creatorId).execute();

describe('a call with an Idempotency-Key', () => {
  test('makes one thing, and answers the same again', async () => {
    const first = await create();
    expect(first.status).toBe(200);
    const again = await create();
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await made()).toBe(1);
    // Programs that know no structured fields send it without quotes.
    key = key.replaceAll('"', '');
    expect((await create()).body).toEqual(first.body);
  });

  test('makes one thing also when it comes five times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await made()).toBe(1);
  });

  test('is refused with another body or at another address', async () => {
    await create();
    expect(await create({ name: 'Another' })).toMatchObject({ status: 422, body: { code: 'key_used_before' } });
    const elsewhere = await anna.send({
      method: 'POST',
      url: urlFor(makeToken, { creatorId }),
      body: { name: 'Tool', scopes: ['read:figures'], days: null },
      headers: { 'idempotency-key': key },
    });
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'key_used_before' } });
    expect(await made()).toBe(1);
  });

  test('that failed made nothing, and may be made again under its key', async () => {
    const refused = await create({ connectionId: systemIds.uuid(new Date()) });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect((await create()).status).toBe(200);
  });

  test.each(['', '""', 'two words', `"${'x'.repeat(256)}"`, '"not closed', 'a, b'])(
    'is refused with the key %j',
    async (bad) => {
      const answer = await create({}, { headers: { 'idempotency-key': bad } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
      expect(await made()).toBe(0);
    },
  );

  test('belongs to its caller: each token and each person has keys of their own', async () => {
    const token = async () => {
      const scopes = ['write:automations' as const];
      const { body: tool } = await anna.call(makeToken, {
        params: { creatorId },
        body: { name: 'Tool', scopes, days: null },
      });
      return { by: app.visitor(), headers: { authorization: `Bearer ${tool.token}` } };
    };
    const [first, second] = [await token(), await token()];
    expect((await create()).status).toBe(200);
    expect((await create({ name: 'Two' }, first)).status).toBe(200);
    expect((await create({ name: 'Three' }, second)).status).toBe(200);
    expect((await create({ name: 'Two' }, first)).body.name).toBe('Two');
    const stranger = await app.signUpAndIn();
    await stranger.createCreator();
    expect((await create({}, { by: stranger })).status).toBe(404);
    expect(await made()).toBe(3);
  });

  test('is forgotten after a day, and its row goes', async () => {
    await create();
    await app.clock.advance(24 * 60 * MINUTE_MS - 1);
    await create();
    await removeExpired(app.db, app.clock.now());
    expect(await made()).toBe(1);
    await app.clock.advance(1);
    await create();
    expect(await made()).toBe(2);
    await app.clock.advance(24 * 60 * MINUTE_MS);
    await removeExpired(app.db, app.clock.now());
    expect(await rows()).toEqual([]);
  });

  test('keeps no secret that was shown once where it can be read', async () => {
    const send = () =>
      anna.send({
        method: 'POST',
        url: urlFor(makeToken, { creatorId }),
        body: { name: 'Tool', scopes: ['read:figures'], days: null },
        headers: { 'idempotency-key': key },
      });
    const { token } = (await send()).body;
    expect((await send()).body.token).toBe(token);
    expect(JSON.stringify(await rows())).not.toContain(token);
    expect(JSON.stringify(await rows())).not.toContain(key.replaceAll('"', ''));
  });
});

describe('a first call in another process', () => {
  /** The same call there, as far as `work` goes. */
  const elsewhere = (work: Parameters<ReturnType<typeof createOnce>>[1]) =>
    createOnce(app.deps)(
      {
        key: key.replaceAll('"', ''),
        creatorId,
        callerId: anna.id,
        method: 'POST',
        url: urlFor(createAutomation, { creatorId }),
        body,
      },
      work,
    );

  test('that is under way is waited for by whoever asks: 409', async () => {
    const hold = Promise.withResolvers<void>();
    let first: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      first = elsewhere(async () => {
        resolve();
        await hold.promise;
        throw new Error('It failed.');
      });
    });
    expect(await create()).toMatchObject({
      status: 409,
      body: { code: 'call_under_way' },
      headers: { 'retry-after': '1' },
    });
    hold.resolve();
    await expect(first).rejects.toThrow('It failed.');
    expect((await create()).status).toBe(200);
  });

  test('that died before it made anything is made again after a minute', async () => {
    void elsewhere(() => new Promise(() => {}));
    await expect.poll(async () => (await create()).status).toBe(409);
    await app.clock.advance(MINUTE_MS);
    expect((await create()).status).toBe(200);
    expect(await made()).toBe(1);
  });

  test('that died after it made something is never made again', async () => {
    const committed = Promise.withResolvers<void>();
    void elsewhere(async (commit) => {
      await app.db.withCreator(creatorId, commit);
      committed.resolve();
      await new Promise(() => {});
    });
    await committed.promise;
    await app.clock.advance(MINUTE_MS);
    const answer = await create();
    expect(answer).toMatchObject({ status: 409, body: { code: 'call_under_way' } });
    expect(answer.body.detail).toContain('the response was lost');
    expect(await made()).toBe(0);
  });
});

test('what takes a key is a POST inside a creator that answers with what it made', () => {
  const takers = ENDPOINTS.filter(({ endpoint }) => endpoint.makes);
  expect(takers.map(({ name }) => name)).toContain('createAutomation');
  for (const { name, endpoint } of takers) {
    expect([endpoint.method, endpoint.access, endpoint.stream], name).toEqual(['POST', 'creator', undefined]);
    expect(endpoint.response, name).toBeDefined();
  }
});
