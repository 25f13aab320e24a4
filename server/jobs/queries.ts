import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';

export type Wanted = {
  name: string;
  /** How many may be taken. */
  free: number;
  /** How many of one creator may run. */
  share: number;
  /** No right clock wrote a later time: one that was wrong did, and has been set right. */
  latest: Date;
};

export type Running = { name: string; creatorId: string };

export type ClaimedJob = {
  name: string;
  payload: object;
  creator_id: string | null;
  was_due_at: Date;
  failures_in_a_row: number;
  held_until: Date | null;
};

/** Jobs that recur have a row from their first start on. */
export async function addRecurring(db: Kysely<Tables>, names: string[], now: Date): Promise<void> {
  await sql`
    insert into jobs (name, created_at, due_at) select name, ${now}, ${now} from unnest(${names}::text[]) as name
    on conflict do nothing
  `.execute(db);
}

/**
 * Takes jobs that are due, for this lease alone until `until`. Creators take turns: the first of each comes before the second
 * of any, and none gets more than a share while others may come.
 */
export async function claim(
  db: Kysely<Tables>,
  {
    wanted,
    running,
    leaseId,
    now,
    until,
  }: {
    wanted: Wanted[];
    /** Jobs this process runs, one entry for each. */
    running: Running[];
    leaseId: string;
    now: Date;
    until: Date;
  },
): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    with wanted as (
      select * from unnest(
        ${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ free }) => free)}::int[],
        ${wanted.map(({ share }) => share)}::int[], ${wanted.map(({ latest }) => latest)}::timestamptz[]
      ) as w(name, free, share, latest)
    ), running as (
      select name, creator_id, count(*) as count from unnest(
        ${running.map(({ name }) => name)}::text[], ${running.map(({ creatorId }) => creatorId)}::uuid[]
      ) as r(name, creator_id) group by 1, 2
    ), due as (
      select j.name, j.payload, j.creator_id, j.due_at, w.free, w.share,
        row_number() over (partition by j.name, j.creator_id order by j.due_at) + coalesce(r.count, 0) as turn
      from wanted w join jobs j on j.name = w.name and (j.due_at <= ${now} or j.due_at > w.latest)
      left join running r on r.name = j.name and r.creator_id = j.creator_id
    -- Materialized: a plan made for an empty queue must not sort ten thousand once for each of them.
    ), fair as materialized (
      select name, payload from (
        select *, row_number() over (partition by name order by turn, due_at) as place
        from due where creator_id is null or turn <= share
      ) as placed where place <= free
    ), taken as materialized (
      select j.name, j.payload, j.due_at from jobs j join wanted w on w.name = j.name
      where (j.name, j.payload) in (select name, payload from fair)
        -- Asked once more of the row as it is when the lock is there: somebody else may have taken it.
        and (j.due_at <= ${now} or j.due_at > w.latest)
      for update of j skip locked
    )
    update jobs j set lease_id = ${leaseId}, due_at = ${until} from taken t
    where j.name = t.name and j.payload = t.payload
    returning j.name, j.payload, j.creator_id, t.due_at as was_due_at, j.failures_in_a_row, j.held_until
  `.execute(db);
  return rows.sort((a, b) => a.was_due_at.getTime() - b.was_due_at.getTime());
}

export async function renew(db: Kysely<Tables>, leaseId: string, until: Date): Promise<void> {
  await db.updateTable('jobs').set({ due_at: until }).where('lease_id', '=', leaseId).execute();
}

export type Leased = { name: string; payload: object; leaseId: string };

/** Finishes a queued job, unless it was queued once more meanwhile: then it is due. */
export async function remove(db: Kysely<Tables>, { name, payload, leaseId }: Leased, now: Date): Promise<void> {
  const { rows } = await sql`
    delete from jobs
    where name = ${name} and payload = ${JSON.stringify(payload)}::jsonb and lease_id = ${leaseId} and not again
    returning 1
  `.execute(db);
  if (rows.length === 0) await release(db, { name, payload, leaseId }, { due_at: now, failures_in_a_row: 0 });
}

/** Only while the lease is ours: a worker that was thought dead changes nothing. */
export async function release(
  db: Kysely<Tables>,
  { name, payload, leaseId }: Leased,
  change: {
    due_at: Date;
    last_succeeded_at?: Date;
    last_failed_at?: Date;
    last_failure?: string;
    failures_in_a_row?: number;
    held_until?: Date | null;
    held_because?: string | null;
  },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ ...change, lease_id: null, again: false })
    .where('name', '=', name)
    .where('payload', '=', sql<never>`${JSON.stringify(payload)}::jsonb`)
    .where('lease_id', '=', leaseId)
    .execute();
}
