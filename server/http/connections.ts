/** Connections as such: how many, how long they may be silent, and how they end when the program does. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { Clock } from '#server/clock.ts';
import { HTTP_LIMITS, type HttpLimits } from '#server/http/limits.ts';

/** Requests under way when the program ends may take so long. */
const ENDED_WITHIN_MS = 10_000;
const TOLD_EVERY_MS = 60_000;

type Connections = {
  /** Each with the request that it is at. */
  open: Map<Socket, IncomingMessage | null>;
  ending: boolean;
};
const connectionsOf = new WeakMap<Server, Connections>();

/**
 * Where a request ends is read in one way only: with the strict parser, which refuses `Content-Length` beside
 * `Transfer-Encoding`, two lengths, bare line feeds and folded headers. Requests a proxy before us reads differently (request
 * smuggling) is refused, not guessed.
 */
export function httpOptions(limits: HttpLimits = HTTP_LIMITS) {
  return {
    bodyLimit: limits.bodyBytes,
    serverFactory: (handler) => createHttpServer(handler, limits),
  } satisfies FastifyHttpOptions<Server>;
}

function createHttpServer(handler: RequestListener, limits: HttpLimits): Server {
  const server = createServer(
    {
      insecureHTTPParser: false,
      requireHostHeader: true,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    handler,
  );
  server.maxConnections = limits.connections;
  // Limit for clients that do not read the answer; streams send something more often than that.
  server.setTimeout(limits.silentMs);
  const connections: Connections = { open: new Map(), ending: false };
  connectionsOf.set(server, connections);
  server.on('connection', (socket) => {
    connections.open.set(socket, null);
    socket.once('close', () => connections.open.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    connections.open.set(socket, request);
    response.once('close', () => {
      // With requests sent one after the other without waiting, the next may be here already.
      if (connections.open.get(socket) === request) connections.open.set(socket, null);
      if (connections.ending) socket.destroySoon();
    });
  });
  return server;
}

/**
 * When the application closes, connections without a whole request end at once, and all others with their answer or after ten
 * seconds: nobody keeps the program from ending by being silent or slow.
 */
export function endConnectionsOnClose(app: FastifyInstance, { clock }: { clock: Clock }): void {
  app.addHook('preClose', async () => {
    const connections = connectionsOf.get(app.server)!;
    connections.ending = true;
    for (const [socket, request] of connections.open) if (!request?.complete) socket.destroy();
    const ended = new AbortController();
    app.server.once('close', () => ended.abort());
    void clock.sleep(ENDED_WITHIN_MS, ended.signal).then(() => {
      for (const socket of connections.open.keys()) socket.destroy();
    });
  });
}

/** Logs, once a minute, that there were more connections than are taken. */
export function tellOfDroppedConnections(app: FastifyInstance, { clock }: { clock: Clock }): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  app.server.on('drop', () => {
    const now = clock.now().getTime();
    if (now - toldAt < TOLD_EVERY_MS) return;
    toldAt = now;
    app.log.warn({ connections: app.server.maxConnections }, 'too many connections: new ones are not taken');
  });
}
