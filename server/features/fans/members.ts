/** Members as their creator sees them: lists, figures, one with their story, and why one cannot get in. */
import { type RawBuilder, sql } from 'kysely';
import { isOneSlipAway, parseEmailAddress } from '#contract/email-address.ts';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import type { getMember, listMembers, Member, MemberState, Reason, whyNotIn } from '#contract/members.ts';
import { TRIED_WORDPRESS } from '#contract/plugin.ts';
import { beginsWith } from '#server/db/begins-with.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { dayOf } from '#server/features/billing/mails.ts';
import { nameKey } from '#server/features/contacts/contacts.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { stripePage } from './accounts.ts';
import { isBlocked } from './blocking.ts';
import { MOST_DEVICES } from './entering.ts';
import { passedOf } from './opened-posts.ts';
import { isGood } from './passes.ts';

const USUAL_PAGE = 25;
/** Of a search; whoever has more matches types on. */
const MOST_FOUND = 70;
/** Addresses that are compared with what was typed. */
const MOST_NEAR = 1000;
const DAY_MS = 86_400_000;
/** A word's day is off by as much. */
const CLOCK_OFF_S = 300;

/** Whether it has begun or is to come. */
const isGift = (now: Date) => sql`(p.source = 'gift' and p.ended_at is null and p.ends_at > ${now})`;

/** In a statement that has passes as `p`: only one in such a state. Each has its index. */
const STATES: Record<MemberState, (now: Date) => RawBuilder<unknown>> = {
  in: (now) =>
    sql`${isGood('p', now)} and p.source = 'stripe' and p.status = 'active' and p.cancel_at is null and p.late_since is null`,
  trial: (now) =>
    sql`p.trial_end is not null and p.ended_at is null and ${isGood('p', now)} and p.status = 'trialing' and p.cancel_at is null`,
  ending: (now) => sql`p.cancel_at is not null and p.ended_at is null and ${isGood('p', now)}`,
  late: () => sql`p.late_since is not null and p.ended_at is null`,
  given: (now) => sql`p.source = 'given' and p.ended_at is null and ${isGood('p', now)}`,
  gift: (now) => isGift(now),
  over: (now) => sql`not ${isGood('p', now)} and p.late_since is null and not ${isGift(now)}`,
};

const stateOf = (now: Date) => sql<MemberState>`case
  when p.late_since is not null and p.ended_at is null then 'late'
  when ${isGift(now)} then 'gift'
  when not ${isGood('p', now)} then 'over'
  when p.source = 'given' then 'given'
  when p.cancel_at is not null then 'ending'
  when p.status = 'trialing' then 'trial'
  else 'in' end`;

/**
 * Of several passes of a contact, the one that counts: what goes on before what is over, then the newest. Asked for each row in
 * turn: joined, all of a creator's would be read for a page.
 */
const ordered = (now: Date) => sql`order by ${isGood('o', now)} desc, o.begins_at desc, o.id desc limit 1`;
/** Without `coalesce` PostgreSQL expects one row, and sorts all. */
const counts = (now: Date) => sql`coalesce(p.id = (
  select o.id from passes o where o.creator_id = p.creator_id and o.contact_id = p.contact_id ${ordered(now)}
), false)`;

type Pass = Pick<Member, 'id' | 'tier' | 'state' | 'amount' | 'currency' | 'interval'> & {
  joined_at: Date;
  until: Date | null;
  renews_at: Date | null;
  position: string;
};
type Person = { email: string; name: string | null; seen_at: Date | null };

const passColumns = (now: Date) => sql`
  p.contact_id as id, t.name as tier, ${stateOf(now)} as state, p.amount, p.currency, p.billing_interval as interval,
  p.begins_at as joined_at, p.renews_at, p.begins_at::text as position,
  case when p.source = 'stripe' and p.cancel_at is null and p.late_since is null and p.ended_at is null and ${isGood('p', now)}
    then null else least(p.ends_at, p.ended_at) end as until`;

