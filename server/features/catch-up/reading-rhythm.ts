/** How often the comments of a post are read, how far back, and which of them are news. Pure. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Webhooks bring nearly everything; a reading finds the rest. Oftener while a lost comment would still be missed by its writer. */
export function nextReadingAfterMs(ageMs: number): number {
  if (ageMs < HOUR_MS) return 2 * MINUTE_MS;
  if (ageMs < DAY_MS) return 10 * MINUTE_MS;
  if (ageMs < 7 * DAY_MS) return HOUR_MS;
  return DAY_MS;
}

/** After a failure: a minute, doubling up to an hour. */
export function retryAfterMs(failures: number): number {
  return Math.min(MINUTE_MS * 2 ** failures, HOUR_MS);
}

/** Old, read before, and as many comments as then: the daily look at all posts tells whether their number changed. */
export function isQuiet(post: {
  ageMs: number;
  readTo: Date | null;
  cursor: string | null;
  commentsCount: number | null;
  platformCounted: number | null;
}): boolean {
  if (post.readTo === null || post.cursor !== null) return false;
  return post.ageMs > 7 * DAY_MS && post.commentsCount === post.platformCounted;
}

/** To the first comment, or only what is new? Long lists are read whole less often: each page is a call. */
export function wantsWhole(post: { comments: number; wholeAt: Date | null; now: Date }): boolean {
  if (post.wholeAt === null || post.comments <= 200) return true;
  const since = post.now.getTime() - post.wholeAt.getTime();
  return since >= (post.comments <= 5000 ? HOUR_MS : DAY_MS);
}

/** Webhooks overtake each other: what was written shortly before the last reading is looked at again. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** Older comments may not be answered: for them nobody is missed. */
const ANSWERABLE_MS = 7 * DAY_MS;

/** Comments older than this are not read; null: to the first. */
export function readsBackTo(post: {
  whole: boolean;
  postedAt: Date;
  connectedAt: Date;
  readTo: Date | null;
}): Date | null {
  const beforeUs = post.connectedAt.getTime() - ANSWERABLE_MS;
  if (!post.whole && post.readTo !== null) return new Date(Math.max(post.readTo.getTime() - OVERLAP_MS, beforeUs));
  return post.postedAt.getTime() >= beforeUs ? null : new Date(beforeUs);
}

/** Both known, and the first before the second. */
export function isBefore(at: Date | null | undefined, limit: Date | null): boolean {
  return at != null && limit !== null && at < limit;
}

/**
 * Comments that neither a webhook nor this reading told of. Those from before `historyFrom` were known once, are counted for
 * good, and have been deleted because of their age.
 */
export function unheardOf<C extends { id: string; at: Date | null }>(
  comments: C[],
  { known, found, historyFrom }: { known: Set<string>; found: Set<string>; historyFrom: Date | null },
): C[] {
  return comments.filter(({ id, at }) => !known.has(id) && !found.has(id) && !isBefore(at, historyFrom));
}
