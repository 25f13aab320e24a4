/**
 * A way in by message: the link of an automation's message leads to a locked post of the blog, and the contact that the message went to
 * holds a pass for it. Decided at the tap, so that one who joins later gets in by a message from before. Good once, and for a day.
 */
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { isGood } from './passes.ts';

type Deps = { db: Pick<Database, 'engine'>; clock: Clock };

/** As long as Instagram lets a creator answer. */
export const WAY_HOURS = 24;

export type MessageWay = {
  creatorId: string;
  handle: string;
  /** Of the address that the pass is for. */
  contactId: string;
  /** Whom the message went to, as Instagram names them. */
  username: string | null;
  siteId: string;
  siteUrl: string;
  /** A path of the site. */
  to: string;
  title: string;
};

/** Whether an address is a public post of the creator's blog of which somebody reads less. */
export async function isLockedPost({ db }: Pick<Deps, 'db'>, creatorId: string, url: string): Promise<boolean> {
  const { rows } = await sql`
    select from blog_posts b where b.creator_id = ${creatorId} and md5(b.url_key) = md5(${addressKey(url)})
      and b.gone_at is null and b.lock is not null limit 1
  `.execute(db.engine);
  return rows.length > 0;
}

/** @returns null: they hold no pass for that post, or it is another message's link, too old, or used */
export async function findWay(
  { db, clock }: Deps,
  { creatorId, code, deliveryId }: { creatorId: string; code: string; deliveryId: string },
): Promise<MessageWay | null> {
  const now = clock.now();
  const { rows: links } = await sql<{ url: string; automationId: string }>`
    select coalesce(p.address, l.url) as url, l.automation_id as "automationId"
    from links l left join app_links p on p.creator_id = l.creator_id and p.id = l.app_link_id
    where l.code = ${code} and l.creator_id = ${creatorId} and l.automation_id is not null
  `.execute(db.engine);
  const [link] = links;
  if (link === undefined || !URL.canParse(link.url)) return null;
  const { rows } = await sql<Omit<MessageWay, 'creatorId' | 'to'>>`
    select h.handle, c.id as "contactId", w.username, s.id as "siteId", s.url as "siteUrl", b.title
    from deliveries d
    join creators h on h.id = d.creator_id
    join interactions i on i.creator_id = d.creator_id and i.id = d.interaction_id
    join people w on w.creator_id = d.creator_id and w.connection_id = d.connection_id
      and w.id in (d.recipient_person_id, i.person_id)
    join contacts own on own.creator_id = w.creator_id and own.id = w.contact_id
    join contacts c on c.creator_id = own.creator_id
      and (c.id = coalesce(own.joined_to, own.id) or c.joined_to = coalesce(own.joined_to, own.id))
    join passes p on p.creator_id = c.creator_id and p.contact_id = c.id and ${isGood('p', now)}
    join tiers t on t.creator_id = p.creator_id and t.id = p.tier_id
    join blog_posts b on b.creator_id = d.creator_id and md5(b.url_key) = md5(${addressKey(link.url)})
      and b.gone_at is null and b.lock is not null
    join sites s on s.creator_id = b.creator_id and s.id = b.site_id and s.is_live and s.kind = 'wordpress'
      and s.signing_key is not null
    where d.creator_id = ${creatorId} and d.id = ${deliveryId} and d.automation_id = ${link.automationId}
      and d.kind <> 'public_reply'
      and d.called_at > ${new Date(now.getTime() - WAY_HOURS * 3_600_000)}
      and not exists (select from fan_entries e where e.creator_id = d.creator_id and e.delivery_id = d.id)
      -- For a tier that is none any longer: the highest, as on the blog.
      and (b.lock ->> 'for' not like 'tier:%' or t.rank >= coalesce(
        (select a.rank from tiers a where a.creator_id = t.creator_id and 'tier:' || a.id = b.lock ->> 'for'),
        (select max(a.rank) from tiers a where a.creator_id = t.creator_id)))
    order by t.rank desc, c.id limit 1
  `.execute(db.engine);
  const [way] = rows;
  if (way === undefined) return null;
  const { pathname, search } = new URL(link.url);
  return { ...way, creatorId, to: pathname + search };
}

/** Whether a browser that an earlier message let in is in still. @param device as its cookie says, a UUID */
export async function isStillIn(
  { db }: Pick<Deps, 'db'>,
  { creatorId, contactId, siteId }: MessageWay,
  device: string,
): Promise<boolean> {
  const found = await db.engine
    .selectFrom('fan_devices')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('id', '=', device)
    .where('contact_id', '=', contactId)
    .where('site_id', '=', siteId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Where the page with the button is. */
export function wayUrl(baseUrl: string, handle: string, { code, part }: { code: string; part: string }): string {
  return `${baseUrl}/join/${encodeURIComponent(handle)}/message/${encodeURIComponent(code)}/${part}`;
}

/** In a query: the link leads where it leads everybody. */
export const AS_ANYONE = 'anyone';

export function usualUrl(code: string, part: string): string {
  return `/l/${encodeURIComponent(code)}/${encodeURIComponent(part)}?${AS_ANYONE}`;
}
