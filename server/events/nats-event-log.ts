/**
 * The event log on NATS JetStream: the one of many machines. Webhooks stay accepted while PostgreSQL is away; the stream
 * holds them until a worker has committed what they came to.
 *
 *     append → the stream, on several servers → a consumer for each shard → the worker that holds the shard's lease
 *
 * A message holds what came in for one shard while the one before was on its way to the servers: a single event in quiet
 * times, many when much comes in, so that the work of three servers grows less than the events do.
 *
 * A message leaves the stream when its acknowledgement arrives, just after the commit. A worker that dies between the
 * two leaves events that are worked off twice; interactions are unique, so the second time changes nothing.
 *
 * Servers have been seen to keep a message and never hand it out, after a change of leader (nats-server 2.9.10; issues 4736
 * and 7680 of theirs tell the same). So whoever holds a shard looks now and then what is the oldest there, and takes it
 * when it is old and was not handed out.
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
  type StoredMsg,
} from '@nats-io/jetstream';
import { connect, errors, headers, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock, Ids } from '#server/clock.ts';
import { type EngineTransaction, inTransactionAsking } from '#server/db/transaction.ts';
import type { EventLog, LoggedEvent, NewEvent } from '#server/events/event-log.ts';

/** A dead worker's events go to the next one after this: no sooner than its lease runs out, and hardly later. */
const ACK_WAIT_MS = 8_000;
const STILL_HERE_EVERY_MS = 2_500;
/** How much of a shard waits in a worker's memory; the rest waits in the stream. */
const BUFFERED_PER_SHARD = 256;
const BUFFERED_BYTES_PER_SHARD = 4 * 1024 * 1024;
/** One message holds no more events, and no more bytes where it holds more than one. */
const EVENTS_TOGETHER = 64;
const BYTES_TOGETHER = 64 * 1024;
/** Messages are taken to be at least this large when more are asked for. */
const LEAST_BYTES = BYTES_TOGETHER;
/** A worker that fell asleep is handed nothing more after this: shorter than its lease. */
const ASKED_FOR_MS = 5_000;
const ASK_AGAIN_AFTER_MS = 250;
const APPEND_TIMEOUT_MS = 1_000;
const APPEND_AGAIN_AFTER_MS = 100;
/** Within this time the stream recognises a second try of the same append. */
const DUPLICATE_WINDOW_MS = 120_000;
/** A frozen server takes the connection and says nothing: the next one is asked. */
const CONNECTED_WITHIN_MS = 2_000;
const CLOSED_WITHIN_MS = 2_000;
export const LOOK_BEHIND_EVERY_MS = 5_000;
/** Longer than a dead worker's events and a change of leader take. */
const LEFT_BEHIND_AFTER_MS = 30_000;
/** "stream name already in use with a different configuration" (NATS, JSStreamNameExistErr). */
const STREAM_HAS_OTHER_SETTINGS = 10058;
/** Of each event in a message, with commas between them. */
const RECEIVED_AT = 'Creator-Hq-Received-At';
const LENGTHS = 'Creator-Hq-Lengths';

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

/** Connects and makes the stream when it is not there. @throws when no server answers, or none that leads the others */
export async function connectNatsEventLog(options: NatsEventLogOptions): Promise<NatsEventLog> {
  const connection = await connect({
    ...readServers(options.url),
    name: 'creator-hq',
    timeout: CONNECTED_WITHIN_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    // A server that fell asleep keeps its connections open: another one is looked for after some five seconds.
    pingInterval: 2_000,
    maxPingOut: 2,
  });
  try {
    const manager = await jetstreamManager(connection);
    await ensureStream(manager, options);
    return new NatsEventLog(connection, manager, options);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Do the servers know us by another password, or not at all? */
export function isNatsRefusal(error: unknown): boolean {
  return error instanceof errors.AuthorizationError;
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
    // Somebody made it before, with other settings; these are ours to set.
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_HAS_OTHER_SETTINGS) throw error;
    await manager.streams.update(stream, ours);
  }
}

/** An event that is on its way to the stream. */
type Leaving = { event: NewEvent; body: Buffer; resolve: () => void; reject: (error: unknown) => void };

