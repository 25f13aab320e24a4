/**
 * Sends metrics and spans to an OpenTelemetry collector: OTLP over HTTP in JSON, which every collector takes on port 4318.
 * Two requests of fixed shapes; docs/decisions/0012-own-metrics-and-otlp.md says why not the SDK. Loaded only when
 * OTEL_EXPORTER_OTLP_ENDPOINT is set.
 *
 * The protocol: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Family, Point, Registry } from './registry.ts';
import type { Span } from './tracing.ts';

export type OtlpSettings = NonNullable<Config['otlp']>;

export type Otlp = {
  /** Takes a finished span; returns at once and never throws. */
  span(span: Span): void;
  /** Sends what there is. */
  flush(): Promise<void>;
  /** Sends the last, within a few seconds. */
  close(): Promise<void>;
};

const SEND_TIMEOUT_MS = 5000;
const SPANS_EVERY_MS = 5000;
/** A collector that is away must not fill the memory: the oldest go. */
const SPANS_KEPT = 4096;
const SPANS_AT_A_TIME = 512;
const WARN_EVERY_MS = 60_000;
/** `cumulative`: values since `startTimeUnixNano`, as Prometheus counts too. */
const CUMULATIVE = 2;
const STATUS_ERROR = 2;

type Deps = {
  settings: OtlpSettings;
  registry: Registry;
  clock: Clock;
  /** Tells this process from others. */
  processId: string;
  environment: string;
  version: string;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

export function startOtlp(deps: Deps): Otlp {
  const { settings, registry, clock, log } = deps;
  const startedAt = clock.now();
  const resource = { attributes: attributesOf(resourceOf(deps)) };
  const scope = { name: 'creator-hq', version: deps.version };
  let spans: Span[] = [];
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let sending = Promise.resolve();

  function flush(): Promise<void> {
    sending = sending.then(sendSpans);
    return sending;
  }

  async function sendSpans(): Promise<void> {
    while (spans.length > 0) {
      const some = spans.slice(0, SPANS_AT_A_TIME);
      const body = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: some.map(spanOf) }] }] };
      if ((await send('traces', body)) === 'later') return;
      const sent = new Set(some);
      spans = spans.filter((span) => !sent.has(span));
    }
  }

  async function sendMetrics(): Promise<void> {
    const families = await registry.snapshot();
    const times = { startTimeUnixNano: nanos(startedAt.getTime()), timeUnixNano: nanos(clock.now().getTime()) };
    const metrics = families.map((family) => metricOf(family, times));
    await send('metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] });
  }

  async function send(signal: 'metrics' | 'traces', body: unknown): Promise<'done' | 'later'> {
    try {
      const response = await fetch(`${settings.endpoint}/v1/${signal}`, {
        method: 'POST',
        headers: { ...settings.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return 'done';
      warn(`the collector answered ${response.status} to ${signal}`);
      // These are for now only, says the protocol; anything else would be refused again.
      return [429, 502, 503, 504].includes(response.status) ? 'later' : 'done';
    } catch (error) {
      warn(`${signal} do not reach the collector: ${(error as Error).name}`);
      return 'later';
    }
  }

  function warn(message: string): void {
    const now = clock.now().getTime();
    if (now - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now;
    log.warn({ spansWaiting: spans.length, spansDropped: dropped }, message);
  }

  const timers = [
    settings.traces ? setInterval(flush, SPANS_EVERY_MS) : null,
    settings.metrics ? setInterval(() => void sendMetrics(), settings.metricsEveryMs) : null,
  ];
  for (const timer of timers) timer?.unref();

  return {
    span(span) {
      if (!settings.traces) return;
      spans.push(span);
      if (spans.length <= SPANS_KEPT) return;
      spans.shift();
      dropped++;
    },
    flush: async () => {
      await flush();
      if (settings.metrics) await sendMetrics();
    },
    async close() {
      for (const timer of timers) if (timer !== null) clearInterval(timer);
      await flush();
      if (settings.metrics) await sendMetrics();
    },
  };
}

function resourceOf({ settings, processId, environment, version }: Deps): Record<string, string> {
  return {
    ...settings.resource,
    'service.name': settings.serviceName,
    'service.version': version,
    'service.instance.id': processId,
    'deployment.environment.name': environment,
  };
}

function metricOf({ name, help, type, points }: Family, times: object) {
  const dataPoints = points.map((point) => ({ attributes: attributesOf(point.labels), ...times, ...amountOf(point) }));
  const common = { name, description: help, unit: unitOf(name) };
  if (type === 'gauge') return { ...common, gauge: { dataPoints } };
  if (type === 'counter') {
    return { ...common, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
  }
  return { ...common, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
}

function amountOf(point: Point) {
  if ('value' in point) return { asDouble: point.value };
  const { bounds, counts, sum, count } = point;
  // 64-bit numbers travel as text.
  return { count: String(count), sum, bucketCounts: counts.map(String), explicitBounds: bounds };
}

function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  if (/_bytes(_total)?$/.test(name)) return 'By';
  return '1';
}

function spanOf({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failed }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: attributesOf(attributes),
    status: failed ? { code: STATUS_ERROR } : {},
  };
}

function attributesOf(attributes: Record<string, string | number> | [string, string][]) {
  const entries = Array.isArray(attributes) ? attributes : Object.entries(attributes);
  return entries.map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
