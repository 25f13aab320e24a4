import { type RawBuilder, sql } from 'kysely';
import type { ContactFilter } from '#contract/contacts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { PagePosition } from '#server/http/paging.ts';
import type { ContactKey } from './contact-id.ts';

export type ContactRow = {
  connection_id: string;
  /** Meta's id of the person */
  id: string;
  platform: 'instagram' | 'facebook';
  account_username: string;
  disconnected_at: Date | null;
  requires_auth_at: Date | null;
  username: string | null;
  name: string | null;
  picture_url: string | null;
  email: string | null;
  follows: boolean | null;
  followers: number | null;
  verified: boolean | null;
  profile_at: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
  last_wrote_at: Date | null;
  stopped_at: Date | null;
  /** Null also while she is taken over for good. */
  taken_over_until: Date | null;
  taken_over_for_good: boolean;
  blocked_at: Date | null;
  position: string;
};

/** What narrows `people p` down. */
export const FILTERS: Record<ContactFilter, (now: Date) => RawBuilder<unknown>> = {
  with_email: () => sql`p.email is not null`,
  followers: () => sql`p.follows = true`,
  // PostgreSQL reads `= false` as `not`, from which it does not see that the index of those known will do.
  not_followers: () => sql`p.follows is not null and p.follows = false`,
  following_unknown: () => sql`p.follows is null`,
  stopped: () => sql`p.stopped_at is not null`,
  taken_over: (now) => sql`p.taken_over_until is not null and p.taken_over_until > ${now}`,
  blocked: () => sql`p.blocked_at is not null`,
};

export type ContactSearch = {
  /** Lower case, without @ */
  handle: string;
  /** As contract/matching folds it */
  name: string;
};

export type ContactsWanted = {
  filter?: ContactFilter | undefined;
  automationId?: string | undefined;
  search: ContactSearch | null;
};

/** The latest first. Every filter has an index in this order or is passed by so many that one is found soon. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  wanted: ContactsWanted & { now: Date },
  page: { after: PagePosition | null; limit: number },
): Promise<ContactRow[]> {
  const all = [sql`p.creator_id = ${creatorId}`, sql`p.last_seen_at is not null`];
  if (wanted.filter !== undefined) all.push(FILTERS[wanted.filter](wanted.now));
  if (wanted.automationId !== undefined) {
    all.push(sql`exists (
      select from answered_people a
      where a.creator_id = ${creatorId} and a.automation_id = ${wanted.automationId} and a.person_id = p.id
    )`);
  }
  if (page.after !== null) all.push(sql`(p.last_seen_at, p.id) < (${page.after.at}::timestamptz, ${page.after.id})`);
  if (wanted.search !== null) {
    const found = await findMatches(trx, creatorId, wanted.search);
    if (found === null)
      all.push(
        sql.join(
          COLUMNS.map((column) => begins(`p.${column}`, wanted.search!)),
          sql` or `,
        ),
      );
    else {
      const [connections, ids] = [found.map((one) => one.connection_id), found.map((one) => one.id)];
      all.push(sql`(p.connection_id, p.id) in (select * from unnest(${connections}::uuid[], ${ids}::text[]))`);
    }
  }
  return select(
    trx,
    sql.join(
      all.map((one) => sql`(${one})`),
      sql` and `,
    ),
    page.limit,
  );
}

const COLUMNS = ['username', 'email', 'name_key', 'name_last'] as const;
const FEW = 500;

/**
 * Everybody who matches, while they are few. Null: so many that the newest page is sooner found by looking at the newest
 * people one by one.
 */
async function findMatches(
  trx: CreatorTransaction,
  creatorId: string,
  search: ContactSearch,
): Promise<{ connection_id: string; id: string }[] | null> {
  const parts = COLUMNS.map(
    (column) => sql`(
      select connection_id, id from people where creator_id = ${creatorId} and ${begins(column, search)} limit ${FEW + 1}
    )`,
  );
  const { rows } = await sql<{ connection_id: string; id: string; many: boolean }>`
    with found as materialized (${sql.join(parts, sql` union `)}), counted as (select count(*) > ${FEW} as many from found)
    (select connection_id, id, false as many from found where not (select many from counted))
    union all
    select null, null, true from counted where many
  `.execute(trx);
  return rows[0]?.many ? null : rows;
}

/** As a range: row-level security lets no `like` into an index scan. */
function begins(column: string, { handle, name }: ContactSearch): RawBuilder<unknown> {
  const ref = sql.ref(column);
  const begin = column.includes('name_') ? name : handle;
  // A text of signs only folds to nothing, with which every name begins.
  if (begin === '') return sql`false`;
  return sql`(${ref} ~>=~ ${begin} and ${ref} ~<~ ${`${begin}\u{10ffff}`})`;
}

/** Whose handle is exactly this one. */
export function findByHandle(trx: CreatorTransaction, creatorId: string, handle: string): Promise<ContactRow[]> {
  return select(trx, sql`p.creator_id = ${creatorId} and p.username = ${handle} and p.last_seen_at is not null`, 10);
}

