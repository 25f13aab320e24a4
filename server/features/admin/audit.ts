/** The audit log: what admins did, with the ids of both. Rows are added, never changed. */
import type { Insertable, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { OldRows } from '#server/db/holds.ts';
import type { AuditLogTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { ServeDeps } from '#server/http/serve.ts';
import type { SignedIn } from '#server/http/sessions.ts';

const PAGE_SIZE = 50;
/** As long as a visit lasts: inside one, each page is noted once. */
const READ_NOTED_EVERY_MS = 3_600_000;

/** Begin and end of a visit; whatever else carries a visit's id was done inside. */
export const ENTERED = 'Entered the account';
export const LEFT = 'Left the account';

/** Who acts by `npm run admin`. */
export const COMMAND_LINE = { admin_id: null, admin_name: 'Command line' };

export type AuditDeps = { clock: Clock; ids: Ids };

type Entry = Omit<Insertable<AuditLogTable>, 'id' | 'at'>;

/** @param db the engine's: requests of creators cannot reach the log */
export async function writeAudit(db: Kysely<Tables>, { clock, ids }: AuditDeps, entry: Entry): Promise<void> {
  const at = clock.now();
  await db
    .insertInto('audit_log')
    .values({ ...entry, id: ids.uuid(at), at })
    .execute();
}

/** Of payments nothing is changed from inside an account. @throws AppError not_allowed */
export function refuseInside({ adminVisit }: SignedIn): void {
  if (adminVisit === null) return;
  throw new AppError('not_allowed', 'You can’t change payments in admin access mode. Exit it first.');
}

export function by({ user }: SignedIn) {
  return { admin_id: user.id, admin_name: user.name };
}

/** For `serve()`, which tells of every change that support makes inside an account, and of what admins read of people. */
export function createAudit(deps: AuditDeps & { db: Database }): ServeDeps['audit'] {
  return {
    note: async ({ user, adminVisit }, { what, detail, isRead }) => {
      const entry = {
        admin_id: user.id,
        admin_name: user.name,
        creator_id: adminVisit?.creatorId ?? null,
        visit_id: adminVisit?.id ?? null,
        what,
        detail,
      };
      if (!isRead) return writeAudit(deps.db.engine, deps, entry);
      await deps.db.engine.transaction().execute(async (trx) => {
        // Screens read the same again every few seconds, and several parts of one at the same moment.
        await sql`select pg_advisory_xact_lock(hashtextextended(${user.id}, 0))`.execute(trx);
        const noted = await trx
          .selectFrom('audit_log')
          .select('id')
          .where('at', '>', new Date(deps.clock.now().getTime() - READ_NOTED_EVERY_MS))
          .where('admin_id', '=', user.id)
          .where('visit_id', 'is not distinct from', entry.visit_id)
          .where('what', '=', what)
          .where('detail', '=', detail)
          .limit(1)
          .executeTakeFirst();
        if (noted === undefined) await writeAudit(trx, deps, entry);
      });
    },
  };
}

/** Newest first. @throws AppError invalid_input for a position that is not of this list */
export async function listAudit(
  { db }: { db: Database },
  query: {
    creatorId?: string | undefined;
    adminId?: string | undefined;
    after?: string | undefined;
    limit?: number | undefined;
  },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const after = readPosition(query.after, 'uuid');
  let rows = db.engine
    .selectFrom('audit_log')
    .leftJoin('creators', 'creators.id', 'audit_log.creator_id')
    .selectAll('audit_log')
    .select(['creators.handle', sql<string>`audit_log.at::text`.as('position')]);
  if (query.creatorId !== undefined) rows = rows.where('audit_log.creator_id', '=', query.creatorId);
  if (query.adminId !== undefined) rows = rows.where('audit_log.admin_id', '=', query.adminId);
  if (after !== null) {
    rows = rows.where(sql<boolean>`(audit_log.at, audit_log.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const page = pageFrom(
    await rows
      .orderBy('audit_log.at', 'desc')
      .orderBy('audit_log.id', 'desc')
      .limit(limit + 1)
      .execute(),
    limit,
  );
  return {
    next: page.next,
    items: page.items.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      adminId: row.admin_id,
      adminName: row.admin_name,
      creatorId: row.creator_id,
      handle: row.handle,
      what: row.what,
      detail: row.detail,
    })),
  };
}

/** The engine's role may not delete there by itself. */
export function forgettingAudit({ engine }: Database, { before, most }: OldRows): () => Promise<number> {
  return async () => {
    const { rows } = await sql<{ gone: number }>`select forget_old_audit(${before}, ${most}) as gone`.execute(engine);
    return rows[0]!.gone;
  };
}
