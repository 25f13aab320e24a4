import { EventEmitter, once } from 'node:events';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { systemClock, systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { EitherEventLog } from '#server/events/either-event-log.ts';
import type { EventLog, LoggedEvent } from '#server/events/event-log.ts';
import { connectNatsEventLog, LOOK_BEHIND_EVERY_MS, type NatsEventLogOptions } from '#server/events/nats-event-log.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';

/** Nobody else works on these shards. */
const NOTHING_TO_CONFIRM = async () => {};

let db: TestDatabase;
const natsUrl = inject('natsUrl');

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(async () => {
  await db.drop();
});

let made = 0;

/** Each test has a log of its own; `again` is another process on the same one. */
const kinds = {
  PostgreSQL: async () => {
    await db.enginePool.query('delete from event_log');
    return () => Promise.resolve<EventLog>(new PostgresEventLog(db.enginePool));
  },
  'NATS JetStream': async () => {
    const stream = `event-log-${++made}`;
    return () => connectToNats(stream);
  },
  'NATS JetStream with PostgreSQL behind it': async () => {
    await db.enginePool.query('delete from event_log');
    const stream = `event-log-${++made}`;
    return async () => eitherOf(await connectToNats(stream), new PostgresEventLog(db.enginePool));
  },
};

const quiet = pino({ level: 'silent' });

function connectToNats(stream: string, options: Partial<NatsEventLogOptions> = {}): Promise<EventLog> {
  return connectNatsEventLog({
    url: natsUrl!,
    stream,
    subject: stream,
    replicas: 1,
    maxBytes: 16 * 1024 ** 2,
    appendWithinMs: 10_000,
    pool: db.enginePool,
    clock: systemClock,
    ids: systemIds,
    log: quiet,
    ...options,
  });
}

function eitherOf(first: EventLog, second: EventLog): EventLog {
  return new EitherEventLog({ first, second, clock: systemClock, log: quiet });
}

const at = new Date('2026-03-01T10:00:00.000Z');
const event = (body: string, shard = 1) => ({ shard, body, receivedAt: at });

const here = Object.entries(kinds).filter(([name]) => name === 'PostgreSQL' || natsUrl !== null);

describe.each(here)('the event log on %s', (_name, prepare) => {
  test('hands out what was appended, in order, and keeps nothing of what was worked off', async () => {
    await using log = await opened(prepare);
    await log.append([event('a'), event('b')]);
    await log.append([event('c')]);

    expect(await workOff(log, [1], 3)).toEqual(['a', 'b', 'c']);
    expect(await log.lag()).toEqual({ waiting: 0, oldest: null });
  });

  test('tells when an event came in and which shard it is of', async () => {
    await using log = await opened(prepare);
    await log.append([event('a', 7)]);
    const seen: LoggedEvent[] = [];
    await until(log, () => log.consume([7], 10, async (events) => void seen.push(...events), NOTHING_TO_CONFIRM));
    expect(seen).toMatchObject([{ shard: 7, receivedAt: at, body: 'a' }]);
  });

  test('calls those back who listen, and nobody who has stopped', async () => {
    await using log = await opened(prepare);
    const heard: string[] = [];
    const stopListening = log.onAppended(() => heard.push('stopped'));
    log.onAppended(() => heard.push('listens'));
    stopListening();
    await log.append([event('a')]);
    await workOff(log, [1], 1);
    expect(new Set(heard)).toEqual(new Set(['listens']));
  });

  test('leaves other shards alone', async () => {
    await using log = await opened(prepare);
    await log.append([event('ours', 1), event('theirs', 2)]);
    expect(await workOff(log, [1], 1)).toEqual(['ours']);
    expect(await log.lag()).toMatchObject({ waiting: 1 });
    expect(await workOff(log, [2], 1)).toEqual(['theirs']);
  });

  test('keeps what could not be worked off, and its order', async () => {
    await using log = await opened(prepare);
    await log.append([event('a'), event('b')]);
    const failing = () =>
      log.consume(
        [1],
        10,
        async () => {
          throw new Error('the database is away');
        },
        NOTHING_TO_CONFIRM,
      );
    await expect(until(log, failing)).rejects.toThrow('the database is away');
    expect(await workOff(log, [1], 2)).toEqual(['a', 'b']);
  });

  test('writes nothing of a batch that failed', async () => {
    await using log = await opened(prepare);
    await log.append([event('a')]);
    const failing = () =>
      log.consume(
        [1],
        10,
        async (_events, trx) => {
          await countIn(trx, 'half done');
          throw new Error('stop here');
        },
        NOTHING_TO_CONFIRM,
      );
    await expect(until(log, failing)).rejects.toThrow('stop here');
    expect(await countOf('half done')).toBe(0);
  });

  test('hands out no more than asked for', async () => {
    await using log = await opened(prepare);
    await log.append(Array.from({ length: 5 }, (_, index) => event(String(index))));
    const sizes: number[] = [];
    for (let left = 5; left > 0; ) {
      left -= await until(log, () =>
        log.consume([1], 2, async (events) => void sizes.push(events.length), NOTHING_TO_CONFIRM),
      );
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(5);
  });

  test('holds a body of ten thousand letters in any script as it came', async () => {
    await using log = await opened(prepare);
    const body = 'ä👩‍👩‍👧‍👧\\u00e4'.repeat(1000);
    await log.append([event(body)]);
    expect(await workOff(log, [1], 1)).toEqual([body]);
  });

  test('tells events apart that came in together, each with its time, in their order', async () => {
    await using log = await opened(prepare);
    const events = Array.from({ length: 100 }, (_, index) => ({
      shard: 1,
      receivedAt: new Date(at.getTime() + index),
      body: `${'ä👩‍👧 '.repeat(index)}${index}`,
    }));
    await Promise.all(events.map((one) => log.append([one])));
    const seen: Omit<LoggedEvent, 'id'>[] = [];
    while (seen.length < events.length) {
      await until(log, () =>
        log.consume(
          [1],
          7,
          async (some) => void seen.push(...some.map(({ id: _, ...one }) => one)),
          NOTHING_TO_CONFIRM,
        ),
      );
    }
    expect(seen).toEqual(events);
  });

  test('gives what another process let go of to the next one', async () => {
    const open = await prepare();
    const first = await open();
    await first.append([event('a')]);
    await first.append([event('b')]);
    expect(await until(first, () => first.consume([1], 1, async () => {}, NOTHING_TO_CONFIRM))).toBe(1);
    await first.close();

    const second = await open();
    expect(await workOff(second, [1], 1)).toEqual(['b']);
    await second.close();
  });

  test('takes a thousand appends at a time', async () => {
    await using log = await opened(prepare);
    await Promise.all(Array.from({ length: 1000 }, (_, index) => log.append([event(String(index), index % 16)])));
    const bodies = await workOff(
      log,
      Array.from({ length: 16 }, (_, shard) => shard),
      1000,
    );
    expect(new Set(bodies).size).toBe(1000);
  });
});

/** A log that can be taken away. */
function breakable(log: EventLog) {
  const broken = { now: false };
  const whenWhole = <T>(work: () => Promise<T>) => (broken.now ? Promise.reject(new Error('away')) : work());
  return {
    broken,
    log: {
      append: (events) => whenWhole(() => log.append(events)),
      consume: (...given) => whenWhole(() => log.consume(...given)),
      lag: () => whenWhole(() => log.lag()),
      onAppended: (listener) => log.onAppended(listener),
      close: () => log.close(),
    } satisfies EventLog,
  };
}

describe('one of two event logs', () => {
  test.runIf(natsUrl !== null)('takes what the other cannot, and hands it out as well', async () => {
    await db.enginePool.query('delete from event_log');
    const nats = breakable(await connectToNats(`event-log-${++made}`));
    await using log = closedAtLast(eitherOf(nats.log, new PostgresEventLog(db.enginePool)));
    await log.append([event('in the first')]);
    nats.broken.now = true;
    await log.append([event('in the second')]);
    expect(await log.lag()).toMatchObject({ waiting: 1 });
    nats.broken.now = false;
    expect((await workOff(log, [1], 2)).sort()).toEqual(['in the first', 'in the second']);
  });

  test('is tried again when the other one fails, and nothing is taken where both are away', async () => {
    await db.enginePool.query('delete from event_log');
    const first = breakable(new PostgresEventLog(db.enginePool));
    const second = breakable(new PostgresEventLog(db.enginePool));
    const log = eitherOf(first.log, second.log);
    first.broken.now = true;
    await log.append([event('a')]);
    first.broken.now = false;
    second.broken.now = true;
    // The first one was given up for a second; with the second away it is asked all the same.
    await log.append([event('b')]);
    first.broken.now = true;
    await expect(log.append([event('c')])).rejects.toMatchObject({ statusCode: 503 });
    await expect(log.lag()).rejects.toThrow('away');
    second.broken.now = false;
    expect(await log.lag()).toMatchObject({ waiting: 2 });
    await log.close();
  });

  test('is looked at again after the clock was set back by an hour', async () => {
    await db.enginePool.query('delete from event_log');
    const table = new PostgresEventLog(db.enginePool);
    const empty: EventLog = { ...breakable(table).log, consume: async () => 0, onAppended: () => () => {} };
    const clock = { ...systemClock, now: () => new Date(at.getTime() + passedMs) };
    let passedMs = 3_600_000;
    // Another process appends: nobody calls back here.
    const second = { ...breakable(table).log, onAppended: () => () => {} };
    const log = new EitherEventLog({ first: empty, second, clock, log: quiet });
    expect(await log.consume([1], 10, async () => {}, NOTHING_TO_CONFIRM)).toBe(0);
    await table.append([event('meanwhile')]);
    passedMs = 0;
    expect(await log.consume([1], 10, async () => {}, NOTHING_TO_CONFIRM)).toBe(1);
    await log.close();
  });
});

test.runIf(natsUrl !== null)('a stream that the servers have no room for is refused with their reason', async () => {
  await expect(connectToNats(`event-log-${++made}`, { maxBytes: 2 ** 52 })).rejects.toThrow('insufficient');
});

test.runIf(natsUrl !== null)(
  'events that are kept are all taken at the next look, also while newer ones are handed out',
  async () => {
    const stream = `event-log-${++made}`;
    const firstLook = Promise.withResolvers<void>();
    let looks = 0;
    // To this clock an event is old at once; it looks behind once, when it is told to, and never again.
    const clock = {
      now: () => new Date(Date.now() + 60_000),
      sleep: (ms: number, signal?: AbortSignal) => {
        if (ms !== LOOK_BEHIND_EVERY_MS) return systemClock.sleep(ms / 50, signal);
        return ++looks === 1 ? firstLook.promise : once(signal!, 'abort').then(() => {});
      },
    };
    const log = await connectToNats(stream, { clock });
    // Another one fetched them, and says again and again that it is at work.
    const bodies = ['one', 'two', 'three'];
    for (const body of bodies) await log.append([event(body)]);
    const connection = await connect({ servers: new URL(natsUrl!).host });
    const manager = await jetstreamManager(connection);
    await manager.consumers.add(stream, {
      durable_name: 'shard-1',
      filter_subject: `${stream}.1`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(8_000),
      max_ack_pending: 1024,
      num_replicas: 1,
    });
    const consumer = await jetstream(connection).consumers.get(stream, 'shard-1');
    const kept = [await consumer.next(), await consumer.next(), await consumer.next()];
    const stillAtWork = () => {
      for (const message of kept) message!.working();
    };
    const atWork = setInterval(stillAtWork, 1_000);
    try {
      await log.append([event('newer')]);
      expect(await workOff(log, [1], 1)).toEqual(['newer']);
      firstLook.resolve();
      expect(await workOff(log, [1], 3)).toEqual(bodies);
      expect(await log.lag()).toMatchObject({ waiting: 0 });
    } finally {
      firstLook.resolve();
      clearInterval(atWork);
      await log.close();
      await connection.close();
    }
  },
);

describe.runIf(natsUrl !== null)('a server that knows of an event and has not stored it', () => {
  /** Answers in place of the stream, which listens elsewhere. */
  async function answering(answers: number[], appendWithinMs: number) {
    const stream = `event-log-${++made}`;
    const connection = await connect({ servers: new URL(natsUrl!).host });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: stream, subjects: [`${stream}.elsewhere`] });
    const asked: string[] = [];
    connection.subscribe(`${stream}.1`, {
      callback: (_error, message) => {
        const seq = answers[Math.min(asked.length, answers.length - 1)];
        asked.push(message.headers!.get('Nats-Msg-Id'));
        message.respond(JSON.stringify({ stream, seq, duplicate: true }));
      },
    });
    const log = await connectToNats(stream, { appendWithinMs });
    const close = () => Promise.all([log.close(), connection.close()]);
    return { log, asked, [Symbol.asyncDispose]: async () => void (await close()) };
  }

  test('is asked again until it has', async () => {
    await using stub = await answering([0, 0, 7], 10_000);
    await stub.log.append([event('a')]);
    expect(stub.asked).toHaveLength(3);
    expect(new Set(stub.asked).size).toBe(1);
  });

  test('has not taken it in the end', async () => {
    await using stub = await answering([0], 1);
    await expect(stub.log.append([event('a')])).rejects.toThrow('has not stored it');
  });
});

