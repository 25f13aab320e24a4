/** How the whole installation is, whichever process asks: what waits, what is closed, what failed. For metrics and the operator. */
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { AddGauge } from './gauges.ts';

const DAY_MS = 24 * 3_600_000;

export type Installation = {
  eventLog: { waiting: number; oldest: Date | null; parked: number };
  /** Those with only the id known yet. */
  unreadMessages: { waiting: number; oldest: Date | null };
  /** Per kind of lane, over all accounts. */
  queue: { lane: string; waiting: number; oldest: Date | null }[];
  closedLanes: { reason: string; count: number }[];
  connections: { state: 'working' | 'needs_reconnect' | 'barred' | 'paused'; count: number }[];
  /** In the last 24 hours. */
  failures: { lane: string; reason: string; count: number }[];
  mails: { waiting: number; oldest: Date | null; failed: number };
  /** To readers; `failed`: not sent within a day. */
  /** In the last 24 hours: refused because of us; and reports on mails that nobody understood. */
  readerMails: { waiting: number; oldest: Date | null; failed: number; refusedUs: number; notUnderstood: number };
  outgoingWebhooks: { waiting: number; oldest: Date | null; failing: number; switchedOff: number };
  /** `oldestCopy`: of a creator’s subscriptions, when it was last compared; `unknown`: calls that may have happened. */
  stripe: { oldestCopy: Date | null; planned: number; unknown: number; repaired: number };
  shards: { held: number; free: number };
  jobs: {
    name: string;
    nextAt: Date;
    lastSucceededAt: Date | null;
    lastFailedAt: Date | null;
    lastFailure: string | null;
    heldBecause: string | null;
    failuresInARow: number;
  }[];
};

type Deps = { db: Pick<Database, 'engine'>; eventLog: Pick<EventLog, 'lag'>; clock: Clock };

/** Its cost grows with what waits and what failed today, never with history. */
export async function readInstallation({ db, eventLog, clock }: Deps): Promise<Installation> {
  const now = clock.now();
  const since = new Date(now.getTime() - DAY_MS);
  const [lag, queue, closedLanes, connections, failures, totals, jobs] = await Promise.all([
    eventLog.lag(),
    rows<Installation['queue'][number]>(
      db,
      sql`select lane, count(*) as waiting, min(created_at) as oldest from deliveries where listed_as = 'queued' group by lane
          order by lane`,
    ),
    rows<Installation['closedLanes'][number]>(
      db,
      sql`select coalesce(closed_reason, '') as reason, count(*) as count from lane_states where closed_until > ${now}
          group by 1 order by 1`,
    ),
    rows<Installation['connections'][number]>(
      db,
      sql`select case
            when requires_auth_at is not null then 'needs_reconnect'
            when policy_blocked or barred_until > ${now} then 'barred'
            when webhooks_paused_at is not null then 'paused'
            else 'working' end as state, count(*) as count
          from connections where disconnected_at is null group by 1 order by 1`,
    ),
    rows<Installation['failures'][number]>(
      db,
      sql`select lane, coalesce(failure_reason, state) as reason, count(*) as count from deliveries
          where given_up_at > ${since} group by 1, 2 order by 3 desc, 1, 2`,
    ),
    readTotals(db, since),
    readJobs(db),
  ]);
  return {
    eventLog: { ...lag, parked: totals.parked },
    unreadMessages: { waiting: totals.unread_waiting, oldest: totals.unread_oldest },
    queue,
    closedLanes,
    connections,
    failures,
    mails: { waiting: totals.mails_waiting, oldest: totals.mails_oldest, failed: totals.mails_failed },
    readerMails: {
      waiting: totals.reader_mails_waiting,
      oldest: totals.reader_mails_oldest,
      failed: totals.reader_mails_failed,
      refusedUs: totals.reader_mails_refused_us,
      notUnderstood: totals.reports_not_understood,
    },
    outgoingWebhooks: {
      waiting: totals.events_waiting,
      oldest: totals.events_oldest,
      failing: totals.endpoints_failing,
      switchedOff: totals.endpoints_off,
    },
    stripe: {
      oldestCopy: totals.stripe_oldest_copy,
      planned: totals.stripe_calls_planned,
      unknown: totals.stripe_calls_unknown,
      repaired: totals.stripe_repaired,
    },
    shards: { held: totals.shards_held, free: totals.shards_free },
    jobs,
  };
}

async function rows<Row>(db: Deps['db'], query: ReturnType<typeof sql>): Promise<Row[]> {
  return (await query.execute(db.engine)).rows as Row[];
}

