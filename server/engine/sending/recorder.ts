/** Writes down what calls came to. Results that finish together share one commit, over all lanes. */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock, Ids } from '#server/clock.ts';
import { type EngineTransaction, inTransaction } from '#server/db/transaction.ts';
import { type MessageNews, moveConversations } from '#server/engine/conversations/conversation-store.ts';
import type { EngineConnections } from '#server/engine/deciding/connections.ts';
import { recordResults } from '#server/engine/outcomes/results-log.ts';
import type { ClaimedDelivery, NewDelivery } from '#server/engine/outcomes/rows.ts';
import type { Finished } from './attempt.ts';
import type { Lanes } from './lanes.ts';
import { untilDone } from './until-done.ts';

const RESULTS_AT_ONCE = 500;

export type RecorderDeps = {
  pool: pg.Pool;
  clock: Clock;
  ids: Ids;
  lanes: Lanes;
  connections: EngineConnections;
  baseUrl: string;
  log: FastifyBaseLogger;
  /** Waits until it is worth recording again, after a batch that began then (`performance.now()`). */
  batchDelay: (count: number, began: number) => Promise<void>;
  /** Lists of these creators changed. */
  onChanged: (creatorIds: string[]) => void;
};

type Entry = Finished & { batchId: string; done: () => void };

export class Recorder {
  private readonly deps: RecorderDeps;
  /** By batch (`calls_under_way`): how many of its calls are not recorded yet. */
  private readonly batches = new Map<string, number>();
  private readonly finished: Entry[] = [];
  private isRecording = false;

  constructor(deps: RecorderDeps) {
    this.deps = deps;
  }

  /** Its result will come: until then its batch has not ended. */
  expect({ batch_id }: ClaimedDelivery): void {
    this.batches.set(batch_id, (this.batches.get(batch_id) ?? 0) + 1);
  }

  /** The shard's new worker handles it, and needs the batch for that. */
  leaveToOthers({ batch_id }: ClaimedDelivery): void {
    this.batches.delete(batch_id);
  }

  /** Resolves when the result is durable. */
  record({ batch_id }: ClaimedDelivery, finished: Finished): Promise<void> {
    return new Promise((done) => {
      this.finished.push({ ...finished, batchId: batch_id, done });
      if (!this.isRecording) void this.recordAll();
    });
  }

  private async recordAll(): Promise<void> {
    this.isRecording = true;
    while (this.finished.length > 0) {
      const began = performance.now();
      const batch = this.finished.splice(0, RESULTS_AT_ONCE);
      await this.recordBatch(batch);
      for (const entry of batch) entry.done();
      await this.deps.batchDelay(batch.length, began);
    }
    this.isRecording = false;
  }

  private async recordBatch(batch: Entry[]): Promise<void> {
    const { pool, log, clock, connections, onChanged } = this.deps;
    const results = batch.map(({ result }) => result);
    const followUps = batch.flatMap(({ followUp }) => followUp ?? []);
    const news = batch.flatMap((entry) => entry.news ?? []);
    const ended = this.endedBatches(batch);
    await untilDone({ log, clock }, `${results.length} results`, () =>
      news.length > 0 || results.some(({ creator_id }) => connections.mayBeListenedTo(creator_id))
        ? this.recordTogether(news, (client, following) =>
            recordResults(client, results, [...followUps, ...following], ended),
          )
        : recordResults(pool, results, followUps, ended),
    );
    onChanged(results.map((result) => result.creator_id));
  }

  /** Which batches have nothing under way any more once these are recorded. */
  private endedBatches(recorded: Entry[]): string[] {
    const ended: string[] = [];
    for (const { batchId } of recorded) {
      const left = this.batches.get(batchId);
      if (left === undefined) continue;
      if (left > 1) this.batches.set(batchId, left - 1);
      else {
        this.batches.delete(batchId);
        ended.push(batchId);
      }
    }
    return ended;
  }

  /** In one transaction. Conversations first: the order of locks that `ingest` keeps too. */
  private async recordTogether(
    news: MessageNews[],
    record: (client: EngineTransaction, following: NewDelivery[]) => Promise<void>,
  ): Promise<void> {
    const { pool, clock, ids, baseUrl, lanes } = this.deps;
    const now = clock.now();
    const following = await inTransaction(pool, async (client) => {
      const options = { baseUrl, now, newId: () => ids.uuid(now) };
      const moved = news.length === 0 ? [] : await moveConversations(client, news, options);
      await record(client, moved);
      return moved;
    });
    for (const { creator_id, connection_id, lane, due_at } of following) {
      lanes.of(creator_id, connection_id, lane).wake(due_at.getTime(), now.getTime());
    }
  }
}
