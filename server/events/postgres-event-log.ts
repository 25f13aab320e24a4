/**
 * The event log as a table of PostgreSQL: the one of the single machine. Progress is a position per shard
 * (`event_log_positions`); rows are not deleted but emptied out by the table (`emptyWorkedOff`).
 */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { longTextArray, plainArray, timeArray } from '#server/db/arrays.ts';
import { type EngineTransaction, inTransaction, inTransactionAsking, whileUnderWay } from '#server/db/transaction.ts';
import { gatheringMs } from '#server/events/batch-delay.ts';
import type { EventLog, LoggedEvent, NewEvent } from '#server/events/event-log.ts';
import { RecentEvents } from '#server/events/recent-events.ts';

/** More waiting rows than this are committed in two transactions rather than one huge one. */
const ROWS_PER_COMMIT = 1000;
/** A commit costs as much as some ten rows. Only while somebody else waits, and Meta waits for each. */
const GATHERING = { worthABatch: 64, atMostMs: 3 };
/** One batch takes at most this share of itself from one shard, where there are as many shards. */
const SHARDS_IN_A_BATCH = 4;

/** A row of the log, its time in ms since 1970; without its body where this process may know it. */
type ReadRow = { id: number; shard: number; receivedMs: number; body: string | null };

type Waiting = { events: NewEvent[]; resolve: () => void; reject: (error: unknown) => void };

export class PostgresEventLog implements EventLog {
  private readonly pool: pg.Pool;
  private readonly appended = new EventEmitter();
  private readonly recent = new RecentEvents();
  /** Those that this process works off; it keeps nothing of others. */
  private ours = new Set<number>();
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
      const began = performance.now();
      const batch = this.takeBatch();
      const events = batch.flatMap((entry) => entry.events);
      try {
        await this.insert(events);
        for (const entry of batch) entry.resolve();
        this.appended.emit('appended');
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
      if (this.waiting.length > 0 && this.rowsWaiting() < GATHERING.worthABatch) {
        await sleep(gatheringMs(GATHERING, { rows: events.length, tookMs: performance.now() - began }));
      }
    }
    this.flushing = null;
  }

  private rowsWaiting(): number {
    return this.waiting.reduce((rows, { events }) => rows + events.length, 0);
  }

  private takeBatch(): Waiting[] {
    let rows = 0;
    let taken = 0;
    while (taken < this.waiting.length && rows < ROWS_PER_COMMIT) rows += this.waiting[taken++]!.events.length;
    return this.waiting.splice(0, taken);
  }

  /**
   * One append at a time over all processes, until it is committed: ids become visible in their order, so that a position
   * never passes a row that is yet to appear.
   */
  private async insert(events: NewEvent[]): Promise<void> {
    const { rows } = await this.pool.query<{ first: number; last: number }>({
      name: 'event-log-append',
      text: `with alone as materialized (select pg_advisory_xact_lock(7310927005)), appended as (
               insert into event_log (shard, received_at, body)
               select e.shard, to_timestamp(e.received_ms / 1000), e.body
               from alone cross join unnest($1::smallint[], $2::float8[], $3::text[]) as e(shard, received_ms, body)
               returning id
             )
             select min(id) as first, max(id) as last from appended`,
      values: [
        plainArray(events.map((e) => e.shard)),
        timeArray(events.map((e) => e.receivedAt)),
        longTextArray(events.map((e) => e.body)),
      ],
    });
    const { first, last } = rows[0]!;
    // They get their ids in the order of the arrays. Somebody who takes ids without waiting for the lock may come between.
    if (last - first !== events.length - 1) return;
    for (const [index, event] of events.entries()) {
      if (this.ours.has(event.shard)) this.recent.keep({ ...event, id: first + index });
    }
  }

  /** @param rows without a body where it may be known here */
  private async withBodies(trx: EngineTransaction, rows: ReadRow[]): Promise<LoggedEvent[]> {
    const known = rows.map((row) => (row.body === null ? this.findRecent(row) : loggedEvent(row, row.body)));
    const missing = rows.filter((_, index) => known[index] === undefined);
    if (missing.length === 0) return known as LoggedEvent[];
    // Appended by another process, or heard of before its own append was: rare.
    const { rows: bodies } = await trx.query<{ id: number; body: string }>({
      name: 'event-log-read-bodies',
      // One look each by the key: the planner knows nothing of a table that is filled and emptied by the minute.
      text: `select g.id, (select body from event_log e where e.shard = g.shard and e.id = g.id) as body
             from unnest($1::smallint[], $2::bigint[]) as g(shard, id)`,
      values: [missing.map(({ shard }) => shard), missing.map(({ id }) => id)],
    });
    const bodyOf = new Map(bodies.map(({ id, body }) => [id, body]));
    return rows.map((row, index) => known[index] ?? loggedEvent(row, bodyOf.get(row.id)!));
  }

  /** A database that was restored gives ids out again: it must be the same event. */
  private findRecent({ id, shard, receivedMs }: ReadRow): LoggedEvent | undefined {
    const found = this.recent.find(id);
    return found?.shard === shard && found.receivedAt.getTime() === receivedMs ? found : undefined;
  }

  async consume(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: EngineTransaction) => Promise<void>,
    confirm: (trx: EngineTransaction) => Promise<void>,
  ): Promise<number> {
    this.ours = new Set(shards);
    const confirmAndRead = async (trx: EngineTransaction) => {
      const confirming = confirm(trx);
      const reading = trx.query<ReadRow>({
        name: 'event-log-read',
        // A number is read more quickly than a time in words.
        text: `select e.id, p.shard, (date_part('epoch', e.received_at) * 1000)::bigint as "receivedMs",
                      case when e.id < $4 then e.body end as body
               from event_log_positions p cross join lateral (
                 select id, received_at, body from event_log
                 where shard = p.shard and id > p.done_to order by id limit $3
               ) e
               where p.shard = any($1::smallint[]) order by e.id limit $2`,
        values: [
          shards,
          most,
          Math.ceil(most / Math.min(shards.length, SHARDS_IN_A_BATCH)),
          this.recent.first() ?? Number.MAX_SAFE_INTEGER,
        ],
      });
      const [, { rows }] = await Promise.all([confirming, reading]);
      return rows;
    };
    const rows = await inTransactionAsking(this.pool, confirmAndRead, async (trx, rows) => {
      if (rows.length === 0) return rows;
      const doneTo = new Map(rows.map(({ shard, id }) => [shard, id]));
      const done = trx.query({
        name: 'event-log-done',
        text: `update event_log_positions p set done_to = g.id
               from unnest($1::smallint[], $2::bigint[]) as g(shard, id) where p.shard = g.shard and p.done_to < g.id`,
        values: [[...doneTo.keys()], [...doneTo.values()]],
      });
      await whileUnderWay(done, async () => work(await this.withBodies(trx, rows), trx));
      return rows;
    });
    for (const { id } of rows) this.recent.forget(id);
    return rows.length;
  }

  onAppended(listener: () => void): () => void {
    this.appended.on('appended', listener);
    return () => void this.appended.off('appended', listener);
  }

  async lag(): Promise<{ waiting: number; oldest: Date | null }> {
    const { rows } = await this.pool.query(
      'select count(*)::int as waiting, min(received_at) as oldest from event_log_waiting',
    );
    return rows[0];
  }

  async close(): Promise<void> {
    await this.flushing;
  }
}

