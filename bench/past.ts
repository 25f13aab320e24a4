import type pg from 'pg';
import { fillQuickly, inPortions } from './bulk-fill.ts';

/**
 * Writes interactions of the past, evenly over all connections: half of them answered, by everybody some five, at one a
 * second back from now, the oldest first and with ids in the order of time, as they would have come.
 */
export async function addPast(client: pg.Client, count: number): Promise<void> {
  if (count === 0) return;
  console.log(`  writing ${count.toLocaleString('en')} past interactions…`);
  await client.query(`
    create temp table listening as
    select c.creator_id, c.id, row_number() over (order by c.id) - 1 as place, count(*) over () as all_of_them, (
      select a.id from automations a where a.creator_id = c.creator_id order by a.id limit 1
    ) as automation_id
    from connections c
  `);
  await fillQuickly(client, ['interactions', 'deliveries', 'people', 'answered_people'], () =>
    inPortions(1, count, (first, last) => client.query(PORTION, [count - last + 1, count - first + 1])),
  );
}

const PORTION = `
  with past as (
    insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, person_id, username, text, occurred_at,
      received_at, outcome, reason, automation_id, outcome_at)
    select c.creator_id, uuidv7(n * interval '-1 second'), c.id, 'comment', 'past' || n, '179' || c.place || '0000' || n % 10, 'p' || n / 5,
      'person' || n / 5, 'Looks so good, recipe please', now() - n * interval '1 second', now() - n * interval '1 second',
      case when n % 2 = 0 then 'replied' else 'skipped' end, case when n % 2 = 0 then 'sent' else 'no_match' end,
      case when n % 2 = 0 then c.automation_id end, now() - n * interval '1 second'
    from generate_series($2::int, $1::int, -1) n join listening c on c.place = (n / 5) % c.all_of_them
    returning creator_id, id, connection_id, platform_id, person_id, username, automation_id, received_at
  ), known as (
    insert into people (creator_id, connection_id, id, username, first_seen_at, last_seen_at)
    select distinct on (creator_id, connection_id, person_id)
      creator_id, connection_id, person_id, username, received_at, received_at from past
    on conflict do nothing
  ), answered as (
    insert into answered_people (creator_id, automation_id, person_id, interaction_id, answered_at)
    select creator_id, automation_id, person_id, id, received_at from past where automation_id is not null
    on conflict do nothing
  )
  insert into deliveries (creator_id, id, connection_id, interaction_id, automation_id, kind, lane, recipient, content, state, due_at,
    expires_at, called_at, finished_at, attempts, platform_message_id, recipient_person_id, created_at)
  select creator_id, uuidv7(received_at - now()), connection_id, id, automation_id, 'private_reply', 'private_replies', platform_id,
    '{"text": "Here is the recipe you asked for. Tap the button, it opens on my site.", "buttons": []}', 'sent', received_at,
    received_at, received_at, received_at, 1, 'm_' || platform_id, person_id, received_at
  from past where automation_id is not null
`;