/** One for each name: of those that are queued, the one that is due first and the worst of what failed. */
function readJobs(db: Deps['db']): Promise<Installation['jobs']> {
  return rows(
    db,
    sql`select name, min(due_at) as "nextAt", max(last_succeeded_at) as "lastSucceededAt",
          max(last_failed_at) as "lastFailedAt",
          (array_agg(last_failure order by last_failed_at desc nulls last))[1] as "lastFailure",
          max(held_because) as "heldBecause", max(failures_in_a_row) as "failuresInARow"
        from jobs group by name order by name`,
  );
}

type Totals = {
  parked: number;
  unread_waiting: number;
  unread_oldest: Date | null;
  mails_waiting: number;
  mails_oldest: Date | null;
  mails_failed: number;
  reader_mails_waiting: number;
  reader_mails_oldest: Date | null;
  reader_mails_failed: number;
  reader_mails_refused_us: number;
  reports_not_understood: number;
  events_waiting: number;
  events_oldest: Date | null;
  endpoints_failing: number;
  endpoints_off: number;
  stripe_oldest_copy: Date | null;
  stripe_calls_planned: number;
  stripe_calls_unknown: number;
  stripe_repaired: number;
  shards_held: number;
  shards_free: number;
};

async function readTotals(db: Deps['db'], since: Date): Promise<Totals> {
  const [totals] = await rows<Totals>(
    db,
    sql`select
          (select count(*) from parked_events) as parked,
          unread.waiting as unread_waiting, unread.oldest as unread_oldest,
          mails.waiting as mails_waiting, mails.oldest as mails_oldest,
          (select count(*) from mails where state = 'failed' and finished_at > ${since}) as mails_failed,
          reader_mails.waiting as reader_mails_waiting, reader_mails.oldest as reader_mails_oldest,
          (select count(*) from reader_mails where state = 'expired' and finished_at > ${since}) as reader_mails_failed,
          (select count(*) from reader_mails where reported = 'about_us' and reported_at > ${since}) as reader_mails_refused_us,
          (select count(*) from feedback_events where what = 'not_understood' and received_at > ${since})
            as reports_not_understood,
          events.waiting as events_waiting, events.oldest as events_oldest,
          (select count(*) from outgoing_endpoints where switched_off_at is null and failing_since is not null)
            as endpoints_failing,
          (select count(*) from outgoing_endpoints where switched_off_at is not null) as endpoints_off,
          (select min(synced_at) from stripe_customers) as stripe_oldest_copy,
          (select count(*) from stripe_calls where state = 'planned') as stripe_calls_planned,
          (select count(*) from stripe_calls where state = 'unknown') as stripe_calls_unknown,
          (select count(*) from stripe_customers where repaired_at > ${since}) as stripe_repaired,
          -- By the database's clock, which leases are written with.
          (select count(*) from shard_leases where expires_at > now()) as shards_held,
          (select count(*) from shard_leases where expires_at <= now()) as shards_free
        from (select count(*) as waiting, min(received_at) as oldest from unread_messages) as unread,
          (select count(*) as waiting, min(created_at) as oldest from mails where state = 'queued') as mails,
          (select count(*) as waiting, min(created_at) as oldest from reader_mails where state = 'waiting') as reader_mails,
          (select count(*) as waiting, min(happened_at) as oldest from outgoing_events where state = 'queued') as events`,
  );
  return totals!;
}

/** How long an answer serves: several may look at the same time, and their looking must not be felt. */
const KEPT_MS = 10_000;

/**
 * The installation as gauges. Every process shows the same values: take the highest, don't add them up.
 */
