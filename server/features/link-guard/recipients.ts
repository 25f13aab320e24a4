import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/types.ts';

/** Members with a confirmed address who want to hear of broken links. */
export function findRecipients(trx: Kysely<Tables>, creatorId: string): Promise<{ name: string; email: string }[]> {
  return trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('notification_choices', (join) =>
      join
        .onRef('notification_choices.creator_id', '=', 'memberships.creator_id')
        .onRef('notification_choices.user_id', '=', 'memberships.user_id'),
    )
    .select(['users.name', 'users.email'])
    .where('memberships.creator_id', '=', creatorId)
    .where('users.email_verified', '=', true)
    .where((eb) => eb.or([eb('broken_links', 'is', null), eb('broken_links', '=', true)]))
    .orderBy('memberships.created_at')
    .execute();
}
