import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

const TOKEN = 'a-token-of-sixteen-or-more';

async function withServer(token: string | null, work: (url: string, server: MetricsServer) => Promise<void>) {
  const registry = new Registry();
  new Counter({ name: 'creator_hq_webhooks_total', help: 'Webhooks.', registers: [registry] }).inc(7);
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, token }, registry);
  try {
    await work(`http://127.0.0.1:${server.port}`, server);
  } finally {
    await server.close();
  }
}

test('Prometheus reads the metrics in its format', () =>
  withServer(null, async (url) => {
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('creator_hq_webhooks_total 7\n');
  }));

test.each([
  ['nothing', undefined],
  ['another token', 'Bearer another-token-of-its-own'],
  ['the beginning of the token', `Bearer ${TOKEN.slice(0, -1)}`],
  ['the token as a password', `Basic ${TOKEN}`],
])('with a token set, %s opens nothing', (_what, authorization) =>
  withServer(TOKEN, async (url) => {
    const response = await fetch(`${url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('');
  }),
);

test('an orchestrator needs no token to ask whether the process lives', () =>
  withServer(TOKEN, async (url) => {
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  }));

test('the token opens the metrics', () =>
  withServer(TOKEN, async (url) => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(response.status).toBe(200);
  }));

test('there is nothing else on that port', () =>
  withServer(null, async (url) => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics/more`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
  }));

test('a port that is taken is told to the caller', () =>
  withServer(null, async (_url, server) => {
    const again = startMetricsServer({ host: '127.0.0.1', port: server.port, token: null }, new Registry());
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  }));
