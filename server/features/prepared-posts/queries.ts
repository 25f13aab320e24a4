import { type Kysely, sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { pictureAddress } from '#server/features/posts/shown-posts.ts';

type Db = Kysely<Tables> | CreatorTransaction;
type Connection = { creatorId: string; id: string };

export type NewPost = { id: string; caption: string; postedAt: Date };

/** Posts that no waiting automation was offered yet; offered from now on, so that each is offered once. */
export async function takeNewPosts(trx: Db, connection: Connection, now: Date): Promise<NewPost[]> {
  const { rows } = await sql<NewPost>`
    with new as (
      select creator_id, id from posts
      where creator_id = ${connection.creatorId} and connection_id = ${connection.id} and offered_at is null
      -- Two syncs of a connection may cross: both take its posts in this order.
      order by id for update
    )
    update posts p set offered_at = ${now}
    from new where p.creator_id = new.creator_id and p.id = new.id
    returning p.id, p.caption, p.posted_at as "postedAt"
  `.execute(trx);
  return rows;
}

export type WaitingRow = {
  id: string;
  name: string;
  scope: 'next' | 'caption';
  words: string[];
  captionWords: string[];
  keywordWords: string[];
  switchedOnAt: Date;
};

/** Those of the connection that are switched on and wait for posts. Nobody else changes them until the transaction ends. */
export async function lockWaiting(trx: Db, connection: Connection): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select a.id, a.name, a.scope, case when a.mode = 'any_comment' then '{}' else a.words end as words,
      a.caption_words as "captionWords", a.switched_on_at as "switchedOnAt",
      array(
        select w from keywords k cross join unnest(k.words) as w
        where k.creator_id = a.creator_id and k.id = any(a.keyword_ids)
      ) as "keywordWords"
    from automations a
    where a.creator_id = ${connection.creatorId} and a.connection_id = ${connection.id} and a.trigger = 'comment'
      and a.scope in ('next', 'caption') and a.switched_on_at is not null and a.archived_at is null
    order by a.id
    for update of a
  `.execute(trx);
  return rows;
}

const CANDIDATES_AT_MOST = 100;

/** The creator's open questions: the newest posts of each automation. */
export async function findCandidates(
  trx: Db,
  creatorId: string,
  automationIds: string[],
): Promise<(NewPost & { automationId: string })[]> {
  const { rows } = await sql<NewPost & { automationId: string }>`
    select automation.id as "automationId", found.* from unnest(${automationIds}::uuid[]) as automation (id)
    cross join lateral (
      select p.id, p.caption, p.posted_at as "postedAt"
      from prepared_candidates c join posts p on p.creator_id = c.creator_id and p.id = c.post_id
      where c.creator_id = ${creatorId} and c.automation_id = automation.id and p.gone_at is null
      order by p.posted_at desc limit ${CANDIDATES_AT_MOST}
    ) as found
    order by found."postedAt" desc
  `.execute(trx);
  return rows;
}

type Pair = { automationId: string; postId: string };

export async function addCandidates(trx: Db, creatorId: string, pairs: Pair[], now: Date): Promise<void> {
  if (pairs.length === 0) return;
  await trx
    .insertInto('prepared_candidates')
    .values(
      pairs.map(({ automationId, postId }) => ({
        creator_id: creatorId,
        automation_id: automationId,
        post_id: postId,
        found_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function forgetCandidates(trx: Db, creatorId: string, automationId: string): Promise<void> {
  await trx
    .deleteFrom('prepared_candidates')
    .where('creator_id', '=', creatorId)
    .where('automation_id', '=', automationId)
    .execute();
}

/** The automation waits no longer; nobody else is asked about its post. False when it did not wait. */
export async function attachNext(trx: Db, creatorId: string, { automationId, postId }: Pair, now: Date) {
  const { numAffectedRows } = await sql`
    update automations set scope = 'one', post_id = ${postId}, prepared_as = 'next', attached_at = ${now},
      version = version + 1, updated_at = ${now}
    where creator_id = ${creatorId} and id = ${automationId} and scope = 'next' and archived_at is null
  `.execute(trx);
  if (numAffectedRows === 0n) return false;
  await trx
    .deleteFrom('prepared_candidates')
    .where('creator_id', '=', creatorId)
    .where((or) => or.or([or('automation_id', '=', automationId), or('post_id', '=', postId)]))
    .execute();
  return true;
}

/** It waits for the next post again. */
export async function detachNext(trx: Db, creatorId: string, automationId: string, now: Date): Promise<void> {
  await sql`
    update automations set scope = 'next', post_id = null, prepared_as = null, attached_at = null,
      version = version + 1, updated_at = ${now}
    where creator_id = ${creatorId} and id = ${automationId}
  `.execute(trx);
}

/** One more post for an automation of scope `caption`. */
export async function attachCaption(trx: Db, creatorId: string, { automationId, postId }: Pair, now: Date) {
  await trx
    .insertInto('automation_posts')
    .values({ creator_id: creatorId, automation_id: automationId, post_id: postId, attached_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function detachCaption(trx: Db, creatorId: string, { automationId, postId }: Pair): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('automation_posts')
    .where('creator_id', '=', creatorId)
    .where('automation_id', '=', automationId)
    .where('post_id', '=', postId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export type PreparedRow = {
  id: string;
  name: string;
  connectionId: string;
  scope: 'one' | 'next' | 'caption';
  preparedAs: 'next' | null;
  words: string[];
  captionWords: string[];
  switchedOnAt: Date | null;
  postId: string | null;
  attachedAt: Date | null;
};

const LISTED_AT_MOST = 100;

/** Waiting ones first, then what was attached last. */
export async function findPrepared(trx: CreatorTransaction, creatorId: string, id?: string): Promise<PreparedRow[]> {
  const { rows } = await sql<PreparedRow>`
    select id, name, connection_id as "connectionId", scope, prepared_as as "preparedAs",
      case when mode = 'any_comment' then '{}' else words end as words, caption_words as "captionWords",
      switched_on_at as "switchedOnAt", post_id as "postId", attached_at as "attachedAt"
    from automations
    where creator_id = ${creatorId} and archived_at is null and trigger = 'comment'
      and (scope in ('next', 'caption') or (scope = 'one' and prepared_as = 'next'))
      ${id === undefined ? sql`` : sql`and id = ${id}`}
    order by scope = 'one', attached_at desc nulls first, created_at desc, id
    ${id === undefined ? sql`limit ${LISTED_AT_MOST}` : sql`for update`}
  `.execute(trx);
  return rows;
}

export type PostRow = {
  id: string;
  caption: string;
  pictureUrl: string | null;
  permalink: string | null;
  posted_at: Date;
};

const POST_COLUMNS = sql`p.id, p.caption, ${pictureAddress} as "pictureUrl", p.permalink, p.posted_at`;

export async function findPosts(trx: Db, creatorId: string, ids: string[]): Promise<Map<string, PostRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PostRow>`
    select ${POST_COLUMNS} from posts p where creator_id = ${creatorId} and id = any(${ids})
  `.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Newest first. */
export async function findCaptionAttachments(
  trx: CreatorTransaction,
  creatorId: string,
): Promise<(PostRow & { automationId: string; attachedAt: Date })[]> {
  const { rows } = await sql<PostRow & { automationId: string; attachedAt: Date }>`
    select ${POST_COLUMNS}, a.automation_id as "automationId", a.attached_at as "attachedAt"
    from automation_posts a join posts p on p.creator_id = a.creator_id and p.id = a.post_id
    where a.creator_id = ${creatorId}
    order by a.attached_at desc, p.posted_at desc
    limit 1000
  `.execute(trx);
  return rows;
}

/** Posts whose caption holds one of the words somewhere, newest first; a rough sieve. */
export async function findByCaption(
  trx: CreatorTransaction,
  creatorId: string,
  connectionId: string,
  wordKeys: string[],
): Promise<PostRow[]> {
  const patterns = wordKeys.map((key) => `%${key.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const { rows } = await sql<PostRow>`
    select ${POST_COLUMNS} from posts p
    where creator_id = ${creatorId} and connection_id = ${connectionId} and gone_at is null
      and caption_key like any(${patterns})
    order by posted_at desc limit 30
  `.execute(trx);
  return rows;
}

export async function findPost(trx: CreatorTransaction, creatorId: string, connectionId: string, postId: string) {
  return trx
    .selectFrom('posts')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('id', '=', postId)
    .where('gone_at', 'is', null)
    .executeTakeFirst();
}

export type AnsweredPost = PostRow & { connectionId: string; automationId: string; name: string; words: string[] };

/** The newest posts that have switched-on automations of their own, with the newest of those. */
export async function findAnsweredPosts(
  trx: CreatorTransaction,
  creatorId: string,
  filter: { postId?: string | undefined; limit: number },
): Promise<AnsweredPost[]> {
  const { rows } = await sql<AnsweredPost>`
    select distinct on (p.posted_at, p.id) ${POST_COLUMNS}, p.connection_id as "connectionId", a.id as "automationId",
      a.name, a.words
    from automations a
    left join automation_posts t on t.creator_id = a.creator_id and t.automation_id = a.id and a.scope = 'caption'
    join posts p on p.creator_id = a.creator_id and p.id = coalesce(a.post_id, t.post_id)
    where a.creator_id = ${creatorId} and a.trigger = 'comment' and a.archived_at is null
      and a.switched_on_at is not null and p.gone_at is null
      ${filter.postId === undefined ? sql`` : sql`and p.id = ${filter.postId}`}
    order by p.posted_at desc, p.id, a.created_at desc
    limit ${filter.limit}
  `.execute(trx);
  return rows;
}
