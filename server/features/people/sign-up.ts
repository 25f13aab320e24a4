/**
 * Signing up. Nobody learns from it who has an account: known and unknown addresses get the same answer, after
 * the same work, and the rest goes to the address's owner by mail.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { mailLater, mailNobody, NOBODY } from '#server/platforms/email/mail-later.ts';
import { hashOfToken, issueLink, useLink, withdrawLinks, withdrawSignUpLinks } from './mailed-links.ts';
import { alreadyHaveAccount, confirmEmail } from './mails.ts';
import { refuseCommonPassword, refusePersonalPassword } from './password-rules.ts';
import type { PeopleDeps } from './people-deps.ts';
import { isInvited } from './sign-up-invites.ts';

/** How long the browser that signed up keeps its proof: as long as the link in the mail works. */
export const PROOF_LASTS_S = 24 * 60 * 60;

/**
 * @param person.inviteToken of the link in an invitation mail: who has it reads the mails of that address
 * @returns `confirmedId`: the person when their address is confirmed by that and they may be signed in; else null. `proof` is
 *   for this browser to keep: it shows at the confirmation that the password was chosen here.
 * @throws AppError not_allowed without the invite that is needed; invalid_input for a password that is guessed first
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
  const entered = await deps.db.engine.transaction().execute(async (trx) => {
    const confirmed = await refuseUninvited(deps, trx, person);
    const existing = await trx
      .selectFrom('users')
      .select(['id', 'email', 'email_verified'])
      .where('email', '=', person.email)
      .forUpdate()
      .executeTakeFirst();
    if (existing?.email_verified) {
      await writeAsMuch(trx, now, existing.id);
      await mailLater(trx, deps, alreadyHaveAccount(existing, deps.baseUrl));
      return null;
    }
    const id = existing?.id ?? deps.ids.uuid(now);
    if (existing === undefined) {
      const created = await trx
        .insertInto('users')
        .values({
          id,
          name: person.name,
          email: person.email,
          email_verified: confirmed,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (created === undefined) return 'meanwhile' as const;
    } else {
      // The first to sign up need not be the address's owner: only the newest name, password and link count.
      await trx
        .updateTable('users')
        .set({ name: person.name, email_verified: confirmed, updated_at: now })
        .where('id', '=', id)
        .execute();
    }
    await setPassword(trx, deps, id, password);
    if (!confirmed) {
      await sendConfirmation(trx, deps, { ...person, id });
      return null;
    }
    await withdrawLinks(trx, 'confirm_email', id);
    await withdrawSignUpLinks(trx, person.email);
    return id;
  });
  // Somebody signed up with the address at this very moment.
  return entered === 'meanwhile' ? enterPerson(deps, person, password) : entered;
}

/** As many statements as a new address costs, changing nothing: the time to the answer tells nothing of this account. */
async function writeAsMuch(trx: Transaction<Tables>, now: Date, userId: string): Promise<void> {
  const unchanged = { updated_at: sql<Date>`updated_at` };
  await trx.updateTable('users').set(unchanged).where('id', '=', userId).execute();
  await trx.updateTable('credentials').set(unchanged).where('user_id', '=', userId).execute();
  await withdrawLinks(trx, 'confirm_email', userId);
  await issueLink(trx, now, 'confirm_email', null);
}

/**
 * Asked before the password is hashed, and again where the account is made.
 *
 * @returns whether the person shows an invite to this address
 * @throws AppError not_allowed where signing up is closed, or for the invited only: the same for every address
 */
export async function refuseUninvited(
  { clock, config }: Pick<PeopleDeps, 'clock' | 'config'>,
  db: Kysely<Tables>,
  person: { email: string; inviteToken?: string | undefined },
): Promise<boolean> {
  if (config.signUp === 'closed') throw new AppError('not_allowed', 'This Creator HQ isn’t taking new accounts.');
  const invited = await isInvited(db, clock.now(), person);
  if (!invited && config.signUp === 'invited') {
    throw new AppError(
      'not_allowed',
      'You need an invite to sign up. Open the link in your invite email, and sign up with the same address.',
    );
  }
  return invited;
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
    if (person !== undefined) return sendConfirmation(trx, deps, person);
    await withdrawLinks(trx, 'confirm_email', NOBODY);
    await issueLink(trx, deps.clock.now(), 'confirm_email', null);
    await mailNobody(trx);
  });
}

/**
 * The link shows that somebody reads the mails of the address; that it also was they who signed up, the proof in their browser
 * shows, or the password. Without that a stranger could sign up with that address, and its owner's click would open it for the stranger.
 *
 * @returns the person whose address is confirmed now
 * @throws AppError link_expired; wrong_credentials when neither is shown: the link stays good
 */
export async function confirmAddress(
  deps: PeopleDeps,
  token: string,
  shown: { proof: string | undefined; password: string | undefined },
): Promise<{ id: string; email: string }> {
  const now = deps.clock.now();
  // Hashing waits in line: not with a connection of the database in hand.
  const chosen = await findChosenPassword(deps, token);
  const right = chosen !== null && (await signedUpHere(deps, chosen, shown));
  return deps.db.engine.transaction().execute(async (trx) => {
    const person = await useLink(trx, now, 'confirm_email', token);
    if (!right) {
      throw new AppError(
        'wrong_credentials',
        shown.password === undefined
          ? 'For your security, type the password you just chose.'
          : 'That isn’t the password you chose when you signed up. Try again, or set a new one with “Forgot password?”.',
      );
    }
    await trx.updateTable('users').set({ email_verified: true, updated_at: now }).where('id', '=', person.id).execute();
    return person;
  });
}

/** A second sign-up with the address makes another link, so a link that is good belongs to this password. */
async function findChosenPassword(deps: PeopleDeps, token: string): Promise<string | null> {
  const row = await deps.db.engine
    .selectFrom('emailed_links')
    .innerJoin('credentials', 'credentials.user_id', 'emailed_links.user_id')
    .select('credentials.password')
    .where('token_hash', '=', hashOfToken(token))
    .where('purpose', '=', 'confirm_email')
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? null;
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
