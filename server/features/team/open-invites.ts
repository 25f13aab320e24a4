import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { hashOfToken } from '#server/features/people/mailed-links.ts';

/** Neither answered nor taken back. It may be too old all the same. */
export function openInvites(db: Kysely<Tables>) {
  return db
    .selectFrom('invites')
    .where('accepted_at', 'is', null)
    .where('declined_at', 'is', null)
    .where('revoked_at', 'is', null);
}

/** The open invite whose mail has this token; undefined when it is unknown or too old. */
export function findInviteByToken(db: Kysely<Tables>, now: Date, token: string) {
  return openInvites(db)
    .innerJoin('creators', 'creators.id', 'invites.creator_id')
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .select(['invites.email', 'creators.handle', 'users.name as invited_by'])
    .where('token_hash', '=', hashOfToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
}
