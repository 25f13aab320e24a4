import { type Selectable, sql } from 'kysely';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import type { StoriesTable } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/page-position.ts';
import type { Figures } from '#server/platforms/meta/insights.ts';

export type StoryRow = Omit<Selectable<StoriesTable>, 'insights'> & {
  insights: Figures | null;
  has_picture: boolean;
  /** The creator's day on which it went up */
  posted_on: string;
  position: string;
};

export type StoryFilter = {
  kind?: 'story' | 'live';
  state?: 'running' | 'over' | undefined;
  ids?: string[];
  postedFrom?: Date;
};

/** Newest first. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  filter: StoryFilter,
  page: { after: PagePosition | null; limit: number },
): Promise<StoryRow[]> {
  const all = [sql`s.creator_id = ${creatorId}`];
  if (filter.kind !== undefined) all.push(sql`s.kind = ${filter.kind}`);
  if (filter.state === 'running') all.push(sql`s.ended_at is null`);
  if (filter.state === 'over') all.push(sql`s.ended_at is not null`);
  if (filter.ids !== undefined) all.push(sql`s.id = any(${filter.ids})`);
  if (filter.postedFrom !== undefined) all.push(sql`s.posted_at >= ${filter.postedFrom}`);
  if (page.after !== null) all.push(sql`(s.posted_at, s.id) < (${page.after.at}::timestamptz, ${page.after.id})`);
  const { rows } = await sql<StoryRow>`
    select s.*, s.posted_at::text as position, day_of(s.creator_id, s.posted_at)::text as posted_on,
      exists (select from story_pictures p where p.creator_id = s.creator_id and p.story_id = s.id) as has_picture
    from stories s
    where ${sql.join(all, sql` and `)}
    order by s.posted_at desc, s.id desc
    limit ${page.limit}
  `.execute(trx);
  return rows;
}

/** When Instagram was last asked for the stories of any connected account. */
export async function findReadAt(trx: CreatorTransaction, creatorId: string): Promise<Date | null> {
  const row = await trx
    .selectFrom('connections')
    .select((select) => select.fn.max('stories_read_at').as('at'))
    .where('creator_id', '=', creatorId)
    .where('disconnected_at', 'is', null)
    .executeTakeFirst();
  return (row?.at as Date | null | undefined) ?? null;
}

export async function findPicture(trx: CreatorTransaction, creatorId: string, storyId: string) {
  return trx
    .selectFrom('story_pictures')
    .select(['content_type', 'bytes'])
    .where('creator_id', '=', creatorId)
    .where('story_id', '=', storyId)
    .executeTakeFirst();
}

export type StoryAutomation = {
  trigger: 'story_reply' | 'live_comment';
  postId: string | null;
  connectionId: string;
  words: string[];
  on: boolean;
};

/** Automations of these stories and lives, and those for any of them. */
export async function findAutomations(
  trx: CreatorTransaction,
  creatorId: string,
  storyIds: string[],
): Promise<StoryAutomation[]> {
  const { rows } = await sql<StoryAutomation>`
    select trigger, post_id as "postId", connection_id as "connectionId",
      case when mode = 'any_comment' then '{}' else words end as words, switched_on_at is not null as on
    from automations
    where creator_id = ${creatorId} and archived_at is null and trigger in ('story_reply', 'live_comment')
      and (post_id = any(${storyIds}) or scope = 'any')
    order by post_id is null, created_at desc, id
  `.execute(trx);
  return rows;
}

/** How many e-mail addresses were given in conversations that a reply to each of these stories began. */
export async function countAddresses(
  trx: CreatorTransaction,
  creatorId: string,
  storyIds: string[],
): Promise<Map<string, number>> {
  if (storyIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; addresses: number }>`
    select post_id as id, count(distinct email) as addresses from consents
    where creator_id = ${creatorId} and post_id = any(${storyIds})
    group by post_id
  `.execute(trx);
  return new Map(rows.map(({ id, addresses }) => [id, addresses]));
}

// --- Reading Instagram

export type ReadConnection = { creatorId: string; id: string; platform: 'instagram'; accountId: string };

const READ_CONNECTION = sql`c.creator_id as "creatorId", c.id, c.platform, c.account_id as "accountId"`;
const CAN_READ = sql`c.platform = 'instagram' and c.disconnected_at is null and c.requires_auth_at is null`;

