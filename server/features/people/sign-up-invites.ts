/** Invites of the operator to sign up here; those of a creator to join a team are in server/features/team. */
import type { Kysely } from 'kysely';
import { MAILED_LINKS } from '#contract/session.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { type AuditDeps, writeAudit } from '#server/features/admin/audit.ts';
import { findInviteByToken } from '#server/features/team/open-invites.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { hashOfToken, issueSignUpLink } from './mailed-links.ts';
import { signUpInvitation } from './mails.ts';

/**
 * Mails a link to sign up with; links sent to the address before no longer work.
 *
 * @returns the link, for an install that has no mail server yet
 * @throws AppError already_exists when somebody has signed up with the address
 */
export async function inviteToSignUp(
  deps: AuditDeps & { db: Database; baseUrl: string },
  email: string,
): Promise<string> {
  return deps.db.engine.transaction().execute(async (trx) => {
    const known = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (known !== undefined) throw new AppError('already_exists', `${email} already has an account here.`);
    const token = await issueSignUpLink(trx, deps.clock.now(), email);
    await mailLater(trx, deps, signUpInvitation(email, deps.baseUrl, token));
    await writeAudit(trx, deps, {
      admin_id: null,
      admin_name: 'Command line',
      what: 'Invited someone to sign up',
      detail: '',
    });
    return deps.baseUrl + MAILED_LINKS.inviteToSignUp(token);
  });
}

/** The address that an unused link to sign up was sent to. */
export async function findSignUpInvite(db: Kysely<Tables>, now: Date, token: string): Promise<string | null> {
  const link = await db
    .selectFrom('emailed_links')
    .select('email')
    .where('token_hash', '=', hashOfToken(token))
    .where('purpose', '=', 'sign_up')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link?.email ?? null;
}

/** Whether the token is of an invite to this address: the operator's, or a team's. */
export async function isInvited(
  db: Kysely<Tables>,
  now: Date,
  { email, inviteToken }: { email: string; inviteToken?: string | undefined },
): Promise<boolean> {
  if (inviteToken === undefined) return false;
  const invited =
    (await findInviteByToken(db, now, inviteToken))?.email ?? (await findSignUpInvite(db, now, inviteToken));
  return invited === email;
}
