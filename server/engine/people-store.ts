/** Reads and writes the engine's facts about followers. */
import type pg from 'pg';
import { plainArray, textArray } from '#server/db/arrays.ts';
import type { Standing } from '#server/engine/deciding/decision.ts';
import { MET, type Met, newContactEvent } from '#server/engine/product-event-rows.ts';
import { LISTENED, record } from '#server/events/product-events.ts';
import type { FoundProfile } from '#server/platforms/meta/read-calls.ts';

type Client = pg.ClientBase | pg.Pool;

export type PersonKey = { creator_id: string; connection_id: string; id: string };

/** By `connectionId personId`; people never seen are left out. */
export async function findStandings(client: Client, people: PersonKey[]): Promise<Map<string, Standing>> {
  if (people.length === 0) return new Map();
  const { rows } = await client.query<{
    connection_id: string;
    id: string;
    stopped: boolean;
    blocked: boolean;
    taken_over_until: Date | number | null;
    name: string | null;
    username: string | null;
    last_wrote_at: Date | null;
    thanked_at: Date | null;
  }>({
    name: 'engine-find-standings',
    text: `select p.connection_id, p.id, p.stopped_at is not null as stopped, p.blocked_at is not null as blocked,
             p.taken_over_until, p.name, p.username, p.last_wrote_at, p.thanked_at
           from unnest($1::uuid[], $2::uuid[], $3::text[]) as g(creator_id, connection_id, id)
           join people p on p.creator_id = g.creator_id and p.connection_id = g.connection_id and p.id = g.id`,
    values: [
      plainArray(people.map((person) => person.creator_id)),
      plainArray(people.map((person) => person.connection_id)),
      textArray(people.map((person) => person.id)),
    ],
  });
  return new Map(
    rows.map((row) => [
      `${row.connection_id} ${row.id}`,
      {
        stopped: row.stopped,
        blocked: row.blocked,
        takenOverUntil: dateOrForever(row.taken_over_until),
        name: row.name,
        username: row.username,
        lastWroteAt: row.last_wrote_at,
        thankedAt: row.thanked_at,
      },
    ]),
  );
}

/** The driver reads `infinity` as a number. */
const FOREVER = new Date(8_640_000_000_000_000);
function dateOrForever(value: Date | number | null): Date | null {
  return typeof value === 'number' ? FOREVER : value;
}

/** Saves Meta's current profile of somebody; missing fields stay as they were. */
export async function savePerson(client: Client, person: PersonKey, profile: FoundProfile, now: Date): Promise<void> {
  const { name, username, follows, followers, verified, pictureUrl } = profile;
  await client.query({
    name: 'engine-save-person',
    // Another name has another key: the job `fold-names` makes it.
    text: `update people set name_key = case when coalesce($4, name) is not distinct from name then name_key end,
             name = coalesce($4, name), username = coalesce($5, username), follows = coalesce($6, follows),
             followers = coalesce($7, followers), verified = coalesce($8, verified), picture_url = coalesce($9, picture_url),
             profile_at = $10
           where creator_id = $1 and connection_id = $2 and id = $3`,
    values: [
      ...[person.creator_id, person.connection_id, person.id],
      ...[name, username, follows, followers, verified, pictureUrl, now],
    ],
  });
}

/** STOP, START and thank-yous, as they stand after a batch. */
export async function savePeople(
  client: Client,
  people: (PersonKey & { stopped_at: Date | null; started: boolean; thanked_at: Date | null })[],
): Promise<void> {
  if (people.length === 0) return;
  await client.query(
    `update people p
     set stopped_at = case when g.started then null else coalesce(g.stopped_at, p.stopped_at) end,
         thanked_at = coalesce(g.thanked_at, p.thanked_at)
     from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, id text, stopped_at timestamptz, started boolean,
       thanked_at timestamptz)
     where p.creator_id = g.creator_id and p.connection_id = g.connection_id and p.id = g.id`,
    [JSON.stringify(people)],
  );
}

