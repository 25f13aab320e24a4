/**
 * Signals between processes over PostgreSQL's LISTEN and NOTIFY, on one connection of their own. They are hints: what
 * they tell of is in the tables, and after a gap in the connection `onReconnect` says that some may have been missed.
 *
 * NOTE: never notify per row or inside a hot transaction: it makes commits wait for each other (a quarter of the rate
 * in trials).
 */
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Clock } from '#server/clock.ts';

const RECONNECT_AFTER_MS = [200, 1000, 5000];
/** PostgreSQL takes 8,000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_900;

export class Notifications {
  private readonly deps: { pool: pg.Pool; clock: Clock; log: FastifyBaseLogger };
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  private readonly reconnectListeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private receiving: Promise<void> = Promise.resolve();

  /** @param deps.pool publishes, and says where to listen */
  constructor(deps: { pool: pg.Pool; clock: Clock; log: FastifyBaseLogger }) {
    this.deps = deps;
  }

  /** Before `start`. */
  on(channel: string, listener: (payload: string) => void): void {
    const listeners = this.listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.listeners.set(channel, listeners);
  }

  onReconnect(listener: () => void): void {
    this.reconnectListeners.add(listener);
  }

  /** Resolves when signals of other processes arrive. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.receiving = this.receiveAll(resolve);
    });
  }

  /** Each reaches the listeners of every process, this one too, in one statement. */
  async publish(channel: string, payloads: string[]): Promise<void> {
    await this.deps.pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads]);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.receiving;
  }

  private async receiveAll(onFirst: () => void): Promise<void> {
    const { clock, log } = this.deps;
    const { signal } = this.stopping;
    let connectedBefore = false;
    let failures = 0;
    while (!signal.aborted) {
      const client = new pg.Client(this.deps.pool.options);
      try {
        const ended = this.endOf(client);
        await client.connect();
        client.on('notification', ({ channel, payload }) => this.tell(channel, payload ?? ''));
        for (const channel of this.listeners.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`);
        failures = 0;
        if (connectedBefore) for (const listener of this.reconnectListeners) listener();
        connectedBefore = true;
        onFirst();
        await ended;
      } catch (error) {
        log.warn({ err: error }, 'no signals from other processes: PostgreSQL cannot be reached');
      }
      await client.end().catch(() => {});
      await clock.sleep(RECONNECT_AFTER_MS[Math.min(failures++, RECONNECT_AFTER_MS.length - 1)]!, signal);
    }
  }

  private endOf(client: pg.Client): Promise<void> {
    return new Promise((resolve) => {
      // More than one may come (the server says goodbye, then the socket closes); one without a listener ends the process.
      client.on('error', () => resolve());
      client.once('end', () => resolve());
      this.stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private tell(channel: string, payload: string): void {
    for (const listener of this.listeners.get(channel) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        this.deps.log.error({ err: error, channel }, 'a signal could not be heeded');
      }
    }
  }
}
