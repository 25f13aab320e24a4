/** The blogs of a creator: which one is believed, and what its plugin last told of itself. */
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { BodyOf } from '#contract/endpoint.ts';
import type { registerPlugin } from '#contract/plugin.ts';
import { SITES_AT_MOST, type Site } from '#contract/sites.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { SitesTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { movePosts } from '#server/features/blog-posts/blog-posts.ts';
import { type Keys, openOrNull } from '#server/secrets.ts';
import { afterHearing, keysOf, newKey } from './signing-keys.ts';
import { placeOf, siteOfPage } from './site-place.ts';

type Deps = { clock: Clock; ids: Ids; keys: Keys };
export type SiteRow = Selectable<SitesTable>;

const HEARD_EVERY_MS = 60_000;
/** It registers once a day. */
const AWAY_AFTER_MS = 48 * 3_600_000;

export async function list(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<{ items: Site[] }> {
  const rows = await trx
    .selectFrom('sites')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.creator_id', '=', 'sites.creator_id').on('api_keys.ended_at', 'is', null),
    )
    .selectAll('sites')
    .select('api_keys.id as current_key_id')
    .select(
      sql<string>`(
        select count(*) from blog_posts p
        where p.creator_id = sites.creator_id and p.site_id = sites.id and p.gone_at is null
      )`.as('posts_known'),
    )
    .where('sites.creator_id', '=', creatorId)
    .orderBy('is_live', 'desc')
    .orderBy('last_heard_at', 'desc')
    .orderBy('sites.id')
    .limit(SITES_AT_MOST)
    .execute();
  return { items: rows.map((row) => show(row, clock.now())) };
}

/** For work about a blog. @returns null: there is none any more, or it never told its address */
export async function findSite(
  { db }: { db: Pick<Database, 'engine'> },
  { creatorId, siteId }: { creatorId: string; siteId: string },
): Promise<SiteRow | null> {
  const site = await db.engine
    .selectFrom('sites')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', siteId)
    .where('url', '<>', '')
    .executeTakeFirst();
  return site ?? null;
}

