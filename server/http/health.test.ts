import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ deps: { expectWorker: true } });
});
afterAll(() => app.close());

async function ready() {
  // Answers are kept for a second.
  await app.clock.advance(2000);
  return app.visitor().send({ method: 'GET', url: '/readyz' });
}

describe('readiness', () => {
  test('waits for a worker, and counts one that fell silent as none', async () => {
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'not_ready', parts: { worker: { ok: false }, database: { ok: true }, migrations: { ok: true } } },
    });
    const beat = (secondsAgo: number) =>
      app.db.enginePool.query(
        `insert into worker_heartbeats (worker_id, seen_at)
         values ('00000000-0000-7000-8000-000000000001', now() - make_interval(secs => $1))
         on conflict (worker_id) do update set seen_at = excluded.seen_at`,
        [secondsAgo],
      );
    await beat(1);
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
    await beat(120);
    expect(await ready()).toMatchObject({ status: 503, body: { parts: { worker: { ok: false } } } });
    await beat(0);
  });

  test('ends while events are not worked off', async () => {
    await app.deps.eventLog.append([{ shard: 0, receivedAt: app.clock.now(), body: '{}' }]);
    expect((await ready()).status).toBe(200);
    await app.clock.advance(120_000);
    expect(await ready()).toMatchObject({ status: 503, body: { parts: { eventLog: { ok: false } } } });
    await app.db.enginePool.query('delete from event_log');
    expect((await ready()).status).toBe(200);
  });
});

test('a living process says so, whatever else is broken', async () => {
  const answer = await app.visitor().send({ method: 'GET', url: '/healthz' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
});