const personColumns = sql`
  coalesce(c.email, '') as email, c.name,
  (select max(d.seen_at) from fan_devices d where d.creator_id = c.creator_id and d.contact_id = c.id) as seen_at`;

/** Passes first, then whose they are: of what is not on the page nothing is read. */
export async function findMembers(
  trx: CreatorTransaction,
  { creatorId, query, now }: { creatorId: string; query: QueryOf<typeof listMembers>; now: Date },
): Promise<ResponseOf<typeof listMembers>> {
  const { limit = USUAL_PAGE, state, tierId, search = '' } = query;
  const after = readPosition(query.after, 'uuid');
  const isSearch = search.trim() !== '';
  const where = [isSearch ? sql`true` : sql`p.creator_id = ${creatorId} and ${counts(now)}`];
  if (state !== undefined) where.push(STATES[state](now));
  if (tierId !== undefined) where.push(sql`p.tier_id = ${tierId}`);
  if (after !== null) where.push(sql`(p.begins_at, p.contact_id) < (${after.at}::timestamptz, ${after.id})`);
  const { rows } = await sql<Pass>`
    select ${passColumns(now)} from ${isSearch ? matching(search, creatorId, now) : sql`passes p`}
      join tiers t on t.creator_id = p.creator_id and t.id = p.tier_id
    where ${sql.join(where, sql` and `)} order by p.begins_at desc, p.contact_id desc limit ${limit + 1}
  `.execute(trx);
  const { items, next } = pageFrom(rows, limit);
  const { rows: people } = await sql<Person & { id: string }>`
    select c.id, ${personColumns} from contacts c where c.creator_id = ${creatorId} and c.id = any(${items.map(({ id }) => id)}::uuid[])
  `.execute(trx);
  const byId = new Map(people.map((person) => [person.id, person]));
  return { items: items.map((pass) => describe({ ...pass, ...byId.get(pass.id)! })), next };
}

/** Passes that count, of contacts whose address or name begins so, or the handle of whom they are joined with. */
function matching(search: string, creatorId: string, now: Date): RawBuilder<unknown> {
  const by = (column: string, text: string) =>
    sql`select id from contacts m where m.creator_id = ${creatorId} and m.has_pass and ${beginsWith(`m.${column}`, text)}`;
  const key = nameKey(search);
  const typed = search.trim().toLowerCase();
  // From the handle to whom it is, not through all members: `offset 0` keeps the order.
  const handled = sql`select w.contact_id as id from people w
    where w.creator_id = ${creatorId} and w.contact_id is not null and ${beginsWith('w.username', typed.replace(/^@/, ''))} offset 0`;
  const byHandle = sql`select m.id from (${handled}) w cross join lateral (
      select coalesce(o.joined_to, o.id) as id from contacts o where o.creator_id = ${creatorId} and o.id = w.id limit 1
    ) own join contacts m on m.creator_id = ${creatorId} and m.has_pass and (m.id = own.id or m.joined_to = own.id)`;
  const found = [by('email_key', typed), by('name_key', key), by('name_last', key), byHandle];
  return sql`(select distinct id from (${sql.join(found, sql` union all `)} limit ${MOST_FOUND}) as found) as m cross join lateral (
    select o.* from passes o where o.creator_id = ${creatorId} and o.contact_id = m.id ${ordered(now)}
  ) as p`;
}

function describe({ joined_at, until, renews_at, seen_at, position: _, ...row }: Pass & Person): Member {
  return {
    ...row,
    ...{ joinedAt: joined_at.toISOString(), until: until?.toISOString() ?? null },
    ...{ renewsAt: renews_at?.toISOString() ?? null, lastSeenAt: seen_at?.toISOString() ?? null },
  };
}

type One = ResponseOf<typeof getMember>;

export function neverMember(): AppError {
  return new AppError('not_found', 'This person was never a member.');
}

