/**
 * Who works which shard. A worker holds a shard's lease for a few seconds at a time; every statement that starts an
 * outbound call checks the lease in the database, so a worker that fell asleep cannot send after another took over.
 * Lease times are the database's clock, which all workers share.
 *
 * Workers share the shards evenly. Each one knows its share from the heartbeats of all: it takes free shards up to it,
 * and gives back what it has beyond it, once what is under way there is finished.
 */
import type pg from 'pg';
import type { EngineTransaction } from '#server/db/transaction.ts';

/**
 * After a kill -9 the shards of a worker are taken by others when its lease has run out, at their next renewal: at most
 * ten seconds.
 */
export const LEASE_SECONDS = 8;
export const RENEW_EVERY_MS = 2000;

/**
 * Says that the worker lives, and renews the leases it has.
 *
 * @returns shards held now, and how many would be its fair share of all
 */
export async function renewShards(pool: pg.Pool, workerId: string): Promise<{ held: number[]; share: number }> {
  const { rows } = await pool.query<{ held: number[]; shards: number; workers: number; before: number }>({
    name: 'engine-renew-shards',
    text: `
      with gone as (
        delete from worker_heartbeats where seen_at < now() - interval '1 day'
      ), beat as (
        insert into worker_heartbeats (worker_id, seen_at) values ($1, now())
        on conflict (worker_id) do update set seen_at = excluded.seen_at
      ), others as (
        select worker_id from worker_heartbeats
        where worker_id <> $1 and seen_at > now() - make_interval(secs => $2)
      ), own as (
        -- Waited for: a batch under way holds them for a moment.
        select shard from shard_leases where holder = $1 order by shard for update
      ), renewed as (
        -- Not now(): that is before the wait.
        update shard_leases l set expires_at = clock_timestamp() + make_interval(secs => $2)
        from own where l.shard = own.shard
        returning l.shard
      )
      select coalesce((select array_agg(shard order by shard) from renewed), '{}') as held,
        (select count(*)::int from shard_leases) as shards,
        (select count(*)::int from others) + 1 as workers,
        (select count(*)::int from others where worker_id < $1) as before`,
    values: [workerId, LEASE_SECONDS],
  });
  const { held, shards, workers, before } = rows[0]!;
  // The remainder goes to the first ones, so that all shares together are all shards.
  return { held, share: Math.floor(shards / workers) + (before < shards % workers ? 1 : 0) };
}

/** Takes up to `most` shards that nobody holds, or whose holder fell silent. Answers which. */
export async function takeShards(pool: pg.Pool, workerId: string, most: number): Promise<number[]> {
  const { rows } = await pool.query<{ shard: number }>(
    `with free as (
       select shard from shard_leases
       where holder is distinct from $1 and expires_at < now()
       order by shard limit $2
       for update skip locked
     )
     update shard_leases l
     set holder = $1, expires_at = clock_timestamp() + make_interval(secs => $3), fence = fence + 1
     from free where l.shard = free.shard
     returning l.shard`,
    [workerId, most, LEASE_SECONDS],
  );
  return rows.map((row) => row.shard);
}

/**
 * Ends every lease and forgets every other worker: only where nobody else can be alive, as on an embedded database that
 * this process started. Shards it held are free to be taken.
 */
export async function endLeases(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query('delete from worker_heartbeats where worker_id <> $1', [workerId]);
  await pool.query(`update shard_leases set holder = null, expires_at = '-infinity' where holder is distinct from $1`, [
    workerId,
  ]);
}

/** Gives shards back, so that another worker goes on with them at once. */
export async function giveBackShards(pool: pg.Pool, workerId: string, shards: number[]): Promise<void> {
  await pool.query(
    `update shard_leases set holder = null, expires_at = '-infinity' where holder = $1 and shard = any($2::smallint[])`,
    [workerId, shards],
  );
}

/** The worker ends: all its shards are free, and the others count without it. */
export async function leave(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query(
    `with gone as (delete from worker_heartbeats where worker_id = $1)
     update shard_leases set holder = null, expires_at = '-infinity' where holder = $1`,
    [workerId],
  );
}

/** Part of a transaction that works off events: stops it when the lease is gone, and keeps the lease until it commits. */
export async function confirmLease(trx: EngineTransaction, workerId: string, shards: number[]): Promise<void> {
  const { rows } = await trx.query<{ held: number }>({
    name: 'engine-confirm-lease',
    text: `select count(*)::int as held from (
             select from shard_leases where shard = any($1::smallint[]) and holder = $2 and expires_at > now() for share
           ) held`,
    values: [shards, workerId],
  });
  if (rows[0]!.held !== shards.length) throw new LeaseLostError();
}

export class LeaseLostError extends Error {
  constructor() {
    super('Another worker holds this shard now.');
  }
}