/** An address with the wording the person agreed to. */
export type Consent = {
  creator_id: string;
  id: string;
  connection_id: string;
  person_id: string;
  email: string;
  wording: string;
  place: string;
  language: string | null;
  automation_id: string;
  agreed_at: Date;
};

/** With the post whose conversation asked; tells who listens. */
export async function saveConsents(trx: pg.ClientBase, consents: Consent[], now: Date): Promise<void> {
  if (consents.length === 0) return;
  const { rows } = await trx.query<Consent & { username: string | null }>(
    `with given as (
       select * from json_to_recordset($1) as g(creator_id uuid, id uuid, connection_id uuid, person_id text, email text,
         wording text, place text, language text, automation_id uuid, agreed_at timestamptz)
     ), told as (
       insert into consents (creator_id, id, connection_id, person_id, email, wording, place, language, automation_id, agreed_at,
         post_id)
       select creator_id, id, connection_id, person_id, email, wording, place, language, automation_id, agreed_at, (
         select i.post_id
         from conversations c join interactions i on i.creator_id = c.creator_id and i.id = c.interaction_id
         where c.creator_id = g.creator_id and c.automation_id = g.automation_id and c.connection_id = g.connection_id
           and (c.person_id = g.person_id or i.person_id = g.person_id)
         order by c.created_at desc limit 1
       ) from given g
     ), known as (
       update people p set email = g.email from given g
       where p.creator_id = g.creator_id and p.connection_id = g.connection_id and p.id = g.person_id
       returning p.creator_id, p.connection_id, p.id, p.username
     )
     select g.*, k.username from given g
     left join known k on k.creator_id = g.creator_id and k.connection_id = g.connection_id and k.id = g.person_id
     where g.creator_id in ${LISTENED}`,
    [JSON.stringify(consents)],
  );
  await record(
    trx,
    rows.map(({ creator_id, connection_id, person_id, username, email, agreed_at }) => ({
      type: 'contact',
      creatorId: creator_id,
      happenedAt: agreed_at,
      data: { change: 'email', connectionId: connection_id, personId: person_id, username, email },
    })),
    now,
  );
}

/** Which of these echoes are of our own messages: known by their mid, or just on their way (the echo came first). */
export async function findOwnEchoes(
  client: Client,
  echoes: {
    creator_id: string;
    connection_id: string;
    mid: string;
    person_id: string;
    text: string;
    /** Our messages carry their delivery's id; not every platform sends it back. */
    metadata: string | null;
  }[],
): Promise<Set<string>> {
  if (echoes.length === 0) return new Set();
  const { rows } = await client.query<{ mid: string }>({
    name: 'engine-find-own-echoes',
    text: `with given as (
             select * from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, mid text, person_id text, text text,
               metadata text)
           ), may_have_gone as materialized (
             select d.connection_id, d.kind, d.recipient, d.content
             from deliveries_under_way() as under_way(id) join deliveries d on d.id = under_way.id
             where d.state = 'sending' and d.connection_id in (select connection_id from given)
             union all
             select connection_id, kind, recipient, content from deliveries
             where connection_id in (select connection_id from given) and listed_as = 'queued' and uncertain
           )
           select g.mid from given g
           where exists (
             select from deliveries d
             where d.connection_id = g.connection_id and d.recipient_person_id = g.person_id and d.platform_message_id = g.mid
           ) or exists (
             select from deliveries d
             where d.creator_id = g.creator_id and d.connection_id = g.connection_id
               and d.id = case when g.metadata ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then g.metadata::uuid end
           ) or exists (
             -- The person's id in a conversation may differ from that of their comment: a private reply is known by its text.
             select from may_have_gone d
             where d.connection_id = g.connection_id and (d.kind = 'private_reply' or (d.kind = 'message' and d.recipient = g.person_id))
               and (g.text = '' or d.content ->> 'text' = g.text)
           )`,
    values: [JSON.stringify(echoes)],
  });
  return new Set(rows.map(({ mid }) => mid));
}

/**
 * Messages the creator wrote by hand in the platform's own app, and to whom; product events are recorded. Messages to somebody
 * before they were erased is not kept.
 *
 * @returns those that are news
 */
