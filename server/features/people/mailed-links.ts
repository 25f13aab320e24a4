/** Tokens of the links in our mails: 32 random bytes, kept as a hash, good for one use. */
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';

const HOUR_MS = 60 * 60 * 1000;
const LASTS_MS = { confirm_email: 24 * HOUR_MS, reset_password: HOUR_MS };
type Purpose = keyof typeof LASTS_MS;
export const SIGN_UP_LINK_DAYS = 7;

/** @param userId null: nobody has the address; costs the same time, leads nowhere */
export async function issueLink(
  trx: Transaction<Tables>,
  now: Date,
  purpose: Purpose,
  userId: string | null,
): Promise<string> {
  const token = makeToken();
  await trx
    .insertInto('emailed_links')
    .values({
      token_hash: hashOfToken(token),
      purpose,
      user_id: userId,
      created_at: now,
      expires_at: new Date(now.getTime() + LASTS_MS[purpose]),
    })
    .execute();
  return token;
}

/** For an address without an account. Links sent there before no longer work. */
export async function issueSignUpLink(trx: Transaction<Tables>, now: Date, email: string): Promise<string> {
  await withdrawSignUpLinks(trx, email);
  const token = makeToken();
  await trx
    .insertInto('emailed_links')
    .values({
      token_hash: hashOfToken(token),
      purpose: 'sign_up',
      email,
      created_at: now,
      expires_at: new Date(now.getTime() + SIGN_UP_LINK_DAYS * 24 * HOUR_MS),
    })
    .execute();
  return token;
}

export async function withdrawSignUpLinks(trx: Transaction<Tables>, email: string): Promise<void> {
  await trx.deleteFrom('emailed_links').where('purpose', '=', 'sign_up').where('email', '=', email).execute();
}

/**
 * Uses up a link and all others of the same purpose that its owner was sent.
 * @throws AppError link_expired when it is unknown, too old or used
 */
export async function useLink(trx: Transaction<Tables>, now: Date, purpose: Purpose, token: string) {
  const user = await trx
    .deleteFrom('emailed_links')
    .using('users')
    .whereRef('users.id', '=', 'emailed_links.user_id')
    .where('token_hash', '=', hashOfToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['users.id', 'users.name', 'users.email'])
    .executeTakeFirst();
  if (user === undefined) throw deadLink(purpose);
  await withdrawLinks(trx, purpose, user.id);
  return user;
}

/**
 * Before work that is costly: strangers who guess links cause none of it. The link stays.
 * @throws AppError link_expired
 */
export async function refuseDeadLink(db: Kysely<Tables>, now: Date, purpose: Purpose, token: string): Promise<void> {
  const link = await db
    .selectFrom('emailed_links')
    .select('user_id')
    .where('token_hash', '=', hashOfToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('user_id', 'is not', null)
    .executeTakeFirst();
  if (link === undefined) throw deadLink(purpose);
}

function deadLink(purpose: Purpose): AppError {
  return new AppError(
    'link_expired',
    purpose === 'confirm_email'
      ? 'This link was already used or has expired. Try logging in. You can ask for a new link there.'
      : 'This link was already used or has expired. Ask for a new one.',
  );
}

export async function withdrawLinks(trx: Transaction<Tables>, purpose: Purpose, userId: string): Promise<void> {
  await trx.deleteFrom('emailed_links').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
}

export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The part of a token that the database keeps. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
