/** Support inside a creator account: who entered, why, until when. The session carries the visit (people/sessions.ts). */
import { type Kysely, sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { mailSupportVisit } from '#server/features/notices/new-access.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { type AuditDeps, ENTERED, LEFT, writeAudit } from './audit.ts';

const VISIT_LASTS_MS = 3_600_000;

export const ADMIN_AREA = '/creator-hq/admin';

const SHOWN = 100;

type Deps = AuditDeps & { config: { baseUrl: string }; db: Database };

/**
 * Begins a visit in this session; one that was under way ends.
 *
 * @param given.returnTo the screen to go back to afterwards
 * @throws AppError not_found; invalid_input when `returnTo` leads out of the web app
 */
export async function enter(
  deps: Deps,
  { user, sessionId }: SignedIn,
  given: { creatorId: string; reason: string; returnTo?: string | undefined },
): Promise<{ until: Date }> {
  const { creatorId, reason, returnTo = ADMIN_AREA } = given;
  if (!isScreen(returnTo)) {
    const message = 'Only a Creator HQ page can be returned to.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'returnTo', message }] });
  }
  const now = deps.clock.now();
  const until = new Date(now.getTime() + VISIT_LASTS_MS);
  await deps.db.engine.transaction().execute(async (trx) => {
    const creator = await trx.selectFrom('creators').select('id').where('id', '=', creatorId).executeTakeFirst();
    if (creator === undefined) throw new AppError('not_found', 'This creator doesn’t exist.');
    // Two tabs at once enter one after the other, so that the first visit is ended by the second.
    await trx.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute();
    await endVisit(trx, deps, sessionId);
    const id = deps.ids.uuid(now);
    await trx
      .insertInto('admin_visits')
      .values({
        creator_id: creatorId,
        id,
        admin_id: user.id,
        admin_name: user.name,
        reason,
        return_to: returnTo,
        started_at: now,
        until,
      })
      .execute();
    await trx.updateTable('sessions').set({ admin_visit_id: id }).where('id', '=', sessionId).execute();
    await writeAudit(trx, deps, {
      admin_id: user.id,
      admin_name: user.name,
      creator_id: creatorId,
      visit_id: id,
      what: ENTERED,
      detail: reason,
    });
    await mailSupportVisit(trx, deps, { creatorId, adminName: user.name, reason, until });
  });
  return { until };
}

/**
 * Ends the session's visit, also one whose hour is over. Without one it changes nothing.
 * @returns where the admin came from; null without a visit
 */
export async function leave(deps: Omit<Deps, 'config'>, sessionId: string): Promise<string | null> {
  return deps.db.engine.transaction().execute((trx) => endVisit(trx, deps, sessionId));
}

/** The same within a transaction. */
export async function endVisit(trx: Kysely<Tables>, deps: AuditDeps, sessionId: string): Promise<string | null> {
  const visit = await trx
    .selectFrom('sessions')
    .innerJoin('admin_visits', 'admin_visits.id', 'sessions.admin_visit_id')
    .selectAll('admin_visits')
    .where('sessions.id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst();
  if (visit === undefined) return null;
  const now = deps.clock.now();
  await trx.updateTable('sessions').set({ admin_visit_id: null }).where('id', '=', sessionId).execute();
  // Over by itself before: then that is when it ended, and nobody left.
  if (visit.ended_at === null && visit.until > now) {
    await trx
      .updateTable('admin_visits')
      .set({ ended_at: now })
      .where('creator_id', '=', visit.creator_id)
      .where('id', '=', visit.id)
      .execute();
    await writeAudit(trx, deps, {
      admin_id: visit.admin_id,
      admin_name: visit.admin_name,
      creator_id: visit.creator_id,
      visit_id: visit.id,
      what: LEFT,
    });
  }
  return visit.return_to;
}

/** For the creator: newest first, the last hundred. */
export async function listVisits({ db, clock }: Pick<Deps, 'db' | 'clock'>, creatorId: string) {
  const now = clock.now();
  const visits = await db.withCreator(creatorId, (trx) =>
    trx
      .selectFrom('admin_visits')
      .selectAll()
      .where('creator_id', '=', creatorId)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(SHOWN)
      .execute(),
  );
  const counts = await countNoted(
    db.engine,
    creatorId,
    visits.map(({ id }) => id),
  );
  return visits.map((visit) => {
    const endedAt = visit.ended_at ?? (visit.until <= now ? visit.until : null);
    return {
      id: visit.id,
      adminName: visit.admin_name,
      reason: visit.reason,
      startedAt: visit.started_at.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      reads: counts.get(visit.id)?.reads ?? 0,
      actions: counts.get(visit.id)?.actions ?? 0,
    };
  });
}

type Noted = { reads: number; actions: number };

async function countNoted(db: Kysely<Tables>, creatorId: string, visitIds: string[]): Promise<Map<string, Noted>> {
  if (visitIds.length === 0) return new Map();
  // As `serve()` writes it: the method, then the address.
  const isRead = sql<boolean>`detail like 'GET %'`;
  const rows = await db
    .selectFrom('audit_log')
    .select((eb) => [
      'visit_id',
      eb.fn.countAll<number>().filterWhere(isRead).as('reads'),
      eb.fn.countAll<number>().filterWhere(eb.not(isRead)).as('actions'),
    ])
    .where('creator_id', '=', creatorId)
    .where('visit_id', 'in', visitIds)
    .where('what', 'not in', [ENTERED, LEFT])
    .groupBy('visit_id')
    .execute();
  return new Map(rows.map(({ visit_id, reads, actions }) => [visit_id!, { reads, actions }]));
}

/** Compared after the browser's own reading of it, which knows `..`, `//` and backslashes. */
function isScreen(path: string): boolean {
  const origin = 'https://creator-hq.invalid';
  if (!path.startsWith('/creator-hq') || !URL.canParse(path, origin)) return false;
  const url = new URL(path, origin);
  return url.origin === origin && /^\/creator-hq(\/|$)/.test(url.pathname);
}