export async function saveOwnMessages(
  trx: pg.ClientBase,
  messages: {
    creator_id: string;
    connection_id: string;
    platform_id: string;
    person_id: string;
    text: string;
    sent_at: Date;
  }[],
  now: Date,
): Promise<Set<string>> {
  if (messages.length === 0) return new Set();
  const given = JSON.stringify(messages);
  const { rows: people } = await trx.query<Met & { is_new: boolean; listened: boolean }>(
    `insert into people as p (creator_id, connection_id, id, first_seen_at, last_seen_at)
     select creator_id, connection_id, person_id, min(sent_at), max(sent_at)
     from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, person_id text, sent_at timestamptz)
     group by 1, 2, 3 order by 1, 2, 3
     on conflict (creator_id, connection_id, id) do update set last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)
     returning ${MET}, p.creator_id in ${LISTENED} as listened`,
    [given],
  );
  // By a statement of its own: it sees who was erased while the one before waited for their rows.
  const { rows } = await trx.query<{ connection_id: string; platform_id: string; person_id: string }>(
    `insert into own_messages (creator_id, connection_id, platform_id, person_id, text, sent_at)
     select creator_id, connection_id, platform_id, person_id, text, sent_at
     from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, platform_id text, person_id text, text text,
       sent_at timestamptz)
     where not exists (
       select from erased_people e where e.creator_id = g.creator_id and e.connection_id = g.connection_id
         and e.person_hash = erased_hash(g.creator_id, g.connection_id, g.person_id) and g.sent_at <= e.erased_at
     )
     on conflict do nothing
     returning connection_id, platform_id, person_id`,
    [given],
  );
  const writtenTo = new Set(rows.map((row) => `${row.connection_id} ${row.person_id}`));
  const met = people.filter((row) => row.is_new && row.listened && writtenTo.has(`${row.connection_id} ${row.id}`));
  await record(trx, met.map(newContactEvent), now);
  return new Set(rows.map((row) => row.platform_id));
}

/** @param people known ones; until: null for until the creator hands back */
export async function takeOver(client: Client, people: (PersonKey & { until: Date | null })[]): Promise<void> {
  if (people.length === 0) return;
  await client.query(
    `update people p set taken_over_until = greatest(p.taken_over_until, g.until)
     from (
       select creator_id, connection_id, id, max(coalesce(until, 'infinity')) as until
       from json_to_recordset($1) as g(creator_id uuid, connection_id uuid, id text, until timestamptz)
       group by 1, 2, 3
     ) as g
     where p.creator_id = g.creator_id and p.connection_id = g.connection_id and p.id = g.id`,
    [JSON.stringify(people)],
  );
}

/** Why nothing automatic may go to whom this delivery is for; null when it may. */
export async function findSilenced(
  client: Client,
  { creator_id, interaction_id }: { creator_id: string; interaction_id: string },
  now: Date,
): Promise<'stopped' | 'blocked' | 'taken_over' | null> {
  const { rows } = await client.query<{ because: 'stopped' | 'blocked' | 'taken_over' | null }>(
    `select case when p.stopped_at is not null then 'stopped' when p.blocked_at is not null then 'blocked'
                 when p.taken_over_until > $3 then 'taken_over' end as because
     from interactions i
     join people p on p.creator_id = i.creator_id and p.connection_id = i.connection_id and p.id = i.person_id
     where i.creator_id = $1 and i.id = $2`,
    [creator_id, interaction_id, now],
  );
  return rows[0]?.because ?? null;
}

/**
 * The words of messages and comments that were taken back go where they are to be forgotten.
 *
 * @returns the creators whose lists changed
 */
export async function forgetWords(
  client: Client,
  written: { connection_id: string; platform_id: string }[],
): Promise<string[]> {
  if (written.length === 0) return [];
  const { rows } = await client.query<{ creator_id: string }>(
    `update interactions i set text = ''
     from json_to_recordset($1) as g(connection_id uuid, platform_id text)
     where i.connection_id = g.connection_id and i.platform_id = g.platform_id
     returning i.creator_id`,
    [JSON.stringify(written)],
  );
  return rows.map((row) => row.creator_id);
}
