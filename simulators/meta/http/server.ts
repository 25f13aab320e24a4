import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ControlApi } from '../control/api.ts';
import type { LoginFlavour } from '../control/types.ts';
import { dialog } from '../dialogs/dialog.ts';
import { answerGraph } from '../graph/answer.ts';
import { type Answer, GraphCall, parseJson } from '../graph/call.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { GraphRouter } from '../graph/router.ts';
import { addressIsDead } from '../state/media.ts';
import { exchangeInstagramCode } from '../tokens/instagram-code-exchange.ts';
import type { StaticPages } from './static-pages.ts';
import { write } from './write.ts';

const MAX_BODY_BYTES = 5_000_000;
const NO_QUERY = new URLSearchParams();
const NO_BODY: Record<string, unknown> = {};
const VERSION = /^v\d+\.\d+$/;

/** The hosts, as the first part of the path. */
const HOSTS: Record<string, LoginFlavour> = {
  'graph.facebook.com': 'facebook',
  'graph.instagram.com': 'instagram',
  'www.facebook.com': 'facebook',
  'www.instagram.com': 'instagram',
  'api.instagram.com': 'instagram',
};

/** A page from elsewhere may have its name point to this machine (DNS rebinding), and play with the phone. */
const FROM_HERE = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;
const NOT_HERE = { status: 404, body: 'There is nothing at this address', contentType: 'text/plain' };

const GONE = { status: 404, body: 'URL signature expired', contentType: 'text/plain' };

/** One server for all hosts of Meta, the control API and the static pages. The Graph path is kept short: it is used in benchmarks. */
export function createMetaServer(
  platform: MetaPlatform,
  router: GraphRouter,
  control: ControlApi,
  pages: StaticPages,
): Server {
  const server = createServer((request, response) => {
    const length = request.headers['content-length'];
    if (request.method === 'GET' || (length === '0' && request.headers['transfer-encoding'] === undefined)) {
      void handle(request, response, '');
      return;
    }
    readBody(request, (body) => {
      if (body === null) write(response, { status: 413, body: '{"error":"The body is too large"}' });
      else void handle(request, response, body);
    });
  });
  server.keepAliveTimeout = 60_000;

  async function handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    try {
      const url = request.url!;
      const queryAt = url.indexOf('?');
      const path = queryAt === -1 ? url : url.slice(0, queryAt);
      const query = queryAt === -1 ? NO_QUERY : new URLSearchParams(url.slice(queryAt + 1));
      const parts = path.split('/');
      const host = parts[1]!;
      const flavour = HOSTS[host];
      if (flavour === undefined) {
        if (!FROM_HERE.test(request.headers.host ?? '')) return write(response, NOT_HERE);
        if (host === 'control')
          return await control.handle(request, response, path.slice('/control'.length), query, body);
        return write(response, addressIsDead(platform.world, query) ? GONE : pages.find(path));
      }
      const from = parts[2] !== undefined && VERSION.test(parts[2]) ? 3 : 2;
      if (host.startsWith('graph.')) {
        const call = new GraphCall({
          method: request.method!,
          flavour,
          path,
          node: decodeURIComponent(parts[from] ?? ''),
          edge: parts[from + 1] ?? '',
          query,
          authorization: request.headers.authorization,
          body: body === '' ? NO_BODY : parseBody(body, request.headers['content-type']),
        });
        return await answerGraph(platform, router, call, response);
      }
      write(response, login(host, flavour, request.method!, parts.slice(from).join('/'), url, query, body));
    } catch (error) {
      // A bug of the simulator must be loud in tests and must not look like one of Meta's errors.
      console.error(`Simulator of Meta: ${request.method} ${request.url}`, error);
      if (!response.headersSent)
        write(response, { status: 599, body: JSON.stringify({ simulatorBug: String(error) }) });
    }
  }

  function login(
    host: string,
    flavour: LoginFlavour,
    method: string,
    path: string,
    self: string,
    query: URLSearchParams,
    body: string,
  ): Answer {
    if (host === 'api.instagram.com' && path === 'oauth/access_token' && method === 'POST')
      return exchangeInstagramCode(platform.world, new URLSearchParams(body));
    const isDialog =
      host === 'www.facebook.com' ? path === 'dialog/oauth' : path.replace(/\/$/, '') === 'oauth/authorize';
    if (isDialog) return dialog(platform.world, flavour, method, self, query, new URLSearchParams(body));
    platform.ledger.unimplemented(method, `/${host}/${path}`);
    return { status: 404, body: 'Not found', contentType: 'text/plain' };
  }

  return server;
}

function readBody(request: IncomingMessage, done: (body: string | null) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    if (size > MAX_BODY_BYTES) done(null);
    else done(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString());
  });
}

/** Meta takes JSON, and forms whose values may be JSON. */
function parseBody(body: string, contentType: string | undefined): Record<string, unknown> {
  if (contentType?.includes('json') || body.startsWith('{')) {
    const parsed = parseJson(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : NO_BODY;
  }
  return Object.fromEntries(new URLSearchParams(body));
}
