/**
 * Reads the comments of posts and puts those that no webhook told of into the event log, where they go the way of all
 * comments. Paced per account (`reads` lane), oftener on young posts, and at once after anything that kept webhooks
 * from us. A reading that breaks off goes on where it was.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { shardOf } from '#server/engine/shards/shards.ts';
import { bodyOf } from '#server/events/bodies.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import { commentEvent } from '#server/platforms/meta/found-events.ts';
import type { FoundComment, FoundThread, PageOf } from '#server/platforms/meta/read-calls.ts';
import { type Ask, NotNow, type Pacing, pacedReads } from './paced-reads.ts';
import * as queries from './reading-queries.ts';
import {
  isBefore,
  isQuiet,
  nextReadingAfterMs,
  readsBackTo,
  retryAfterMs,
  unheardOf,
  wantsWhole,
} from './reading-rhythm.ts';
import { readUnreadMessages, type UnreadDeps } from './unread-messages.ts';

export type ReconcileDeps = {
  db: Database;
  clock: Clock;
  meta: Pick<MetaClient, 'comments' | 'commentReplies' | 'commentCount'>;
  /** The token that speaks for a connection; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  eventLog: Pick<EventLog, 'append'>;
  log: FastifyBaseLogger;
};

const MINUTE_MS = 60_000;
const POSTS_PER_RUN = 200;
const CONNECTIONS_AT_ONCE = 4;
const PAGES_PER_RUN = 40;
/** One round over all accounts. Answers how many comments were found. */
export async function reconcile(deps: ReconcileDeps, pacing: Pacing): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  await queries.addPosts(db, now);
  await queries.noticeRecoveries(db, now);
  const due = await queries.claimDue(db, {
    now,
    againAt: new Date(now.getTime() + 10 * MINUTE_MS),
    limit: POSTS_PER_RUN,
  });
  const accounts = [...Map.groupBy(due, (reading) => reading.connectionId).values()];
  let found = 0;
  const work = async () => {
    for (let readings = accounts.shift(); readings !== undefined; readings = accounts.shift()) {
      // Not `found += await …`: that would add to what it was before the others were done.
      const inAccount = await readAccount(deps, pacing, readings);
      found += inAccount;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS_AT_ONCE }, work));
  return found;
}

async function readAccount(deps: ReconcileDeps, pacing: Pacing, readings: queries.DueReading[]): Promise<number> {
  const { db, clock, log } = deps;
  const [{ creatorId, connectionId }] = readings as [queries.DueReading];
  const speaker = await deps.speakerOf({ creatorId, id: connectionId });
  const ask = pacedReads(deps, pacing, { creatorId, connectionId });
  let found = 0;
  let stopped = speaker === null;
  for (const reading of readings) {
    const now = clock.now();
    if (stopped || speaker === null) {
      await queries.record(db, reading, { next_at: new Date(now.getTime() + MINUTE_MS) });
      continue;
    }
    try {
      found += await new PostReading(deps, reading, speaker, ask).run();
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      const failures = reading.failures + (error.counts ? 1 : 0);
      await queries.record(db, reading, {
        next_at: new Date(now.getTime() + (error.afterMs ?? retryAfterMs(failures))),
        failures,
      });
      log.info({ connectionId, postId: reading.postId, detail: error.message }, 'comments could not be read');
      stopped = error.stops;
    }
  }
  return found;
}

class PostReading {
  private readonly deps: ReconcileDeps;
  private readonly reading: queries.DueReading;
  private readonly speaker: Speaker;
  private readonly ask: Ask;
  private readonly fresh = new Set<string>();

  constructor(deps: ReconcileDeps, reading: queries.DueReading, speaker: Speaker, ask: Ask) {
    this.deps = deps;
    this.reading = reading;
    this.speaker = speaker;
    this.ask = ask;
  }

