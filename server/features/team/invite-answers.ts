/** The invited person's side of invites. Invites are theirs by their confirmed address. */
import type { Transaction } from 'kysely';
import type * as z from 'zod/mini';
import { QUOTAS } from '#contract/quotas.ts';
import { MOST_MEMBERSHIPS } from '#contract/session.ts';
import type { Invite, lookUpInvite as lookUpEndpoint } from '#contract/team.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { setCurrentCreator } from '#server/features/people/sessions.ts';
import { findSignUpInvite } from '#server/features/people/sign-up-invites.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { canBeAccepted, canBeDeclined } from './invite-times.ts';
import { findInviteByToken } from './open-invites.ts';
import { findInvitesFor } from './queries.ts';

type Deps = { db: Database; clock: Clock; ids: Ids };

export async function listInvites({ db, clock }: Deps, { user }: SignedIn): Promise<Invite[]> {
  if (!user.emailVerified) return [];
  const rows = await findInvitesFor(db.engine, clock.now(), user);
  return rows.map((row) => ({
    inviteId: row.id,
    creatorAccountHandle: row.handle,
    creatorAccountAvatar: row.avatar_url,
    invitedBy: row.invited_by,
    role: row.role,
    expiresAt: row.expires_at.toISOString(),
  }));
}

/**
 * Who accepted stays accepted: a second click does no harm. The creator becomes the session's current one.
 * @throws AppError not_found when the invite is for another address
 * @throws AppError link_expired when it is too old, was declined or taken back, or was used by somebody since removed
 */
export async function acceptInvite(deps: Deps, signedIn: SignedIn, inviteId: string): Promise<void> {
  const now = deps.clock.now();
  const userId = signedIn.user.id;
  await deps.db.engine.transaction().execute(async (trx) => {
    const invite = await lockInvite(trx, signedIn, inviteId);
    if (invite.accepted_at !== null) {
      if (!(await isMember(trx, userId, invite.creator_id))) throw noLongerGood();
    } else {
      if (!canBeAccepted(invite, now)) throw noLongerGood();
      await requireRoom(trx, userId);
      await trx
        .updateTable('invites')
        .set({ accepted_at: now })
        .where('creator_id', '=', invite.creator_id)
        .where('id', '=', inviteId)
        .execute();
      await trx
        .insertInto('memberships')
        .values({
          creator_id: invite.creator_id,
          id: deps.ids.uuid(now),
          user_id: userId,
          role: invite.role,
          created_at: now,
        })
        .onConflict((conflict) => conflict.columns(['user_id', 'creator_id']).doNothing())
        .execute();
    }
    await setCurrentCreator(trx, signedIn.sessionId, invite.creator_id);
  });
}

/** @throws AppError not_found when there is nothing to decline any more, or it is for another address */
export async function declineInvite(deps: Deps, signedIn: SignedIn, inviteId: string): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    const invite = await lockInvite(trx, signedIn, inviteId);
    if (!canBeDeclined(invite)) throw nothingThere();
    await trx
      .updateTable('invites')
      .set({ declined_at: deps.clock.now() })
      .where('creator_id', '=', invite.creator_id)
      .where('id', '=', inviteId)
      .execute();
  });
}

/** @throws AppError link_expired when no open invite has the token */
export async function lookUpInvite(
  { db, clock }: Deps,
  token: string,
): Promise<z.infer<(typeof lookUpEndpoint)['response']>> {
  const now = clock.now();
  const invite = await findInviteByToken(db.engine, now, token);
  if (invite !== undefined) {
    return { creatorAccountHandle: invite.handle, email: invite.email, invitedBy: invite.invited_by };
  }
  const email = await findSignUpInvite(db.engine, now, token);
  if (email === null) throw noLongerGood();
  return { creatorAccountHandle: null, email, invitedBy: null };
}

/** Replies to one invite run one after the other. */
async function lockInvite(trx: Transaction<Tables>, { user }: SignedIn, inviteId: string) {
  const invite = await trx
    .selectFrom('invites')
    .select(['creator_id', 'role', 'expires_at', 'accepted_at', 'declined_at', 'revoked_at'])
    .where('id', '=', inviteId)
    .where('email', '=', user.email)
    .forUpdate()
    .executeTakeFirst();
  if (invite === undefined || !user.emailVerified) throw nothingThere();
  return invite;
}

async function isMember(trx: Transaction<Tables>, userId: string, creatorId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return row !== undefined;
}

/** With what they may own they still find a place in the list. @throws AppError not_possible_now */
async function requireRoom(trx: Transaction<Tables>, userId: string): Promise<void> {
  // Two at once go one after the other.
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const { count } = await trx
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_MEMBERSHIPS - QUOTAS.creators.most) {
    throw new AppError('not_possible_now', 'You’re on as many teams as you can be. Leave one first.');
  }
}

function nothingThere(): AppError {
  return new AppError('not_found', 'This invite no longer exists, or it was sent to another address.');
}

function noLongerGood(): AppError {
  return new AppError('link_expired', 'This invite was answered, canceled or has expired. Ask for a new one.');
}
