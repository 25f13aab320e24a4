/**
 * Who works which shard. A worker holds a shard's lease for a few seconds at a time; every statement that starts an
 * outbound call checks the lease in the database, so a worker that fell asleep cannot send after another took over.
 * Lease times are the database's clock, which all workers share.
 */
import type pg from 'pg';

export const LEASE_SECONDS = 10;
export const RENEW_EVERY_MS = 3000;

/**
 * Takes free and run-out shards and renews the worker's own.
 *
 * @param takeOver also takes shards that somebody else holds: only where nobody else can be alive, as on an
 *   embedded database that this process started
 * @returns shards held now, and those that changed hands to this worker just now
 */
export async function holdShards(
  pool: pg.Pool,
  workerId: string,
  takeOver: boolean,
): Promise<{ held: number[]; gained: number[] }> {
  const { rows } = await pool.query<{ shard: number; gained: boolean }>(
    // Its own are waited for: a batch under way holds them for a moment. Others' are left to whoever is at them.
    `with own as (
       select shard, holder from shard_leases where holder = $1 order by shard for update
     ), others as (
       select shard, holder from shard_leases
       where holder is distinct from $1 and (expires_at < now() or $2)
       order by shard for update skip locked
     ), before as (
       select * from own union all select * from others
     )
     update shard_leases l
     set holder = $1, expires_at = now() + make_interval(secs => $3),
         fence = fence + case when before.holder is distinct from $1 then 1 else 0 end
     from before where l.shard = before.shard
     returning l.shard, before.holder is distinct from $1 as gained`,
    [workerId, takeOver, LEASE_SECONDS],
  );
  return {
    held: rows.map((row) => row.shard),
    gained: rows.filter((row) => row.gained).map((row) => row.shard),
  };
}

/** Gives the shards back, so that another worker goes on at once. */
export async function releaseShards(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query(`update shard_leases set holder = null, expires_at = '-infinity' where holder = $1`, [workerId]);
}

/** Part of a transaction that works off events: stops it when the lease is gone, and keeps the lease until it commits. */
export async function confirmLease(trx: pg.PoolClient, workerId: string, shards: number[]): Promise<void> {
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

export async function beat(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query(
    `with gone as (delete from worker_heartbeats where seen_at < now() - interval '1 day')
     insert into worker_heartbeats (worker_id, seen_at) values ($1, now())
     on conflict (worker_id) do update set seen_at = excluded.seen_at`,
    [workerId],
  );
}