export async function findContact(
  trx: CreatorTransaction,
  creatorId: string,
  key: ContactKey,
): Promise<ContactRow | undefined> {
  const [row] = await select(
    trx,
    sql`p.creator_id = ${creatorId} and p.connection_id = ${key.connectionId} and p.id = ${key.personId}`,
    1,
  );
  return row;
}

async function select(trx: CreatorTransaction, condition: RawBuilder<unknown>, limit: number): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select p.connection_id, p.id, p.username, p.name, p.picture_url, p.email, p.follows, p.followers, p.verified,
      p.profile_at, p.first_seen_at, coalesce(p.last_seen_at, p.first_seen_at) as last_seen_at, p.last_wrote_at,
      p.stopped_at, p.blocked_at, nullif(p.taken_over_until, 'infinity') as taken_over_until,
      coalesce(p.taken_over_until = 'infinity', false) as taken_over_for_good, p.last_seen_at::text as position,
      c.platform, c.username as account_username, c.disconnected_at, c.requires_auth_at
    from (
      select * from people p where ${condition} order by p.last_seen_at desc, p.id desc limit ${limit}
    ) as p
    join connections c on c.creator_id = p.creator_id and c.id = p.connection_id
    order by p.last_seen_at desc, p.id desc
  `.execute(trx);
  return rows;
}

/** Meta may call a commenter by another id in the chat that a private reply opened (reference 3.2): all ids that are her. */
export async function findIdsOf(trx: CreatorTransaction, creatorId: string, key: ContactKey): Promise<string[]> {
  // `offset 0` keeps the planner from joining whole tables: she did little of what is in them.
  const { rows } = await sql<{ id: string }>`
    select d.id
    from interactions i cross join lateral (
      select recipient_person_id as id from deliveries
      where creator_id = i.creator_id and interaction_id = i.id and recipient_person_id is not null offset 0
    ) as d
    where i.creator_id = ${creatorId} and i.connection_id = ${key.connectionId} and i.person_id = ${key.personId}
    union
    select i.id
    from deliveries d cross join lateral (
      select person_id as id from interactions where creator_id = d.creator_id and id = d.interaction_id offset 0
    ) as i
    where d.creator_id = ${creatorId} and d.connection_id = ${key.connectionId} and d.recipient_person_id = ${key.personId}
  `.execute(trx);
  return [...new Set([key.personId, ...rows.map(({ id }) => id)])];
}

/** Changes and sends for one person go one after the other. */
export async function lockContact(trx: CreatorTransaction, creatorId: string, key: ContactKey): Promise<boolean> {
  const { rows } = await sql`
    select from people where creator_id = ${creatorId} and connection_id = ${key.connectionId} and id = ${key.personId}
    for update
  `.execute(trx);
  return rows.length > 0;
}

export async function findConsents(trx: CreatorTransaction, creatorId: string, connectionId: string, ids: string[]) {
  return trx
    .selectFrom('consents')
    .select(['id', 'email', 'wording', 'place', 'agreed_at'])
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('person_id', 'in', ids)
    .orderBy('agreed_at', 'desc')
    .execute();
}

/** What she asked for last: the newest thing an automation matched, else her newest comment. */
export async function findAsked(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with hers as not materialized (
      select id, kind, automation_id, occurred_at from interactions
      where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = any(${ids})
        and kind <> 'button_tap' and reason not in ('own_comment', 'stop_obeyed', 'start_obeyed')
    )
    (select id from hers where automation_id is not null order by occurred_at desc, id desc limit 1)
    union all
    (select id from hers where kind in ('comment', 'live_comment') order by occurred_at desc, id desc limit 1)
    limit 1
  `.execute(trx);
  return rows[0]?.id ?? null;
}

/** Her newest comment that may still get its one private reply. */
export async function findCommentToAnswer(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
  since: Date,
): Promise<{ id: string; platformId: string; occurredAt: Date } | null> {
  const { rows } = await sql<{ id: string; platformId: string; occurredAt: Date }>`
    select i.id, i.platform_id as "platformId", i.occurred_at as "occurredAt" from interactions i
    where i.creator_id = ${creatorId} and i.connection_id = ${connectionId} and i.person_id = any(${ids})
      and i.kind = 'comment' and i.occurred_at > ${since} and i.received_at > ${since}
      and i.reason not in ('comment_unavailable', 'already_replied_elsewhere', 'person_unavailable')
      and not exists (
        select from deliveries d
        where d.creator_id = i.creator_id and d.interaction_id = i.id and d.kind = 'private_reply'
          and (d.uncertain or d.state in ('queued', 'sending', 'sent'))
      )
    order by i.occurred_at desc, i.id desc limit 1
  `.execute(trx);
  return rows[0] ?? null;
}

/** When she last wrote, under any of her ids, and the id by which a message reaches her. */
export async function findLastWrote(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
): Promise<{ at: Date; personId: string } | null> {
  const row = await trx
    .selectFrom('people')
    .select(['id', 'last_wrote_at'])
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('id', 'in', ids)
    .where('last_wrote_at', 'is not', null)
    .orderBy('last_wrote_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { at: row.last_wrote_at!, personId: row.id };
}