  async run(): Promise<number> {
    const { deps, reading } = this;
    const now = deps.clock.now();
    const ageMs = now.getTime() - reading.postedAt.getTime();
    const next_at = new Date(now.getTime() + nextReadingAfterMs(ageMs));
    if (isQuiet({ ...reading, ageMs })) {
      await queries.record(deps.db, reading, { next_at, read_to: now });
      return 0;
    }
    const goesOn = reading.cursor !== null && reading.startedAt !== null;
    const startedAt = goesOn ? reading.startedAt! : now;
    const comments = reading.commentsCount ?? 0;
    const whole = goesOn ? reading.readsWhole : wantsWhole({ comments, wholeAt: reading.wholeAt, now });
    const backTo = readsBackTo({ ...reading, whole });
    let listed = goesOn ? reading.listedSoFar : 0;
    let cursor = reading.cursor;
    for (let pages = 0; ; pages++) {
      const keep = { cursor, started_at: startedAt, reads_whole: whole, listed_so_far: listed };
      if (pages === PAGES_PER_RUN) {
        await queries.record(deps.db, reading, { next_at: now, ...keep });
        return this.fresh.size;
      }
      const { page, all } = await this.readPage(cursor).catch(async (error: unknown) => {
        // Goes on there, unless the platform no longer knows where that was.
        const lost = error instanceof NotNow && error.lost;
        if (cursor !== null)
          await queries.record(deps.db, reading, { next_at: now, ...keep, ...(lost && { cursor: null }) });
        throw error;
      });
      await this.report(all);
      listed += all.length;
      cursor = page.after;
      if (cursor === null || isBefore(page.items.at(-1)?.at, backTo)) {
        await this.finish({ next_at, startedAt, listed, toTheFirst: cursor === null && whole && backTo === null });
        return this.fresh.size;
      }
    }
  }

  private async finish(end: { next_at: Date; startedAt: Date; listed: number; toTheFirst: boolean }): Promise<void> {
    const { deps, reading, speaker } = this;
    const isInstagram = reading.platform === 'instagram';
    const counted = isInstagram
      ? await this.ask(() => deps.meta.commentCount({ ...speaker, postId: reading.postId }))
      : reading.commentsCount;
    const known = await queries.findKnown(deps.db, reading, [...this.fresh]);
    const seen = (await queries.countSeen(deps.db, reading)) + this.fresh.size - known.size;
    await queries.record(deps.db, reading, {
      next_at: end.next_at,
      read_to: end.startedAt,
      cursor: null,
      started_at: null,
      listed_so_far: 0,
      platform_counted: counted,
      failures: 0,
      ...(end.toTheFirst && { whole_at: deps.clock.now(), listed: end.listed, seen }),
    });
    if (this.fresh.size > 0) {
      const { connectionId, postId } = reading;
      deps.log.info({ connectionId, postId, found: this.fresh.size }, 'found comments that no webhook told of');
    }
  }

  private async readPage(after: string | null): Promise<{ page: PageOf<FoundThread>; all: FoundComment[] }> {
    const { deps, reading, speaker } = this;
    const page = await this.ask(() =>
      deps.meta.comments({ ...speaker, postId: reading.postId, ...(after !== null && { after }) }),
    );
    return { page, all: await this.withReplies(page.items) };
  }

  private async withReplies(threads: FoundThread[]): Promise<FoundComment[]> {
    const all: FoundComment[] = [];
    for (const thread of threads) {
      all.push(thread, ...(thread.hasMoreReplies ? await this.allReplies(thread.id) : thread.replies));
    }
    return all;
  }

  private async allReplies(commentId: string): Promise<FoundComment[]> {
    const { deps, speaker } = this;
    const all: FoundComment[] = [];
    let after: string | null = null;
    do {
      const page: PageOf<FoundComment> = await this.ask(() =>
        deps.meta.commentReplies({ ...speaker, commentId, ...(after !== null && { after }) }),
      );
      all.push(...page.items.map((reply) => ({ ...reply, parentId: reply.parentId ?? commentId })));
      after = page.after;
    } while (after !== null);
    return all;
  }

  /** Puts what nobody knows yet into the log, oldest first. */
  private async report(comments: FoundComment[]): Promise<void> {
    const { deps, reading } = this;
    const ids = comments.map(({ id }) => id);
    const known = await queries.findKnown(deps.db, reading, ids);
    const fresh = unheardOf(comments, { known, found: this.fresh, historyFrom: reading.historyFrom });
    if (fresh.length === 0) return;
    const now = deps.clock.now();
    const events = fresh
      .map((comment) => ({ ...comment, postId: reading.postId, at: comment.at ?? now }))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .map((comment) => commentEvent(reading, comment, { found: true }));
    await deps.eventLog.append([{ shard: shardOf(reading.accountId), receivedAt: now, ...bodyOf(events) }]);
    for (const { id } of fresh) this.fresh.add(id);
  }
}

const pacing: Pacing = new Map();

/** For the worker's list of repeated jobs. */
export const catchUpJobs = [
  // The youngest posts are due every two minutes; asking who is costs no call.
  { name: 'read-comments', everyMs: 15_000, run: (deps: ReconcileDeps) => reconcile(deps, pacing) },
  // Somebody waits for an answer.
  { name: 'read-messages', everyMs: 2_000, run: (deps: UnreadDeps) => readUnreadMessages(deps, pacing) },
];
