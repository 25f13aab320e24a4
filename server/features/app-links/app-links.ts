/** App links: short links that creators make of any address. The one writer of `app_links`, of their changes and their codes. */
import { type Selectable, sql } from 'kysely';
import { IN_APP_BROWSERS } from '#contract/agents.ts';
import type { ProductsAbroad } from '#contract/amazon-rules.ts';
import {
  APP_LINK_FIGURES_DAYS,
  type AppLink,
  type AppLinkFigures,
  type AppLinkFilter,
  type AppLinkInput,
  COUNTRIES_SHOWN,
  type listAppLinks,
  MESSAGES_SHOWN,
  MOST_CHANGES,
  type OpeningTest,
  productAt,
} from '#contract/app-links.ts';
import type { QueryOf, ResponseOf } from '#contract/endpoint.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { LIST_DOORS } from '#contract/list-figures.ts';
import { type OpeningRules, targetOf } from '#contract/opening-rules.ts';
import type { AmazonMarketplace } from '#contract/shops.ts';
import { parseAddress } from '#contract/web-address.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { AppLinksTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { creatorHashes, type SecretDeps } from '#server/features/contacts/creator-secret.ts';
import { Library, searched, usesInButtons } from '#server/features/libraries/library.ts';
import { changeLinksAlone, watchAppLinks, watchLinks } from '#server/features/link-guard/watched-links.ts';
import { makeLink, makeLinks } from '#server/features/links/making.ts';
import { moveLinks } from '#server/features/links/moving.ts';
import { answersFor, testPart } from '#server/features/links/opening-tests.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Row = Selectable<AppLinksTable> & { code: string; host: string | null; sight: AppLink['sight'] };
type Content = Omit<AppLink, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'state' | 'shortUrl' | 'usedBy'> & {
  code: string;
  host: string | null;
};

const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;
const FIGURES_SHOWN = {
  channel: LINK_CHANNELS.length + 1,
  app: IN_APP_BROWSERS.length + 1,
  country: COUNTRIES_SHOWN,
  day: APP_LINK_FIGURES_DAYS + 1,
};

const library = new Library<AppLinkInput, Row, Content>({
  table: 'app_links',
  order: 'last_changed_first',
  missing: 'This link doesn’t exist.',
  changed: 'Someone else changed this link while you were editing. Your version is still here: compare and choose.',
  alsoSelect: sql`(
    select code from links where links.creator_id = app_links.creator_id and links.app_link_id = app_links.id
      and links.automation_id is null
  ) as code, (
    select host from link_domains d where d.creator_id = app_links.creator_id and d.state = 'works' order by created_at limit 1
  ) as host, (
    select jsonb_build_object('state', w.state, 'problem', w.problem, 'checkedAt', w.checked_at, 'brokenSince', w.broken_since)
    from link_uses u join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id
    where u.creator_id = app_links.creator_id and u.app_link_id = app_links.id
  ) as sight`,
  problemsOf: () => [],
  columnsOf: ({ name, address, campaign, opensApp, beginsAt, endsAt, elsewhere, slug, productsAbroad }) => ({
    ...{ name, address, campaign, opens_app: opensApp, begins_at: beginsAt, ends_at: endsAt, elsewhere, slug },
    products_abroad: JSON.stringify(Object.fromEntries(productsAbroad.map((one) => [one.marketplace, productAt(one)]))),
  }),
  contentOf: ({ name, address, campaign, elsewhere, slug, code, host, begins_at, ends_at, sight, ...row }) => ({
    ...{ name, address, campaign, opensApp: row.opens_app, elsewhere, slug, code, host },
    productsAbroad: Object.entries(row.products_abroad as ProductsAbroad).map(([marketplace, product]) => ({
      ...{ marketplace: marketplace as AmazonMarketplace, product },
    })),
    sight: sight && { ...sight, checkedAt: timeOf(sight.checkedAt), brokenSince: timeOf(sight.brokenSince) },
    ...{ beginsAt: begins_at?.toISOString() ?? null, endsAt: ends_at?.toISOString() ?? null },
  }),
  unique: {
    field: 'name',
    constraint: 'app_links_by_name',
    sameAs: ({ name }) => sql`lower(name) = lower(${name})`,
    message: ({ name }) => `You already have a link named “${name}”. Choose another name.`,
  },
  usesOf: (creatorId, ids) => usesInButtons('appLinkId', creatorId, ids),
});

