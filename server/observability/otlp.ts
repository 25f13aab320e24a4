/**
 * Sends metrics and spans to an OpenTelemetry collector: OTLP over HTTP in JSON, which every collector takes on port 4318.
 * Two requests of fixed shapes; the SDK adds 20 MB on disk and 28 MB of memory. Loaded only when
 * OTEL_EXPORTER_OTLP_ENDPOINT is set.
 *
 * The protocol: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Span } from './traces.ts';

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
  /** Distinguishes this process from others. */
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
    const families = (await registry.getMetricsAsJSON()) as unknown as Family[];
    const times = { startTimeUnixNano: nanos(startedAt.getTime()), timeUnixNano: nanos(clock.now().getTime()) };
    const metrics = families.filter(({ values }) => values.length > 0).map((family) => metricOf(family, times));
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

/** A measure as prom-client tells it; of a histogram's values each is a bucket, the sum or the count. */
type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: { labels: Record<string, string | number>; value: number; metricName?: string }[];
};

function metricOf({ name, help, type, values }: Family, times: object) {
  const common = { name, description: help, unit: unitOf(name) };
  if (type === 'histogram') {
    const dataPoints = distributionsOf(name, values).map((point) => ({ ...point, ...times }));
    return { ...common, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
  }
  const dataPoints = values.map(({ labels, value }) => ({
    ...{ attributes: attributesOf(labels), asDouble: value },
    ...times,
  }));
  if (type === 'gauge') return { ...common, gauge: { dataPoints } };
  return { ...common, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
}

/** prom-client lists the buckets of one set of labels in their order, added up, then its sum, then its count. */
function distributionsOf(name: string, values: Family['values']) {
  const points = [];
  let buckets: Family['values'] = [];
  let sum = 0;
  for (const one of values) {
    if (one.metricName === `${name}_bucket`) buckets.push(one);
    if (one.metricName === `${name}_sum`) sum = one.value;
    if (one.metricName !== `${name}_count`) continue;
    points.push({
      attributes: attributesOf(one.labels),
      // 64-bit numbers travel as text.
      count: String(one.value),
      sum,
      bucketCounts: buckets.map(({ value }, index) => String(value - (buckets[index - 1]?.value ?? 0))),
      explicitBounds: buckets.map(({ labels }) => labels.le).filter((bound) => bound !== '+Inf'),
    });
    buckets = [];
  }
  return points;
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

function attributesOf(attributes: Record<string, string | number>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
