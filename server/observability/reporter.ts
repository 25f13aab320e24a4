/**
 * Reports errors of the server to Sentry, or to anything that speaks its envelope endpoint. One call of one kind: the
 * official SDK instruments the whole process for that.
 *
 * The protocol: https://develop.sentry.dev/sdk/foundations/transport/envelopes/ and /event-payloads/ there.
 */
import path from 'node:path';
import type { Clock, Ids } from '#server/clock.ts';
import { scrub } from './scrub.ts';

export type ErrorReport = {
  /** The failure in our words: constant, so that reports of one kind group. */
  what: string;
  error: unknown;
  /** Ids and counts that help to find the cause. Never texts. */
  facts: Record<string, string | number | boolean>;
};

export type ErrorReporter = {
  /** Returns at once and never throws: trouble with reporting is nobody's trouble. */
  report(report: ErrorReport): void;
  /** Waits for reports under way. */
  close(): Promise<void>;
};

export type Dsn = { endpoint: string; publicKey: string };

const SEND_TIMEOUT_MS = 5000;
/** A broken database fails every request: the first few reports tell all there is. */
const REPORTS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const UNDER_WAY_AT_MOST = 5;
const CAUSES_AT_MOST = 3;

/** @returns null when it is none: `https://PUBLIC_KEY@HOST/PROJECT` */
export function readDsn(dsn: string): Dsn | null {
  if (!URL.canParse(dsn)) return null;
  const { protocol, username, host, pathname } = new URL(dsn);
  const parts = /^(\/.*)?\/(\d+)\/?$/.exec(pathname);
  if (!/^https?:$/.test(protocol) || username === '' || parts === null) return null;
  return {
    endpoint: `${protocol}//${host}${parts[1] ?? ''}/api/${parts[2]}/envelope/`,
    publicKey: decodeURIComponent(username),
  };
}

/** @param deps.warn told when reports do not arrive, at most once a minute */
export function createErrorReporter(deps: {
  dsn: Dsn;
  environment: string;
  clock: Clock;
  ids: Ids;
  warn: (message: string) => void;
}): ErrorReporter {
  const { dsn, clock, ids, environment } = deps;
  const underWay = new Set<Promise<void>>();
  let minute = { startedAt: 0, reports: 0, warned: false };
  /** The receiver asked for silence until then. */
  let silentUntil = 0;

  function mayReport(now: number): boolean {
    if (now - minute.startedAt >= MINUTE_MS) minute = { startedAt: now, reports: 0, warned: false };
    if (now < silentUntil || underWay.size >= UNDER_WAY_AT_MOST || minute.reports >= REPORTS_PER_MINUTE) return false;
    minute.reports++;
    return true;
  }

  async function send(body: string): Promise<void> {
    try {
      const response = await fetch(dsn.endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=creator-hq/1, sentry_key=${dsn.publicKey}`,
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.status === 429) {
        const seconds = Number(response.headers.get('retry-after')) || 60;
        silentUntil = clock.now().getTime() + seconds * 1000;
      } else if (!response.ok) warnOnce(`the receiver of error reports answered ${response.status}`);
    } catch (error) {
      warnOnce(`error reports do not arrive: ${(error as Error).name}`);
    }
  }

  function warnOnce(message: string): void {
    if (minute.warned) return;
    minute.warned = true;
    deps.warn(message);
  }

  return {
    report(report) {
      const now = clock.now();
      if (!mayReport(now.getTime())) return;
      const sending = send(envelopeOf(report, { id: ids.uuid(now), now, environment })).finally(() =>
        underWay.delete(sending),
      );
      underWay.add(sending);
    },
    close: async () => void (await Promise.all(underWay)),
  };
}

function envelopeOf(
  { what, error, facts }: ErrorReport,
  { id, now, environment }: { id: string; now: Date; environment: string },
) {
  const eventId = id.replaceAll('-', '');
  const event = JSON.stringify({
    event_id: eventId,
    timestamp: now.getTime() / 1000,
    platform: 'node',
    level: 'error',
    logger: 'server',
    environment,
    message: { formatted: scrub(what) },
    tags: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, scrub(String(value)).slice(0, 200)])),
    ...(error instanceof Error && { exception: { values: chainOf(error).map(exceptionOf) } }),
  });
  const header = JSON.stringify({ event_id: eventId, sent_at: now.toISOString() });
  const item = JSON.stringify({ type: 'event', length: Buffer.byteLength(event) });
  return `${header}\n${item}\n${event}\n`;
}

/** The deepest cause first, as Sentry wants it. */
function chainOf(error: Error): Error[] {
  const chain = [error];
  for (let cause = error.cause; cause instanceof Error && chain.length < CAUSES_AT_MOST; cause = cause.cause) {
    if (chain.includes(cause)) break;
    chain.unshift(cause);
  }
  return chain;
}

function exceptionOf(error: Error) {
  const code = (error as { code?: unknown }).code;
  return {
    type: typeof code === 'string' ? `${error.name} ${scrub(code)}` : error.name,
    value: scrub(error.message),
    stacktrace: { frames: framesOf(error.stack ?? '') },
  };
}

const root = path.resolve(import.meta.dirname, '../..');

/** V8's lines `at name (file:line:column)`. The stack's first line repeats the message and is left out. */
function framesOf(stack: string) {
  const frames = [];
  for (const line of stack.split('\n')) {
    const match = /^\s*at (?:(.*) \()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/.exec(line);
    if (match === null) continue;
    const [, name, file, lineNumber, column] = match;
    const relative = file!.startsWith(root) ? path.relative(root, file!) : file!;
    frames.push({
      function: name ?? '?',
      filename: relative,
      lineno: Number(lineNumber),
      colno: Number(column),
      in_app: file!.startsWith(root) && !relative.includes('node_modules'),
    });
  }
  return frames.reverse();
}
