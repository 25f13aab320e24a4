import { type Selectable, sql } from 'kysely';
import { normaliseText } from '#contract/matching/index.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { PostsTable } from '#server/db/types.ts';
import { commentsOfPost } from '#server/engine/outcomes/counts.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import { lacksPicture } from './pictures.ts';
import { automationState, pictureAddress } from './shown-posts.ts';

export type PostRow = Selectable<PostsTable> & {
  automation: 'on' | 'off' | 'none';
  shown_picture: string | null;
  position: string;
};

export type PostFilter = {
  search?: string | undefined;
  /** `asks`: the caption asks for a word and nothing replies. */
  automation?: 'on' | 'off' | 'none' | 'asks' | undefined;
  kind?: 'reel' | 'post' | undefined;
};

/** The sort key of a list of posts, with the type of it in the database. */
const ORDERS = {
  newest: { by: sql`p.posted_at`, type: sql`timestamptz` },
  // As cards show them; where nobody has written since the account was connected, by Instagram's number.
  comments: {
    by: sql`(${commentsOfPost} * 1000000000 + least(coalesce(p.comments_count, 0), 999999999))`,
    type: sql`numeric`,
  },
};
export type PostOrder = keyof typeof ORDERS;

export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  filter: PostFilter,
  page: { order: PostOrder; after: PagePosition | null; limit: number },
): Promise<PostRow[]> {
  const { by, type } = ORDERS[page.order];
  const after = page.after === null ? sql`` : sql`and (${by}, p.id) < (${page.after.at}::${type}, ${page.after.id})`;
  const { rows } = await sql<PostRow>`
    select p.*, ${automationState} as automation, ${pictureAddress} as shown_picture, (${by})::text as position
    from posts p
    where ${conditions(creatorId, filter)} ${after}
    order by ${by} desc, p.id desc
    limit ${page.limit}
  `.execute(trx);
  return rows;
}

export async function count(trx: CreatorTransaction, creatorId: string, filter: PostFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from posts p where ${conditions(creatorId, filter)}
  `.execute(trx);
  return rows[0]!.total;
}

export async function findById(trx: CreatorTransaction, creatorId: string, id: string): Promise<PostRow | undefined> {
  const { rows } = await sql<PostRow>`
    select p.*, ${automationState} as automation, ${pictureAddress} as shown_picture, p.posted_at::text as position
    from posts p
    where p.creator_id = ${creatorId} and p.id = ${id}
  `.execute(trx);
  return rows[0];
}

function conditions(creatorId: string, filter: PostFilter) {
  const all = [sql`p.creator_id = ${creatorId}`];
  // Every word of the search stands somewhere in the caption, also as a part of a word.
  for (const word of (filter.search ?? '').split(/\s+/)) {
    const key = normaliseText(word).key;
    if (key !== '') all.push(sql`p.caption_key like ${`%${key.replaceAll(/[\\%_]/g, '\\$&')}%`}`);
  }
  if (filter.kind === 'reel') all.push(sql`p.product_type = 'REELS'`);
  if (filter.kind === 'post') all.push(sql`p.product_type is distinct from 'REELS'`);
  if (filter.automation === 'asks') {
    all.push(sql`p.asked_word is not null and p.gone_at is null and ${automationState} <> 'on'`);
  } else if (filter.automation !== undefined) all.push(sql`${automationState} = ${filter.automation}`);
  return sql.join(all, sql` and `);
}

/** When the posts of any connected account were last fetched. */
export async function findSyncedAt(trx: CreatorTransaction, creatorId: string): Promise<Date | null> {
  const row = await trx
    .selectFrom('connections')
    .select((select) => select.fn.max('posts_synced_at').as('at'))
    .where('creator_id', '=', creatorId)
    .where('disconnected_at', 'is', null)
    .executeTakeFirst();
  return (row?.at as Date | null | undefined) ?? null;
}

/** Until when the comments of a post that wait will have been answered: as forecast, or as each was told. */
export async function findWaitingUntil(
  trx: CreatorTransaction,
  creatorId: string,
  postId: string,
): Promise<Date | null> {
  const { rows: forecasts } = await sql<{ doneAtMs: number | null }>`
    select (post ->> 'doneAtMs')::float8 as "doneAtMs"
    from queue_forecasts f, jsonb_array_elements(f.forecast -> 'posts') as post
    where f.creator_id = ${creatorId} and post ->> 'postId' = ${postId} limit 1
  `.execute(trx);
  const [forecast] = forecasts;
  if (forecast !== undefined) return forecast.doneAtMs === null ? null : new Date(forecast.doneAtMs);
  const { rows } = await sql<{ at: Date | null }>`
    select max(waiting_until) as at from interactions
    where creator_id = ${creatorId} and post_id = ${postId} and listed_as = 'waiting'
  `.execute(trx);
  return rows[0]!.at;
}

/** The last reading of the post to its first comment. */
export async function findReading(trx: CreatorTransaction, creatorId: string, postId: string) {
  const row = await trx
    .selectFrom('comment_readings')
    .select(['listed', 'platform_counted', 'seen', 'whole_at'])
    .where('creator_id', '=', creatorId)
    .where('post_id', '=', postId)
    .executeTakeFirst();
  if (row?.whole_at == null || row.platform_counted === null) return null;
  return { listed: row.listed!, platformCounted: row.platform_counted, seen: row.seen!, wholeAt: row.whole_at };
}

/** Comments of the post that no webhook told of. */
export async function countFound(trx: CreatorTransaction, creatorId: string, postId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int + coalesce((
      select found_before from comment_readings where creator_id = ${creatorId} and post_id = ${postId}
    ), 0) as count
    from interactions where creator_id = ${creatorId} and post_id = ${postId} and found_by_reading
  `.execute(trx);
  return rows[0]!.count;
}

