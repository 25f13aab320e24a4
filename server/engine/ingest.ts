/** Works off a batch of logged events: reads them, decides, writes everything in one go. */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock, Ids } from '#server/clock.ts';
import {
  accountKey,
  type EngineAutomation,
  type EngineConnection,
  type EngineConnections,
} from '#server/engine/connections.ts';
import { type DecidingContext, type Decision, decideComment, decideMessage } from '#server/engine/deciding.ts';
import type { Lanes } from '#server/engine/lanes.ts';
import * as queries from '#server/engine/queries.ts';
import { shardOfEvent } from '#server/engine/shards.ts';
import type { LoggedEvent } from '#server/events/event-log.ts';
import type { Choice } from '#server/features/automations/choosing.ts';
import type { CommentEvent, MessageEvent, PlatformEvent, ReadEvent } from '#server/platforms/meta/events.ts';
import { readEnvelope } from '#server/platforms/meta/webhook.ts';

export type IngestDeps = {
  clock: Clock;
  ids: Ids;
  lanes: Lanes;
  connections: EngineConnections;
  baseUrl: string;
  pickPublicReply(automation: EngineAutomation): string | null;
  log: FastifyBaseLogger;
};

/** What the rest of the engine must hear of once the transaction has committed. */
export type Ingested = {
  queued: { creatorId: string; connectionId: string }[];
  /** Posts by creator whose lists have new rows. */
  changed: Map<string, Set<string>>;
};

type Received<E> = { event: E; receivedAt: Date; connection: EngineConnection };

export async function ingest(deps: IngestDeps, trx: pg.PoolClient, logged: LoggedEvent[]): Promise<Ingested> {
  const ignored = new Map<string, number>();
  const ignore = (what: string) => ignored.set(what, (ignored.get(what) ?? 0) + 1);
  const events = logged.flatMap(({ body, receivedAt, shard }) =>
    readEnvelope(body, receivedAt)
      // A body for several shards is logged once for each.
      .filter((event) => shardOfEvent(event) === shard)
      .map((event) => ({ event, receivedAt })),
  );
  const connections = await deps.connections.ofAccounts(
    events.filter(({ event }) => event.kind !== 'ignored').map(({ event }) => accountKey(event as CommentEvent)),
    trx,
  );

  const interactions: Received<CommentEvent | MessageEvent>[] = [];
  const reads: Received<ReadEvent>[] = [];
  for (const { event, receivedAt } of events) {
    if (event.kind === 'ignored') {
      ignore(event.what);
      continue;
    }
    const connection = connections.get(accountKey(event)) ?? null;
    if (connection === null) ignore('unknown account');
    else if (event.kind === 'read') reads.push({ event, receivedAt, connection });
    else if (event.kind === 'echo') ignore('echo');
    else if (event.kind === 'unsent') ignore('message unsent');
    else interactions.push({ event, receivedAt, connection });
  }

  const decisions = await decideAll(deps, trx, interactions);
  const inserted = await queries.insertDecisions(trx, decisions);
  await queries.upsertPeople(trx, interactions.filter(isFromPerson).map(personWhoWrote));
  const readBy = await queries.markRead(
    trx,
    reads.map(({ event, connection }) => ({ connection_id: connection.id, person_id: event.personId, at: event.at })),
  );
  await queries.countIgnored(trx, deps.clock.now(), ignored);
  return summarise(decisions, inserted, readBy);
}

