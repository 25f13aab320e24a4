/**
 * The event log on NATS JetStream: the one of many machines. Webhooks stay accepted while PostgreSQL is away; the stream
 * holds them until a worker has committed what they came to.
 *
 * A message leaves the stream when its acknowledgement arrives, just after the commit. A worker that dies between the
 * two leaves events that are worked off twice; interactions are unique, so the second time changes nothing.
 */
import { EventEmitter } from 'node:events';
import {
  AckPolicy,
  type ConsumerMessages,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, headers, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock, Ids } from '#server/clock.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { EventLog, LoggedEvent, NewEvent } from '#server/events/event-log.ts';

/** A dead worker's events go to the next one after this. Longer than a commit, shorter than anybody's patience. */
const ACK_WAIT_MS = 10_000;
const STILL_HERE_EVERY_MS = 4_000;
/** How many events of a shard wait in a worker's memory. */
const BUFFERED_PER_SHARD = 512;
/** A stream leader that dies is followed by another within seconds; a webhook waits for it instead of failing. */
const APPEND_TRIES = 8;
const APPEND_TIMEOUT_MS = 2_000;
/** Within this time the stream recognises a second try of the same append. */
const DUPLICATE_WINDOW_MS = 120_000;
const RECEIVED_AT = 'Creator-Hq-Received-At';

export type NatsEventLogOptions = {
  /** `nats://host:port`, several of one cluster with commas between them. */
  url: string;
  stream: string;
  /** An event of shard 3 is published as `<subject>.3`. */
  subject: string;
  /** How many servers keep each event: 3 survives the loss of one. */
  replicas: number;
  pool: pg.Pool;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
};

/** Connects and makes the stream when it is not there. @throws when no server answers */
export async function connectNatsEventLog(options: NatsEventLogOptions): Promise<NatsEventLog> {
  const connection = await connect({
    servers: options.url.split(',').map((server) => server.trim()),
    name: 'creator-hq',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
  });
  const manager = await jetstreamManager(connection);
  await ensureStream(manager, options);
  return new NatsEventLog(connection, manager, options);
}

