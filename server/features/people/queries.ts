import { sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import { priceOfPlan } from '#server/features/plans/plans.ts';

export function findCreator(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('creators')
    .leftJoin('subscriptions', 'subscriptions.creator_id', 'creators.id')
    .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .leftJoin('follower_limits', 'follower_limits.creator_id', 'creators.id')
    .leftJoin('price_moves', (join) =>
      join
        .onRef('price_moves.creator_id', '=', 'creators.id')
        .onRef('price_moves.stripe_price_id', '=', 'subscriptions.stripe_price_id'),
    )
    .select([
      'creators.id',
      'creators.handle',
      'creators.delete_at',
      'creators.time_zone',
      'plans.id as plan_id',
      'plans.name as plan_name',
      priceOfPlan,
      'subscriptions.billing_interval',
      'subscriptions.status',
      'subscriptions.cancel_at',
      'subscriptions.canceled_at',
      'subscriptions.stripe_subscription_id',
      'subscriptions.current_period_end',
      'subscriptions.trial_end',
      'subscriptions.late_since',
      'follower_limits.crossed_at',
      'follower_limits.accepted_at',
      'follower_limits.limited_since',
      'follower_limits.forecast_on',
      'price_moves.cents as moved_cents',
      'price_moves.told_at as move_told_at',
      'subscriptions.pay_needed',
      'subscriptions.retry_at',
      'subscriptions.next_interval',
      'subscriptions.next_at',
      'subscriptions.given_until',
      'subscriptions.created_at as subscribed_at',
      sql<string | null>`(select x.name from plans x where x.id = subscriptions.next_plan_id)`.as('next_plan'),
      sql<boolean>`exists (
        select from past_subscriptions x where x.creator_id = creators.id and x.status = 'canceled'
      )`.as('had_plan'),
      // What a planned change will cost.
      sql<number | null>`(
        select x.cents from plan_prices x where x.plan_id = subscriptions.next_plan_id
          and x.billing_interval = subscriptions.next_interval and x.until is null
      )`.as('next_cents'),
      // What they pay, also where the plan costs something else by now.
      sql<number | null>`(
        select x.cents from plan_prices x where x.stripe_price_id = subscriptions.stripe_price_id
      )`.as('pays_cents'),
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
      // The creator holds the queue.
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

export async function findToolsToReconnect(trx: CreatorTransaction, creatorId: string) {
  const rows = await trx
    .selectFrom('data_integrations')
    .select('tool')
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'reconnect')
    .orderBy('tool')
    .execute();
  return rows.map(({ tool }) => tool);
}

export async function doesMailServerFail(trx: CreatorTransaction, creatorId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('mail_servers')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('needs_owner', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

export function findTokens(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('tokens')
    .select(['kind', 'expires_at', 'invalid_at'])
    .where('creator_id', '=', creatorId)
    .execute();
}
