/** The engine in simulated time: real PostgreSQL, the simulator as Meta, steps driven one by one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { AutomationInput } from '#contract/automations.ts';
import { type Ids, systemIds } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { readConfig } from '#server/config.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { Engine, type EngineDeps } from '#server/engine/engine.ts';
import { shardOf } from '#server/engine/shards/shards.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { createSpeakers } from '#server/features/connections/account-tokens.ts';
import { createMetaClient, type MetaClient } from '#server/platforms/meta/client.ts';
import { seal } from '#server/secrets.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';
import type { SeededCreator, SeedPersonInput } from '#simulators/meta/control/types.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';

const START = new Date('2026-06-01T12:00:00Z');
const KEYS = { encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 7) }] };

export type WorldCreator = SeededCreator & { creatorId: string; connectionId: string };

export type AutomationGiven = {
  words?: string[];
  postId?: string | null;
  messageText?: string;
  buttons?: { title: string; url: string; code: string }[];
  publicReplies?: string[];
  repeatAfterMinutes?: number | null;
} & Partial<
  Pick<
    AutomationInput,
    'trigger' | 'mode' | 'variants' | 'translations' | 'card' | 'opening' | 'followAsk' | 'emailAsk' | 'followUp'
  >
>;

export type EngineWorld = {
  db: TestDatabase;
  clock: TestClock;
  simulator: MetaSimulator;
  meta: MetaClient;
  eventLog: PostgresEventLog;
  ids: Ids;
  speakerOf: EngineDeps['speakerOf'];
  /** A new engine on the same database, as after a crash of the one before: it takes over every shard. */
  startEngine(more?: Partial<EngineDeps>): Promise<Engine>;
  /** A creator with one connected Instagram account; with `webhooks`, whatever people do is told to the event log. */
  addCreator(options?: {
    webhooks?: boolean;
    followers?: number | SeedPersonInput[];
    /** Of a creator who exists */
    creatorId?: string;
  }): Promise<WorldCreator>;
  /** Resolves when every webhook under way has arrived. */
  webhooksArrived(): Promise<void>;
  addAutomation(creator: WorldCreator, given?: AutomationGiven): Promise<string>;
  /** As tokens are kept. */
  seal(token: string): string;
  /** The creator signed in again. */
  reconnect(creator: WorldCreator, token: string): Promise<void>;
  /** Somebody comments; the webhook is returned, not delivered. */
  comment(
    creator: WorldCreator,
    given: { text: string; person?: number; post?: number; parentId?: string; by?: 'owner' },
  ): Promise<{ id: string; body: string; accountId: string }>;
  /** The webhook route's work on a verified body. */
  deliver(webhook: { body: string; accountId: string }): Promise<void>;
  /** Both clocks. */
  advance(ms: number): Promise<void>;
  /** Works everything off, moving the clocks to whatever comes next, until nothing is left or `horizonMs` is reached. */
  settle(engine: Engine, horizonMs?: number): Promise<void>;
  interactions(creator: WorldCreator): Promise<
    {
      platform_id: string;
      outcome: string;
      reason: string;
      text: string;
      person_id: string;
      waiting_until: Date | null;
    }[]
  >;
  close(): Promise<void>;
};

