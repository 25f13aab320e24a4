import { type RawBuilder, sql } from 'kysely';
import type { Contact, ContactFilter } from '#contract/contacts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import { CONTACT_FILTERS } from './contact-filters.ts';
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
  /** Null also while they are taken over for good. */
  taken_over_until: Date | null;
  taken_over_for_good: boolean;
  blocked_at: Date | null;
  last: Contact['last'];
  position: string;
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
  if (wanted.filter !== undefined) all.push(CONTACT_FILTERS[wanted.filter](wanted.now));
  if (page.after !== null) all.push(sql`(p.last_seen_at, p.id) < (${page.after.at}::timestamptz, ${page.after.id})`);
  const isAmongThem = every(all);
  if (wanted.automationId !== undefined) {
    all.push(sql`exists (
      select from answered_people a
      where a.creator_id = ${creatorId} and a.automation_id = ${wanted.automationId} and a.person_id = p.id
    )`);
  }
  const { search } = wanted;
  if (search === null) return select(trx, every(all), page.limit);

  const matching = () => select(trx, every(all), page.limit, matches(creatorId, search));
  const matched = every([...all, anyOf(COLUMNS.map((column) => begins(`p.${column}`, search)))]);
  if ((await countMatches(trx, creatorId, search, FEW)) <= FEW) return matching();
  // Of so many some were here lately, as a rule.
  const newest = sql`(
    select * from people p where ${isAmongThem} order by p.last_seen_at desc, p.id desc limit ${NEWEST_LOOKED_AT}
  )`;
  const found = await select(trx, matched, page.limit, newest);
  if (found.length === page.limit) return found;
  return (await countMatches(trx, creatorId, search, MANY)) <= MANY ? matching() : select(trx, matched, page.limit);
}

const COLUMNS = ['username', 'email', 'name_key', 'name_last'] as const;
/** So many are read and sorted sooner than the newest people are looked at one by one. */
const FEW = 500;
const NEWEST_LOOKED_AT = 10_000;
/** So many are read and sorted sooner than everybody is looked at. */
const MANY = 20_000;

/** Up to some more than `most`; who matches in two ways counts twice. */
async function countMatches(
  trx: CreatorTransaction,
  creatorId: string,
  search: ContactSearch,
  most: number,
): Promise<number> {
  const parts = COLUMNS.map(
    (column) => sql`(
      select from people where creator_id = ${creatorId} and ${begins(column, search)} limit ${most + 1}
    )`,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${sql.join(parts, sql` union all `)}) as found
  `.execute(trx);
  return rows[0]!.count;
}

/** All who match, from the indexes of what they may match in; each once. */
function matches(creatorId: string, search: ContactSearch): RawBuilder<unknown> {
  const parts = COLUMNS.map((column, index) => {
    const before = COLUMNS.slice(0, index).map((other) => sql`${begins(other, search)} is not true`);
    // `offset 0` keeps the planner from walking along the newest people for each part.
    return sql`(select * from people where ${every([sql`creator_id = ${creatorId}`, begins(column, search), ...before])} offset 0)`;
  });
  return sql`(${sql.join(parts, sql` union all `)})`;
}

function every(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(
    conditions.map((one) => sql`(${one})`),
    sql` and `,
  );
}

function anyOf(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` or `);
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

/** One line of a list. */
const LAST_WORDS_SHOWN = 200;

async function select(
  trx: CreatorTransaction,
  condition: RawBuilder<unknown>,
  limit: number,
  people: RawBuilder<unknown> = sql`people`,
): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select p.connection_id, p.id, p.username, p.name, p.picture_url, p.email, p.follows, p.followers, p.verified,
      p.profile_at, p.first_seen_at, coalesce(p.last_seen_at, p.first_seen_at) as last_seen_at, p.last_wrote_at,
      p.stopped_at, p.blocked_at, nullif(p.taken_over_until, 'infinity') as taken_over_until,
      coalesce(p.taken_over_until = 'infinity', false) as taken_over_for_good, p.last_seen_at::text as position,
      c.platform, c.username as account_username, c.disconnected_at, c.requires_auth_at, to_json(last) as last
    from (
      select * from ${people} as p where ${condition} order by p.last_seen_at desc, p.id desc limit ${limit}
    ) as p
    join connections c on c.creator_id = p.creator_id and c.id = p.connection_id
    left join lateral (
      select kind, left(text, ${LAST_WORDS_SHOWN}) as text, outcome, reason from interactions
      where creator_id = p.creator_id and person_id = p.id and connection_id = p.connection_id and kind <> 'button_tap'
      order by occurred_at desc, id desc limit 1
    ) as last on true
    order by p.last_seen_at desc, p.id desc
  `.execute(trx);
  return rows;
}

