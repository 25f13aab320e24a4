/** The admin area's data and changes, outside of any creator account. */
import { REASONS, type Reason } from '#contract/outcomes.ts';
import { isInHouse } from '#contract/plans.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import type { EventLog } from '#server/events/event-log.ts';
import { startInHouse } from '#server/features/billing/in-house.ts';
import { describeForOperators } from '#server/features/connections/connections.ts';
import { doNewslettersWait } from '#server/features/contacts/no-mail/taking-up.ts';
import { listMailChecks } from '#server/features/mail-checks/mail-checks.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import type { SetupNote } from '#server/http/setup-notes.ts';
import { readInstallation } from '#server/observability/installation.ts';
import type { Observed } from '#server/observability/observability.ts';
import { findReports } from '#server/observability/reports.ts';
import { type AuditDeps, writeAudit } from './audit.ts';
import * as queries from './queries.ts';
import { areReadable } from './unsent-mails.ts';

const PAGE_SIZE = 50;
const DAY_MS = 24 * 3_600_000;
const LANES_SHOWN = 200;
/** A worker beats every few seconds; one that was not seen for so long has gone. */
const WORKER_GONE_AFTER_MS = 10 * 60_000;

const NEWSLETTERS_WAIT: SetupNote = {
  setting: 'Newsletters',
  says: 'They’re on hold: this database was restored, and the list of who left since then is missing. See “After a restore” in docs/operations.md.',
};

type Deps = AuditDeps & { db: Database };
type PageQuery = { after?: string | undefined; limit?: number | undefined };

