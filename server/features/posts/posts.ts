/** Posts and reels as the creator sees them, with what became of their comments. */
import { captionWords } from '#contract/caption-words.ts';
import { type Post, TEST_LASTS_MINUTES } from '#contract/posts.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { readCounts } from '#server/engine/outcomes/counts.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import * as queries from './queries.ts';
import { meet, reconcile } from './reconciliation.ts';

const PAGE_SIZE = 30;

export async function list(
  trx: CreatorTransaction,
  creatorId: string,
  query: queries.PostFilter & {
    sort?: queries.PostOrder | undefined;
    after?: string | undefined;
    limit?: number | undefined;
  },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const order = query.sort ?? 'newest';
  const rows = await queries.findPage(trx, creatorId, query, {
    order,
    after: readPosition(query.after, 'text', order === 'newest' ? 'time' : 'number'),
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
  if (row === undefined) throw new AppError('not_found', 'We can’t find this post. Sync your posts and try again.');
  const [post] = await viewsOf(trx, creatorId, [row]);
  const figures = reconcile((await readCounts(trx, creatorId, 'post', [id])).get(id) ?? []);
  const waitingUntil = post!.waiting > 0 ? await queries.findWaitingUntil(trx, creatorId, id) : null;
  return {
    ...post!,
    reconciliation: {
      ...figures,
      ...meet(figures.comments + figures.own, row, await queries.findReading(trx, creatorId, id)),
      found: await queries.countFound(trx, creatorId, id),
      waitingUntil: waitingUntil?.toISOString() ?? null,
    },
    suggestedWords: captionWords(row.caption),
  };
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
      pictureUrl: row.shown_picture,
      postedAt: row.posted_at.toISOString(),
      instagramCounts: row.comments_count,
      likeCount: row.like_count,
      gone: row.gone_at !== null,
      automation: row.automation,
      asksFor: row.asked_word,
      automationWords: wordsOn(row, automations),
      comments: figures.comments,
      matched: figures.matched,
      sent: figures.sent,
      waiting: figures.waiting,
      failed: figures.failed + figures.expired,
    };
  });
}

/** Keywords the post listens for; with all automations off, those it would listen for. */
function wordsOn(post: queries.PostRow, automations: queries.AutomationWords[]): string[] {
  const listening = automations.filter(
    ({ postId, connectionId, on }) =>
      (postId === post.id || (postId === null && connectionId === post.connection_id)) &&
      on === (post.automation === 'on'),
  );
  return [...new Set(listening.flatMap(({ words }) => words))];
}

/** Begins or ends the live test of a post. @throws AppError not_found */
export async function test(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  postId: string,
  open: boolean,
): Promise<{ until: string | null }> {
  const until = open ? new Date(clock.now().getTime() + TEST_LASTS_MINUTES * 60_000) : null;
  if (!(await queries.setTestedUntil(trx, creatorId, postId, until))) {
    throw new AppError('not_found', 'We can’t find this post.');
  }
  return { until: until?.toISOString() ?? null };
}
