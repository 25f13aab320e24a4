/**
 * The engine's statements: each works a whole batch, named so that PostgreSQL prepares it once. Rows of what happens for
 * every comment travel by the column (arrays.ts), all others as one JSON text (`json_to_recordset`).
 *
 * Interactions and deliveries are found by their id alone: with the creator beside it, a plan made while the tables were
 * small may take another index of hers, and read everything of hers for each row.
 */

import type pg from 'pg';
import { plainArray, textArray, timeArray } from '#server/db/arrays.ts';
import { ASKED_BY_META, HELD_BY_CREATOR } from '#server/engine/lanes.ts';
import { CHECK_AFTER_MS } from '#server/engine/results.ts';
import type { ClaimedDelivery, Closed, LaneKind, NewDelivery, QueueControl, Result } from '#server/engine/rows.ts';

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

/** People who wrote to a connection; only ever moves `last_wrote_at` forward. */
export async function upsertPeople(
  client: Client,
  people: { creator_id: string; connection_id: string; id: string; wrote_at: Date }[],
): Promise<void> {
  if (people.length === 0) return;
  await client.query(
    `insert into people (creator_id, connection_id, id, last_wrote_at, first_seen_at)
     select creator_id, connection_id, id, max(wrote_at), min(wrote_at)
     from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, id text, wrote_at timestamptz)
     group by creator_id, connection_id, id
     on conflict (creator_id, connection_id, id)
       do update set last_wrote_at = greatest(people.last_wrote_at, excluded.last_wrote_at)`,
    [JSON.stringify(people)],
  );
}

