/** Writes what was decided about a batch of interactions, and about whom: one statement. */

import type pg from 'pg';
import { plainArray, textArray, timeArray } from '#server/db/arrays.ts';
import type { Decision } from '#server/engine/deciding/decision.ts';
import { MET, type Met, newContactEvent } from '#server/engine/product-event-rows.ts';
import { LISTENED, type ProductEvent, record } from '#server/events/product-events.ts';
import { eraseLate } from './late.ts';
import type { NewDelivery, NewInteraction } from './rows.ts';

/**
 * Writes interactions, and for those not there before their deliveries, who was answered and whom we have seen; tells who
 * listens. All of one batch were decided at the same time. Acts of somebody from before they were erased are not kept.
 *
 * @param atOnce deliveries to be called right after the commit: they begin as `sending`, and are noted as this batch
 * @returns the new interactions' ids, those of them that come too late, and those of `atOnce` that are to be called indeed
 */
export async function insertDecisions(
  client: pg.ClientBase,
  decisions: Decision[],
  atOnce: Set<string>,
  batchId: string,
): Promise<{ inserted: Set<string>; late: Set<string>; begun: Set<string> }> {
  if (decisions.length === 0) return { inserted: new Set(), late: new Set(), begun: new Set() };
  const interactions = decisions.map(({ interaction }) => interaction);
  const answers = decisions.filter(hasDelivery);
  const goesAtOnce = ({ delivery }: Answer) => atOnce.has(delivery.id);
  const now = interactions[0]!.outcome_at;
  const inserting = client.query<{ id: string | null; met: Met | null }>({
    name: 'engine-insert-decisions',
    // NOTE: `is true` keeps the planner from making a join of it: it expects a few rows and would compare each with each.
    text: `
      with inserted as (
        insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, parent_id, person_id, username,
          text, occurred_at, received_at, outcome, reason, automation_id, matched_words, waiting_until, outcome_at,
          found_by_reading, is_test, counted_on)
        select creator_id, id, connection_id, kind, platform_id, post_id, parent_id, person_id, username,
          text, to_timestamp(occurred_ms / 1000), to_timestamp(received_ms / 1000), outcome, reason, automation_id,
          matched_words::text[], to_timestamp(waiting_ms / 1000), $1::timestamptz, found_by_reading, is_test,
          day_of(creator_id, to_timestamp(occurred_ms / 1000))
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::text[], $11::text[], $12::float8[], $13::float8[], $14::text[], $15::text[], $16::uuid[], $17::text[],
          $18::float8[], $19::boolean[], $38::boolean[])
          as g(creator_id, id, connection_id, kind, platform_id, post_id, parent_id, person_id, username, text, occurred_ms,
            received_ms, outcome, reason, automation_id, matched_words, waiting_ms, found_by_reading,
            is_test)
        on conflict (connection_id, platform_id) do nothing
        returning creator_id, id, connection_id, kind, person_id, username, occurred_at, received_at, reason, is_test
      ), seen as (
        insert into people as p (creator_id, connection_id, id, username, first_seen_at, last_seen_at, last_wrote_at)
        select creator_id, connection_id, person_id,
          (array_agg(username order by occurred_at desc) filter (where username is not null))[1], min(occurred_at),
          max(least(occurred_at, received_at)), max(occurred_at) filter (where kind not in ('comment', 'live_comment'))
        from inserted
        where reason not in ('own_comment', 'self_test')
        group by 1, 2, 3
        -- Two batches at once take the rows in the same order.
        order by 1, 2, 3
        on conflict (creator_id, connection_id, id) do update
          set username = coalesce(excluded.username, p.username), last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at),
            last_wrote_at = greatest(p.last_wrote_at, excluded.last_wrote_at)
        returning ${MET}
      ), new_deliveries as materialized (
        select * from rows from (
          unnest($20::uuid[]), unnest($21::uuid[]), unnest($22::uuid[]), unnest($23::uuid[]), unnest($24::uuid[]),
          unnest($25::uuid[]), unnest($26::text[]), unnest($27::text[]), unnest($28::text[]), unnest($29::text[]),
          jsonb_array_elements($30::jsonb), unnest($31::smallint[]), unnest($32::float8[]), unnest($33::float8[]),
          unnest($34::float8[]), unnest($35::boolean[]), unnest($36::text[])
        ) as d(creator_id, id, connection_id, interaction_id, automation_id, conversation_id, variant, kind, lane, recipient,
          content, priority, due_ms, expires_ms, held_ms, at_once, person_id)
        where (d.interaction_id in (select id from inserted)) is true
      ), queued as (
        insert into deliveries (creator_id, id, connection_id, interaction_id, automation_id, conversation_id, variant, kind,
          lane, recipient, recipient_person_id, content, priority, due_at, expires_at, created_at, held_from, state, called_at, attempts)
        select creator_id, id, connection_id, interaction_id, automation_id, conversation_id, variant, kind,
          lane, recipient, case when kind <> 'public_reply' then person_id end, content, priority, to_timestamp(due_ms / 1000), to_timestamp(expires_ms / 1000), $1::timestamptz,
          to_timestamp(held_ms / 1000), case when at_once then 'sending' else 'queued' end, case when at_once then $1::timestamptz end,
          case when at_once then 1 else 0 end
        from new_deliveries
      ), under_way as (
        insert into calls_under_way (batch_id, delivery_ids)
        select $37, array_agg(id) from new_deliveries where at_once having count(*) > 0
      ), answered as (
        insert into answered_people (creator_id, automation_id, person_id, interaction_id, answered_at)
        -- Where every comment is answered, a batch may bring several of one person.
        select distinct on (creator_id, automation_id, person_id)
          creator_id, automation_id, person_id, interaction_id, $1::timestamptz
        from new_deliveries
        -- Where a person is asked something of no automation there is nothing to repeat.
        where automation_id is not null and interaction_id in (select id from inserted where not is_test)
        on conflict (creator_id, automation_id, person_id)
          do update set interaction_id = excluded.interaction_id, answered_at = excluded.answered_at
      )
      select id, null::json as met from inserted
      union all
      select null, row_to_json(seen) from seen where is_new and creator_id in ${LISTENED}`,
    values: [
      now,
      ...columnsOf(interactions),
      ...deliveryColumnsOf(answers, atOnce),
      batchId,
      plainArray(interactions.map((i) => i.is_test)),
    ],
  });
  // Asked after the people's rows are ours: whoever erases one of them waits, or has done it.
  const [{ rows }, { erasing, listened }] = await Promise.all([inserting, whoMatters(client, interactions)]);
  const inserted = new Set(rows.flatMap(({ id }) => id ?? []));
  const kept = interactions.filter(({ id }) => inserted.has(id));
  const late = await eraseLate(
    client,
    kept.filter((row) => erasing.has(row.creator_id)),
    now,
  );
  const told = kept.filter((row) => listened.has(row.creator_id) && !late.has(row.id));
  const writers = new Set(told.map((row) => `${row.connection_id} ${row.person_id}`));
  const met = rows.flatMap(({ met }) => (met !== null && writers.has(`${met.connection_id} ${met.id}`) ? [met] : []));
  await record(client, [...met.map(newContactEvent), ...told.map(interactionEvent)], now);
  const begun = answers.filter(
    (answer) => goesAtOnce(answer) && inserted.has(answer.interaction.id) && !late.has(answer.interaction.id),
  );
  return { inserted, late, begun: new Set(begun.map(({ delivery }) => delivery.id)) };
}