/** What moved money of a member's, as Stripe names it. */
const PAYMENTS: Record<string, One['payments'][number]['kind']> = {
  ...{ charge: 'paid', refund: 'refunded', dispute: 'disputed', dispute_reversal: 'dispute_won' },
};
/** Their subjects have the code. */
const CODES: Record<string, string> = { fan_code: 'Code to enter', fan_address_code: 'Code to confirm an address' };
const FATES: Record<string, One['mails'][number]['fate']> = { queued: 'under_way', sent: 'sent', failed: 'came_back' };
const MOST_SHOWN = 20;

/** @param email a member's */
export async function readMails({ db }: Pick<AppDeps, 'db'>, creatorId: string, email: string): Promise<One['mails']> {
  const rows = await db.engine
    .selectFrom('mails')
    .select(['id', 'kind', 'subject', 'state', 'created_at'])
    .where('about_creator_id', '=', creatorId)
    .where('recipient', '=', email)
    .where('kind', 'like', 'fan\\_%')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ id, kind, subject, state, created_at }) => ({
    ...{ id, at: created_at.toISOString(), fate: FATES[state]! },
    subject: CODES[kind] ?? subject.replace(/^@\S+: /, ''),
  }));
}

/** @throws AppError not_found: never a member */
export async function readMember(
  { config }: Pick<AppDeps, 'config'>,
  trx: CreatorTransaction,
  { contactId, now }: { contactId: string; now: Date },
): Promise<Omit<One, 'mails'>> {
  const { rows } = await sql<
    Pass &
      Person & {
        note: string | null;
        passed: number;
        isBlocked: boolean;
        paysNow: boolean;
        customer: string | null;
        account: string | null;
      }
  >`
    select ${passColumns(now)}, ${personColumns}, p.note, f.blocked_at is not null as "isBlocked",
      exists (
        select from passes s
        where s.creator_id = p.creator_id and s.contact_id = p.contact_id and s.source = 'stripe' and s.ended_at is null
      ) as "paysNow",
      ${passedOf(sql`p.contact_id`, now)} as passed, f.customers[array_length(f.customers, 1)] as customer, a.account_id as account
    from passes p
    join contacts c on c.creator_id = p.creator_id and c.id = p.contact_id
    join tiers t on t.creator_id = p.creator_id and t.id = p.tier_id
    left join fans f on f.creator_id = p.creator_id and f.contact_id = p.contact_id
    left join stripe_accounts a on a.creator_id = p.creator_id
    where p.creator_id = current_creator_id() and p.contact_id = ${contactId} and ${counts(now)}
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) throw neverMember();
  const { note, passed, isBlocked, paysNow, customer, account, ...member } = row;
  const devices = await trx
    .selectFrom('fan_devices')
    .select(['id', 'entered_at', 'seen_at', 'ended_at'])
    .where('contact_id', '=', contactId)
    .orderBy('seen_at', 'desc')
    .limit(20)
    .execute();
  const changes = await trx
    .selectFrom('pass_changes')
    .select(['id', 'at', 'what'])
    .where('contact_id', '=', contactId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  const payments = await trx
    .selectFrom('money_lines')
    .select(['id', 'at', 'category', 'amount', 'currency'])
    .where('contact_id', '=', contactId)
    .where('category', 'in', Object.keys(PAYMENTS))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return {
    ...describe(member),
    ...{ note, passed, isBlocked, paysNow },
    stripeUrl: customer === null ? null : stripePage(config, account, `customers/${customer}`),
    devices: devices.map(({ id, entered_at, seen_at, ended_at }) => ({
      ...{ id, enteredAt: entered_at.toISOString(), seenAt: seen_at.toISOString(), isSignedIn: ended_at === null },
    })),
    payments: payments.map(({ id, at, category, amount, currency }) => ({
      ...{ id, at: at.toISOString(), kind: PAYMENTS[category]!, amount: Number(amount), currency },
    })),
    changes: changes.map(({ id, at, what }) => ({ id, at: at.toISOString(), what })),
  };
}

/** What is known of somebody, for `reasonFor`. */
export type Facts = {
  hadPass: boolean;
  isBlocked: boolean;
  isIn: boolean;
  pass: {
    source: string;
    status: string | null;
    isRefunded: boolean;
    isDisputed: boolean;
    lateSince: Date | null;
    beginsAt: Date;
    endsAt: Date | null;
    endedAt: Date | null;
  } | null;
  /** The address that they changed to in the last days. */
  newAddress: string | null;
  beganToPay: boolean;
  codeBounced: boolean;
  /** Browsers in which they are signed in, and those that had to go for others. */
  devices: number;
  wasPushedOut: boolean;
  siteIsAway: boolean;
  /** What is wrong with the blog, as far as it is known. */
  site: {
    trouble: string | null;
    clockOffS: number | null;
    finding: string | null;
    hasOldKey: boolean;
    isRestOff: boolean;
    wordpress: string | null;
  } | null;
  /** The highest tier that something on the blog is for, and the one that they have below it. */
  higher: { id: string; name: string; held: string } | null;
};

type Judged = NonNullable<Facts['pass']>;

/** In this order: the first that holds is named, with what is known of its day. */
const CAUSES: [
  reason: Reason,
  holds: (facts: Facts, now: Date) => boolean,
  detail?: (pass: Judged, now: Date, facts: Facts) => string | null,
][] = [
  ['other_address', ({ pass, newAddress }) => pass === null && newAddress !== null],
  ['never_paid', ({ pass, beganToPay }) => pass === null && beganToPay],
  ['no_such_address', ({ pass }) => pass === null],
  ['blocked', ({ isBlocked }) => isBlocked],
  ['refunded', ({ isIn, pass }) => !isIn && pass!.isRefunded],
  ['disputed', ({ isIn, pass }) => !isIn && pass!.isDisputed],
  [
    'payment_failed',
    ({ isIn, pass }) => !isIn && pass!.lateSince !== null,
    ({ lateSince, endsAt }, now) =>
      `It failed on ${dayOf(lateSince!)}; they could read on until ${dayOf(endsAt ?? now)}.`,
  ],
  [
    'gift_not_begun',
    ({ isIn, pass }, now) => !isIn && pass!.endedAt === null && pass!.beginsAt > now,
    ({ beginsAt }) => `It begins on ${dayOf(beginsAt)}.`,
  ],
  ['gift_over', ({ isIn, pass }) => !isIn && pass!.source !== 'stripe', endOf],
  ['ended', ({ isIn }) => !isIn, endOf],
  ['key_replaced', ({ site }) => site?.hasOldKey === true || site?.trouble === 'key'],
  ['site_moved', ({ site }) => site?.trouble === 'moved'],
  ['site_away', ({ siteIsAway }) => siteIsAway],
  ['plugin_off', ({ site }) => site?.trouble === 'no_plugin'],
  ['clock_wrong', ({ site }) => site?.trouble === 'clock' || Math.abs(site?.clockOffS ?? 0) > CLOCK_OFF_S],
  ['code_bounced', ({ codeBounced }) => codeBounced],
  ['never_entered', ({ devices }) => devices === 0],
  ['many_devices', ({ wasPushedOut }) => wasPushedOut],
  ['cache_in_between', ({ site }) => site?.finding === 'members_walled'],
  [
    'tier_too_low',
    ({ higher }) => higher !== null,
    (_pass, _now, { higher }) => `They have ${higher!.held}; some posts are for ${higher!.name}.`,
  ],
  ['rest_off', ({ site }) => site?.isRestOff === true],
  [
    'wordpress_untried',
    ({ site }) => untried(site?.wordpress ?? null) !== null,
    (_pass, _now, { site }) => untried(site!.wordpress),
  ],
  ['all_right', () => true],
];

/** @returns what to do about a WordPress that is older or newer than those that the plugin is tried with; null for those */
function untried(version: string | null): string | null {
  if (version === null) return null;
  const { from, to } = TRIED_WORDPRESS;
  if (majorOf(version) < majorOf(from)) return `It’s ${version}; the plugin needs ${from} or newer. Update WordPress.`;
  if (majorOf(version) > majorOf(to)) return `It’s ${version}; the plugin is tried up to ${to}. Update the plugin.`;
  return null;
}

/** @returns 701 for 7.1.2 */
function majorOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major * 100 + minor;
}

function endOf({ endedAt, endsAt }: Judged, now: Date): string {
  return `It ended on ${dayOf(endedAt ?? endsAt ?? now)}.`;
}

export function reasonFor(facts: Facts, now: Date): { reason: Reason; detail: string | null } {
  const [reason, , detail] = CAUSES.find(([, holds]) => holds(facts, now))!;
  return { reason, detail: detail?.(facts.pass!, now, facts) ?? null };
}

export async function explain(
  { db, clock }: Pick<AppDeps, 'db' | 'clock'>,
  creatorId: string,
  typed: string,
): Promise<ResponseOf<typeof whyNotIn>> {
  const now = clock.now();
  const address = parseEmailAddress(typed);
  const key = address?.key ?? typed.trim().toLowerCase();
  const { rows } = await sql<Facts & { contactId: string; email: string }>`
    select c.id as "contactId", c.email,
      exists (select from passes p where p.creator_id = c.creator_id and p.contact_id = c.id) as "hadPass",
      exists (select from passes p where p.creator_id = c.creator_id and p.contact_id = c.id and ${isGood('p', now)}) as "isIn",
      ${isBlocked(sql`c.creator_id`, sql`c.id`)} as "isBlocked",
      (select t.email from address_changes a join contacts t on t.creator_id = a.creator_id and t.id = a.to_contact_id
        where a.creator_id = c.creator_id and a.contact_id = c.id and a.undone_at is null order by a.changed_at desc limit 1) as "newAddress",
      (select jsonb_build_object('source', p.source, 'status', p.status, 'isRefunded', p.is_refunded,
          'isDisputed', p.status = 'active' and p.paid_until < ${now} and p.ends_at = p.paid_until and p.cancel_at is null,
          'lateSince', p.late_since, 'beginsAt', p.begins_at, 'endsAt', p.ends_at, 'endedAt', p.ended_at)
        from passes p where p.creator_id = c.creator_id and p.contact_id = c.id and ${counts(now)}) as pass,
      coalesce((select m.state = 'failed' from mails m where m.about_creator_id = c.creator_id and m.kind = 'fan_code'
        and m.recipient = c.email order by m.created_at desc, m.id desc limit 1), false) as "codeBounced",
      (select count(*)::int from fan_devices d where d.creator_id = c.creator_id and d.contact_id = c.id and d.ended_at is null
        and d.site_id is not null) as devices,
      (select count(*) >= ${MOST_DEVICES} from fan_devices d where d.creator_id = c.creator_id and d.contact_id = c.id
        and d.ended_at is null and d.site_id is not null)
        and exists (select from fan_devices d where d.creator_id = c.creator_id and d.contact_id = c.id and d.ended_at is not null)
        as "wasPushedOut",
      (select jsonb_build_object('trouble', s.call_trouble, 'clockOffS', s.clock_off_s, 'finding', p.finding,
          'isRestOff', s.rest_is_off, 'wordpress', s.wordpress_version,
          'hasOldKey', not exists (select from api_keys k where k.creator_id = s.creator_id and k.id = s.key_id and k.ended_at is null))
        from sites s left join site_probes p on p.creator_id = s.creator_id and p.site_id = s.id
        where s.creator_id = c.creator_id and s.is_live and s.kind = 'wordpress') as site,
      (select jsonb_build_object('id', h.id, 'name', h.name, 'held', held.name)
        from tiers h, lateral (
          select t.name, t.rank from passes p join tiers t on t.creator_id = p.creator_id and t.id = p.tier_id
          where p.creator_id = c.creator_id and p.contact_id = c.id and ${isGood('p', now)} order by t.rank desc limit 1
        ) held
        where h.creator_id = c.creator_id and h.rank > held.rank and exists (
          select from blog_posts b where b.creator_id = c.creator_id and b.gone_at is null and b.lock ->> 'for' = 'tier:' || h.id
        ) order by h.rank desc limit 1) as higher,
      exists (select from sites s where s.creator_id = c.creator_id and s.is_live and s.kind = 'wordpress'
        and s.last_heard_at < ${new Date(now.getTime() - 2 * DAY_MS)}) as "siteIsAway"
    from contacts c where c.creator_id = ${creatorId} and c.email_key = ${key}
  `.execute(db.engine);
  const begun = await db.engine
    .selectFrom('fan_checkouts')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('email_key', '=', key)
    .where('contact_id', 'is', null)
    .executeTakeFirst();
  const [found] = rows;
  const nothing = {
    hadPass: false,
    isBlocked: false,
    isIn: false,
    pass: null,
    codeBounced: false,
    devices: 0,
    wasPushedOut: false,
  };
  const facts: Facts = {
    ...nothing,
    siteIsAway: false,
    site: null,
    higher: null,
    newAddress: null,
    ...found,
    beganToPay: begun !== undefined,
  };
  const { reason, detail } = reasonFor({ ...facts, pass: facts.pass && revived(facts.pass) }, now);
  const isUnknown = reason === 'no_such_address' || reason === 'never_paid';
  const nearest = isUnknown
    ? await findNearest({ db }, creatorId, key)
    : reason === 'other_address'
      ? facts.newAddress
      : null;
  const higherTierId = reason === 'tier_too_low' ? facts.higher!.id : null;
  return { reason, detail, nearest, higherTierId, contactId: facts.hadPass ? found!.contactId : null };
}

/** Times come as texts out of JSON. */
function revived(pass: Judged): Judged {
  const date = (at: Date | string | null) => (at === null ? null : new Date(at));
  return {
    ...pass,
    beginsAt: new Date(pass.beginsAt),
    lateSince: date(pass.lateSince),
    endsAt: date(pass.endsAt),
    endedAt: date(pass.endedAt),
  };
}

/**
 * A member whose address is one slip away, of those that begin with the same two letters. Half of what is before the @ is as it was typed,
 * or all of it is.
 */
async function findNearest({ db }: Pick<AppDeps, 'db'>, creatorId: string, key: string): Promise<string | null> {
  const [local = '', domain = ''] = key.split('@');
  if (local === '' || domain === '') return null;
  const half = Math.floor(local.length / 2);
  const like = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
  const { rows } = await sql<{ id: string; email_key: string }>`
    select c.id, c.email_key from contacts c
    where c.creator_id = ${creatorId} and c.has_pass and ${beginsWith('c.email_key', local.slice(0, 2))}
      and length(c.email_key) between ${key.length - 1} and ${key.length + 1}
      and (c.email_key like ${`${like(local)}@%`} or c.email_key like ${`${like(local.slice(0, Math.max(half - 1, 1)))}%@${like(domain)}`}
        or c.email_key like ${`%${like(local.slice(half))}@${like(domain)}`})
    limit ${MOST_NEAR}
  `.execute(db.engine);
  const nearest = rows.find(({ email_key }) => isOneSlipAway(key, email_key));
  if (nearest === undefined) return null;
  const found = await db.engine
    .selectFrom('contacts')
    .select('email')
    .where('creator_id', '=', creatorId)
    .where('id', '=', nearest.id)
    .executeTakeFirst();
  return found?.email ?? null;
}
