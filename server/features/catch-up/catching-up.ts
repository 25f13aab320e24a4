/**
 * "N people asked in the last seven days and got nothing": who they are, and answering them. Their comments are decided
 * again by the engine's own rules, as if they came now, so nothing is sent that a comment would not have got.
 */
import type pg from 'pg';
import type { CatchUp, CatchUpPreview } from '#contract/catch-up.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { type EngineTransaction, inTransaction } from '#server/db/transaction.ts';
import { EngineConnections } from '#server/engine/deciding/connections.ts';
import { Picks } from '#server/engine/deciding/picks.ts';
import { ingest } from '#server/engine/ingest/ingest.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { markCaughtUp } from '#server/engine/outcomes/waiting-rows.ts';
import { Lanes } from '#server/engine/sending/lanes.ts';
import { AppError } from '#server/errors.ts';
import { findPostViews } from '#server/features/posts/shown-posts.ts';
import { forecastWith } from '#server/features/queue/stored-forecast.ts';
import { commentEvent } from '#server/platforms/meta/found-events.ts';
import { PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import { type Asking, type AskingReadings, findAsking, type Scope } from './asked.ts';
import * as queries from './catch-up-queries.ts';

export type CatchUpDeps = {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'limits' | 'baseUrl'>;
};

const PEOPLE_AT_MOST = 20_000;
const SHOWN_FIRST = 50;
const MESSAGES_SHOWN = 5;
const POSTS_SHOWN = 100;
const DECIDED_AT_ONCE = 500;

type Found = { people: Asking[]; haveIt: number; unwanted: number };

/** @throws AppError not_found */
export async function preview(deps: CatchUpDeps, readings: AskingReadings, scope: Scope): Promise<CatchUpPreview> {
  const { db, clock } = deps;
  await checkPost(deps, scope);
  const asking = await readings.find(db.enginePool, scope, clock.now());
  const { people, haveIt, unwanted } = await sortOut(deps, db.enginePool, scope, asking);
  const batch = people.slice(0, PEOPLE_AT_MOST);
  const expiresAtMs = ({ comment }: Asking) => comment.occurredAt.getTime() + PRIVATE_REPLY_WINDOW_MS;
  const forecasts = await Promise.all(
    [...Map.groupBy(batch, ({ connection }) => connection.id)].map(([connectionId, of]) =>
      forecastWith(deps, { creatorId: scope.creatorId, connectionId }, of.map(expiresAtMs)),
    ),
  );
  const ends = forecasts.map(({ doneAtMs }) => doneAtMs);
  const expiries = forecasts.flatMap(({ firstExpiryAtMs }) => firstExpiryAtMs ?? []);
  const posts = [...Map.groupBy(people, ({ comment }) => comment.postId)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, POSTS_SHOWN);
  const postIds = posts.map(([postId]) => postId);
  const views = await db.withCreator(scope.creatorId, (trx) => findPostViews(trx, scope.creatorId, postIds));
  const nowMs = clock.now().getTime();
  return {
    people: people.length,
    atMost: PEOPLE_AT_MOST,
    doneAt:
      ends.length === 0 || ends.includes(null) ? null : new Date(Math.max(nowMs, ...ends.map(Number))).toISOString(),
    expiring: forecasts.reduce((sum, { expiring }) => sum + expiring, 0),
    firstExpiryAt: expiries.length === 0 ? null : new Date(Math.min(...expiries)).toISOString(),
    leftOut: { haveIt, unwanted },
    posts: posts.map(([postId, of]) => ({
      postId,
      caption: views.get(postId)?.caption ?? null,
      pictureUrl: views.get(postId)?.pictureUrl ?? null,
      people: of.length,
    })),
    messages: [...Map.groupBy(batch, ({ automation }) => automation.id).values()]
      .sort((a, b) => b.length - a.length)
      .slice(0, MESSAGES_SHOWN)
      .map((of) => ({ people: of.length, ...firstMessageOf(of[0]!.automation) })),
    first: batch.slice(0, SHOWN_FIRST).map((person) => ({
      interactionId: person.comment.id,
      username: person.comment.username,
      text: person.comment.text,
      occurredAt: person.comment.occurredAt.toISOString(),
      expiresAt: new Date(expiresAtMs(person)).toISOString(),
      automationName: person.automation.name,
    })),
  };
}

/** The first message they get: the link, or the question before it. */
function firstMessageOf({ opening, followAsk, emailAsk, messageText, buttons }: Asking['automation']) {
  const asked = opening ?? followAsk;
  if (asked !== null) return { text: asked.text, buttons: [asked.buttonTitle] };
  if (emailAsk !== null) return { text: emailAsk.text, buttons: [] };
  return { text: messageText, buttons: buttons.map(({ title }) => title) };
}

/**
 * Queues their messages. The same `batchId` again changes nothing.
 *
 * @returns the connections that have something to send now
 * @throws AppError not_found
 */
export async function start(
  deps: CatchUpDeps,
  scope: Scope,
  by: { batchId: string; userId: string },
): Promise<{ connectionIds: string[]; postIds: string[] }> {
  const { creatorId, postId } = scope;
  await checkPost(deps, scope);
  return inTransaction(deps.db.enginePool, async (trx) => {
    const now = deps.clock.now();
    const catchUp = { creatorId, id: by.batchId };
    if (!(await queries.insertCatchUp(trx, { ...catchUp, postId, userId: by.userId, now }))) {
      return { connectionIds: [], postIds: [] };
    }
    const { people } = await sortOut(deps, trx, scope, await findAsking(trx, scope, now, { lock: true }));
    const batch = people.slice(0, PEOPLE_AT_MOST);
    let queued = 0;
    for (let from = 0; from < batch.length; from += DECIDED_AT_ONCE) {
      queued += await decideAnew(deps, trx, catchUp, batch.slice(from, from + DECIDED_AT_ONCE));
    }
    await queries.setPeople(trx, catchUp, queued);
    return {
      connectionIds: [...new Set(batch.map(({ connection }) => connection.id))],
      postIds: [...new Set(batch.map(({ comment }) => comment.postId))],
    };
  });
}

/** @throws AppError not_found */
async function checkPost({ db }: CatchUpDeps, { creatorId, postId }: Scope): Promise<void> {
  if (postId === null) return;
  const post = await db.withCreator(creatorId, (trx) => queries.findPost(trx, creatorId, postId));
  if (post === undefined) throw new AppError('not_found', 'We can’t find this post.');
}

async function decideAnew(
  deps: CatchUpDeps,
  trx: EngineTransaction,
  catchUp: { creatorId: string; id: string },
  people: Asking[],
): Promise<number> {
  await queries.forget(
    trx,
    catchUp.creatorId,
    people.map(({ comment }) => comment.id),
  );
  await ingest(
    {
      clock: deps.clock,
      ids: deps.ids,
      baseUrl: deps.config.baseUrl,
      // Which turn they get the engine knows; it tells when it next looks.
      lanes: new Lanes(deps.config.limits),
      // The engine calls; here everybody gets in line.
      reserve: () => new Map(),
      connections: new EngineConnections(),
      picks: new Picks(Math.random),
    },
    trx,
    people.map(({ comment, connection }) => ({
      receivedAt: comment.receivedAt,
      event: commentEvent(
        connection,
        { ...comment, id: comment.platformId, at: comment.occurredAt },
        { catchUp: true, ...(comment.found && { found: true }) },
      ),
    })),
  );
  let queued = 0;
  for (const [connectionId, of] of Map.groupBy(people, ({ connection }) => connection.id)) {
    const platformIds = of.map(({ comment }) => comment.platformId);
    queued += await markCaughtUp(trx, catchUp, connectionId, platformIds);
  }
  return queued;
}

/** Whose seven days end first stand first. @param asking newest first: a person's newest comment speaks for them */
async function sortOut(
  deps: CatchUpDeps,
  client: EngineTransaction | pg.Pool,
  { creatorId }: Scope,
  asking: Asking[],
): Promise<Found> {
  const now = deps.clock.now();
  const asked = new Map<string, Asking>();
  for (const one of asking) {
    const { connectionId, personId, postId } = one.comment;
    const key = `${connectionId} ${personId} ${postId}`;
    if (!asked.has(key)) asked.set(key, one);
  }
  const people = oncePerAutomation([...asked.values()]);
  const haveIt = await queries.findHaveIt(
    client,
    creatorId,
    people.flatMap(({ comment, automation }) =>
      [automation.id, ...automation.sameLink].map((id) => ({ automation_id: id, person_id: comment.personId })),
    ),
  );
  const unwanted = await queries.findUnwanted(
    client,
    creatorId,
    people.map(({ comment }) => ({ connection_id: comment.connectionId, id: comment.personId })),
    now,
  );
  const has = ({ comment, automation }: Asking) =>
    [automation.id, ...automation.sameLink].some((id) => haveIt.has(`${id} ${comment.personId}`));
  const isUnwanted = ({ comment }: Asking) => unwanted.has(`${comment.connectionId} ${comment.personId}`);
  return {
    people: people
      .filter((person) => !has(person) && !isUnwanted(person))
      // Meta's times are whole seconds.
      .sort(
        ({ comment: a }, { comment: b }) =>
          a.occurredAt.getTime() - b.occurredAt.getTime() ||
          a.receivedAt.getTime() - b.receivedAt.getTime() ||
          (a.id < b.id ? -1 : 1),
      ),
    haveIt: people.filter(has).length,
    unwanted: people.filter((person) => isUnwanted(person) && !has(person)).length,
  };
}

/** Under two posts of one automation somebody asked for one thing. */
function oncePerAutomation(people: Asking[]): Asking[] {
  const first = new Map<string, Asking>();
  for (const person of people) {
    const key = `${person.automation.id} ${person.comment.personId}`;
    if (!first.has(key)) first.set(key, person);
  }
  return [...first.values()];
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, id: string): Promise<CatchUp> {
  const row = await queries.findCatchUp(trx, creatorId, id);
  if (row === undefined) throw new AppError('not_found', 'This catch-up doesn’t exist.');
  const { people, sent, failed, expired, cancelled } = row;
  return {
    id: row.id,
    postId: row.post_id,
    people,
    sent,
    failed,
    expired,
    cancelled,
    waiting: people - sent - failed - expired - cancelled,
    startedAt: row.started_at.toISOString(),
    cancelledAt: row.cancelled_at?.toISOString() ?? null,
  };
}

/** Messages already with the platform arrive; the rest stays here, and its people can be caught up with another time. @throws AppError not_found */
export async function cancel(
  deps: Pick<CatchUpDeps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
): Promise<CatchUp> {
  await get(trx, creatorId, id);
  const now = deps.clock.now();
  await callOff(trx, { catchUp: { creatorId, id } }, 'catch_up_cancelled', now);
  await queries.setCancelled(trx, creatorId, id, now);
  return get(trx, creatorId, id);
}
