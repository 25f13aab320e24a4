import { type Kysely, type Selectable, sql } from 'kysely';
import type { LinkProblem, WhenLinkBreaks } from '#contract/link-guard.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { Tables, WatchedLinksTable } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import type { WatchState } from './check-intervals.ts';
import type { PageFacts } from './page-facts.ts';

export type WatchedRow = Omit<Selectable<WatchedLinksTable>, 'state' | 'problem' | 'first_look'> & {
  state: WatchState['state'];
  problem: LinkProblem | null;
  first_look: PageFacts | null;
};

/** Addresses of automations that are on, or that have messages waiting for their link. */
export async function findLiveLinks(
  trx: CreatorTransaction,
  creatorId: string,
): Promise<{ automationId: string; url: string }[]> {
  const { rows } = await sql<{ automationId: string; url: string }>`
    select distinct a.id as "automationId", button ->> 'url' as url
    from automations a cross join jsonb_array_elements(a.buttons) as button
    where a.creator_id = ${creatorId} and button ->> 'part' is null and button ->> 'mealPlanId' is null and not exists (
      select from recipes r where r.creator_id = a.creator_id and r.id::text = button ->> 'recipeId' and not r.has_page
    ) and (
      (a.switched_on_at is not null and a.archived_at is null) or exists (
        select from deliveries d
        where d.creator_id = a.creator_id and d.automation_id = a.id and d.listed_as = 'queued' and d.held_from is not null
      )
    )
  `.execute(trx);
  return rows;
}

/** More would keep a site that all of them lead to from being asked for the links of messages: it is asked every four seconds. */
const APP_LINKS_WATCHED = 500;

/** Addresses of app links that were made, changed or followed since then and have not ended, the last changed first. */
export async function findLiveAppLinks(
  trx: Kysely<Tables>,
  creatorId: string,
  { since, now }: { since: Date; now: Date },
): Promise<{ appLinkId: string; url: string }[]> {
  const { rows } = await sql<{ appLinkId: string; url: string }>`
    select p.id as "appLinkId", p.address as url from app_links p
    where p.creator_id = ${creatorId} and (p.ends_at is null or p.ends_at > ${now}) and (p.updated_at >= ${since} or exists (
      select from links l join clicks c on c.creator_id = l.creator_id and c.link_id = l.id
      where l.creator_id = p.creator_id and l.app_link_id = p.id and c.clicked_at >= ${since} and c.not_counted_because is null
    ))
    order by p.updated_at desc, p.id desc limit ${APP_LINKS_WATCHED}
  `.execute(trx);
  return rows;
}

/** Links watched from now on, of automations or of app links; new ones are due at once. */
export async function replaceWatched(
  trx: CreatorTransaction,
  creatorId: string,
  links: { id: string; url: string; hash: string; host: string }[],
  { of, uses }: { of: 'automationId' | 'appLinkId'; uses: { id: string; hash: string }[] },
  now: Date,
): Promise<void> {
  const column = sql.ref(of === 'automationId' ? 'automation_id' : 'app_link_id');
  // Always in the same order: two that save at once must not wait for each other in a circle.
  const sorted = links.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  await sql`
    insert into watched_links (creator_id, id, url, url_hash, host, next_check_at)
    select ${creatorId}::uuid, id, url, hash, host, ${now}
    from json_to_recordset(${JSON.stringify(sorted)}) as g (id uuid, url text, hash text, host text)
    on conflict (creator_id, url_hash) do nothing
  `.execute(trx);
  await sql`
    with wanted as (
      select g.id as whose, w.id as link_id
      from json_to_recordset(${JSON.stringify(uses)}) as g (id uuid, hash text)
      join watched_links w on w.creator_id = ${creatorId} and w.url_hash = g.hash
    ), gone as (
      delete from link_uses u where u.creator_id = ${creatorId} and ${column} is not null
        and not exists (select from wanted n where n.whose = ${column} and n.link_id = u.link_id)
    )
    insert into link_uses (creator_id, ${column}, link_id)
    select distinct ${creatorId}::uuid, whose, link_id from wanted
    on conflict do nothing
  `.execute(trx);
  await sql`
    delete from watched_links w where w.creator_id = ${creatorId} and not exists (
      select from link_uses u where u.creator_id = w.creator_id and u.link_id = w.id
    )
  `.execute(trx);
}

/** Addresses of this automation that were last looked at before `since` are due now. */
export async function lookSoon(
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  await sql`
    update watched_links w set next_check_at = least(w.next_check_at, ${now}::timestamptz)
    from link_uses u
    where u.creator_id = ${creatorId} and u.automation_id = ${automationId}
      and w.creator_id = u.creator_id and w.id = u.link_id and (w.checked_at is null or w.checked_at < ${since})
  `.execute(trx);
}

