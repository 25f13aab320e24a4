import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestClock } from '#server/testing/test-clock.ts';
import { startOtlp } from './otlp.ts';
import type { Span } from './traces.ts';

type Received = { path: string; headers: NodeJS.Dict<string | string[]>; body: unknown };

let collector: Server;
let received: Received[];
let status: number;
let warned: unknown[];
beforeEach(async () => {
  received = [];
  warned = [];
  status = 200;
  collector = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({
      path: request.url!,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString()),
    });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => collector.close(resolve)));

function start(over: { metrics?: boolean; traces?: boolean } = {}) {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'sent_total', help: 'Sent.', labelNames: ['lane'], registers }).inc({ lane: 'messages' }, 3);
  new Histogram({ name: 'took_seconds', help: 'How long.', buckets: [0.1, 1], registers }).observe(0.5);
  new Gauge({ name: 'waiting', help: 'Waits.', registers }).set(4);
  const otlp = startOtlp({
    settings: {
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      headers: { 'x-api-key': 'k' },
      serviceName: 'creator-hq',
      resource: { 'k8s.pod.name': 'hq-0' },
      metrics: true,
      metricsEveryMs: 60_000,
      traces: true,
      sampled: 1,
      ...over,
    },
    registry,
    clock: createTestClock(new Date('2026-11-20T12:00:00Z')),
    processId: 'process-1',
    environment: 'test',
    version: '1.2.3',
    log: { warn: (...args: unknown[]) => warned.push(args) },
  });
  return otlp;
}

function span(over: Partial<Span> = {}): Span {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: null,
    name: 'webhook',
    kind: 2,
    startMs: 1_795_867_200_000,
    endMs: 1_795_867_200_012.345,
    attributes: { 'http.response.status_code': 200, 'creator_hq.lane': 'messages' },
    failed: false,
    ...over,
  };
}

/** The shapes of opentelemetry-proto 1.x in their JSON form, as strict as we can make them. */
const Attributes = z.array(
  z.strictObject({
    key: z.string().check(z.minLength(1)),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.string().check(z.regex(/^-?\d+$/)) }),
    ]),
  }),
);
const Nanos = z.string().check(z.regex(/^\d{19}$/));
const Times = { startTimeUnixNano: Nanos, timeUnixNano: Nanos };
const NumberPoint = z.strictObject({ attributes: Attributes, ...Times, asDouble: z.number() });
const HistogramPoint = z.strictObject({
  attributes: Attributes,
  ...Times,
  count: z.string(),
  sum: z.number(),
  bucketCounts: z.array(z.string()),
  explicitBounds: z.array(z.number()),
});
const Common = { name: z.string(), description: z.string(), unit: z.string() };
const Metric = z.union([
  z.strictObject({ ...Common, gauge: z.strictObject({ dataPoints: z.array(NumberPoint) }) }),
  z.strictObject({
    ...Common,
    sum: z.strictObject({
      dataPoints: z.array(NumberPoint),
      aggregationTemporality: z.literal(2),
      isMonotonic: z.literal(true),
    }),
  }),
  z.strictObject({
    ...Common,
    histogram: z.strictObject({ dataPoints: z.array(HistogramPoint), aggregationTemporality: z.literal(2) }),
  }),
]);
const Resource = z.strictObject({ attributes: Attributes });
const Scope = z.strictObject({ name: z.string(), version: z.string() });
const MetricsRequest = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: Resource,
      scopeMetrics: z.array(z.strictObject({ scope: Scope, metrics: z.array(Metric) })),
    }),
  ),
});
const TracesRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: Resource,
      scopeSpans: z.array(
        z.strictObject({
          scope: Scope,
          spans: z.array(
            z.strictObject({
              traceId: z.string().check(z.regex(/^[\da-f]{32}$/)),
              spanId: z.string().check(z.regex(/^[\da-f]{16}$/)),
              parentSpanId: z.optional(z.string().check(z.regex(/^[\da-f]{16}$/))),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: Nanos,
              endTimeUnixNano: Nanos,
              attributes: Attributes,
              status: z.strictObject({ code: z.optional(z.number()) }),
            }),
          ),
        }),
      ),
    }),
  ),
});

