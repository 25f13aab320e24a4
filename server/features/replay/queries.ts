import { sql } from 'kysely';
import type { Trigger } from '#contract/automations.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

export type Position = { position: string; id: string };
export type CommentRow = Position & {
  text: string;
  username: string | null;
  personId: string;
  postId: string | null;
  occurredAt: Date;
};

/** Followers' comments, newest first; the creator's own left out. */
export async function findComments(
  trx: CreatorTransaction,
  creatorId: string,
  filter: { connectionId: string; kind: Trigger; postId: string | null; since: Date },
  page: { after: Position | null; limit: number },
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select id, text, username, person_id as "personId", post_id as "postId", occurred_at as "occurredAt",
      occurred_at::text as position
    from interactions
    where creator_id = ${creatorId} and connection_id = ${filter.connectionId} and kind = ${filter.kind}
      and occurred_at >= ${filter.since} and reason <> 'own_comment'
      ${filter.postId === null ? sql`` : sql`and post_id = ${filter.postId}`}
      ${
        page.after === null
          ? sql``
          : sql`and (occurred_at, id) < (${page.after.position}::timestamptz, ${page.after.id}::uuid)`
      }
    order by occurred_at desc, id desc
    limit ${page.limit}
  `.execute(trx);
  return rows;
}
