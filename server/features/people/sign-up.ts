/**
 * Signing up. Whoever asks learns nothing about who has an account: known and unknown addresses get the same answer, after
 * the same work, and the rest goes to the address's owner by mail.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { issueLink, useLink, withdrawLinks } from '#server/features/people/mailed-links.ts';
import { alreadyHaveAccount, confirmEmail } from '#server/features/people/mails.ts';
import { refuseCommonPassword, refusePersonalPassword } from '#server/features/people/password-rules.ts';
import type { PeopleDeps } from '#server/features/people/people-deps.ts';
import { findInviteByToken } from '#server/features/team/queries.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';

/** How long the browser that signed up keeps its proof: as long as the link in the mail works. */
export const PROOF_LASTS_S = 24 * 60 * 60;

/**
 * @param person.inviteToken of the link in an invitation mail: who has it reads the mails of that address
 * @returns `confirmedId`: the person when her address is confirmed by that and she may be signed in; else null. `proof` is
 *   for this browser to keep: it shows at the confirmation that the password was chosen here.
 * @throws AppError invalid_input for a password that is guessed first
 */
export async function signUp(
  deps: PeopleDeps,
  person: { name: string; email: string; password: string; inviteToken?: string | undefined },
): Promise<{ confirmedId: string | null; proof: string }> {
  await refuseCommonPassword(person.password, 'password');
  refusePersonalPassword(person.password, person, 'password');
  const password = await deps.auth.hashPassword(person.password);
  return { confirmedId: await enterPerson(deps, person, password), proof: proofOf(deps, password) };
}

async function enterPerson(
  deps: PeopleDeps,
  person: { name: string; email: string; inviteToken?: string | undefined },
  password: string,
): Promise<string | null> {
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute(async (trx) => {
    const confirmed = await isInvited(trx, now, person);
    const created = await trx
      .insertInto('users')
      .values({
        id: deps.ids.uuid(now),
        name: person.name,
        email: person.email,
        email_verified: confirmed,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created !== undefined) {
      await setPassword(trx, deps, created.id, password);
      if (confirmed) return created.id;
      await sendConfirmation(trx, deps, { ...person, id: created.id });
      return null;
    }
    const existing = await trx
      .selectFrom('users')
      .select(['id', 'email', 'email_verified'])
      .where('email', '=', person.email)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (existing.email_verified) {
      await mailLater(trx, deps, alreadyHaveAccount(existing, deps.baseUrl));
      return null;
    }
    // Whoever signed up first need not be the address's owner: only the newest name, password and link count.
    await trx
      .updateTable('users')
      .set({ name: person.name, email_verified: confirmed, updated_at: now })
      .where('id', '=', existing.id)
      .execute();
    await setPassword(trx, deps, existing.id, password);
    if (confirmed) {
      await withdrawLinks(trx, 'confirm_email', existing.id);
      return existing.id;
    }
    await sendConfirmation(trx, deps, { ...person, id: existing.id });
    return null;
  });
}

async function isInvited(
  trx: Transaction<Tables>,
  now: Date,
  { email, inviteToken }: { email: string; inviteToken?: string | undefined },
): Promise<boolean> {
  if (inviteToken === undefined) return false;
  return (await findInviteByToken(trx, now, inviteToken))?.email === email;
}

/** Sends the confirmation again when the address waits for one; else does nothing that can be seen. */
export async function sendConfirmationAgain(deps: PeopleDeps, email: string): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    const person = await trx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (person === undefined) await issueLink(trx, deps.clock.now(), 'confirm_email', null);
    else await sendConfirmation(trx, deps, person);
  });
}

/**
 * The link shows that somebody reads the mails of the address; that she also is who signed up, the proof in her browser
 * shows, or the password. Without that a stranger could sign up with her address, and her click would open it for him.
 *
 * @returns the id of the person whose address is confirmed now
 * @throws AppError link_expired; wrong_credentials when neither is shown: the link stays good
 */
export async function confirmAddress(
  deps: PeopleDeps,
  token: string,
  shown: { proof: string | undefined; password: string | undefined },
): Promise<string> {
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute(async (trx) => {
    const { id } = await useLink(trx, now, 'confirm_email', token);
    const { password: hash } = await trx
      .selectFrom('credentials')
      .select('password')
      .where('user_id', '=', id)
      .where('provider_id', '=', 'credential')
      .executeTakeFirstOrThrow();
    if (hash === null || !(await signedUpHere(deps, hash, shown))) {
      throw new AppError(
        'wrong_credentials',
        shown.password === undefined
          ? 'Enter the password that you chose when you signed up. It shows that it was you.'
          : 'That is not the password that was chosen at sign-up. Try again, or set a new one by “Forgot password”.',
      );
    }
    await trx.updateTable('users').set({ email_verified: true, updated_at: now }).where('id', '=', id).execute();
    return id;
  });
}

async function signedUpHere(
  deps: PeopleDeps,
  hash: string,
  { proof, password }: { proof: string | undefined; password: string | undefined },
): Promise<boolean> {
  const expected = Buffer.from(proofOf(deps, hash));
  const given = Buffer.from(proof ?? '');
  if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
  return password !== undefined && deps.auth.verifyPassword({ hash, password });
}

/** Fits one choice of a password: whoever signs up with the same address later has another. */
function proofOf({ keys }: PeopleDeps, passwordHash: string): string {
  return createHmac('sha256', keys.secretKey).update('signed up here\0').update(passwordHash).digest('base64url');
}

async function sendConfirmation(
  trx: Transaction<Tables>,
  deps: PeopleDeps,
  person: { id: string; email: string },
): Promise<void> {
  await withdrawLinks(trx, 'confirm_email', person.id);
  const token = await issueLink(trx, deps.clock.now(), 'confirm_email', person.id);
  await mailLater(trx, deps, confirmEmail(person, deps.baseUrl, token));
}

/** In the form in which better-auth finds it at sign-in. */
export async function setPassword(
  trx: Transaction<Tables>,
  deps: PeopleDeps,
  userId: string,
  password: string,
): Promise<void> {
  const now = deps.clock.now();
  await trx
    .insertInto('credentials')
    .values({
      id: deps.ids.uuid(now),
      user_id: userId,
      account_id: userId,
      provider_id: 'credential',
      password,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password, updated_at: now }),
    )
    .execute();
}
