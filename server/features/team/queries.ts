import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { pictureOfCreator } from '#server/features/people/memberships.ts';
import { openInvites } from './open-invites.ts';

/** The others show once some of these are answered, or too old. */
const SHOWN = 100;

/** Those that wait for the owner of an address, newest first. */
export function findInvitesFor(db: Kysely<Tables>, now: Date, user: { id: string; email: string }) {
  return openInvites(db)
    .innerJoin('creators', 'creators.id', 'invites.creator_id')
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .select([
      'invites.id',
      'invites.role',
      'invites.expires_at',
      'creators.handle',
      'users.name as invited_by',
      pictureOfCreator.as('avatar_url'),
    ])
    .where('invites.email', '=', user.email)
    .where('expires_at', '>', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships')
            .select('memberships.id')
            .whereRef('memberships.creator_id', '=', 'invites.creator_id')
            .where('memberships.user_id', '=', user.id),
        ),
      ),
    )
    .orderBy('sent_at', 'desc')
    .orderBy('invites.id')
    .limit(SHOWN)
    .execute();
}

/** A creator's open invites, newest first; expired ones too. */
export function findSentInvites(db: Kysely<Tables>, creatorId: string) {
  return openInvites(db)
    .select(['id', 'email', 'role', 'sent_at', 'expires_at'])
    .where('creator_id', '=', creatorId)
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .execute();
}
