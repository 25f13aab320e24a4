/**
 * Clicks, written in batches: a person who taps never waits for the database, and a thousand taps a second are one
 * statement. At most a second of clicks is lost when the process is killed.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { NotCounted } from './visitors.ts';

export type Click = {
  creatorId: string;
  linkId: string;
  /** As the link says; not yet known to exist. */
  deliveryId: string | null;
  at: Date;
  notCountedBecause: NotCounted | null;
};

export type ClickRecorder = {
  record(click: Click): void;
  /** Writes what is kept now; resolves when it is in the database, rejects when it could not be written. */
  flush(): Promise<void>;
  /** Writes the rest and stops. */
  close(): Promise<void>;
};

export type ClickDeps = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
  /** Told whose figures changed. */
  onCounted?: (creatorIds: string[]) => void;
};

const FLUSH_EVERY_MS = 1000;
const BATCH = 2000;
/** While the database is away. Beyond it the oldest go: figures are worth less than memory. */
const KEPT_AT_MOST = 100_000;

export function createClickRecorder(deps: ClickDeps): ClickRecorder {
  let kept: Click[] = [];
  let writing: Promise<void> = Promise.resolve();
  const closing = new AbortController();
  let ticking: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (kept.length > 0) {
      const batch = kept.slice(0, BATCH);
      const counted = await insert(deps, batch);
      kept = kept.slice(batch.length);
      if (counted.length > 0) deps.onCounted?.(counted);
    }
  }

  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(write);
    return writing;
  }

  /** Runs only while there is something to write: an idle process does nothing. */
  async function tick(): Promise<void> {
    while (kept.length > 0 && !closing.signal.aborted) {
      await deps.clock.sleep(FLUSH_EVERY_MS, closing.signal);
      await flush().catch((error) => deps.log.error({ err: error, kept: kept.length }, 'clicks could not be written'));
    }
    ticking = null;
  }

  return {
    record(click) {
      if (kept.length >= KEPT_AT_MOST) kept = kept.slice(KEPT_AT_MOST / 10);
      kept.push(click);
      ticking ??= tick();
    },
    flush,
    async close() {
      closing.abort();
      await ticking;
      await flush();
    },
  };
}

/** Answers the creators whose messages got their first click. A delivery of another link's automation is left out. */
async function insert(deps: ClickDeps, clicks: Click[]): Promise<string[]> {
  const rows = clicks.map((click) => ({
    creator_id: click.creatorId,
    id: deps.ids.uuid(click.at),
    link_id: click.linkId,
    delivery_id: click.deliveryId,
    clicked_at: click.at,
    not_counted_because: click.notCountedBecause,
  }));
  const result = await sql<{ creator_id: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}) as g (creator_id uuid, id uuid, link_id uuid,
        delivery_id uuid, clicked_at timestamptz, not_counted_because text)
    ), inserted as (
      insert into clicks (creator_id, id, link_id, delivery_id, clicked_at, not_counted_because)
      select g.creator_id, g.id, g.link_id, d.id, g.clicked_at, g.not_counted_because
      from given g
      -- Gone with its automation's creator in the meantime: nobody to count for.
      join links l on l.creator_id = g.creator_id and l.id = g.link_id
      left join deliveries d on d.creator_id = g.creator_id and d.id = g.delivery_id and d.automation_id = l.automation_id
      returning creator_id, delivery_id, clicked_at, not_counted_because
    ), first_clicks as (
      select creator_id, delivery_id, min(clicked_at) as at
      from inserted
      where delivery_id is not null and not_counted_because is null
      group by 1, 2
    )
    update deliveries d set clicked_at = f.at
    from first_clicks f
    where d.creator_id = f.creator_id and d.id = f.delivery_id and d.clicked_at is null
    returning d.creator_id
  `.execute(deps.db.engine);
  return [...new Set(result.rows.map((row) => row.creator_id))];
}
