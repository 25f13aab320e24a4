import { type Kysely, sql } from 'kysely';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import type { Forecast, Waiting } from './forecast.ts';

export type QueueRow = {
  connection_id: string;
  creator_id: string;
  platform: 'instagram' | 'facebook';
  username: string;
  requires_auth: boolean;
  platform_paused: boolean;
  policy_blocked: boolean;
  closed_until: Date | null;
  closed_reason: string | null;
  paused_at: Date | null;
  slowed_to_percent: number | null;
  slowed_until: Date | null;
  sorted: 'deadline' | 'newest' | null;
  first_post_id: string | null;
  forecast: Forecast | null;
  made_at: Date | null;
};

/** Connections with what is known of their queues. */
export async function findQueues(
  trx: CreatorTransaction | Kysely<Tables>,
  of: { creatorId: string; connectionId?: string },
  now: Date,
): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select c.creator_id, c.id as connection_id, c.platform, c.username, c.requires_auth_at is not null as requires_auth,
      c.webhooks_paused_at is not null as platform_paused, c.policy_blocked, l.closed_until, l.closed_reason,
      q.paused_at, q.slowed_to_percent, q.slowed_until, q.sorted, q.first_post_id, f.forecast, f.made_at
    from connections c
    left join queue_controls q on q.creator_id = c.creator_id and q.connection_id = c.id
    left join queue_forecasts f on f.creator_id = c.creator_id and f.connection_id = c.id
    left join lane_states l on l.creator_id = c.creator_id and l.connection_id = c.id and l.lane = 'private_replies'
      and l.closed_until > ${now}
    where c.creator_id = ${of.creatorId} and c.disconnected_at is null
      ${of.connectionId === undefined ? sql`` : sql`and c.id = ${of.connectionId}`}
    order by c.connected_at, c.id
  `.execute(trx);
  return rows;
}

/**
 * Everybody whose private reply is queued, grouped, in the order in which the lane claims them. Their posts have to be
 * looked up one by one; `ofAnyPost` leaves them out (`postId` null).
 */
export async function findWaiting(
  trx: Kysely<Tables>,
  connection: { creatorId: string; connectionId: string },
  { sorted, ofAnyPost = false }: { sorted: 'deadline' | 'newest'; ofAnyPost?: boolean },
): Promise<Waiting[]> {
  const postId = ofAnyPost ? sql`null::text` : sql`i.post_id`;
  const interactions = ofAnyPost
    ? sql``
    : sql`join interactions i on i.creator_id = d.creator_id and i.id = d.interaction_id`;
  const order = sorted === 'deadline' ? sql`min(d.expires_at)` : sql`min(d.expires_at) desc`;
  const { rows } = await sql<Waiting>`
    select ${postId} as "postId", d.priority, count(*)::int as count,
      (extract(epoch from min(d.expires_at)) * 1000)::float8 as "expiresFromMs",
      (extract(epoch from max(d.expires_at)) * 1000)::float8 as "expiresToMs"
    from deliveries d ${interactions}
    where d.connection_id = ${connection.connectionId} and d.creator_id = ${connection.creatorId}
      and d.lane = 'private_replies' and d.listed_as = 'queued' and d.held_from is null
    group by 1, d.priority, date_trunc('minute', d.expires_at)
    order by d.priority desc, ${order}
  `.execute(trx);
  return rows;
}

/** Calls that count against the hour, oldest first. */
export async function findRecentCalls(
  trx: Kysely<Tables>,
  connection: { creatorId: string; connectionId: string },
  since: Date,
): Promise<number[]> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from called_at) * 1000)::float8 as at from deliveries
    where connection_id = ${connection.connectionId} and creator_id = ${connection.creatorId}
      and lane = 'private_replies' and called_at > ${since}
    order by called_at
  `.execute(trx);
  return rows.map(({ at }) => at);
}

/**
 * Connections that something waits on, or did when last looked at. Goes from one connection in the index of what is queued
 * to the next, so that those where nobody waits cost nothing.
 */
export async function findToForecast(db: Database): Promise<{ creatorId: string; connectionId: string }[]> {
  const { rows } = await sql<{ creatorId: string; connectionId: string }>`
    with recursive queued as (
      (select connection_id from deliveries where listed_as = 'queued' order by connection_id limit 1)
      union all
      select next.connection_id from queued cross join lateral (
        select connection_id from deliveries
        where listed_as = 'queued' and connection_id > queued.connection_id order by connection_id limit 1
      ) as next
    ), wanted as (
      select connection_id from queued where exists (
        select from deliveries d
        where d.connection_id = queued.connection_id and d.lane = 'private_replies' and d.listed_as = 'queued'
      )
      union
      select connection_id from queue_forecasts
    )
    select c.creator_id as "creatorId", c.id as "connectionId"
    from wanted join connections c on c.id = wanted.connection_id
    where c.disconnected_at is null
  `.execute(db.engine);
  return rows;
}

