import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { isOutcome, readCounts, sumOf } from '#server/engine/outcomes/counts.ts';

/** Posts that nobody reads yet; those from before our time spread over a day. */
export async function addPosts(db: Database, now: Date): Promise<void> {
  await sql`
    with planned as (
      update posts p set reading_planned = true
      from connections c
      where not p.reading_planned and p.gone_at is null
        and c.creator_id = p.creator_id and c.id = p.connection_id and c.disconnected_at is null
      returning p.creator_id, p.id, p.connection_id, p.posted_at
    )
    insert into comment_readings (creator_id, post_id, connection_id, next_at)
    select creator_id, id, connection_id,
      case when posted_at > ${now}::timestamptz - interval '8 days' then ${now}::timestamptz
      else ${now}::timestamptz + make_interval(secs => abs(hashtext(id)) % 86400) end
    from planned
    on conflict (creator_id, post_id) do nothing
  `.execute(db.engine);
}

/** After a reconnect, a pause or a lost subscription the posts of the last month are read at once. Answers how many. */
export async function noticeRecoveries(db: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with changed as (
      select c.creator_id, c.id, c.held_up, c.repaired_at,
        r.held_up is not null
          and ((r.held_up and not c.held_up) or c.repaired_at > coalesce(r.repaired_at, '-infinity')) as recovered
      from (
        select creator_id, id, requires_auth_at is not null or webhooks_paused_at is not null as held_up,
          webhooks_repaired_at as repaired_at
        from connections where disconnected_at is null
      ) as c
      left join reading_states r on r.creator_id = c.creator_id and r.connection_id = c.id
      -- Thousands of connections are as they were: those are not even touched.
      where r.creator_id is null or r.held_up <> c.held_up or r.repaired_at is distinct from c.repaired_at
    ), noted as (
      insert into reading_states (creator_id, connection_id, held_up, repaired_at)
      select creator_id, id, held_up, repaired_at from changed
      on conflict (creator_id, connection_id) do update set held_up = excluded.held_up, repaired_at = excluded.repaired_at
    ), soon as (
      update comment_readings m set next_at = ${now}, failures = 0
      from changed r, posts p
      where r.recovered and m.creator_id = r.creator_id and m.connection_id = r.id
        and p.creator_id = m.creator_id and p.id = m.post_id
        and p.posted_at > ${now}::timestamptz - interval '30 days'
      returning 1
    )
    select count(*)::int as count from soon
  `.execute(db.engine);
  return rows[0]?.count ?? 0;
}

export type DueReading = {
  creatorId: string;
  connectionId: string;
  postId: string;
  platform: 'instagram' | 'facebook';
  accountId: string;
  connectedAt: Date;
  /** Comments from before it were deleted here because of their age; null: nothing. */
  historyFrom: Date | null;
  postedAt: Date;
  commentsCount: number | null;
  platformCounted: number | null;
  readTo: Date | null;
  cursor: string | null;
  startedAt: Date | null;
  readsWhole: boolean;
  listedSoFar: number;
  wholeAt: Date | null;
  failures: number;
};

/** Takes what is due, youngest posts first, and leaves it alone until `againAt`, should this worker die. */
export async function claimDue(
  db: Database,
  claim: { now: Date; againAt: Date; limit: number },
): Promise<DueReading[]> {
  const { rows } = await sql<DueReading>`
    with due as (
      select r.creator_id, r.post_id from comment_readings r
      join connections c on c.creator_id = r.creator_id and c.id = r.connection_id
      join posts p on p.creator_id = r.creator_id and p.id = r.post_id
      where r.next_at <= ${claim.now} and p.gone_at is null and c.disconnected_at is null and c.requires_auth_at is null
        and c.webhooks_paused_at is null
        and not exists (
          select from lane_states l where l.creator_id = c.creator_id and l.connection_id = c.id and l.lane = 'reads'
            and l.closed_until > ${claim.now}
        )
      order by p.posted_at desc limit ${claim.limit}
    )
    update comment_readings r set next_at = ${claim.againAt}
    from due d, connections c, posts p, creators k
    where r.creator_id = d.creator_id and r.post_id = d.post_id and c.creator_id = r.creator_id and c.id = r.connection_id
      and p.creator_id = r.creator_id and p.id = r.post_id and k.id = r.creator_id
    returning r.creator_id as "creatorId", r.connection_id as "connectionId", r.post_id as "postId", c.platform,
      c.account_id as "accountId", c.connected_at as "connectedAt", k.history_from as "historyFrom", p.posted_at as "postedAt",
      p.comments_count as "commentsCount", r.platform_counted as "platformCounted", r.read_to as "readTo", r.cursor,
      r.started_at as "startedAt", r.reads_whole as "readsWhole", r.listed_so_far as "listedSoFar",
      r.whole_at as "wholeAt", r.failures
  `.execute(db.engine);
  return rows.sort((a, b) => b.postedAt.getTime() - a.postedAt.getTime());
}

/** Which of these comments are interactions already, those of erased people included. */
export async function findKnown(
  db: Database,
  { creatorId, connectionId }: { creatorId: string; connectionId: string },
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${ids}::text[]) as given(id)
    where exists (
      select from interactions i
      where i.connection_id = ${connectionId}
        and i.platform_id in (given.id, erased_platform_id(${creatorId}, ${connectionId}, given.id))
    )
  `.execute(db.engine);
  return new Set(rows.map(({ id }) => id));
}

/** From the counters: also those whose rows are deleted because of their age; and those not counted while they go out. */
export async function countSeen(
  db: Database,
  { creatorId, connectionId, postId }: { creatorId: string; connectionId: string; postId: string },
): Promise<number> {
  const counts = await db.withCreator(creatorId, (trx) => readCounts(trx, creatorId, 'post', [postId]));
  const { rows } = await sql<{ count: number }>`
    select count(distinct i.id)::int as count
    from deliveries_under_way() as under_way(id)
    join deliveries d on d.id = under_way.id
    join interactions i on i.id = d.interaction_id
    where d.creator_id = ${creatorId} and d.connection_id = ${connectionId} and d.state = 'sending'
      and i.post_id = ${postId} and i.reason = 'sending' and i.kind in ('comment', 'live_comment')
  `.execute(db.engine);
  return sumOf(counts.get(postId), isOutcome) + rows[0]!.count;
}

export type ReadingChange = {
  next_at: Date;
  read_to?: Date | null;
  cursor?: string | null;
  started_at?: Date | null;
  reads_whole?: boolean;
  listed_so_far?: number;
  whole_at?: Date;
  listed?: number;
  platform_counted?: number | null;
  seen?: number;
  failures?: number;
};

export async function record(
  db: Database,
  reading: { creatorId: string; postId: string },
  change: ReadingChange,
): Promise<void> {
  await db.engine
    .updateTable('comment_readings')
    .set(change)
    .where('creator_id', '=', reading.creatorId)
    .where('post_id', '=', reading.postId)
    .execute();
}

/** The platform wants us to stop reading for a while. */
export async function closeReads(
  db: Database,
  connection: { creatorId: string; connectionId: string },
  until: Date,
  now: Date,
): Promise<void> {
  await sql`
    insert into lane_states (creator_id, connection_id, lane, closed_until, closed_reason, updated_at)
    values (${connection.creatorId}, ${connection.connectionId}, 'reads', ${until}, 'rate_limited', ${now})
    on conflict (creator_id, connection_id, lane) do update set
      closed_until = greatest(lane_states.closed_until, excluded.closed_until), closed_reason = excluded.closed_reason,
      updated_at = excluded.updated_at
  `.execute(db.engine);
}
