/** HQ home: what the last days brought against the days before, the queue, and the first steps still open. */
import { sql } from 'kysely';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import type { getHome as getHomeContract } from '#contract/home.ts';
import { type OutcomeStatus, REASONS } from '#contract/outcomes.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { type Count, figuresOf, isComment, readCounts, readPostCounts } from '#server/engine/outcomes/counts.ts';
import type { LaneKind } from '#server/engine/outcomes/rows.ts';
import { daysUpTo, readDay } from '#server/features/figures/days.ts';
import { findPostViews } from '#server/features/posts/shown-posts.ts';

type Home = ResponseOf<typeof getHomeContract>;

export async function getHome(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { days: count }: QueryOf<typeof getHomeContract>,
): Promise<Home> {
  const to = await readDay(trx, creatorId, deps.clock.now());
  const all = daysUpTo(to, 2 * count);
  const days = all.slice(count);
  const from = days[0]!;
  const counts = await readCounts(trx, creatorId, 'day', all);
  const countsOf = (some: string[]) => some.flatMap((day) => counts.get(day) ?? []);
  return {
    from,
    to,
    figures: figuresOf(countsOf(days)),
    before: figuresOf(countsOf(all.slice(0, count))),
    days: days.map((day) => ({ day, ...figuresOf(counts.get(day)) })),
    topPosts: await readTopPosts(trx, creatorId, { from, to }),
    outcomes: outcomesOf(countsOf(days)),
    queue: await readQueue(trx, creatorId),
    ...(await readBeginning(trx, creatorId)),
  };
}

const TOP_POSTS = 5;
/** Stories, lives and posts that are gone have comments, too, and are not shown. */
const LOOKED_AT = 50;

/** The posts that people wrote most under. */
async function readTopPosts(trx: CreatorTransaction, creatorId: string, range: { from: string; to: string }) {
  const counts = await readPostCounts(trx, creatorId, range);
  const most = [...counts]
    .map(([id, ofPost]) => ({ id, ...figuresOf(ofPost) }))
    .filter(({ comments }) => comments > 0)
    .sort((a, b) => b.comments - a.comments || b.sent - a.sent || (a.id < b.id ? 1 : -1))
    .slice(0, LOOKED_AT);
  const views = await findPostViews(
    trx,
    creatorId,
    most.map(({ id }) => id),
  );
  return most
    .flatMap((post) => {
      const view = views.get(post.id);
      return view === undefined ? [] : [{ ...post, ...view }];
    })
    .slice(0, TOP_POSTS);
}

/** Equal reasons together. */
function outcomesOf(counts: Count[]): Home['outcomes'] {
  const byReason = Map.groupBy(counts.filter(isComment), ({ counted, reason }) => `${counted} ${reason}`);
  return [...byReason.values()]
    .map((some) => {
      const { counted: outcome, reason } = some[0] as Pick<Home['outcomes'][number], 'reason'> & {
        counted: OutcomeStatus;
      };
      return { outcome, reason, says: REASONS[reason].says, count: some.reduce((sum, { count }) => sum + count, 0) };
    })
    .filter(({ count }) => count !== 0)
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason));
}

/** The figures of these days together. */
export async function readFigures(trx: CreatorTransaction, creatorId: string, days: string[]) {
  return figuresOf([...(await readCounts(trx, creatorId, 'day', days)).values()].flat());
}

