/**
 * The engine's statements: each works a whole batch, named so that PostgreSQL prepares it once. Rows of what happens for
 * every comment travel by the column (arrays.ts), all others as one JSON text (`json_to_recordset`).
 *
 * Interactions and deliveries are found by their id alone: with the creator beside it, a plan made while the tables were
 * small may take another index of the creator's, and read everything of theirs for each row.
 */

import type pg from 'pg';
import { plainArray, textArray } from '#server/db/arrays.ts';
import type { Closed, LaneKind, QueueControl } from '#server/engine/outcomes/rows.ts';
import { ASKED_BY_META } from '#server/engine/sending/lanes.ts';

type Client = pg.ClientBase | pg.Pool;

/** Which of these interactions are there already, by `connectionId platformId`. */
export async function findKnown(
  client: Client,
  keys: { connection_id: string; platform_id: string }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ connection_id: string; platform_id: string }>({
    name: 'engine-find-known',
    text: `select i.connection_id, i.platform_id
           from unnest($1::uuid[], $2::text[]) as g(connection_id, platform_id)
           join interactions i on i.connection_id = g.connection_id and i.platform_id = g.platform_id`,
    values: [plainArray(keys.map((key) => key.connection_id)), textArray(keys.map((key) => key.platform_id))],
  });
  return new Set(rows.map((row) => `${row.connection_id} ${row.platform_id}`));
}

/** When these people were last answered by automations of their creator, by `automationId personId`. */
export async function findAnswered(
  client: Client,
  people: { creator_id: string; person_id: string }[],
): Promise<Map<string, Date>> {
  if (people.length === 0) return new Map();
  const { rows } = await client.query<{ automation_id: string; person_id: string; answered_at: Date }>({
    name: 'engine-find-answered',
    text: `select a.automation_id, a.person_id, a.answered_at
           from unnest($1::uuid[], $2::text[]) as g(creator_id, person_id)
           join answered_people a on a.creator_id = g.creator_id and a.person_id = g.person_id`,
    values: [plainArray(people.map((one) => one.creator_id)), textArray(people.map((one) => one.person_id))],
  });
  return new Map(rows.map((row) => [`${row.automation_id} ${row.person_id}`, row.answered_at]));
}

/** Which of these connections may not send now, whatever is remembered of them: Meta's webhooks or the queue are paused. */
export async function findHeldUp(client: Client, connectionIds: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'engine-find-held-up',
    text: `select c.id from connections c
           left join queue_controls q on q.creator_id = c.creator_id and q.connection_id = c.id
           where c.id = any($1::uuid[])
             and (c.webhooks_paused_at is not null or c.disconnected_at is not null or q.paused_at is not null)`,
    values: [connectionIds],
  });
  return new Set(rows.map(({ id }) => id));
}

export async function countIgnored(client: Client, day: Date, counts: Map<string, number>): Promise<void> {
  if (counts.size === 0) return;
  await client.query(
    `insert into ignored_events (day, what, count)
     select $1::date, what, count from unnest($2::text[], $3::bigint[]) as g(what, count)
     on conflict (day, what) do update set count = ignored_events.count + excluded.count`,
    [day, [...counts.keys()], [...counts.values()]],
  );
}

/** Meta's latest word counts, in whatever order events came. @returns the creators whose accounts are concerned */
export async function savePolicies(
  client: Client,
  policies: { creator_id: string; connection_id: string; blocked: boolean; reason: string | null; at: Date }[],
): Promise<string[]> {
  for (const { creator_id, connection_id, blocked, reason, at } of policies) {
    await client.query(
      `update connections set policy_blocked = $3, policy_reason = $4, policy_changed_at = $5
       where creator_id = $1 and id = $2 and (policy_changed_at is null or policy_changed_at <= $5)`,
      [creator_id, connection_id, blocked, reason, at],
    );
  }
  return policies.map(({ creator_id }) => creator_id);
}

/** Messages that server/features/catch-up/unread-messages.ts reads and puts into the event log. */
export async function addUnreadMessages(
  client: Client,
  messages: { creator_id: string; connection_id: string; mid: string; standby: boolean; received_at: Date }[],
): Promise<void> {
  if (messages.length === 0) return;
  await client.query(
    `insert into unread_messages (creator_id, connection_id, mid, standby, received_at, next_at)
     select creator_id, connection_id, mid, standby, received_at, received_at
     from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, mid text, standby boolean, received_at timestamptz)
     on conflict (creator_id, connection_id, mid) do nothing`,
    [JSON.stringify(messages)],
  );
}

/** An event that cannot be worked off leaves the log for here, so that it does not hold up the others. */
export async function parkEvent(
  client: Client,
  event: { shard: number; receivedAt: Date; body: string },
  error: string,
): Promise<void> {
  await client.query('insert into parked_events (shard, received_at, body, error) values ($1, $2, $3, $4)', [
    event.shard,
    event.receivedAt,
    event.body,
    error,
  ]);
}

