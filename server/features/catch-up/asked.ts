/** Comments of the last seven days that got nothing, and would get something if they came now. */
import type pg from 'pg';
import type { EngineTransaction } from '#server/db/transaction.ts';
import { type EngineConnection, EngineConnections } from '#server/engine/deciding/connections.ts';
import type { EngineAutomation } from '#server/engine/deciding/listening-automations.ts';
import { PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import * as queries from './catch-up-queries.ts';

/** `postId` null: across posts. */
export type Scope = { creatorId: string; postId: string | null };

export type Asking = { comment: queries.Unanswered; connection: EngineConnection; automation: EngineAutomation };

const MINUTE_MS = 60_000;
/** People with less time left are not promised anything. */
const AT_LEAST_LEFT_MS = 5 * MINUTE_MS;
const LOOKED_AT = 100_000;

/** Newest first. With `lock` nobody else may decide anything about the comments until the transaction ends. */
export async function findAsking(
  client: EngineTransaction | pg.Pool,
  scope: Scope,
  now: Date,
  { lock }: { lock: boolean },
): Promise<Asking[]> {
  return readAsking(client, scope, inTimeSince(now), lock);
}

function inTimeSince(now: Date): Date {
  return new Date(now.getTime() - PRIVATE_REPLY_WINDOW_MS + AT_LEAST_LEFT_MS);
}

async function readAsking(
  client: EngineTransaction | pg.Pool,
  scope: Scope,
  since: Date,
  lock: boolean,
): Promise<Asking[]> {
  const comments = await queries.findUnanswered(client, { ...scope, since, limit: LOOKED_AT, lock });
  const connections = new EngineConnections();
  const asking: Asking[] = [];
  for (const comment of comments) {
    const connection = await connections.withId(comment.connectionId, client);
    if (connection === null) continue;
    const { automation } = connection.automations.choose({ trigger: 'comment', postId: comment.postId }, comment.text);
    if (automation !== null) asking.push({ comment, connection, automation });
  }
  return asking;
}

type Reading = {
  /** The settings that decide which comments fit; with others all have to be matched again. */
  stamp: string;
  begunAt: Date;
  readUntil: Date;
  asking: Map<string, Asking>;
};

/** Comments are decided, and clocks go, some time apart. */
const READ_AGAIN_MS = 5 * MINUTE_MS;
/** Comments may be decided late, after the engine was down. */
const ANEW_AFTER_MS = 60 * MINUTE_MS;
const REMEMBERED_AT_MOST = 500;
const COMMENTS_REMEMBERED_AT_MOST = 100_000;

/**
 * The same for screens, which ask often. Matching a viral week takes its time, and most of it never fits. So what fits is
 * remembered for as long as nothing changes that others would fit by: from then on comments that nothing answered are
 * those that do not fit, but for the few that were there too early, which come with the new ones. Every process has its own.
 */
export class AskingReadings {
  private readonly readings = new Map<string, Reading>();

  /** Newest first. */
  async find(client: pg.Pool, scope: Scope, now: Date): Promise<Asking[]> {
    const key = `${scope.creatorId} ${scope.postId}`;
    const stamp = await queries.findCatchUpStamp(client, scope.creatorId);
    const known = this.readings.get(key);
    const reading = known !== undefined && isGood(known, stamp, now) ? known : begin(stamp, now);
    const found = await readAsking(client, scope, reading === known ? againFrom(reading) : inTimeSince(now), false);
    for (const asking of found) reading.asking.set(asking.comment.id, asking);
    reading.readUntil = now;
    const ids = [...reading.asking.keys()];
    const still = await queries.findStillUnanswered(client, { ...scope, ids, since: inTimeSince(now) });
    // Not whatever else somebody who looks at the same time has found since.
    for (const id of ids) if (!still.has(id)) reading.asking.delete(id);
    this.remember(key, reading);
    return [...reading.asking.values()].sort(
      ({ comment: a }, { comment: b }) => b.occurredAt.getTime() - a.occurredAt.getTime() || (a.id < b.id ? 1 : -1),
    );
  }

  /** The automation asked for longest ago is forgotten first. */
  private remember(key: string, reading: Reading): void {
    this.readings.delete(key);
    this.readings.set(key, reading);
    let comments = 0;
    for (const { asking } of this.readings.values()) comments += asking.size;
    for (const [oldest, { asking }] of this.readings) {
      if (this.readings.size <= REMEMBERED_AT_MOST && comments <= COMMENTS_REMEMBERED_AT_MOST) break;
      comments -= asking.size;
      this.readings.delete(oldest);
    }
  }
}

function begin(stamp: string, now: Date): Reading {
  return { stamp, begunAt: now, readUntil: now, asking: new Map() };
}

function isGood({ stamp, begunAt }: Reading, stampNow: string, now: Date): boolean {
  return stamp === stampNow && now.getTime() - begunAt.getTime() < ANEW_AFTER_MS;
}

function againFrom({ readUntil }: Reading): Date {
  return new Date(readUntil.getTime() - READ_AGAIN_MS);
}