export function measureInstallation(addGauge: AddGauge, deps: Deps): void {
  const { clock } = deps;
  let kept: { at: number; answer: Promise<Installation> } | null = null;
  const read = (): Promise<Installation> => {
    const now = clock.now().getTime();
    if (kept === null || now - kept.at >= KEPT_MS) kept = { at: now, answer: readInstallation(deps) };
    return kept.answer;
  };
  const age = (oldest: Date | null) =>
    oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000;
  const gauge = (
    name: string,
    help: string,
    value: (of: Installation) => number | [string[], number][],
    labels: string[] = [],
  ) => addGauge(`creator_hq_${name}`, help, async () => value(await read()), labels);

  gauge('event_log_waiting', 'Events that wait to be worked off.', ({ eventLog }) => eventLog.waiting);
  gauge('event_log_oldest_seconds', 'Age of the oldest waiting event.', ({ eventLog }) => age(eventLog.oldest));
  gauge('events_parked', 'Events that could not be processed.', ({ eventLog }) => eventLog.parked);
  gauge(
    'messages_unread',
    'Messages that Meta told of by their id alone and that are not read yet.',
    ({ unreadMessages }) => unreadMessages.waiting,
  );
  gauge('messages_unread_oldest_seconds', 'Age of the oldest of them.', ({ unreadMessages }) =>
    age(unreadMessages.oldest),
  );
  gauge(
    'queue_deliveries',
    'Messages that wait to be sent.',
    ({ queue }) => queue.map(({ lane, waiting }) => [[lane], waiting]),
    ['lane'],
  );
  gauge(
    'queue_oldest_seconds',
    'Age of the oldest waiting message.',
    ({ queue }) => queue.map(({ lane, oldest }) => [[lane], age(oldest)]),
    ['lane'],
  );
  gauge(
    'lanes_closed',
    'Lanes that are closed now.',
    ({ closedLanes }) => closedLanes.map(({ reason, count }) => [[reason], count]),
    ['reason'],
  );
  gauge(
    'connections',
    'Connected accounts.',
    ({ connections }) => connections.map(({ state, count }) => [[state], count]),
    ['state'],
  );
  gauge('mails_waiting', 'Mails that wait to be sent.', ({ mails }) => mails.waiting);
  gauge('mails_oldest_seconds', 'Age of the oldest waiting mail.', ({ mails }) => age(mails.oldest));
  gauge('mails_given_up', 'Mails given up in the last 24 hours.', ({ mails }) => mails.failed);
  gauge('reader_mails_waiting', 'Mails to readers that wait to be sent.', ({ readerMails }) => readerMails.waiting);
  gauge('reader_mails_oldest_seconds', 'Age of the oldest of them.', ({ readerMails }) => age(readerMails.oldest));
  gauge(
    'reader_mails_given_up',
    'Mails to readers given up in the last 24 hours.',
    ({ readerMails }) => readerMails.failed,
  );
  gauge(
    'reader_mails_refused_us',
    'Mails to readers that came back because of us in the last 24 hours.',
    ({ readerMails }) => readerMails.refusedUs,
  );
  gauge(
    'mail_reports_not_understood',
    'Reports on mails that could not be read in the last 24 hours.',
    ({ readerMails }) => readerMails.notUnderstood,
  );
  gauge(
    'outgoing_webhooks_waiting',
    'Events that wait to be told to other tools.',
    ({ outgoingWebhooks }) => outgoingWebhooks.waiting,
  );
  gauge('outgoing_webhooks_oldest_seconds', 'Age of the oldest of them.', ({ outgoingWebhooks }) =>
    age(outgoingWebhooks.oldest),
  );
  gauge(
    'outgoing_endpoints',
    'Addresses of other tools that do not take what they are sent.',
    ({ outgoingWebhooks: { failing, switchedOff } }) => [
      [['failing'], failing],
      [['switched_off'], switchedOff],
    ],
    ['state'],
  );
  gauge(
    'stripe_oldest_copy_seconds',
    'Since when a copy of a subscription was not compared with Stripe.',
    ({ stripe }) => age(stripe.oldestCopy),
  );
  gauge(
    'stripe_calls',
    'Calls to Stripe without an answer: made again, or unknown.',
    ({ stripe: { planned, unknown } }) => [
      [['planned'], planned],
      [['unknown'], unknown],
    ],
    ['state'],
  );
  gauge(
    'stripe_copies_repaired',
    'Copies of subscriptions that a check found to be other than Stripe in the last day, and mended.',
    ({ stripe }) => stripe.repaired,
  );
  gauge(
    'shards',
    'Shards by whether a worker holds them.',
    ({ shards: { held, free } }) => [
      [['held'], held],
      [['free'], free],
    ],
    ['state'],
  );
  gauge(
    'job_last_success_timestamp_seconds',
    'When a recurring job last succeeded, in seconds since 1970.',
    ({ jobs }) =>
      jobs.flatMap(({ name, lastSucceededAt }): [string[], number][] =>
        lastSucceededAt === null ? [] : [[[name], lastSucceededAt.getTime() / 1000]],
      ),
    ['job'],
  );
  gauge(
    'job_failures_in_a_row',
    'How often a recurring job has failed since it last succeeded.',
    ({ jobs }) => jobs.map(({ name, failuresInARow }) => [[name], failuresInARow]),
    ['job'],
  );
}
