/** One call to Meta over HTTP: where it goes, how it proves itself, and what came back, as data. */
import { createHmac } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import * as z from 'zod/mini';
import type { Config } from '#server/config.ts';
import { classify, describe, type Operation } from './errors.ts';
import { parseMetaJson } from './json.ts';
import { type GraphError, graphErrorOf } from './types.ts';
import { usageOf } from './usage.ts';
import type { CallResult, Usage, Verdict } from './verdict.ts';

export type MetaSettings = Config['meta'];

/** Whose token speaks: `instagram` calls graph.instagram.com, `page` graph.facebook.com. */
export type Via = 'instagram' | 'page';

/** Everything a call needs to know of a connection. */
export type Speaker = {
  platform: 'instagram' | 'facebook';
  via: Via;
  /** The node that sends: the Instagram account's id, or the Page's, also when it speaks for Instagram. */
  senderId: string;
  token: string;
};

type Failure = Exclude<Verdict, { kind: 'done' }>;

/** The result of a read or a login call. */
export type ReadResult<T> =
  | { ok: true; data: T; usage: Usage | null }
  | {
      ok: false;
      verdict: Failure;
      error: GraphError | null;
      /** HTTP status; null when there was no answer. */
      status: number | null;
      usage: Usage | null;
    };

/** Far above any answer we ask for, far below what would hurt. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
const CONNECTIONS_PER_HOST = 128;

export type Request = {
  host: Host;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Record<string, string | undefined>;
  /** Sent as a header: an address ends up in logs. */
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
};
type Raw =
  | { status: number; body: unknown; usage: Usage | null }
  | { failure: 'not_sent' | 'no_answer'; detail: string };

export type Transport = ReturnType<typeof createTransport>;

/** Told of every call when it is over. `verdict` is `done` or a failure's kind; `usagePercent` what Meta's headers told. */
export type CallObserver = (
  operation: Operation,
  verdict: Verdict['kind'],
  durationMs: number,
  usagePercent: number | null,
) => void;

/**
 * @param deps.agent replaces the connection pools (a proxy, a test)
 * @param deps.timeoutMs how long Meta may take to begin its answer, and between two parts of it
 */
