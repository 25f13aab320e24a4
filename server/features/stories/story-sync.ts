/**
 * Keeps stories and lives as they stand at Instagram, and what Instagram forgets: pictures and figures.
 *
 * Stories are listed every quarter of an hour, lives every minute while one runs. Those no longer listed are over:
 * a story after 24 hours or because it was taken down, a live because it ended. From then on nobody who commented in the
 * live can be answered [D], so what still waits is given up with that reason.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { LiveEvent } from '#contract/interactions.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { AppError } from '#server/errors.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import { downloadPicture } from './pictures.ts';
import * as queries from './queries.ts';

export type ReadingDeps = {
  db: Database;
  clock: Clock;
  meta: Pick<MetaClient, 'stories' | 'liveMedia' | 'storyInsights'>;
  /** The token that speaks for a connection; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
  live: { publish(creatorId: string, event: LiveEvent): void };
  log: FastifyBaseLogger;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** [D] */
const STORY_LASTS_MS = 24 * HOUR_MS;
/** Far more than anybody puts up in a day. */
const PAGES_AT_MOST = 10;

const STORIES_EVERY_MS = 15 * MINUTE_MS;
const LIVES_EVERY_MS = { running: MINUTE_MS, awaited: 3 * MINUTE_MS, otherwise: STORIES_EVERY_MS };
/** A live lasts four hours at most [R]; one that nobody could ask about for longer is over. */
const LIVE_LASTS_AT_MOST_MS = 5 * HOUR_MS;
const CONNECTIONS_PER_RUN = 50;
/** Somewhat longer than the time between two readings: what was written meanwhile. */
const HEARD_SINCE_MS = 2 * STORIES_EVERY_MS;

const INSIGHTS_EVERY_MS = HOUR_MS;
/** At the end every reading takes the figures along: the last before Instagram drops them. */
const LAST_CALL_MS = 2 * STORIES_EVERY_MS;

/**
 * Lists the stories of a connection; new pictures and due figures come along.
 *
 * @throws AppError needs_reconnect, platform_unreachable
 */
export async function readConnectionStories(deps: ReadingDeps, connection: queries.ReadConnection): Promise<number> {
  const { db, clock, meta } = deps;
  const speaker = await speakerFor(deps, connection);
  const listed: { story: queries.ReadStory; pictureUrl: string | null }[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_AT_MOST; page++) {
    const answer: Awaited<ReturnType<MetaClient['stories']>> = await meta.stories({
      ...speaker,
      accountId: connection.accountId,
      ...(after !== null && { after }),
    });
    if (!answer.ok) throw failureOf(answer.verdict);
    for (const { id, video, caption, permalink, pictureUrl, at } of answer.data.items) {
      const postedAt = at ?? clock.now();
      const expiresAt = new Date(postedAt.getTime() + STORY_LASTS_MS);
      listed.push({
        story: {
          id,
          kind: 'story',
          video,
          caption: storable(caption),
          permalink,
          posted_at: postedAt,
          expires_at: expiresAt,
        },
        pictureUrl,
      });
    }
    after = answer.data.after;
    if (after === null) break;
  }
  const now = clock.now();
  const stories = [...new Map(listed.map((entry) => [entry.story.id, entry])).values()];
  const unpictured = await queries.upsertListed(
    db,
    connection,
    stories.map(({ story }) => story),
    now,
  );
  await queries.addHeardOf(db, connection, new Date(now.getTime() - HEARD_SINCE_MS));
  await queries.endUnlisted(db, connection, { kind: 'story', listed: stories.map(({ story }) => story.id), now });
  for (const { story, pictureUrl } of stories) {
    if (unpictured.has(story.id) && pictureUrl !== null) await keepPicture(deps, connection, story.id, pictureUrl);
  }
  await readInsights(deps, connection, speaker);
  await queries.recordReading(db, connection, clock.now());
  return stories.length;
}

/** A picture that could not be fetched is tried again with the next reading, as long as the story is up. */
async function keepPicture(
  { db, log }: ReadingDeps,
  connection: queries.ReadConnection,
  storyId: string,
  url: string,
): Promise<void> {
  const picture = await downloadPicture(url);
  if ('problem' in picture) log.warn({ storyId, problem: picture.problem }, 'a story picture could not be kept');
  else await queries.storePicture(db, connection, storyId, picture);
}

async function readInsights(deps: ReadingDeps, connection: queries.ReadConnection, speaker: Speaker): Promise<void> {
  const { db, clock, meta, log } = deps;
  const now = clock.now().getTime();
  const due = await queries.findInsightsDue(db, connection, {
    olderThan: new Date(now - INSIGHTS_EVERY_MS),
    endingBefore: new Date(now + LAST_CALL_MS),
    lastCall: new Date(now - STORIES_EVERY_MS / 2),
  });
  for (const mediaId of due) {
    const answer = await meta.storyInsights({ ...speaker, mediaId });
    if (answer.ok) {
      if (answer.data !== null)
        await queries.storeInsights(db, connection, mediaId, { figures: answer.data, now: clock.now() });
      continue;
    }
    // Without the permission, or with the limit used up, the next story would be told the same.
    log.info({ connectionId: connection.id, why: answer.verdict.detail }, 'story figures could not be read');
    return;
  }
}

