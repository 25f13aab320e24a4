import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ setting }) => setting);
  }
}

test('nothing is measured for others and nothing is sent anywhere by default', () => {
  expect(readConfig({})).toMatchObject({ metrics: null, otlp: null });
});

test('the endpoint for Prometheus is of this machine only, unless it asks for a token', () => {
  expect(readConfig({ METRICS_PORT: '9465' }).metrics).toEqual({ port: 9465, host: '127.0.0.1', token: null });
  expect(problemsOf({ METRICS_PORT: '9465', METRICS_HOST: '0.0.0.0' })).toEqual(['METRICS_TOKEN']);
  expect(problemsOf({ METRICS_PORT: '9465', METRICS_HOST: '0.0.0.0', METRICS_TOKEN: 'short' })).toEqual([
    'METRICS_TOKEN',
  ]);
  const token = 'long-enough-to-be-a-secret';
  expect(readConfig({ METRICS_PORT: '9465', METRICS_HOST: '::', METRICS_TOKEN: token }).metrics?.token).toBe(token);
});

test('a collector is named by the variables of OpenTelemetry', () => {
  const { otlp } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20b, x-tenant=1',
    OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=hq-0',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_METRICS_EXPORTER: 'none',
  });
  expect(otlp).toEqual({
    endpoint: 'http://collector:4318',
    headers: { 'x-api-key': 'a b', 'x-tenant': '1' },
    serviceName: 'creator-hq',
    resource: { 'k8s.pod.name': 'hq-0' },
    metrics: false,
    metricsEveryMs: 60_000,
    traces: true,
    sampled: 0.25,
  });
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }).otlp).toBeNull();
});

test('what cannot be read is refused with its name', () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT']);
  expect(problemsOf({ ...on, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual(['OTEL_EXPORTER_OTLP_PROTOCOL']);
  expect(problemsOf({ ...on, OTEL_TRACES_SAMPLER_ARG: 'always' })).toEqual(['OTEL_TRACES_SAMPLER_ARG']);
  expect(problemsOf({ ...on, OTEL_TRACES_SAMPLER_ARG: '1.5' })).toEqual(['OTEL_TRACES_SAMPLER_ARG']);
  expect(problemsOf({ ...on, OTEL_EXPORTER_OTLP_HEADERS: 'no-value' })).toEqual(['OTEL_EXPORTER_OTLP_HEADERS']);
  expect(problemsOf({ ...on, OTEL_EXPORTER_OTLP_HEADERS: 'a=%' })).toEqual(['OTEL_EXPORTER_OTLP_HEADERS']);
});
