/** Deliveries between the queue and the calls: which go out now, and what a worker that died left behind. */
import type pg from 'pg';
import { HELD_BY_CREATOR } from '#server/engine/sending/lanes.ts';
import { CHECK_AFTER_MS } from '#server/engine/sending/results.ts';
import type { ClaimedDelivery, LaneKind } from './rows.ts';

type Client = pg.ClientBase | pg.Pool;

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
 * Deliveries a dead worker left behind on these shards: calls that were under way may have reached the follower, so they are
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

/** Deliveries queued on these shards, by lane and time: everything due now in one row, what is due later by the second. */
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
