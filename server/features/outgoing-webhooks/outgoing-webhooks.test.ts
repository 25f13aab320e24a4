import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  listEndpoints,
  listEvents,
  outgoingBody,
  redeliver,
  removeEndpoint,
  sendTestEvent,
} from '#contract/outgoing-webhooks.ts';
import { systemIds } from '#server/clock.ts';
import { type ProductEvent, record } from '#server/events/product-events.ts';
import { forgetOld } from '#server/features/retention/forget-old.ts';
import { runDue, runJobs } from '#server/jobs/run-jobs.ts';
import type { GuardedAnswer, GuardedRequest } from '#server/platforms/guarded-fetch.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { findDueWebhooks, serveEndpoint } from './jobs.ts';
import type { SendingDeps } from './webhook-calls.ts';

const HOUR_MS = 3_600_000;
const URL = 'https://tool.example.test/hook?x=1';

let app: TestApp;
let anna: Person;
let creatorId: string;
let endpointId: string;
let secret: string;
let received: GuardedRequest[];
let answer: GuardedAnswer;
const answered = (status: number): GuardedAnswer => ({
  kind: 'answer',
  status,
  bytes: Buffer.alloc(0),
  text: '',
  headers: {},
  tookMs: 1,
  certificateEndsAt: null,
});

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('outgoing_endpoints').execute();
  const types = ['interaction', 'delivery', 'contact', 'click'] as const;
  const added = await anna.call(addEndpoint, { params: { creatorId }, body: { url: URL, types: [...types] } });
  endpointId = added.body.id;
  secret = added.body.secret;
  received = [];
  answer = answered(200);
});

const send = async (afterMs = 60_000) => {
  app.clock.advance(afterMs);
  const fetching = {
    request: async (request: GuardedRequest) => {
      received.push(request);
      return answer;
    },
  };
  await findDueWebhooks.run(app.deps);
  await runDue([serveEndpoint], { ...app.deps, fetching });
};
const bodies = () => received.map(({ body }) => JSON.parse(body!));
const params = () => ({ creatorId, endpointId });
const log = async () => (await anna.call(listEvents, { params: params() })).body.items;
const first = async () => (await anna.call(listEndpoints, { params: { creatorId } })).body.items[0];