/**
 * Lists the lives of a connection; gives up what waited for those that are over.
 *
 * @throws AppError needs_reconnect, platform_unreachable
 */
export async function readConnectionLives(deps: ReadingDeps, connection: queries.ReadConnection): Promise<number> {
  const { db, clock, meta } = deps;
  const speaker = await speakerFor(deps, connection);
  // Before the list: a live that begins meanwhile is on neither, and must not count as over.
  const asked = clock.now();
  await queries.addHeardOf(db, connection, new Date(asked.getTime() - HEARD_SINCE_MS));
  const answer = await meta.liveMedia({ ...speaker, accountId: connection.accountId });
  if (!answer.ok) throw failureOf(answer.verdict);
  const now = clock.now();
  const lives = answer.data.map(({ id, caption, permalink, at }) => ({
    id,
    kind: 'live' as const,
    video: true,
    caption: storable(caption),
    permalink,
    posted_at: at ?? now,
    expires_at: null,
  }));
  await queries.upsertListed(db, connection, lives, now);
  const over = await queries.endUnlisted(db, connection, { kind: 'live', listed: lives.map(({ id }) => id), now });
  await giveUp(deps, connection.creatorId, over);
  return lives.length;
}

async function giveUp({ db, clock, live }: ReadingDeps, creatorId: string, liveIds: string[]): Promise<void> {
  if (liveIds.length === 0) return;
  // They can never go out any more [D].
  const which = { lives: { creatorId, ids: liveIds } };
  await db.engine.transaction().execute((trx) => callOff(trx, which, 'live_over', clock.now()));
  live.publish(creatorId, { what: 'interactions', postIds: liveIds });
}

/**
 * Asks for everything that runs on a creator's accounts now.
 *
 * @throws AppError not_connected, needs_reconnect, platform_unreachable when no account could be asked
 */
export async function readNow(deps: ReadingDeps, creatorId: string): Promise<{ running: number }> {
  const connections = await queries.findConnections(deps.db, creatorId);
  if (connections.length === 0) {
    throw (await queries.hasConnection(deps.db, creatorId))
      ? new AppError('needs_reconnect', 'Reconnect your account in Settings, then refresh.')
      : new AppError('not_connected', 'Connect an Instagram account in Settings first.');
  }
  let running = 0;
  let asked = 0;
  let failure: AppError | null = null;
  for (const connection of connections) {
    try {
      running += await readConnectionStories(deps, connection);
      running += await readConnectionLives(deps, connection);
      asked++;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failure = error;
    }
  }
  if (asked === 0 && failure !== null) throw failure;
  deps.live.publish(creatorId, { what: 'stories' });
  return { running };
}

/** For the worker's list of repeated jobs. */
export const storyJobs = [
  {
    name: 'read-stories',
    everyMs: MINUTE_MS,
    run: async (deps: ReadingDeps) => {
      const now = deps.clock.now();
      const before = (ms: number) => new Date(now.getTime() - ms);
      const ended = await queries.endByTime(deps.db, { now, livesUnseenSince: before(LIVE_LASTS_AT_MOST_MS) });
      for (const { creatorId, id, kind } of ended) {
        if (kind === 'live') await giveUp(deps, creatorId, [id]);
        deps.live.publish(creatorId, { what: 'stories' });
      }
      const limit = CONNECTIONS_PER_RUN;
      const forStories = await queries.claimForStories(deps.db, { before: before(STORIES_EVERY_MS), now, limit });
      await eachOf(deps, forStories, readConnectionStories);
      const forLives = await queries.claimForLives(deps.db, {
        runningBefore: before(LIVES_EVERY_MS.running),
        awaitedBefore: before(LIVES_EVERY_MS.awaited),
        before: before(LIVES_EVERY_MS.otherwise),
        now,
        limit,
      });
      await eachOf(deps, forLives, readConnectionLives);
    },
  },
];

async function eachOf(
  deps: ReadingDeps,
  connections: queries.ReadConnection[],
  read: (deps: ReadingDeps, connection: queries.ReadConnection) => Promise<number>,
): Promise<void> {
  for (const connection of connections) {
    try {
      await read(deps, connection);
      deps.live.publish(connection.creatorId, { what: 'stories' });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.log.warn({ err: error, connectionId: connection.id }, 'stories could not be read');
    }
  }
}

async function speakerFor(deps: ReadingDeps, connection: queries.ReadConnection): Promise<Speaker> {
  const speaker = await deps.speakerOf(connection);
  if (speaker === null) throw new AppError('needs_reconnect', 'Reconnect the account in Settings to see its stories.');
  return speaker;
}

function failureOf(verdict: { kind: string; detail: string }): AppError {
  if (verdict.kind === 'reauthenticate') {
    return new AppError('needs_reconnect', 'Instagram signed us out. Reconnect the account in Settings.');
  }
  const wait = verdict.kind === 'rate_limited' ? 'Instagram asked us to wait' : 'Instagram didn’t respond';
  return new AppError('platform_unreachable', `${wait}. Try again in a few minutes.`, { cause: verdict.detail });
}

/** PostgreSQL takes neither NUL nor half an emoji. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
