/** What stands behind a code, remembered for a while: a viral hour asks for few of them, very often. */
import { sql } from 'kysely';
import type { AmazonRules, ProductsAbroad } from '#contract/amazon-rules.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { isLockedPost } from '#server/features/fans/message-ways.ts';
import { watchedAddress } from '#server/features/link-guard/watched-links.ts';
import { MissLimit } from '#server/http/miss-limits.ts';
import { mailOfMark } from './mail-links.ts';

export type Link = {
  creatorId: string;
  id: string;
  url: string;
  /** By the operator: it, or all of its creator. */
  isStopped: boolean;
  /** Reads who clicked from a newsletter's link; null for other links. */
  mailOf: ((mark: string) => string | null) | null;
  /** Of its creator. */
  amazon: AmazonRules;
  /** Null: another kind of link. Its address is the link's. */
  appLink: AppLink | null;
  /** Of a message, to a post of the blog that members read more of. */
  isForMembers: boolean;
};

/** Times in ms since 1970; null: no bound. */
export type AppLink = {
  name: string;
  opensApp: boolean;
  beginsAt: number | null;
  endsAt: number | null;
  elsewhere: string | null;
  /** As `withCampaign` takes it. */
  campaign: string;
  productsAbroad: ProductsAbroad;
  /** Said of links that pay the creator; may be empty. */
  disclosure: string;
};

type Row = Omit<Link, 'mailOf' | 'isForMembers'> & {
  code: string;
  isOfNewsletter: boolean;
  isOfMessages: boolean;
  instead: string | null;
  broken: string[];
};
type Deps = Pick<RouteDeps, 'clock' | 'config' | 'db' | 'ids' | 'keys'>;

const REMEMBERED_AT_MOST = 20_000;
/** A recipe may move and a page break: so long may a tap still lead to where it was. */
const REMEMBERED_MS = 10_000;

/** Prepared: to plan it takes PostgreSQL longer than to do it. */
const LINKS_BY_CODE = {
  name: 'links_by_code',
  text: `
    select l.code, l.creator_id as "creatorId", l.id, coalesce(p.address, l.url) as url, l.part_of is not null as "isOfNewsletter",
      l.automation_id is not null as "isOfMessages",
      exists (
        select from reported_links s
        where s.creator_id = l.creator_id and s.stopped_at is not null and (s.stops_all or s.link_id = l.id)
      ) as "isStopped",
      a.link_instead as instead,
      array(
        select w.url from link_uses u
        join watched_links w on w.creator_id = u.creator_id and w.id = u.link_id and w.state = 'broken'
        where u.creator_id = a.creator_id and u.automation_id = a.id
      ) as broken,
      jsonb_build_object(
        'tags', coalesce(s.amazon_tags, '{}'), 'moreTags', coalesce(s.amazon_more_tags, '[]'), 'channels', s.amazon_channels, 'byCountry', coalesce(s.amazon_by_country, false)
      ) as amazon,
      case when p.id is not null then jsonb_build_object(
        'name', p.name, 'opensApp', p.opens_app, 'elsewhere', p.elsewhere, 'campaign', p.campaign, 'productsAbroad', p.products_abroad, 'disclosure', coalesce(s.disclosure, ''),
        'beginsAt', extract(epoch from p.begins_at) * 1000, 'endsAt', extract(epoch from p.ends_at) * 1000
      ) end as "appLink"
    from links l
    left join app_links p on p.creator_id = l.creator_id and p.id = l.app_link_id
    left join shop_settings s on s.creator_id = l.creator_id
    left join automations a on a.creator_id = l.creator_id and a.id = l.automation_id and a.when_link_breaks = 'swap'
    where l.code = any($1)`,
};

/**
 * @returns finds the link of a code for somebody at this address; 'too_often' where their network guesses codes. Under a creator's own
 * host, `hostOf`, only their links are there, by a slug of theirs too.
 */
export function createLinkFinder(
  deps: Deps,
): (code: string, ip: string, hostOf: string | null) => Promise<Link | null | 'too_often'> {
  const remembered = new Map<string, { link: Link; untilMs: number }>();
  const misses = new MissLimit();

  const rowOf = readTogether(async (codes: string[]) => {
    const { rows } = await deps.db.enginePool.query<Row>({ ...LINKS_BY_CODE, values: [codes] });
    return new Map(rows.map((row) => [row.code, row]));
  });

  async function codeOfSlug(creatorId: string, slug: string): Promise<string | null> {
    const { rows } = await sql<{ code: string }>`
      select l.code from app_links p
      join links l on l.creator_id = p.creator_id and l.app_link_id = p.id and l.automation_id is null
      where p.creator_id = ${creatorId} and p.slug = ${slug.toLowerCase()}
    `.execute(deps.db.engine);
    return rows[0]?.code ?? null;
  }

  async function readUnder(hostOf: string | null, name: string): Promise<Link | null> {
    if (hostOf === null) return read(name);
    const link = await read((await codeOfSlug(hostOf, name)) ?? name);
    return link?.creatorId === hostOf ? link : null;
  }

  async function read(code: string): Promise<Link | null> {
    const row = /^[0-9A-Za-z]{4,16}$/.test(code) ? await rowOf(code) : undefined;
    if (row === undefined) return null;
    const { code: _, isOfNewsletter, isOfMessages, instead, broken, ...link } = row;
    // While the page does not answer, to where the creator wants it.
    const url = instead !== null && broken.includes(watchedAddress(link.url) ?? '') ? instead : link.url;
    const mailOf = isOfNewsletter ? await mailReader(link.creatorId) : null;
    const mayBeForMembers = isOfMessages && deps.config.fanMemberships;
    return { ...link, url, mailOf, isForMembers: mayBeForMembers && (await isLockedPost(deps, link.creatorId, url)) };
  }

  async function mailReader(creatorId: string) {
    const hash = await creatorHashes(deps.db.engine, deps, creatorId, deps.clock.now());
    return (mark: string) => mailOfMark(hash, mark);
  }

  return async (code, ip, hostOf) => {
    const nowMs = deps.clock.now().getTime();
    const key = hostOf === null ? code : `${hostOf} ${code}`;
    const known = remembered.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.link;
    if (misses.isReached(ip, nowMs)) return 'too_often';
    const link = await readUnder(hostOf, code);
    if (link === null) {
      misses.countMiss(ip, nowMs);
      return null;
    }
    // The oldest goes: a Map keeps the order of insertion.
    remembered.delete(key);
    if (remembered.size >= REMEMBERED_AT_MOST) remembered.delete(remembered.keys().next().value!);
    remembered.set(key, { link, untilMs: nowMs + REMEMBERED_MS });
    return link;
  };
}

/** Whoever asks while a reading is under way is read for in the next one, with all others. */
function readTogether<Value>(
  read: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let next: { keys: Set<string>; values: Promise<Map<string, Value>> } | null = null;
  let underWay: Promise<unknown> = Promise.resolve();
  return async (key) => {
    if (next === null) {
      const keys = new Set<string>();
      const values = underWay.then(() => {
        next = null;
        return read([...keys]);
      });
      next = { keys, values };
      underWay = values.catch(() => {});
    }
    next.keys.add(key);
    return (await next.values).get(key);
  };
}