/** Addresses that are due and whose hosts may be asked, one of each host. */
export async function findDue(db: Database, now: Date, most: number): Promise<{ creatorId: string; linkId: string }[]> {
  const { rows } = await sql<{ creatorId: string; linkId: string }>`
    select creator_id as "creatorId", id as "linkId" from (
      select distinct on (w.host) w.creator_id, w.id, w.next_check_at from watched_links w
      join creators cr on cr.id = w.creator_id and cr.delete_at is null
      left join link_hosts h on h.host = w.host
      where w.next_check_at <= ${now} and (h.next_at is null or h.next_at <= ${now})
      order by w.host, w.next_check_at
    ) as ready order by next_check_at limit ${most}
  `.execute(db.engine);
  return rows;
}

export async function findWatched(db: Kysely<Tables>, creatorId: string, id: string): Promise<WatchedRow | undefined> {
  const { rows } = await sql<WatchedRow>`
    select * from watched_links where creator_id = ${creatorId} and id = ${id}
  `.execute(db);
  return rows[0];
}

export async function forgetHosts(db: Database, before: Date): Promise<void> {
  await db.engine.deleteFrom('link_hosts').where('next_at', '<', before).execute();
}

/** Locked until the transaction ends; undefined when it is not watched any more. */
export async function lockWatched(trx: Kysely<Tables>, creatorId: string, id: string): Promise<WatchedRow | undefined> {
  const row = await trx
    .selectFrom('watched_links')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row as unknown as WatchedRow | undefined;
}

export async function saveLook(
  trx: Kysely<Tables>,
  { creator_id, id }: Pick<WatchedRow, 'creator_id' | 'id'>,
  seen: WatchState & {
    nextCheckAt: Date;
    checkedAt: Date;
    firstLook: PageFacts | null;
    etag: string | null;
    lastModified: string | null;
    certificateEndsAt: Date | null;
  },
): Promise<void> {
  await trx
    .updateTable('watched_links')
    .set({
      state: seen.state,
      problem: seen.problem,
      failed_since: seen.failedSince,
      broken_since: seen.brokenSince,
      checked_at: seen.checkedAt,
      next_check_at: seen.nextCheckAt,
      first_look: seen.firstLook === null ? null : JSON.stringify(seen.firstLook),
      etag: seen.etag,
      last_modified: seen.lastModified,
      certificate_ends_at: seen.certificateEndsAt,
    })
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .execute();
}

/** Of all creators: how many asked for each watched address since then; 0 where it was more before. */
export async function measureBusy(db: Database, since: Date): Promise<void> {
  await sql`
    with asked as (
      select u.creator_id, u.link_id, sum(recent.count)::int as count
      from creators cr
      cross join lateral (
        select i.automation_id, count(*) as count from interactions i
        where i.creator_id = cr.id and i.received_at >= ${since} and i.automation_id is not null
        group by 1
      ) recent
      join link_uses u on u.creator_id = cr.id and u.automation_id = recent.automation_id
      where cr.delete_at is null and exists (select from watched_links w where w.creator_id = cr.id)
      group by 1, 2
    )
    update watched_links w set busy = coalesce(asked.count, 0)
    from watched_links same left join asked on asked.creator_id = same.creator_id and asked.link_id = same.id
    where w.creator_id = same.creator_id and w.id = same.id and w.busy <> coalesce(asked.count, 0)
  `.execute(db.engine);
}

/** Links that got busier are checked as soon as their new interval says. */
export async function quicken(db: Database, busyFrom: number, everyMs: number): Promise<void> {
  await sql`
    update watched_links set next_check_at = checked_at + make_interval(secs => ${everyMs / 1000})
    where state = 'fine' and busy >= ${busyFrom} and checked_at is not null
      and next_check_at > checked_at + make_interval(secs => ${everyMs / 1000})
  `.execute(db.engine);
}

