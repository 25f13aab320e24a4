/**
 * A viral hour in simulated time, from the first comment until nobody waits any more: the engine against the simulator,
 * which counts by itself what arrived and when. Used by viral-hour.test.ts (short) and bench/viral-hour.ts (whole).
 */
import type { Config } from '#server/config.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import { RENEW_EVERY_MS } from '#server/engine/shards/leases.ts';
import { shardOf } from '#server/engine/shards/shards.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import type { Forecast } from '#server/features/queue/forecast.ts';
import { findLost } from '#server/features/queue/queries.ts';
import { refreshForecast } from '#server/features/queue/stored-forecast.ts';

const HOUR_MS = 3_600_000;
/** How long the clock stands still while comments come. */
const STEP_MS = 60_000;
const WINDOW_MS = 7 * 24 * HOUR_MS;

export type ViralHour = {
  /** A migrated database; one for tests when left out. */
  db?: TestDatabase;
  /** Comments on the first post within its hour, and on a second post within the next. */
  comments: [number, number];
  perHour: number;
  say?: (line: string) => void;
};

export type ViralFigures = {
  comments: number;
  sent: number;
  expired: number;
  /** Neither sent nor expired. */
  lost: number;
  /** Comments that got two messages, by the simulator's own count. */
  doubled: number;
  /** Share of what the limit allows, from the first comment until the queue was empty or the last deadline. */
  used: number;
  /** Most messages in any hour, wherever it begins. */
  mostInAnyHour: number;
  /** By post: how far the end predicted after the second hour was from the real one, as a share of the wait. */
  endOff: number[];
  /** Of those who expired, how many had been named before, and the other way round. */
  named: number;
  namedWrongly: number;
  ms: { ingest: number; send: number; forecast: number };
};

export async function simulateViralHour({ comments, perHour, say = () => {}, db }: ViralHour): Promise<ViralFigures> {
  const world = await createEngineWorld({
    limits: { privateRepliesPerHour: perHour },
    ...(db !== undefined && { db }),
  });
  try {
    await world.simulator.control.updateSettings({
      ledger: 'compact',
      limits: { privateRepliesPerHour: perHour },
      switches: { acceptUnknownComments: true },
    });
    return await play(world, { comments, perHour, say });
  } finally {
    await world.close();
  }
}

async function play(
  world: EngineWorld,
  { comments, perHour, say }: Required<Omit<ViralHour, 'db'>>,
): Promise<ViralFigures> {
  const { clock, db } = world;
  const creator = await world.addCreator();
  await world.addAutomation(creator, { repeatAfterMinutes: null });
  const engine = await world.startEngine();
  const startedAt = clock.now().getTime();
  const ms = { ingest: 0, send: 0, forecast: 0 };
  const timed = async <T>(kind: keyof typeof ms, work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await work();
    ms[kind] += performance.now() - from;
    return result;
  };
  const sendAll = () =>
    timed('send', async () => {
      while ((await engine.dispatchOnce()) > 0);
    });

  // Leases run in the database's time, which is the real one.
  let renewAt = 0;
  const stayHolder = async () => {
    if (performance.now() < renewAt) return;
    await engine.holdShards(false);
    renewAt = performance.now() + RENEW_EVERY_MS / 2;
  };

  // Two hours of comments, one post after the other.
  const stepsPerHour = HOUR_MS / STEP_MS;
  let made = 0;
  for (const [post, count] of comments.entries()) {
    for (let step = 1; step <= stepsPerHour; step++) {
      const until = Math.round((count * step) / stepsPerHour) + (post === 0 ? 0 : comments[0]);
      const accountId = creator.instagramAccountId;
      const bodies = Array.from({ length: until - made }, () => webhook(creator, post, made++, clock.now()));
      await timed('ingest', async () => {
        await world.eventLog.append(
          bodies.map((body) => ({ shard: shardOf(accountId), receivedAt: clock.now(), body })),
        );
        while ((await engine.ingestOnce()) > 0);
      });
      await stayHolder();
      await sendAll();
      await world.advance(STEP_MS);
    }
  }

  const forecastAt = clock.now().getTime();
  const predicted = await timed('forecast', () =>
    refreshForecast(
      { clock, config: { limits: { privateRepliesPerHour: perHour } as Config['limits'] } },
      db.engine,
      creator,
    ),
  );
  say(`forecast after two hours: ${predicted?.waiting} wait, ${predicted?.expiring} will be lost`);
  const named = await findNamed(world, creator, predicted);

  const end = startedAt + 2 * HOUR_MS + WINDOW_MS + HOUR_MS;
  for (let sweepAt = forecastAt + HOUR_MS; clock.now().getTime() < end; ) {
    await stayHolder();
    await sendAll();
    const next = Math.min(engine.nextDispatchAt(), sweepAt, end);
    // Whole seconds: a real dispatcher is not more exact either.
    const step = Math.ceil((next - clock.now().getTime()) / 1000) * 1000;
    await world.advance(Math.max(1000, step));
    if (clock.now().getTime() < sweepAt) continue;
    sweepAt += HOUR_MS;
    await engine.sweep();
    const waiting = await countWaiting(world);
    if ((sweepAt - startedAt) % (24 * HOUR_MS) < HOUR_MS)
      say(`${Math.round((sweepAt - startedAt) / HOUR_MS)} h: ${waiting} wait`);
    if (waiting === 0) break;
  }
  return await figuresOf(world, { comments, perHour, startedAt, forecastAt, predicted, named, ms });
}