/** A message as the stream handed it out, or as it was found there. */
type Message = Pick<JsMsg, 'seq' | 'subject' | 'headers' | 'data' | 'ack' | 'ackAck' | 'nak' | 'working'> & {
  at: Date;
};

/** An event as it came from the stream; `left` counts those of its message that are not worked off. */
type Arrived = { event: LoggedEvent; message: Message; left: { count: number } };

/** Events of one shard in this process. */
type Held = {
  /** Oldest first; the events of one message in a row. */
  buffer: Arrived[];
  bytes: number;
  /** The largest of those that came last: so large may be those that come next. */
  largest: number;
  lettingGo: AbortController;
  /** The newest that was handed out since somebody looked behind; null: nothing was. */
  handedOutTo: number | null;
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
  /** By shard: what waits while a message is on its way. */
  private readonly leaving = new Map<number, Leaving[]>();
  private readonly closing = new AbortController();
  /** When events were asked for last, in ms since 1970; infinite while they are worked off. */
  private askedAt = Number.POSITIVE_INFINITY;
  private readonly looking: Promise<unknown>;

  constructor(connection: NatsConnection, manager: JetStreamManager, options: NatsEventLogOptions) {
    this.connection = connection;
    this.manager = manager;
    this.client = jetstream(connection);
    this.options = options;
    this.looking = Promise.all([
      this.every(STILL_HERE_EVERY_MS, () => this.keep()),
      this.every(LOOK_BEHIND_EVERY_MS, () => this.lookBehind()),
    ]);
  }

  async append(events: NewEvent[]): Promise<void> {
    await Promise.all(events.map((event) => this.leave(event)));
  }

  private leave(event: NewEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaving = { event, body: Buffer.from(event.body), resolve, reject };
      const waiting = this.leaving.get(event.shard);
      if (waiting !== undefined) {
        waiting.push(leaving);
        return;
      }
      this.leaving.set(event.shard, [leaving]);
      void this.publishAll(event.shard);
    });
  }

  /** One message of a shard after the other; what comes in meanwhile goes together with the next. */
  private async publishAll(shard: number): Promise<void> {
    const waiting = this.leaving.get(shard)!;
    // Appends that are called one after the other go together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const together = takeTogether(waiting);
      try {
        await this.publish(shard, together);
        for (const { resolve } of together) resolve();
      } catch (error) {
        // Nobody waits a second time for what did not answer.
        for (const { reject } of [...together, ...waiting.splice(0)]) reject(error);
      }
    }
    this.leaving.delete(shard);
  }

  /** Tries again over a change of leader; the message's id keeps a try whose answer was lost from counting twice. */
  private async publish(shard: number, together: Leaving[]): Promise<void> {
    const { clock, ids, subject, appendWithinMs } = this.options;
    const msgID = ids.uuid(clock.now());
    const described = headers();
    described.set(RECEIVED_AT, together.map(({ event }) => event.receivedAt.toISOString()).join());
    described.set(LENGTHS, together.map(({ body }) => body.length).join());
    const body = together.length === 1 ? together[0]!.body : Buffer.concat(together.map((leaving) => leaving.body));
    for (const giveUpAt = clock.now().getTime() + appendWithinMs; ; await clock.sleep(APPEND_AGAIN_AFTER_MS)) {
      try {
        const { seq } = await this.client.publish(`${subject}.${shard}`, body, {
          msgID,
          headers: described,
          timeout: APPEND_TIMEOUT_MS,
        });
        if (seq > 0) return;
        // Older servers answer so to a second try while the first is on its way, and for two minutes when the first came to
        // nothing over a change of leader (nats-server 5827 of 2024 and 6415 of 2025): nothing is stored.
        throw new Error('The stream knows of this message and has not stored it.');
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
    work: (events: LoggedEvent[], trx: EngineTransaction) => Promise<void>,
    confirm: (trx: EngineTransaction) => Promise<void>,
  ): Promise<number> {
    this.askedAt = Number.POSITIVE_INFINITY;
    try {
      return await this.consumeHeld(shards, most, work, confirm);
    } finally {
      this.askedAt = this.options.clock.now().getTime();
    }
  }

  private async consumeHeld(
    shards: number[],
    most: number,
    work: (events: LoggedEvent[], trx: EngineTransaction) => Promise<void>,
    confirm: (trx: EngineTransaction) => Promise<void>,
  ): Promise<number> {
    await this.holdOnly(shards);
    const waiting = shards.flatMap((shard) => this.held.get(shard)!.buffer);
    const taken = wholeMessages(waiting.sort((one, other) => one.event.id - other.event.id).slice(0, most));
    if (taken.length === 0) return 0;
    const events = taken.map(({ event }) => event);
    await inTransactionAsking(this.options.pool, confirm, (trx) => work(events, trx));
    await this.release(taken);
    return taken.length;
  }

  /**
   * Waits until the stream has let go of them. Where that cannot be known they come again, which changes nothing: the
   * work is committed.
   */
  private async release(done: Arrived[]): Promise<void> {
    await Promise.all(
      [...Map.groupBy(done, ({ event }) => event.shard)].map(async ([shard, arrived]) => {
        const held = this.held.get(shard);
        if (held !== undefined) this.remove(held, new Set(arrived));
        // One that is half worked off comes again as a whole to whoever has the shard next.
        const messages = arrived.filter(({ left }) => --left.count === 0).map(({ message }) => message);
        const last = messages.pop();
        for (const message of messages) message.ack();
        if (last === undefined) return;
        await last.ackAck({ timeout: APPEND_TIMEOUT_MS }).catch((error: unknown) => {
          this.options.log.warn({ err: error, shard }, 'worked off, but the event log did not hear of it');
        });
      }),
    );
  }

  private remove(held: Held, done: Set<Arrived>): void {
    held.buffer = held.buffer.filter((arrived) => !done.has(arrived));
    held.bytes = held.buffer.reduce((sum, { event }) => sum + event.body.length, 0);
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
        handedOutTo: null,
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
      const room = roomFor(held);
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
          held.handedOutTo = Math.max(held.handedOutTo ?? 0, message.seq);
          this.take(held, handedOut(message));
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

  private take(held: Held, message: Message): void {
    const { buffer } = held;
    // A redelivery of what a dead worker had comes after newer ones; one of what is here already is left out.
    const later = buffer.findLastIndex(({ event }) => event.id <= message.seq) + 1;
    if (buffer[later - 1]?.event.id === message.seq) return;
    const events = readMessage(message);
    const left = { count: events.length };
    buffer.splice(later, 0, ...events.map((event) => ({ event, message, left })));
    held.bytes += events.reduce((sum, { body }) => sum + body.length, 0);
    this.appended.emit('appended');
  }

  /** Takes what the servers keep and do not hand out. */
  private async lookBehind(): Promise<void> {
    for (const [shard, held] of this.held) {
      try {
        await this.takeLeftBehind(shard, held);
      } catch (error) {
        this.options.log.debug({ err: error, shard }, 'the event log could not be asked for its oldest event');
      }
    }
  }

  private async every(ms: number, work: () => unknown): Promise<void> {
    const { signal } = this.closing;
    for (;;) {
      await this.options.clock.sleep(ms, signal);
      if (signal.aborted) return;
      await work();
    }
  }

  /**
   * From the oldest to the first that is here. Events newer than everything handed out wait for their turn and comes
   * by itself; where nothing is handed out there is no turn to wait for.
   */
  private async takeLeftBehind(shard: number, held: Held): Promise<void> {
    const { clock, log, stream, subject } = this.options;
    const newestSkipped = held.handedOutTo ?? Number.POSITIVE_INFINITY;
    held.handedOutTo = null;
    const most = Math.max(1, roomFor(held));
    let last = 0;
    let count = 0;
    for (; count < most; count++) {
      const next = { seq: last + 1, next_by_subj: `${subject}.${shard}` };
      const found = await this.manager.streams.getMessage(stream, next);
      if (found === null || clock.now().getTime() - found.time.getTime() < LEFT_BEHIND_AFTER_MS) break;
      if (found.seq > newestSkipped) break;
      if (this.held.get(shard) !== held || held.buffer.some(({ event }) => event.id === found.seq)) break;
      this.take(
        held,
        foundIn(found, () => this.manager.streams.deleteMessage(stream, found.seq, false)),
      );
      last = found.seq;
    }
    if (count > 0) log.warn({ shard, count, last }, 'the event log kept messages and did not hand them out: took them');
  }

  private async letGo(shard: number): Promise<void> {
    const held = this.held.get(shard);
    this.held.delete(shard);
    if (held === undefined) return;
    held.lettingGo.abort();
    held.onRoom();
    await held.messages?.close();
    for (const message of messagesIn(held)) message.nak();
  }

  /**
   * Events waiting here are not lost with a dead worker: the stream must not hand it to another one. A worker that has no shards
   * any more asks for nothing; what it had is others'.
   */
  private keep(): void {
    if (this.options.clock.now().getTime() - this.askedAt > ACK_WAIT_MS) {
      for (const shard of this.held.keys()) void this.letGo(shard);
      return;
    }
    for (const held of this.held.values()) for (const message of messagesIn(held)) message.working();
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
    this.closing.abort();
    await Promise.all([...this.held.keys()].map((shard) => this.letGo(shard)));
    await Promise.all([...this.receiving, this.looking]);
    // Where no server answers there is nothing to wait for.
    await Promise.race([this.connection.drain(), this.options.clock.sleep(CLOSED_WITHIN_MS)]);
    await this.connection.close();
  }
}

/** How many messages may still come. */
function roomFor({ buffer, bytes, largest }: Held): number {
  return Math.min(BUFFERED_PER_SHARD - buffer.length, Math.ceil((BUFFERED_BYTES_PER_SHARD - bytes) / largest));
}

function roomIn(held: Held): Promise<void> {
  return new Promise((resolve) => {
    held.onRoom = () => {
      held.onRoom = () => {};
      resolve();
    };
  });
}

function handedOut(message: JsMsg): Message {
  return Object.assign(message, { at: new Date(message.time) });
}

function foundIn({ seq, subject, header, data, time }: StoredMsg, remove: () => Promise<boolean>): Message {
  return {
    ...{ seq, subject, headers: header, data, at: time },
    ack: () => void remove().catch(() => {}),
    ackAck: remove,
    // It was not handed out: nobody waits to hear of it.
    nak: () => {},
    working: () => {},
  };
}

function shardOf({ subject }: Message): number {
  return Number(subject.slice(subject.lastIndexOf('.') + 1));
}

/** As many as go into one message, at least one; they leave `waiting`. */
function takeTogether(waiting: Leaving[]): Leaving[] {
  let count = 0;
  for (let bytes = 0; count < Math.min(waiting.length, EVENTS_TOGETHER); count++) {
    bytes += waiting[count]!.body.length;
    if (count > 0 && bytes > BYTES_TOGETHER) break;
  }
  return waiting.splice(0, count);
}

/** Without the last message when it was cut; a message of more events than were asked for is worked off in parts. */
function wholeMessages(taken: Arrived[]): Arrived[] {
  const last = taken.at(-1);
  if (last === undefined) return taken;
  const from = taken.findIndex(({ message }) => message === last.message);
  return from > 0 && taken.length - from < last.left.count ? taken.slice(0, from) : taken;
}

function messagesIn({ buffer }: Held): Set<Message> {
  return new Set(buffer.map(({ message }) => message));
}

function readMessage(message: Message): LoggedEvent[] {
  const times = message.headers?.get(RECEIVED_AT).split(',') ?? [];
  const lengths = message.headers?.get(LENGTHS);
  const shard = shardOf(message);
  const data = Buffer.from(message.data.buffer, message.data.byteOffset, message.data.length);
  let from = 0;
  // One without lengths is of an older version: a single event.
  return (lengths ? lengths.split(',').map(Number) : [data.length]).map((length, index) => {
    const body = data.toString('utf8', from, from + length);
    from += length;
    return { id: message.seq, shard, receivedAt: new Date(times[index] || message.at), body };
  });
}