/** Meta may call a commenter by another id in the chat that a private reply opened (reference 3.2): all ids that are one person. */
export function findIdsOf(trx: CreatorTransaction, creatorId: string, key: ContactKey): Promise<string[]> {
  return readIdsOf(trx, creatorId, key, null);
}

/** Enough to tell: every private reply to a commenter names the same chat. */
const REPLIES_THAT_TELL = 500;

/** The same for showing somebody, however often they were answered. */
export function findShownIdsOf(trx: CreatorTransaction, creatorId: string, key: ContactKey): Promise<string[]> {
  return readIdsOf(trx, creatorId, key, REPLIES_THAT_TELL);
}

/** @param most of what they did, and of the private replies to them, to look at; null: all */
async function readIdsOf(
  trx: CreatorTransaction,
  creatorId: string,
  key: ContactKey,
  most: number | null,
): Promise<string[]> {
  // `offset 0` keeps the planner from joining whole tables: one person did little of what is in them.
  const { rows } = await sql<{ id: string }>`
    select d.id
    from (
      select creator_id, id from interactions
      where creator_id = ${creatorId} and connection_id = ${key.connectionId} and person_id = ${key.personId}
      order by occurred_at desc, id desc limit ${most}
    ) as i cross join lateral (
      select recipient_person_id as id from deliveries
      where creator_id = i.creator_id and interaction_id = i.id and recipient_person_id is not null offset 0
    ) as d
    union
    select i.id
    from (
      select creator_id, interaction_id from deliveries
      where creator_id = ${creatorId} and connection_id = ${key.connectionId} and recipient_person_id = ${key.personId}
        and kind = 'private_reply' limit ${most}
    ) as d cross join lateral (
      select person_id as id from interactions where creator_id = d.creator_id and id = d.interaction_id offset 0
    ) as i
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

const CONSENTS_SHOWN = 100;

/** Newest first. */
export async function findConsents(trx: CreatorTransaction, creatorId: string, connectionId: string, ids: string[]) {
  return trx
    .selectFrom('consents')
    .select(['id', 'email', 'wording', 'place', 'agreed_at'])
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('person_id', 'in', ids)
    .orderBy('agreed_at', 'desc')
    .limit(CONSENTS_SHOWN)
    .execute();
}

/** What they asked for last: the newest thing an automation matched, else their newest comment. */
export async function findAsked(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  ids: string[],
): Promise<string | null> {
  // For each id by itself: only so the index has them in this order.
  const newest = (condition: RawBuilder<unknown>) => sql`
    select i.id from unnest(${ids}::text[]) as theirs (id) cross join lateral (
      select id, occurred_at from interactions
      where creator_id = ${creatorId} and connection_id = ${connectionId} and person_id = theirs.id
        and kind <> 'button_tap' and reason not in ('own_comment', 'stop_obeyed', 'start_obeyed') and ${condition}
      order by occurred_at desc, id desc limit 1
    ) as i
    order by i.occurred_at desc, i.id desc limit 1
  `;
  const { rows } = await sql<{ id: string }>`
    (${newest(sql`automation_id is not null`)}) union all (${newest(sql`kind in ('comment', 'live_comment')`)}) limit 1
  `.execute(trx);
  return rows[0]?.id ?? null;
}

/** Their newest comment that may still get its one private reply. */
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

/** When they last wrote, under any of their ids, and the id by which a message reaches them. */
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