test.runIf(natsUrl !== null)('events of a process that asks no more are handed to the next one', async () => {
  const stream = `event-log-${++made}`;
  let passedMs = 0;
  const clock = {
    now: () => new Date(Date.now() + passedMs),
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 50, signal),
  };
  await using first = closedAtLast(await connectToNats(stream, { clock }));
  await using second = closedAtLast(await connectToNats(stream));
  await first.append([event('a')]);
  const failing = () =>
    first.consume([1], 1, () => Promise.reject(new Error('the database is away')), NOTHING_TO_CONFIRM);
  await expect(until(first, failing)).rejects.toThrow('the database is away');
  passedMs = 10_000;
  expect(await workOff(second, [1], 1)).toEqual(['a']);
});

test.runIf(natsUrl !== null)('a stream that is full refuses what comes, and keeps what it has', async () => {
  await using log = closedAtLast(await connectToNats(`event-log-${++made}`));
  const large = 'x'.repeat(900_000);
  let taken = 0;
  await expect(
    (async () => {
      for (; taken < 30; taken++) await log.append([event(large)]);
    })(),
  ).rejects.toThrow('maximum bytes exceeded');
  expect(taken).toBeGreaterThan(10);
  expect(await workOff(log, [1], taken)).toHaveLength(taken);
  await log.append([event('room again')]);
});

