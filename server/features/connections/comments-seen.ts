/**
 * How the comments of connected accounts have reached us: whether Meta sends them to an app without App Review, and whether it lists
 * them, is disputed (docs/meta-app.md). This counts what happened.
 */
import { sql } from 'kysely';
import type { Connection } from '#contract/connections.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

type Row = {
  connectionId: string;
  comments: number;
  byReading: number;
  platformCounts: number;
  listed: number;
  lastByWebhookAt: Date | null;
};

/** How far back the last webhook is looked for: with none, every comment of that time has to be looked at. */
const LOOKED_BACK_MS = 7 * 24 * 3600_000;

/** By connection. Comments whose rows are deleted because of their age count too. */
export async function findCommentsSeen(
  trx: CreatorTransaction,
  creatorId: string,
  now: Date,
): Promise<Map<string, Connection['comments']>> {
  const since = new Date(now.getTime() - LOOKED_BACK_MS);
  const { rows } = await sql<Row>`
    with seen as (
      select p.connection_id, sum(o.count) as count from (
        select counted_id as post_id, count from outcome_counts
        where creator_id = ${creatorId} and counted_by = 'post' and counted not in ('opened', 'clicked', 'matched')
        union all
        select post_id, change from outcome_deltas
        where creator_id = ${creatorId} and post_id is not null and counted not in ('opened', 'clicked', 'matched')
      ) as o
      join posts p on p.creator_id = ${creatorId} and p.id = o.post_id
      group by p.connection_id
    ), found as (
      select p.connection_id, count(*) as count from interactions i
      join posts p on p.creator_id = i.creator_id and p.id = i.post_id
      where i.creator_id = ${creatorId} and i.found_by_reading
      group by p.connection_id
    ), readings as (
      select connection_id, sum(found_before) as found_before, sum(listed) as listed, sum(platform_counted) as counted
      from comment_readings where creator_id = ${creatorId}
      group by connection_id
    )
    select c.id as "connectionId", coalesce(seen.count, 0)::int as comments,
      (coalesce(found.count, 0) + coalesce(r.found_before, 0))::int as "byReading",
      coalesce(r.counted, 0)::int as "platformCounts", coalesce(r.listed, 0)::int as listed,
      (
        select i.received_at from interactions i
        where i.creator_id = ${creatorId} and i.connection_id = c.id and i.received_at > ${since}
          and i.kind in ('comment', 'live_comment') and not i.found_by_reading
        order by i.received_at desc limit 1
      ) as "lastByWebhookAt"
    from connections c
    left join seen on seen.connection_id = c.id
    left join found on found.connection_id = c.id
    left join readings r on r.connection_id = c.id
    where c.creator_id = ${creatorId}
  `.execute(trx);
  return new Map(rows.map((row) => [row.connectionId, shown(row)]));
}

function shown(row: Row): Connection['comments'] {
  const { comments, byReading, platformCounts, listed, lastByWebhookAt } = row;
  const finds = byReading > 0 || listed > 0;
  return {
    // One that just came is counted when it is decided.
    byWebhook: Math.max(comments - byReading, lastByWebhookAt === null ? 0 : 1),
    lastByWebhookAt: lastByWebhookAt?.toISOString() ?? null,
    byReading,
    reading: finds ? 'finds' : platformCounts > 0 ? 'finds_none' : 'nothing_to_find',
    platformCounts,
  };
}
