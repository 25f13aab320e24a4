/**
 * Comments counted by outcome, kept by triggers (`server/db/functions/count-*.sql`): reading is quick however many there are.
 * Figures of a post, an automation or a day are sums of these.
 */
import { sql } from 'kysely';
import { NO_KEYWORD, type OutcomeStatus, type Reason } from '#contract/outcomes.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';

/** Ids of `post_day` and `automation_day` are `<day> <id>`. Days are the creator's (`day_of`), as `2026-11-21`. */
export type CountedBy = 'post' | 'automation' | 'day' | 'post_day' | 'automation_day';

/**
 * `counted` is an outcome with its reason; or, with an empty one, 'matched' (an automation was called, answered or not),
 * 'opened' or 'clicked' (each interaction once).
 */
export type Count = { counted: OutcomeStatus | 'matched' | 'opened' | 'clicked'; reason: Reason | ''; count: number };

/** Reads the counts of these posts, automations, days or days of one; ids without any are absent. */
export async function readCounts(
  trx: CreatorTransaction,
  creatorId: string,
  countedBy: CountedBy,
  ids: string[],
): Promise<Map<string, Count[]>> {
  if (ids.length === 0) return new Map();
  const pending = {
    post: sql`post_id`,
    automation: sql`automation_id::text`,
    day: sql`day::text`,
    post_day: sql`(counted_on || ' ' || post_id)`,
    automation_day: sql`(counted_on || ' ' || automation_id)`,
  }[countedBy];
  const { rows } = await sql<Count & { id: string }>`
    select id, counted, reason, sum(count)::bigint as count
    from (
      select counted_id as id, counted, reason, count from outcome_counts
      where creator_id = ${creatorId} and counted_by = ${countedBy} and counted_id = any(${ids})
      union all
      select ${pending}, counted, reason, change from outcome_deltas
      where creator_id = ${creatorId} and ${pending} = any(${ids})
    ) as both_parts
    group by id, counted, reason
    having sum(count) <> 0
  `.execute(trx);
  return Map.groupBy(rows, (row) => row.id) as Map<string, Count[]>;
}

/** Of `posts p`: its comments, as `isComment` has them. For lists that are ordered by them. */
export const commentsOfPost = sql<number>`(
  select coalesce(sum(count), 0) from (
    select counted, reason, count from outcome_counts
    where creator_id = p.creator_id and counted_by = 'post' and counted_id = p.id
    union all
    select counted, reason, change from outcome_deltas where creator_id = p.creator_id and post_id = p.id
  ) as both_parts
  where counted not in ('matched', 'opened', 'clicked') and reason <> 'own_comment'
)`;

/** Counts of posts from one day to another, both included, by post. */
export async function readPostCounts(
  trx: CreatorTransaction,
  creatorId: string,
  { from, to }: { from: string; to: string },
): Promise<Map<string, Count[]>> {
  const { rows } = await sql<Count & { id: string }>`
    select id, counted, reason, sum(count)::bigint as count
    from (
      select substr(counted_id, 12) as id, counted, reason, count from outcome_counts
      where creator_id = ${creatorId} and counted_by = 'post_day'
        and counted_id >= ${from} and counted_id < (${to}::date + 1)::text
      union all
      select post_id, counted, reason, change from outcome_deltas
      where creator_id = ${creatorId} and post_id is not null and counted_on between ${from}::date and ${to}::date
    ) as both_parts
    group by id, counted, reason
    having sum(count) <> 0
  `.execute(trx);
  return Map.groupBy(rows, (row) => row.id) as Map<string, Count[]>;
}

/** Adds up those counts that `wanted` says yes to. */
export function sumOf(counts: Count[] | undefined, wanted: (count: Count) => boolean): number {
  return (counts ?? []).filter(wanted).reduce((sum, count) => sum + count.count, 0);
}

/** Each interaction has one outcome, so these add up to all that was written, the account's own comments and replies too. */
export function isOutcome({ counted }: Count): boolean {
  return counted !== 'matched' && counted !== 'opened' && counted !== 'clicked';
}

/** Comments people wrote: every outcome but the account's own comments, which include our public replies. */
export function isComment(count: Count): boolean {
  return isOutcome(count) && count.reason !== 'own_comment';
}

/**
 * Sums of some counts, for every screen, export and mail: comments = sent + waiting + failed + expired + missed +
 * noKeyword + notSent; the account's own stand apart.
 */
