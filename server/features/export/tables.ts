/** Tables a creator can open in a spreadsheet. */
import { sql } from 'kysely';
import type { ContactFilter } from '#contract/contacts.ts';
import { NOT_IMPORTED, type RowVerdict } from '#contract/imports.ts';
import { LEAVING_REASONS, type LeavingReason } from '#contract/members.ts';
import type { OutcomeStatus, Reason } from '#contract/outcomes.ts';
import type { Database } from '#server/db/database.ts';
import { ADDRESS_FILTERS, isPeopleFilter, PEOPLE_FILTERS } from '#server/features/contacts/contact-filters.ts';
import { contactsInSegment } from '#server/features/contacts/segments.ts';
import { contactsWithTag } from '#server/features/contacts/tags.ts';
import { conditionsOf, type InteractionFilter } from '#server/features/interactions/interaction-filter.ts';
import { saysOf } from '#server/features/interactions/reason-words.ts';
import { type Cell, csvOf, rowsOf } from '#server/http/csv.ts';

type InteractionCells = {
  day: string;
  occurred_at: Date;
  kind: string;
  username: string | null;
  person_id: string;
  text: string;
  post_id: string | null;
  automation: string | null;
  outcome: OutcomeStatus;
  reason: Reason;
  waiting_until: Date | null;
  sent_at: Date | null;
  read_at: Date | null;
  clicked_at: Date | null;
};

/** Newest first. */
export function interactionsTable(db: Database, creatorId: string, filter: InteractionFilter, now: Date) {
  const query = sql`
    select counted_on(i.counted_on, i.received_at)::text as day, i.occurred_at, i.kind, i.username, i.person_id, i.text, i.post_id, a.name as automation, i.outcome, i.reason,
      i.waiting_until, d.sent_at, d.read_at, d.clicked_at
    from interactions i
    left join automations a on a.creator_id = i.creator_id and a.id = i.automation_id
    left join lateral (
      select min(finished_at) filter (where state = 'sent') as sent_at, min(read_at) as read_at, min(clicked_at) as clicked_at
      from deliveries d where d.creator_id = i.creator_id and d.interaction_id = i.id and d.kind <> 'public_reply'
    ) d on true
    where ${sql.join(conditionsOf(creatorId, filter), sql` and `)}
    order by i.occurred_at desc, i.id desc
  `.compile(db.app);
  const header = 'day,written,kind,handle,person,text,post,automation,outcome,reason,sent,opened,clicked'.split(',');
  const lines = cellsOf<InteractionCells>(rowsOf(db, creatorId, query), (row) => [
    row.day,
    row.occurred_at,
    row.kind,
    row.username,
    row.person_id,
    row.text,
    row.post_id,
    row.automation,
    row.outcome,
    saysOf({ outcome: row.outcome, reason: row.reason, waitingUntil: row.waiting_until }, now),
    row.sent_at,
    row.read_at,
    row.clicked_at,
  ]);
  return csvOf(header, lines);
}

type ContactCells = {
  platform: string | null;
  account: string | null;
  username: string | null;
  name: string | null;
  email: string | null;
  follows: boolean | null;
  first_seen_at: Date;
  last_seen_at: Date | null;
  stopped_at: Date | null;
  blocked_at: Date | null;
  newsletter: string;
  newsletter_at: Date | null;
  how: string | null;
  wording: string | null;
  page_url: string | null;
  source: string | null;
};

export type ContactsTableFilter = {
  filter?: ContactFilter | undefined;
  segment?: string | undefined;
  tagId?: string | undefined;
};

/**
 * Of a contact `c`, the ledger's words on the newsletter: how they said yes or no last, and to which words on which page they
 * said yes.
 */