/** @param options.simulator somebody else's, who closes it */
export async function createEngineWorld(
  options: {
    limits?: Partial<Config['limits']>;
    timeoutMs?: number;
    db?: TestDatabase;
    start?: Date;
    clock?: TestClock;
    simulator?: MetaSimulator;
  } = {},
): Promise<EngineWorld> {
  const db = options.db ?? (await createTestDatabase());
  const clock = options.clock ?? createTestClock(options.start ?? START);
  const receiver = createServer((request, response) => {
    // The handshake before the first webhook.
    const challenge = new URL(request.url ?? '/', 'http://here').searchParams.get('hub.challenge');
    if (challenge !== null) {
      response.end(challenge);
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', async () => {
      const body = Buffer.concat(parts).toString();
      // As the webhook route does: a body for several shards is logged once for each.
      const accounts = new Set((JSON.parse(body) as { entry: { id: string }[] }).entry.map(({ id }) => shardOf(id)));
      await eventLog.append([...accounts].map((shard) => ({ shard, receivedAt: clock.now(), body })));
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const simulator =
    options.simulator ?? (await startMetaSimulator({ port: 0, clock: clock.now(), seed: 'engine', webhookUrl }));
  if (options.simulator !== undefined) await simulator.control.updateApp({ webhookUrl });
  const defaults = readConfig({ SIMULATORS: 'on' });
  const { app, baseUrls } = simulator;
  const meta = createMetaClient(
    {
      ...defaults.meta,
      appSecret: app.metaAppSecret,
      graphUrl: baseUrls.META_GRAPH_URL,
      instagramGraphUrl: baseUrls.INSTAGRAM_GRAPH_URL,
    },
    { clock, timeoutMs: options.timeoutMs ?? 5000 },
  );
  const eventLog = new PostgresEventLog(db.enginePool);
  const speakers = createSpeakers({ db, keys: KEYS, clock });
  const ids = systemIds;
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

  const world: EngineWorld = {
    db,
    clock,
    simulator,
    meta,
    eventLog,
    ids,
    speakerOf: speakers.speakerOf,
    async startEngine(more = {}) {
      const engine = new Engine({
        pool: db.enginePool,
        eventLog,
        clock,
        ids,
        random: () => 0.5,
        limits: { ...defaults.limits, ...options.limits },
        baseUrl: 'https://hq.example.com',
        meta,
        speakerOf: speakers.speakerOf,
        log,
        onChanged: () => {},
        onStopped: (_creatorId, connectionId) => speakers.forget(connectionId),
        alone: true,
        ...more,
      });
      await engine.holdShards(true);
      // Leases run out in the database's time, which is the real one: a test on a busy machine must not lose them by waiting.
      await db.enginePool.query(`update shard_leases set expires_at = 'infinity' where holder is not null`);
      return engine;
    },

    webhooksArrived: () => simulator.control.settle(),

    async addCreator({ webhooks = false, followers = 6, creatorId: known } = {}) {
      const subscribed = webhooks ? (['instagram'] as const) : [];
      const seeded = await simulator.control.seedCreator({ followers, posts: 2, subscribed: [...subscribed] });
      const creatorId = known ?? ids.uuid(clock.now());
      const connectionId = ids.uuid(clock.now());
      if (known === undefined) {
        const handle = creatorId.slice(-12);
        await db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [creatorId, handle]);
      }
      await db.enginePool.query(
        `insert into connections (creator_id, id, platform, account_id, username, connected_at)
         values ($1, $2, 'instagram', $3, $4, $5)`,
        [creatorId, connectionId, seeded.instagramAccountId, seeded.username, clock.now()],
      );
      await db.enginePool.query(
        `insert into tokens (creator_id, id, kind, subject_id, secret, issued_at, expires_at)
         values ($1, $2, 'INSTAGRAM_BUSINESS_USER', $3, $4, $5::timestamptz, $5::timestamptz + interval '60 days')`,
        [
          creatorId,
          ids.uuid(clock.now()),
          seeded.instagramAccountId,
          seal(KEYS.encryptionKeys, seeded.tokens.instagram.token),
          clock.now(),
        ],
      );
      return { ...seeded, creatorId, connectionId };
    },

    async addAutomation(creator, given = {}) {
      const id = ids.uuid(clock.now());
      await db.enginePool.query(
        `insert into automations (creator_id, id, connection_id, name, scope, post_id, words, mode, message_text, buttons,
           public_replies, repeat_after_minutes, switched_on_at, created_at, updated_at, trigger, variants, translations,
           card, opening, follow_ask, email_ask, follow_up)
         values ($1, $2, $3, 'Test', $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $12, $13, $14, $15, $16, $17, $18, $19,
           $20)`,
        [
          creator.creatorId,
          id,
          creator.connectionId,
          given.postId == null ? 'any' : 'one',
          given.postId ?? null,
          given.words ?? ['recipe'],
          given.mode ?? 'whole_word',
          given.messageText ?? 'Hi {{username|there}}, here it is.',
          JSON.stringify(given.buttons ?? [{ title: 'Open', url: 'https://example.com/pasta', code: 'abc1234' }]),
          given.publicReplies ?? [],
          given.repeatAfterMinutes === undefined ? 1440 : given.repeatAfterMinutes,
          clock.now(),
          given.trigger ?? 'comment',
          JSON.stringify(given.variants ?? []),
          JSON.stringify(given.translations ?? []),
          given.card ?? null,
          given.opening ?? null,
          given.followAsk ?? null,
          given.emailAsk ?? null,
          given.followUp ?? null,
        ],
      );
      return id;
    },

    seal: (token) => seal(KEYS.encryptionKeys, token),

    async reconnect(creator, token) {
      await db.enginePool.query('update tokens set secret = $2, invalid_at = null where creator_id = $1', [
        creator.creatorId,
        seal(KEYS.encryptionKeys, token),
      ]);
      await db.enginePool.query('update connections set requires_auth_at = null where creator_id = $1', [
        creator.creatorId,
      ]);
      speakers.forget(creator.connectionId);
    },

    async comment(creator, { text, person = 0, post = 0, parentId, by }) {
      const { commentId } = await simulator.control.comment({
        mediaId: creator.posts[post]!.mediaId,
        personId: by ?? creator.followers[person]!.personId,
        text,
        notify: false,
        ...(parentId !== undefined && { parentId }),
      });
      const { body } = await simulator.control.webhookForComment(commentId);
      return { id: commentId, body, accountId: creator.instagramAccountId };
    },

    deliver: ({ body, accountId }) => eventLog.append([{ shard: shardOf(accountId), receivedAt: clock.now(), body }]),

    async advance(ms) {
      await clock.advance(ms);
      await simulator.control.advance(ms);
    },

    async settle(engine, horizonMs = 8 * 24 * 3_600_000) {
      const until = clock.now().getTime() + horizonMs;
      for (;;) {
        while ((await engine.ingestOnce()) > 0);
        while ((await engine.dispatchOnce()) > 0);
        if ((await engine.ingestOnce()) > 0) continue;
        const next = engine.nextDispatchAt();
        if (next > until) return;
        // At least a millisecond: a lane that is due but has nothing must not stop the clock.
        await world.advance(Math.max(1, next - clock.now().getTime()));
      }
    },

    async interactions(creator) {
      const { rows } = await db.enginePool.query(
        `select platform_id, outcome, reason, text, person_id, waiting_until from interactions where creator_id = $1 order by id`,
        [creator.creatorId],
      );
      return rows;
    },

    async close() {
      await meta.close();
      if (options.simulator === undefined) await simulator.close();
      await new Promise((resolve) => receiver.close(resolve));
      await eventLog.close();
      await db.drop();
    },
  };
  return world;
}
