/**
 * Signals changes to the engine wherever it runs: in this process at once, in others by a signal of PostgreSQL.
 * The change itself is in the tables; a signal only says "look again".
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Notifications } from '#server/db/notifications.ts';
import type { Engine } from '#server/engine/engine.ts';

/** For those who change what is in the tables without these functions: in their own transaction, as a payload of JSON. */
export const ENGINE_CHANNEL = 'engine';

export type Signal =
  /** Too much changed to name it. */
  | { what: 'all' }
  | { what: 'automations'; creatorId: string }
  | { what: 'connection' | 'deliveries' | 'queue'; creatorId: string; connectionId: string };

type Sent = Signal & { from?: string };

export type Signals = { send(signal: Signal): Promise<void> };

/**
 * @param deps.processId no other process has it
 * @param deps.here the engine of this process; null where another process works
 * @param deps.onConnection told of changed connections in every process
 * @param deps.onAnyConnection told that any may have changed
 */
export function createSignals(deps: {
  processId: string;
  notifications: Notifications;
  here: () => Engine | null;
  onConnection: (connectionId: string) => void;
  onAnyConnection: () => void;
  log: FastifyBaseLogger;
}): Signals {
  const heed = async (signal: Signal) => {
    const engine = deps.here();
    if (signal.what === 'connection') deps.onConnection(signal.connectionId);
    if (signal.what === 'all') deps.onAnyConnection();
    if (engine === null) return;
    if (signal.what === 'all') await engine.refreshAll();
    if (signal.what === 'automations') engine.automationsChanged(signal.creatorId);
    if (signal.what === 'connection') await engine.connectionChanged(signal.creatorId, signal.connectionId);
    if (signal.what === 'queue') await engine.queueChanged(signal.creatorId, signal.connectionId);
    if (signal.what === 'deliveries') engine.deliveriesQueued(signal.creatorId, signal.connectionId);
  };
  deps.notifications.on(ENGINE_CHANNEL, (payload) => {
    const signal = JSON.parse(payload) as Sent;
    // Heeded before it was sent.
    if (signal.from === deps.processId) return;
    heed(signal).catch((error) => deps.log.error({ err: error }, 'a signal could not be heeded'));
  });
  // Some may have been missed: believe nothing remembered.
  deps.notifications.onReconnect(() => {
    deps.onAnyConnection();
    deps
      .here()
      ?.refreshAll()
      .catch((error) => deps.log.error({ err: error }, 'the engine could not look again'));
  });
  return {
    async send(signal) {
      await heed(signal);
      await deps.notifications.publish(ENGINE_CHANNEL, [
        JSON.stringify({ ...signal, from: deps.processId } satisfies Sent),
      ]);
    },
  };
}