describe('an endpoint', () => {
  test.each([
    { url: 'ftp://tool.example.test', types: ['click'] },
    { url: 'no address', types: ['click'] },
    { url: 'javascript:alert(1)', types: ['click'] },
    { url: URL, types: [] },
    { url: URL, types: ['everything'] },
  ])('is refused for %j', async (body) => {
    expect((await anna.call(addEndpoint, { params: { creatorId }, body: body as never })).status).toBe(422);
  });

  test('shows its secret once and keeps it sealed', async () => {
    expect(secret).toMatch(/^whsec_\w{40}$/);
    expect(JSON.stringify(await first())).not.toContain(secret);
    const rows = await app.db.engine.selectFrom('outgoing_endpoints').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('is one of ten at most', async () => {
    const add = () => anna.call(addEndpoint, { params: { creatorId }, body: { url: URL, types: ['click'] } });
    for (let i = 0; i < 9; i++) expect((await add()).status).toBe(200);
    expect(await add()).toMatchObject({ status: 409, body: { code: 'quota_reached' } });
  });
});

describe('a new secret', () => {
  const signatures = () => received.at(-1)!.headers['Creator-HQ-Signature']!.split(',').slice(1);
  const signed = (by: string) => {
    const { headers, body } = received.at(-1)!;
    const t = /t=(\d+)/.exec(headers['Creator-HQ-Signature']!)![1];
    return `v1=${createHmac('sha256', by).update(`${t}.${body}`).digest('hex')}`;
  };
  const sendOne = async () => {
    await anna.call(sendTestEvent, { params: params() });
    await send();
  };

  test('signs beside the old one for a day, and alone after it', async () => {
    await sendOne();
    expect(signatures()).toEqual([signed(secret)]);
    const changed = await anna.call(changeSecret, { params: params() });
    expect(changed.body.secret).toMatch(/^whsec_\w{40}$/);
    expect(changed.body.secret).not.toBe(secret);
    expect(Date.parse((await first()).oldSecretUntil)).toBe(app.clock.now().getTime() + 24 * 3_600_000);
    await sendOne();
    expect(signatures()).toEqual([signed(changed.body.secret), signed(secret)]);
    await send(24 * 3_600_000);
    await sendOne();
    expect(signatures()).toEqual([signed(changed.body.secret)]);
    await forgetOld(app.deps);
    expect(await first()).toMatchObject({ oldSecretUntil: null });
  });

  test('changed twice in a day ends the oldest at once', async () => {
    const second = await anna.call(changeSecret, { params: params() });
    const third = await anna.call(changeSecret, { params: params() });
    await sendOne();
    expect(signatures()).toEqual([signed(third.body.secret), signed(second.body.secret)]);
  });
});

describe('what happens', () => {
  const tap = (of = creatorId): ProductEvent => ({
    type: 'click',
    creatorId: of,
    happenedAt: app.clock.now(),
    data: {
      id: systemIds.uuid(new Date()),
      url: 'https://x.test/🍪',
      deliveryId: null,
      automationId: null,
      clickedAt: app.clock.now().toISOString(),
    },
  });
  const tell = (...events: ProductEvent[]) => record(app.db.engine, events, app.clock.now());

  test('is written down for nobody when nobody listens', async () => {
    await anna.call(changeEndpoint, { params: params(), body: { url: URL, types: ['click'], on: false } });
    await tell(tap());
    await anna.call(changeEndpoint, { params: params(), body: { url: URL, types: ['contact'], on: true } });
    await tell(tap());
    expect(await log()).toEqual([]);
    await anna.call(changeEndpoint, { params: params(), body: { url: URL, types: ['click'], on: false } });
    expect(await anna.call(sendTestEvent, { params: params() })).toMatchObject({ status: 409 });
  });

  test('is told in the documented form, signed, to whom chose it', async () => {
    const other = await app.signUpAndIn();
    const own = tap();
    await tell(own, tap((await other.createCreator()).id));
    await send();
    expect(bodies()).toMatchObject([{ type: 'click', creatorId, data: own.data }]);
    for (const body of bodies()) expect(outgoingBody(body.type).safeParse(body).error).toBeUndefined();
    const [request] = received;
    expect(request).toMatchObject({ url: URL, method: 'POST' });
    const [, seconds, signature] = /^t=(\d+),v1=([\da-f]{64})$/.exec(request!.headers['Creator-HQ-Signature']!)!;
    expect(Number(seconds)).toBe(Math.floor(app.clock.now().getTime() / 1000));
    expect(createHmac('sha256', secret).update(`${seconds}.${request!.body}`).digest('hex')).toBe(signature);
    expect(await first()).toMatchObject({ lastDeliveredAt: app.clock.now().toISOString(), failingSince: null });
    await send();
    expect(received).toHaveLength(1);
  });
});

describe('a receiver that fails', () => {
  test('is tried again, ever more seldom, for 24 hours', async () => {
    answer = answered(500);
    await anna.call(sendTestEvent, { params: params() });
    await send(0);
    await send(4_999);
    expect(received).toHaveLength(1);
    await send(1);
    expect(received).toHaveLength(2);
    expect((await log())[0]).toMatchObject({
      type: 'test',
      state: 'queued',
      tries: [{ status: 500, error: 'The receiver responded with 500.' }, { status: 500 }],
    });
    for (let hour = 0; hour < 25; hour++) await send(HOUR_MS);
    const [event] = await log();
    expect(event).toMatchObject({ state: 'failed', nextTryAt: null });
    expect(received.length).toBeLessThan(15);
    expect(received.length).toBe(event.tries.length);

    // Mended: the creator sends it again, under the same id.
    answer = answered(204);
    expect((await anna.call(redeliver, { params: { ...params(), eventId: event.id } })).status).toBe(200);
    await send(0);
    expect((await log())[0]).toMatchObject({ id: event.id, state: 'delivered' });
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(1);
    expect(await first()).toMatchObject({ on: true, failingSince: null });
  });

  test('is switched off after three days, and its owner told', async () => {
    answer = { kind: 'refused', because: 'unreachable', says: 'The name of the server could not be found.' };
    for (let day = 0; day < 4; day++) {
      await anna.call(sendTestEvent, { params: params() });
      for (let hour = 0; hour < 24; hour++) await send(HOUR_MS);
    }
    expect(await first()).toMatchObject({
      on: false,
      offBecause: expect.stringContaining('The name of the server could not be found.'),
    });
    const mails = (await app.mails(anna.email)).filter(({ kind }) => kind === 'webhook_off');
    expect(mails.map(({ subject }) => subject)).toEqual(['Webhooks to tool.example.test are off']);
    const before = received.length;
    await send(HOUR_MS);
    expect(received).toHaveLength(before);
    const on = await anna.call(changeEndpoint, { params: params(), body: { url: URL, types: ['click'], on: true } });
    expect(on.body).toMatchObject({ on: true, offBecause: null, failingSince: null });
  });

  test('that says it is gone is switched off at once', async () => {
    answer = answered(410);
    await anna.call(sendTestEvent, { params: params() });
    await send(0);
    expect(await first()).toMatchObject({ on: false });
  });
});

test('an endpoint is removed with its log', async () => {
  await anna.call(sendTestEvent, { params: params() });
  expect((await anna.call(removeEndpoint, { params: params() })).status).toBe(200);
  expect((await anna.call(listEvents, { params: params() })).status).toBe(404);
  expect(await app.db.engine.selectFrom('outgoing_events').selectAll().execute()).toEqual([]);
});

test('ten receivers that never answer hold nobody else up', async () => {
  const add = (person: Person, of: string) =>
    person.call(addEndpoint, { params: { creatorId: of }, body: { url: URL, types: ['click'] } });
  for (let i = 0; i < 9; i++) await add(anna, creatorId);
  const { items } = (await anna.call(listEndpoints, { params: { creatorId } })).body;
  for (const { id } of items) await anna.call(sendTestEvent, { params: { creatorId, endpointId: id } });
  const berta = await app.signUpAndIn();
  const own = (await berta.createCreator()).id;
  const { id } = (await add(berta, own)).body;

  const asked: string[] = [];
  const reached = Promise.withResolvers<void>();
  const request = async ({ body }: GuardedRequest) => {
    const of = JSON.parse(body!).creatorId;
    asked.push(of);
    if (of === creatorId) return new Promise<never>(() => {});
    reached.resolve();
    return answered(200);
  };
  const stopping = new AbortController();
  void runJobs<SendingDeps>([findDueWebhooks, serveEndpoint], { ...app.deps, fetching: { request } }, stopping.signal);
  await expect.poll(() => app.clock.advance(1_000).then(() => asked.length), { timeout: 20_000 }).toBe(10);
  await berta.call(sendTestEvent, { params: { creatorId: own, endpointId: id } });
  await expect.poll(() => app.clock.advance(1_000).then(() => asked.includes(own)), { timeout: 20_000 }).toBe(true);
  await reached.promise;
  stopping.abort();
});