function webhook(creator: WorldCreator, post: number, index: number, at: Date): string {
  const from = { id: String(9_000_000_000_000 + index), username: `follower${index}` };
  const value = { id: commentId(index), text: 'Recipe please!', from, media: { id: creator.posts[post]!.mediaId } };
  const time = Math.floor(at.getTime() / 1000);
  return JSON.stringify({
    object: 'instagram',
    entry: [{ id: creator.instagramAccountId, time, changes: [{ field: 'comments', value }] }],
  });
}

/** As text: Meta's ids are beyond the numbers of JavaScript. */
const commentId = (index: number) => `1790000${String(index).padStart(10, '0')}`;

async function findNamed(world: EngineWorld, creator: WorldCreator, predicted: Forecast | null): Promise<Set<string>> {
  const named = new Set<string>();
  if (predicted === null || predicted.lost.length === 0) return named;
  const rows = await world.db.withCreator(creator.creatorId, (trx) =>
    findLost(trx, creator, predicted.lost, 'deadline', { after: null, limit: 1_000_000 }),
  );
  for (const row of rows) named.add(row.interaction_id);
  return named;
}

async function countWaiting(world: EngineWorld): Promise<number> {
  const { rows } = await world.db.enginePool.query(`select count(*) as count from deliveries where state = 'queued'`);
  return rows[0].count;
}

async function figuresOf(
  world: EngineWorld,
  run: {
    comments: [number, number];
    perHour: number;
    startedAt: number;
    forecastAt: number;
    predicted: Forecast | null;
    named: Set<string>;
    ms: ViralFigures['ms'];
  },
): Promise<ViralFigures> {
  const { rows } = await world.db.enginePool.query<{
    id: string;
    post_id: string;
    platform_id: string;
    outcome: string;
  }>('select id, post_id, platform_id, outcome from interactions');
  const arrived = new Map(
    (await world.simulator.control.deliveries()).map((delivery) => [delivery.commentId, delivery]),
  );
  const { doubledPrivateReplies } = await world.simulator.control.ledgerSummary();
  const sent = rows.filter(({ outcome }) => outcome === 'replied');
  const expired = rows.filter(({ outcome }) => outcome === 'expired');
  const times = [...arrived.values()]
    .flatMap(({ firstPrivateReplyAt }) => firstPrivateReplyAt ?? [])
    .sort((a, b) => a - b);
  const last = times.at(-1)!;
  const endOf = (postId: string) =>
    Math.max(
      0,
      ...sent.filter((row) => row.post_id === postId).map((row) => arrived.get(row.platform_id)!.firstPrivateReplyAt!),
    );
  const posts = (run.predicted?.posts ?? []).filter(({ doneAtMs }) => doneAtMs !== null);
  const all = run.comments[0] + run.comments[1];
  // At the beginning the whole allowance goes at once, then as much in each further hour.
  const allowed = run.perHour * (Math.floor((last - run.startedAt) / HOUR_MS) + 1);
  return {
    comments: all,
    sent: sent.length,
    expired: expired.length,
    lost: all - sent.length - expired.length + sent.filter((row) => !arrived.has(row.platform_id)).length,
    doubled: doubledPrivateReplies.length,
    used: times.length / allowed,
    mostInAnyHour: mostInAnyHour(times),
    endOff: posts.map(({ postId, doneAtMs }) => {
      const real = endOf(postId!);
      return Math.abs(doneAtMs! - real) / (real - run.forecastAt);
    }),
    named: expired.filter(({ id }) => run.named.has(id)).length,
    namedWrongly: run.named.size - expired.filter(({ id }) => run.named.has(id)).length,
    ms: run.ms,
  };
}

/** However the platform lays its hour: (t, t + 1 h]. */
function mostInAnyHour(times: number[]): number {
  let most = 0;
  let from = 0;
  for (const [index, time] of times.entries()) {
    while (times[from]! <= time - HOUR_MS) from++;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
