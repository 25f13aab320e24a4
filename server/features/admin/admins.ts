/** Who is an admin: granted and revoked on the machine itself, by `npm run admin`. */
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { type AuditDeps, COMMAND_LINE, writeAudit } from './audit.ts';

type Deps = AuditDeps & { db: Database };

/**
 * @returns false when the person was one already
 * @throws AppError not_found when nobody has the address; email_not_verified when its owner has not proved that it is theirs
 */
export async function grantAdmin(deps: Deps, email: string): Promise<boolean> {
  const { id, email_verified, is_admin } = await findPerson(deps, email);
  if (!email_verified) {
    throw new AppError(
      'email_not_verified',
      `${email} isn’t confirmed yet. Open the link in the confirmation email first.`,
    );
  }
  if (is_admin) return false;
  await deps.db.engine.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ is_admin: true }).where('id', '=', id).execute();
    await writeAudit(trx, deps, { ...COMMAND_LINE, what: 'Made an admin', detail: `user ${id}` });
  });
  return true;
}

/**
 * Takes the right away and ends visits under way.
 * @returns false when the person was none
 * @throws AppError not_found when nobody has the address
 */
export async function revokeAdmin(deps: Deps, email: string): Promise<boolean> {
  const { id, is_admin } = await findPerson(deps, email);
  if (!is_admin) return false;
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ is_admin: false }).where('id', '=', id).execute();
    await trx.updateTable('sessions').set({ admin_visit_id: null }).where('user_id', '=', id).execute();
    await trx
      .updateTable('admin_visits')
      .set({ ended_at: now })
      .where('admin_id', '=', id)
      .where('ended_at', 'is', null)
      .where('until', '>', now)
      .execute();
    await writeAudit(trx, deps, { ...COMMAND_LINE, what: 'No longer an admin', detail: `user ${id}` });
  });
  return true;
}

export async function listAdmins({ db }: Pick<Deps, 'db'>): Promise<{ name: string; email: string }[]> {
  return db.engine
    .selectFrom('users')
    .select(['name', 'email'])
    .where('is_admin', '=', true)
    .orderBy('email')
    .execute();
}

async function findPerson({ db }: Deps, email: string) {
  const person = await db.engine
    .selectFrom('users')
    .select(['id', 'email_verified', 'is_admin'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  if (person === undefined) {
    throw new AppError('not_found', `No one has signed up with the address ${email}. Sign up first, then try again.`);
  }
  return person;
}
