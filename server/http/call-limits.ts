/**
 * How many calls of the API one caller may make, in a second and at once: so that one tool or person cannot use up what all
 * share. Counted in the memory of each process, first by what the caller shows (a token, a session), before the database is
 * asked who that is, then by the person.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/errors.ts';

type Most = { perSecond: number; atOnce: number };
type Counted = { since: number; calls: number; underWay: number };
type CallKind = {
  /** A stream is held for hours; it has a limit of its own. */
  stream: boolean;
};

const SECOND_MS = 1000;
/** Ten thousand made-up tokens push out counts of others, not the process out of its memory. */
const MOST_CALLERS = 10_000;

export type CallLimits = ReturnType<typeof createCallLimits>;

/** @param deps.most of a person, over all sessions and tokens; a token alone may make half of it, a plugin four times as many */
export function createCallLimits({
  most,
  clock,
  mostCallers = MOST_CALLERS,
}: {
  most: Most;
  clock: Clock;
  mostCallers?: number;
}) {
  const ofToken: Most = { perSecond: Math.ceil(most.perSecond / 2), atOnce: Math.ceil(most.atOnce / 2) };
  const ofPlugin: Most = { perSecond: most.perSecond * 4, atOnce: most.atOnce * 4 };
  /** In the order of their last call. */
  const callers = new Map<string, Counted>();

  return {
    /** @throws AppError too_many_requests */
    countCredential({ headers: { authorization, cookie } }: FastifyRequest, reply: FastifyReply, call: CallKind): void {
      if (authorization !== undefined) count(reply, call, ofToken, 'token', hash(authorization));
      else if (cookie !== undefined) count(reply, call, most, 'session', hash(cookie));
    },
    /** @throws AppError too_many_requests */
    countPerson(userId: string, reply: FastifyReply, call: CallKind): void {
      count(reply, call, most, 'person', userId);
    },
    /** Calls for all readers of a blog. @throws AppError too_many_requests */
    countPlugin(keyId: string, reply: FastifyReply): void {
      count(reply, { stream: false }, ofPlugin, 'plugin', keyId);
    },
    /** How many callers are remembered. */
    get remembered() {
      return callers.size;
    },
  };

  function count(reply: FastifyReply, { stream }: CallKind, { perSecond, atOnce }: Most, kind: string, whom: string) {
    const now = clock.now().getTime();
    const caller = callerOf(`${kind} ${whom}`, now);
    // Also after a clock that was set back.
    if (Math.abs(now - caller.since) >= SECOND_MS) Object.assign(caller, { since: now, calls: 0 });
    caller.calls++;
    const tooFast = caller.calls > perSecond;
    const tooMany = !stream && caller.underWay >= atOnce;
    if (!stream && !tooFast && !tooMany) {
      caller.underWay++;
      // Of the answer, not of the handler: also when the caller leaves before.
      reply.raw.once('close', () => {
        caller.underWay--;
      });
    }
    if (kind !== 'session') {
      const left = { calls: Math.max(perSecond - caller.calls, 0), atOnce: Math.max(atOnce - caller.underWay, 0) };
      // https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11: lists of structured fields.
      add(reply, 'ratelimit-policy', `"${kind}";q=${perSecond};w=1`);
      add(reply, 'ratelimit-policy', `"${kind}-at-once";q=${atOnce};qu="concurrent-requests"`);
      add(reply, 'ratelimit', `"${kind}";r=${left.calls};t=1`);
      add(reply, 'ratelimit', `"${kind}-at-once";r=${left.atOnce}`);
    }
    if (tooFast) throw refusal(`More than ${perSecond} calls in one second. Wait a second and slow down.`);
    if (tooMany)
      throw refusal(`${atOnce} calls are already in progress. Wait for them to finish before making another.`);
  }

  function callerOf(key: string, now: number): Counted {
    const caller = callers.get(key) ?? { since: now, calls: 0, underWay: 0 };
    callers.delete(key);
    callers.set(key, caller);
    if (callers.size > mostCallers) callers.delete(callers.keys().next().value!);
    return caller;
  }
}

function add(reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name);
  reply.header(name, before === undefined ? item : `${before}, ${item}`);
}

function refusal(detail: string): AppError {
  return new AppError('too_many_requests', detail, { retryAfterSeconds: 1 });
}

/** Short, and nothing that opens anything. */
function hash(credential: string): string {
  return createHash('sha256').update(credential).digest('base64url');
}