test('metrics go to the collector in the shape of the protocol, with who tells them', async () => {
  const otlp = start({ traces: false });
  await otlp.flush();
  const [{ path, headers, body }] = received as [Received];
  expect(path).toBe('/v1/metrics');
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-api-key': 'k' });
  const { resourceMetrics } = z.parse(MetricsRequest, body);
  expect(resourceMetrics[0]!.resource.attributes).toEqual(
    expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'creator-hq' } },
      { key: 'service.instance.id', value: { stringValue: 'process-1' } },
      { key: 'k8s.pod.name', value: { stringValue: 'hq-0' } },
    ]),
  );
  const metrics = resourceMetrics[0]!.scopeMetrics[0]!.metrics;
  expect(metrics.map(({ name, unit }) => [name, unit])).toEqual([
    ['sent_total', '1'],
    ['took_seconds', 's'],
    ['waiting', '1'],
  ]);
  expect(metrics[1]).toMatchObject({
    histogram: { dataPoints: [{ count: '1', sum: 0.5, bucketCounts: ['0', '1', '0'], explicitBounds: [0.1, 1] }] },
  });
  await otlp.close();
});

test('spans go to the collector in the shape of the protocol', async () => {
  const otlp = start({ metrics: false });
  otlp.span(span());
  otlp.span(span({ spanId: '00f067aa0ba902b7', parentSpanId: 'b7ad6b7169203331', name: 'send', failed: true }));
  await otlp.close();
  const [{ path, body }, ...more] = received as [Received];
  expect(more).toEqual([]);
  expect(path).toBe('/v1/traces');
  const { spans } = z.parse(TracesRequest, body).resourceSpans[0]!.scopeSpans[0]!;
  expect(spans).toMatchObject([
    { name: 'webhook', startTimeUnixNano: '1795867200000000000', endTimeUnixNano: '1795867200012345000', status: {} },
    { name: 'send', parentSpanId: 'b7ad6b7169203331', status: { code: 2 } },
  ]);
});

test('what is not wanted is not sent', async () => {
  const otlp = start({ metrics: false, traces: false });
  otlp.span(span());
  await otlp.close();
  expect(received).toEqual([]);
});

test('a collector that is busy gets the same spans later, and one warning tells of it', async () => {
  const otlp = start({ metrics: false });
  otlp.span(span());
  status = 503;
  await otlp.flush();
  await otlp.flush();
  status = 200;
  await otlp.close();
  const names = received.map(({ body }) => z.parse(TracesRequest, body).resourceSpans[0]!.scopeSpans[0]!.spans.length);
  expect(names).toEqual([1, 1, 1]);
  expect(warned).toHaveLength(1);
});

test('spans that the collector refuses are not offered for ever', async () => {
  const otlp = start({ metrics: false });
  otlp.span(span());
  status = 400;
  await otlp.flush();
  await otlp.close();
  expect(received).toHaveLength(1);
});

test('while nobody takes them, spans fill no memory: the oldest go', async () => {
  const otlp = start({ metrics: false });
  status = 503;
  for (let n = 0; n < 5000; n++) otlp.span(span({ spanId: n.toString(16).padStart(16, '0') }));
  status = 200;
  await otlp.close();
  const spans = received.flatMap(({ body }) => z.parse(TracesRequest, body).resourceSpans[0]!.scopeSpans[0]!.spans);
  expect(spans).toHaveLength(4096);
  expect(spans[0]!.spanId).toBe((5000 - 4096).toString(16).padStart(16, '0'));
});

test('a collector that is not there harms nobody', async () => {
  const otlp = start();
  await new Promise((resolve) => collector.close(resolve));
  otlp.span(span());
  await otlp.close();
  expect(warned).toHaveLength(1);
  // For the hook that closes it.
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
