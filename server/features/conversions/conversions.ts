/** Links to Amazon in the posts of a blog, and the app links shown there instead. The one writer of `conversions`. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { readAmazon } from '#contract/amazon.ts';
import { LinkTarget } from '#contract/app-link-reading.ts';
import {
  CONVERSIONS_AT_MOST,
  CONVERTED_AT_ONCE,
  type Conversion,
  type Conversions,
  type NOT_CONVERTED,
  PROBLEMS_SHOWN,
  SHOWN_IN_SAMPLE,
} from '#contract/conversions.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { createMany, findTaken } from '#server/features/app-links/app-links.ts';
import { type ExpandingDeps, expanded } from '#server/features/app-links/expanding.ts';
import { changeLinksAlone } from '#server/features/link-guard/watched-links.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type MakingDeps = Omit<Deps, 'config'> & ExpandingDeps & { db: Pick<Database, 'withCreator'> };
type Query = { search?: string | undefined; after?: string | undefined; limit?: number | undefined };
type Found = { id: string; address: string; posts: number; title: string; url: string };

/** Makes what there is to make, some at a time. */
export const MAKE_LINKS = { name: 'make-links-of-posts', payload: z.object({ creatorId: z.uuid() }) };

const PAGE_SIZE = 50;
const NAME_CHARACTERS = 70;
const FOLLOWED_AT_ONCE = 20;

/** What a post has of its blog: of the live one, and while anybody may read it. */
const POSTS = sql`(
  select p.* from blog_posts p join sites s on s.creator_id = p.creator_id and s.id = p.site_id and s.is_live
  where p.gone_at is null
)`;

