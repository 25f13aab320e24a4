/** Who belongs to a creator. One owner at least, always: changes of a team go one after the other. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type * as z from 'zod/mini';
import { mayDo, type Role } from '#contract/roles.ts';
import type { getTeam as getTeamEndpoint } from '#contract/team.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { MembershipsTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { AuditDeps } from '#server/features/admin/audit.ts';
import { endVisit } from '#server/features/admin/visits.ts';
import { setCurrentCreator } from '#server/features/people/sessions.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { describeInvite } from './invites.ts';
import { findSentInvites } from './queries.ts';

export type Caller = { creatorId: string; role: Role; signedIn: SignedIn };

/** Owners first, then by the time they came. Invites only for who may manage the team. */
export async function getTeam(
  trx: CreatorTransaction,
  now: Date,
  { creatorId, role, signedIn }: Caller,
): Promise<z.infer<(typeof getTeamEndpoint)['response']>> {
  const members = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'memberships.id',
      'memberships.role',
      'memberships.created_at',
      'users.id as user_id',
      'users.name',
      'users.email',
      'users.image',
      WEBHOOKS,
      API_KEY,
    ])
    .where('creator_id', '=', creatorId)
    .orderBy('memberships.role', 'desc')
    .orderBy('memberships.created_at')
    .orderBy('memberships.id')
    .execute();
  const invites = mayDo(role, 'team') ? await listSentInvites(trx, now, creatorId) : [];
  return {
    members: members.map((member) => ({
      membershipId: member.id,
      name: member.name,
      email: member.email,
      avatarUrl: member.image,
      role: member.role,
      you: member.user_id === signedIn.user.id,
      since: member.created_at.toISOString(),
      webhooks: member.webhooks,
      apiKey: member.api_key,
    })),
    invites,
  };
}

export async function listSentInvites(trx: CreatorTransaction, now: Date, creatorId: string) {
  const invites = await findSentInvites(trx, creatorId);
  return invites.map((invite) => describeInvite(invite, now));
}

/**
 * @throws AppError not_found
 * @throws AppError not_possible_now when nobody would be an owner any more
 */
export async function changeRole(
  trx: CreatorTransaction,
  creatorId: string,
  membershipId: string,
  role: MembershipsTable['role'],
): Promise<void> {
  const member = await lockTeam(trx, creatorId, membershipId);
  if (role !== 'owner') refuseLastOwner(member);
  await trx
    .updateTable('memberships')
    .set({ role })
    .where('creator_id', '=', creatorId)
    .where('id', '=', membershipId)
    .execute();
}

/**
 * Shows the creator of one of the person's memberships in their session.
 * @throws AppError not_found when the membership is not theirs
 */
export async function accessMembership(
  deps: AuditDeps & { db: Database },
  { user, sessionId }: SignedIn,
  membershipId: string,
): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    const membership = await trx
      .selectFrom('memberships')
      .select('creator_id')
      .where('id', '=', membershipId)
      .where('user_id', '=', user.id)
      // Who is being removed at this moment does not get in behind it.
      .forShare()
      .executeTakeFirst();
    if (membership === undefined) throw new AppError('not_found', 'You’re no longer on this creator’s team.');
    // An admin inside an account leaves it so.
    await endVisit(trx, deps, sessionId);
    await setCurrentCreator(trx, sessionId, membership.creator_id);
  });
}

type Member = { user_id: string; isLastOwner: boolean };

/** Access made by a member: how many addresses of outgoing webhooks, and whether they made the API key in use. */
export type Made = { webhooks: number; api_key: boolean };

const WEBHOOKS = sql<number>`(
  select count(*) from outgoing_endpoints e
  where e.creator_id = memberships.creator_id and e.created_by = memberships.user_id
)`.as('webhooks');
const API_KEY = sql<boolean>`exists (
  select from api_keys k
  where k.creator_id = memberships.creator_id and k.created_by = memberships.user_id and k.ended_at is null
)`.as('api_key');

/** The member, with the team locked against every other change until the transaction ends. */
export async function lockTeam(trx: Transaction<Tables>, creatorId: string, membershipId: string): Promise<Member> {
  // The mildest lock that excludes itself: rows that refer to the creator are written meanwhile.
  await trx.selectFrom('creators').select('id').where('id', '=', creatorId).forNoKeyUpdate().execute();
  const member = await trx
    .selectFrom('memberships')
    .select(['user_id', 'role'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', membershipId)
    // Waits for access being made in their name.
    .forUpdate()
    .executeTakeFirst();
  if (member === undefined) throw new AppError('not_found', 'This person is no longer on the team.');
  const isLastOwner = member.role === 'owner' && (await countOwners(trx, creatorId)) === 1;
  return { user_id: member.user_id, isLastOwner };
}

/** Of a member who is locked. */
export function findMade(trx: Transaction<Tables>, creatorId: string, membershipId: string): Promise<Made> {
  return trx
    .selectFrom('memberships')
    .select([WEBHOOKS, API_KEY])
    .where('creator_id', '=', creatorId)
    .where('id', '=', membershipId)
    .executeTakeFirstOrThrow();
}

async function countOwners(db: Kysely<Tables>, creatorId: string): Promise<number> {
  const { owners } = await db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('owners'))
    .where('creator_id', '=', creatorId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return owners;
}

export function refuseLastOwner({ isLastOwner }: Member): void {
  if (!isLastOwner) return;
  throw new AppError('not_possible_now', 'An account needs an owner. Make someone else an owner first.');
}
