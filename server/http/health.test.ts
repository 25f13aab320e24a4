import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ deps: { expectWorker: true } });
});
afterAll(() => app.close());

async function ready() {
  // Its answers are cached for a second.
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

describe('what cannot be written', () => {
  let disk = { freeBytes: 9e9, totalBytes: 20e9 };
  let one: TestApp;
  beforeAll(async () => {
    one = await createTestApp({ deps: { readDisk: async () => disk } });
  });
  afterAll(() => one?.close());

  const readiness = async () => {
    await one.clock.advance(2000);
    return one.visitor().send({ method: 'GET', url: '/readyz' });
  };
  const asSuperuser = async (statement: string) => {
    const client = new pg.Client({ connectionString: one.db.connectionString });
    await client.connect();
    await client.query(statement);
    await client.end();
  };

  test('a disk that is nearly full ends readiness; one that fills up is told', async () => {
    expect(await readiness()).toMatchObject({ status: 200, body: { parts: { disk: { ok: true, detail: 'enough' } } } });
    disk = { ...disk, freeBytes: 1e9 };
    expect(await readiness()).toMatchObject({ status: 200, body: { parts: { disk: { ok: true, detail: 'low' } } } });
    disk = { ...disk, freeBytes: 3e8 };
    expect(await readiness()).toMatchObject({ status: 503, body: { parts: { disk: { detail: 'nearly full' } } } });
    disk = { ...disk, freeBytes: 9e9 };
    expect((await readiness()).status).toBe(200);
  });

  test('an event that the log refuses ends readiness until one is taken, or ten seconds have passed', async () => {
    const append = () => one.deps.eventLog.append([{ shard: 0, receivedAt: one.clock.now(), body: '{}' }]);
    await asSuperuser('revoke insert on event_log from creator_hq_engine');
    await expect(append()).rejects.toThrow('permission denied');
    expect(await readiness()).toMatchObject({
      status: 503,
      body: { parts: { database: { ok: true }, webhooks: { ok: false, detail: 'the last one could not be written' } } },
    });
    const { measures } = one.deps.observed;
    expect(measures.refusesEvents(performance.now() + 10_000)).toBe(false);
    await asSuperuser('grant insert on event_log to creator_hq_engine');
    const beforeIt = performance.now();
    await append();
    expect((await readiness()).status).toBe(200);
    // One that hung and failed only after another was taken.
    measures.appendFailed(beforeIt);
    expect(measures.refusesEvents()).toBe(false);
  });
});

test('a living process says so, whatever else is broken', async () => {
  const answer = await app.visitor().send({ method: 'GET', url: '/healthz' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } });
});
