/**
 * Signing up. Whoever asks learns nothing about who has an account: known and unknown addresses get the same answer, after
 * the same work, and the rest goes to the address's owner by mail.
 */
import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { issueLink, useLink, withdrawLinks } from '#server/features/people/mailed-links.ts';
import { alreadyHaveAccount, confirmEmail } from '#server/features/people/mails.ts';
import type { PeopleDeps } from '#server/features/people/people-deps.ts';
import { findInviteByToken } from '#server/features/team/queries.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';

/**
 * @param person.inviteToken of the link in an invitation mail: who has it reads the mails of that address
 * @returns the id of the person when her address is confirmed by that and she may be signed in; else null
 */
export async function signUp(
  deps: PeopleDeps,
  person: { name: string; email: string; password: string; inviteToken?: string | undefined },
): Promise<string | null> {
  const password = await deps.auth.hashPassword(person.password);
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
      .select(['id', 'name', 'email', 'email_verified'])
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
      .select(['id', 'name', 'email'])
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (person === undefined) await issueLink(trx, deps.clock.now(), 'confirm_email', null);
    else await sendConfirmation(trx, deps, person);
  });
}

/**
 * @returns the id of the person whose address is confirmed now
 * @throws AppError link_expired
 */
export async function confirmAddress(deps: PeopleDeps, token: string): Promise<string> {
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute(async (trx) => {
    const { id } = await useLink(trx, now, 'confirm_email', token);
    await trx.updateTable('users').set({ email_verified: true, updated_at: now }).where('id', '=', id).execute();
    return id;
  });
}

async function sendConfirmation(
  trx: Transaction<Tables>,
  deps: PeopleDeps,
  person: { id: string; name: string; email: string },
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
