/** Forgotten and changed passwords. */
import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { forgetTries } from '#server/http/rate-limits.ts';
import { mailLater, mailNobody } from '#server/platforms/email/mail-later.ts';
import { issueLink, refuseDeadLink, useLink, withdrawLinks } from './mailed-links.ts';
import { passwordChanged, resetPassword } from './mails.ts';
import { refuseCommonPassword, refusePersonalPassword } from './password-rules.ts';
import type { PeopleDeps } from './people-deps.ts';
import { setPassword } from './sign-up.ts';

/** Mails a link to the address's owner; for an address that nobody has, does the same work and mails nothing. */
export async function sendResetLink(deps: PeopleDeps, email: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    const person = await trx.selectFrom('users').select(['id', 'email']).where('email', '=', email).executeTakeFirst();
    const token = await issueLink(trx, now, 'reset_password', person?.id ?? null);
    if (person === undefined) await mailNobody(trx);
    else await mailLater(trx, deps, resetPassword(person, deps.baseUrl, token));
  });
}

/**
 * Sets a new password and logs every device out. Who opened the mail also owns the address: it counts as confirmed.
 * @throws AppError link_expired; invalid_input for a password that is guessed first: the link stays good
 */
export async function resetWithLink(deps: PeopleDeps, token: string, newPassword: string): Promise<void> {
  await refuseCommonPassword(newPassword, 'password');
  await refuseDeadLink(deps.db.engine, deps.clock.now(), 'reset_password', token);
  const password = await deps.auth.hashPassword(newPassword);
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    const person = await useLink(trx, now, 'reset_password', token);
    refusePersonalPassword(newPassword, person, 'password');
    await setPassword(trx, deps, person.id, password);
    await trx.updateTable('users').set({ email_verified: true, updated_at: now }).where('id', '=', person.id).execute();
    await withdrawLinks(trx, 'confirm_email', person.id);
    await trx.deleteFrom('sessions').where('user_id', '=', person.id).execute();
    await forgetTrustedDevices(trx, person.id);
    // Nobody who was locked out by a stranger's guesses has to wait.
    await forgetTries(trx, 'login_by_account', person.email);
    await mailLater(trx, deps, passwordChanged(person, deps.baseUrl));
  });
}

/**
 * Changes the password of the person signed in; their other devices are logged out.
 * @throws AppError wrong_credentials when the current one is not right; invalid_input for a new one that is guessed first
 */
export async function changePassword(
  deps: PeopleDeps,
  person: { id: string; name: string; email: string; sessionId: string },
  passwords: { currentPassword: string; newPassword: string },
): Promise<void> {
  await refuseCommonPassword(passwords.newPassword, 'newPassword');
  refusePersonalPassword(passwords.newPassword, person, 'newPassword');
  await refuseWrongPassword(deps, person.id, passwords.currentPassword);
  const password = await deps.auth.hashPassword(passwords.newPassword);
  await deps.db.engine.transaction().execute(async (trx) => {
    await setPassword(trx, deps, person.id, password);
    await trx.deleteFrom('sessions').where('user_id', '=', person.id).where('id', '<>', person.sessionId).execute();
    await withdrawLinks(trx, 'reset_password', person.id);
    await forgetTrustedDevices(trx, person.id);
    await mailLater(trx, deps, passwordChanged(person, deps.baseUrl));
  });
}

/** @throws AppError wrong_credentials */
export async function refuseWrongPassword(deps: PeopleDeps, userId: string, password: string): Promise<void> {
  const credential = await deps.db.engine
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const hash = credential?.password ?? null;
  const right = hash !== null && (await deps.auth.verifyPassword({ hash, password }));
  if (!right) throw new AppError('wrong_credentials', 'That password isn’t right.');
}

/** After a login, the only moment in which we know the password: an outdated hash is made anew. */
export async function renewHash(deps: PeopleDeps, email: string, password: string): Promise<void> {
  const person = await deps.db.engine
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .select(['credentials.id', 'credentials.password'])
    .where('users.email', '=', email)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const old = person?.password ?? null;
  if (person === undefined || old === null || !deps.auth.isOutdatedHash(old)) return;
  const renewed = await deps.auth.hashPassword(password);
  await deps.db.engine
    .updateTable('credentials')
    .set({ password: renewed })
    .where('id', '=', person.id)
    .where('password', '=', old)
    .execute();
}

/** Devices that better-auth lets in without the second factor, and second steps under way. */
export async function forgetTrustedDevices(trx: Transaction<Tables>, userId: string): Promise<void> {
  await trx.deleteFrom('verifications').where('value', '=', userId).execute();
}
