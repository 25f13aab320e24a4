/**
 * Pages of everybody, the latest first: contacts, and people of accounts who have none. Each list is in one order; they are
 * merged by where their rows stand.
 */
import { type RawBuilder, sql } from 'kysely';
import type { ContactFilter } from '#contract/contacts.ts';
import { beginsWith } from '#server/db/begins-with.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import { ADDRESS_FILTERS, isPeopleFilter, PEOPLE_FILTERS, type PeopleFilter } from './contact-filters.ts';
import { type ContactRow, readRows } from './contact-rows.ts';

export type ContactSearch = {
  /** Lower case, without @ */
  handle: string;
  /** As contract/matching folds it */
  name: string;
};

type Wanted = {
  creatorId: string;
  filter?: ContactFilter | undefined;
  automationId?: string | undefined;
  /** Each selects `id` of contacts that stand for their addresses: only who is in all. */
  among?: RawBuilder<unknown>[];
  search: ContactSearch | null;
  now: Date;
};
type Page = { after: PagePosition | null; limit: number };

/** Every filter has an index in this order or is passed by so many that one is found soon. */
export async function findPage(trx: CreatorTransaction, wanted: Wanted, page: Page): Promise<ContactRow[]> {
  const { creatorId, filter, automationId, among = [] } = wanted;
  const streams: (RawBuilder<unknown> | null)[] = [];
  const byPerson =
    automationId !== undefined || (filter !== undefined && filter !== 'with_email' && isPeopleFilter(filter));
  const byAddress = (filter !== undefined && !isPeopleFilter(filter)) || (among.length > 0 && !byPerson);
  if (!byAddress) streams.push(await peopleOfPage(trx, wanted, page, byPerson));
  if (!byPerson || byAddress) streams.push(await contactsOfPage(trx, wanted, page));
  const all = sql.join(
    streams.map((one) => sql`(${one})`),
    sql` union all `,
  );
  // A contact comes before a person who was seen at the same moment.
  return readRows(
    trx,
    creatorId,
    sql`select * from (${all}) as every_one order by at desc, (p).id is not null, tie desc limit ${page.limit}`,
  );
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** @param withLinked those with a contact, too: each contact once, by whoever of them was seen last */
async function peopleOfPage(
  trx: CreatorTransaction,
  { creatorId, filter, automationId, among = [], search, now }: Wanted,
  { after, limit }: Page,
  withLinked: boolean,
): Promise<RawBuilder<unknown>> {
  const narrowed = (p: string) => {
    const these = [sql`${sql.ref(`${p}.creator_id`)} = ${creatorId}`, sql`${sql.ref(`${p}.last_seen_at`)} is not null`];
    if (filter !== undefined) these.push(PEOPLE_FILTERS[filter as PeopleFilter](now, p));
    if (automationId !== undefined) these.push(answeredBy(creatorId, automationId, p));
    for (const one of among) {
      these.push(sql`${sql.ref(`${p}.contact_id`)} in (
        select id from contacts where creator_id = ${creatorId}
          and case when joined_to is null then id else joined_to end in (select id from (${one}) as among))`);
    }
    return these;
  };
  const all = narrowed('p');
  if (after !== null) {
    const id = sql`(p.last_seen_at, p.id) < (${after.at}::timestamptz, ${after.id})`;
    all.push(!withLinked && UUID.test(after.id) ? sql`p.last_seen_at <= ${after.at}::timestamptz` : id);
  }
  if (!withLinked) all.push(sql`p.contact_id is null`);
  else {
    // Conditions of `or` would have whole tables read.
    const whole = sql`case when me.joined_to is null then me.id else me.joined_to end`;
    const me = sql`me.creator_id = p.creator_id and me.id = p.contact_id`;
    all.push(sql`p.contact_id is null or not exists (
      select from people o
      where o.contact_id = any(array(
          select ${whole} from contacts me where ${me}
          union all
          select j.id from contacts me join contacts j on j.creator_id = me.creator_id and j.joined_to = ${whole} where ${me}
        )) and (o.last_seen_at, o.id) > (p.last_seen_at, p.id) and ${every(narrowed('o'))}
    )`);
  }
  const matching = search && (await whereTheyAre(trx, PEOPLE, creatorId, search, all, limit));
  if (matching) all.push(begin('p', PEOPLE, search!));
  const whole = withLinked
    ? sql`(select case when joined_to is null then id else joined_to end from contacts where creator_id = p.creator_id and id = p.contact_id)`
    : sql`null::uuid`;
  return sql`
    select ${whole} as contact_id, null::contacts as k, p::people as p, p.last_seen_at as at, p.id as tie
    from ${matching ?? sql`people`} as p where ${every(all)} order by p.last_seen_at desc, p.id desc limit ${limit}`;
}

function answeredBy(creatorId: string, automationId: string, p: string) {
  return sql`exists (
    select from answered_people a
    where a.creator_id = ${creatorId} and a.automation_id = ${automationId} and a.person_id = ${sql.ref(`${p}.id`)}
  )`;
}

async function contactsOfPage(
  trx: CreatorTransaction,
  { creatorId, filter, automationId, among = [], search }: Wanted,
  { after, limit }: Page,
): Promise<RawBuilder<unknown>> {
  const all = [sql`c.creator_id = ${creatorId}`, sql`c.joined_to is null`];
  if (filter === 'with_email') all.push(sql`c.email is not null`);
  else if (filter !== undefined) all.push(ADDRESS_FILTERS[filter as keyof typeof ADDRESS_FILTERS]);
  for (const one of among) all.push(sql`c.id in (select id from (${one}) as among)`);
  if (after !== null) {
    all.push(
      UUID.test(after.id)
        ? sql`(c.last_seen_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
        : sql`c.last_seen_at < ${after.at}::timestamptz`,
    );
  }
  const ofAll = sql`p.contact_id = any(array_append(
    array(select j.id from contacts j where j.creator_id = c.creator_id and j.joined_to = c.id), c.id))`;
  if (automationId !== undefined) {
    all.push(sql`c.has_people and exists (
      select from people p where p.creator_id = c.creator_id and ${ofAll} and ${answeredBy(creatorId, automationId, 'p')})`);
  }
  const matching = search && (await whereTheyAre(trx, CONTACTS, creatorId, search, all, limit));
  if (matching) {
    all.push(sql`${begin('c', CONTACTS, search!)}
      or (c.has_people and exists (
        select from people p where p.creator_id = c.creator_id and ${ofAll} and (${begin('p', PEOPLE, search!)})))
      or (c.has_joined and exists (
        select from contacts j where j.creator_id = c.creator_id and j.joined_to = c.id and (${begin('j', CONTACTS, search!)})))`);
  }
  return sql`
    select c.id as contact_id, c::contacts as k, null::people as p, c.last_seen_at as at, c.id::text as tie
    from ${matching ?? sql`contacts`} as c where ${every(all)} order by c.last_seen_at desc, c.id desc limit ${limit}`;
}

type Kind = { table: 'people' | 'contacts'; alias: 'p' | 'c'; columns: string[] };
const PEOPLE: Kind = { table: 'people', alias: 'p', columns: ['username', 'email', 'name_key', 'name_last'] };
const CONTACTS: Kind = { table: 'contacts', alias: 'c', columns: ['email_key', 'name_key', 'name_last'] };

/** So many are read and sorted sooner than the newest are looked at one by one. */
const FEW = 500;
const NEWEST_LOOKED_AT = 10_000;
/** So many are read and sorted sooner than everybody is looked at. */
const MANY = 20_000;

/** Rows among which are all who match: those that the indexes find, or of so many the newest, or everybody. */
async function whereTheyAre(
  trx: CreatorTransaction,
  kind: Kind,
  creatorId: string,
  search: ContactSearch,
  all: RawBuilder<unknown>[],
  limit: number,
): Promise<RawBuilder<unknown>> {
  if ((await countMatches(trx, creatorId, search, FEW)) <= FEW) return matches(kind, creatorId, search);
  // Of so many some were here lately, as a rule.
  const alias = sql.ref(kind.alias);
  const newest = sql`(
    select * from ${sql.table(kind.table)} ${alias} where ${every(all)}
    order by ${alias}.last_seen_at desc, ${alias}.id desc limit ${NEWEST_LOOKED_AT}
  )`;
  const found = await sql`
    select from ${newest} ${alias} where ${begin(kind.alias, kind, search)} limit ${limit}
  `.execute(trx);
  if (found.rows.length === limit) return newest;
  return (await countMatches(trx, creatorId, search, MANY)) <= MANY
    ? matches(kind, creatorId, search)
    : sql`${sql.table(kind.table)}`;
}

/** Up to some more than `most`; who matches in two ways counts twice. */
async function countMatches(trx: CreatorTransaction, creatorId: string, search: ContactSearch, most: number) {
  const parts = [PEOPLE, CONTACTS].flatMap(({ table, columns }) =>
    columns.map(
      (column) => sql`(
        select from ${sql.table(table)} where creator_id = ${creatorId} and ${begins(column, search)} limit ${most + 1}
      )`,
    ),
  );
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${sql.join(parts, sql` union all `)}) as found
  `.execute(trx);
  return rows[0]!.count;
}

/** All who match, from the indexes of what they may match in; each once. */
function matches({ table, columns }: Kind, creatorId: string, search: ContactSearch): RawBuilder<unknown> {
  const found = (table: string, columns: string[], which: RawBuilder<unknown>) =>
    columns.map(
      (column) => sql`
        select ${which} from ${sql.table(table)} as t where t.creator_id = ${creatorId} and ${begins(`t.${column}`, search)}`,
    );
  if (table === 'people') {
    const rows = sql.join(found('people', columns, sql`t.ctid as row`), sql` union `);
    return sql`(select * from people where creator_id = ${creatorId} and ctid = any(array(${rows})))`;
  }
  const own = found('contacts', columns, sql`case when t.joined_to is null then t.id else t.joined_to end as id`);
  const theirs = PEOPLE.columns.map(
    (column) => sql`
      select case when o.joined_to is null then o.id else o.joined_to end from people t join contacts o on o.creator_id = t.creator_id and o.id = t.contact_id
      where t.creator_id = ${creatorId} and t.contact_id is not null and ${begins(`t.${column}`, search)}`,
  );
  return sql`(
    select * from contacts where creator_id = ${creatorId} and id = any(array(${sql.join([...own, ...theirs], sql` union `)})))`;
}

function begin(alias: string, { columns }: Kind, search: ContactSearch): RawBuilder<unknown> {
  return anyOf(columns.map((column) => begins(`${alias}.${column}`, search)));
}

function begins(column: string, { handle, name }: ContactSearch): RawBuilder<unknown> {
  return beginsWith(column, column.includes('name_') ? name : handle);
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

/** Whose handle is exactly this one. */
export function findByHandle(trx: CreatorTransaction, creatorId: string, handle: string): Promise<ContactRow[]> {
  return readRows(
    trx,
    creatorId,
    sql`
      select (select case when joined_to is null then id else joined_to end from contacts where creator_id = p.creator_id and id = p.contact_id) as contact_id,
        null::contacts as k, p as p, p.last_seen_at as at, p.id as tie
      from people p where p.creator_id = ${creatorId} and p.username = ${handle} and p.last_seen_at is not null
      order by p.last_seen_at desc, p.id desc limit 10`,
  );
}