/** @param time as the database writes it into JSON */
function timeOf(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

type Shown = Awaited<ReturnType<typeof library.get>>;

export async function list(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { search, show: filter, after, limit = PAGE_SIZE }: QueryOf<typeof listAppLinks>,
): Promise<ResponseOf<typeof listAppLinks>> {
  const found = searched(search, (like, wanted) => {
    const code = wanted.startsWith(linkOf(deps, '')) ? wanted.slice(linkOf(deps, '').length).split('/')[0] : wanted;
    return sql`name ilike ${like} or address ilike ${like} or id in (
      select app_link_id from links where creator_id = ${creatorId} and code = ${code})`;
  });
  const page = await library.list(
    trx,
    creatorId,
    { after, limit },
    sql`${found ?? sql`true`} and ${filtered(deps, filter)}`,
  );
  const { rows } = await sql<{ id: string; people: number }>`
    select l.app_link_id as id, coalesce(sum(d.people), 0)::int as people from links l
    -- Each looked up by its key: joined as a whole, all days of all links would be read for those of a page.
    cross join lateral (
      select sum(people) as people from link_days
      where creator_id = ${creatorId} and link_id = l.id and day > ${figuresSince(deps)} and told = '' and channel = '*'
    ) as d
    where l.creator_id = ${creatorId} and l.app_link_id = any(${page.items.map(({ id }) => id)}::uuid[])
    group by 1
  `.execute(trx);
  const people = new Map(rows.map((row) => [row.id, row.people]));
  return { ...page, items: page.items.map((link) => ({ ...show(deps, link), people: people.get(link.id) ?? 0 })) };
}

function filtered(deps: Deps, filter: AppLinkFilter | undefined) {
  if (filter === 'amazon') return sql`address ~* '^https?://([a-z0-9-]+[.])*(amazon[.][a-z.]+|amzn[.][a-z]+|a[.]co)/'`;
  if (filter === 'ended') return sql`ends_at <= ${deps.clock.now()}`;
  if (filter === undefined) return sql`true`;
  return sql`exists (
    select from link_uses u join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
    where u.creator_id = app_links.creator_id and u.app_link_id = app_links.id
  )`;
}

/** @throws AppError not_found */
export async function get(deps: Deps, trx: CreatorTransaction, creatorId: string, id: string): Promise<AppLink> {
  return show(deps, await library.get(trx, creatorId, id));
}

/** @throws AppError invalid_input, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: AppLinkInput,
): Promise<AppLink> {
  const wanted = await takenApart(deps, trx, creatorId, input);
  await changeLinksAlone(trx, creatorId);
  await requireFreeSlug(trx, creatorId, wanted.slug, null);
  const { id } = await library.create(deps, trx, creatorId, wanted);
  await makeLink(deps, trx, { creatorId, url: wanted.address, appLinkId: id });
  await watchAppLinks(deps, trx, creatorId);
  return get(deps, trx, creatorId, id);
}

/** @returns those of the names that a link has already */
export async function findTaken(trx: CreatorTransaction, creatorId: string, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select wanted as name from unnest(${names}::text[]) as wanted
    where exists (select from app_links where creator_id = ${creatorId} and lower(name) = lower(wanted))
  `.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

/** Take `changeLinksAlone` first. @param inputs of names that none has yet @returns their ids, in this order */
export async function createMany(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  inputs: { name: string; address: string }[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const input of inputs) {
    const rest = {
      campaign: '',
      opensApp: true,
      beginsAt: null,
      endsAt: null,
      elsewhere: null,
      slug: null,
      productsAbroad: [],
    };
    ids.push((await library.create(deps, trx, creatorId, { ...input, ...rest })).id);
  }
  await makeLinks(
    deps,
    trx,
    inputs.map(({ address: url }, at) => ({ creatorId, url, appLinkId: ids[at]! })),
  );
  await watchAppLinks(deps, trx, creatorId);
  return ids;
}

/**
 * @returns besides the link, connections whose messages wait no longer
 * @throws AppError invalid_input, not_found, already_exists, changed_meanwhile
 */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, appLinkId }: { creatorId: string; appLinkId: string },
  input: AppLinkInput & { version: number },
  by: { name: string },
): Promise<{ link: AppLink; freed: string[] }> {
  const wanted = { ...(await takenApart(deps, trx, creatorId, input)), version: input.version };
  await changeLinksAlone(trx, creatorId);
  await requireFreeSlug(trx, creatorId, wanted.slug, appLinkId);
  let freed: string[] = [];
  const { address } = await library.change(deps, trx, creatorId, appLinkId, wanted);
  if (address !== wanted.address) {
    await moveLinks(trx, creatorId, { appLinkId }, wanted.address);
    const now = deps.clock.now();
    const change = { creator_id: creatorId, id: deps.ids.uuid(now), app_link_id: appLinkId };
    await trx
      .insertInto('app_link_changes')
      .values({ ...change, address, changed_at: now, changed_by: by.name })
      .execute();
    freed = await watchLinks(deps, trx, creatorId, null);
  }
  await watchAppLinks(deps, trx, creatorId);
  return { link: await get(deps, trx, creatorId, appLinkId), freed };
}

/** @throws AppError not_found */
export async function listChanges(trx: CreatorTransaction, creatorId: string, appLinkId: string) {
  await library.get(trx, creatorId, appLinkId);
  const rows = await trx
    .selectFrom('app_link_changes')
    .select(['id', 'address', 'changed_at', 'changed_by'])
    .where('creator_id', '=', creatorId)
    .where('app_link_id', '=', appLinkId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_CHANGES)
    .execute();
  return rows.map(({ changed_at, changed_by, ...row }) => ({
    ...{ ...row, changedAt: changed_at.toISOString(), changedBy: changed_by },
  }));
}

/** @throws AppError not_found */
export async function openingTest(
  deps: Deps & SecretDeps,
  trx: CreatorTransaction,
  { creatorId, appLinkId }: { creatorId: string; appLinkId: string },
  rules: OpeningRules,
): Promise<OpeningTest> {
  const { address, opensApp, code } = await library.get(trx, creatorId, appLinkId);
  const target = targetOf(rules, parseAddress(address)!);
  const hash = await creatorHashes(trx, deps, creatorId, deps.clock.now());
  return {
    url: opensApp ? `${linkOf(deps, code)}/${testPart(hash, code)}` : null,
    target: target?.name ?? null,
    answers: await answersFor(trx, creatorId, target?.id ?? ''),
  };
}

/** @throws AppError not_found */
export async function figures(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  appLinkId: string,
): Promise<AppLinkFigures> {
  await library.get(trx, creatorId, appLinkId);
  const { rows } = await sql<Omit<AppLinkFigures, 'doors'> & { doors: { door: string; people: number }[] }>`
    with followed as materialized (
      select nullif(d.channel, '') as channel, nullif(d.app, '') as app, nullif(d.country, '') as country, d.day::text, d.told, d.people
      from links l join link_days d on d.creator_id = l.creator_id and d.link_id = l.id
      where l.creator_id = ${creatorId} and l.app_link_id = ${appLinkId} and d.day > ${figuresSince(deps)} and d.channel <> '*'
    ), answered as materialized (
      select i.post_id as "postId", (
          select left(caption, 200) from posts p where p.creator_id = ${creatorId} and p.id = i.post_id limit 1
        ) as caption, i.matched_words[1] as word, i.kind as door
      from links l
      join clicks c on c.creator_id = l.creator_id and c.link_id = l.id and c.delivery_id is not null
      join deliveries d on d.creator_id = l.creator_id and d.id = c.delivery_id
      left join conversations s on s.creator_id = d.creator_id and s.id = d.conversation_id
      join interactions i on i.creator_id = ${creatorId} and i.id = coalesce(s.interaction_id, d.interaction_id)
      where l.creator_id = ${creatorId} and l.app_link_id = ${appLinkId} and c.clicked_at > ${figuresSince(deps)}
        and c.not_counted_because is null
    )
    select
      coalesce(sum(people) filter (where told = ''), 0)::int as people,
      ${peopleBy('channel')} as channels, ${peopleBy('app')} as apps, ${peopleBy('country')} as countries, ${peopleBy('day')} as days,
      ${messagesBy('word')} as words, ${messagesBy('door')} as doors, (
        select coalesce(jsonb_agg(to_jsonb(by) order by people desc, "postId"), '[]')
        from (
          select "postId", min(caption) as caption, count(*)::int as people from answered
          group by 1 order by 3 desc, 1 limit ${sql.lit(MESSAGES_SHOWN)}
        ) as by
      ) as posts,
      coalesce(sum(people) filter (where told = 'opened'), 0)::int as opened,
      coalesce(sum(people) filter (where told = 'stayed'), 0)::int as stayed
    from followed
  `.execute(trx);
  const { days, doors, ...found } = rows[0]!;
  const isDoor = (door: string): door is AppLinkFigures['doors'][number]['door'] =>
    (LIST_DOORS as readonly string[]).includes(door);
  return {
    ...found,
    days: days.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    doors: doors.flatMap(({ door, people }) => (isDoor(door) ? [{ door, people }] : [])),
  };
}

function messagesBy(what: 'word' | 'door') {
  const column = sql.ref(what);
  return sql`(
    select coalesce(jsonb_agg(to_jsonb(by) order by people desc, ${column}), '[]')
    from (
      select ${column}, count(*)::int as people from answered group by 1 order by 2 desc, 1 limit ${sql.lit(MESSAGES_SHOWN)}
    ) as by
  )`;
}

function peopleBy(what: 'channel' | 'app' | 'country' | 'day') {
  const column = sql.ref(what);
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object(${sql.lit(what)}, by.value, 'people', by.people) order by by.people desc, by.value), '[]')
    from (
      select ${column} as value, sum(people)::int as people from followed where told = ''
      group by 1 order by 2 desc, 1 limit ${sql.lit(FIGURES_SHOWN[what])}
    ) as by
  )`;
}

/** The day before the first one, in UTC. */
function figuresSince({ clock }: Pick<Deps, 'clock'>): string {
  return new Date(clock.now().getTime() - APP_LINK_FIGURES_DAYS * DAY_MS).toISOString().slice(0, 10);
}

/** Take `changeLinksAlone` first. @throws AppError already_exists */
async function requireFreeSlug(
  trx: CreatorTransaction,
  creatorId: string,
  slug: string | null,
  ownId: string | null,
): Promise<void> {
  const other = await trx
    .selectFrom('app_links')
    .select(['id', 'name'])
    .where('creator_id', '=', creatorId)
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (other === undefined || other.id === ownId) return;
  const message = `“${other.name}” has this word already. Choose another one.`;
  throw new AppError('already_exists', message, { fields: [{ path: 'slug', message }] });
}

/** A short link of ours leads where that one leads, so that none of them can lead in a circle. */
async function takenApart(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: AppLinkInput,
): Promise<AppLinkInput> {
  const hosts = await ownHosts(trx, creatorId);
  const target = async (field: 'address' | 'elsewhere') => {
    const address = input[field];
    const named = address === null ? null : nameIn(deps, address, hosts);
    if (named === null) return address;
    const { rows } = await sql<{ url: string }>`
      select coalesce(a.address, l.url) as url from links l
      left join app_links a on a.creator_id = l.creator_id and a.id = l.app_link_id
      where l.creator_id = ${creatorId} and (l.code = ${named} or a.slug = ${named.toLowerCase()} and l.automation_id is null)
      limit 1
    `.execute(trx);
    if (rows[0] !== undefined) return rows[0].url;
    const message = 'This short link isn’t one of yours. Enter the address that it leads to.';
    throw new AppError('invalid_input', message, { fields: [{ path: field, message }] });
  };
  return { ...input, address: (await target('address'))!, elsewhere: await target('elsewhere') };
}

/** The code or slug in a short link of ours; null for any other address. */
function nameIn(deps: Deps, address: string, hosts: readonly string[]): string | null {
  if (address.startsWith(linkOf(deps, ''))) return address.slice(linkOf(deps, '').length).split(/[/?#+]/)[0]!;
  const { hostname, pathname } = new URL(address);
  if (!hosts.includes(hostname)) return null;
  const [first = '', second = ''] = pathname.slice(1).split('/');
  return first === 's' ? null : first === 'l' ? second : first;
}

async function ownHosts(trx: CreatorTransaction, creatorId: string): Promise<string[]> {
  const rows = await trx.selectFrom('link_domains').select('host').where('creator_id', '=', creatorId).execute();
  return rows.map(({ host }) => host);
}

function linkOf({ config }: Pick<Deps, 'config'>, code: string): string {
  return `${config.baseUrl}/l/${code}`;
}

/**
 * Holds them until the end of the transaction.
 *
 * @returns addresses by id
 * @throws AppError not_found
 */
export async function requireAppLinks(
  trx: CreatorTransaction,
  creatorId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await library.hold(trx, creatorId, ids, 'An app link is gone. Choose another one or enter a link.');
  return new Map(rows.map(({ id, address }) => [id, address]));
}

function show(deps: Deps, { code, host, ...link }: Shown): AppLink {
  const shortUrl = host === null ? linkOf(deps, code) : `${ownAddress(deps, host)}/${link.slug ?? code}`;
  return { ...link, state: stateOf(link, deps.clock.now()), shortUrl };
}

/** Of a creator's own host, with our scheme and port. */
function ownAddress({ config }: Pick<Deps, 'config'>, host: string): string {
  const { protocol, port } = new URL(config.baseUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** @param link.beginsAt, link.endsAt null: no bound */
function stateOf({ beginsAt, endsAt }: Pick<AppLink, 'beginsAt' | 'endsAt'>, now: Date): AppLink['state'] {
  if (endsAt !== null && new Date(endsAt) <= now) return 'ended';
  return beginsAt !== null && new Date(beginsAt) > now ? 'to_come' : 'on';
}