/** Everything sent to a person before she read counts as read. Answers whose lists changed. */
export async function markRead(
  client: Client,
  reads: { connection_id: string; person_id: string; at: Date }[],
): Promise<string[]> {
  if (reads.length === 0) return [];
  const { rows } = await client.query<{ creator_id: string }>(
    `update deliveries d set read_at = g.at
     from json_to_recordset($1) as g(connection_id uuid, person_id text, at timestamptz)
     where d.connection_id = g.connection_id and d.recipient_person_id = g.person_id and d.state = 'sent'
       and d.read_at is null and d.called_at <= g.at
     returning d.creator_id`,
    [JSON.stringify(reads)],
  );
  return rows.map((row) => row.creator_id);
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

/** What Meta last said counts, whichever came last. @returns the creators whose accounts are concerned */
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

/**
 * Marks due deliveries `sending`, durably, before any call: what dies first goes first, or the newest where the creator
 * wants it so. Nothing is claimed on a shard whose lease is not ours, nor while Meta's webhooks or the creator's queue
 * are paused: then decisions wait in the queue.
 *
 * NOTE: the state is checked again inside the update. The snapshot of a claim may be older than the row's lock; without
 * this check two claims at the same time took the same rows in trials.
 */
export async function claim(
  client: Client,
  workerId: string,
  batchId: string,
  now: Date,
  lanes: { connectionId: string; lane: LaneKind; most: number }[],
): Promise<ClaimedDelivery[]> {
  const { rows } = await client.query<ClaimedDelivery & { earlier_called_at: Date | null }>({
    name: 'engine-claim',
    text: `
      with wanted as (
        select l.connection_id, l.lane, l.most, coalesce(q.sorted, 'deadline') = 'newest' as newest
        from unnest($1::uuid[], $2::text[], $3::int[]) as l(connection_id, lane, most)
        join connections c on c.id = l.connection_id and c.webhooks_paused_at is null
        join shard_leases s on s.shard = c.shard and s.holder = $4 and s.expires_at > now()
        left join queue_controls q on q.creator_id = c.creator_id and q.connection_id = c.id and l.lane = any($6)
        where q.paused_at is null
      ), first_to_die as (
        select d.creator_id, d.id, d.called_at
        from wanted w cross join lateral (
          select creator_id, id, called_at from deliveries
          where connection_id = w.connection_id and lane = w.lane and listed_as = 'queued' and due_at <= $5 and not w.newest
          order by priority desc, expires_at, id limit w.most
          for update skip locked
        ) d
      ), newest as (
        select d.creator_id, d.id, d.called_at
        from wanted w cross join lateral (
          select creator_id, id, called_at from deliveries
          where connection_id = w.connection_id and lane = w.lane and listed_as = 'queued' and due_at <= $5 and w.newest
          order by priority desc, expires_at desc, id desc limit w.most
          for update skip locked
        ) d
      ), picked as (
        select * from first_to_die union all select * from newest
      ), claimed as (
        update deliveries d set state = 'sending', called_at = $5, attempts = d.attempts + 1
        from picked p
        where d.id = p.id and d.state = 'queued'
        returning d.creator_id, d.id, d.connection_id, d.interaction_id, d.automation_id, d.conversation_id, d.variant, d.kind, d.lane, d.recipient,
          d.content, d.priority, d.due_at, d.expires_at, d.created_at, d.attempts, d.uncertain, d.called_off, p.called_at as earlier_called_at
      ), under_way as (
        insert into calls_under_way (batch_id, delivery_ids)
        select $7, array_agg(id) from claimed having count(*) > 0
      )
      select * from claimed`,
    values: [
      lanes.map((l) => l.connectionId),
      lanes.map((l) => l.lane),
      lanes.map((l) => l.most),
      workerId,
      now,
      HELD_BY_CREATOR,
      batchId,
    ],
  });
  return rows.map(({ earlier_called_at, ...row }) => ({ ...row, batch_id: batchId, called_at: earlier_called_at }));
}

/**
 * Records a batch of results and queues the messages that follow. What was sent, which is nearly all, takes a shorter way.
 * Each of the two statements may be run again: what is recorded is not `sending` any more.
 *
 * @param endedBatches those whose last result is among these, or was recorded before
 */
export async function recordResults(
  client: Client,
  results: Result[],
  followUps: NewDelivery[],
  endedBatches: string[],
): Promise<void> {
  const sent = results.filter((result) => result.state === 'sent');
  const others = results.filter((result) => result.state !== 'sent');
  // The last statement forgets the batches: until all is recorded they say what is not.
  if (sent.length > 0) await recordSent(client, sent, followUps, others.length === 0 ? endedBatches : []);
  if (others.length > 0) await recordOthers(client, others, followUps, endedBatches);
}

/** The messages that follow are queued only the first time, and not when another worker has taken over meanwhile. */
const QUEUE_FOLLOW_UPS = `
  insert into deliveries (creator_id, id, connection_id, interaction_id, automation_id, conversation_id, variant, kind, lane, recipient, content,
    priority, due_at, expires_at, created_at)
  select creator_id, f.id, connection_id, interaction_id, automation_id, conversation_id, variant, kind, lane, recipient, content,
    priority, due_at, expires_at, created_at
  from json_to_recordset($1) as f(creator_id uuid, id uuid, connection_id uuid, interaction_id uuid,
    automation_id uuid, conversation_id uuid, variant text, kind text, lane text, recipient text, content jsonb, priority smallint,
    due_at timestamptz, expires_at timestamptz, created_at timestamptz)
  where f.interaction_id in (select interaction_id from recorded)`;

async function recordSent(
  client: Client,
  results: Result[],
  followUps: NewDelivery[],
  endedBatches: string[],
): Promise<void> {
  await client.query({
    name: 'engine-record-sent',
    text: `
      with recorded as (
        update deliveries d set state = 'sent', uncertain = false, finished_at = to_timestamp(g.at_ms / 1000),
          platform_message_id = coalesce(g.message_id, d.platform_message_id),
          recipient_person_id = coalesce(g.person_id, d.recipient_person_id, case d.kind when 'message' then d.recipient end),
          failure_reason = null, failure_detail = null
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::float8[])
          as g(id, message_id, person_id, reason, at_ms)
        where d.id = g.id and d.state = 'sending'
        returning d.interaction_id, d.finished_at, g.reason
      ), told as (
        update interactions i set outcome = 'replied', reason = r.reason, waiting_until = null, outcome_at = r.finished_at
        from recorded r
        where i.id = r.interaction_id and r.reason is not null
      ), ended as (
        delete from calls_under_way where batch_id = any($7::uuid[])
      )
      ${QUEUE_FOLLOW_UPS}`,
    values: [
      JSON.stringify(followUps),
      plainArray(results.map((result) => result.id)),
      textArray(results.map((result) => result.platform_message_id)),
      textArray(results.map((result) => result.recipient_person_id)),
      plainArray(results.map((result) => result.reason)),
      timeArray(results.map((result) => result.outcome_at)),
      endedBatches,
    ],
  });
}

async function recordOthers(
  client: Client,
  results: Result[],
  followUps: NewDelivery[],
  endedBatches: string[],
): Promise<void> {
  await client.query({
    name: 'engine-record-results',
    text: `
      with given as (
        select * from json_to_recordset($2) as g(creator_id uuid, id uuid, attempts smallint, interaction_id uuid, state text,
          due_at timestamptz, uncertain boolean, counts boolean, finished_at timestamptz, platform_message_id text,
          recipient_person_id text, failure_reason text, failure_detail text, outcome text, reason text,
          waiting_until timestamptz, outcome_at timestamptz, forget_answered boolean)
      ), recorded as (
        update deliveries d set state = g.state, due_at = g.due_at, uncertain = g.uncertain,
          attempts = d.attempts - case when g.counts then 0 else 1 end, finished_at = g.finished_at,
          platform_message_id = coalesce(g.platform_message_id, d.platform_message_id),
          recipient_person_id = coalesce(g.recipient_person_id, d.recipient_person_id),
          failure_reason = g.failure_reason, failure_detail = g.failure_detail
        from given g
        where d.id = g.id and d.state = 'sending' and d.attempts = g.attempts
        returning d.id, d.interaction_id
      ), told as (
        update interactions i set outcome = g.outcome, reason = g.reason, waiting_until = g.waiting_until,
          outcome_at = g.outcome_at
        from given g
        where i.id = g.interaction_id and g.outcome is not null
          and g.id in (select id from recorded)
      ), forgotten as (
        delete from answered_people a using given g join interactions i on i.id = g.interaction_id
        where g.forget_answered and a.creator_id = i.creator_id and a.person_id = i.person_id
          and a.automation_id = i.automation_id and a.interaction_id = i.id
      ), ended as (
        delete from calls_under_way where batch_id = any($3::uuid[])
      )
      ${QUEUE_FOLLOW_UPS}`,
    values: [JSON.stringify(followUps), JSON.stringify(results), endedBatches],
  });
}

/**
 * What a dead worker left behind on these shards: calls that were under way may have reached the follower, so they are
 * queued as uncertain. Meta itself refuses a second private reply; the others must first be looked for, which finds
 * nothing while the call may still be under way at Meta.
 *
 * @param options.calledBefore later ones are left alone; null for all
 * @param options.underWay ids of deliveries that this worker knows of
 */
export async function requeueInterrupted(
  client: Client,
  shards: number[],
  now: Date,
  { calledBefore, underWay }: { calledBefore: Date | null; underWay: string[] },
): Promise<number> {
  const { rowCount } = await client.query(
    `with requeued as (
       update deliveries d set state = 'queued', uncertain = true,
         due_at = case when d.kind = 'private_reply' then $2
                  else greatest($2, d.called_at + make_interval(secs => $5)) end
       from deliveries_under_way() as under_way(id), connections c
       where d.id = under_way.id and d.state = 'sending'
         and c.creator_id = d.creator_id and c.id = d.connection_id and c.shard = any($1::smallint[])
         and ($3::timestamptz is null or d.called_at <= $3) and d.id <> all($4::uuid[])
       returning d.interaction_id, d.kind
     ), told as (
       update interactions i set outcome = 'waiting', reason = 'checking', outcome_at = $2
       from requeued r where i.id = r.interaction_id and r.kind <> 'public_reply'
     )
     select from requeued`,
    [shards, now, calledBefore, underWay, CHECK_AFTER_MS / 1000],
  );
  return rowCount ?? 0;
}

/** Batches of workers that died: nothing of them is under way any more. */
export async function forgetEndedBatches(client: Client): Promise<void> {
  await client.query(
    `delete from calls_under_way b
     where not exists (
       select from unnest(b.delivery_ids) as call(id) join deliveries d on d.id = call.id and d.state = 'sending'
     )`,
  );
}

/** What is queued on these shards, by lane and time: everything due now in one row, what is due later by the second. */
export async function findQueued(
  client: Client,
  shards: number[],
  now: Date,
): Promise<{ creatorId: string; connectionId: string; lane: LaneKind; waiting: number; dueAt: Date }[]> {
  const { rows } = await client.query(
    `select d.creator_id as "creatorId", d.connection_id as "connectionId", d.lane, count(*)::int as waiting,
            max(d.due_at) as "dueAt"
     from deliveries d join connections c on c.creator_id = d.creator_id and c.id = d.connection_id
     where d.listed_as = 'queued' and c.shard = any($1::smallint[])
     group by 1, 2, 3, greatest($2, date_trunc('second', d.due_at))`,
    [shards, now],
  );
  return rows;
}

/**
 * Calls that still count against the lanes' limits, oldest first. Of a delivery that was tried again only the last call's
 * time is known: the earlier ones (`calls` in all) count as if they had been made then, which is never too few.
 */
export async function findRecentCalls(
  client: Client,
  shards: number[],
  since: Date,
): Promise<{ creatorId: string; connectionId: string; lane: LaneKind; calledAt: Date; calls: number }[]> {
  const { rows } = await client.query(
    `select c.creator_id as "creatorId", d.connection_id as "connectionId", d.lane, d.called_at as "calledAt",
            greatest(d.attempts, 1)::int as calls
     from connections c join deliveries d on d.connection_id = c.id and d.called_at > $2
     where c.shard = any($1::smallint[])
     order by d.called_at`,
    [shards, since],
  );
  return rows;
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

/** The creator mended what was hers; what Meta asked for stands, also what is known here alone. */
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

/** Everything of the connection that waits now waits for the creator. */
export async function requireAuth(
  client: Client,
  creatorId: string,
  connectionId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await client.query(
    `with stopped as (
       update connections set requires_auth_at = coalesce(requires_auth_at, $4), requires_auth_reason = $3
       where creator_id = $1 and id = $2
     )
     update interactions i set reason = 'needs_reconnect', waiting_until = null, outcome_at = $4
     from deliveries d
     where d.creator_id = $1 and d.connection_id = $2 and d.listed_as = 'queued' and d.kind <> 'public_reply'
       and i.creator_id = $1 and i.id = d.interaction_id and i.outcome = 'waiting' and i.reason <> 'needs_reconnect'`,
    [creatorId, connectionId, reason, now],
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

/** After a reconnect: what waited for the creator waits for its turn again. */
export async function resumeWaiting(client: Client, creatorId: string, connectionId: string, now: Date): Promise<void> {
  await client.query(
    `update interactions i set reason = 'queued', outcome_at = $3
     from deliveries d
     where d.creator_id = $1 and d.connection_id = $2 and d.listed_as = 'queued' and d.kind <> 'public_reply'
       and i.creator_id = $1 and i.id = d.interaction_id and i.outcome = 'waiting'
       and i.reason in ('needs_reconnect', 'missing_permission', 'message_access_off')`,
    [creatorId, connectionId, now],
  );
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
