import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shardOf } from '#server/engine/shards/shards.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

const SECRETS = { META_APP_SECRET: 'meta-secret', INSTAGRAM_APP_SECRET: 'instagram-secret' };
const ACCOUNT = '17841405726653026';

let hq: TestApp;
beforeAll(async () => {
  hq = await createTestApp({
    settings: {
      META_APP_ID: '1',
      INSTAGRAM_APP_ID: '2',
      META_VERIFY_TOKEN: 'verify me',
      META_OLD_APP_SECRETS: 'one-before, two-before',
      ...SECRETS,
    },
  });
});
afterAll(() => hq.close());

const envelope = (entries: object[]) => JSON.stringify({ object: 'instagram', entry: entries });
const commentOf = (accountId: string, id = '17894227972186120') => ({
  id: accountId,
  time: 1_780_000_000,
  changes: [
    {
      field: 'comments',
      value: { id, text: 'LINK', from: { id: '430915413000664', username: 'ana' }, media: { id: '179' } },
    },
  ],
});

function post(body: string | Buffer, headers: Record<string, string> = {}, secret = SECRETS.META_APP_SECRET) {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return hq.app.inject({
    method: 'POST',
    url: '/webhooks/meta',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature, ...headers },
    payload: body,
  });
}

async function logged() {
  const { rows } = await hq.db.enginePool.query<{ shard: number; body: string }>(
    'delete from event_log returning shard, body',
  );
  return rows;
}

