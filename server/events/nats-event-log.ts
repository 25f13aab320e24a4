/**
 * The event log on NATS JetStream: the one of many machines. Webhooks stay accepted while PostgreSQL is away; the stream
 * holds them until a worker has committed what they came to.
 *
 *     append → the stream, on several servers → a consumer for each shard → the worker that holds the shard's lease
 *
 * A message leaves the stream when its acknowledgement arrives, just after the commit. A worker that dies between the
 * two leaves events that are worked off twice; interactions are unique, so the second time changes nothing.
 */
import { EventEmitter } from 'node:events';
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DiscardPolicy,
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

/** A dead worker's events go to the next one after this: no sooner than its lease runs out, and hardly later. */
const ACK_WAIT_MS = 8_000;
const STILL_HERE_EVERY_MS = 2_500;
/** How much of a shard waits in a worker's memory; the rest waits in the stream. */
const BUFFERED_PER_SHARD = 256;
const BUFFERED_BYTES_PER_SHARD = 4 * 1024 * 1024;
/** Events are taken to be at least this large when more are asked for. */
const LEAST_BYTES = BUFFERED_BYTES_PER_SHARD / BUFFERED_PER_SHARD;
/** A worker that fell asleep is handed nothing more after this: shorter than its lease. */
const ASKED_FOR_MS = 5_000;
const ASK_AGAIN_AFTER_MS = 250;
const APPEND_TIMEOUT_MS = 1_000;
const APPEND_AGAIN_AFTER_MS = 100;
/** Within this time the stream recognises a second try of the same append. */
const DUPLICATE_WINDOW_MS = 120_000;
/** Servers that start together need some seconds to agree on who leads them. */
const STREAM_WITHIN_MS = 30_000;
const CLOSED_WITHIN_MS = 2_000;
const RECEIVED_AT = 'Creator-Hq-Received-At';

export type NatsEventLogOptions = {
  /** `nats://host:port`, several of one cluster with commas between them. */
  url: string;
  stream: string;
  /** An event of shard 3 is published as `<subject>.3`. */
  subject: string;
  /** How many servers keep each event: 3 survives the loss of one. */
  replicas: number;
  /** The stream takes no more than this: what comes then is refused, not put in place of older events. */
  maxBytes: number;
  /** How long an append tries before it gives up: a change of leader takes up to nine seconds. */
  appendWithinMs: number;
  pool: pg.Pool;
  clock: Clock;
  ids: Ids;
  log: FastifyBaseLogger;
};

/** Connects and makes the stream when it is not there. @throws when no server answers */
export async function connectNatsEventLog(options: NatsEventLogOptions): Promise<NatsEventLog> {
  const { clock, log } = options;
  const connection = await connect({
    ...readServers(options.url),
    name: 'creator-hq',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    // A server that fell asleep keeps its connections open: another one is looked for after some five seconds.
    pingInterval: 2_000,
    maxPingOut: 2,
  });
  for (const giveUpAt = clock.now().getTime() + STREAM_WITHIN_MS; ; await clock.sleep(ASK_AGAIN_AFTER_MS)) {
    try {
      const manager = await jetstreamManager(connection);
      await ensureStream(manager, options);
      return new NatsEventLog(connection, manager, options);
    } catch (error) {
      if (clock.now().getTime() >= giveUpAt) {
        await connection.close();
        throw error;
      }
      log.info({ err: error }, 'the event log is not ready yet');
    }
  }
}

/** The client takes addresses bare, and who we are beside them; all servers of a cluster know the same users. */
function readServers(url: string): { servers: string[]; user?: string; pass?: string; tls?: object } {
  const servers = url.split(',').map((server) => new URL(server.trim()));
  const [{ username, password, protocol }] = servers as [URL];
  return {
    servers: servers.map(({ host }) => host),
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' && { tls: {} }),
  };
}