async function decideAll(
  deps: IngestDeps,
  trx: pg.PoolClient,
  received: Received<CommentEvent | MessageEvent>[],
): Promise<Decision[]> {
  const fresh = (await leaveOutKnown(trx, received)).map((entry) => ({ ...entry, choice: chooseFor(entry) }));
  if (fresh.length === 0) return [];
  const answered = await queries.findAnswered(trx, fresh.flatMap(personToAnswer));
  const now = deps.clock.now();
  const turns = new Turns(deps.lanes, now.getTime());
  const context: DecidingContext = {
    now,
    ids: deps.ids,
    baseUrl: deps.baseUrl,
    answeredAt: (automationId, personId) => answered.get(`${automationId} ${personId}`) ?? null,
    pickPublicReply: deps.pickPublicReply,
    privateReplyAt: (connection) => turns.next(connection),
  };
  return fresh.map(({ event, receivedAt, connection, choice }) => {
    const decision = isComment(event)
      ? decideComment(event, receivedAt, connection, choice, context)
      : decideMessage(event, receivedAt, connection, context);
    if (decision.delivery !== null) {
      turns.take(connection);
      // The same person twice in one batch is one person.
      answered.set(`${decision.delivery.automation_id} ${event.personId}`, now);
    }
    return decision;
  });
}

/** The automation that a comment calls for; null for what no automation looks at. */
function chooseFor({ event, connection }: Received<CommentEvent | MessageEvent>): Choice<EngineAutomation> | null {
  if (event.kind !== 'comment' || event.own) return null;
  return connection.automations.choose({ trigger: event.kind, postId: event.postId }, event.text);
}

function personToAnswer({
  event,
  connection,
  choice,
}: Received<CommentEvent | MessageEvent> & { choice: Choice<EngineAutomation> | null }) {
  if (choice?.automation == null || choice.automation.repeatAfterMinutes === null) return [];
  return [{ creator_id: connection.creatorId, automation_id: choice.automation.id, person_id: event.personId }];
}

/** Duplicates, replays and reordering change nothing: what is known, or came twice in this batch, is left out. */
async function leaveOutKnown<E extends CommentEvent | MessageEvent>(
  trx: pg.PoolClient,
  received: Received<E>[],
): Promise<Received<E>[]> {
  const first = new Map<string, Received<E>>();
  for (const entry of received) {
    const key = `${entry.connection.id} ${entry.event.platformId}`;
    if (!first.has(key)) first.set(key, entry);
  }
  if (first.size === 0) return [];
  const known = await queries.findKnown(
    trx,
    [...first.values()].map(({ event, connection }) => ({
      connection_id: connection.id,
      platform_id: event.platformId,
    })),
  );
  return [...first].filter(([key]) => !known.has(key)).map(([, entry]) => entry);
}

/** When each further private reply of a connection gets its turn. */
class Turns {
  private readonly lanes: Lanes;
  private readonly now: number;
  private readonly taken = new Map<string, number>();

  constructor(lanes: Lanes, now: number) {
    this.lanes = lanes;
    this.now = now;
  }

  next({ creatorId, id }: EngineConnection): Date | null {
    const lane = this.lanes.of(creatorId, id, 'private_replies');
    const at = lane.turnAt(this.now, this.taken.get(id) ?? 0);
    // A turn within a second is no waiting that anyone should read about.
    return Number.isFinite(at) && at > this.now + 1000 ? new Date(at) : null;
  }

  take({ id }: EngineConnection): void {
    this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
  }
}

function isComment(event: PlatformEvent): event is CommentEvent {
  return event.kind === 'comment' || event.kind === 'live_comment';
}

function isFromPerson({ event }: Received<CommentEvent | MessageEvent>): boolean {
  return !isComment(event);
}

function personWhoWrote({ event, connection }: Received<CommentEvent | MessageEvent>) {
  return { creator_id: connection.creatorId, connection_id: connection.id, id: event.personId, wrote_at: event.at };
}

function summarise(decisions: Decision[], inserted: Set<string>, readBy: string[]): Ingested {
  const changed = new Map<string, Set<string>>(readBy.map((creatorId) => [creatorId, new Set()]));
  const queued = [];
  for (const { interaction, delivery } of decisions) {
    if (!inserted.has(interaction.id)) continue;
    const posts = changed.get(interaction.creator_id) ?? new Set();
    if (interaction.post_id !== null) posts.add(interaction.post_id);
    changed.set(interaction.creator_id, posts);
    if (delivery !== null) queued.push({ creatorId: delivery.creator_id, connectionId: delivery.connection_id });
  }
  return { queued, changed };
}