const LEDGER = sql`
  left join lateral (
    select (array_agg(l.how order by l.agreed_at desc, l.id desc) filter (where l.act <> 'given'))[1] as how,
      (array_agg(l.how order by l.agreed_at desc, l.id desc) filter (where l.act = 'given'))[1] as given_how,
      (array_agg(l.wording order by l.agreed_at desc, l.id desc) filter (where l.wording <> ''))[1] as wording,
      (array_agg(l.page_url order by l.agreed_at desc, l.id desc) filter (where l.act = 'given'))[1] as page_url
    from consents l
    where c.newsletter_of_all <> 'none' and l.creator_id = c.creator_id and l.purpose = 'newsletter'
      and l.contact_id in (select c.id union all select j.id from contacts j where c.has_joined and j.creator_id = c.creator_id and j.joined_to = c.id)
  ) as ledger on true`;
const LEDGER_COLUMNS = sql`c.newsletter_at, coalesce(ledger.how, ledger.given_how) as how, ledger.wording, ledger.page_url`;

/**
 * The latest first. Who saved a recipe and never asked for the newsletter is in it only when people from the blog are asked for, or a
 * segment that speaks of savers.
 *
 * @throws AppError invalid_input
 */
export function contactsTable(
  db: Database,
  creatorId: string,
  { filter, segment, tagId }: ContactsTableFilter,
  now: Date,
) {
  const isOfPeople = filter !== undefined && isPeopleFilter(filter);
  const people = filter === undefined ? sql`true` : isOfPeople ? PEOPLE_FILTERS[filter](now) : ADDRESS_FILTERS[filter];
  const addresses = isOfPeople
    ? sql`${filter === 'with_email'} and c.email is not null`
    : filter === undefined
      ? sql`true`
      : ADDRESS_FILTERS[filter];
  const sets = [
    ...(segment === undefined ? [] : [contactsInSegment(creatorId, segment, now)]),
    ...(tagId === undefined ? [] : [contactsWithTag(creatorId, tagId)]),
  ];
  const within =
    sets.length === 0
      ? sql`true`
      : sql.join(
          sets.map((ids) => sql`c.id in (${ids})`),
          sql` and `,
        );
  const query = sql`
    select a.platform, a.username as account, p.username, coalesce(p.name, c.name) as name, coalesce(c.email, p.email) as email,
      p.follows, p.first_seen_at, p.last_seen_at, p.stopped_at, p.blocked_at, coalesce(c.newsletter_of_all, 'none') as newsletter,
      ${LEDGER_COLUMNS}, c.source
    from people p join connections a on a.creator_id = p.creator_id and a.id = p.connection_id
    left join contacts own on own.creator_id = p.creator_id and own.id = p.contact_id
    left join contacts c on c.creator_id = own.creator_id and c.id = coalesce(own.joined_to, own.id) ${LEDGER}
    where p.creator_id = ${creatorId} and p.last_seen_at is not null and ${people} and ${within}
    union all
    select null, null, null, c.name, c.email, null, c.first_seen_at, c.last_seen_at, null, null, c.newsletter_of_all,
      ${LEDGER_COLUMNS}, c.source
    from contacts c ${LEDGER}
    where c.creator_id = ${creatorId} and c.joined_to is null and not c.has_people
      and (c.newsletter_of_all <> 'none' or ${filter === 'from_blog' || segment !== undefined} or (${tagId !== undefined} and c.saved_count = 0)) and (${addresses}) and ${within}
    order by last_seen_at desc
  `.compile(db.app);
  const header = [
    ...['platform', 'account', 'handle', 'name', 'email', 'follows', 'first seen', 'last seen', 'stopped', 'blocked'],
    ...['newsletter', 'newsletter since', 'how', 'wording', 'page', 'source'],
  ];
  const lines = cellsOf<ContactCells>(rowsOf(db, creatorId, query), (row) => [
    row.platform,
    row.account,
    row.username,
    row.name,
    row.email,
    row.follows,
    row.first_seen_at,
    row.last_seen_at,
    row.stopped_at,
    row.blocked_at,
    row.newsletter,
    row.newsletter_at,
    row.how,
    row.wording,
    row.page_url,
    row.source,
  ]);
  return csvOf(header, lines);
}