function loggedEvent({ id, shard, receivedMs }: ReadRow, body: string): LoggedEvent {
  return { id, shard, receivedAt: new Date(receivedMs), body };
}

/** Rows that are worked off harm nobody; less than this is not worth a lock. */
const WORTH_EMPTYING_BYTES = 16 * 1024 * 1024;
/** Followers' words are not kept here for longer once processed, however little they are (docs/privacy.md). */
const KEPT_AT_MOST_MS = 10 * 60_000;

/**
 * Empties the part of the log whose turn comes next, when all of it is processed. Readers and writers of the log wait
 * a few milliseconds; where something else keeps the part busy (a backup), it is left for later.
 *
 * @returns whether it was emptied
 */
export async function emptyWorkedOff(pool: pg.Pool, worthItBytes = WORTH_EMPTYING_BYTES): Promise<boolean> {
  const { rows } = await pool.query<{ part: string; worthIt: boolean }>(
    `select part, pg_relation_size(part::regclass) > $1 or exists (
       select from event_log where slot = next.slot and received_at < now() - make_interval(secs => $2)
     ) as "worthIt"
     from (
       select slot, 'event_log_' || slot as part from (select (extract(minute from now())::int + 1) % 3 as slot) as numbered
     ) as next`,
    [worthItBytes, KEPT_AT_MOST_MS / 1000],
  );
  const { part, worthIt } = rows[0]!;
  if (!worthIt) return false;
  return inTransaction(pool, async (trx) => {
    await trx.query(`set local lock_timeout = '50ms'`);
    await trx.query(`lock table ${part} in access exclusive mode`);
    const { rows: waiting } = await trx.query(
      `select from ${part} e join event_log_positions p on p.shard = e.shard and e.id > p.done_to limit 1`,
    );
    if (waiting.length > 0) return false;
    await trx.query(`truncate ${part}`);
    return true;
  }).catch((error: { code?: string }) => {
    if (error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

/** For the worker's list of repeated jobs. */
export const eventLogJobs = [
  {
    name: 'empty-event-log',
    everyMs: 20_000,
    run: ({ db }: { db: { enginePool: pg.Pool } }) => emptyWorkedOff(db.enginePool),
  },
];
