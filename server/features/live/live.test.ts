import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminGrantPlan } from '#contract/admin.ts';
import type { LiveEvent } from '#contract/interactions.ts';
import { logout } from '#contract/session.ts';
import { cancelDeletion, requestDeletion } from '#contract/settings.ts';
import { Notifications } from '#server/db/notifications.ts';
import { pauseWebhooks } from '#server/features/connections/paused-webhooks.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createLiveUpdates, type LiveUpdates } from './live-updates.ts';

let app: TestApp;
let port: number;
let anna: Person;
let creatorId: string;

beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app.close());

/** A browser's EventSource, as far as it matters here. */
async function open(who: Person, creator = creatorId) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = http.get({ port, path: `/api/v1/creators/${creator}/live`, headers: { cookie } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.setEncoding('utf8');
  let text = '';
  const waiting = new Set<() => void>();
  response.on('data', (part: string) => {
    text += part;
    for (const check of waiting) check();
  });
  const events = (): LiveEvent[] => [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
  return {
    response,
    events,
    text: () => text,
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () => request.destroy(),
  };
}

function collect(live: LiveUpdates, creator: string) {
  const events: LiveEvent[] = [];
  let wake = () => {};
  const stop = live.listen(creator, (event) => {
    events.push(event);
    wake();
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { events, until, stop };
}

/** Notifications of PostgreSQL arrive in real time: the clock moves on until then. */
async function advanceUntil(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await app.clock.advance(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** From here on the next notice goes out at once. */
function restOfRhythm(): Promise<void> {
  return app.clock.advance(1000);
}

async function cutListeners(connectionString: string): Promise<void> {
  const superuser = new pg.Client({ connectionString });
  await superuser.connect();
  const { rowCount } = await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen "live"'`,
  );
  await superuser.end();
  expect(rowCount).toBeGreaterThan(0);
}

describe('the stream', () => {
  test('is for members only', async () => {
    expect((await app.visitor().send({ method: 'GET', url: `/api/v1/creators/${creatorId}/live` })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.send({ method: 'GET', url: `/api/v1/creators/${creatorId}/live` })).status).toBe(404);
  });

  test('says hello, then what changed, of this creator only', async () => {
    const stream = await open(anna);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    await advanceUntil(() => stream.events().length > 0);
    expect(stream.events()).toEqual([{ what: 'hello' }]);
    app.deps.live.publish('01890000-0000-7000-8000-000000000000', { what: 'posts' });
    app.deps.live.publish(creatorId, { what: 'interactions', postIds: ['1'] });
    await advanceUntil(() => stream.events().length > 1);
    expect(stream.events()[1]).toEqual({ what: 'interactions', postIds: ['1'] });
    stream.close();
  });

  test('tells at once of a pause, a deletion, its withdrawal and another plan', async () => {
    const dora = await app.signUpAndIn();
    const own = await dora.createCreator();
    await insertConnection(app.db, own.id);
    const stream = await open(dora, own.id);
    await stream.until(() => stream.events().length === 1);
    const hears = async (...whats: LiveEvent['what'][]) => {
      const before = stream.events().length;
      await advanceUntil(() => stream.events().length >= before + whats.length);
      expect(stream.events().slice(before)).toEqual(whats.map((what) => ({ what })));
    };
    const happens = async (change: Promise<unknown>, ...whats: LiveEvent['what'][]) => {
      const heard = hears(...whats);
      await change;
      await heard;
    };
    await happens(pauseWebhooks(app.db, 'instagram', true, app.clock.now()), 'connections', 'interactions');
    await happens(pauseWebhooks(app.db, 'instagram', false, app.clock.now()), 'connections', 'interactions');
    const params = { creatorId: own.id };
    await happens(dora.call(requestDeletion, { params, body: { handle: own.handle } }), 'account', 'interactions');
    await happens(dora.call(cancelDeletion, { params }), 'account');
    await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', anna.id).execute();
    const body = { productId: 'studio-plan', reason: 'Our pilot.' };
    await happens(anna.call(adminGrantPlan, { params: { adminCreatorId: own.id }, body }), 'account');
    stream.close();
  });

  test('beats, and ends after a logout', async () => {
    const ben = await app.signUpAndIn();
    const own = (await ben.createCreator()).id;
    const stream = await open(ben, own);
    await stream.until(() => stream.events().length > 0);
    await app.clock.advance(20_000);
    await stream.until(() => stream.text().includes(': beat'));
    await ben.call(logout);
    const ended = once(stream.response, 'end');
    await app.clock.advance(20_000);
    await ended;
  });

  test('is not opened without end by one person', async () => {
    const cleo = await app.signUpAndIn();
    const own = (await cleo.createCreator()).id;
    const streams = await Promise.all(Array.from({ length: 12 }, () => open(cleo, own)));
    const answer = await cleo.send({ method: 'GET', url: `/api/v1/creators/${own}/live` });
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    for (const stream of streams) stream.close();
  });

  test('keeps no place for those who left before they were let in', async () => {
    const berta = await app.signUpAndIn();
    const own = (await berta.createCreator()).id;
    const cookie = [...berta.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const busy = await app.db.enginePool.connect();
    await busy.query('begin');
    await busy.query('lock table memberships');
    for (let number = 0; number < 12; number++) {
      const asked = once(app.app.server, 'request');
      const request = http.get({ port, path: `/api/v1/creators/${own}/live`, headers: { cookie }, agent: false });
      request.on('error', () => {});
      const [{ socket }] = (await asked) as [http.IncomingMessage];
      const closed = once(socket, 'close');
      request.destroy();
      await closed;
    }
    await busy.query('commit');
    busy.release();
    const stream = await open(berta, own);
    expect(stream.response.statusCode).toBe(200);
    stream.close();
  });
});

describe('notices', () => {
  test('reach other processes, and many at once become one', async () => {
    const elsewhere = { pool: app.db.enginePool, clock: app.clock, log: pino({ level: 'silent' }) };
    const notifications = new Notifications(elsewhere);
    const other = createLiveUpdates({ ...elsewhere, notifications });
    await notifications.start();
    const creator = app.deps.ids.uuid(new Date());
    const heard = collect(other, creator);
    await restOfRhythm();
    app.deps.live.publish(creator, { what: 'interactions', postIds: ['first'] });
    await heard.until(() => heard.events.length === 1);
    for (let n = 0; n < 40; n++) app.deps.live.publish(creator, { what: 'interactions', postIds: [`post-${n}`] });
    app.deps.live.publish(creator, { what: 'automations' });
    await advanceUntil(() => heard.events.length === 3);
    expect(heard.events[1]!.postIds).toHaveLength(40);
    expect(heard.events[2]).toEqual({ what: 'automations' });
    heard.stop();
    await other.close();
    await notifications.close();
  });

  test('name no posts when there are too many, or when any may be meant', async () => {
    const creator = app.deps.ids.uuid(new Date());
    const heard = collect(app.deps.live, creator);
    await restOfRhythm();
    app.deps.live.publish(creator, { what: 'posts' });
    await heard.until(() => heard.events.length === 1);
    for (let n = 0; n < 60; n++) app.deps.live.publish(creator, { what: 'interactions', postIds: [`post-${n}`] });
    app.deps.live.publish(creator, { what: 'stories', postIds: ['1'] });
    app.deps.live.publish(creator, { what: 'stories' });
    app.deps.live.publish(creator, { what: 'stories', postIds: ['2'] });
    await advanceUntil(() => heard.events.length === 3);
    expect(heard.events.slice(1)).toEqual([{ what: 'interactions' }, { what: 'stories' }]);
    heard.stop();
  });

  test('go on after PostgreSQL was away; everybody is told to look again', async () => {
    const creator = app.deps.ids.uuid(new Date());
    const heard = collect(app.deps.live, creator);
    await cutListeners(app.db.connectionString);
    await advanceUntil(() => heard.events.length > 0);
    expect(heard.events).toEqual([{ what: 'hello' }]);
    app.deps.live.publish(creator, { what: 'posts' });
    await advanceUntil(() => heard.events.length === 2);
    expect(heard.events[1]).toEqual({ what: 'posts' });
    heard.stop();
  });
});
