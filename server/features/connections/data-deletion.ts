/** A person removes Creator HQ at Meta, or asks Meta to have their data deleted here. */
import type { HeldTable } from '#server/db/holds.ts';
import { eraseEverywhere } from '#server/features/contacts/erasure.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import * as queries from './leaving-queries.ts';
import {
  type ConnectionRow,
  deleteFacebookUserTokens,
  deleteTokens,
  findByPlatformUser,
  findSpeaking,
  updateConnection,
} from './queries.ts';

type LeavingDeps = ConnectionDeps & { held: HeldTable[] };

/** Their tokens are dead already: they go, and what nothing speaks for any more is disconnected. */
export async function deauthorize(deps: ConnectionDeps, userId: string): Promise<ConnectionRow[]> {
  const { db, clock, log } = deps;
  const rows = await findByPlatformUser(db.engine, userId);
  await deleteFacebookUserTokens(db.engine, userId);
  const ended: ConnectionRow[] = [];
  for (const row of rows) {
    const byFacebook = row.facebook_user_id === userId;
    const gone = await db.withCreator(row.creator_id, async (trx) => {
      const tokens = await findSpeaking(trx, { creatorId: row.creator_id, id: row.id });
      const kind = byFacebook ? 'FACEBOOK_BUSINESS_PAGE' : 'INSTAGRAM_BUSINESS_USER';
      const subjectIds = tokens.filter((token) => token.kind === kind).map((token) => token.subject_id);
      await deleteTokens(trx, row.creator_id, { kinds: [kind], subjectIds });
      // Signed in both ways: the other sign-in is not what they wish to end.
      const others = tokens.some((token) => token.kind !== kind && token.invalid_at === null);
      if (others) {
        if (byFacebook) await updateConnection(trx, row, { facebook_user_id: null, page_id: null });
      } else if (row.disconnected_at === null) {
        // Whose it was stays written down: a request to delete their data may follow.
        const change = { disconnected_at: clock.now(), disconnected_reason: 'app_removed' };
        await updateConnection(trx, row, change);
      }
      return !others;
    });
    if (gone) ended.push(row);
    await deps.connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
  }
  log.info({ connections: rows.map((row) => row.id) }, 'a person removed the app at Meta');
  return ended;
}

/**
 * Their tokens are dead and nothing is answered any more when this returns; the rest is done by the next turn of the job,
 * however much there is of it (`finishDataDeletions`).
 *
 * @returns the code under which the status can be looked up
 */
export async function deletePersonsData(deps: ConnectionDeps, userId: string): Promise<string> {
  const { db, clock, ids } = deps;
  const code = await queries.requestDeletion(db, { code: ids.code(24), platformUserId: userId, at: clock.now() });
  await deauthorize(deps, userId);
  return code;
}

/** Takes up again what a crash or a full database left undone. */
export async function finishDataDeletions(deps: LeavingDeps): Promise<void> {
  for (const request of await queries.findUnfinishedDeletions(deps.db)) {
    try {
      await carryOut(deps, request);
    } catch (error) {
      // One that fails must not hold up the others.
      deps.log.error({ err: error, code: request.code }, 'data could not be deleted; it is tried again');
    }
  }
  await queries.forgetLate(deps.db, deps.held);
}

export type DeletionStatus =
  | { is: 'finished'; requestedAt: Date; finishedAt: Date }
  | { is: 'under_way'; requestedAt: Date }
  | { is: 'unknown' };

export async function deletionStatus(deps: ConnectionDeps, code: string): Promise<DeletionStatus> {
  const row = await queries.findDeletion(deps.db, code);
  if (row === undefined) return { is: 'unknown' };
  const requestedAt = row.requested_at;
  return row.finished_at === null
    ? { is: 'under_way', requestedAt }
    : { is: 'finished', requestedAt, finishedAt: row.finished_at };
}

/** Can stop anywhere and start again. */
async function carryOut(deps: LeavingDeps, { code, userId }: { code: string; userId: string }): Promise<void> {
  const { db, clock } = deps;
  // As a creator: everything that came from their account. Automations are the creator's own words and stay with the login here.
  for (const row of await deauthorize(deps, userId)) {
    await queries.forgetEverythingOf(db, deps.held, row, clock.now());
    await queries.forgetAccount(db, row);
    await deps.connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
  }
  // As a follower: the id Meta names is app-scoped and mostly another than the one in conversations (reference section 5).
  await eraseEverywhere(deps, userId);
  await queries.finishDeletion(db, code, clock.now());
}
