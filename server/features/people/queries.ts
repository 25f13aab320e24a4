import { type Kysely, sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
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
    .execute();
}

export function findCreator(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('creators')
    .leftJoin('subscriptions', 'subscriptions.creator_id', 'creators.id')
    .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select([
      'creators.id',
      'creators.handle',
      'creators.delete_at',
      'plans.id as plan_id',
      'plans.name as plan_name',
      'plans.price',
      'subscriptions.billing_interval',
      'subscriptions.status',
      'subscriptions.cancel_at',
      'subscriptions.canceled_at',
      'subscriptions.stripe_subscription_id',
    ])
    .where('creators.id', '=', creatorId)
    .executeTakeFirstOrThrow();
}

/**
 * Connected accounts with their health, oldest first.
 * @param waitingSince messages queued before this wait, see `queue_waits`
 */
export function findConnections(trx: CreatorTransaction, creatorId: string, now: Date, waitingSince: Date) {
  return trx
    .selectFrom('connections')
    .select((eb) => [
      'platform',
      'account_id',
      'page_id',
      'avatar_url',
      'followers_count',
      'missing_permissions',
      'missing_webhooks',
      'requires_auth_at',
      'webhooks_paused_at',
      'policy_blocked',
      // The creator herself holds the queue.
      sql<boolean>`exists (
        select from queue_controls q
        where q.creator_id = connections.creator_id and q.connection_id = connections.id and q.paused_at is not null
      )`.as('queue_paused'),
      // Why its lanes are closed now.
      sql<string[]>`array(
        select distinct coalesce(l.closed_reason, '') from lane_states l
        where l.creator_id = connections.creator_id and l.connection_id = connections.id and l.closed_until > ${now}
      )`.as('closed_reasons'),
      eb
        .exists(
          eb
            .selectFrom('deliveries')
            .select(sql`1`.as('one'))
            .whereRef('deliveries.creator_id', '=', 'connections.creator_id')
            .whereRef('deliveries.connection_id', '=', 'connections.id')
            .where('state', '=', 'queued')
            .where('created_at', '<', waitingSince),
        )
        .as('queue_waits'),
    ])
    .where('creator_id', '=', creatorId)
    .where('disconnected_at', 'is', null)
    .orderBy('connected_at')
    .orderBy('id')
    .execute();
}

export function findTokens(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('tokens')
    .select(['kind', 'expires_at', 'invalid_at'])
    .where('creator_id', '=', creatorId)
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
  if (membership === undefined) throw new AppError('not_found', 'You do not belong to this creator account any more.');
}
