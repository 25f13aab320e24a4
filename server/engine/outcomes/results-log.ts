/** Writes down the results of calls, and of messages once they arrived. */
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { plainArray, textArray, timeArray } from '#server/db/arrays.ts';
import type { Tables } from '#server/db/types.ts';
import type { Conversation } from '#server/engine/conversations/conversation.ts';
import { deliveryEvent, FINISHED, type FinishedRow } from '#server/engine/product-event-rows.ts';
import { LISTENED, record } from '#server/events/product-events.ts';
import { ERASED, type NewDelivery, type Result } from './rows.ts';

type Client = pg.ClientBase | pg.Pool;

/**
 * Records a batch of results, queues the messages that follow and tells who listens. Sent messages, which are nearly all,
 * takes a shorter way. Each of the two statements may be run again: what is recorded is not `sending` any more.
 *
 * @param client a transaction where somebody listens to one of the creators
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
  const told: FinishedRow[] = [];
  if (sent.length > 0)
    told.push(...(await recordSent(client, sent, followUps, others.length === 0 ? endedBatches : [])));
  if (others.length > 0) told.push(...(await recordOthers(client, others, followUps, endedBatches)));
  const now = results[0]!.outcome_at;
  await record(
    client,
    told.map((row) => deliveryEvent(row, now)),
    now,
  );
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

/** Deliveries that ended, of creators with a listener. */
const TOLD = `select ${FINISHED} from recorded where state <> 'queued' and creator_id in ${LISTENED}`;

/** Of a person who was erased while the call was under way nothing that Meta told comes back, and no other try follows. */
const NOT_ERASED = `d.recipient <> '${ERASED}'`;