describe('the handshake', () => {
  const ask = (query: string) => hq.app.inject({ method: 'GET', url: `/webhooks/meta?${query}` });

  test('answers the bare challenge to the right token', async () => {
    const answer = await ask('hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=verify%20me');
    expect([answer.statusCode, answer.body]).toEqual([200, '1158201444']);
    expect(answer.headers['content-type']).toContain('text/plain');
  });

  test.each([
    ['a wrong token', 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=other', 403],
    ['the beginning of the token', 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=verify', 403],
    ['more than the token', 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=verify%20me%20too', 403],
    ['the token in other letters', 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=Verify%20Me', 403],
    ['an empty token', 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=', 403],
    ['no token', 'hub.mode=subscribe&hub.challenge=1', 400],
    ['a token twice', 'hub.mode=subscribe&hub.challenge=1&hub.verify_token=a&hub.verify_token=verify%20me', 400],
    ['another mode', 'hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=verify%20me', 400],
    ['nothing', '', 400],
  ])('refuses %s', async (_name, query, status) => {
    expect((await ask(query)).statusCode).toBe(status);
  });
});

test('without a verify token nobody is let in, an empty one is none', async () => {
  const without = await createTestApp();
  try {
    for (const token of ['', 'null', 'undefined', 'verify%20me']) {
      const url = `/webhooks/meta?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${token}`;
      expect((await without.app.inject({ method: 'GET', url })).statusCode, token).toBe(403);
    }
  } finally {
    await without.close();
  }
});

describe('an event', () => {
  test.each(Object.entries(SECRETS))('signed with %s is durable once it is answered 200', async (_name, secret) => {
    const body = envelope([commentOf(ACCOUNT)]);
    const answer = await post(body, {}, secret);
    expect(answer.statusCode).toBe(200);
    expect(await logged()).toEqual([{ shard: shardOf(ACCOUNT), body }]);
  });

  test.each([
    ['two-before', 200],
    ['three-before', 403],
  ])('signed with the secret %s of before a change is answered %i', async (secret, status) => {
    const answer = await post(envelope([commentOf(ACCOUNT)]), {}, secret);
    expect(answer.statusCode === 200 ? 200 : 403).toBe(status);
    expect(await logged()).toHaveLength(status === 200 ? 1 : 0);
  });

  test('for accounts of several shards is logged once for each shard', async () => {
    const accounts = Array.from({ length: 40 }, (_, index) => `1784140572665${1000 + index}`);
    const shards = new Set(accounts.map(shardOf));
    await post(envelope(accounts.map((account) => commentOf(account))));
    expect((await logged()).map(({ shard }) => shard).sort()).toEqual([...shards].sort());
  });

  test.each([
    ['of an unknown account', envelope([commentOf('999')])],
    ['with an unknown field', envelope([{ id: ACCOUNT, time: 1, changes: [{ field: 'moon_phase', value: {} }] }])],
    ['of an unknown object', JSON.stringify({ object: 'whatsapp', entry: [{ id: '1', changes: [] }] })],
    ['without entries', envelope([])],
    ['with the wrong types inside', envelope([{ id: 5, time: 'yesterday', changes: 'none' } as object])],
  ])('%s is acknowledged', async (_name, body) => {
    expect((await post(body)).statusCode).toBe(200);
    expect(await logged()).toHaveLength(1);
  });

  test.each([
    [
      'a wrong signature',
      envelope([commentOf(ACCOUNT)]),
      { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      403,
      'not_allowed',
    ],
    ['no signature', envelope([commentOf(ACCOUNT)]), { 'x-hub-signature-256': '' }, 403, 'not_allowed'],
    ['truncated JSON', envelope([commentOf(ACCOUNT)]).slice(0, -20), {}, 400, 'malformed_request'],
    ['JSON that is no envelope', '"hello"', {}, 400, 'malformed_request'],
    ['an empty body', '', {}, 400, 'malformed_request'],
    [
      'a compressed body',
      gzipSync(envelope([commentOf(ACCOUNT)])),
      { 'content-encoding': 'gzip' },
      400,
      'malformed_request',
    ],
    ['10 MB', Buffer.alloc(10 * 1024 * 1024, ' '), {}, 413, 'too_large'],
  ])('with %s is refused with a clear answer and not logged', async (_name, body, headers, status, code) => {
    const answer = await post(body, headers as Record<string, string>);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code, status });
    expect(await logged()).toEqual([]);
  });

  test('is answered 503 while the database is away, so that Meta sends it again', async () => {
    const away = await createTestApp({
      settings: { META_APP_ID: '1', META_VERIFY_TOKEN: 'v', META_APP_SECRET: SECRETS.META_APP_SECRET },
      deps: {
        eventLog: {
          append: () => Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' })),
          consume: async () => 0,
          onAppended: () => () => {},
          lag: async () => ({ waiting: 0, oldest: null }),
          close: async () => {},
        },
      },
    });
    const body = envelope([commentOf(ACCOUNT)]);
    const answer = await away.app.inject({
      method: 'POST',
      url: '/webhooks/meta',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', SECRETS.META_APP_SECRET).update(body).digest('hex')}`,
      },
      payload: body,
    });
    await away.close();
    expect(answer.statusCode).toBe(503);
  });

  test('is answered 503 while too many wait to be written, and taken again afterwards', async () => {
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const slow = await createTestApp({
      settings: { META_APP_ID: '1', META_VERIFY_TOKEN: 'v', META_APP_SECRET: SECRETS.META_APP_SECRET },
      deps: {
        eventLog: {
          append: () => written,
          consume: async () => 0,
          onAppended: () => () => {},
          lag: async () => ({ waiting: 0, oldest: null }),
          close: async () => {},
        },
      },
    });
    const body = envelope([{ ...commentOf(ACCOUNT), padding: 'x'.repeat(1_000_000) }]);
    const send = () =>
      slow.app.inject({
        method: 'POST',
        url: '/webhooks/meta',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${createHmac('sha256', SECRETS.META_APP_SECRET).update(body).digest('hex')}`,
        },
        payload: body,
      });
    // 17 of them are more than one network may have under way. Those refused are answered while the others still wait.
    let refused = 0;
    const answers = Array.from({ length: 70 }, () =>
      send().then((answer) => {
        if (answer.statusCode === 503) refused++;
        return answer.statusCode;
      }),
    );
    while (refused === 0) await new Promise((resolve) => setImmediate(resolve));
    write();
    const codes = await Promise.all(answers);
    expect(new Set(codes)).toEqual(new Set([200, 503]));
    expect((await send()).statusCode).toBe(200);
    await slow.close();
  });
});