export async function describe(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<Conversions> {
  const { rows } = await sql<{ blog: string; postsKnown: number; postsWaiting: number | null }>`
    select s.url as blog, s.posts_waiting as "postsWaiting",
      (select count(*)::int from blog_posts p where p.creator_id = s.creator_id and p.site_id = s.id and p.gone_at is null) as "postsKnown"
    from sites s where s.creator_id = ${creatorId} and s.is_live and s.kind = 'wordpress' limit 1
  `.execute(trx);
  const found = await findAddresses(trx, creatorId);
  const mappable = found.filter(({ address }) => refusedBecause(address) === null);
  const made = await findMade(
    trx,
    creatorId,
    mappable.map(({ id }) => id),
  );
  const { rows: problems } = await sql<Conversions['problems'][number]>`
    select title, url, links_problem as why from ${POSTS} p
    where creator_id = ${creatorId} and links_problem is not null order by url limit ${PROBLEMS_SHOWN}
  `.execute(trx);
  return {
    ...{
      blog: rows[0]?.blog ?? null,
      postsKnown: rows[0]?.postsKnown ?? 0,
      postsWaiting: rows[0]?.postsWaiting ?? null,
    },
    ...{ found: found.length, mappable: mappable.length, made: made.size },
    on: [...made.values()].filter(({ isOn }) => isOn).length,
    isMaking: await isMaking(trx, creatorId),
    sample: await sampleOf(deps, trx, creatorId, made),
    problems,
  };
}

export async function list(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  { search, after, limit = PAGE_SIZE }: Query,
): Promise<{ items: Conversion[]; next: string | null }> {
  const at = readPosition(after, 'uuid', 'name');
  const wanted = (search ?? '').trim().toLowerCase();
  const all = (await findAddresses(trx, creatorId)).filter(
    ({ id, address, title }) =>
      (at === null || id > at.id) && (wanted === '' || `${address} ${title}`.toLowerCase().includes(wanted)),
  );
  const rows = all.slice(0, limit + 1).map((row) => ({ ...row, position: row.id }));
  const { items, next } = pageFrom(rows, limit);
  const made = await findMade(
    trx,
    creatorId,
    items.map(({ id }) => id),
  );
  return { items: items.map((row) => show(deps, row, made.get(row.id))), next };
}

/** Each address in the posts once, in the order of their ids. */
async function findAddresses(trx: CreatorTransaction, creatorId: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select md5(link)::uuid::text as id, min(link) as address, count(*)::int as posts,
      (array_agg(p.title order by p.wordpress_id))[1] as title, (array_agg(p.url order by p.wordpress_id))[1] as url
    from ${POSTS} p cross join unnest(p.amazon_links) as link
    where p.creator_id = ${creatorId}
    group by 1 order by 1 limit ${CONVERSIONS_AT_MOST}
  `.execute(trx);
  return rows;
}

type Made = { code: string; isOn: boolean };
async function findMade(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<Map<string, Made>> {
  const { rows } = await sql<Made & { id: string }>`
    select c.id, l.code, c.is_on as "isOn" from conversions c
    join links l on l.creator_id = c.creator_id and l.app_link_id = c.app_link_id and l.automation_id is null
    where c.creator_id = ${creatorId} and c.id = any(${ids}::uuid[])
  `.execute(trx);
  return new Map(rows.map(({ id, ...made }) => [id, made]));
}

async function sampleOf(
  deps: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  made: Map<string, Made>,
): Promise<Conversions['sample']> {
  const { rows } = await sql<{ title: string; url: string; links: string[] }>`
    select title, url, amazon_links as links from ${POSTS} p
    where creator_id = ${creatorId} and amazon_links <> '{}' order by changed_at desc, wordpress_id limit 1
  `.execute(trx);
  const [post] = rows;
  if (post === undefined) return null;
  const swaps = post.links.slice(0, SHOWN_IN_SAMPLE).map((address) => {
    const link = made.get(idOf(address));
    return { address, shortUrl: link?.isOn ? shortUrlOf(deps, link.code) : null };
  });
  return { title: post.title, url: post.url, swaps };
}

/** @throws AppError not_possible_now */
export async function requireSomeToMake(trx: CreatorTransaction, creatorId: string): Promise<void> {
  if ((await toMake(trx, creatorId)).length > 0) return;
  throw new AppError('not_possible_now', 'Every link that can be a short link is one already.');
}

/** The next ones. @returns whether there were any */
export async function makeSome(deps: MakingDeps, creatorId: string): Promise<boolean> {
  const next = batchOf(await deps.db.withCreator(creatorId, (trx) => toMake(trx, creatorId)));
  const found: (Found & { leadsTo: string })[] = [];
  for (const one of next) found.push({ ...one, leadsTo: await expanded(deps, one.address) });
  await deps.db.withCreator(creatorId, (trx) => makeAll(deps, trx, creatorId, found));
  return found.length > 0;
}

/** Of short addresses fewer: each is followed, and their hosts are asked slowly. */
function batchOf(left: Found[]): Found[] {
  let short = 0;
  const end = left.findIndex(({ address }) => readAmazon(address)?.page === 'short' && ++short > FOLLOWED_AT_ONCE);
  return left.slice(0, Math.min(CONVERTED_AT_ONCE, end === -1 ? CONVERTED_AT_ONCE : end));
}

async function makeAll(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  found: (Found & { leadsTo: string })[],
): Promise<void> {
  await changeLinksAlone(trx, creatorId);
  const isMade = await findMade(
    trx,
    creatorId,
    found.map(({ id }) => id),
  );
  const now = found.filter(({ id }) => !isMade.has(id));
  if (now.length === 0) return;
  const taken = await findTaken(trx, creatorId, now.map(nameOf));
  const made = await createMany(
    deps,
    trx,
    creatorId,
    now.map((one) => ({
      address: one.leadsTo,
      name: taken.has(nameOf(one)) ? `${nameOf(one)} ${one.id}` : nameOf(one),
    })),
  );
  const rows = now.map(({ id, address }, at) => ({ id, address, app_link_id: made[at]! }));
  await sql`
    insert into conversions (creator_id, id, address, app_link_id, created_at)
    select ${creatorId}, id, address, app_link_id, ${deps.clock.now()}
    from json_to_recordset(${JSON.stringify(rows)}) as g(id uuid, address text, app_link_id uuid)
  `.execute(trx);
}

async function toMake(trx: CreatorTransaction, creatorId: string): Promise<Found[]> {
  const found = (await findAddresses(trx, creatorId)).filter(({ address }) => refusedBecause(address) === null);
  const made = await findMade(
    trx,
    creatorId,
    found.map(({ id }) => id),
  );
  return found.filter(({ id }) => !made.has(id));
}

/** In the address's own words; the few letters at its end tell it from others of that name. */
function nameOf({ id, leadsTo }: { id: string; leadsTo: string }): string {
  const amazon = readAmazon(leadsTo);
  const title = amazon?.title ?? (amazon?.asin ? `Amazon ${amazon.asin}` : 'Amazon');
  return `${title.slice(0, NAME_CHARACTERS)} · ${id.slice(0, 8)}`;
}

function refusedBecause(address: string): keyof typeof NOT_CONVERTED | null {
  if (readAmazon(address) === null) return 'not_amazon';
  return z.safeParse(LinkTarget, address).success ? null : 'no_target';
}

/** @param id null: of all. @throws AppError not_found */
export async function switchTo(
  trx: CreatorTransaction,
  creatorId: string,
  { id, on }: { id: string | null; on: boolean },
): Promise<void> {
  const changed = await trx
    .updateTable('conversions')
    .set({ is_on: on })
    .where('creator_id', '=', creatorId)
    .$if(id !== null, (one) => one.where('id', '=', id!))
    .executeTakeFirst();
  if (id !== null && changed.numUpdatedRows === 0n) throw new AppError('not_found', 'This address has no short link.');
}

async function isMaking(trx: CreatorTransaction, creatorId: string): Promise<boolean> {
  const { rows } = await sql`select from jobs where creator_id = ${creatorId} and name = ${MAKE_LINKS.name}`.execute(
    trx,
  );
  return rows.length > 0;
}

/** What the plugin shows instead of what, by post. */
export async function findSwaps(
  trx: CreatorTransaction,
  { creatorId, siteId }: { creatorId: string; siteId: string },
): Promise<{ post: number; swaps: { address: string; code: string }[] }[]> {
  const { rows } = await sql<{ post: string; swaps: { address: string; code: string }[] }>`
    select p.wordpress_id as post, jsonb_agg(jsonb_build_object('address', c.address, 'code', l.code) order by c.id) as swaps
    from blog_posts p cross join unnest(p.amazon_links) as link
    join conversions c on c.creator_id = p.creator_id and c.id = md5(link)::uuid and c.is_on
    join links l on l.creator_id = c.creator_id and l.app_link_id = c.app_link_id and l.automation_id is null
    where p.creator_id = ${creatorId} and p.site_id = ${siteId} and p.gone_at is null
    group by p.wordpress_id order by p.wordpress_id
  `.execute(trx);
  return rows.map(({ post, swaps }) => ({ post: Number(post), swaps }));
}

function show(
  deps: Pick<Deps, 'config'>,
  { id, address, posts, title, url }: Found,
  made: Made | undefined,
): Conversion {
  const why = refusedBecause(address);
  const state = made === undefined ? (why === null ? 'found' : 'refused') : made.isOn ? 'on' : 'off';
  return {
    ...{ id, address, posts, post: { title, url }, state, why },
    shortUrl: made === undefined ? null : shortUrlOf(deps, made.code),
  };
}

function shortUrlOf({ config }: Pick<Deps, 'config'>, code: string): string {
  return `${config.baseUrl}/l/${code}`;
}

/** As the database makes it. */
function idOf(address: string): string {
  const hex = createHash('md5').update(address).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