/** @throws AppError not_found */
export async function makeLive(deps: Deps, trx: CreatorTransaction, creatorId: string, siteId: string) {
  await lockSites(trx, creatorId);
  const before = await trx
    .updateTable('sites')
    .set({ is_live: false, is_known_copy: true })
    .where('creator_id', '=', creatorId)
    .where('is_live', '=', true)
    .returning('id')
    .executeTakeFirst();
  const { numUpdatedRows } = await trx
    .updateTable('sites')
    .set({ is_live: true, is_known_copy: false })
    .where('creator_id', '=', creatorId)
    .where('kind', '=', 'wordpress')
    .where('id', '=', siteId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw nothingHere();
  if (before !== undefined && before.id !== siteId) await movePosts(trx, creatorId, { from: before.id, to: siteId });
  return list(deps, trx, creatorId);
}

/** @throws AppError not_found, not_possible_now for the live one */
export async function keepAsCopy(deps: Deps, trx: CreatorTransaction, creatorId: string, siteId: string) {
  const row = await trx
    .updateTable('sites')
    .set({ is_known_copy: sql`not is_live` })
    .where('creator_id', '=', creatorId)
    .where('id', '=', siteId)
    .returning('is_live')
    .executeTakeFirst();
  if (row === undefined) throw nothingHere();
  if (row.is_live) throw new AppError('not_possible_now', 'This is your live blog now.');
  return list(deps, trx, creatorId);
}

/** @throws AppError not_found */
export async function remove(deps: Deps, trx: CreatorTransaction, creatorId: string, siteId: string) {
  const { numDeletedRows } = await trx
    .deleteFrom('sites')
    .where('creator_id', '=', creatorId)
    .where('id', '=', siteId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw nothingHere();
  return list(deps, trx, creatorId);
}

/**
 * Takes a plugin's report. The first place is believed to be the creator's blog; another one with the same key is a copy
 * until somebody says that the blog moved. What did not change is written once a minute.
 *
 * @returns `changed`: screens show something else now; `looksOtherwise`: with other plugins or another theme
 */
export async function noteSite(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, keyId }: { creatorId: string; keyId: string },
  told: BodyOf<typeof registerPlugin>,
): Promise<{ row: SiteRow; signingKeys: string[]; changed: boolean; looksOtherwise: boolean }> {
  const now = deps.clock.now();
  await lockSites(trx, creatorId);
  const sites = await findAll(trx, creatorId);
  const live = sites.find(({ is_live }) => is_live);
  const place = placeOf(told.siteUrl ?? '');
  const known =
    place === null ? live : (sites.find((site) => site.place === place) ?? (live?.place === '' ? live : undefined));
  const facts = {
    key_id: keyId,
    plugin_version: told.pluginVersion,
    ...(place !== null && { place, url: told.siteUrl! }),
    ...(told.wordpressVersion !== undefined && { wordpress_version: told.wordpressVersion }),
    ...(told.phpVersion !== undefined && { php_version: told.phpVersion }),
    ...(told.cards !== undefined && { cards: told.cards }),
    ...(told.caches !== undefined && { caches: told.caches }),
    ...(told.outboxDepth !== undefined && { outbox_depth: told.outboxDepth }),
    ...(told.cronIsHealthy !== undefined && { cron_is_healthy: told.cronIsHealthy }),
    ...(told.stack !== undefined && { stack: told.stack }),
    ...(told.locks !== undefined && { posts_locked: told.locks.locked, posts_public: told.locks.all }),
    is_live: known?.is_live || live === undefined,
  };
  const clock = told.time === undefined ? {} : { clock_off_s: told.time - Math.round(now.getTime() / 1000) };
  if (known === undefined) return add(deps, trx, sites, { ...facts, creator_id: creatorId });
  const changed = Object.entries(facts).some(
    ([column, value]) => JSON.stringify(known[column as keyof typeof facts]) !== JSON.stringify(value),
  );
  const looksOtherwise =
    known.is_live && known.stack !== null && facts.stack !== undefined && facts.stack !== known.stack;
  const opened = keysOf(deps, known);
  const heard = afterHearing(deps, known, told.keys ?? []);
  const isDue = now.getTime() - known.last_heard_at.getTime() >= HEARD_EVERY_MS || Object.keys(heard).length > 0;
  if (!changed && !isDue && opened.length > 0) return { row: known, signingKeys: opened, changed, looksOtherwise };
  // One that cannot be opened is replaced: its site gets the new one with this answer.
  const fresh = opened.length > 0 ? null : newKey(deps.keys);
  const row = await trx
    .updateTable('sites')
    .set({
      ...{ ...facts, ...clock, last_heard_at: now, ...heard },
      ...(fresh && { signing_key: fresh.sealed, old_signing_key: null, next_signing_key: null, key_made_at: now }),
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, signingKeys: fresh ? [fresh.key] : keysOf(deps, row), changed, looksOtherwise };
}

/**
 * The site that a page is of. One that never registered is noted as a copy: somebody who takes the key along to another blog
 * makes the first one mail nobody.
 */
export async function siteOf(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, keyId }: { creatorId: string; keyId: string },
  pageUrl: string,
): Promise<SiteRow> {
  const page = placeOf(pageUrl) ?? '';
  const known = siteOfPage(await findAll(trx, creatorId), page);
  if (known !== undefined) return known;
  await lockSites(trx, creatorId);
  const sites = await findAll(trx, creatorId);
  const live = sites.find(({ is_live }) => is_live);
  const meanwhile = siteOfPage(sites, page) ?? (live?.place === '' ? live : undefined);
  if (meanwhile !== undefined) return meanwhile;
  const { origin } = new URL(pageUrl);
  const place = placeOf(origin)!;
  const is_live = live === undefined;
  return (await add(deps, trx, sites, { creator_id: creatorId, key_id: keyId, place, url: origin, is_live })).row;
}

/** The live one, where it is at this address; null for a copy, and for a place that never registered. */
export async function liveSiteAt(trx: CreatorTransaction, creatorId: string, siteUrl: string): Promise<SiteRow | null> {
  const place = placeOf(siteUrl);
  return (await findAll(trx, creatorId)).find((site) => site.is_live && site.place === place) ?? null;
}

export async function notePostsWaiting(trx: CreatorTransaction, site: SiteRow, waiting: number): Promise<void> {
  await trx
    .updateTable('sites')
    .set({ posts_waiting: waiting })
    .where('creator_id', '=', site.creator_id)
    .where('id', '=', site.id)
    .execute();
}

/** Of the live one. */
export async function notePostsLocked(
  trx: CreatorTransaction,
  creatorId: string,
  { locked, all }: { locked: number; all: number },
): Promise<void> {
  await trx
    .updateTable('sites')
    .set({ posts_locked: locked, posts_public: all })
    .where('creator_id', '=', creatorId)
    .where('is_live', '=', true)
    .execute();
}

/** Every word that was given to browsers of these sites before now has to be asked about. */
export async function askAboutAll(
  trx: CreatorTransaction,
  { creatorId, siteIds }: { creatorId: string; siteIds: string[] },
  now: Date,
): Promise<void> {
  if (siteIds.length === 0) return;
  await trx
    .updateTable('sites')
    .set({ asks_from: now })
    .where('creator_id', '=', creatorId)
    .where('id', 'in', siteIds)
    .execute();
}

/** The signing key in use of the site at this address; null where none registered. */
export async function signingKeyOf(
  { keys }: Pick<Deps, 'keys'>,
  trx: CreatorTransaction,
  creatorId: string,
  siteUrl: string,
): Promise<Buffer | null> {
  const place = placeOf(siteUrl);
  const site = (await findAll(trx, creatorId)).find((one) => place !== null && one.place === place);
  const key = site?.signing_key ? openOrNull(keys.encryptionKeys, site.signing_key) : null;
  return key === null ? null : Buffer.from(key, 'base64url');
}

async function add(
  { clock, ids, keys }: Deps,
  trx: CreatorTransaction,
  sites: SiteRow[],
  facts: Partial<SiteRow> & { creator_id: string; is_live: boolean },
) {
  const now = clock.now();
  // A key may be used from any number of places; the screen shows some.
  const oldest = sites.filter(({ is_live }) => !is_live).toSorted((a, b) => +a.last_heard_at - +b.last_heard_at)[0];
  if (sites.length >= SITES_AT_MOST && oldest !== undefined) {
    await trx.deleteFrom('sites').where('creator_id', '=', facts.creator_id).where('id', '=', oldest.id).execute();
  }
  const { key, sealed } = newKey(keys);
  const told = { ...facts, kind: 'wordpress' as const, signing_key: sealed, key_made_at: now, last_heard_at: now };
  const row = await trx
    .insertInto('sites')
    .values({ place: '', url: '', ...told, id: ids.uuid(now), first_heard_at: now })
    // The blog had our script before.
    .onConflict((conflict) => conflict.columns(['creator_id', 'place']).doUpdateSet(told))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, signingKeys: [key], changed: true, looksOtherwise: false };
}