/** Who waits for an answer now, and until when: as forecast, or while there is none yet by what each was told. */
export async function readQueue(trx: CreatorTransaction, creatorId: string) {
  const { rows } = await sql<{
    waiting: number;
    next_expiry_at: Date | null;
    forecasts: (number | null)[] | null;
    paused: boolean;
  }>`
    -- The first to expire of each priority stands first in the order in which lanes are worked off: a few looks into that
    -- index, however many wait.
    with recursive first_to_expire as (
      select d.* from connections c cross join unnest(${LANES_OF_MESSAGES}::text[]) as of (lane) cross join lateral (
        select connection_id, lane, priority, expires_at from deliveries
        where connection_id = c.id and lane = of.lane and listed_as = 'queued' order by priority desc, expires_at, id limit 1
      ) as d
      where c.creator_id = ${creatorId}
      union all
      select d.* from first_to_expire f cross join lateral (
        select connection_id, lane, priority, expires_at from deliveries
        where connection_id = f.connection_id and lane = f.lane and listed_as = 'queued' and priority < f.priority
        order by priority desc, expires_at, id limit 1
      ) as d
    )
    select (
      select count(*) from interactions where creator_id = ${creatorId} and listed_as = 'waiting'
    ) as waiting, (
      select jsonb_agg(forecast -> 'doneAtMs') from queue_forecasts where creator_id = ${creatorId}
    ) as forecasts, exists (
      select from queue_controls where creator_id = ${creatorId} and paused_at is not null
    ) as paused, (
      select min(expires_at) from first_to_expire
    ) as next_expiry_at
  `.execute(trx);
  const { waiting, forecasts, next_expiry_at, paused } = rows[0]!;
  return {
    waiting,
    doneAt:
      forecasts !== null
        ? endOf(forecasts)
        : waiting > 0
          ? ((await findLastTold(trx, creatorId))?.toISOString() ?? null)
          : null,
    nextExpiryAt: next_expiry_at?.toISOString() ?? null,
    paused,
  };
}

/** All but public replies: those are no messages that somebody waits for. */
const LANES_OF_MESSAGES: LaneKind[] = ['private_replies', 'live_replies', 'messages'];

/** The last time that somebody who waits was told. */
async function findLastTold(trx: CreatorTransaction, creatorId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(waiting_until) as at from interactions where creator_id = ${creatorId} and listed_as = 'waiting'
  `.execute(trx);
  return rows[0]!.at;
}

/** The end of the longest queue; null where one has no end that anybody knows. */
function endOf(forecasts: (number | null)[]): string | null {
  if (forecasts.includes(null)) return null;
  return new Date(Math.max(...forecasts.map(Number))).toISOString();
}

/** Steps left before the first follower gets a link. */
async function readBeginning(trx: CreatorTransaction, creatorId: string) {
  const { rows } = await sql<{
    connect: boolean;
    automation: boolean;
    test: boolean;
    first_reply: boolean;
    begun: boolean;
    seen: boolean;
  }>`
    select
      exists (select from connections where creator_id = ${creatorId} and disconnected_at is null) as connect,
      exists (
        select from automations where creator_id = ${creatorId} and archived_at is null and switched_on_at is not null
      ) as automation,
      -- A comment that met one of their automations: they, or somebody, tried it.
      exists (select from interactions where creator_id = ${creatorId} and automation_id is not null)
        or exists (select from outcome_counts where creator_id = ${creatorId} and counted_by = 'automation') as test,
      -- What was long ago is deleted and still counted.
      exists (select from interactions where creator_id = ${creatorId} and listed_as = 'replied')
        or exists (
          select from outcome_counts
          where creator_id = ${creatorId} and counted_by = 'automation' and counted = 'replied' and count > 0
        ) as first_reply,
      exists (
        select from interactions where creator_id = ${creatorId} and kind = 'comment' and reason <> 'own_comment'
      ) or exists (
        select from outcome_counts where creator_id = ${creatorId} and counted_by = 'post' and reason <> 'own_comment'
      ) as begun,
      (select first_link_seen_at is not null from creators where id = ${creatorId}) as seen
  `.execute(trx);
  const done = rows[0]!;
  return {
    begun: done.begun || done.test,
    celebrates: done.first_reply && !done.seen,
    steps: (['connect', 'automation', 'test', 'first_reply'] as const).map((id) => ({ id, done: done[id] })),
  };
}

export async function seeFirstLink({ clock }: { clock: Clock }, trx: CreatorTransaction, creatorId: string) {
  await trx
    .updateTable('creators')
    .set({ first_link_seen_at: clock.now() })
    .where('id', '=', creatorId)
    .where('first_link_seen_at', 'is', null)
    .execute();
  return { message: 'Noted.' };
}
