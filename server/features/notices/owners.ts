import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import type { Recipient } from './queries.ts';

/** Owners with a confirmed address. */
export function findOwners(db: Kysely<Tables>, creatorId: string): Promise<Recipient[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.user_id', 'users.name', 'users.email'])
    .where('memberships.creator_id', '=', creatorId)
    .where('memberships.role', '=', 'owner')
    .where('users.email_verified', '=', true)
    .orderBy('memberships.created_at')
    .execute();
}