async function ensureStream(
  manager: JetStreamManager,
  { stream, subject, replicas }: NatsEventLogOptions,
): Promise<void> {
  const config = {
    name: stream,
    subjects: [`${subject}.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  try {
    await manager.streams.add(config);
  } catch (error) {
    // Somebody made it before, or with another number of replicas; the rest is ours to set.
    if (!(error instanceof JetStreamApiError)) throw error;
    await manager.streams.update(stream, { num_replicas: replicas, duplicate_window: config.duplicate_window });
  }
}

type Held = { messages: ConsumerMessages; buffer: JsMsg[]; seen: Set<number> };

export class NatsEventLog implements EventLog {
  private readonly connection: NatsConnection;
  private readonly manager: JetStreamManager;
  private readonly client: JetStreamClient;
  private readonly options: NatsEventLogOptions;
  private readonly appended = new EventEmitter();
  private readonly held = new Map<number, Promise<Held>>();
  private readonly stillHere: NodeJS.Timeout;

  constructor(connection: NatsConnection, manager: JetStreamManager, options: NatsEventLogOptions) {
    this.connection = connection;
    this.manager = manager;
    this.client = jetstream(connection);
    this.options = options;
    this.stillHere = setInterval(() => void this.keep(), STILL_HERE_EVERY_MS);
    this.stillHere.unref();
  }

  async append(events: NewEvent[]): Promise<void> {
    await Promise.all(events.map((event) => this.publish(event)));
  }

  /** Tries again over a change of leader; the message's id keeps a try whose answer was lost from counting twice. */
  private async publish({ shard, receivedAt, body }: NewEvent): Promise<void> {
    const msgID = this.options.ids.uuid(this.options.clock.now());
    const receivedAtHeader = headers();
    receivedAtHeader.set(RECEIVED_AT, receivedAt.toISOString());
    for (let tries = 1; ; tries++) {
      try {
        await this.client.publish(`${this.options.subject}.${shard}`, body, {
          msgID,
          headers: receivedAtHeader,
          timeout: APPEND_TIMEOUT_MS,
        });
        return;
      } catch (error) {
        if (tries === APPEND_TRIES || this.connection.isClosed()) throw error;
        this.options.log.warn({ err: error, tries }, 'the event log did not answer; trying again');
      }
    }
  }

  /** Takes what has arrived of these shards; shards not named any more go back to the stream. */
  async consume(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: pg.PoolClient) => Promise<void>,
  ): Promise<number> {
    await this.holdOnly(shards);
    const taken: JsMsg[] = [];
    for (const shard of shards) {
      const { buffer } = await this.held.get(shard)!;
      taken.push(...buffer.slice(0, most - taken.length));
      if (taken.length === most) break;
    }
    if (taken.length === 0) return 0;
    await inTransaction(this.options.pool, (trx) => work(taken.map(readMessage), trx));
    await this.release(taken);
    return taken.length;
  }

  /**
   * Waits until the stream has let go of them. Where that cannot be known they come again, which changes nothing: the
   * work is committed.
   */
  private async release(done: JsMsg[]): Promise<void> {
    const lastOfShard = new Map(done.map((message) => [shardOf(message), message]));
    for (const message of done) {
      const shard = shardOf(message);
      if (message !== lastOfShard.get(shard)) message.ack();
      const held = await this.held.get(shard);
      held?.buffer.splice(held.buffer.indexOf(message), 1);
      held?.seen.delete(message.seq);
    }
    await Promise.all(
      [...lastOfShard.values()].map((message) =>
        message.ackAck().catch((error: unknown) => {
          this.options.log.warn({ err: error }, 'worked off, but the event log did not hear of it');
        }),
      ),
    );
  }

  private async holdOnly(shards: number[]): Promise<void> {
    const lost = [...this.held.keys()].filter((shard) => !shards.includes(shard));
    await Promise.all(lost.map((shard) => this.letGo(shard)));
    for (const shard of shards) {
      if (this.held.has(shard)) continue;
      const held = this.hold(shard);
      this.held.set(shard, held);
      held.catch(() => this.held.delete(shard));
    }
    await Promise.all(this.held.values());
  }

  private async hold(shard: number): Promise<Held> {
    const { stream, subject, replicas } = this.options;
    const name = `shard-${shard}`;
    await this.manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: `${subject}.${shard}`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: BUFFERED_PER_SHARD * 2,
      num_replicas: replicas,
    });
    const consumer = await this.client.consumers.get(stream, name);
    const messages = await consumer.consume({ max_messages: BUFFERED_PER_SHARD });
    const held: Held = { messages, buffer: [], seen: new Set() };
    void this.receive(held);
    return held;
  }

  private async receive({ messages, buffer, seen }: Held): Promise<void> {
    for await (const message of messages) {
      // A redelivery of what is still being worked off here.
      if (seen.has(message.seq)) continue;
      seen.add(message.seq);
      // A redelivery of what a dead worker had comes after newer ones.
      const later = buffer.findIndex((other) => other.seq > message.seq);
      buffer.splice(later === -1 ? buffer.length : later, 0, message);
      this.appended.emit('appended');
    }
  }

  private async letGo(shard: number): Promise<void> {
    const held = await this.held.get(shard);
    this.held.delete(shard);
    if (held === undefined) return;
    await held.messages.close();
    for (const message of held.buffer) message.nak();
  }

  /** What waits here is not lost with a dead worker: the stream must not hand it to another one. */
  private async keep(): Promise<void> {
    for (const held of this.held.values()) {
      for (const message of (await held).buffer) message.working();
    }
  }

  onAppended(listener: () => void): void {
    this.appended.on('appended', listener);
  }

  async lag(): Promise<{ waiting: number; oldest: Date | null }> {
    const { state } = await this.manager.streams.info(this.options.stream);
    if (state.messages === 0) return { waiting: 0, oldest: null };
    return { waiting: state.messages, oldest: new Date(state.first_ts) };
  }

  async close(): Promise<void> {
    clearInterval(this.stillHere);
    await Promise.all([...this.held.keys()].map((shard) => this.letGo(shard)));
    await this.connection.drain();
  }
}

function shardOf(message: JsMsg): number {
  return Number(message.subject.slice(message.subject.lastIndexOf('.') + 1));
}

function readMessage(message: JsMsg): LoggedEvent {
  const receivedAt = message.headers?.get(RECEIVED_AT);
  return {
    id: message.seq,
    shard: shardOf(message),
    receivedAt: receivedAt ? new Date(receivedAt) : new Date(message.time),
    body: message.string(),
  };
}