async function recordSent(
  client: Client,
  results: Result[],
  followUps: NewDelivery[],
  endedBatches: string[],
): Promise<FinishedRow[]> {
  const { rows } = await client.query<FinishedRow>({
    name: 'engine-record-sent',
    text: `
      with recorded as (
        update deliveries d set state = 'sent', uncertain = false, finished_at = to_timestamp(g.at_ms / 1000),
          platform_message_id = case when ${NOT_ERASED} then coalesce(g.message_id, d.platform_message_id) end,
          recipient_person_id = case when ${NOT_ERASED}
            then coalesce(g.person_id, d.recipient_person_id, case d.kind when 'message' then d.recipient end) end,
          failure_reason = null, failure_detail = null
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::float8[])
          as g(id, message_id, person_id, reason, at_ms)
        where d.id = g.id and d.state = 'sending'
        returning d.creator_id, d.id, d.interaction_id, d.automation_id, d.connection_id, d.kind, d.state, d.content, d.variant,
          d.failure_reason, d.finished_at, g.reason
      ), told as (
        update interactions i set outcome = 'replied', reason = r.reason, waiting_until = null, outcome_at = r.finished_at
        from recorded r
        where i.id = r.interaction_id and r.reason is not null
      ), ended as (
        delete from calls_under_way where batch_id = any($7::uuid[])
      ), following as (
        ${QUEUE_FOLLOW_UPS}
      )
      ${TOLD}`,
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
  return rows;
}

async function recordOthers(
  client: Client,
  results: Result[],
  followUps: NewDelivery[],
  endedBatches: string[],
): Promise<FinishedRow[]> {
  const { rows } = await client.query<FinishedRow>({
    name: 'engine-record-results',
    text: `
      with given as (
        select * from json_to_recordset($2) as g(creator_id uuid, id uuid, attempts smallint, interaction_id uuid, state text,
          due_at timestamptz, uncertain boolean, counts boolean, finished_at timestamptz, platform_message_id text,
          recipient_person_id text, failure_reason text, failure_detail text, outcome text, reason text,
          waiting_until timestamptz, outcome_at timestamptz, forget_answered boolean)
      ), recorded as (
        update deliveries d set due_at = g.due_at, uncertain = g.uncertain,
          attempts = d.attempts - case when g.counts then 0 else 1 end,
          state = case when ${NOT_ERASED} or g.state <> 'queued' then g.state else 'cancelled' end,
          failure_reason = case when ${NOT_ERASED} or g.state <> 'queued' then g.failure_reason else 'erased' end,
          finished_at = case when ${NOT_ERASED} then g.finished_at else coalesce(g.finished_at, g.outcome_at) end,
          platform_message_id = case when ${NOT_ERASED} then coalesce(g.platform_message_id, d.platform_message_id) end,
          recipient_person_id = case when ${NOT_ERASED} then coalesce(g.recipient_person_id, d.recipient_person_id) end,
          failure_detail = case when ${NOT_ERASED} then g.failure_detail end
        from given g
        where d.id = g.id and d.state = 'sending' and d.attempts = g.attempts
        returning d.*
      ), told as (
        update interactions i set outcome = case when r.failure_reason = 'erased' then 'skipped' else g.outcome end,
          reason = case when r.failure_reason = 'erased' then 'erased' else g.reason end,
          waiting_until = case when r.failure_reason = 'erased' then null else g.waiting_until end, outcome_at = g.outcome_at
        from given g join recorded r on r.id = g.id
        where i.id = g.interaction_id and g.outcome is not null
      ), forgotten as (
        delete from answered_people a using given g join interactions i on i.id = g.interaction_id
        where g.forget_answered and a.creator_id = i.creator_id and a.person_id = i.person_id
          and a.automation_id = i.automation_id and a.interaction_id = i.id
      ), ended as (
        delete from calls_under_way where batch_id = any($3::uuid[])
      ), following as (
        ${QUEUE_FOLLOW_UPS}
      )
      ${TOLD}`,
    values: [JSON.stringify(followUps), JSON.stringify(results), endedBatches],
  });
  return rows;
}

/**
 * Writes down what `next` came to, before the call. False: the conversation went another way meanwhile, so that nothing
 * must be sent.
 */
export async function recordChoice(
  client: Client,
  delivery: { creator_id: string; id: string; conversation_id: string },
  content: object,
  conversation: Conversation,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with chosen as (
       update conversations set state = $4, updated_at = $6
       where creator_id = $1 and id = $2 and pending_delivery_id = $3 and state <> 'ended'
       returning id
     )
     update deliveries set content = $5 where creator_id = $1 and id = $3 and exists (select from chosen)`,
    [delivery.creator_id, delivery.conversation_id, delivery.id, conversation.state, JSON.stringify(content), now],
  );
  return rowCount === 1;
}

/** Everything sent to a person before they read counts as read. Answers whose lists changed. */
export async function markRead(
  client: Client,
  reads: { connection_id: string; person_id: string; at: Date }[],
): Promise<string[]> {
  if (reads.length === 0) return [];
  const { rows } = await client.query<{ creator_id: string }>(
    // In the order in which clicks are noted too, or the two wait for each other.
    `with unread as materialized (
       select d.creator_id, d.id, g.at
       from json_to_recordset($1) as g(connection_id uuid, person_id text, at timestamptz)
       join deliveries d on d.connection_id = g.connection_id and d.recipient_person_id = g.person_id
       where d.state = 'sent' and d.read_at is null and d.called_at <= g.at
       order by d.id for update of d
     )
     update deliveries d set read_at = u.at from unread u
     where d.creator_id = u.creator_id and d.id = u.id and d.read_at is null
     returning d.creator_id`,
    [JSON.stringify(reads)],
  );
  return rows.map((row) => row.creator_id);
}

/**
 * The first click that counts of each of these messages.
 *
 * @param clicks earliest of each message
 * @returns the creators whose messages had none before
 */
export async function markClicked(
  db: Kysely<Tables>,
  clicks: { creator_id: string; delivery_id: string; at: Date }[],
): Promise<string[]> {
  if (clicks.length === 0) return [];
  const { rows } = await sql<{ creator_id: string }>`
    with unclicked as materialized (
      select d.creator_id, d.id, g.at
      from json_to_recordset(${JSON.stringify(clicks)}) as g(creator_id uuid, delivery_id uuid, at timestamptz)
      join deliveries d on d.creator_id = g.creator_id and d.id = g.delivery_id
      where d.clicked_at is null
      order by d.id for update of d
    )
    update deliveries d set clicked_at = u.at from unclicked u
    where d.creator_id = u.creator_id and d.id = u.id and d.clicked_at is null
    returning d.creator_id
  `.execute(db);
  return [...new Set(rows.map((row) => row.creator_id))];
}
