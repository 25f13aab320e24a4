/** A person removes Creator HQ at Meta, or asks Meta to have her data deleted here. */
import type { ConnectionDeps } from './connection-deps.ts';
import * as queries from './queries.ts';

/** Her tokens are dead already: they go, and what nothing speaks for any more is disconnected. */
export async function deauthorize(deps: ConnectionDeps, userId: string): Promise<queries.ConnectionRow[]> {
  const { db, clock, log } = deps;
  const rows = await queries.findByPlatformUser(db.engine, userId);
  await queries.deleteFacebookUserTokens(db.engine, userId);
  const ended: queries.ConnectionRow[] = [];
  for (const row of rows) {
    const byFacebook = row.facebook_user_id === userId;
    const gone = await db.withCreator(row.creator_id, async (trx) => {
      const tokens = await queries.findSpeaking(trx, { creatorId: row.creator_id, id: row.id });
      const kind = byFacebook ? 'FACEBOOK_BUSINESS_PAGE' : 'INSTAGRAM_BUSINESS_USER';
      const subjectIds = tokens.filter((token) => token.kind === kind).map((token) => token.subject_id);
      await queries.deleteTokens(trx, row.creator_id, { kinds: [kind], subjectIds });
      // Signed in both ways: the other sign-in is not her wish to end.
      const others = tokens.some((token) => token.kind !== kind && token.invalid_at === null);
      if (others) {
        if (byFacebook) await queries.updateConnection(trx, row, { facebook_user_id: null, page_id: null });
      } else if (row.disconnected_at === null) {
        // Whose it was stays written down: a request to delete her data may follow.
        const change = { disconnected_at: clock.now(), disconnected_reason: 'app_removed' };
        await queries.updateConnection(trx, row, change);
      }
      return !others;
    });
    if (gone) ended.push(row);
    await deps.connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
  }
  log.info({ connections: rows.map((row) => row.id) }, 'a person removed the app at Meta');
  return ended;
}

/** @returns the code under which the status can be looked up; deletion has happened when this returns */
export async function deletePersonsData(deps: ConnectionDeps, userId: string): Promise<string> {
  const code = deps.ids.code(24);
  await queries.insertDeletion(deps.db.engine, {
    confirmation_code: code,
    platform_user_id: userId,
    requested_at: deps.clock.now(),
  });
  await carryOut(deps, { code, userId });
  return code;
}

/** Takes up what a crash or a full database left undone. */
export async function finishDataDeletions(deps: ConnectionDeps): Promise<void> {
  for (const request of await queries.findUnfinishedDeletions(deps.db.engine)) await carryOut(deps, request);
  // A fetch that was under way during a deletion may have stored a page of posts after it.
  await queries.forgetLatePosts(deps.db.engine);
}

export type DeletionStatus = 'finished' | 'under_way' | 'unknown';

export async function deletionStatus(deps: ConnectionDeps, code: string): Promise<DeletionStatus> {
  const row = await queries.findDeletion(deps.db.engine, code);
  if (row === undefined) return 'unknown';
  return row.finished_at === null ? 'under_way' : 'finished';
}

/** Can stop anywhere and start again. */
async function carryOut(deps: ConnectionDeps, { code, userId }: { code: string; userId: string }): Promise<void> {
  const { db, clock } = deps;
  // As a creator: everything that came from her account. Her automations are her own words and stay with her login here.
  const known = await queries.findByPlatformUser(db.engine, userId);
  const ended = await deauthorize(deps, userId);
  for (const row of known.filter(({ id }) => ended.some((one) => one.id === id))) {
    await queries.forgetFollowersOf(db.engine, row, clock.now());
    await queries.forgetAccount(db.engine, row);
    await deps.connectionChanged({ creatorId: row.creator_id, connectionId: row.id });
  }
  // As a follower: the id Meta names is app-scoped and mostly another than the one in conversations (reference section 5).
  await queries.forgetFollower(db.engine, userId, clock.now());
  await queries.finishDeletion(db.engine, code, clock.now());
}