async function opened(prepare: (typeof kinds)[keyof typeof kinds]): Promise<EventLog & AsyncDisposable> {
  return closedAtLast(await (await prepare())());
}

function closedAtLast(log: EventLog): EventLog & AsyncDisposable {
  return Object.assign(log, { [Symbol.asyncDispose]: () => log.close() });
}

/** Works off events until there were `count` of them; answers their bodies. */
async function workOff(log: EventLog, shards: number[], count: number): Promise<string[]> {
  const bodies: string[] = [];
  while (bodies.length < count) {
    await until(log, () =>
      log.consume(shards, 100, async (events) => void bodies.push(...events.map((e) => e.body)), NOTHING_TO_CONFIRM),
    );
  }
  return bodies;
}

/** Tries again at each arrival, until something was worked off. */
async function until(log: EventLog, consume: () => Promise<number>): Promise<number> {
  const arrivals = arrivalsAt(log);
  for (;;) {
    const over = new AbortController();
    try {
      const arrived = once(arrivals, 'arrived', { signal: over.signal }).catch(() => {});
      const count = await consume();
      if (count > 0) return count;
      await arrived;
    } finally {
      over.abort();
    }
  }
}

const arrivalsOf = new WeakMap<EventLog, EventEmitter>();

function arrivalsAt(log: EventLog): EventEmitter {
  const known = arrivalsOf.get(log);
  if (known !== undefined) return known;
  const arrivals = new EventEmitter();
  arrivalsOf.set(log, arrivals);
  log.onAppended(() => arrivals.emit('arrived'));
  return arrivals;
}

async function countIn(trx: pg.PoolClient, what: string): Promise<void> {
  await trx.query('insert into ignored_events (day, what, count) values ($1, $2, 1)', [at, what]);
}

async function countOf(what: string): Promise<number> {
  const { rows } = await db.enginePool.query('select from ignored_events where what = $1', [what]);
  return rows.length;
}
