/** Works out forecasts and stores them, so that any number of screens can read them for nothing. */
import type { Kysely } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { type Forecast, forecast, type Waiting } from './forecast.ts';
import { heldUp } from './hold-up.ts';
import * as queries from './queries.ts';

export type ForecastDeps = { db: Database; clock: Clock; config: Pick<Config, 'limits'> };

const HOUR_MS = 3_600_000;
const EVERY_MS = 5000;

/** Recomputes the forecast of one connection. Null: nobody waits there. */
export async function refreshForecast(
  { clock, config }: Pick<ForecastDeps, 'clock' | 'config'>,
  trx: Kysely<Tables>,
  connection: { creatorId: string; connectionId: string },
): Promise<Forecast | null> {
  const now = clock.now();
  const [row] = await queries.findQueues(trx, connection, now);
  if (row === undefined) return null;
  const queue = await queries.findWaiting(trx, connection, { sorted: row.sorted ?? 'deadline' });
  const made = queue.length === 0 ? null : forecast(await outlook(trx, row, config, now), queue);
  await queries.storeForecast(trx, connection, made, now);
  return made;
}

/** When others, with these deadlines, would get their turn if they joined the queue now. */
export async function forecastWith(
  { db, clock, config }: ForecastDeps,
  connection: { creatorId: string; connectionId: string },
  expiresAtMs: number[],
): Promise<Pick<Forecast, 'doneAtMs' | 'expiring' | 'firstExpiryAtMs'>> {
  const now = clock.now();
  const [row] = await queries.findQueues(db.engine, connection, now);
  if (row === undefined) return { doneAtMs: null, expiring: 0, firstExpiryAtMs: null };
  const sorted = row.sorted ?? 'deadline';
  const others = await queries.findWaiting(db.engine, connection, { sorted, ofAnyPost: true });
  const queue = [...others, ...groupsOf(expiresAtMs)];
  const direction = sorted === 'deadline' ? 1 : -1;
  queue.sort((a, b) => b.priority - a.priority || direction * (a.expiresFromMs - b.expiresFromMs));
  const made = forecast(await outlook(db.engine, row, config, now), queue);
  const joined = made.posts.find(({ postId }) => postId === JOINING);
  const lost = made.lost.filter(({ postId }) => postId === JOINING);
  return {
    doneAtMs: joined?.doneAtMs ?? null,
    expiring: joined?.expiring ?? 0,
    firstExpiryAtMs: lost.length === 0 ? null : Math.min(...lost.map(({ expiresFromMs }) => expiresFromMs)),
  };
}

/** No post is called so. */
const JOINING = 'joining';
const MINUTE_MS = 60_000;

function groupsOf(expiresAtMs: number[]): Waiting[] {
  const minutes = Map.groupBy(expiresAtMs, (at) => Math.floor(at / MINUTE_MS));
  return [...minutes.values()].map((of) => ({
    postId: JOINING,
    priority: 0,
    expiresFromMs: Math.min(...of),
    expiresToMs: Math.max(...of),
    count: of.length,
  }));
}

async function outlook(trx: Kysely<Tables>, row: queries.QueueRow, config: ForecastDeps['config'], now: Date) {
  const hold = heldUp(row);
  return {
    nowMs: now.getTime(),
    perHour: config.limits.privateRepliesPerHour,
    recentCalls: await queries.findRecentCalls(
      trx,
      { creatorId: row.creator_id, connectionId: row.connection_id },
      new Date(now.getTime() - HOUR_MS),
    ),
    opensAtMs: hold === null ? now.getTime() : (hold.until?.getTime() ?? null),
    slowedToPercent: row.slowed_to_percent,
    slowedUntilMs: row.slowed_until?.getTime() ?? 0,
  };
}

/** For the worker's list of repeated jobs. */
export const queueJobs = [
  {
    name: 'forecast-queues',
    everyMs: EVERY_MS,
    run: async (deps: ForecastDeps) => {
      for (const connection of await queries.findToForecast(deps.db)) {
        await refreshForecast(deps, deps.db.engine, connection);
      }
    },
  },
];