export type AutomationWords = { postId: string | null; connectionId: string; words: string[]; on: boolean };

/** Automations of these posts, and those for any post that are on. */
export async function findAutomationWords(
  trx: CreatorTransaction,
  creatorId: string,
  postIds: string[],
): Promise<AutomationWords[]> {
  const { rows } = await sql<AutomationWords>`
    select post_id as "postId", connection_id as "connectionId", words, switched_on_at is not null as on
    from automations
    where creator_id = ${creatorId} and archived_at is null and trigger = 'comment'
      and (post_id = any(${postIds}) or (scope = 'any' and switched_on_at is not null))
    order by post_id is null, created_at desc, id
  `.execute(trx);
  return rows;
}

export type SyncedConnection = {
  creatorId: string;
  id: string;
  platform: 'instagram' | 'facebook';
  accountId: string;
  /** When its list of posts was last read to the end. */
  fullySyncedAt: Date | null;
};

const SYNCED_CONNECTION = sql`creator_id as "creatorId", id, platform, account_id as "accountId",
  posts_fully_synced_at as "fullySyncedAt"`;
/** Posts of a Page only with the Facebook Addon. */
const HAS_POSTS = sql`(platform = 'instagram'
  or (select facebook_addon from creators where creators.id = connections.creator_id))`;
const AWAITS_A_POST = sql`exists (
  select from automations a where a.connection_id = connections.id and a.scope in ('next', 'caption')
    and a.trigger = 'comment' and a.switched_on_at is not null and a.archived_at is null
)`;
const CAN_SYNC = sql`disconnected_at is null and requires_auth_at is null and ${HAS_POSTS}`;

/** A creator's connected accounts whose tokens work. */
export async function findConnections(db: Database, creatorId: string): Promise<SyncedConnection[]> {
  const { rows } = await sql<SyncedConnection>`
    select ${SYNCED_CONNECTION} from connections where ${CAN_SYNC} and creator_id = ${creatorId} order by connected_at
  `.execute(db.engine);
  return rows;
}

/**
 * Connections nobody tried to sync since `before`, now marked as tried. Those where an
 * automation waits for a post since `awaitedBefore`, unless Meta wants us to read less.
 */
export async function claimConnections(
  db: Database,
  claim: { before: Date; awaitedBefore: Date; now: Date; limit: number },
): Promise<SyncedConnection[]> {
  const { rows } = await sql<SyncedConnection>`
    update connections set posts_tried_at = ${claim.now}
    where (creator_id, id) in (
      select creator_id, id from connections
      where ${CAN_SYNC} and (
        posts_tried_at is null or posts_tried_at < ${claim.before}
        or (posts_tried_at < ${claim.awaitedBefore} and ${AWAITS_A_POST} and not exists (
          select from lane_states l where l.creator_id = connections.creator_id and l.connection_id = connections.id
            and l.lane = 'reads' and l.closed_until > ${claim.now}
        ))
      )
      order by posts_tried_at nulls first
      limit ${claim.limit}
    )
    returning ${SYNCED_CONNECTION}
  `.execute(db.engine);
  return rows;
}

