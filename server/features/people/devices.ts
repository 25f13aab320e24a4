/** Where a person is signed in, and how they end it. */
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { UNUSED_LASTS_S } from './auth.ts';
import { deviceWords } from './device-words.ts';
import { forgetTrustedDevices } from './passwords.ts';
import { SESSION_LASTS_MS } from './sessions.ts';

type Deps = { db: Database; clock: Clock };

/** As exact as "last seen" gets: not every request writes. */
const SEEN_EVERY_MS = 5 * 60_000;
/** Who is signed in more often ends all others at once. */
const SHOWN = 100;
const DAY_MS = 24 * 60 * 60_000;

/** The one they ask from first, then the one last seen. */
export async function listDevices({ db, clock }: Deps, { sessionId, user }: SignedIn) {
  const now = clock.now();
  const rows = await db.engine
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'updated_at'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now)
    .where('created_at', '>', new Date(now.getTime() - SESSION_LASTS_MS))
    .orderBy((eb) => eb('id', '=', sessionId), 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    current: row.id === sessionId,
    device: deviceWords(row.user_agent),
    address: row.ip_address,
    signedInAt: row.created_at.toISOString(),
    seenAt: row.updated_at.toISOString(),
  }));
}

/** @throws AppError not_found */
export async function endDevice({ db }: Deps, { user }: SignedIn, sessionId: string): Promise<void> {
  const ended = await db.engine
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', user.id)
    .returning('id')
    .executeTakeFirst();
  if (ended === undefined) throw new AppError('not_found', 'That device is already logged out.');
}

/** Devices that were trusted with the second factor are asked for it again. */
export async function endOtherDevices({ db }: Deps, { sessionId, user }: SignedIn): Promise<void> {
  await db.engine.transaction().execute(async (trx) => {
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '<>', sessionId).execute();
    await forgetTrustedDevices(trx, user.id);
  });
}

/**
 * For the operator: signs a person out everywhere, or everybody.
 *
 * @param email null for everybody
 * @returns how many sessions ended
 * @throws AppError not_found when nobody has the address
 */
export async function endEverySession(db: Pick<Database, 'engine'>, email: string | null): Promise<number> {
  return db.engine.transaction().execute(async (trx) => {
    if (email === null) {
      await trx.deleteFrom('verifications').execute();
      return Number((await trx.deleteFrom('sessions').executeTakeFirstOrThrow()).numDeletedRows);
    }
    const person = await trx
      .selectFrom('users')
      .select('id')
      .where('email', '=', email.trim().toLowerCase())
      .executeTakeFirst();
    if (person === undefined) throw new AppError('not_found', `No account has the address ${email}.`);
    await forgetTrustedDevices(trx, person.id);
    const { numDeletedRows } = await trx
      .deleteFrom('sessions')
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

/**
 * Notes that a session is used, which makes it last longer: at most once a day.
 * Without better-auth: it checks cookies by WebCrypto, whose work waits for the same threads as hashing passwords.
 *
 * @returns whether it lasts longer now, so that its cookie must, too
 */
export async function noteSeen({ db, clock }: Deps, sessionId: string): Promise<boolean> {
  const now = clock.now();
  const until = new Date(now.getTime() + UNUSED_LASTS_S * 1000);
  const aDayLess = new Date(until.getTime() - DAY_MS);
  const seen = await db.engine
    .updateTable('sessions')
    .set({
      updated_at: now,
      expires_at: sql<Date>`case when expires_at <= ${aDayLess} then ${until} else expires_at end`,
    })
    .where('id', '=', sessionId)
    .where((is) =>
      is.or([is('updated_at', '<', new Date(now.getTime() - SEEN_EVERY_MS)), is('expires_at', '<=', aDayLess)]),
    )
    .returning('expires_at')
    .executeTakeFirst();
  return seen?.expires_at.getTime() === until.getTime();
}