/**
 * A blog without the plugin, where a form's snippet was found: all of its host. One with the plugin stays what it is.
 *
 * @throws AppError not_possible_now for a copy of the blog, and when there are too many
 */
export async function addScriptSite(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  trx: CreatorTransaction,
  creatorId: string,
  pageUrl: string,
): Promise<SiteRow> {
  await lockSites(trx, creatorId);
  const now = clock.now();
  const { origin } = new URL(pageUrl);
  const place = placeOf(origin)!;
  const all = await trx.selectFrom('sites').selectAll().where('creator_id', '=', creatorId).execute();
  const known = all.find((site) => site.place === place);
  if (known === undefined && all.length >= SITES_AT_MOST) {
    throw new AppError('not_possible_now', `You have ${SITES_AT_MOST} blogs here. Remove one first.`);
  }
  if (known?.kind === 'wordpress' && !known.is_live) {
    throw new AppError('not_possible_now', 'That’s a copy of your blog. Choose the live one in Settings > API key.');
  }
  return trx
    .insertInto('sites')
    .values({
      ...{ creator_id: creatorId, id: ids.uuid(now), kind: 'script', place, url: origin, is_live: false },
      ...{ first_heard_at: now, last_heard_at: now },
    })
    .onConflict((conflict) => conflict.columns(['creator_id', 'place']).doUpdateSet({ last_heard_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Those with the plugin. */
function findAll(trx: CreatorTransaction, creatorId: string): Promise<SiteRow[]> {
  return trx
    .selectFrom('sites')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('kind', '=', 'wordpress')
    .execute();
}

/** Two places that register at the same moment are not both the first. */
async function lockSites(trx: CreatorTransaction, creatorId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sites ${creatorId}`}, 0))`.execute(trx);
}

type ListedRow = SiteRow & { current_key_id: string | null; posts_known: string };

function show(row: ListedRow, now: Date): z.infer<typeof Site> {
  return {
    id: row.id,
    kind: row.kind,
    state: stateOf(row, row.current_key_id, now),
    asks: row.kind === 'wordpress' && !row.is_live && !row.is_known_copy,
    name: row.place || null,
    url: row.url || null,
    pluginVersion: row.plugin_version,
    wordpressVersion: row.wordpress_version,
    phpVersion: row.php_version,
    cards: row.cards,
    caches: row.caches,
    outboxDepth: row.outbox_depth,
    cronIsHealthy: row.cron_is_healthy,
    postsKnown: Number(row.posts_known),
    postsWaiting: row.posts_waiting,
    firstHeardAt: row.first_heard_at.toISOString(),
    lastHeardAt: row.last_heard_at.toISOString(),
  };
}

function stateOf(row: SiteRow, currentKeyId: string | null, now: Date): Site['state'] {
  if (row.kind === 'script') return 'live';
  if (!row.is_live) return 'copy';
  if (row.key_id !== currentKeyId) return 'ended';
  return now.getTime() - row.last_heard_at.getTime() > AWAY_AFTER_MS ? 'away' : 'live';
}

function nothingHere(): AppError {
  return new AppError('not_found', 'This site was removed meanwhile.');
}