async function ensureStream(
  manager: JetStreamManager,
  { stream, subject, replicas, maxBytes }: NatsEventLogOptions,
): Promise<void> {
  const ours = {
    num_replicas: replicas,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    max_bytes: maxBytes,
    discard: DiscardPolicy.New,
  };
  try {
    await manager.streams.add({
      name: stream,
      subjects: [`${subject}.*`],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      ...ours,
    });
  } catch (error) {
    // Somebody made it before, or with other settings; these are ours to set.
    if (!(error instanceof JetStreamApiError)) throw error;
    await manager.streams.update(stream, ours);
  }
}

/** What one shard has here. */
type Held = {
  /** Oldest first. */
  buffer: JsMsg[];
  bytes: number;
  /** The largest of those that came last: so large may be those that come next. */
  largest: number;
  lettingGo: AbortController;
  messages: ConsumerMessages | null;
  /** Called when there is room again. */
  onRoom: () => void;
};

export class NatsEventLog implements EventLog {
  private readonly connection: NatsConnection;
  private readonly manager: JetStreamManager;
  private readonly client: JetStreamClient;
  private readonly options: NatsEventLogOptions;
  private readonly appended = new EventEmitter();
  private readonly held = new Map<number, Held>();
  private readonly receiving = new Set<Promise<void>>();
  private readonly stillHere: NodeJS.Timeout;

  constructor(connection: NatsConnection, manager: JetStreamManager, options: NatsEventLogOptions) {
    this.connection = connection;
    this.manager = manager;
    this.client = jetstream(connection);
    this.options = options;
    this.stillHere = setInterval(() => this.keep(), STILL_HERE_EVERY_MS);
    this.stillHere.unref();
  }

  async append(events: NewEvent[]): Promise<void> {
    await Promise.all(events.map((event) => this.publish(event)));
  }

  /** Tries again over a change of leader; the message's id keeps a try whose answer was lost from counting twice. */
  private async publish({ shard, receivedAt, body }: NewEvent): Promise<void> {
    const { clock, ids, subject, appendWithinMs } = this.options;
    const msgID = ids.uuid(clock.now());
    const receivedAtHeader = headers();
    receivedAtHeader.set(RECEIVED_AT, receivedAt.toISOString());
    for (const giveUpAt = clock.now().getTime() + appendWithinMs; ; await clock.sleep(APPEND_AGAIN_AFTER_MS)) {
      try {
        await this.client.publish(`${subject}.${shard}`, body, {
          msgID,
          headers: receivedAtHeader,
          timeout: APPEND_TIMEOUT_MS,
        });
        return;
      } catch (error) {
        // The stream answered, and said no: it is full.
        const refused = error instanceof JetStreamApiError;
        if (refused || this.connection.isClosed() || clock.now().getTime() >= giveUpAt) throw error;
      }
    }
  }

