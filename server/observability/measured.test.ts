/** One comment's way through the program, as it is counted and traced. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { measureEventLog } from './measured-event-log.ts';
import { createMeasures, type Measures } from './measures.ts';
import { createTracing, type Span, type Tracing } from './traces.ts';

const APP_SECRET = 'the-secret-of-the-meta-app';

let world: EngineWorld;
let app: TestApp;
let creator: WorldCreator;
let spans: Span[];
let observed: { measures: Measures; tracing: Tracing };
beforeAll(async () => {
  world = await createEngineWorld();
  app = await createTestApp({
    settings: { META_APP_ID: '1', META_APP_SECRET: APP_SECRET, META_VERIFY_TOKEN: 'v', SIMULATORS: 'off' },
    deps: {
      // The engine of the world processes events the web process takes.
      eventLog: {
        append: (events) => measureEventLog(world.eventLog, observed.measures, observed.tracing).append(events),
        consume: (...given) => world.eventLog.consume(...given),
        onAppended: (listener) => world.eventLog.onAppended(listener),
        lag: () => world.eventLog.lag(),
        close: async () => {},
      },
      observed: {
        get measures() {
          return observed.measures;
        },
        get tracing() {
          return observed.tracing;
        },
      },
    },
  });
  creator = await world.addCreator();
  await world.addAutomation(creator, { words: ['recipe'], messageText: 'Here is the soup recipe for you' });
});
afterAll(async () => {
  await app?.close();
  await world?.close();
});
beforeEach(() => {
  spans = [];
  observed = {
    measures: createMeasures(),
    tracing: createTracing({ sampled: 1, onSpan: (span) => spans.push(span) }),
  };
});

function post(body: string, secret = APP_SECRET) {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return app.app.inject({
    method: 'POST',
    url: '/webhooks/meta',
    payload: body,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
  });
}

async function metrics(): Promise<string> {
  return observed.measures.registry.metrics();
}

/** An engine whose calls and batches are counted. */
function startEngine() {
  return world.startEngine({
    observed,
    eventLog: measureEventLog(world.eventLog, observed.measures, observed.tracing),
  });
}

