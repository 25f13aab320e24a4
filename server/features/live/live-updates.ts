/**
 * Tells browsers what changed, whichever process they are connected to.
 *
 *     publish → at most four notices a second for all creators → PostgreSQL NOTIFY → every process → its listeners
 *
 * A notice is a hint to ask again, never data: one that is lost costs freshness and nothing else. After a gap in the
 * connection to PostgreSQL every listener is told `hello`, on which browsers ask for everything they show.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { LiveEvent } from '#contract/interactions.ts';
import type { Clock } from '#server/clock.ts';
import { MAX_PAYLOAD_BYTES, type Notifications } from '#server/db/notifications.ts';

export type LiveUpdates = {
  /** Never throws, never waits; do not call it inside a transaction whose change it tells. */
  publish(creatorId: string, event: LiveEvent): void;
  /** @returns ends it */
  listen(creatorId: string, listener: (event: LiveEvent) => void): () => void;
  close(): Promise<void>;
};

/** For those who change what is in the tables without a server: in their own transaction, with `livePayloads`. */
export const LIVE_CHANNEL = 'live';
const BETWEEN_NOTICES_MS = 250;
/** Beyond these a notice names no posts, which means any. */
const POSTS_NAMED_AT_MOST = 50;

/** One creator's part of a notice. */
export type LiveChange = { creatorId: string; events: LiveEvent[] };

/** Call it before the notifications start. */
export function createLiveUpdates(deps: {
  notifications: Notifications;
  clock: Clock;
  log: FastifyBaseLogger;
}): LiveUpdates {
  const listeners = new Map<string, Set<(event: LiveEvent) => void>>();
  let pending = new Map<string, PendingEvents>();
  let sending: Promise<void> | null = null;
  const closing = new AbortController();

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
  async function sendPending(): Promise<void> {
    while (pending.size > 0) {
      const changes = [...pending].map(([creatorId, events]) => ({ creatorId, events: eventsOf(events) }));
      pending = new Map();
      await deps.notifications
        .publish(LIVE_CHANNEL, livePayloads(changes))
        .catch((error) => deps.log.warn({ err: error }, 'a live notice could not be sent'));
      await deps.clock.sleep(BETWEEN_NOTICES_MS, closing.signal);
    }
    sending = null;
  }

  deps.notifications.on(LIVE_CHANNEL, (payload) => {
    for (const { creatorId, events } of JSON.parse(payload) as LiveChange[]) {
      for (const event of events) tell(creatorId, event);
    }
  });
  deps.notifications.onReconnect(() => {
    for (const creatorId of listeners.keys()) tell(creatorId, { what: 'hello' });
  });

  return {
    publish(creatorId, event) {
      if (closing.signal.aborted) return;
      const events = pending.get(creatorId) ?? new Map();
      merge(events, event);
      pending.set(creatorId, events);
      sending ??= sendPending();
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

    async close() {
      closing.abort();
      await sending;
    },
  };
}

/** By kind of change; null stands for any post. */
type PendingEvents = Map<LiveEvent['what'], Set<string> | null>;

function merge(pending: PendingEvents, { what, postIds }: LiveEvent): void {
  const before = pending.get(what);
  if (before === null) return;
  const named = postIds === undefined ? null : new Set([...(before ?? []), ...postIds]);
  pending.set(what, named !== null && named.size <= POSTS_NAMED_AT_MOST ? named : null);
}

function eventsOf(pending: PendingEvents): LiveEvent[] {
  return [...pending].map(([what, postIds]) => ({ what, ...(postIds !== null && { postIds: [...postIds] }) }));
}

/** As many creators in one notice as PostgreSQL takes. */
export function livePayloads(changes: LiveChange[]): string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 2;
  for (const change of changes) {
    const part = JSON.stringify(change);
    if (bytes + part.length + 1 > MAX_PAYLOAD_BYTES && parts.length > 0) {
      payloads.push(`[${parts.join(',')}]`);
      parts = [];
      bytes = 2;
    }
    parts.push(part);
    bytes += part.length + 1;
  }
  payloads.push(`[${parts.join(',')}]`);
  return payloads;
}
