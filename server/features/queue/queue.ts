/** The queue as the creator sees it, and what they do with it. */
import type { BodyOf } from '#contract/endpoint.ts';
import type { Reason } from '#contract/outcomes.ts';
import type { controlQueue, Queue } from '#contract/queue.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { FIRST_POST_PRIORITY } from '#server/engine/deciding/comments.ts';
import { putFirst, tellWaiting } from '#server/engine/outcomes/waiting-rows.ts';
import { AppError } from '#server/errors.ts';
import { findPostViews } from '#server/features/posts/shown-posts.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { heldUp } from './hold-up.ts';
import * as queries from './queries.ts';
import { refreshForecast } from './stored-forecast.ts';

type Deps = { clock: Clock; config: Pick<Config, 'limits'> };
type Connection = { creatorId: string; connectionId: string };

const MINUTE_MS = 60_000;
const PAGE_SIZE = 50;
const POSTS_SHOWN = 100;

/** Queues in which somebody waits, or that the creator steers. */
export async function list(deps: Deps, trx: CreatorTransaction, creatorId: string): Promise<Queue[]> {
  const now = deps.clock.now();
  // The worker has not come to it yet, or is away.
  for (const connectionId of await queries.findUnforecast(trx, creatorId)) {
    await refreshForecast(deps, trx, { creatorId, connectionId });
  }
  const rows = await queries.findQueues(trx, { creatorId }, now);
  return viewsOf(
    deps,
    trx,
    creatorId,
    rows.filter((row) => row.forecast !== null || row.paused_at !== null),
  );
}

/**
 * Changes how the queue goes; what is left out stays as it is.
 *
 * @throws AppError not_found, invalid_input for a post of another account
 */
export async function control(
  deps: Deps,
  trx: CreatorTransaction,
  connection: Connection,
  change: BodyOf<typeof controlQueue>,
  userId: string,
): Promise<Queue> {
  const now = deps.clock.now();
  const [before] = await queries.findQueues(trx, connection, now);
  if (before === undefined) throw notFound();
  const { paused, slow, order, firstPostId } = change;
  if (firstPostId != null && !(await queries.hasPost(trx, connection, firstPostId))) {
    throw new AppError('invalid_input', 'This post belongs to another account.', {
      fields: [{ path: 'firstPostId', message: 'Choose a post of this account.' }],
    });
  }
  await queries.changeControl(
    trx,
    connection,
    {
      ...(paused !== undefined && { paused_at: paused ? (before.paused_at ?? now) : null }),
      ...(slow !== undefined && {
        slowed_to_percent: slow?.toPercent ?? null,
        slowed_until: slow === null ? null : new Date(now.getTime() + slow.minutes * MINUTE_MS),
      }),
      ...(order !== undefined && { sorted: order }),
      ...(firstPostId !== undefined && { first_post_id: firstPostId }),
    },
    { userId, now },
  );
  const its = [connection.connectionId];
  if (paused === true && before.paused_at === null) {
    const from: Reason[] = ['queued', 'rate_limited', 'trying_again'];
    await tellWaiting(trx, its, { from, to: 'paused_by_you', privateReplies: true }, now);
  }
  if (paused === false && before.paused_at !== null) {
    await tellWaiting(trx, its, { from: ['paused_by_you'], to: 'queued', privateReplies: true }, now);
  }
  if (firstPostId !== undefined) await putFirst(trx, connection, firstPostId, FIRST_POST_PRIORITY);
  await refreshForecast(deps, trx, connection);
  const [row] = await queries.findQueues(trx, connection, now);
  return (await viewsOf(deps, trx, connection.creatorId, [row!]))[0]!;
}

/** @throws AppError not_found */
export async function expiring(
  deps: Deps,
  trx: CreatorTransaction,
  connection: Connection,
  query: { after?: string | undefined; limit?: number | undefined },
) {
  const [row] = await queries.findQueues(trx, connection, deps.clock.now());
  if (row === undefined) throw notFound();
  const limit = query.limit ?? PAGE_SIZE;
  const lost = row.forecast?.lost ?? [];
  const after = readPosition(query.after, 'uuid');
  const rows =
    lost.length === 0
      ? []
      : await queries.findLost(trx, connection, lost, row.sorted ?? 'deadline', { after, limit: limit + 1 });
  const { items, next } = pageFrom(rows, limit);
  return {
    items: items.map((item) => ({
      interactionId: item.interaction_id,
      postId: item.post_id,
      username: item.username,
      text: item.text,
      expiresAt: item.expires_at.toISOString(),
    })),
    next,
    total: row.forecast?.expiring ?? 0,
  };
}

async function viewsOf(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  rows: queries.QueueRow[],
): Promise<Queue[]> {
  const posts = await findPostViews(
    trx,
    creatorId,
    rows.flatMap((row) => shownPosts(row).flatMap(({ postId }) => postId ?? [])),
  );
  const now = deps.clock.now();
  return rows.map((row) => {
    const { forecast } = row;
    const hold = heldUp(row);
    const platformPerHour = deps.config.limits.privateRepliesPerHour;
    const slowed = row.slowed_until !== null && row.slowed_until > now ? row.slowed_to_percent : null;
    return {
      connectionId: row.connection_id,
      platform: row.platform,
      username: row.username,
      waiting: forecast?.waiting ?? 0,
      perHour: hold !== null ? 0 : Math.max(1, Math.floor((platformPerHour * (slowed ?? 100)) / 100)),
      platformPerHour,
      doneAt: timestamp(forecast?.doneAtMs),
      heldUp: hold === null ? null : { by: hold.by, says: hold.says, until: hold.until?.toISOString() ?? null },
      expiring: forecast?.expiring ?? 0,
      firstExpiryAt: timestamp(forecast?.firstExpiryAtMs),
      posts: shownPosts(row).map(({ postId, waiting, doneAtMs, expiring }) => ({
        postId,
        caption: posts.get(postId ?? '')?.caption ?? null,
        pictureUrl: posts.get(postId ?? '')?.pictureUrl ?? null,
        waiting,
        doneAt: timestamp(doneAtMs),
        expiring,
      })),
      control: {
        paused: row.paused_at !== null,
        slowedToPercent: slowed,
        slowedUntil: slowed === null ? null : row.slowed_until!.toISOString(),
        order: row.sorted ?? 'deadline',
        firstPostId: row.first_post_id,
      },
      madeAt: (row.made_at ?? now).toISOString(),
    };
  });
}

function shownPosts({ forecast }: queries.QueueRow) {
  return forecast?.posts.slice(0, POSTS_SHOWN) ?? [];
}

function timestamp(ms: number | null | undefined): string | null {
  return ms == null ? null : new Date(ms).toISOString();
}

function notFound(): AppError {
  return new AppError('not_found', 'This account is no longer connected.');
}
