/**
 * What changed, told to the browsers that look at it, whichever process they are connected to.
 *
 *     publish → at most four notices a second and creator → PostgreSQL NOTIFY → every process → its listeners
 *
 * A notice is a hint to ask again, never data: one that is lost costs freshness and nothing else. After a gap in the
 * connection to PostgreSQL every listener is told `hello`, on which browsers ask for everything they show.
 */
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { LiveEvent } from '#contract/interactions.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';

export type LiveUpdates = {
  /** Never throws, never waits; do not call it inside a transaction whose change it tells. */
  publish(creatorId: string, event: LiveEvent): void;
  /** @returns ends it */
  listen(creatorId: string, listener: (event: LiveEvent) => void): () => void;
  /** Resolves when notices of other processes arrive. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

export type LiveDeps = { db: Database; clock: Clock; log: FastifyBaseLogger };

const CHANNEL = 'live';
const BETWEEN_NOTICES_MS = 250;
const RECONNECT_AFTER_MS = [200, 1000, 5000];
/** A notice of PostgreSQL has at most 8,000 bytes. Beyond these a notice names no posts, which means any. */
const POSTS_NAMED_AT_MOST = 50;

export function createLiveUpdates(deps: LiveDeps): LiveUpdates {
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>();
  const pending = new Map<string, PendingNotice>();
  const closing = new AbortController();
  const sending = new Set<Promise<void>>();

  function tell(creatorId: string, event: LiveEvent): void {
    for (const listener of listeners.get(creatorId) ?? []) {
      try {
        listener(event);
      } catch (error) {
        deps.log.error({ err: error }, 'a live listener failed');
      }
    }
  }

  /** The first notice goes out at once, those after it in the rhythm. */
  async function send(creatorId: string, notice: PendingNotice): Promise<void> {
    while (notice.events.size > 0) {
      const events = [...notice.events].map(([what, postIds]) => ({
        what,
        ...(postIds !== null && { postIds: [...postIds] }),
      }));
      notice.events.clear();
      await deps.db.enginePool
        .query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify({ creatorId, events })])
        .catch((error) => deps.log.warn({ err: error }, 'a live notice could not be sent'));
      await deps.clock.sleep(BETWEEN_NOTICES_MS, closing.signal);
    }
    pending.delete(creatorId);
  }

  function receive(payload: string | undefined): void {
    try {
      const { creatorId, events } = JSON.parse(payload ?? '') as { creatorId: string; events: LiveEvent[] };
      for (const event of events) tell(creatorId, event);
    } catch (error) {
      deps.log.warn({ err: error }, 'a live notice could not be read');
    }
  }

  let markReady: () => void;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  async function receiveAll(): Promise<void> {
    let failures = 0;
    let first = true;
    while (!closing.signal.aborted) {
      const client = new pg.Client(deps.db.enginePool.options);
      const ended = new Promise<void>((resolve) => {
        client.once('error', () => resolve());
        client.once('end', () => resolve());
        closing.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      try {
        await client.connect();
        client.on('notification', (notice) => receive(notice.payload));
        await client.query(`listen ${CHANNEL}`);
        failures = 0;
        if (!first) for (const creatorId of listeners.keys()) tell(creatorId, { what: 'hello' });
        first = false;
        markReady();
        await ended;
      } catch (error) {
        deps.log.warn({ err: error }, 'no live notices: PostgreSQL cannot be reached');
      }
      await client.end().catch(() => {});
      if (closing.signal.aborted) return;
      await deps.clock.sleep(RECONNECT_AFTER_MS[Math.min(failures++, RECONNECT_AFTER_MS.length - 1)]!, closing.signal);
    }
  }
  const receiving = receiveAll();

  return {
    publish(creatorId, event) {
      if (closing.signal.aborted) return;
      const known = pending.get(creatorId);
      const notice = known ?? { events: new Map() };
      merge(notice, event);
      if (known !== undefined) return;
      pending.set(creatorId, notice);
      const sent = send(creatorId, notice).finally(() => sending.delete(sent));
      sending.add(sent);
    },

    listen(creatorId, listener) {
      const ofCreator = listeners.get(creatorId) ?? new Set();
      listeners.set(creatorId, ofCreator);
      ofCreator.add(listener);
      return () => {
        ofCreator.delete(listener);
        if (ofCreator.size === 0 && listeners.get(creatorId) === ofCreator) listeners.delete(creatorId);
      };
    },

    ready: () => ready,

    async close() {
      closing.abort();
      await Promise.all([receiving, ...sending]);
    },
  };
}

/** By kind of change; null stands for any post. */
type PendingNotice = { events: Map<LiveEvent['what'], Set<string> | null> };

function merge(notice: PendingNotice, { what, postIds }: LiveEvent): void {
  const before = notice.events.get(what);
  if (before === null) return;
  const named = postIds === undefined ? null : new Set([...(before ?? []), ...postIds]);
  notice.events.set(what, named !== null && named.size <= POSTS_NAMED_AT_MOST ? named : null);
}
