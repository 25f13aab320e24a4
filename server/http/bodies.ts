/**
 * How many bytes of bodies may be under way at a time, over all requests: counted by what a request says it will send, before
 * any of it is read, so that half-sent bodies cannot fill the memory. Webhooks have a share of their own, and one network
 * may use a quarter: whoever sends much keeps nobody else from sending.
 */
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#server/clock.ts';
import { problemOf, sendProblem } from '#server/http/problems.ts';
import { networksOf } from './rate-limits.ts';

export type WebhookSender = 'meta' | 'stripe' | 'mail_provider' | 'newsletter_tool';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whose servers send it: their bodies are counted and measured apart from those of browsers. */
    webhook?: WebhookSender;
  }
}

const MB = 1024 ** 2;
const MOST_BYTES = { webhooks: 64 * MB, others: 32 * MB };
const SHARE_OF_ONE = 1 / 4;
/** Meta's servers send a body at once. Browsers on a bad line have `requestTimeoutMs` of limits.ts. */
const WEBHOOK_WITHIN_MS = 10_000;
const TOLD_EVERY_MS = 60_000;
const RETRY_AFTER_SECONDS = 10;

/** To be called before routes are registered: hooks are for what comes after them. */
export function limitBodies(app: FastifyInstance, { clock }: { clock: Clock }): void {
  const budgets = { webhooks: createBudget(MOST_BYTES.webhooks), others: createBudget(MOST_BYTES.others) };
  let toldAt = Number.NEGATIVE_INFINITY;

  app.addHook('onRequest', async (request, reply) => {
    const bytes = announcedBytes(request);
    if (bytes === 0) return;
    const kind = request.routeOptions.config.webhook ? 'webhooks' : 'others';
    const giveBack = budgets[kind].take(networksOf(request.ip).at(-1)!, bytes);
    if (giveBack !== null) {
      finished(reply.raw, giveBack);
      if (kind === 'webhooks') setImmediate(endSlowBody, request, clock);
      return;
    }
    const now = clock.now().getTime();
    if (now - toldAt >= TOLD_EVERY_MS) {
      toldAt = now;
      request.log.warn({ kind }, 'too many bytes are under way: requests are refused');
    }
    // Further bytes are not read.
    reply.headers({ connection: 'close', 'retry-after': RETRY_AFTER_SECONDS });
    return sendProblem(reply, problemOf('unavailable', 'Too much is being sent at once. Try again in a few seconds.'));
  });
}

/** Who does not say how much it is may send as much as the address takes. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  const most = routeOptions.bodyLimit;
  if (headers['transfer-encoding'] !== undefined) return most;
  return Math.min(Number(headers['content-length'] ?? 0), most);
}

/** Most bodies are there with their headers, or just after them; only for the others is the clock watched. */
function endSlowBody({ raw }: FastifyRequest, clock: Clock): void {
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  const ended = new AbortController();
  finished(raw, { writable: false }, () => ended.abort());
  void clock.sleep(WEBHOOK_WITHIN_MS, ended.signal).then(() => ended.signal.aborted || raw.destroy());
}

function createBudget(mostBytes: number) {
  let total = 0;
  const ofNetworks = new Map<string, number>();

  return {
    /** @returns gives them back; null when there are not so many left */
    take(network: string, bytes: number): (() => void) | null {
      const before = ofNetworks.get(network) ?? 0;
      if (total + bytes > mostBytes || before + bytes > mostBytes * SHARE_OF_ONE) return null;
      total += bytes;
      ofNetworks.set(network, before + bytes);
      return () => {
        total -= bytes;
        const left = ofNetworks.get(network)! - bytes;
        if (left > 0) ofNetworks.set(network, left);
        else ofNetworks.delete(network);
      };
    },
  };
}
