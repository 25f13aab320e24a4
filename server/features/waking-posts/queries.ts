import { sql } from 'kysely';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { automationState, pictureAddress } from '#server/features/posts/shown-posts.ts';
import type { PostRow } from '#server/features/prepared-posts/prepared-posts.ts';

export type BusyPost = { creatorId: string; postId: string; comments: number; before: number };

/** Posts from before `postedBefore` that no automation answers and that got some comments since `since`, of all creators. */
export async function findBusy(
  db: Database,
  times: { since: Date; comparedFrom: Date; postedBefore: Date; fewest: number },
): Promise<BusyPost[]> {
  const { rows } = await sql<BusyPost>`
    select p.creator_id as "creatorId", p.id as "postId", recent.comments, (
      select count(*) from interactions i
      where i.creator_id = p.creator_id and i.post_id = p.id and i.kind = 'comment' and i.reason <> 'own_comment'
        and i.occurred_at >= ${times.comparedFrom} and i.occurred_at < ${times.since}
    ) as before
    from creators cr
    cross join lateral (
      select i.post_id, count(*) as comments from interactions i
      where i.creator_id = cr.id and i.occurred_at >= ${times.since} and i.kind = 'comment'
        and i.post_id is not null and i.reason <> 'own_comment'
      group by i.post_id having count(*) >= ${times.fewest}
    ) recent
    join posts p on p.creator_id = cr.id and p.id = recent.post_id
    where cr.delete_at is null and p.posted_at < ${times.postedBefore} and p.gone_at is null
      and ${automationState} <> 'on'
  `.execute(db.engine);
  return rows;
}

/** The newest of what was written under it. */
export async function findTexts(db: Database, post: BusyPost, since: Date, limit: number): Promise<string[]> {
  const rows = await db.engine
    .selectFrom('interactions')
    .select('text')
    .where('creator_id', '=', post.creatorId)
    .where('post_id', '=', post.postId)
    .where('kind', '=', 'comment')
    .where('reason', '<>', 'own_comment')
    .where('occurred_at', '>=', since)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ text }) => text);
}

/** True when it was not known to be awake. */
export async function noteAwake(
  db: Database,
  post: { creatorId: string; postId: string; comments: number; usual: number; asking: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ added: boolean }>`
    insert into waking_posts (creator_id, post_id, found_at, seen_at, comments, usual, asking)
    values (${post.creatorId}, ${post.postId}, ${now}, ${now}, ${post.comments}, ${post.usual}, ${post.asking})
    on conflict (creator_id, post_id) do update set seen_at = excluded.seen_at, comments = excluded.comments,
      usual = excluded.usual, asking = excluded.asking
    returning xmax = 0 as added
  `.execute(db.engine);
  return rows[0]!.added;
}

/** Those that were last seen awake before. Answers whose they were. */
export async function forgetAsleep(db: Database, seenBefore: Date): Promise<string[]> {
  const rows = await db.engine
    .deleteFrom('waking_posts')
    .where('seen_at', '<', seenBefore)
    .returning('creator_id')
    .execute();
  return [...new Set(rows.map((row) => row.creator_id))];
}

export type WakingRow = PostRow & {
  connectionId: string;
  foundAt: Date;
  comments: number;
  usual: number;
  asking: number;
};

/** Those that the creator still has to hear of: an automation that answers there meanwhile settles it. */
export async function findWaking(trx: CreatorTransaction, creatorId: string): Promise<WakingRow[]> {
  const { rows } = await sql<WakingRow>`
    select p.id, p.caption, ${pictureAddress} as "pictureUrl", p.permalink, p.posted_at, p.connection_id as "connectionId",
      w.found_at as "foundAt", w.comments, w.usual, w.asking
    from waking_posts w join posts p on p.creator_id = w.creator_id and p.id = w.post_id
    where w.creator_id = ${creatorId} and w.dismissed_at is null and p.gone_at is null and ${automationState} <> 'on'
    order by w.asking desc, w.comments desc, p.id
    limit 20
  `.execute(trx);
  return rows;
}

/** Prepared automations that wait, by connection. */
export async function findWaitingAutomations(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('automations')
    .select(['id', 'name', 'connection_id'])
    .where('creator_id', '=', creatorId)
    .where('archived_at', 'is', null)
    .where('switched_on_at', 'is not', null)
    .where('trigger', '=', 'comment')
    .where('scope', 'in', ['next', 'caption'])
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute();
}

export async function dismiss(trx: CreatorTransaction, creatorId: string, postId: string, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable('waking_posts')
    .set({ dismissed_at: now })
    .where('creator_id', '=', creatorId)
    .where('post_id', '=', postId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
