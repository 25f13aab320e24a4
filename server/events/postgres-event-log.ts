/** The event log as a table of PostgreSQL: the one of the single machine. */
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { inTransaction } from '#server/db/transaction.ts';
import type { EventLog, LoggedEvent, NewEvent } from '#server/events/event-log.ts';

/** More waiting rows than this are committed in two transactions rather than one huge one. */
const ROWS_PER_COMMIT = 1000;

type Waiting = { events: NewEvent[]; resolve: () => void; reject: (error: unknown) => void };

export class PostgresEventLog implements EventLog {
  private readonly pool: pg.Pool;
  private readonly appended = new EventEmitter();
  private waiting: Waiting[] = [];
  private flushing: Promise<void> | null = null;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  append(events: NewEvent[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ events, resolve, reject });
      this.flushing ??= this.flush();
    });
  }

  /** While one commit is under way the next batch gathers: the busier, the larger the batches. */
  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.takeBatch();
      try {
        await this.insert(batch.flatMap((entry) => entry.events));
        for (const entry of batch) entry.resolve();
        this.appended.emit('appended');
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.flushing = null;
  }

  private takeBatch(): Waiting[] {
    let rows = 0;
    let taken = 0;
    while (taken < this.waiting.length && rows < ROWS_PER_COMMIT) rows += this.waiting[taken++]!.events.length;
    return this.waiting.splice(0, taken);
  }

  private async insert(events: NewEvent[]): Promise<void> {
    await this.pool.query({
      name: 'event-log-append',
      text: `insert into event_log (shard, received_at, body)
             select * from unnest($1::smallint[], $2::timestamptz[], $3::text[])`,
      values: [events.map((e) => e.shard), events.map((e) => e.receivedAt), events.map((e) => e.body)],
    });
  }

  consume(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: pg.PoolClient) => Promise<void>,
  ): Promise<number> {
    return inTransaction(this.pool, async (trx) => {
      const { rows } = await trx.query<LoggedEvent>({
        name: 'event-log-read',
        text: `select id, shard, received_at as "receivedAt", body from event_log
               where shard = any($1::smallint[]) order by id limit $2`,
        values: [shards, most],
      });
      if (rows.length === 0) return 0;
      await work(rows, trx);
      await trx.query({
        name: 'event-log-remove',
        text: 'delete from event_log where id = any($1::bigint[])',
        values: [rows.map((row) => row.id)],
      });
      return rows.length;
    });
  }

  onAppended(listener: () => void): void {
    this.appended.on('appended', listener);
  }

  async lag(): Promise<{ waiting: number; oldest: Date | null }> {
    const { rows } = await this.pool.query(
      'select count(*)::int as waiting, min(received_at) as oldest from event_log',
    );
    return rows[0];
  }

  async close(): Promise<void> {
    await this.flushing;
  }
}
