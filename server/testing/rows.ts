/** Just enough of a connection, a post, a comment and a message for tests of what is read and shown. */
import { type Insertable, sql, type Updateable } from 'kysely';
import { systemIds } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type {
  ConnectionsTable,
  InteractionsTable,
  PostsTable,
  StoriesTable,
  WatchedLinksTable,
} from '#server/db/types.ts';

let made = 0;

/** @returns the connection's id */
export async function insertConnection(
  db: Database,
  creatorId: string,
  over: Updateable<ConnectionsTable> = {},
): Promise<string> {
  made++;
  const id = systemIds.uuid(new Date());
  await db.engine
    .insertInto('connections')
    .values({
      creator_id: creatorId,
      id,
      platform: 'instagram',
      account_id: `1784100000${made}`,
      username: `kitchen.${made}`,
      connected_at: new Date(),
      ...over,
    })
    .execute();
  return id;
}

export async function insertPost(
  db: Database,
  creatorId: string,
  connectionId: string,
  over: Updateable<PostsTable> = {},
): Promise<string> {
  made++;
  const id = over.id ?? `post-${made}`;
  await db.engine
    .insertInto('posts')
    .values({
      creator_id: creatorId,
      connection_id: connectionId,
      posted_at: new Date(),
      synced_at: new Date(),
      ...over,
      id,
    } as Insertable<PostsTable>)
    .execute();
  return id;
}

/** A story that runs, up since now. @returns its id */
export async function insertStory(
  db: Database,
  creatorId: string,
  connectionId: string,
  over: Updateable<StoriesTable> = {},
): Promise<string> {
  made++;
  const id = over.id ?? `story-${made}`;
  const postedAt = (over.posted_at as Date | undefined) ?? new Date();
  await db.engine
    .insertInto('stories')
    .values({
      creator_id: creatorId,
      connection_id: connectionId,
      kind: 'story',
      posted_at: postedAt,
      expires_at: over.kind === 'live' ? null : new Date(postedAt.getTime() + 24 * 3_600_000),
      seen_at: postedAt,
      ...over,
      id,
    } as Insertable<StoriesTable>)
    .execute();
  return id;
}

/** A comment, and its writer as a contact; skipped for lack of a word unless told otherwise. @returns its id */
export async function insertInteraction(
  db: Database,
  creatorId: string,
  connectionId: string,
  over: Updateable<InteractionsTable> = {},
): Promise<string> {
  made++;
  const at = over.received_at ?? new Date();
  const id = systemIds.uuid(new Date());
  const { person_id, username, occurred_at, reason } = await db.engine
    .insertInto('interactions')
    .values({
      creator_id: creatorId,
      id,
      connection_id: connectionId,
      kind: 'comment',
      platform_id: `comment-${made}`,
      person_id: `person-${made}`,
      username: `follower.${made}`,
      text: 'Looks lovely',
      occurred_at: at,
      received_at: at,
      outcome: 'skipped',
      reason: 'no_match',
      outcome_at: at,
      ...over,
    } as Insertable<InteractionsTable>)
    .returning(['person_id', 'username', 'occurred_at', 'reason'])
    .executeTakeFirstOrThrow();
  if (reason === 'own_comment') return id;
  await db.engine
    .insertInto('people')
    .values({
      creator_id: creatorId,
      connection_id: connectionId,
      id: person_id,
      username,
      first_seen_at: occurred_at,
      last_seen_at: occurred_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['creator_id', 'connection_id', 'id']).doUpdateSet({
        username: sql`coalesce(excluded.username, people.username)`,
        last_seen_at: sql`greatest(people.last_seen_at, excluded.last_seen_at)`,
      }),
    )
    .execute();
  return id;
}

/** An address that an automation sends. @returns its id */
export async function insertWatchedLink(
  db: Database,
  creatorId: string,
  automationId: string,
  over: Updateable<WatchedLinksTable> = {},
): Promise<string> {
  made++;
  const id = systemIds.uuid(new Date());
  await db.engine
    .insertInto('watched_links')
    .values({
      creator_id: creatorId,
      id,
      url: `https://example.test/${made}`,
      url_hash: `hash-${made}`,
      host: 'example.test',
      next_check_at: new Date(),
      ...over,
    } as Insertable<WatchedLinksTable>)
    .execute();
  await db.engine
    .insertInto('link_uses')
    .values({ creator_id: creatorId, automation_id: automationId, link_id: id })
    .execute();
  return id;
}
