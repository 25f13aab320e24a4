/** Writes what was decided about a batch of interactions: one statement. */

import type pg from 'pg';
import { plainArray, textArray, timeArray } from '#server/db/arrays.ts';
import type { Decision } from '#server/engine/deciding/deciding.ts';
import type { NewDelivery, NewInteraction } from './rows.ts';

/**
 * Writes interactions, and for those not there before their deliveries and who was answered. All of one batch were decided
 * at the same time.
 *
 * @param atOnce deliveries to be called right after the commit: they begin as `sending`, and are noted as this batch
 * @returns the new interactions' ids, and the ids of those of `atOnce` that are to be called indeed
 */
export async function insertDecisions(
  client: pg.ClientBase,
  decisions: Decision[],
  atOnce: Set<string>,
  batchId: string,
): Promise<{ inserted: Set<string>; begun: Set<string> }> {
  if (decisions.length === 0) return { inserted: new Set(), begun: new Set() };
  const interactions = decisions.map(({ interaction }) => interaction);
  const answers = decisions.filter(hasDelivery);
  const goesAtOnce = ({ delivery }: Answer) => atOnce.has(delivery.id);
  const inserting = client.query<{ id: string }>({
    name: 'engine-insert-decisions',
    // NOTE: `is true` keeps the planner from making a join of it: it expects a few rows and would compare each with each.
    text: `
      with inserted as (
        insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, parent_id, person_id, username,
          text, occurred_at, received_at, outcome, reason, automation_id, matched_words, waiting_until, outcome_at,
          found_by_reading)
        select creator_id, id, connection_id, kind, platform_id, post_id, parent_id, person_id, username,
          text, to_timestamp(occurred_ms / 1000), to_timestamp(received_ms / 1000), outcome, reason, automation_id,
          matched_words::text[], to_timestamp(waiting_ms / 1000), $1::timestamptz, found_by_reading
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::text[], $11::text[], $12::float8[], $13::float8[], $14::text[], $15::text[], $16::uuid[], $17::text[],
          $18::float8[], $19::boolean[])
          as g(creator_id, id, connection_id, kind, platform_id, post_id, parent_id, person_id, username, text, occurred_ms,
            received_ms, outcome, reason, automation_id, matched_words, waiting_ms, found_by_reading)
        on conflict (connection_id, platform_id) do nothing
        returning id
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
        where automation_id is not null
        on conflict (creator_id, automation_id, person_id)
          do update set interaction_id = excluded.interaction_id, answered_at = excluded.answered_at
      )
      select id from inserted`,
    values: [interactions[0]!.outcome_at, ...columnsOf(interactions), ...deliveryColumnsOf(answers, atOnce), batchId],
  });
  const [{ rows }, erasedSomebody] = await Promise.all([inserting, hasErased(client, answers.filter(goesAtOnce))]);
  const inserted = new Set(rows.map((row) => row.id));
  const begun = new Set(
    answers
      .filter((answer) => goesAtOnce(answer) && inserted.has(answer.interaction.id))
      .map(({ delivery }) => delivery.id),
  );
  // A trigger calls off what goes to somebody who was erased.
  return { inserted, begun: erasedSomebody ? await findSending(client, begun) : begun };
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

/** Whether any of their creators erased somebody: few did. */
async function hasErased(client: pg.ClientBase, answers: Answer[]): Promise<boolean> {
  if (answers.length === 0) return false;
  const { rowCount } = await client.query({
    name: 'engine-find-erasing',
    text: 'select from erased_people where creator_id = any($1::uuid[]) limit 1',
    values: [plainArray([...new Set(answers.map(({ delivery }) => delivery.creator_id))])],
  });
  return rowCount !== 0;
}

async function findSending(client: pg.ClientBase, deliveryIds: Set<string>): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'engine-find-sending',
    text: `select id from deliveries where id = any($1::uuid[]) and state = 'sending'`,
    values: [plainArray([...deliveryIds])],
  });
  return new Set(rows.map(({ id }) => id));
}
