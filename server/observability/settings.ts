/** Where figures, traces and errors of this installation are told. */
import { isLoopback, type SettingsReader } from '#server/settings-reader.ts';

export type ObservabilitySettings = {
  errorReportingDsn: string | null;
  /** The endpoint for Prometheus, on a port of its own; null: none. */
  metrics: { port: number; host: string; token: string | null } | null;
  /** An OpenTelemetry collector that takes metrics and traces; null: none. */
  otlp: {
    /** Without a slash at the end; `/v1/metrics` and `/v1/traces` come behind it. */
    endpoint: string;
    headers: Record<string, string>;
    serviceName: string;
    resource: Record<string, string>;
    metrics: boolean;
    metricsEveryMs: number;
    traces: boolean;
    /** The share of webhooks that are traced, 0 to 1. */
    sampled: number;
  } | null;
};

export function readObservabilitySettings(read: SettingsReader): ObservabilitySettings {
  return {
    errorReportingDsn:
      read.matching(
        'ERROR_REPORTING_DSN',
        '',
        /^(https?:\/\/[^\s/@]+@[^\s/@]+(\/[^\s]*)?\/\d+)?$/,
        'Copy it from Sentry, Settings > Client Keys: https://KEY@HOST/PROJECT.',
      ) || null,
    metrics: readMetrics(read),
    otlp: readOtlp(read),
  };
}

function readMetrics(read: SettingsReader): ObservabilitySettings['metrics'] {
  const port = read.integer('METRICS_PORT', 0, 0, 65535);
  const host = read.text('METRICS_HOST') ?? '127.0.0.1';
  const token = read.secret('METRICS_TOKEN', 16);
  if (port === 0) return null;
  if (token === null && !isLoopback(host)) {
    read.refuse(
      'METRICS_TOKEN',
      'is missing although METRICS_HOST lets other machines reach the metrics.',
      'Make one with: openssl rand -hex 24; Prometheus sends it as a bearer token.',
    );
  }
  return { port, host, token };
}

/** The names are OpenTelemetry's own, so that one set of variables serves every program of a machine. */
function readOtlp(read: SettingsReader): ObservabilitySettings['otlp'] {
  const endpoint = read.optionalWebAddress('OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff = read.oneOf('OTEL_SDK_DISABLED', 'false', ['true', 'false']) === 'true';
  read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', ['http/json']);
  const share = Number(read.text('OTEL_TRACES_SAMPLER_ARG') ?? '0.01');
  if (!(share >= 0 && share <= 1)) {
    read.refuse('OTEL_TRACES_SAMPLER_ARG', 'is not a share.', 'Write a number from 0 to 1, like 0.01.');
  }
  const rest = {
    headers: read.list('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read.text('OTEL_SERVICE_NAME') ?? 'creator-hq',
    resource: read.list('OTEL_RESOURCE_ATTRIBUTES'),
    metrics: read.oneOf('OTEL_METRICS_EXPORTER', 'otlp', ['otlp', 'none']) === 'otlp',
    metricsEveryMs: read.integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 1000, 3_600_000),
    traces: read.oneOf('OTEL_TRACES_EXPORTER', 'otlp', ['otlp', 'none']) === 'otlp',
    sampled: share,
  };
  return endpoint === null || isOff ? null : { endpoint, ...rest };
}
