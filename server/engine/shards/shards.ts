/**
 * The work is split into 16 shards by platform account, so that everything about one account is worked in one place.
 * `connections.shard` in the database is computed the same way.
 */
import { createHash } from 'node:crypto';

const known = new Map<string, number>();
const KNOWN_AT_MOST = 50_000;

export function shardOf(accountId: string): number {
  const cached = known.get(accountId);
  if (cached !== undefined) return cached;
  const shard = createHash('md5').update(accountId).digest()[0]! >> 4;
  if (known.size >= KNOWN_AT_MOST) known.clear();
  known.set(accountId, shard);
  return shard;
}

/** Events that name no account belong to shard 0. */
export function shardOfEvent(event: { accountId: string | null }): number {
  return event.accountId === null ? 0 : shardOf(event.accountId);
}
