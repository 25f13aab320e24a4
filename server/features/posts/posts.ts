/** Posts and reels as the creator sees them, with what became of their comments. */
import { captionWords } from '#contract/caption-words.ts';
import { type OutcomeStatus, REASONS, type Reason } from '#contract/outcomes.ts';
import type { Post } from '#contract/posts.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { type Count, isMatched, readCounts, sumOf } from '#server/engine/outcome-counts.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/paging.ts';
import * as queries from './queries.ts';

const PAGE_SIZE = 30;

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: queries.PostFilter & { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const rows = await queries.findPage(trx, creatorId, query, {
    after: readPosition(query.after, 'text'),
    limit: limit + 1,
  });
  const { items, next } = pageFrom(rows, limit);
  return {
    items: await viewsOf(trx, creatorId, items),
    next,
    total: await queries.count(trx, creatorId, query),
    syncedAt: (await queries.findSyncedAt(trx, creatorId))?.toISOString() ?? null,
  };
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, id: string) {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined)
    throw new AppError('not_found', 'This post is not among your posts. Refresh them and try again.');
  const [post] = await viewsOf(trx, creatorId, [row]);
  const figures = reconcile((await readCounts(trx, creatorId, 'post', [id])).get(id) ?? []);
  const waitingUntil = post!.waiting > 0 ? await queries.findWaitingUntil(trx, creatorId, id) : null;
  return {
    ...post!,
    reconciliation: {
      ...figures,
      ...meet(figures.seen, row, await queries.findReading(trx, creatorId, id)),
      found: await queries.countFound(trx, creatorId, id),
      waitingUntil: waitingUntil?.toISOString() ?? null,
    },
    suggestedWords: captionWords(row.caption),
  };
}

/**
 * How Instagram's number and ours meet: instagramCounts = seen - since - deleted + hidden + earlier. Exact once the post
 * has been read to its first comment; until then what Instagram counts beyond ours is from before our time or hidden.
 */
export function meet(
  seen: number,
  post: { comments_count: number | null; synced_at: Date },
  reading: { listed: number; platformCounted: number; seen: number; wholeAt: Date } | null,
) {
  if (reading === null) {
    const counts = post.comments_count;
    return {
      instagramCounts: counts,
      countedAt: counts === null ? null : post.synced_at.toISOString(),
      hidden: null,
      earlier: Math.max(0, (counts ?? seen) - seen),
      deleted: 0,
      since: Math.max(0, seen - (counts ?? seen)),
    };
  }
  const { listed, platformCounted } = reading;
  const deleted = Math.max(0, reading.seen - listed);
  const hidden = Math.max(0, platformCounted - listed);
  // What was found is seen a moment later; and Instagram's own number lags behind its list at times.
  const since = seen - deleted + hidden - platformCounted;
  return {
    instagramCounts: platformCounted,
    countedAt: reading.wholeAt.toISOString(),
    hidden: hidden - Math.min(0, since),
    earlier: 0,
    deleted,
    since: Math.max(0, since),
  };
}

/** Splits what was seen without remainder: seen = sent + waiting + failed + expired + missed + skipped + own. */
export function reconcile(counts: Count[]) {
  const sum = (counted: Count['counted']) => sumOf(counts, (count) => count.counted === counted);
  const isOwn = (count: Count) => count.reason === 'own_comment';
  const own = sumOf(counts, isOwn);
  const parts = {
    sent: sum('replied'),
    waiting: sum('waiting'),
    failed: sum('failed'),
    expired: sum('expired'),
    missed: sum('missed'),
    skipped: sumOf(counts, (count) => count.counted === 'skipped' && !isOwn(count)),
    own,
  };
  return {
    seen: Object.values(parts).reduce((total, part) => total + part, 0),
    matched: sumOf(counts, isMatched),
    ...parts,
    failures: counts
      .filter((count) => UNHAPPY.has(count.counted as OutcomeStatus))
      .map(({ reason, count }) => ({ reason, says: saysOf(reason), count }))
      .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
    opened: sum('opened'),
    clicked: sum('clicked'),
  };
}

const UNHAPPY: ReadonlySet<OutcomeStatus> = new Set(['failed', 'expired', 'missed']);

function saysOf(reason: Reason | ''): string {
  return reason !== '' && reason in REASONS ? REASONS[reason].says : 'It did not go out.';
}

async function viewsOf(trx: CreatorTransaction, creatorId: string, rows: queries.PostRow[]): Promise<Post[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const counts = await readCounts(trx, creatorId, 'post', ids);
  const automations = await queries.findAutomationWords(trx, creatorId, ids);
  return rows.map((row) => {
    const figures = reconcile(counts.get(row.id) ?? []);
    return {
      id: row.id,
      connectionId: row.connection_id,
      caption: row.caption,
      mediaType: row.media_type,
      productType: row.product_type,
      permalink: row.permalink,
      pictureUrl: row.picture_url,
      postedAt: row.posted_at.toISOString(),
      commentsCount: row.comments_count,
      likeCount: row.like_count,
      gone: row.gone_at !== null,
      automation: row.automation,
      automationWords: wordsOn(row, automations),
      seen: figures.seen,
      sent: figures.sent,
      waiting: figures.waiting,
      failed: figures.failed + figures.expired,
    };
  });
}

/** What the post listens for; of one whose automations are all off, what it would listen for. */
function wordsOn(post: queries.PostRow, automations: queries.AutomationWords[]): string[] {
  const listening = automations.filter(
    ({ postId, connectionId, on }) =>
      (postId === post.id || (postId === null && connectionId === post.connection_id)) &&
      on === (post.automation === 'on'),
  );
  return [...new Set(listening.flatMap(({ words }) => words))];
}