/** @throws AppError invalid_input for a position that is not of this list */
export async function listCreators(
  { db, clock }: Deps,
  query: PageQuery & { search?: string | undefined; trouble?: 'connection' | 'queue' | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const now = clock.now();
  const found = await queries.findCreators(
    db.engine,
    { search: query.search, trouble: query.trouble, now },
    { after: readPosition(query.after, 'uuid'), limit: limit + 1 },
  );
  const { items, next } = pageFrom(found, limit);
  const connections = await describeForOperators(
    db,
    items.map(({ id }) => id),
    now,
  );
  return {
    next,
    items: items.map((row) => ({
      creatorId: row.id,
      handle: row.handle,
      createdAt: row.created_at.toISOString(),
      planName: row.plan_name,
      status: row.status,
      owners: row.owners,
      followers: row.followers,
      connections: connections.get(row.id) ?? [],
      waiting: row.waiting,
      deleteAt: row.delete_at?.toISOString() ?? null,
      hasOwnAccount: row.has_own_account,
    })),
  };
}

/** @throws AppError invalid_input for a position that is not of this list */
export async function listUsers({ db }: Pick<Deps, 'db'>, query: PageQuery & { search?: string | undefined }) {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid'), limit: limit + 1 };
  const { items, next } = pageFrom(await queries.findUsers(db.engine, query.search ?? '', page), limit);
  return {
    next,
    items: items.map((row) => ({
      userId: row.id,
      name: row.name,
      email: row.email,
      emailVerified: row.email_verified,
      isAdmin: row.is_admin,
      createdAt: row.created_at.toISOString(),
      creators: row.creators,
    })),
  };
}

export async function describeOperations(
  deps: Deps & { eventLog: EventLog; observed: Pick<Observed, 'measures'>; config: Config; setupNotes(): SetupNote[] },
) {
  const { db, clock, eventLog, observed } = deps;
  const now = clock.now();
  const [installation, workers, lanes, reports, newslettersWait, mailChecks] = await Promise.all([
    readInstallation({ db, eventLog, clock }),
    queries.findWorkers(db.engine, new Date(now.getTime() - WORKER_GONE_AFTER_MS), now),
    queries.findLanes(db.engine, now, LANES_SHOWN),
    findReports(db, now),
    doNewslettersWait(db.engine),
    listMailChecks(db.engine),
  ]);
  const { shards, connections, queue, failures, jobs, mails, readerMails, outgoingWebhooks } = installation;
  return {
    setup: [...deps.setupNotes(), ...(newslettersWait ? [NEWSLETTERS_WAIT] : [])],
    shards,
    connections,
    eventLog: { ...withText(installation.eventLog), refusing: observed.measures.refusesEvents() },
    queue: queue.map(withText),
    failures: failures.map((row) => ({ ...row, says: saysOfReason(row.reason) })),
    mails: { ...withText(mails), readable: areReadable(deps.config) },
    readerMails: withText(readerMails),
    mailChecks,
    outgoingWebhooks: withText(outgoingWebhooks),
    processes: reports.map(({ processId, seenAt, report }) => ({
      ...report,
      processId,
      seenAt: seenAt.toISOString(),
    })),
    workers: workers.map((row) => ({
      workerId: row.worker_id,
      seenAt: row.seen_at.toISOString(),
      shards: row.shards,
    })),
    jobs: jobs.map((job) => ({
      ...job,
      nextAt: job.nextAt.toISOString(),
      lastSucceededAt: job.lastSucceededAt?.toISOString() ?? null,
      lastFailedAt: job.lastFailedAt?.toISOString() ?? null,
    })),
    lanes: lanes.map((row) => ({
      creatorId: row.creator_id,
      handle: row.handle,
      connectionId: row.connection_id,
      username: row.username,
      lane: row.lane,
      waiting: row.waiting,
      oldest: row.oldest?.toISOString() ?? null,
      closedUntil: row.closed_until?.toISOString() ?? null,
      closedReason: row.closed_reason,
    })),
  };
}

function withText<T extends { oldest: Date | null }>(given: T): Omit<T, 'oldest'> & { oldest: string | null } {
  return { ...given, oldest: given.oldest?.toISOString() ?? null };
}

function saysOfReason(reason: string): string {
  return reason in REASONS ? REASONS[reason as Reason].says : reason;
}

/**
 * Gives an in-house subscription in place of the one there is.
 *
 * @returns the plan's name
 * @throws AppError not_found for the creator, invalid_input for the plan; not_allowed inside an account;
 *   not_possible_now while they pay for one
 */
export async function grantPlan(
  deps: Deps,
  { user, adminVisit }: SignedIn,
  {
    creatorId,
    productId,
    reason,
    until,
  }: { creatorId: string; productId: string; reason: string; until?: string | null | undefined },
): Promise<string> {
  if (adminVisit !== null) {
    throw new AppError('not_allowed', 'You can’t change a plan in admin access mode. Exit it first.');
  }
  const end = until == null ? null : new Date(Date.parse(until) + DAY_MS);
  if (end !== null && end <= deps.clock.now()) {
    const message = 'Choose a day to come.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'until', message }] });
  }
  return deps.db.engine.transaction().execute(async (trx) => {
    const creator = await trx
      .selectFrom('creators')
      .select('id')
      .where('id', '=', creatorId)
      .forUpdate()
      .executeTakeFirst();
    if (creator === undefined) throw new AppError('not_found', 'This creator doesn’t exist.');
    const plan = await trx.selectFrom('plans').select(['id', 'name']).where('id', '=', productId).executeTakeFirst();
    if (plan === undefined) {
      const message = 'This plan doesn’t exist.';
      throw new AppError('invalid_input', message, { fields: [{ path: 'productId', message }] });
    }
    const present = await trx
      .selectFrom('subscriptions')
      .select(['status', 'stripe_subscription_id'])
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    const isBought = present !== undefined && !isInHouse({ stripeSubscriptionId: present.stripe_subscription_id });
    if (isBought && isPaidFor(present)) {
      throw new AppError(
        'not_possible_now',
        'This creator pays for a subscription. Cancel it first: a granted plan replaces it.',
      );
    }
    await startInHouse(trx, deps, { creatorId, planId: plan.id, until: end });
    await writeAudit(trx, deps, {
      admin_id: user.id,
      admin_name: user.name,
      creator_id: creatorId,
      what: `Granted the plan ${plan.name}${until == null ? '' : ` until ${until}`}`,
      detail: reason,
    });
    return plan.name;
  });
}

/** Money may still be drawn for it. */
function isPaidFor({ status }: { status: string }): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired';
}