/** Which of these connections are on these shards. */
export async function findConnectionsOn(client: Client, shards: number[], connectionIds: string[]): Promise<string[]> {
  if (connectionIds.length === 0) return [];
  const { rows } = await client.query<{ id: string }>(
    'select id from connections where id = any($1::uuid[]) and shard = any($2::smallint[])',
    [connectionIds, shards],
  );
  return rows.map(({ id }) => id);
}

export async function findClosedLanes(
  client: Client,
  shards: number[],
  now: Date,
): Promise<{ creatorId: string; connectionId: string; lane: LaneKind; closedUntil: Date; reason: string }[]> {
  const { rows } = await client.query(
    `select s.creator_id as "creatorId", s.connection_id as "connectionId", s.lane, s.closed_until as "closedUntil",
            coalesce(s.closed_reason, '') as reason
     from lane_states s join connections c on c.creator_id = s.creator_id and c.id = s.connection_id
     where s.closed_until > $2 and c.shard = any($1::smallint[])`,
    [shards, now],
  );
  return rows;
}

/** The hand of creators on their queues; of these shards, or of one connection. */
export async function findQueueControls(
  client: Client,
  of: { shards: number[] } | { connectionId: string },
): Promise<(QueueControl & { connectionId: string })[]> {
  const { rows } = await client.query<{ id: string; paused: boolean; percent: number | null; until: Date | null }>(
    `select c.id, q.paused_at is not null as paused, q.slowed_to_percent as percent, q.slowed_until as until
     from queue_controls q join connections c on c.creator_id = q.creator_id and c.id = q.connection_id
     where ${'shards' in of ? 'c.shard = any($1::smallint[])' : 'c.id = $1'}`,
    ['shards' in of ? of.shards : of.connectionId],
  );
  return rows.map(({ id, paused, percent, until }) => ({
    connectionId: id,
    paused,
    slowedToPercent: percent,
    slowedUntilMs: until?.getTime() ?? 0,
  }));
}

export async function saveLaneClosed(
  client: Client,
  lane: { creatorId: string; connectionId: string; kind: LaneKind },
  until: Date,
  reason: string,
  now: Date,
): Promise<void> {
  await client.query(
    `insert into lane_states (creator_id, connection_id, lane, closed_until, closed_reason, updated_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (creator_id, connection_id, lane)
       do update set closed_until = excluded.closed_until, closed_reason = excluded.closed_reason, updated_at = excluded.updated_at`,
    [lane.creatorId, lane.connectionId, lane.kind, until, reason, now],
  );
}

/** The creator mended what was theirs; what Meta asked for stands, also what is known here alone. */
export async function saveLaneOpened(
  client: Client,
  lane: { creatorId: string; connectionId: string; kind: LaneKind; closedByMeta: Closed },
  now: Date,
): Promise<void> {
  const { until, reason } = lane.closedByMeta;
  await client.query(
    `update lane_states set closed_until = $4, closed_reason = $5, updated_at = $6
     where creator_id = $1 and connection_id = $2 and lane = $3 and closed_reason <> all($7)`,
    [
      lane.creatorId,
      lane.connectionId,
      lane.kind,
      reason === null ? null : new Date(until),
      reason,
      now,
      ASKED_BY_META,
    ],
  );
}

/** Which of these connections have a working sign-in. */
export async function findSignedIn(
  client: Client,
  connectionIds: string[],
): Promise<{ creatorId: string; connectionId: string }[]> {
  if (connectionIds.length === 0) return [];
  const { rows } = await client.query<{ creatorId: string; connectionId: string }>(
    `select creator_id as "creatorId", id as "connectionId" from connections
     where id = any($1::uuid[]) and requires_auth_at is null`,
    [connectionIds],
  );
  return rows;
}

export async function setBarred(
  client: Client,
  creatorId: string,
  connectionId: string,
  until: Date,
  count: number,
): Promise<void> {
  await client.query('update connections set barred_until = $3, barred_count = $4 where creator_id = $1 and id = $2', [
    creatorId,
    connectionId,
    until,
    count,
  ]);
}

export async function findBarredCount(client: Client, creatorId: string, connectionId: string): Promise<number> {
  const { rows } = await client.query<{ barred_count: number }>(
    'select barred_count from connections where creator_id = $1 and id = $2',
    [creatorId, connectionId],
  );
  return rows[0]?.barred_count ?? 0;
}

export async function setRequiresAuth(
  client: Client,
  creatorId: string,
  connectionId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await client.query(
    `update connections set requires_auth_at = coalesce(requires_auth_at, $4), requires_auth_reason = $3
     where creator_id = $1 and id = $2`,
    [creatorId, connectionId, reason, now],
  );
}