type Answer = Decision & { delivery: NewDelivery };

function hasDelivery(decision: Decision): decision is Answer {
  return decision.delivery !== null;
}

function columnsOf(interactions: NewInteraction[]): string[] {
  return [
    plainArray(interactions.map((i) => i.creator_id)),
    plainArray(interactions.map((i) => i.id)),
    plainArray(interactions.map((i) => i.connection_id)),
    plainArray(interactions.map((i) => i.kind)),
    textArray(interactions.map((i) => i.platform_id)),
    textArray(interactions.map((i) => i.post_id)),
    textArray(interactions.map((i) => i.parent_id)),
    textArray(interactions.map((i) => i.person_id)),
    textArray(interactions.map((i) => i.username)),
    textArray(interactions.map((i) => i.text)),
    timeArray(interactions.map((i) => i.occurred_at)),
    timeArray(interactions.map((i) => i.received_at)),
    plainArray(interactions.map((i) => i.outcome)),
    plainArray(interactions.map((i) => i.reason)),
    plainArray(interactions.map((i) => i.automation_id)),
    textArray(interactions.map((i) => textArray(i.matched_words))),
    timeArray(interactions.map((i) => i.waiting_until)),
    plainArray(interactions.map((i) => i.found_by_reading)),
  ];
}

function deliveryColumnsOf(answers: Answer[], atOnce: Set<string>): string[] {
  const deliveries = answers.map(({ delivery }) => delivery);
  return [
    plainArray(deliveries.map((d) => d.creator_id)),
    plainArray(deliveries.map((d) => d.id)),
    plainArray(deliveries.map((d) => d.connection_id)),
    plainArray(deliveries.map((d) => d.interaction_id)),
    plainArray(deliveries.map((d) => d.automation_id)),
    plainArray(deliveries.map((d) => d.conversation_id)),
    textArray(deliveries.map((d) => d.variant)),
    plainArray(deliveries.map((d) => d.kind)),
    plainArray(deliveries.map((d) => d.lane)),
    textArray(deliveries.map((d) => d.recipient)),
    JSON.stringify(deliveries.map((d) => d.content)),
    plainArray(deliveries.map((d) => d.priority)),
    timeArray(deliveries.map((d) => d.due_at)),
    timeArray(deliveries.map((d) => d.expires_at)),
    timeArray(deliveries.map((d) => d.held_from ?? null)),
    plainArray(deliveries.map((d) => atOnce.has(d.id))),
    textArray(answers.map(({ interaction }) => interaction.person_id)),
  ];
}

function interactionEvent(row: NewInteraction): ProductEvent {
  return {
    type: 'interaction',
    creatorId: row.creator_id,
    happenedAt: row.received_at,
    data: {
      id: row.id,
      kind: row.kind,
      connectionId: row.connection_id,
      postId: row.post_id,
      personId: row.person_id,
      username: row.username,
      text: row.text,
      occurredAt: row.occurred_at.toISOString(),
      outcome: row.outcome,
      reason: row.reason,
      automationId: row.automation_id,
    },
  };
}

/** Whose creators erased somebody, which few did, and to whose somebody listens. */
async function whoMatters(client: pg.ClientBase, interactions: NewInteraction[]) {
  const { rows } = await client.query<{ id: string; erasing: boolean }>({
    name: 'engine-find-who-matters',
    text: `select c.id, true as erasing from unnest($1::uuid[]) as c(id)
           where exists (select from erased_people e where e.creator_id = c.id)
           union all
           select c.id, false from unnest($1::uuid[]) as c(id) where c.id in ${LISTENED}`,
    values: [plainArray([...new Set(interactions.map((row) => row.creator_id))])],
  });
  const idsOf = (erasing: boolean) => new Set(rows.filter((row) => row.erasing === erasing).map(({ id }) => id));
  return { erasing: idsOf(true), listened: idsOf(false) };
}
