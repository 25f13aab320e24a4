/** Where a person is signed in, and how she ends it. */
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { deviceWords } from '#server/features/people/device-words.ts';
import { forgetTrustedDevices } from '#server/features/people/passwords.ts';
import type { SignedIn } from '#server/http/sessions.ts';

type Deps = { db: Database; clock: Clock };

/** As exact as "last seen" gets: not every request writes. */
const SEEN_EVERY_MS = 5 * 60_000;

/** The one she asks from first, then the one last seen. */
export async function listDevices({ db, clock }: Deps, { sessionId, user }: SignedIn) {
  const rows = await db.engine
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'updated_at'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', clock.now())
    .orderBy((eb) => eb('id', '=', sessionId), 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id')
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
  if (ended === undefined) throw new AppError('not_found', 'That device is signed out already.');
}

/** Devices that she trusted with her second factor are asked for it again. */
export async function endOtherDevices({ db }: Deps, { sessionId, user }: SignedIn): Promise<void> {
  await db.engine.transaction().execute(async (trx) => {
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '<>', sessionId).execute();
    await forgetTrustedDevices(trx, user.id);
  });
}

export async function noteSeen({ db, clock }: Deps, sessionId: string): Promise<void> {
  const now = clock.now();
  await db.engine
    .updateTable('sessions')
    .set({ updated_at: now })
    .where('id', '=', sessionId)
    .where('updated_at', '<', new Date(now.getTime() - SEEN_EVERY_MS))
    .execute();
}
