import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ConnectionsTable, Tables } from '#server/db/types.ts';

export type Recipient = { user_id: string; name: string; email: string };

/** A connection of a creator that stays, with when the last of its living sign-ins ends; null: it has no end. */
export type TroubledConnection = Selectable<ConnectionsTable> & { ends_at: Date | null };

/** Of all creators: connected accounts with a problem, or whose sign-in ends before `endsBefore`. */
export async function findTroubled(db: Kysely<Tables>, endsBefore: Date): Promise<TroubledConnection[]> {
  const { rows } = await sql<TroubledConnection>`
    select c.*, nullif(token.ends_at, 'infinity') as ends_at
    from connections c
    join creators cr on cr.id = c.creator_id and cr.delete_at is null
    left join lateral (
      select max(coalesce(t.expires_at, 'infinity')) as ends_at from tokens t
      where t.creator_id = c.creator_id and t.invalid_at is null
        and case t.kind
          when 'INSTAGRAM_BUSINESS_USER' then c.platform = 'instagram' and t.subject_id = c.account_id
          when 'FACEBOOK_BUSINESS_PAGE' then t.subject_id = c.page_id
        end
    ) token on true
    where c.disconnected_at is null and (
      c.requires_auth_at is not null or c.missing_permissions <> '{}' or c.missing_webhooks <> '{}'
      or token.ends_at < ${endsBefore} or c.policy_blocked
    )
    order by c.creator_id, c.id
  `.execute(db);
  return rows;
}

/** Troubles that are over may be told of again when they come back. `abouts` are those that last. */
export async function forgetOver(db: Kysely<Tables>, abouts: string[]): Promise<void> {
  await db
    .deleteFrom('notices_sent')
    .where('about', 'like', 'connection:%')
    .where(sql<boolean>`about <> all(${abouts})`)
    .execute();
}

/** Members with a confirmed address who want mails of this kind; of new access, owners only. */
export function findRecipients(
  db: Kysely<Tables>,
  creatorId: string,
  choice: 'connection_trouble' | 'weekly_figures' | 'new_access',
): Promise<Recipient[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('notification_choices', (join) =>
      join
        .onRef('notification_choices.creator_id', '=', 'memberships.creator_id')
        .onRef('notification_choices.user_id', '=', 'memberships.user_id'),
    )
    .select(['memberships.user_id', 'users.name', 'users.email'])
    .where('memberships.creator_id', '=', creatorId)
    .where('users.email_verified', '=', true)
    .where((eb) => eb.or([eb(choice, 'is', null), eb(choice, '=', true)]))
    .$if(choice === 'new_access', (members) => members.where('memberships.role', '=', 'owner'))
    .orderBy('memberships.created_at')
    .execute();
}

/** Notes what somebody is told of; answers what of it is new to them. */
export async function noteTold(
  trx: Transaction<Tables>,
  { creatorId, userId }: { creatorId: string; userId: string },
  abouts: string[],
  now: Date,
): Promise<string[]> {
  const rows = await trx
    .insertInto('notices_sent')
    .values(abouts.map((about) => ({ creator_id: creatorId, user_id: userId, about, sent_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('about')
    .execute();
  return rows.map((row) => row.about);
}

const aboutWeeks = 'week:';

/** @param week its Monday */
export function aboutWeek(week: string): string {
  return aboutWeeks + week;
}

/**
 * Creators where it is Monday, 07:00 or up to a day later, with a member who wants weekly figures and was not told of last
 * week yet; with its Monday.
 */
export async function findUntold(
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<{ id: string; handle: string; week: string }[]> {
  const { rows } = await sql<{ id: string; handle: string; week: string }>`
    select cr.id, cr.handle, (monday - 7)::text as week
    from creators cr
    cross join lateral (select ${now}::timestamptz at time zone coalesce(cr.time_zone, 'UTC') - interval '7 hours' as at) as there
    cross join lateral (select date_trunc('week', there.at)::date as monday) as this_week
    where cr.delete_at is null and there.at < monday + interval '1 day' and exists (
      select from memberships m join users u on u.id = m.user_id and u.email_verified
      left join notification_choices n on n.creator_id = m.creator_id and n.user_id = m.user_id
      where m.creator_id = cr.id and coalesce(n.weekly_figures, true)
        and not exists (
          select from notices_sent s
          where s.creator_id = m.creator_id and s.user_id = m.user_id and s.about = ${aboutWeeks} || (monday - 7)
        )
    )
    order by cr.id limit ${limit}
  `.execute(db);
  return rows;
}

/** Told of and over everywhere. */
export async function forgetOldWeeks(db: Kysely<Tables>, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - 14 * 24 * 3_600_000).toISOString().slice(0, 10);
  await db
    .deleteFrom('notices_sent')
    .where('about', 'like', `${aboutWeeks}%`)
    .where('about', '<', aboutWeek(oldest))
    .execute();
}