/** Connections of the creator that something waits on without a forecast. */
export async function findUnforecast(trx: CreatorTransaction, creatorId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from connections c
    where c.creator_id = ${creatorId} and c.disconnected_at is null and exists (
      select from deliveries d
      where d.creator_id = c.creator_id and d.connection_id = c.id and d.lane = 'private_replies' and d.listed_as = 'queued'
    ) and not exists (
      select from queue_forecasts f where f.creator_id = c.creator_id and f.connection_id = c.id
    )
  `.execute(trx);
  return rows.map(({ id }) => id);
}

export async function storeForecast(
  trx: Kysely<Tables>,
  connection: { creatorId: string; connectionId: string },
  forecast: Forecast | null,
  now: Date,
): Promise<void> {
  if (forecast === null) {
    await trx
      .deleteFrom('queue_forecasts')
      .where('creator_id', '=', connection.creatorId)
      .where('connection_id', '=', connection.connectionId)
      .execute();
    return;
  }
  await trx
    .insertInto('queue_forecasts')
    .values({
      creator_id: connection.creatorId,
      connection_id: connection.connectionId,
      forecast: JSON.stringify(forecast),
      made_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['creator_id', 'connection_id'])
        .doUpdateSet({ forecast: JSON.stringify(forecast), made_at: now }),
    )
    .execute();
}

export type ControlChange = {
  paused_at?: Date | null;
  slowed_to_percent?: number | null;
  slowed_until?: Date | null;
  sorted?: 'deadline' | 'newest';
  first_post_id?: string | null;
};

export async function changeControl(
  trx: CreatorTransaction,
  connection: { creatorId: string; connectionId: string },
  change: ControlChange,
  by: { userId: string; now: Date },
): Promise<void> {
  const row = { ...change, changed_by: by.userId, changed_at: by.now };
  await trx
    .insertInto('queue_controls')
    .values({ creator_id: connection.creatorId, connection_id: connection.connectionId, ...row })
    .onConflict((conflict) => conflict.columns(['creator_id', 'connection_id']).doUpdateSet(row))
    .execute();
}

export async function hasPost(
  trx: CreatorTransaction,
  connection: { creatorId: string; connectionId: string },
  postId: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('posts')
    .select('id')
    .where('creator_id', '=', connection.creatorId)
    .where('connection_id', '=', connection.connectionId)
    .where('id', '=', postId)
    .executeTakeFirst();
  return row !== undefined;
}

export type ExpiringRow = {
  id: string;
  position: string;
  interaction_id: string;
  post_id: string | null;
  username: string | null;
  text: string;
  expires_at: Date;
};

/** Of those who stand together the ones called last; whose deadline comes first stand first. */
export async function findLost(
  trx: CreatorTransaction,
  connection: { creatorId: string; connectionId: string },
  lost: Forecast['lost'],
  sorted: 'deadline' | 'newest',
  page: { after: PagePosition | null; limit: number },
): Promise<ExpiringRow[]> {
  const groups = lost.map((group) => ({
    post_id: group.postId,
    priority: group.priority,
    expires_from: new Date(group.expiresFromMs),
    // Times of the database are finer than ours.
    expires_to: new Date(group.expiresToMs + 1),
    count: group.count,
  }));
  const last = sorted === 'deadline' ? sql`d.expires_at desc, d.id desc` : sql`d.expires_at, d.id`;
  const after =
    page.after === null
      ? sql``
      : sql`where (who.expires_at, who.id) > (${page.after.at}::timestamptz, ${page.after.id}::uuid)`;
  const { rows } = await sql<ExpiringRow>`
    select who.*, who.expires_at::text as position
    from json_to_recordset(${JSON.stringify(groups)}) as g (post_id text, priority smallint, expires_from timestamptz,
      expires_to timestamptz, count int)
    cross join lateral (
      select d.id, d.interaction_id, i.post_id, i.username, i.text, d.expires_at
      from deliveries d join interactions i on i.creator_id = d.creator_id and i.id = d.interaction_id
      where d.creator_id = ${connection.creatorId} and d.connection_id = ${connection.connectionId}
        and d.lane = 'private_replies' and d.listed_as = 'queued' and d.priority = g.priority
        and d.expires_at between g.expires_from and g.expires_to and i.post_id is not distinct from g.post_id
      order by ${last}
      limit g.count
    ) as who
    ${after}
    order by who.expires_at, who.id
    limit ${page.limit}
  `.execute(trx);
  return rows;
}