/** A creator's connected Instagram accounts whose tokens work. */
export async function findConnections(db: Database, creatorId: string): Promise<ReadConnection[]> {
  const { rows } = await sql<ReadConnection>`
    select ${READ_CONNECTION} from connections c where ${CAN_READ} and c.creator_id = ${creatorId} order by c.connected_at
  `.execute(db.engine);
  return rows;
}

/** Whether the creator has a connected account at all, be its token as it may. */
export async function hasConnection(db: Database, creatorId: string): Promise<boolean> {
  const row = await db.engine
    .selectFrom('connections')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('platform', '=', 'instagram')
    .where('disconnected_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Connections whose stories nobody tried to read since `before`, marked as tried. */
export async function claimForStories(
  db: Database,
  claim: { before: Date; now: Date; limit: number },
): Promise<ReadConnection[]> {
  const { rows } = await sql<ReadConnection>`
    update connections c set stories_tried_at = ${claim.now}
    where (c.creator_id, c.id) in (
      select c.creator_id, c.id from connections c
      where ${CAN_READ} and (c.stories_tried_at is null or c.stories_tried_at <= ${claim.before})
      order by c.stories_tried_at nulls first
      limit ${claim.limit}
    )
    returning ${READ_CONNECTION}
  `.execute(db.engine);
  return rows;
}

/** The same for live videos: those that run are watched closely, those that an automation waits for less so. */
export async function claimForLives(
  db: Database,
  claim: { runningBefore: Date; awaitedBefore: Date; before: Date; now: Date; limit: number },
): Promise<ReadConnection[]> {
  const { rows } = await sql<ReadConnection>`
    update connections c set lives_tried_at = ${claim.now}
    where (c.creator_id, c.id) in (
      select c.creator_id, c.id from connections c
      where ${CAN_READ} and (
        c.lives_tried_at is null or c.lives_tried_at <= ${claim.before}
        or (c.lives_tried_at <= ${claim.runningBefore} and exists (
          select from stories s
          where s.creator_id = c.creator_id and s.connection_id = c.id and s.kind = 'live' and s.ended_at is null
        ))
        or (c.lives_tried_at <= ${claim.awaitedBefore} and exists (
          select from automations a
          where a.creator_id = c.creator_id and a.connection_id = c.id and a.trigger = 'live_comment'
            and a.archived_at is null and a.switched_on_at is not null
        ))
      )
      order by c.lives_tried_at nulls first
      limit ${claim.limit}
    )
    returning ${READ_CONNECTION}
  `.execute(db.engine);
  return rows;
}

export type ReadStory = {
  id: string;
  kind: 'story' | 'live';
  video: boolean;
  caption: string;
  permalink: string | null;
  posted_at: Date;
  expires_at: Date | null;
};

/** Stories Instagram lists are running, also when we thought them over, but never past their time. Returns those without a picture. */
export async function upsertListed(
  db: Database,
  connection: ReadConnection,
  listed: ReadStory[],
  now: Date,
): Promise<Set<string>> {
  if (listed.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    with listed as (
      insert into stories (creator_id, connection_id, seen_at, id, kind, video, caption, permalink, posted_at, expires_at)
      select ${connection.creatorId}::uuid, ${connection.id}::uuid, ${now}::timestamptz, listed.*
      from json_to_recordset(${JSON.stringify(listed)}) as listed (id text, kind text, video boolean, caption text,
        permalink text, posted_at timestamptz, expires_at timestamptz)
      on conflict (creator_id, id) do update set
        connection_id = excluded.connection_id, seen_at = excluded.seen_at,
        ended_at = case when excluded.expires_at <= ${now} then stories.ended_at end, kind = excluded.kind,
        video = excluded.video, caption = excluded.caption, permalink = excluded.permalink,
        posted_at = excluded.posted_at, expires_at = excluded.expires_at
      returning creator_id, id
    )
    select id from listed
    where not exists (
      select from story_pictures p where p.creator_id = listed.creator_id and p.story_id = listed.id
    )
  `.execute(db.engine);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stories and lives that we only know because somebody wrote there: up and gone between two readings, or younger than
 * the last one.
 */
export async function addHeardOf(db: Database, connection: ReadConnection, since: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into stories (creator_id, connection_id, id, kind, posted_at, expires_at)
    select creator_id, connection_id, post_id, case when bool_or(kind = 'live_comment') then 'live' else 'story' end,
      min(occurred_at), case when bool_or(kind = 'live_comment') then null else min(occurred_at) + interval '24 hours' end
    from interactions i
    where creator_id = ${connection.creatorId} and connection_id = ${connection.id} and received_at > ${since}
      and kind in ('live_comment', 'story_reply') and post_id is not null
      and not exists (select from stories s where s.creator_id = i.creator_id and s.id = i.post_id)
    group by creator_id, connection_id, post_id
    on conflict do nothing
  `.execute(db.engine);
  return Number(numAffectedRows ?? 0);
}

/** Ends stories Instagram no longer lists. Returns their ids. */
export async function endUnlisted(
  db: Database,
  connection: ReadConnection,
  ended: { kind: 'story' | 'live'; listed: string[]; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update stories set ended_at = least(${ended.now}::timestamptz, expires_at)
    where creator_id = ${connection.creatorId} and connection_id = ${connection.id} and kind = ${ended.kind}
      and ended_at is null and id <> all(${ended.listed})
    returning id
  `.execute(db.engine);
  return rows.map(({ id }) => id);
}

/** Stories whose 24 hours are over, and lives without an event for so long that they cannot run any more. */
export async function endByTime(
  db: Database,
  { now, livesUnseenSince }: { now: Date; livesUnseenSince: Date },
): Promise<{ creatorId: string; id: string; kind: 'story' | 'live' }[]> {
  const { rows } = await sql<{ creatorId: string; id: string; kind: 'story' | 'live' }>`
    update stories set ended_at = coalesce(expires_at, seen_at, posted_at)
    where ended_at is null
      and (expires_at <= ${now} or (kind = 'live' and coalesce(seen_at, posted_at) < ${livesUnseenSince}))
    returning creator_id as "creatorId", id, kind
  `.execute(db.engine);
  return rows;
}

export async function recordReading(db: Database, connection: ReadConnection, now: Date): Promise<void> {
  await db.engine
    .updateTable('connections')
    .set({ stories_tried_at: now, stories_read_at: now })
    .where('creator_id', '=', connection.creatorId)
    .where('id', '=', connection.id)
    .execute();
}

/** Running stories whose figures were last read before `olderThan`, or, when they end before `endingBefore`, before `lastCall`. */
export async function findInsightsDue(
  db: Database,
  connection: ReadConnection,
  due: { olderThan: Date; endingBefore: Date; lastCall: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from stories
    where creator_id = ${connection.creatorId} and connection_id = ${connection.id} and kind = 'story'
      and ended_at is null and seen_at is not null
      and (insights_at is null or insights_at <= ${due.olderThan}
        or (expires_at <= ${due.endingBefore} and insights_at <= ${due.lastCall}))
    order by expires_at
  `.execute(db.engine);
  return rows.map(({ id }) => id);
}

export async function storeInsights(
  db: Database,
  connection: ReadConnection,
  storyId: string,
  insights: { figures: Figures; now: Date },
): Promise<void> {
  await sql`
    update stories set insights = ${JSON.stringify(insights.figures)}::jsonb, insights_at = ${insights.now}
    where creator_id = ${connection.creatorId} and id = ${storyId}
  `.execute(db.engine);
}

export async function storePicture(
  db: Database,
  connection: ReadConnection,
  storyId: string,
  picture: { contentType: string; bytes: Buffer },
): Promise<void> {
  await db.engine
    .insertInto('story_pictures')
    .values({
      creator_id: connection.creatorId,
      story_id: storyId,
      content_type: picture.contentType,
      bytes: picture.bytes,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Messages sent for these interactions. */
export async function findSentTexts(
  trx: CreatorTransaction,
  creatorId: string,
  interactionIds: string[],
): Promise<Map<string, string>> {
  if (interactionIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; text: string }>`
    select distinct on (interaction_id) interaction_id as id, content->>'text' as text
    from deliveries
    where creator_id = ${creatorId} and interaction_id = any(${interactionIds}) and state = 'sent'
      and kind <> 'public_reply'
    order by interaction_id, created_at
  `.execute(trx);
  return new Map(rows.map(({ id, text }) => [id, text]));
}
