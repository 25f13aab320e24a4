/** Acts from before a person was erased that arrive only now. */
import type pg from 'pg';
import { plainArray } from '#server/db/arrays.ts';
import { callOff } from './calling-off.ts';

/**
 * Counted, not kept and not answered, as if it had been there when its writer was erased. Earlier ones are not
 * counted again.
 *
 * @param interactions just written in this transaction, of creators who erased somebody
 * @returns the ids of those that come too late
 */
export async function eraseLate(
  client: pg.ClientBase,
  interactions: { id: string }[],
  now: Date,
): Promise<Set<string>> {
  if (interactions.length === 0) return new Set();
  const { rows } = await client.query<{ creator_id: string; id: string; known: boolean }>(
    `select n.creator_id, n.id, exists (
       select from interactions i where i.connection_id = n.connection_id
         and i.platform_id = erased_platform_id(n.creator_id, n.connection_id, n.platform_id)
     ) as known
     from interactions n join erased_people e on e.creator_id = n.creator_id and e.connection_id = n.connection_id
       and e.person_hash = erased_hash(n.creator_id, n.connection_id, n.person_id)
     where n.id = any($1::uuid[]) and n.occurred_at <= e.erased_at`,
    [plainArray(interactions.map(({ id }) => id))],
  );
  if (rows.length === 0) return new Set();
  const known = plainArray(rows.filter((row) => row.known).map(({ id }) => id));
  const news = rows.filter((row) => !row.known);
  const ids = plainArray(news.map(({ id }) => id));
  await client.query(
    `with given as (select * from interactions where id = any($1::uuid[])), not_sent as (
       delete from deliveries d using given g where d.creator_id = g.creator_id and d.interaction_id = g.id
     ), not_answered as (
       delete from answered_people a using given g
       where a.creator_id = g.creator_id and a.automation_id = g.automation_id and a.person_id = g.person_id
     )
     delete from interactions where id = any($1::uuid[])`,
    [known],
  );
  // Before it is told that they are called off: texts may have names in them.
  await client.query(
    `update deliveries d set recipient = 'erased', recipient_person_id = null, content = '{"text": "", "buttons": []}'
     from interactions i where i.id = any($1::uuid[]) and d.creator_id = i.creator_id and d.interaction_id = i.id`,
    [ids],
  );
  await callOff(client, { justDecided: news }, 'erased', now);
  await client.query(
    `update interactions
     set text = '', username = null, person_id = 'erased',
       platform_id = erased_platform_id(creator_id, connection_id, platform_id),
       outcome = 'skipped', reason = 'erased', waiting_until = null
     where id = any($1::uuid[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