test('a comment is counted at every step, from the webhook to the message', async () => {
  const engine = await startEngine();
  const { body } = await world.comment(creator, { text: 'recipe please', person: 0 });
  expect((await post(body)).statusCode).toBe(200);
  await world.settle(engine, 60_000);
  const text = await metrics();
  for (const line of [
    'creator_hq_webhooks_total{result="acknowledged"} 1',
    'creator_hq_webhook_ack_duration_seconds_count 1',
    'creator_hq_event_log_events_total 1',
    'creator_hq_event_log_append_duration_seconds_count 1',
    'creator_hq_events_worked_off_total 1',
    'creator_hq_ingest_batch_events_bucket{le="1"} 1',
    'creator_hq_interactions_total{outcome="waiting",reason="sending"} 1',
    'creator_hq_webhook_age_seconds_count 1',
    'creator_hq_delivery_wait_seconds_count{lane="private_replies"} 1',
    'creator_hq_deliveries_total{lane="private_replies",result="sent"} 1',
    'creator_hq_shards_held 16',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test('a comment in which nothing matches is counted with its reason, and a repeated webhook changes nothing', async () => {
  const engine = await startEngine();
  const { body } = await world.comment(creator, { text: 'how pretty', person: 1 });
  await post(body);
  await world.settle(engine, 60_000);
  await post(body);
  await world.settle(engine, 60_000);
  const lines = (await metrics()).split('\n');
  expect(lines).toContain('creator_hq_interactions_total{outcome="skipped",reason="no_match"} 1');
  expect(lines).toContain('creator_hq_webhooks_total{result="acknowledged"} 2');
  expect(lines).toContain('creator_hq_events_worked_off_total 2');
});

test('what Meta refuses is counted by its reason', async () => {
  const engine = await startEngine();
  await world.simulator.control.addFault({
    match: { operation: 'private_reply', accountId: creator.instagramAccountId },
    action: { kind: 'error', code: 100, subcode: 2534014 },
  });
  const { body } = await world.comment(creator, { text: 'recipe', person: 2 });
  await post(body);
  await world.settle(engine, 60_000);
  const lines = (await metrics()).split('\n');
  expect(lines).toContain('creator_hq_deliveries_total{lane="private_replies",result="failed"} 1');
  expect(lines).toContain('creator_hq_delivery_failures_total{lane="private_replies",reason="person_unavailable"} 1');
});

test('webhooks that are not taken are counted by what is wrong, and never traced', async () => {
  const { body } = await world.comment(creator, { text: 'recipe', person: 0 });
  expect((await post(body, 'another secret')).statusCode).toBe(403);
  expect((await post('{"no":"envelope"')).statusCode).toBe(400);
  const lines = (await metrics()).split('\n');
  expect(lines).toContain('creator_hq_webhooks_total{result="wrong_signature"} 1');
  expect(lines).toContain('creator_hq_webhooks_total{result="malformed"} 1');
  expect(lines).toContain('creator_hq_webhook_ack_duration_seconds_count 0');
  expect(spans).toEqual([]);
});

test('answers to browsers are counted by class, apart from webhooks', async () => {
  await app.visitor().send({ method: 'GET', url: '/healthz' });
  await app.visitor().send({ method: 'GET', url: '/api/v1/me' });
  await app.visitor().send({ method: 'GET', url: '/api/v1/nowhere' });
  const lines = (await metrics()).split('\n');
  expect(lines).toContain('creator_hq_http_responses_total{status="2xx"} 1');
  expect(lines).toContain('creator_hq_http_responses_total{status="4xx"} 2');
});

test('one trace goes from the webhook over append and decision to the message, across processes', async () => {
  const web = observed;
  const { body, id } = await world.comment(creator, { text: 'recipe, says ada@example.test', person: 3 });
  await post(body);
  // The worker is another process: it knows of the webhook only what is in the event log.
  observed = { ...web, tracing: createTracing({ sampled: 1, onSpan: (span) => spans.push(span) }) };
  const engine = await startEngine();
  await world.settle(engine, 60_000);

  const byName = Object.fromEntries(spans.map((span) => [span.name, span]));
  expect(spans.map(({ name }) => name).toSorted()).toEqual(['append', 'decide', 'send', 'webhook']);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(byName.webhook!.parentSpanId).toBeNull();
  expect(byName.append!.parentSpanId).toBe(byName.webhook!.spanId);
  expect(byName.decide!.parentSpanId).toBe(byName.webhook!.spanId);
  expect(byName.send!.parentSpanId).toBe(byName.decide!.spanId);
  expect(byName.send!.attributes).toMatchObject({ 'creator_hq.lane': 'private_replies', 'creator_hq.verdict': 'done' });
  for (const { startMs, endMs, failed } of spans) {
    expect(endMs).toBeGreaterThanOrEqual(startMs);
    expect(failed).toBe(false);
  }
  const told = JSON.stringify(spans);
  const { username, personId } = creator.followers[3]!;
  for (const secret of ['recipe', 'soup', 'ada@example.test', username, personId, id, creator.instagramAccountId]) {
    expect(told).not.toContain(secret);
  }
});

test('only the share that was asked for is traced, the same one in every process', () => {
  const drawn = (seed: string) => {
    const found: string[] = [];
    const tracing = createTracing({ sampled: 0.1, onSpan: ({ traceId }) => found.push(traceId) });
    for (let n = 0; n < 2000; n++) tracing.acknowledged(`${seed} ${n}`, 200, 1);
    return found;
  };
  const first = drawn('a');
  expect(first.length).toBeGreaterThan(130);
  expect(first.length).toBeLessThan(270);
  expect(drawn('a')).toEqual(first);
});
