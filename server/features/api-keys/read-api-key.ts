/** Whose API key this is. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import type { PluginCaller } from '#server/http/sessions.ts';

const NOTED_EVERY_MS = 60_000;

export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/**
 * Null for a key that is wrong or has ended. Looked up by its hash: how long that takes tells nothing about a key. That it was
 * used is noted once a minute.
 */
export async function readApiKey(db: Kysely<Tables>, key: string, now: Date): Promise<PluginCaller | null> {
  const { rows } = await sql<{ id: string; creator_id: string; handle: string; site_id: string | null }>`
    with found as (
      select k.creator_id, k.id, k.last_used_at, c.handle, s.id as site_id
      from api_keys k join creators c on c.id = k.creator_id
        left join sites s on s.creator_id = k.creator_id and s.is_live
      where k.key_hash = ${hashOfKey(key)} and k.ended_at is null
    ), used as (
      update api_keys k set last_used_at = ${now} from found f
      where k.creator_id = f.creator_id and k.id = f.id
        and (f.last_used_at is null or f.last_used_at < ${new Date(now.getTime() - NOTED_EVERY_MS)})
    )
    select * from found
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const site = row.site_id === null ? null : { id: row.site_id };
  return { keyId: row.id, creatorId: row.creator_id, handle: row.handle, site };
}