type MemberCells = {
  email: string | null;
  name: string | null;
  tier: string;
  source: string;
  status: string | null;
  amount: number | null;
  currency: string | null;
  billing_interval: string | null;
  begins_at: Date;
  paid_until: Date | null;
  ends_at: Date | null;
  ended_at: Date | null;
  left_because: LeavingReason | null;
  customers: string[] | null;
  stripe_subscription_id: string | null;
};

/** Each pass that there was, the newest first: enough to go on with them elsewhere. Amounts are in the smallest unit of the currency. */
export function membersTable(db: Database, creatorId: string) {
  const query = sql`
    select c.email, c.name, t.name as tier, p.source, p.status, p.amount, p.currency, p.billing_interval, p.begins_at, p.paid_until,
      p.ends_at, p.ended_at, p.left_because, f.customers, p.stripe_subscription_id
    from passes p
    join contacts c on c.creator_id = p.creator_id and c.id = p.contact_id
    join tiers t on t.creator_id = p.creator_id and t.id = p.tier_id
    left join fans f on f.creator_id = p.creator_id and f.contact_id = p.contact_id
    where p.creator_id = ${creatorId} order by p.begins_at desc
  `.compile(db.app);
  const header = [
    ...[
      'email',
      'name',
      'tier',
      'source',
      'status',
      'amount',
      'currency',
      'interval',
      'joined',
      'paid until',
      'reads until',
    ],
    ...['ended', 'why they left', 'Stripe customer', 'Stripe subscription'],
  ];
  const lines = cellsOf<MemberCells>(rowsOf(db, creatorId, query), (row) => [
    ...[row.email, row.name, row.tier, row.source, row.status, row.amount, row.currency, row.billing_interval],
    ...[row.begins_at, row.paid_until, row.ends_at, row.ended_at],
    row.left_because === null ? null : LEAVING_REASONS[row.left_because],
    ...[row.customers?.at(-1) ?? null, row.stripe_subscription_id],
  ]);
  return csvOf(header, lines);
}

type MoneyCells = {
  at: Date;
  category: string;
  email: string | null;
  amount: number;
  stripe_fee: number;
  our_fee: number;
  net: number;
  currency: string;
  id: string;
};

/** Stripe's lines, as Memberships > Money sums them up; amounts in the smallest unit of the currency. */
export function moneyTable(db: Database, creatorId: string) {
  const query = sql`
    select l.at, l.category, c.email, l.amount::float8, l.stripe_fee::float8, l.our_fee::float8, l.net::float8, l.currency, l.id
    from money_lines l left join contacts c on c.creator_id = l.creator_id and c.id = l.contact_id
    where l.creator_id = ${creatorId} order by l.at desc, l.id desc
  `.compile(db.app);
  const lines = cellsOf<MoneyCells>(rowsOf(db, creatorId, query), (row) => [
    ...[row.at, row.category, row.email, row.amount, row.stripe_fee, row.our_fee, row.net, row.currency, row.id],
  ]);
  const header = ['at', 'what', 'email', 'amount', 'Stripe fee', 'our fee', 'net', 'currency', 'Stripe id'];
  return csvOf(header, lines);
}

type ProblemCells = { line: number; email: string | null; verdict: RowVerdict; why: string | null };

/** Rows of an import that are left out, in the file's order; none once a day has passed. */
export function importProblemsTable(db: Database, creatorId: string, importId: string) {
  const query = sql`
    select line, email, coalesce(outcome, verdict) as verdict, why from import_rows
    where creator_id = ${creatorId} and import_id = ${importId}
      and coalesce(outcome, verdict) = any(${Object.keys(NOT_IMPORTED)}::text[])
    order by line
  `.compile(db.app);
  const lines = cellsOf<ProblemCells>(rowsOf(db, creatorId, query), (row) => [
    row.line,
    row.email,
    row.why ?? NOT_IMPORTED[row.verdict] ?? row.verdict,
  ]);
  return csvOf(['line', 'email', 'why'], lines);
}

async function* cellsOf<Row>(rows: AsyncIterable<Row[]>, toCells: (row: Row) => Cell[]): AsyncGenerator<Cell[][]> {
  for await (const some of rows) yield some.map(toCells);
}