  /** Takes what has arrived of these shards, oldest first; shards not named any more go back to the stream. */
  async consume(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: pg.PoolClient) => Promise<void>,
  ): Promise<number> {
    await this.holdOnly(shards);
    const waiting = shards.flatMap((shard) => this.held.get(shard)!.buffer);
    const taken = waiting.sort((one, other) => one.seq - other.seq).slice(0, most);
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
    const ofShard = Map.groupBy(done, shardOf);
    await Promise.all(
      [...ofShard].map(async ([shard, messages]) => {
        const held = this.held.get(shard);
        if (held !== undefined) this.remove(held, new Set(messages.map((message) => message.seq)));
        const last = messages.pop()!;
        for (const message of messages) message.ack();
        await last.ackAck({ timeout: APPEND_TIMEOUT_MS }).catch((error: unknown) => {
          this.options.log.warn({ err: error, shard }, 'worked off, but the event log did not hear of it');
        });
      }),
    );
  }

  private remove(held: Held, seqs: Set<number>): void {
    held.buffer = held.buffer.filter((message) => !seqs.has(message.seq));
    held.bytes = held.buffer.reduce((sum, message) => sum + message.data.length, 0);
    held.onRoom();
  }

  private async holdOnly(shards: number[]): Promise<void> {
    const lost = [...this.held.keys()].filter((shard) => !shards.includes(shard));
    await Promise.all(lost.map((shard) => this.letGo(shard)));
    for (const shard of shards) {
      if (this.held.has(shard)) continue;
      const held: Held = {
        buffer: [],
        bytes: 0,
        largest: LEAST_BYTES,
        lettingGo: new AbortController(),
        messages: null,
        onRoom: () => {},
      };
      this.held.set(shard, held);
      const receiving = this.receive(shard, held).finally(() => this.receiving.delete(receiving));
      this.receiving.add(receiving);
    }
  }

  /** Asks for events as long as the shard is held. Whatever goes wrong with asking, it asks again. */
  private async receive(shard: number, held: Held): Promise<void> {
    const { signal } = held.lettingGo;
    let consumer: Consumer | null = null;
    while (!signal.aborted) {
      const bytes = BUFFERED_BYTES_PER_SHARD - held.bytes;
      const room = Math.min(BUFFERED_PER_SHARD - held.buffer.length, Math.ceil(bytes / held.largest));
      if (room <= 0) {
        await roomIn(held);
        continue;
      }
      try {
        consumer ??= await this.consumerOf(shard);
        held.messages = await consumer.fetch({ max_messages: room, expires: ASKED_FOR_MS });
        if (signal.aborted) held.messages.stop();
        let largest = LEAST_BYTES;
        for await (const message of held.messages) {
          this.take(held, message);
          largest = Math.max(largest, message.data.length);
        }
        held.largest = largest;
      } catch (error) {
        if (signal.aborted || this.connection.isClosed()) return;
        this.options.log.info({ err: error, shard }, 'the event log hands out nothing at the moment; asking again');
        consumer = null;
        await this.options.clock.sleep(ASK_AGAIN_AFTER_MS, signal);
      }
    }
  }

  private async consumerOf(shard: number): Promise<Consumer> {
    const { stream, subject, replicas } = this.options;
    const name = `shard-${shard}`;
    await this.manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: `${subject}.${shard}`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: BUFFERED_PER_SHARD * 4,
      num_replicas: replicas,
    });
    return this.client.consumers.get(stream, name);
  }

  private take(held: Held, message: JsMsg): void {
    const { buffer } = held;
    // A redelivery of what a dead worker had comes after newer ones; one of what is here already is left out.
    const later = buffer.findLastIndex((other) => other.seq <= message.seq) + 1;
    if (buffer[later - 1]?.seq === message.seq) return;
    buffer.splice(later, 0, message);
    held.bytes += message.data.length;
    this.appended.emit('appended');
  }

  private async letGo(shard: number): Promise<void> {
    const held = this.held.get(shard);
    this.held.delete(shard);
    if (held === undefined) return;
    held.lettingGo.abort();
    held.onRoom();
    await held.messages?.close();
    for (const message of held.buffer) message.nak();
  }

  /** What waits here is not lost with a dead worker: the stream must not hand it to another one. */
  private keep(): void {
    for (const held of this.held.values()) for (const message of held.buffer) message.working();
  }

  onAppended(listener: () => void): () => void {
    this.appended.on('appended', listener);
    return () => void this.appended.off('appended', listener);
  }

  async lag(): Promise<{ waiting: number; oldest: Date | null }> {
    const { state } = await this.manager.streams.info(this.options.stream);
    if (state.messages === 0) return { waiting: 0, oldest: null };
    return { waiting: state.messages, oldest: new Date(state.first_ts) };
  }

  async close(): Promise<void> {
    clearInterval(this.stillHere);
    await Promise.all([...this.held.keys()].map((shard) => this.letGo(shard)));
    await Promise.all(this.receiving);
    // Where no server answers there is nothing to wait for.
    await Promise.race([this.connection.drain(), this.options.clock.sleep(CLOSED_WITHIN_MS)]);
    await this.connection.close();
  }
}

function roomIn(held: Held): Promise<void> {
  return new Promise((resolve) => {
    held.onRoom = () => {
      held.onRoom = () => {};
      resolve();
    };
  });
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
