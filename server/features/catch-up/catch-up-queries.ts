import { sql } from 'kysely';
import type pg from 'pg';
import type { CreatorTransaction } from '#server/db/database.ts';

type Client = pg.ClientBase | pg.Pool;

/** Nothing was sent, and something could be now. */
const CATCHABLE = [
  'no_automation',
  'no_match',
  'excluded_word',
  'before_it_was_on',
  'catch_up_cancelled',
  'disconnected',
  'plan_limit',
];

/** Lists have an index of `listed_as`, and count by `outcome`. */
const UNANSWERED = `i.listed_as in ('skipped', 'missed') and i.outcome in ('skipped', 'missed')`;

export type Unanswered = {
  id: string;
  connectionId: string;
  platformId: string;
  postId: string;
  parentId: string | null;
  personId: string;
  username: string | null;
  text: string;
  occurredAt: Date;
  receivedAt: Date;
  reason: string;
  found: boolean;
};

/** Comments of these days that got nothing, newest first. */
export async function findUnanswered(
  client: Client,
  of: { creatorId: string; postId: string | null; since: Date; limit: number; lock: boolean },
): Promise<Unanswered[]> {
  const { rows } = await client.query<Unanswered>(
    `select i.id, i.connection_id as "connectionId", i.platform_id as "platformId", i.post_id as "postId",
       i.parent_id as "parentId", i.person_id as "personId", i.username, i.text, i.occurred_at as "occurredAt",
       i.received_at as "receivedAt", i.reason, i.found_by_reading as found
     from interactions i
     where i.creator_id = $1 and ${of.postId === null ? 'i.post_id is not null and $2::text is null' : 'i.post_id = $2'}
       and i.received_at > $3 and i.occurred_at > $3 and i.kind = 'comment' and ${UNANSWERED}
       and i.reason = any($4)
     order by i.occurred_at desc, i.id desc limit $5 ${of.lock ? 'for update' : ''}`,
    [of.creatorId, of.postId, of.since, CATCHABLE, of.limit],
  );
  return rows;
}