export function createTransport(
  settings: MetaSettings,
  deps: { agent?: Dispatcher; timeoutMs: number; onCall?: CallObserver },
) {
  const { timeoutMs, onCall } = deps;
  const pools = new Map<string, Pool>();
  const graph = hostOf(settings.graphUrl);
  const instagramGraph = hostOf(settings.instagramGraphUrl);

  function dispatcherFor(origin: string): Dispatcher {
    if (deps.agent !== undefined) return deps.agent;
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: CONNECTIONS_PER_HOST,
        // `pipelining` is left alone: one call at a time on an HTTP/1.1 connection, because a connection that dies takes
        // every call in it into the unknown; as many as the other side allows on HTTP/2.
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        connectTimeout: Math.min(timeoutMs, 5_000),
        maxResponseSize: MAX_RESPONSE_BYTES,
      });
      pools.set(origin, pool);
    }
    return pool;
  }

  async function call({ host, method, path, query = {}, token, json, form }: Request): Promise<Raw> {
    const search = new URLSearchParams();
    for (const name in query) if (query[name] !== undefined) search.set(name, query[name]);
    if (token !== undefined && host === graph && settings.appSecret !== null) {
      // Only known to work at graph.facebook.com (reference 1.3).
      search.set('appsecret_proof', createHmac('sha256', settings.appSecret).update(token).digest('hex'));
    }
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (json !== undefined) headers['content-type'] = 'application/json';
    if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    try {
      const {
        status,
        headers: told,
        text,
      } = await exchange(dispatcherFor(host.origin), {
        origin: host.origin,
        method,
        path: search.size > 0 ? `${host.prefix}${path}?${search}` : `${host.prefix}${path}`,
        headers,
        body:
          json !== undefined ? JSON.stringify(json) : form !== undefined ? new URLSearchParams(form).toString() : null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return { status, body: parsed(text), usage: usageOf(told) };
    } catch (error) {
      return { failure: wasSent(error) ? 'no_answer' : 'not_sent', detail: detailOf(error) };
    }
  }

  async function send(operation: Exclude<Operation, 'read'>, request: Request): Promise<CallResult> {
    const began = performance.now();
    const raw = await call(request);
    const verdict = classify({ operation, ...raw });
    const usage = 'usage' in raw ? raw.usage : null;
    onCall?.(operation, verdict.kind, performance.now() - began, usage?.percent ?? null);
    return { verdict, usage };
  }

  async function read<S extends z.ZodMiniType>(schema: S, request: Request): Promise<ReadResult<z.output<S>>> {
    const began = performance.now();
    const result = readAnswer(schema, await call(request));
    const verdict = result.ok ? 'done' : result.verdict.kind;
    onCall?.('read', verdict, performance.now() - began, result.usage?.percent ?? null);
    return result;
  }

  function readAnswer<S extends z.ZodMiniType>(schema: S, raw: Raw): ReadResult<z.output<S>> {
    const usage = 'usage' in raw ? raw.usage : null;
    const status = 'status' in raw ? raw.status : null;
    const error = 'body' in raw ? graphErrorOf(raw.body) : null;
    if ('body' in raw && error === null && raw.status >= 200 && raw.status < 300) {
      const answer = z.safeParse(schema, raw.body);
      if (answer.success) return { ok: true, data: answer.data, usage };
      const where = answer.error.issues[0]?.path.join('.') || 'the whole';
      const detail = `Meta answered in a shape we do not know (${where}).`;
      return { ok: false, verdict: { kind: 'retry', detail }, error: null, status, usage };
    }
    const verdict = classify({ operation: 'read', ...raw });
    const failure: Failure =
      verdict.kind === 'done' ? { kind: 'retry', detail: 'Meta answered without data.' } : verdict;
    return { ok: false, verdict: failure, error, status, usage };
  }

  return {
    settings,
    graph,
    instagramGraph,
    instagramApi: hostOf(settings.instagramApiUrl),
    version: `/${settings.graphVersion}`,
    hostVia: (via: Via) => (via === 'page' ? graph : instagramGraph),
    send,
    read,
    /** Waits for calls under way, then closes every connection. */
    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

type Host = { origin: string; prefix: string };

/** A stand-in may put all hosts under paths of one. */
function hostOf(address: string): Host {
  const url = new URL(address);
  return { origin: url.origin, prefix: url.pathname.replace(/\/$/, '') };
}

type Exchanged = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** One request and its whole answer. Answers are small: without a stream for each, a call costs a third less. */
function exchange(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: Exchanged['headers'] = {};
    const parts: Buffer[] = [];
    dispatcher.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode, told) {
        status = statusCode;
        headers = told;
      },
      onResponseData(_controller, part) {
        parts.push(part);
      },
      onResponseEnd() {
        resolve({ status, headers, text: utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)) });
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    });
  });
}

const utf8 = new TextDecoder();

function parsed(text: string): unknown {
  try {
    return parseMetaJson(text);
  } catch {
    return undefined;
  }
}

const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_INVALID_ARG',
]);

/** False only when the request certainly never left: no address, no connection, no valid certificate. */
function wasSent(error: unknown): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return !(
    NOT_SENT.has(code) ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)
  );
}

function detailOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${code} ${message}`;
}

/** The same result with its data in another form. */
export async function map<A, B>(result: Promise<ReadResult<A>>, change: (data: A) => B): Promise<ReadResult<B>> {
  const answer = await result;
  return answer.ok ? { ...answer, data: change(answer.data) } : answer;
}

/** One line of a failed read, for logs and for what a screen shows an operator. */
export function failureDetail(result: Extract<ReadResult<unknown>, { ok: false }>): string {
  return result.error === null ? result.verdict.detail : describe(result.error);
}
