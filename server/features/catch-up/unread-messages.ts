/**
 * Reads messages whose webhook had no more than their id (`message_edit` with `num_edit` 0, which apps without Advanced
 * Access get for first messages) and puts them into the event log, where they go the way of all messages. A row stays until
 * its message is in the log, or a day is over: then Meta no longer lets it be answered.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { shardOf } from '#server/engine/shards/shards.ts';
import { bodyOf } from '#server/events/bodies.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { Observed } from '#server/observability/observability.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import { messageEvent } from '#server/platforms/meta/found-events.ts';
import { NotNow, type Pacing, pacedReads } from './paced-reads.ts';
import { retryAfterMs } from './reading-rhythm.ts';
import * as queries from './unread-queries.ts';

export type UnreadDeps = {
  db: Database;
  clock: Clock;
  meta: Pick<MetaClient, 'message'>;
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  eventLog: Pick<EventLog, 'append'>;
  observed: { measures: Pick<Observed['measures'], 'messageRead'> };
  log: FastifyBaseLogger;
};

const MINUTE_MS = 60_000;
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE_MS;
const MESSAGES_PER_RUN = 200;

/** One round over all accounts. Answers how many messages were read. */
export async function readUnreadMessages(deps: UnreadDeps, pacing: Pacing): Promise<number> {
  const { db, clock, observed, log } = deps;
  const now = clock.now();
  const givenUp = await queries.giveUp(db, new Date(now.getTime() - GIVEN_UP_AFTER_MS));
  for (const { connectionId, mid } of givenUp) {
    observed.measures.messageRead('given_up');
    log.warn({ connectionId, mid }, 'a message could not be read for a day and is given up');
  }
  const claim = { now, againAt: new Date(now.getTime() + 10 * MINUTE_MS), limit: MESSAGES_PER_RUN };
  let read = 0;
  const due = Map.groupBy(await queries.claimDue(db, claim), ({ connectionId }) => connectionId);
  for (const messages of due.values()) read += await readAccount(deps, pacing, messages);
  return read;
}

async function readAccount(deps: UnreadDeps, pacing: Pacing, messages: queries.Unread[]): Promise<number> {
  const { db, clock, meta, eventLog, observed, log } = deps;
  const [{ creatorId, connectionId }] = messages as [queries.Unread];
  const speaker = await deps.speakerOf({ creatorId, id: connectionId });
  const ask = pacedReads(deps, pacing, { creatorId, connectionId });
  let read = 0;
  let waits: NotNow | null = speaker === null ? new NotNow('Nothing speaks for the account.', { counts: false }) : null;
  for (const unread of messages) {
    try {
      if (waits !== null || speaker === null) throw waits;
      const message = await ask(() => meta.message({ ...speaker, mid: unread.mid }));
      // Just after it was written it may not be there yet.
      if (message === null) throw new NotNow('Meta knows no such message.');
      const now = clock.now();
      const event = messageEvent(unread, { ...message, at: message.at ?? unread.receivedAt });
      await eventLog.append([{ shard: shardOf(unread.accountId), receivedAt: now, ...bodyOf([event]) }]);
      await queries.remove(db, unread);
      observed.measures.messageRead('read');
      read++;
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      if (error.stops) waits = error;
      const failures = unread.failures + (error.counts ? 1 : 0);
      const nextAt = new Date(
        clock.now().getTime() + (error.stops ? (error.afterMs ?? MINUTE_MS) : retryAfterMs(failures)),
      );
      await queries.putOff(db, unread, { nextAt, failures });
      observed.measures.messageRead('failed');
      log.info({ connectionId, mid: unread.mid, detail: error.message }, 'a message could not be read');
    }
  }
  return read;
}
