/** The second step of a login, and what a change of the second factor ends. */
import type { FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { type AuditDeps, COMMAND_LINE, writeAudit } from '#server/features/admin/audit.ts';
import { countTry } from '#server/http/rate-limits.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { asKept } from './backup-codes.ts';
import { inOurWords } from './errors.ts';
import { secondFactorChanged } from './mails.ts';
import { forgetTrustedDevices } from './passwords.ts';
import type { PeopleDeps } from './people-deps.ts';
import { signedCookie } from './sessions.ts';

/** @returns whose login waits for its second step in this browser; null where none does */
export async function findWaiting(
  { auth, db, clock, keys }: PeopleDeps,
  request: FastifyRequest,
): Promise<{ id: string; email: string } | null> {
  const identifier = signedCookie(request, auth.secondStepCookie, keys.secretKey);
  if (identifier === null) return null;
  const step = await db.engine
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifier)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (step === undefined) return null;
  const person = await db.engine
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', step.value)
    .executeTakeFirst();
  return person ?? null;
}

/**
 * Asks better-auth, which counts wrong codes of a login, whether a code of the app or a backup code is right. Either works
 * once: somebody who looked over their shoulder may still see the app's for a minute (RFC 6238, section 5.2).
 *
 * @param headers of a session, or of a login that waits for its second step and gets a session by this
 * @returns the headers of better-auth's answer, with the cookies of that new session
 * @throws AppError wrong_credentials, too_many_requests
 */
export async function useCode(
  deps: PeopleDeps,
  userId: string | null,
  body: { code: string; trustDevice?: boolean | undefined },
  headers: Headers,
): Promise<Headers> {
  const { auth, db } = deps;
  const fromApp = /^\d{6}$/.test(body.code);
  const code = fromApp || userId === null ? body.code : await asBackupCode(deps, userId, body.code);
  const call = { body: { ...body, code }, headers, returnHeaders: true as const };
  const result = await inOurWords<{ headers: Headers; response: { token?: string | undefined } }>(
    fromApp ? auth.api.verifyTOTP(call) : auth.api.verifyBackupCode(call),
  );
  if (fromApp && userId !== null && !(await spendCode(deps, userId, body.code))) {
    const begun = result.headers.has('set-cookie') ? result.response.token : undefined;
    if (begun !== undefined) await db.engine.deleteFrom('sessions').where('token', '=', begun).execute();
    throw new AppError('wrong_credentials', 'That code was already used. Wait for the next one.');
  }
  return result.headers;
}

async function asBackupCode({ db }: PeopleDeps, userId: string, code: string): Promise<string> {
  const kept = await db.engine
    .selectFrom('two_factors')
    .select('backup_codes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return kept === undefined ? code : asKept(kept.backup_codes, code);
}

/** @returns whether the code was good until now */
export async function spendCode({ db, clock }: PeopleDeps, userId: string, code: string): Promise<boolean> {
  try {
    await countTry(db.engine, clock.now(), 'second_factor_code', `${userId} ${code}`);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** People let in by the former factor, or without one, log in again: every session ends, and no device is trusted. */
export async function endWhatWasBefore(
  deps: PeopleDeps,
  person: { id: string; email: string },
  change: 'on' | 'off',
): Promise<void> {
  await deps.db.engine.transaction().execute((trx) => logOutEverywhere(trx, deps, person, change));
}

/**
 * For somebody who lost phone and backup codes: as if they had turned two-step login off. On the machine itself only, on record.
 *
 * @returns false when it was not on
 * @throws AppError not_found when nobody has the address
 */
export async function resetSecondFactor(
  deps: Pick<PeopleDeps, 'db' | 'baseUrl'> & AuditDeps,
  email: string,
): Promise<boolean> {
  return deps.db.engine.transaction().execute(async (trx) => {
    const person = await trx
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email.trim().toLowerCase())
      .executeTakeFirst();
    if (person === undefined) throw new AppError('not_found', `No account has the address ${email}.`);
    const { numDeletedRows } = await trx
      .deleteFrom('two_factors')
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    await trx.updateTable('users').set({ two_factor_enabled: false }).where('id', '=', person.id).execute();
    await logOutEverywhere(trx, deps, person, 'off');
    await writeAudit(trx, deps, { ...COMMAND_LINE, what: 'Reset two-step login', detail: `user ${person.id}` });
    return true;
  });
}

async function logOutEverywhere(
  trx: Transaction<Tables>,
  deps: Pick<PeopleDeps, 'baseUrl'> & AuditDeps,
  person: { id: string; email: string },
  change: 'on' | 'off',
): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', person.id).execute();
  await forgetTrustedDevices(trx, person.id);
  await mailLater(trx, deps, secondFactorChanged(person, deps.baseUrl, change));
}
