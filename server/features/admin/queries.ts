/** The admin area's data of all creators: the engine's role. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import { ENDS_SOON_MS } from '#server/features/connections/health.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import { OWN_ACCOUNT } from '#server/platforms/stripe/client.ts';

type Executor = Kysely<Tables>;
type Page = { after: PagePosition | null; limit: number };

/** Younger messages are simply on their way. */
const WAITS_AFTER_MS = 60_000;

export type CreatorRow = {
  id: string;
  handle: string;
  created_at: Date;
  position: string;
  delete_at: Date | null;
  has_own_account: boolean;
  plan_name: string | null;
  status: string | null;
  owners: string[];
  followers: number;
  waiting: number;
};

/** Newest first. */
export async function findCreators(
  db: Executor,
  filter: { search?: string | undefined; trouble?: 'connection' | 'queue' | undefined; now: Date },
  page: Page,
): Promise<CreatorRow[]> {
  const all = [sql`true`];
  const { search = '', trouble, now } = filter;
  if (search !== '') {
    const like = containing(search.replace(/^@/, ''));
    all.push(sql`(c.handle ilike ${like} or exists (
      select from memberships m join users u on u.id = m.user_id
      where m.creator_id = c.id and m.role = 'owner' and (u.email ilike ${like} or u.name ilike ${like})
    ))`);
  }
  if (trouble === 'connection') all.push(connectionTrouble(now));
  if (trouble === 'queue') {
    all.push(sql`exists (
      select from connections k join deliveries d on d.connection_id = k.id and d.listed_as = 'queued'
      where k.creator_id = c.id and d.created_at < ${new Date(now.getTime() - WAITS_AFTER_MS)}
    )`);
  }
  if (page.after !== null)
    all.push(sql`(c.created_at, c.id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`);
  const { rows } = await sql<CreatorRow>`
    select page.*, page.created_at::text as position, p.name as plan_name, s.status,
      array(
        select u.email from memberships m join users u on u.id = m.user_id
        where m.creator_id = page.id and m.role = 'owner' order by m.created_at, m.id
      ) as owners,
      (
        select coalesce(sum(k.followers_count), 0)::bigint from connections k
        where k.creator_id = page.id and k.disconnected_at is null
      ) as followers,
      (
        select count(*) from connections k join deliveries d on d.connection_id = k.id and d.listed_as = 'queued'
        where k.creator_id = page.id
      ) as waiting,
      exists (select from stripe_accounts a where a.creator_id = page.id and a.account_id = ${OWN_ACCOUNT}) as has_own_account
    from (
      select c.id, c.handle, c.created_at, c.delete_at from creators c
      where ${sql.join(all, sql` and `)} order by c.created_at desc, c.id desc limit ${page.limit}
    ) as page
    left join subscriptions s on s.creator_id = page.id
    left join plans p on p.id = s.plan_id
    order by page.created_at desc, page.id desc
  `.execute(db);
  return rows;
}

/** Where `healthOf` (connections/health.ts) would say anything but that it works. */
function connectionTrouble(now: Date) {
  return sql`exists (
    select from connections k
    where k.creator_id = c.id and case
      when k.disconnected_at is not null then k.disconnected_reason = 'app_removed'
      else k.requires_auth_at is not null or k.policy_blocked or k.barred_until > ${now}
        or k.missing_permissions <> '{}' or k.missing_webhooks <> '{}'
        or exists (
          select from tokens t
          where t.creator_id = k.creator_id and t.expires_at < ${new Date(now.getTime() + ENDS_SOON_MS)}
            and t.kind <> 'FACEBOOK_BUSINESS_USER'
            and t.subject_id = case t.kind when 'INSTAGRAM_BUSINESS_USER' then k.account_id else k.page_id end
        )
    end
  )`;
}

export type UserRow = {
  id: string;
  name: string;
  email: string;
  email_verified: boolean;
  is_admin: boolean;
  created_at: Date;
  position: string;
  creators: string[];
};

/** Newest first. */
export async function findUsers(db: Executor, search: string, page: Page): Promise<UserRow[]> {
  const all = [sql`true`];
  if (search !== '') all.push(sql`(u.name ilike ${containing(search)} or u.email ilike ${containing(search)})`);
  if (page.after !== null)
    all.push(sql`(u.created_at, u.id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`);
  const { rows } = await sql<UserRow>`
    select u.id, u.name, u.email, u.email_verified, u.is_admin, u.created_at, u.created_at::text as position,
      array(
        select c.handle from memberships m join creators c on c.id = m.creator_id
        where m.user_id = u.id order by m.created_at, m.id
      ) as creators
    from users u
    where ${sql.join(all, sql` and `)} order by u.created_at desc, u.id desc limit ${page.limit}
  `.execute(db);
  return rows;
}

/** Newest first. */
export async function findUnsentMails(db: Executor, page: Page) {
  const after =
    page.after === null ? sql`` : sql`and (created_at, id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`;
  const { rows } = await sql<{
    id: string;
    recipient: string;
    subject: string;
    created_at: Date;
    last_failure: string | null;
    position: string;
  }>`
    select id, recipient, subject, created_at, last_failure, created_at::text as position
    from mails where state = 'queued' ${after} order by created_at desc, id desc limit ${page.limit}
  `.execute(db);
  return rows;
}

/** Text to be found as it stands: `%` and `_` are letters like others. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

export async function findWorkers(db: Executor, seenAfter: Date, now: Date) {
  const { rows } = await sql<{ worker_id: string; seen_at: Date; shards: number }>`
    select w.worker_id, w.seen_at,
      (select count(*) from shard_leases l where l.holder = w.worker_id and l.expires_at > ${now}) as shards
    from worker_heartbeats w where w.seen_at > ${seenAfter} order by w.seen_at desc, w.worker_id
  `.execute(db);
  return rows;
}

/** Lanes in which something waits or that are closed; the fullest first. */
export async function findLanes(db: Executor, now: Date, limit: number) {
  const { rows } = await sql<{
    creator_id: string;
    handle: string;
    connection_id: string;
    username: string;
    lane: string;
    waiting: number;
    oldest: Date | null;
    closed_until: Date | null;
    closed_reason: string | null;
  }>`
    select coalesce(q.creator_id, s.creator_id) as creator_id, c.handle,
      coalesce(q.connection_id, s.connection_id) as connection_id, k.username, coalesce(q.lane, s.lane) as lane,
      coalesce(q.waiting, 0)::bigint as waiting, q.oldest, s.closed_until, s.closed_reason
    from (
      select creator_id, connection_id, lane, count(*) as waiting, min(created_at) as oldest
      from deliveries where listed_as = 'queued' group by 1, 2, 3
    ) as q
    full join (select * from lane_states where closed_until > ${now}) as s
      on s.creator_id = q.creator_id and s.connection_id = q.connection_id and s.lane = q.lane
    join creators c on c.id = coalesce(q.creator_id, s.creator_id)
    join connections k on k.creator_id = c.id and k.id = coalesce(q.connection_id, s.connection_id)
    order by waiting desc, connection_id, lane
    limit ${limit}
  `.execute(db);
  return rows;
}
