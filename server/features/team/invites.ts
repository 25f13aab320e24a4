/** The owner's side of invites: sending, sending again, taking back. Each runs in one transaction with its mail. */
import type { ExpressionBuilder, Transaction } from 'kysely';
import type * as z from 'zod/mini';
import { type SentInvite, sendInvite as sendInviteEndpoint } from '#contract/team.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { InvitesTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { hashOfToken, makeToken } from '#server/features/people/mailed-links.ts';
import { withinQuotas } from '#server/http/quotas.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { endOfInvite, isTooOld, LASTS_DAYS } from './invite-times.ts';
import { invitation } from './mails.ts';

export type InvitingDeps = { db: Database; clock: Clock; ids: Ids; baseUrl: string };
type Role = InvitesTable['role'];
type Sender = { creatorId: string; user: { id: string; name: string } };

/** @throws AppError quota_reached, already_exists when the address belongs to a member or has an invite that still waits */
export async function sendInvite(
  deps: InvitingDeps,
  sender: Sender,
  { email, role }: { email: string; role: Role },
): Promise<z.infer<typeof SentInvite>> {
  const { creatorId } = sender;
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute((trx) => {
    const whose = { creatorId, userId: sender.user.id, now };
    return withinQuotas(trx, whose, sendInviteEndpoint.quotas, () => store(trx));
  });

  async function store(trx: Transaction<Tables>): Promise<z.infer<typeof SentInvite>> {
    if (await isMember(trx, creatorId, email)) throw alreadyThere('This person is already on the team.');
    // One that nobody answered in time makes room for a new one.
    await trx
      .updateTable('invites')
      .set({ revoked_at: now })
      .where('creator_id', '=', creatorId)
      .where('email', '=', email)
      .where(isOpen)
      .where('expires_at', '<=', now)
      .execute();
    const token = makeToken();
    const invite = await trx
      .insertInto('invites')
      .values({
        creator_id: creatorId,
        id: deps.ids.uuid(now),
        email,
        role,
        invited_by: sender.user.id,
        ...freshLink(token, now),
      })
      // One open invite per address: the index waits for another that is made at the same moment.
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'email', 'role', 'sent_at', 'expires_at'])
      .executeTakeFirst();
    if (invite === undefined)
      throw alreadyThere('This address already has a pending invite. You can send it again from the list.');
    await mailInvite(trx, deps, sender, invite, token);
    return describeInvite(invite, now);
  }
}

/**
 * With a new link and seven more days; the link before it ends.
 * @throws AppError not_found when there is no such invite that waits for an answer
 */
export async function resendInvite(
  deps: InvitingDeps,
  sender: Sender,
  inviteId: string,
): Promise<z.infer<typeof SentInvite>> {
  const now = deps.clock.now();
  return deps.db.engine.transaction().execute(async (trx) => {
    const token = makeToken();
    const invite = await trx
      .updateTable('invites')
      .set({ invited_by: sender.user.id, ...freshLink(token, now) })
      .where('creator_id', '=', sender.creatorId)
      .where('id', '=', inviteId)
      .where(isOpen)
      .returning(['id', 'email', 'role', 'sent_at', 'expires_at'])
      .executeTakeFirst();
    if (invite === undefined) throw answeredMeanwhile();
    await mailInvite(trx, deps, sender, invite, token);
    return describeInvite(invite, now);
  });
}

/** @throws AppError not_found when there is no such invite that waits for an answer */
export async function revokeInvite(deps: InvitingDeps, creatorId: string, inviteId: string): Promise<void> {
  const revoked = await deps.db.withCreator(creatorId, (trx) =>
    trx
      .updateTable('invites')
      .set({ revoked_at: deps.clock.now() })
      .where('creator_id', '=', creatorId)
      .where('id', '=', inviteId)
      .where(isOpen)
      .returning('id')
      .executeTakeFirst(),
  );
  if (revoked === undefined) throw answeredMeanwhile();
}

/** @throws AppError not_found */
export async function addressOfInvite(deps: InvitingDeps, creatorId: string, inviteId: string): Promise<string> {
  const invite = await deps.db.withCreator(creatorId, (trx) =>
    trx
      .selectFrom('invites')
      .select('email')
      .where('creator_id', '=', creatorId)
      .where('id', '=', inviteId)
      .executeTakeFirst(),
  );
  if (invite === undefined) throw answeredMeanwhile();
  return invite.email;
}

export function describeInvite(
  row: Pick<InvitesTable, 'id' | 'email' | 'role' | 'sent_at' | 'expires_at'>,
  now: Date,
): z.infer<typeof SentInvite> {
  return {
    inviteId: row.id,
    email: row.email,
    role: row.role,
    sentAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    expired: isTooOld(row, now),
  };
}

/** A person with an account may have said that they want no mail about invites: it waits for them inside all the same. */
async function mailInvite(
  trx: Transaction<Tables>,
  deps: InvitingDeps,
  { creatorId, user }: Sender,
  invite: { email: string; role: Role },
  token: string,
): Promise<void> {
  const { handle } = await trx
    .selectFrom('creators')
    .select('handle')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const known = await trx
    .selectFrom('users')
    .select((eb) => [
      'name',
      eb
        .exists(
          eb
            .selectFrom('notification_choices')
            .innerJoin('memberships', (join) =>
              join
                .onRef('memberships.creator_id', '=', 'notification_choices.creator_id')
                .onRef('memberships.user_id', '=', 'notification_choices.user_id'),
            )
            .select('memberships.id')
            .whereRef('notification_choices.user_id', '=', 'users.id')
            .where('notification_choices.invites', '=', false),
        )
        .as('wants_none'),
    ])
    .where('email', '=', invite.email)
    .where('email_verified', '=', true)
    .executeTakeFirst();
  if (known?.wants_none) return;
  const letter = { handle, invitedBy: user.name, role: invite.role, lastsDays: LASTS_DAYS };
  const person = { email: invite.email, name: known?.name ?? null };
  await mailLater(trx, deps, { ...invitation(person, letter, deps.baseUrl, token), aboutCreatorId: creatorId });
}

async function isMember(trx: Transaction<Tables>, creatorId: string, email: string): Promise<boolean> {
  const member = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.id')
    .where('memberships.creator_id', '=', creatorId)
    .where('users.email', '=', email)
    .executeTakeFirst();
  return member !== undefined;
}

function isOpen(eb: ExpressionBuilder<Tables, 'invites'>) {
  return eb.and([eb('accepted_at', 'is', null), eb('declined_at', 'is', null), eb('revoked_at', 'is', null)]);
}

function freshLink(token: string, now: Date) {
  return { token_hash: hashOfToken(token), sent_at: now, expires_at: endOfInvite(now) };
}

function alreadyThere(message: string): AppError {
  return new AppError('already_exists', message, { fields: [{ path: 'email', message }] });
}

function answeredMeanwhile(): AppError {
  return new AppError('not_found', 'This invite was already answered or canceled.');
}