export type FetchedPost = {
  id: string;
  caption: string;
  caption_key: string;
  asked_word: string | null;
  media_type: string | null;
  product_type: string | null;
  permalink: string | null;
  picture_url: string | null;
  comments_count: number | null;
  like_count: number | null;
  posted_at: Date;
};

/** Adds what is new and refreshes what is known. Returns the ids that are new, and those whose picture we do not have. */
export async function upsertFetched(
  db: Database,
  connection: SyncedConnection,
  posts: FetchedPost[],
  now: Date,
): Promise<{ added: string[]; unpictured: string[] }> {
  const { rows } = await sql<{ id: string; added: boolean; unpictured: boolean }>`
    insert into posts (creator_id, connection_id, synced_at, id, caption, caption_key, asked_word, media_type, product_type,
      permalink, picture_url, comments_count, like_count, posted_at)
    select ${connection.creatorId}::uuid, ${connection.id}::uuid, ${now}::timestamptz, fetched.*
    from json_to_recordset(${JSON.stringify(posts)}) as fetched (id text, caption text, caption_key text,
      asked_word text, media_type text, product_type text, permalink text, picture_url text, comments_count bigint, like_count bigint,
      posted_at timestamptz)
    -- Two syncs of a connection may cross: both take its posts in this order.
    order by fetched.id
    on conflict (creator_id, id) do update set
      connection_id = excluded.connection_id, synced_at = excluded.synced_at, gone_at = null,
      caption = excluded.caption, caption_key = excluded.caption_key,
      asked_word = excluded.asked_word, media_type = excluded.media_type,
      product_type = excluded.product_type, permalink = excluded.permalink, picture_url = excluded.picture_url,
      comments_count = coalesce(excluded.comments_count, posts.comments_count),
      like_count = coalesce(excluded.like_count, posts.like_count), posted_at = excluded.posted_at
    returning id, xmax = 0 as added, ${lacksPicture} as unpictured
  `.execute(db.engine);
  return {
    added: rows.filter((row) => row.added).map((row) => row.id),
    unpictured: rows.filter((row) => row.unpictured).map((row) => row.id),
  };
}

/** Posts of this time that Meta no longer lists; our copies of their pictures go at once. */
export async function markGone(
  db: Database,
  connection: SyncedConnection,
  listed: { ids: string[]; since: Date | null },
  now: Date,
): Promise<number> {
  const result = await sql`
    with gone as (
      select creator_id, id from posts
      where creator_id = ${connection.creatorId} and connection_id = ${connection.id} and gone_at is null
        and (${listed.since}::timestamptz is null or posted_at > ${listed.since})
        and id <> all(${listed.ids})
      order by id for update
    ), unpictured as (
      delete from post_pictures t using gone where t.creator_id = gone.creator_id and t.post_id = gone.id
    )
    update posts p set gone_at = ${now} from gone where p.creator_id = gone.creator_id and p.id = gone.id
  `.execute(db.engine);
  return Number(result.numAffectedRows ?? 0);
}

/** Whether the creator has a connected account at all, be its token as it may. */
export async function hasConnection(db: Database, creatorId: string): Promise<boolean> {
  const { rows } = await sql`
    select from connections where creator_id = ${creatorId} and disconnected_at is null and ${HAS_POSTS} limit 1
  `.execute(db.engine);
  return rows.length > 0;
}

export async function recordSync(
  db: Database,
  connection: SyncedConnection,
  sync: { at: Date; toTheEnd: boolean },
): Promise<void> {
  await db.engine
    .updateTable('connections')
    .set({
      posts_synced_at: sync.at,
      posts_tried_at: sync.at,
      ...(sync.toTheEnd && { posts_fully_synced_at: sync.at }),
    })
    .where('creator_id', '=', connection.creatorId)
    .where('id', '=', connection.id)
    .execute();
}

/** False: there is no such post. */
export async function setTestedUntil(
  trx: CreatorTransaction,
  creatorId: string,
  postId: string,
  until: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('posts')
    .set({ tested_until: until })
    .where('creator_id', '=', creatorId)
    .where('id', '=', postId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
