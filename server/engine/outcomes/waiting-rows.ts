/** Messages about those who wait, and their order. */
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Reason } from '#contract/outcomes.ts';
import { type Querying, queryRows } from '#server/db/query-rows.ts';
import type { Tables } from '#server/db/types.ts';

/**
 * Those whose answer stands in the queue of these connections now wait for something else.
 *
 * @param change.from only those who wait for one of these; null for all
 * @param change.privateReplies only the answers that a creator can hold back
 */
export async function tellWaiting(
  db: Querying,
  connectionIds: string[],
  { from, to, privateReplies = false }: { from: Reason[] | null; to: Reason; privateReplies?: boolean },
  now: Date,
): Promise<void> {
  await queryRows(
    db,
    `update interactions i set reason = $2, waiting_until = null, outcome_at = $3
    from deliveries d
    where d.connection_id = any($1::uuid[]) and d.listed_as = 'queued'
      and ${privateReplies ? `d.lane = 'private_replies'` : `d.kind <> 'public_reply'`}
      and i.creator_id = d.creator_id and i.id = d.interaction_id and i.outcome = 'waiting' and i.reason <> $2
      and ($4::text[] is null or i.reason = any($4))`,
    [connectionIds, to, now, from],
  );
}

/** The comments of this post go first, all others in their turn. */
export async function putFirst(
  trx: Kysely<Tables>,
  connection: { creatorId: string; connectionId: string },
  postId: string | null,
  priority: number,
): Promise<void> {
  await sql`
    update deliveries d set priority = case when i.post_id = ${postId}::text then ${priority}::int else 0 end
    from interactions i
    where d.creator_id = ${connection.creatorId} and d.connection_id = ${connection.connectionId}
      and d.lane = 'private_replies' and d.listed_as = 'queued' and d.priority in (0, ${priority}::int)
      and i.creator_id = d.creator_id and i.id = d.interaction_id
      and (d.priority <> 0) <> coalesce(i.post_id = ${postId}::text, false)
  `.execute(trx);
}

/** Marks what was queued for these comments. Answers for how many people something is. */
export async function markCaughtUp(
  client: pg.ClientBase,
  catchUp: { creatorId: string; id: string },
  connectionId: string,
  platformIds: string[],
): Promise<number> {
  const { rowCount } = await client.query(
    `update deliveries d set catch_up_id = $2
     from interactions i
     where i.creator_id = $1 and i.connection_id = $3 and i.platform_id = any($4)
       and d.creator_id = i.creator_id and d.interaction_id = i.id and d.listed_as = 'queued' and d.kind <> 'public_reply'`,
    [catchUp.creatorId, catchUp.id, connectionId, platformIds],
  );
  return rowCount ?? 0;
}