/** Which of these comments still got nothing and are of this time. */
export async function findStillUnanswered(
  client: Client,
  of: { creatorId: string; ids: string[]; since: Date },
): Promise<Set<string>> {
  if (of.ids.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>(
    `select i.id from interactions i
     where i.creator_id = $1 and i.id = any($2::uuid[]) and i.received_at > $3 and i.occurred_at > $3 and ${UNANSWERED}
       and i.reason = any($4)`,
    [of.creatorId, of.ids, of.since, CATCHABLE],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Changes with everything by which comments that got nothing come to fit, or do no more: automations and what they share,
 * their posts, connections that come and go, and catch-ups, which may be called off.
 */
export async function findCatchUpStamp(client: Client, creatorId: string): Promise<string> {
  const { rows } = await client.query<{ stamp: string }>(
    `select md5(concat_ws('|',
       (select string_agg(concat_ws(' ', id, version, switched_on_at, post_id, attached_at, md5(buttons::text)), ',' order by id)
        from automations where creator_id = $1 and archived_at is null and switched_on_at is not null),
       (select string_agg(concat_ws(' ', id, version), ',' order by id) from keywords where creator_id = $1),
       (select string_agg(concat_ws(' ', automation_id, post_id, attached_at), ',' order by automation_id, post_id)
        from automation_posts where creator_id = $1),
       (select string_agg(concat_ws(' ', id, connected_at, disconnected_at), ',' order by id)
        from connections where creator_id = $1),
       (select limited_since from follower_limits where creator_id = $1),
       (select concat_ws(' ', count(*), max(started_at), max(cancelled_at)) from catch_ups where creator_id = $1)
     )) as stamp`,
    [creatorId],
  );
  return rows[0]!.stamp;
}

/** Which of these people have, or wait for, something from these automations: `automationId personId`. */
export async function findHaveIt(
  client: Client,
  creatorId: string,
  pairs: { automation_id: string; person_id: string }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ automation_id: string; person_id: string }>(
    `select a.automation_id, a.person_id from json_to_recordset($2) as g(automation_id uuid, person_id text)
     join answered_people a on a.creator_id = $1 and a.automation_id = g.automation_id and a.person_id = g.person_id
     union
     select i.automation_id, i.person_id from json_to_recordset($2) as g(automation_id uuid, person_id text)
     join interactions i on i.creator_id = $1 and i.person_id = g.person_id and i.automation_id = g.automation_id
       and i.outcome in ('replied', 'waiting')`,
    [creatorId, JSON.stringify(pairs)],
  );
  return new Set(rows.map((row) => `${row.automation_id} ${row.person_id}`));
}

/** Who wrote STOP, is blocked, or is answered by the creator: `connectionId personId`. */
export async function findUnwanted(
  client: Client,
  creatorId: string,
  people: { connection_id: string; id: string }[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await client.query<{ connection_id: string; id: string }>(
    `select p.connection_id, p.id from json_to_recordset($2) as g(connection_id uuid, id text)
     join people p on p.creator_id = $1 and p.connection_id = g.connection_id and p.id = g.id
     where p.stopped_at is not null or p.blocked_at is not null or p.taken_over_until > $3`,
    [creatorId, JSON.stringify(people), now],
  );
  return new Set(rows.map((row) => `${row.connection_id} ${row.id}`));
}

/** False: this catch-up has begun before. */
export async function insertCatchUp(
  client: Client,
  catchUp: { creatorId: string; id: string; postId: string | null; userId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into catch_ups (creator_id, id, post_id, people, started_at, started_by) values ($1, $2, $3, 0, $4, $5)
     on conflict (creator_id, id) do nothing`,
    [catchUp.creatorId, catchUp.id, catchUp.postId, catchUp.now, catchUp.userId],
  );
  return rowCount === 1;
}

/** The comments are about to be decided again, as if they came now. */
export async function forget(client: Client, creatorId: string, ids: string[]): Promise<void> {
  await client.query('delete from interactions where creator_id = $1 and id = any($2::uuid[])', [creatorId, ids]);
}

export async function setPeople(
  client: Client,
  catchUp: { creatorId: string; id: string },
  people: number,
): Promise<void> {
  await client.query('update catch_ups set people = $3 where creator_id = $1 and id = $2', [
    catchUp.creatorId,
    catchUp.id,
    people,
  ]);
}

export type CatchUpRow = {
  id: string;
  post_id: string | null;
  people: number;
  started_at: Date;
  cancelled_at: Date | null;
  sent: number;
  failed: number;
  expired: number;
  cancelled: number;
};

export async function findCatchUp(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<CatchUpRow | undefined> {
  const { rows } = await sql<CatchUpRow>`
    select c.id, c.post_id, c.people, c.started_at, c.cancelled_at, d.* from catch_ups c
    cross join lateral (
      select count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'failed')::int as failed,
        count(*) filter (where state = 'expired')::int as expired, count(*) filter (where state = 'cancelled')::int as cancelled
      from deliveries where creator_id = c.creator_id and catch_up_id = c.id
    ) as d
    where c.creator_id = ${creatorId} and c.id = ${id}
  `.execute(trx);
  return rows[0];
}

export async function setCancelled(trx: CreatorTransaction, creatorId: string, id: string, now: Date): Promise<void> {
  await sql`
    update catch_ups set cancelled_at = coalesce(cancelled_at, ${now}) where creator_id = ${creatorId} and id = ${id}
  `.execute(trx);
}

export async function findPost(
  trx: CreatorTransaction,
  creatorId: string,
  postId: string,
): Promise<{ connectionId: string; caption: string } | undefined> {
  return trx
    .selectFrom('posts')
    .select(['connection_id as connectionId', 'caption'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', postId)
    .executeTakeFirst();
}

/** Short comments that had none of the words. */
export async function findMissedTexts(
  trx: CreatorTransaction,
  of: { creatorId: string; postId: string; since: Date; limit: number },
): Promise<{ text: string; personId: string }[]> {
  const { rows } = await sql<{ text: string; personId: string }>`
    select text, person_id as "personId" from interactions
    where creator_id = ${of.creatorId} and post_id = ${of.postId} and occurred_at > ${of.since} and kind = 'comment'
      and outcome = 'skipped' and reason = 'no_match' and length(text) <= 200
    order by occurred_at desc limit ${of.limit}
  `.execute(trx);
  return rows;
}

/** Words of the automations that listen on the post. */
export async function findListening(
  trx: CreatorTransaction,
  of: { creatorId: string; connectionId: string; postId: string },
): Promise<string[]> {
  const { rows } = await sql<{ words: string[] }>`
    select words from automations
    where creator_id = ${of.creatorId} and connection_id = ${of.connectionId} and archived_at is null
      and switched_on_at is not null and trigger = 'comment' and (post_id = ${of.postId} or post_id is null)
  `.execute(trx);
  return [...new Set(rows.flatMap((row) => row.words))];
}