export function tallyOf(counts: Count[] = []) {
  const sum = (counted: Count['counted']) => sumOf(counts, (count) => count.counted === counted);
  const comments = sumOf(counts, isComment);
  const own = sumOf(counts, isOutcome) - comments;
  const noKeyword = sumOf(counts, ({ reason }) => NO_KEYWORD.includes(reason as Reason));
  return {
    comments,
    own,
    sent: sum('replied'),
    waiting: sum('waiting'),
    failed: sum('failed'),
    expired: sum('expired'),
    missed: sum('missed'),
    noKeyword,
    notSent: sum('skipped') - own - noKeyword,
    matched: sum('matched'),
    opened: sum('opened'),
    clicked: sum('clicked'),
  };
}

/** The five figures of a period. */
export function figuresOf(counts?: Count[]) {
  const { comments, matched, sent, opened, clicked } = tallyOf(counts);
  return { comments, matched, sent, opened, clicked };
}

const ROLLED_UP_AT_ONCE = 20_000;
/** With so many appended rows a creator's counts are not left for later: reading the figures would add them up each time. */
const BUSY_FROM = 100;

/**
 * Adds what the triggers appended to the counts. Safe at any time and from several processes.
 *
 * @param share of the creators with appended rows: those who have waited the longest, beside all who have many
 * @returns how many appended rows are gone
 */
export async function rollUpCounts(db: Database, share = 1): Promise<number> {
  const { rows } = await sql<{ creator_id: string; waiting: number }>`
    select creator_id, waiting from (
      select creator_id, count(*)::int as waiting, row_number() over (order by min(id)) as place, count(*) over () as creators
      from outcome_deltas group by creator_id
    ) as by_creator
    where waiting >= ${BUSY_FROM} or place <= ceil(creators * ${share}::float8)
    -- Always in the same order: two roll-ups at once must not wait for each other in a circle.
    order by creator_id
  `.execute(db.engine);
  let total = 0;
  for (const creatorIds of inBatches(rows)) {
    let taken: number;
    do {
      taken = await rollUp(db, creatorIds);
      total += taken;
    } while (taken === ROLLED_UP_AT_ONCE);
  }
  return total;
}

/** Neighbours together, as many as one statement takes; who has more than that is alone. */
function* inBatches(creators: { creator_id: string; waiting: number }[]): Generator<string[]> {
  let batch: string[] = [];
  let waiting = 0;
  for (const creator of creators) {
    if (batch.length > 0 && waiting + creator.waiting > ROLLED_UP_AT_ONCE) {
      yield batch;
      batch = [];
      waiting = 0;
    }
    batch.push(creator.creator_id);
    waiting += creator.waiting;
  }
  if (batch.length > 0) yield batch;
}

async function rollUp(db: Database, creatorIds: string[]): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from outcome_deltas where ctid = any(array(
        select ctid from outcome_deltas where creator_id = any(${creatorIds}::uuid[])
        order by creator_id, id limit ${ROLLED_UP_AT_ONCE} for update skip locked
      ))
      returning *
    ), netted as (
      -- First what is the same in everything: most of it meets itself here, or cancels itself out.
      select creator_id, post_id, automation_id, day, counted_on, counted, reason, sum(change) as change
      from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(change) <> 0
    ), summed as (
      select creator_id, counted_by, counted_id, counted, reason, sum(change) as count
      from netted cross join lateral (
        values ('post', post_id), ('automation', automation_id::text), ('day', day::text),
          ('post_day', counted_on || ' ' || post_id), ('automation_day', counted_on || ' ' || automation_id)
      ) as key (counted_by, counted_id)
      where counted_id is not null
      group by 1, 2, 3, 4, 5
      -- Always in the same order here, too.
      order by 1, 2, 3, 4, 5
    ), added as (
      insert into outcome_counts (creator_id, counted_by, counted_id, counted, reason, count)
      select creator_id, counted_by, counted_id, counted, reason, count from summed
      on conflict (creator_id, counted_by, counted_id, counted, reason)
        do update set count = outcome_counts.count + excluded.count
    )
    select count(*)::int as taken from taken
  `.execute(db.engine);
  return rows[0]!.taken;
}

/**
 * For the worker's list of repeated jobs. Read together with the counts, what was appended is never late: the longer it
 * gathers, the more of it meets itself. Of ten thousand creators with a comment every few seconds, each has a turn after
 * ten minutes; who has a viral hour has it each time, and half a minute of that is read in a few milliseconds.
 */
export const figureJobs = [
  { name: 'roll-up-counts', everyMs: 30_000, run: (deps: { db: Database }) => rollUpCounts(deps.db, 1 / 20) },
];
