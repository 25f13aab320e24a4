/** Keeps the creator's posts as they stand at Instagram, and with the Facebook Addon on their Pages. */
import type { FastifyBaseLogger } from 'fastify';
import { askedWord } from '#contract/caption-words.ts';
import type { LiveEvent } from '#contract/interactions.ts';
import { normaliseText } from '#contract/matching/index.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { attachNewPosts } from '#server/features/prepared-posts/attach-posts.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import type { Media } from '#server/platforms/meta/types.ts';
import { keepPicture } from './pictures.ts';
import * as queries from './queries.ts';

export type SyncDeps = {
  db: Database;
  clock: Clock;
  meta: Pick<MetaClient, 'media'>;
  live: { publish(creatorId: string, event: LiveEvent): void };
  automationsChanged(change: { creatorId: string }): Promise<void> | void;
  /** The token that speaks for a connection; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  log: FastifyBaseLogger;
};

export type SyncResult = { added: number; updated: number; gone: number };

/** `recent`: newest pages until one has nothing new, once the whole list was read a first time. `full`: every post, so that older figures and pictures are fresh. */
export type SyncExtent = 'recent' | 'full';

/** Meta allows 100 [R]. */
const POSTS_PER_PAGE = 100;
const PAGES_AT_MOST = 200;

/**
 * Fetches the posts of one connection. Safe to repeat and to interrupt: each page is stored by itself, and a post is
 * only called gone when the list was read past its time.
 *
 * @throws AppError needs_reconnect, platform_unreachable
 */
export async function syncConnectionPosts(
  deps: SyncDeps,
  connection: queries.SyncedConnection,
  extent: SyncExtent,
): Promise<SyncResult> {
  const { db, clock, meta } = deps;
  const speaker = await deps.speakerOf(connection);
  if (speaker === null) throw new AppError('needs_reconnect', 'Reconnect the account in Settings to sync its posts.');

  const result: SyncResult = { added: 0, updated: 0, gone: 0 };
  const listed: string[] = [];
  let oldest: Date | null = null;
  let after: string | null = null;
  for (let page = 0; page < PAGES_AT_MOST; page++) {
    const answer: Awaited<ReturnType<MetaClient['media']>> = await meta.media({
      ...speaker,
      accountId: connection.accountId,
      limit: POSTS_PER_PAGE,
      ...(after !== null && { after }),
    });
    if (!answer.ok) throw failureOf(answer.verdict, connection.platform);
    const now = clock.now();
    // A post may move to the next page while we read.
    const posts = [...new Map(answer.data.items.map((media) => [media.id, fetched(media, now)])).values()];
    const { added, unpictured } = await queries.upsertFetched(db, connection, posts, now);
    const { creatorId } = connection;
    await later(db.engine, { clock }, keepPicture, ...unpictured.map((postId) => ({ creatorId, postId })));
    result.added += added.length;
    result.updated += posts.length - added.length;
    for (const post of posts) {
      listed.push(post.id);
      if (oldest === null || post.posted_at < oldest) oldest = post.posted_at;
    }
    after = answer.data.after;
    if (after === null) break;
    if (extent === 'recent' && connection.fullySyncedAt !== null && added.length === 0) break;
  }
  const toTheEnd = after === null;
  result.gone = await queries.markGone(db, connection, { ids: listed, since: toTheEnd ? null : oldest }, clock.now());
  await queries.recordSync(db, connection, { at: clock.now(), toTheEnd });
  await attachNewPosts(deps, connection);
  return result;
}

/**
 * Fetches what is new on all connected accounts of a creator.
 *
 * @throws AppError not_connected, needs_reconnect, platform_unreachable when no account could be fetched
 */
export async function syncNow(deps: SyncDeps, creatorId: string): Promise<{ added: number; updated: number }> {
  const connections = await queries.findConnections(deps.db, creatorId);
  if (connections.length === 0) {
    const waiting = await queries.hasConnection(deps.db, creatorId);
    throw waiting
      ? new AppError('needs_reconnect', 'Reconnect your account in Settings, then sync your posts again.')
      : new AppError('not_connected', 'Connect an Instagram account in Settings first.');
  }
  const total = { added: 0, updated: 0 };
  let failure: AppError | null = null;
  let fetched = 0;
  for (const connection of connections) {
    try {
      const { added, updated } = await syncConnectionPosts(deps, connection, 'recent');
      total.added += added;
      total.updated += updated;
      fetched++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failure = error;
    }
  }
  // One account that cannot be fetched shows in its health; the others are here.
  if (fetched === 0 && failure !== null) throw failure;
  return total;
}

const MINUTE_MS = 60_000;
const RECENT_EVERY_MS = 15 * MINUTE_MS;
/** Where an automation waits for a post: on each turn of the job, whose turns are never quite a minute apart. */
const AWAITED_EVERY_MS = 50_000;
const FULL_EVERY_MS = 24 * 60 * MINUTE_MS;
const CONNECTIONS_PER_RUN = 50;

/** For the worker's list of repeated jobs. Picture addresses of Meta expire after some days [R]: a full sync every day. */
export const postJobs = [
  {
    name: 'sync-posts',
    everyMs: MINUTE_MS,
    run: async (deps: SyncDeps) => {
      const now = deps.clock.now().getTime();
      const due = await queries.claimConnections(deps.db, {
        before: new Date(now - RECENT_EVERY_MS),
        awaitedBefore: new Date(now - AWAITED_EVERY_MS),
        now: new Date(now),
        limit: CONNECTIONS_PER_RUN,
      });
      for (const connection of due) {
        const stale = now - (connection.fullySyncedAt?.getTime() ?? 0) > FULL_EVERY_MS;
        try {
          await syncConnectionPosts(deps, connection, stale ? 'full' : 'recent');
          deps.live.publish(connection.creatorId, { what: 'posts' });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          deps.log.warn({ err: error, connectionId: connection.id }, 'posts could not be fetched');
        }
      }
    },
  },
];

function failureOf(
  verdict: { kind: string; detail: string },
  platform: queries.SyncedConnection['platform'],
): AppError {
  const name = platform === 'instagram' ? 'Instagram' : 'Facebook';
  if (verdict.kind === 'reauthenticate') {
    return new AppError('needs_reconnect', `${name} signed us out. Reconnect the account in Settings.`);
  }
  const wait = verdict.kind === 'rate_limited' ? `${name} asked us to wait` : `${name} didn’t respond`;
  return new AppError('platform_unreachable', `${wait}. Your posts haven’t changed. Try again in a few minutes.`, {
    cause: verdict.detail,
  });
}

function fetched(media: Media, now: Date): queries.FetchedPost {
  // PostgreSQL takes neither NUL nor half an emoji.
  const caption = (media.caption ?? '').replaceAll('\u0000', '').toWellFormed();
  const postedAt = new Date(media.timestamp);
  return {
    id: media.id,
    caption,
    caption_key: normaliseText(caption).key.toWellFormed(),
    asked_word: askedWord(caption),
    media_type: media.media_type ?? null,
    product_type: media.media_product_type ?? null,
    permalink: media.permalink ?? null,
    // A video's media_url is the film itself.
    picture_url: media.thumbnail_url ?? (media.media_type === 'VIDEO' ? null : media.media_url) ?? null,
    comments_count: media.comments_count ?? null,
    like_count: media.like_count ?? null,
    posted_at: Number.isNaN(postedAt.getTime()) ? now : postedAt,
  };
}
