/**
 * Signals between processes over PostgreSQL's LISTEN and NOTIFY, on one connection of their own. They are hints: what
 * they tell of is in the tables, and after a broken connection `onReconnect` says that some may have been missed.
 *
 * NOTE: never notify per row or inside a hot transaction: it makes commits wait for each other (a quarter of the rate
 * in trials).
 */
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Clock } from '#server/clock.ts';

const RECONNECT_AFTER_MS = 1000;

export class Notifications {
  private readonly connectionString: string;
  private readonly pool: pg.Pool;
  private readonly clock: Clock;
  private readonly log: FastifyBaseLogger;
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  private readonly reconnectListeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private client: pg.Client | null = null;

  constructor(deps: { connectionString: string; pool: pg.Pool; clock: Clock; log: FastifyBaseLogger }) {
    this.connectionString = deps.connectionString;
    this.pool = deps.pool;
    this.clock = deps.clock;
    this.log = deps.log;
  }

  /** Register listeners before. */
  async start(): Promise<void> {
    await this.connect();
  }

  on(channel: string, listener: (payload: string) => void): void {
    const listeners = this.listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.listeners.set(channel, listeners);
  }

  onReconnect(listener: () => void): void {
    this.reconnectListeners.add(listener);
  }

  /** Reaches listeners of all processes, this one too. */
  async publish(channel: string, payload: string): Promise<void> {
    await this.pool.query('select pg_notify($1, $2)', [channel, payload]);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.connectionString,
      application_name: 'creator-hq signals',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.listeners.get(channel) ?? []) listener(payload ?? '');
    });
    client.on('error', (error) => this.log.warn({ err: error }, 'the connection for signals broke'));
    client.on('end', () => {
      if (!this.stopping.signal.aborted) void this.reconnect();
    });
    await client.connect();
    for (const channel of this.listeners.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`);
    this.client = client;
  }

  private async reconnect(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.clock.sleep(RECONNECT_AFTER_MS, this.stopping.signal);
      try {
        await this.connect();
        for (const listener of this.reconnectListeners) listener();
        return;
      } catch (error) {
        this.log.warn({ err: error }, 'the connection for signals is still away');
      }
    }
  }
}
