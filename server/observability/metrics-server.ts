/**
 * `GET /metrics` for Prometheus, on a port of its own: workers have no web server, and what visitors reach must not tell
 * how busy we are.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Config } from '#server/config.ts';

export type MetricsServer = { port: number; close(): Promise<void> };

/** @throws as `listen` does: EADDRINUSE when the port is taken */
export async function startMetricsServer(
  { host, port, token }: NonNullable<Config['metrics']>,
  registry: Registry,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(request, response, token, registry).catch(() => response.destroy());
  });
  server.maxConnections = 20;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  token: string | null,
  registry: Registry,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  // For an orchestrator: workers have no other address. It tells nothing but that this process lives.
  if (url === '/healthz' && method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
    return;
  }
  if (token !== null && !isSame(headers.authorization ?? '', `Bearer ${token}`)) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return;
  }
  if (url !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  if (method !== 'GET') {
    response.writeHead(405, { allow: 'GET' }).end();
    return;
  }
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType }).end(text);
}

/** Hashed, so that the time tells neither where they differ nor how long the token is. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}
