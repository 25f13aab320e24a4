/** Stands in for Stripe. README.md tells how to use it, DIFFERENCES.md where it is not like Stripe. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findRoute } from './api.ts';
import { createControl, type StripeControl } from './control.ts';
import { type Fault, Faults } from './faults.ts';
import { serveDesk } from './pages/desk.ts';
import { confirm, type PageReply, servePage } from './pages/hosted.ts';
import { catchUp, createClock, type SimulatedClock } from './time.ts';
import { Webhooks } from './webhooks.ts';
import { expanded } from './wire/expand.ts';
import { Params, readForm, readJson } from './wire/params.ts';
import { Refusal } from './wire/refusal.ts';
import { API_VERSION, World } from './world.ts';

export type StripeSimulator = {
  /** `STRIPE_API_URL` */
  url: string;
  /** `STRIPE_SECRET_KEY` */
  secretKey: string;
  control: StripeControl;
  close(): Promise<void>;
};

const MAX_BODY_BYTES = 1024 * 1024;
const LOOK_EVERY_MS = 1000;

type Reply = { status: number; type: string; text: string; headers?: Record<string, string> };
type Kept = { fingerprint: string; reply: Reply | null };

/**
 * @param options.port 0 or absent: any free one, on 127.0.0.1
 * @param options.startMs the clock stands there until it is moved; absent: it goes with the machine's, and can be put forward
 */
