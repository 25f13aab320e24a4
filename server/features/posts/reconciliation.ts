/** Outcomes of a post's comments, and how our number and Instagram's meet. Pure. */
import { type OutcomeStatus, REASONS, type Reason } from '#contract/outcomes.ts';
import { type Count, tallyOf } from '#server/engine/outcomes/counts.ts';

/**
 * How Instagram's number and ours meet: instagramCounts = comments + own - since - deleted + hidden + earlier. Exact once the post
 * has been read to its first comment; until then what Instagram counts beyond ours is from before our time or hidden.
 *
 * @param seen comments and the account's own, as Instagram counts them
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
  // Found comments are shown a moment later; and Instagram's own number lags behind its list at times.
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

/** Outcomes of the comments, and why some were not answered. */
export function reconcile(counts: Count[]) {
  return {
    ...tallyOf(counts),
    failures: counts
      .filter((count) => UNHAPPY.has(count.counted as OutcomeStatus))
      .map(({ reason, count }) => ({ reason, says: saysOf(reason), count }))
      .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
  };
}

const UNHAPPY: ReadonlySet<OutcomeStatus> = new Set(['failed', 'expired', 'missed']);

function saysOf(reason: Reason | ''): string {
  return reason !== '' && reason in REASONS ? REASONS[reason].says : 'It wasn’t sent.';
}
