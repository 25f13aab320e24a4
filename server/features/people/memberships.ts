/** Who belongs to which creator: what other features ask of it. */
import { type Kysely, sql } from 'kysely';
import { MOST_MEMBERSHIPS } from '#contract/session.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';

/** For queries with `creators`: the picture of its oldest connected account, Instagram first. */
export const pictureOfCreator = sql<string | null>`(
  select picture.avatar_url from connections picture
  where picture.creator_id = creators.id and picture.disconnected_at is null and picture.avatar_url is not null
  order by picture.platform = 'instagram' desc, picture.connected_at
  limit 1
)`;

/** The creators that a person belongs to, oldest membership first, each with its picture. */
export function findMemberships(db: Kysely<Tables>, userId: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('creators', 'creators.id', 'memberships.creator_id')
    .select([
      'memberships.id',
      'memberships.creator_id',
      'memberships.role',
      'creators.handle',
      pictureOfCreator.as('avatar_url'),
    ])
    .where('memberships.user_id', '=', userId)
    .orderBy('memberships.created_at')
    .orderBy('memberships.id')
    .limit(MOST_MEMBERSHIPS)
    .execute();
}

/** For queries: the name of a user while they belong to the creator, by the names of two columns; null for anybody else. */
export function nameInTeam(creatorColumn: string, userColumn: string) {
  return sql<string | null>`(
    select u.name from memberships m join users u on u.id = m.user_id
    where m.creator_id = ${sql.ref(creatorColumn)} and m.user_id = ${sql.ref(userColumn)}
  )`;
}

/**
 * Keeps the person in the team until the transaction ends: nothing is made in the name of somebody who is being removed.
 * @throws AppError not_found when they are not in the team any more
 */
export async function lockMembership(
  trx: Kysely<Tables>,
  { creatorId, userId }: { creatorId: string; userId: string },
): Promise<void> {
  const membership = await trx
    .selectFrom('memberships')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (membership === undefined) throw new AppError('not_found', 'You’re no longer on this creator’s team.');
}
