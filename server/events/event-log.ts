/**
 * The event log stands between Meta and the engine: a webhook is acknowledged once its events are durable here, and an
 * event leaves only in the transaction that worked it off.
 */
import type { EngineTransaction } from '#server/db/transaction.ts';
import type { PlatformEvent } from '#server/platforms/meta/events.ts';

export type NewEvent = {
  shard: number;
  receivedAt: Date;
  /** The received or found events: see `bodies.ts`. */
  body: string;
  /** The events it was parsed into, where that is known already: nobody changes it. */
  read?: readonly PlatformEvent[];
};

/** `id` grows in a shard; events that were appended together may share it. */
export type LoggedEvent = NewEvent & { id: number };

export type EventLog = {
  /** Resolves when the events are durable. Calls at the same time share one commit. */
  append(events: NewEvent[]): Promise<void>;
  /**
   * Hands the oldest events of these shards, in order, to `work` inside a transaction and removes them when it
   * commits; when `work` throws they stay. Answers how many were worked off. One caller per shard at a time.
   * Where a process ends, a little of what it worked off may be handed out once more.
   *
   * @param confirm one query at the beginning of the transaction, before anything is written; when it throws all ends there
   */
  consume(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: EngineTransaction) => Promise<void>,
    confirm: (trx: EngineTransaction) => Promise<void>,
  ): Promise<number>;
  /** Calls back when events were appended, here or in another process (at the latest after a poll). Answers how to end that. */
  onAppended(listener: () => void): () => void;
  /** How many wait, and since when the oldest does. */
  lag(): Promise<{ waiting: number; oldest: Date | null }>;
  /** Finishes appends under way. */
  close(): Promise<void>;
};