export async function startStripeSimulator({
  port = 0,
  startMs,
  livemode = false,
}: {
  port?: number;
  startMs?: number;
  livemode?: boolean;
} = {}): Promise<StripeSimulator> {
  const secretKey = livemode ? 'sk_live_simulated_0000' : 'sk_test_simulated_0000';
  const clock: SimulatedClock = createClock(startMs);
  const world = new World({ livemode, nowMs: clock.nowMs });
  const webhooks = new Webhooks(world);
  const faults = new Faults();
  const idempotent = new Map<string, Kept>();
  let requests = 0;

  const goOn = (untilMs?: number) => catchUp(world, clock, (id) => webhooks.retry(id), untilMs);
  const control = createControl({
    ...{ world, webhooks, faults, clock, catchUp: goOn },
    confirm: (intent, isConfirmed) =>
      confirm(
        world.ownerOf(intent, (one) => one.paymentIntents),
        intent,
        isConfirmed,
      ),
  });
  world.shared.goTo = control.goTo;

  const answer = (method: string, path: string, fields: string, account: string | null): Reply => {
    const route = findRoute(method, path);
    if (route === null) {
      faults.unimplemented.add(`${method} ${path}`);
      const message = `Unrecognized request URL (${method}: ${path}).`;
      throw new Refusal(404, { type: 'invalid_request_error', message });
    }
    const params = new Params(path.startsWith('/v2/') && method !== 'GET' ? readJson(fields) : readForm(fields));
    const whose = account === null ? world : world.connectedTo(account);
    const paths = params.texts('expand') ?? [];
    const told = route.answer({ world: whose, webhooks, params, ids: route.ids });
    params.refuseUnknown();
    return json(200, paths.length === 0 ? told : expanded(whose, told, paths));
  };

  const serveApi = async (request: IncomingMessage, response: ServerResponse, address: URL, body: string) => {
    const method = request.method ?? 'GET';
    const path = address.pathname;
    const key = headerOf(request, 'idempotency-key');
    const requestId = `req_${String(++requests).padStart(14, '0')}`;
    const line = {
      ...{ at: world.now(), method, path, status: null as number | null, idempotencyKey: key, isReplay: false },
      account: headerOf(request, 'stripe-account'),
    };
    faults.calls.push(line);
    const fault = faults.next(method, path);
    if (fault?.kind === 'cut_before') return request.socket.destroy();
    const reply = replyTo(
      request,
      { method, path, key, requestId, fault },
      method === 'GET' ? address.search.slice(1) : body,
      line,
    );
    const kept = key === null ? undefined : idempotent.get(keyOf(request, key));
    if (fault?.kind === 'slow') {
      // Whoever comes with the same key meanwhile is told to wait.
      if (kept !== undefined) kept.reply = null;
      await faults.untilLetGo();
      if (kept !== undefined) kept.reply = reply;
    }
    if (fault?.kind === 'cut_after') return request.socket.destroy();
    line.status = reply.status;
    const headers = {
      'request-id': requestId,
      'stripe-version': API_VERSION,
      ...(key !== null && { 'idempotency-key': key }),
    };
    send(response, { ...reply, headers: { ...headers, ...reply.headers } });
  };

  const replyTo = (
    request: IncomingMessage,
    {
      method,
      path,
      key,
      requestId,
      fault,
    }: { method: string; path: string; key: string | null; requestId: string; fault: Fault | null },
    fields: string,
    line: { isReplay: boolean },
  ): Reply => {
    const fingerprint = `${method} ${path} ${fields}`;
    const known = key === null || method === 'GET' ? undefined : idempotent.get(keyOf(request, key));
    try {
      refuseStranger(request, secretKey);
      if (known !== undefined) {
        line.isReplay = true;
        return replay(known, fingerprint);
      }
      if (fault?.kind === 'rate_limited')
        throw new Refusal(429, { type: 'rate_limit_error', message: 'Too many requests.' });
      if (fault?.kind === 'refused') throw new Refusal(fault.status ?? 400, fault.error ?? INVALID);
      world.shared.request = { id: requestId, idempotencyKey: key };
      const done = answer(method, path, fields, headerOf(request, 'stripe-account'));
      const reply = fault?.kind === 'error_after' ? WENT_WRONG : done;
      if (key !== null && method !== 'GET') idempotent.set(keyOf(request, key), { fingerprint, reply });
      // It comes from something between.
      return fault?.kind === 'web_page' ? WEB_PAGE : reply;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const reply = json(error.status, { error: error.body });
      // What was refused before it began is not kept: the same key can be used again.
      if (key !== null && error.body.type === 'card_error') idempotent.set(keyOf(request, key), { fingerprint, reply });
      return reply;
    } finally {
      world.shared.request = null;
    }
  };

  const serveControl = async (response: ServerResponse, path: string, body: string) => {
    const verb = path.split('/')[2] as keyof StripeControl;
    if (!Object.hasOwn(control, verb))
      return send(response, json(404, { error: { message: `No such verb: ${verb}` } }));
    const said = body === '' ? [] : (JSON.parse(body) as never[]);
    const is = await (control[verb] as (...all: never[]) => Promise<unknown>)(...said);
    send(response, json(200, { is }));
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const address = new URL(request.url ?? '/', world.url);
    const body = await bodyOf(request);
    goOn();
    if (address.pathname.startsWith('/control/')) return serveControl(response, address.pathname, body);
    if (address.pathname.startsWith('/v')) return serveApi(request, response, address, body);
    const form = request.method === 'POST' ? new URLSearchParams(body) : null;
    const isDesk = address.pathname === '/desk/' || address.pathname === '/desk';
    const page: PageReply | null = isDesk ? await serveDesk(world, control, form) : pageOf(address.pathname, form);
    if (page === null) return send(response, { status: 404, type: 'text/html', text: 'There is no such page.' });
    const headers = page.location === undefined ? undefined : { location: page.location };
    send(response, {
      status: page.status,
      type: 'text/html; charset=utf-8',
      text: page.html ?? '',
      ...(headers && { headers }),
    });
  };

  const pageOf = (path: string, form: URLSearchParams | null): PageReply | null => {
    for (const one of world.all()) {
      const page = servePage(one, path, form);
      if (page !== null) return page;
    }
    return null;
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      send(response, json(500, { error: { type: 'api_error', message: error.stack ?? error.message } }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const looking = startMs === undefined ? setInterval(() => goOn(), LOOK_EVERY_MS) : undefined;

  return {
    ...{ url: world.url, secretKey, control },
    async close() {
      clearInterval(looking);
      faults.letGo();
      await webhooks.settled();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

const WENT_WRONG = json(500, { error: { type: 'api_error', message: 'Something went wrong on our end.' } });
const WEB_PAGE: Reply = { status: 200, type: 'text/html', text: '<title>Sign in</title>' };
const INVALID = { type: 'invalid_request_error', message: 'It was told to fail.' } as const;

/** @throws Refusal 401 */
function refuseStranger(request: IncomingMessage, secretKey: string): void {
  const said = headerOf(request, 'authorization') ?? '';
  if (said === `Bearer ${secretKey}`) return;
  const shown = said.replace(/^Bearer /, '').slice(0, 8);
  const message = said === '' ? 'You did not provide an API key.' : `Invalid API Key provided: ${shown}****`;
  throw new Refusal(401, { type: 'invalid_request_error', message });
}

/** @throws Refusal other parameters than before, or the first call is still under way */
function replay({ fingerprint, reply }: Kept, wanted: string): Reply {
  if (fingerprint !== wanted) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    throw new Refusal(400, { type: 'idempotency_error', message });
  }
  if (reply !== null) return { ...reply, headers: { 'idempotent-replayed': 'true' } };
  const message = 'There is currently another in-progress request using this Stripe-Idempotency-Key.';
  throw new Refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
}

/** Keys are of an account. */
function keyOf(request: IncomingMessage, key: string): string {
  return `${headerOf(request, 'stripe-account') ?? ''} ${key}`;
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function json(status: number, value: unknown): Reply {
  return { status, type: 'application/json', text: JSON.stringify(value) };
}

function send(response: ServerResponse, { status, type, text, headers = {} }: Reply): void {
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too long.');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

// By itself: `node simulators/stripe/main.ts PORT`. Prints one JSON line when it listens.
if (import.meta.main) {
  const simulator = await startStripeSimulator({ port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`${JSON.stringify({ url: simulator.url, secretKey: simulator.secretKey })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
}
