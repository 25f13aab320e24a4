/**
 * Newsletters on their way: a job for each that begins it, queues its mails, looks how it goes, and ends it. What is
 * under way in the database says what comes next, so a job that died is taken up where it was.
 */
import { type Kysely, type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { EmailDesign } from '#contract/email-templates.ts';
import type { BroadcastFigures } from '#contract/newsletters.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { someRows } from '#server/db/holds.ts';
import { later, type QueuedJob, type RecurringJob } from '#server/db/jobs.ts';
import type { BroadcastsTable, Tables } from '#server/db/types.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { mailNewsletterStopped } from '#server/features/notices/newsletters.ts';
import { gatherStep, MAILS_A_STEP } from './audience.ts';
import { audienceOf } from './broadcasts.ts';
import { figuresOf, topLinksOf } from './figures.ts';
import { type ReadinessDeps, whatIsMissing } from './readiness.ts';
import { readWarmUp } from './warm-up.ts';

export type WorkDeps = Omit<ReadinessDeps, 'config'> & {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'smtpUrl' | 'trying' | 'baseUrl'>;
  live: Pick<LiveUpdates, 'publish'>;
};
type Whose = { creatorId: string; broadcastId: string };
type Row = Selectable<BroadcastsTable>;

/** Clicks, complaints and bounces come for days, most clicks on the first. */
const FOLLOWED_DAYS = 14;
const RECOUNTED_HOURS = 1;
const RECOUNTED_MINUTES_AT_FIRST = 5;
/** Fewer say nothing. */
const JUDGED_FROM = 200;
const MOST_COMPLAINTS = 0.003;
const MOST_BOUNCES = 0.05;

export const sendBroadcasts: QueuedJob<WorkDeps, Whose> = {
  name: 'send-broadcast',
  payload: z.object({ creatorId: z.uuid(), broadcastId: z.uuid() }),
  atOnce: 4,
  run: goOn,
};

export const findBroadcastsAtWork: RecurringJob<WorkDeps> = {
  name: 'find-broadcasts-at-work',
  everyMs: 5_000,
  run: async (deps) => {
    const now = deps.clock.now();
    const { rows } = await sql<Whose>`
      select creator_id as "creatorId", id as "broadcastId" from broadcasts
      where state in ('gathering', 'sending') or (state = 'scheduled' and send_at <= ${now})
      union all
      select creator_id, id from broadcasts
      where state in ('paused', 'done', 'cancelled') and (counted_at is null or (
        counted_at < ${now}::timestamptz - case when finished_at > ${now}::timestamptz - interval '1 day'
          then make_interval(mins => ${RECOUNTED_MINUTES_AT_FIRST}) else make_interval(hours => ${RECOUNTED_HOURS}) end
        and coalesce(finished_at, ${now}) > ${now}::timestamptz - make_interval(days => ${FOLLOWED_DAYS})))
    `.execute(deps.db.engine);
    await later(deps.db.engine, deps, sendBroadcasts, ...rows);
  },
};

async function goOn(deps: WorkDeps, whose: Whose): Promise<void> {
  const { db, clock, live } = deps;
  const before = await find(db.engine, whose);
  if (before === undefined) return;
  let row = before;
  if (row.state === 'scheduled') row = await begin(deps, row);
  if (row.state === 'gathering') {
    const isHeld =
      (await db.engine.transaction().execute((trx) => readWarmUp(trx, deps, whose.creatorId, clock.now()))) !== null;
    while ((await gatherStep(db.engine, whose.broadcastId, audienceOf(row), clock.now(), isHeld)) === MAILS_A_STEP);
  }
  await settleWaiting(deps, whose);
  row = await count(deps, whose);
  if (row.state === 'gathering' || row.state === 'sending') row = await stopOrEnd(deps, row);
  if (row.state !== before.state) live.publish(whose.creatorId, { what: 'account' });
}

/** What is missing by now makes it a draft again. */
async function begin(deps: WorkDeps, row: Row): Promise<Row> {
  const now = deps.clock.now();
  const missing = await whatIsMissing(deps, deps.db.engine, row.creator_id);
  const to =
    missing.length === 0
      ? { state: 'gathering' as const }
      : { state: 'draft' as const, send_at: null, because: missing.join(' ') };
  return (await set(deps.db.engine, row, to).where('send_at', '<=', now).returningAll().executeTakeFirst()) ?? row;
}

/** Only if it is still in the state that it was read in. */
function set(db: Kysely<Tables>, { creator_id: creatorId, id, state }: Row, to: object) {
  return db
    .updateTable('broadcasts')
    .set(to)
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .where('state', '=', state);
}

/** Mails that wait follow their newsletter: they are held while it is paused, called off when it is cancelled, and else go on. */
async function settleWaiting(deps: WorkDeps, { creatorId, broadcastId }: Whose): Promise<void> {
  const now = deps.clock.now();
  const of = sql`creator_id = ${creatorId} and part_of = ${broadcastId}`;
  for (;;) {
    const { numAffectedRows } = await sql`
      with broadcast as materialized (
        select state from broadcasts where creator_id = ${creatorId} and id = ${broadcastId}
      )
      update reader_mails m set
        state = case b.state when 'paused' then 'held' else 'cancelled' end,
        last_failure = case b.state when 'paused' then 'This newsletter is paused.' else 'You canceled this newsletter.' end,
        finished_at = case b.state when 'cancelled' then ${now}::timestamptz end
      from broadcast b
      where m.state in ('waiting', 'held') and ${someRows(
        'reader_mails',
        sql`${of} and case (select state from broadcast) when 'paused' then state = 'waiting' when 'cancelled' then state in ('waiting', 'held')
          else false end`,
        MAILS_A_STEP,
      )}
    `.execute(deps.db.engine);
    if (Number(numAffectedRows ?? 0) < MAILS_A_STEP) break;
  }
  while ((await release(deps, { creatorId, broadcastId })) === MAILS_A_STEP);
}

/**
 * Lets held mails of a newsletter on its way go, as many as may: those of an earlier newsletter first, of each in the order they
 * were gathered in.
 *
 * @returns how many
 */
function release(deps: WorkDeps, { creatorId, broadcastId }: Whose): Promise<number> {
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute(async (trx) => {
    const warmUp = await readWarmUp(trx, deps, creatorId, now);
    const { numAffectedRows } = await sql`
      with broadcast as materialized (
        select id from broadcasts b where creator_id = ${creatorId} and id = ${broadcastId} and state in ('gathering', 'sending')
          and not (${warmUp !== null} and exists (
            select from broadcasts e join reader_mails m on m.creator_id = e.creator_id and m.part_of = e.id and m.state = 'held'
            where e.creator_id = b.creator_id and e.state in ('gathering', 'sending') and (e.send_at, e.id) < (b.send_at, b.id)))
      ), freed as (
        select m.id from reader_mails m join broadcast b on m.part_of = b.id
        where m.creator_id = ${creatorId} and m.state = 'held'
        order by m.contact_id limit ${Math.min(warmUp?.left ?? MAILS_A_STEP, MAILS_A_STEP)}
      )
      update reader_mails m set state = 'waiting', last_failure = null, due_at = ${now}, finished_at = null
      from freed where m.creator_id = ${creatorId} and m.id = freed.id
    `.execute(trx);
    await sql`
      update broadcasts b set daily_limit = case when waits.some then ${warmUp?.limit ?? null}::int end,
        next_at = case when waits.some then ${warmUp?.until ?? null}::timestamptz end
      from (
        select exists (
          select from reader_mails where creator_id = ${creatorId} and part_of = ${broadcastId} and state = 'held') as some
      ) as waits
      where creator_id = ${creatorId} and id = ${broadcastId}
    `.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
}

async function count({ db, clock }: WorkDeps, { creatorId, broadcastId }: Whose): Promise<Row> {
  const { rows } = await sql<Row>`
    with counted as (${figuresOf(creatorId, sql`${broadcastId}`)})
    update broadcasts set figures = to_jsonb(counted) || jsonb_build_object('topLinks', (${topLinksOf(creatorId, broadcastId)})),
      counted_at = ${clock.now()} from counted
    where creator_id = ${creatorId} and id = ${broadcastId} returning broadcasts.*
  `.execute(db.engine);
  return rows[0]!;
}

async function stopOrEnd(deps: WorkDeps, row: Row): Promise<Row> {
  const now = deps.clock.now();
  const figures = row.figures as unknown as BroadcastFigures;
  const missing = await whatIsMissing(deps, deps.db.engine, row.creator_id);
  const harm = row.is_watched ? harmInWords(figures) : null;
  if (missing.length > 0 || harm !== null) {
    const because = harm ?? missing.join(' ');
    return deps.db.engine.transaction().execute(async (trx) => {
      const to = { state: 'paused', because, counted_at: null, ...(harm !== null && { is_watched: false }) };
      const paused = await set(trx, row, to).returningAll().executeTakeFirst();
      if (paused === undefined) return row;
      const { subject } = row.design as unknown as EmailDesign;
      await mailNewsletterStopped(trx, deps, { creatorId: row.creator_id, subject, because });
      return paused;
    });
  }
  if (row.state !== 'sending' || figures.waiting > 0) return row;
  return (await set(deps.db.engine, row, { state: 'done', finished_at: now }).returningAll().executeTakeFirst()) ?? row;
}

/** Mail services shut out whoever goes on at such a rate. */
function harmInWords({ sent, bounced, complained }: BroadcastFigures): string | null {
  if (sent < JUDGED_FROM) return null;
  const of = `of ${sent.toLocaleString('en-US')} readers`;
  if (complained / sent >= MOST_COMPLAINTS) {
    return `${complained} ${of} marked it as spam. That’s more than mail services tolerate, so it paused by itself.`;
  }
  if (bounced / sent >= MOST_BOUNCES) {
    return `It came back from ${bounced} ${of}. That’s more than mail services tolerate, so it paused by itself.`;
  }
  return null;
}

async function find(db: Kysely<Tables>, { creatorId, broadcastId }: Whose): Promise<Row | undefined> {
  return db
    .selectFrom('broadcasts')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', broadcastId)
    .executeTakeFirst();
}
