/**
 * Who people are, as far as Meta tells: only of those who wrote or tapped (their consent), at most once a day, and never
 * so often that it takes calls away from messages (reference 3.5).
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import { nameKey } from './contacts.ts';

export type ProfileDeps = {
  db: Database;
  clock: Clock;
  meta: Pick<MetaClient, 'profile'>;
  /** The token that speaks for a connection; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  log: FastifyBaseLogger;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Reads count against the account's hourly calls, which messages need more. */
const PER_CONNECTION_AND_RUN = 10;
const MOST_PER_RUN = 200;
const NAMES_PER_RUN = 1000;

type Due = { creatorId: string; connectionId: string; id: string };

export const contactJobs = [
  { name: 'refresh-profiles', everyMs: MINUTE_MS, run: (deps: ProfileDeps) => refreshProfiles(deps) },
  { name: 'fold-names', everyMs: 10_000, run: ({ db }: ProfileDeps) => foldNames(db) },
];

/** Asks for profiles of people who wrote since the last check, but not within the last day. @returns how many were asked for */
export async function refreshProfiles(deps: ProfileDeps): Promise<number> {
  const due = await findDue(deps.db, deps.clock.now());
  const stopped = new Set<string>();
  for (const person of due) {
    if (stopped.has(person.connectionId)) continue;
    if (!(await refresh(deps, person))) stopped.add(person.connectionId);
  }
  return due.length;
}

/** False when this connection should be left alone for now. */
async function refresh({ db, clock, meta, speakerOf, log }: ProfileDeps, person: Due): Promise<boolean> {
  const speaker = await speakerOf({ creatorId: person.creatorId, id: person.connectionId });
  if (speaker === null) return false;
  const answer = await meta.profile({ ...speaker, personId: person.id });
  const now = clock.now();
  const whose = (query: ReturnType<typeof updatePerson>) =>
    query
      .where('creator_id', '=', person.creatorId)
      .where('connection_id', '=', person.connectionId)
      .where('id', '=', person.id);
  if (!answer.ok) {
    // 230 (no consent), 9010 and the like: the contact stays, what is not known is not known.
    const isAboutHer = answer.verdict.kind === 'refused' || answer.verdict.kind === 'misconfigured';
    if (isAboutHer) await whose(updatePerson(db).set({ profile_tried_at: now })).execute();
    else log.debug({ verdict: answer.verdict.kind }, 'profiles wait');
    return isAboutHer;
  }
  const { name, username, pictureUrl, follows, followers, verified } = answer.data;
  await whose(
    updatePerson(db).set({
      profile_at: now,
      profile_tried_at: now,
      name,
      name_key: name === null ? null : nameKey(name),
      picture_url: pictureUrl,
      follows,
      followers,
      verified,
      ...(username !== null && { username: username.toLowerCase() }),
    }),
  ).execute();
  return true;
}

function updatePerson({ engine }: Database) {
  return engine.updateTable('people');
}

/** Of all creators, who wrote last first. */
async function findDue({ engine }: Database, now: Date): Promise<Due[]> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<Due>`
    select "creatorId", "connectionId", id from (
      select p.creator_id as "creatorId", p.connection_id as "connectionId", p.id, p.last_wrote_at,
        row_number() over (partition by p.connection_id order by p.last_wrote_at desc) as place
      from people p
      join connections c on c.creator_id = p.creator_id and c.id = p.connection_id
      where p.last_wrote_at > ${dayAgo} and coalesce(p.profile_tried_at, p.profile_at, '-infinity') <= ${dayAgo}
        and p.blocked_at is null and c.disconnected_at is null and c.requires_auth_at is null
    ) as due
    where place <= ${PER_CONNECTION_AND_RUN} order by last_wrote_at desc limit ${MOST_PER_RUN}
  `.execute(engine);
  return rows;
}

/** Names that were written without their key. */
export async function foldNames({ engine }: Database): Promise<number> {
  const { rows } = await sql<{ creator_id: string; connection_id: string; id: string; name: string }>`
    select creator_id, connection_id, id, name from people where name is not null and name_key is null limit ${NAMES_PER_RUN}
  `.execute(engine);
  if (rows.length === 0) return 0;
  const keys = rows.map((row) => ({ ...row, key: nameKey(row.name) }));
  // Whoever holds one of them may want another: nobody waits for them in no order.
  const { numAffectedRows } = await sql`
    with free as (
      select p.creator_id, p.connection_id, p.id, g.key from people p
      join json_to_recordset(${JSON.stringify(keys)}) as g(creator_id uuid, connection_id uuid, id text, name text, key text)
        on p.creator_id = g.creator_id and p.connection_id = g.connection_id and p.id = g.id and p.name = g.name
      for update of p skip locked
    )
    update people p set name_key = free.key from free
    where p.creator_id = free.creator_id and p.connection_id = free.connection_id and p.id = free.id
  `.execute(engine);
  return Number(numAffectedRows);
}