/** Creators with a broken link in an automation that holds messages back. */
export async function findHolding(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct w.creator_id as id from watched_links w
    join link_uses u on u.creator_id = w.creator_id and u.link_id = w.id
    join automations a on a.creator_id = u.creator_id and a.id = u.automation_id and a.when_link_breaks = 'hold'
    where w.state = 'broken'
  `.execute(db.engine);
  return rows.map(({ id }) => id);
}

/** Of automations, and the broken ones of app links. Broken ones first, then those that something is the matter with. */
export async function findChecks(
  trx: CreatorTransaction,
  creatorId: string,
  { after, limit }: { after: PagePosition | null; limit: number },
): Promise<(WatchedRow & { position: string })[]> {
  const { rows } = await sql<WatchedRow & { position: string }>`
    select * from (
      select w.*,
        case w.state when 'broken' then '0' when 'failing' then '1' else '2' end || coalesce(w.problem, '~') collate "C"
          as position
      from watched_links w where w.creator_id = ${creatorId} and (w.state = 'broken' or exists (
        select from link_uses u where u.creator_id = w.creator_id and u.link_id = w.id and u.automation_id is not null
      ))
    ) as checks
    ${after === null ? sql`` : sql`where (position, id) > (${after.at}::text, ${after.id}::uuid)`}
    order by position, id
    limit ${limit}
  `.execute(trx);
  return rows;
}

/** Recipes that automations with watched links point to. */
export async function findRecipes(
  trx: CreatorTransaction,
  creatorId: string,
  linkIds: string[],
): Promise<{ id: string; name: string; url: string }[]> {
  const { rows } = await sql<{ id: string; name: string; url: string }>`
    select distinct r.id, r.name, r.url
    from link_uses u
    join automations a on a.creator_id = u.creator_id and a.id = u.automation_id
    cross join jsonb_array_elements(a.buttons) as button
    join recipes r on r.creator_id = a.creator_id and r.id::text = button ->> 'recipeId'
    where u.creator_id = ${creatorId} and u.link_id = any(${linkIds}::uuid[])
  `.execute(trx);
  return rows;
}

export type UseRow = {
  linkId: string;
  automationId: string;
  name: string;
  postId: string | null;
  whenBroken: WhenLinkBreaks;
  insteadUrl: string | null;
  held: number;
};

export async function findUses(trx: CreatorTransaction, creatorId: string, linkIds: string[]): Promise<UseRow[]> {
  const { rows } = await sql<UseRow>`
    select u.link_id as "linkId", a.id as "automationId", a.name,
      case when a.trigger = 'comment' then a.post_id end as "postId",
      a.when_link_breaks as "whenBroken", a.link_instead as "insteadUrl", coalesce(waiting.held, 0)::int as held
    from link_uses u join automations a on a.creator_id = u.creator_id and a.id = u.automation_id
    left join (
      select automation_id, count(*) as held from deliveries
      where creator_id = ${creatorId} and listed_as = 'queued' and held_from is not null
      group by 1
    ) waiting on waiting.automation_id = a.id
    where u.creator_id = ${creatorId} and u.link_id = any(${linkIds}::uuid[])
    order by lower(a.name), a.id
  `.execute(trx);
  return rows;
}

/** Undefined when there is none, or it was deleted. */
export async function findPlan(
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
): Promise<{ whenBroken: WhenLinkBreaks; insteadUrl: string | null } | undefined> {
  const row = await trx
    .selectFrom('automations')
    .select(['when_link_breaks', 'link_instead'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', automationId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row && { whenBroken: row.when_link_breaks as WhenLinkBreaks, insteadUrl: row.link_instead };
}

/** False when there is none, or it was deleted. */
export async function savePlan(
  trx: CreatorTransaction,
  creatorId: string,
  automationId: string,
  plan: { whenBroken: WhenLinkBreaks; insteadUrl: string | null },
): Promise<boolean> {
  const changed = await trx
    .updateTable('automations')
    .set({ when_link_breaks: plan.whenBroken, link_instead: plan.insteadUrl })
    .where('creator_id', '=', creatorId)
    .where('id', '=', automationId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Names of the automations that send it, and of the app links that lead there. */
export async function findNames(trx: Kysely<Tables>, creatorId: string, linkId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(a.name, p.name) as name from link_uses u
    left join automations a on a.creator_id = u.creator_id and a.id = u.automation_id
    left join app_links p on p.creator_id = u.creator_id and p.id = u.app_link_id
    where u.creator_id = ${creatorId} and u.link_id = ${linkId}
    order by a.name, p.name
  `.execute(trx);
  return rows.map(({ name }) => name);
}

/** App links that lead to watched addresses. */
export async function findAppLinks(
  trx: CreatorTransaction,
  creatorId: string,
  linkIds: string[],
): Promise<{ linkId: string; id: string; name: string }[]> {
  const { rows } = await sql<{ linkId: string; id: string; name: string }>`
    select u.link_id as "linkId", p.id, p.name from link_uses u
    join app_links p on p.creator_id = u.creator_id and p.id = u.app_link_id
    where u.creator_id = ${creatorId} and u.link_id = any(${linkIds}::uuid[])
    order by lower(p.name)
  `.execute(trx);
  return rows;
}

/** Creators whose app links are watched anew from time to time: they are followed, or not any more. */
export async function findWithAppLinks(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select cr.id from creators cr
    where cr.delete_at is null and exists (select from app_links p where p.creator_id = cr.id)
  `.execute(db.engine);
  return rows.map(({ id }) => id);
}

/** Was somebody told of a link on this host since then? One site that is down is one mail. */
export async function wasMailed(trx: Kysely<Tables>, creatorId: string, host: string, since: Date): Promise<boolean> {
  const row = await trx
    .selectFrom('watched_links')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('host', '=', host)
    .where('mailed_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteMailed(
  trx: Kysely<Tables>,
  { creator_id, id }: Pick<WatchedRow, 'creator_id' | 'id'>,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('watched_links')
    .set({ mailed_at: at })
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .execute();
}

/** True when it is due now. */
export async function lookAgain(trx: CreatorTransaction, creatorId: string, id: string, now: Date): Promise<boolean> {
  const changed = await trx
    .updateTable('watched_links')
    .set({ next_check_at: sql`least(next_check_at, ${now}::timestamptz)` })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export async function isBroken(trx: CreatorTransaction, creatorId: string, urlHash: string): Promise<boolean> {
  const row = await trx
    .selectFrom('watched_links')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('url_hash', '=', urlHash)
    .where('state', '=', 'broken')
    .executeTakeFirst();
  return row !== undefined;
}
