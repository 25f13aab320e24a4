import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { markRead } from '#server/engine/outcomes/recording.ts';
/** Works off a batch of logged events: reads them, decides, writes everything in one go. */

import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock, Ids } from '#server/clock.ts';
import * as conversations from '#server/engine/conversations/conversation-store.ts';
import type { Choice } from '#server/engine/deciding/choosing.ts';
import { readPayload } from '#server/engine/deciding/composing.ts';
import {
  accountKey,
  type EngineAutomation,
  type EngineConnection,
  type EngineConnections,
} from '#server/engine/deciding/connections.ts';
import {
  type DecidingContext,
  type Decision,
  decideComment,
  decideMessage,
  holdBack,
  type Standing,
  type StoredConversation,
} from '#server/engine/deciding/deciding.ts';
import type { Picks } from '#server/engine/deciding/picks.ts';
import { insertDecisions } from '#server/engine/outcomes/decisions.ts';
import type { ClaimedDelivery, LaneKind } from '#server/engine/outcomes/rows.ts';
import * as people from '#server/engine/people-store.ts';
import * as queries from '#server/engine/queries.ts';
import type { Lane, Lanes } from '#server/engine/sending/lanes.ts';
import type { Reservation } from '#server/engine/sending/reservations.ts';
import { shardOfEvent } from '#server/engine/shards/shards.ts';
import { mapInSlices } from '#server/engine/slices.ts';
import type { LoggedEvent } from '#server/events/event-log.ts';
import type {
  CommentChangedEvent,
  CommentEvent,
  EchoEvent,
  MessageEvent,
  PlatformEvent,
  PolicyEvent,
  ReadEvent,
  UnreadMessageEvent,
  UnsentEvent,
} from '#server/platforms/meta/events.ts';
import { readEnvelope, unknownWriterOf } from '#server/platforms/meta/webhook.ts';

export type IngestDeps = {
  clock: Clock;
  ids: Ids;
  lanes: Lanes;
  connections: EngineConnections;
  baseUrl: string;
  picks: Picks;
  /** Sets calls aside for what can be sent without waiting; see Reservations.reserve. */
  reserve(wanted: Reservation): Reservation;
  log: FastifyBaseLogger;
};

/** What the rest of the engine must hear of once the transaction has committed. */
export type Ingested = {
  queued: { creatorId: string; connectionId: string; lane: LaneKind }[];
  /** Written as `sending`, with a call set aside for each. */
  begun: ClaimedDelivery[];
  /** Posts by creator whose lists have new rows. */
  changed: Map<string, Set<string>>;
  /** Those of interactions that were not known before. */
  decisions: Decision[];
  /** How many events lacked what their kind must have. */
  malformed: number;
};

type Received<E> = { event: E; receivedAt: Date; connection: EngineConnection };

export async function ingest(deps: IngestDeps, trx: pg.PoolClient, logged: LoggedEvent[]): Promise<Ingested> {
  const ignored = new Map<string, number>();
  let malformed = 0;
  const ignore = (what: string) => ignored.set(what, (ignored.get(what) ?? 0) + 1);
  const read = await mapInSlices(logged, ({ body, receivedAt, shard, read }) =>
    (read ?? readEnvelope(body, receivedAt))
      // A body for several shards is logged once for each.
      .filter((event) => shardOfEvent(event) === shard)
      .map((event) => ({ event, receivedAt })),
  );
  const events = read.flat();
  const connections = await deps.connections.ofAccounts(
    events.filter(({ event }) => event.kind !== 'ignored').map(({ event }) => accountKey(event as CommentEvent)),
    trx,
  );

  const interactions: Received<CommentEvent | MessageEvent>[] = [];
  const reads: Received<ReadEvent>[] = [];
  const echoes: Received<EchoEvent>[] = [];
  const policies: Received<PolicyEvent>[] = [];
  const unread: Received<UnreadMessageEvent>[] = [];
  const withdrawn: Received<UnsentEvent | CommentChangedEvent>[] = [];
  for (const { event, receivedAt } of events) {
    if (event.kind === 'ignored') {
      ignore(event.what);
      if (event.malformed === true) malformed++;
      continue;
    }
    const connection = connections.get(accountKey(event)) ?? null;
    if (connection === null) ignore('unknown account');
    else if (event.kind === 'read') reads.push({ event, receivedAt, connection });
    else if (event.kind === 'echo') echoes.push({ event, receivedAt, connection });
    else if (event.kind === 'policy') policies.push({ event, receivedAt, connection });
    else if (event.kind === 'unread_message') unread.push({ event, receivedAt, connection });
    else if (event.kind === 'unsent' || event.kind === 'comment_changed')
      withdrawn.push({ event, receivedAt, connection });
    else interactions.push({ event: isComment(event) ? ownByName(event, connection) : event, receivedAt, connection });
  }

  const takenOver = await heedEchoes(trx, echoes, ignore, deps.clock.now());
  const { decisions, heldUp } = await decideAll(deps, trx, interactions);
  // Who writes STOP, is taken over or takes a message back calls off what waits: in such a batch everything waits.
  const callsOff = takenOver.length > 0 || withdrawn.length > 0 || decisions.some(({ effects }) => effects?.stopped);
  const atOnce = callsOff ? new Set<string>() : chooseAtOnce(deps, decisions, heldUp);
  const batchId = deps.ids.uuid(deps.clock.now());
  const { inserted, late, begun } = await insertDecisions(trx, decisions, atOnce, batchId);
  const stopped = await applyEffects(
    deps,
    trx,
    decisions.filter(({ interaction }) => inserted.has(interaction.id) && !late.has(interaction.id)),
    connections,
  );
  await callOff(trx, { people: takenOver }, 'taken_over', deps.clock.now());
  await callOff(trx, { people: stopped }, 'stopped', deps.clock.now());
  const withdrawnBy = await withdraw(deps, trx, withdrawn);
  await queries.addUnreadMessages(
    trx,
    unread.map(({ event, receivedAt, connection }) => ({
      creator_id: connection.creatorId,
      connection_id: connection.id,
      mid: event.mid,
      standby: event.standby,
      received_at: receivedAt,
    })),
  );
  const barredBy = await queries.savePolicies(
    trx,
    policies.map(({ event: { blocked, reason, at }, connection }) => ({
      creator_id: connection.creatorId,
      connection_id: connection.id,
      blocked,
      reason: reason === null ? null : reason.replaceAll('\0', '').toWellFormed().slice(0, 500),
      at,
    })),
  );
  const readBy = await markRead(
    trx,
    reads.map(({ event, connection }) => ({ connection_id: connection.id, person_id: event.personId, at: event.at })),
  );
  await queries.countIgnored(trx, deps.clock.now(), ignored);
  const summary = summarise(decisions, inserted, { batchId, begun }, [
    ...readBy,
    ...barredBy,
    ...withdrawnBy,
    ...takenOver.map((person) => person.creator_id),
  ]);
  return { ...summary, malformed };
}

/**
 * Which deliveries are called right after the commit instead of standing in the queue first: those that wait for nothing,
 * of lanes in which nobody waits.
 *
 * @param heldUp connections that may not send now
 * @returns their ids; their interactions say so
 */
function chooseAtOnce(deps: IngestDeps, decisions: Decision[], heldUp: Set<string>): Set<string> {
  const now = deps.clock.now();
  const ready = decisions.flatMap(({ interaction, delivery }) =>
    delivery !== null && interaction.reason === 'queued' && delivery.due_at <= now ? [{ interaction, delivery }] : [],
  );
  const atOnce = new Set<string>();
  if (ready.length === 0) return atOnce;
  const ofLane = Map.groupBy(ready, ({ delivery: { creator_id, connection_id, lane } }) =>
    deps.lanes.of(creator_id, connection_id, lane),
  );
  const wanted = new Map<Lane, number>();
  for (const [lane, entries] of ofLane) if (!heldUp.has(lane.connectionId)) wanted.set(lane, entries.length);
  for (const lane of deps.reserve(wanted).keys()) {
    for (const { interaction, delivery } of ofLane.get(lane)!) {
      interaction.reason = 'sending';
      atOnce.add(delivery.id);
    }
  }
  return atOnce;
}

async function decideAll(
  deps: IngestDeps,
  trx: pg.PoolClient,
  received: Received<CommentEvent | MessageEvent>[],
): Promise<{ decisions: Decision[]; heldUp: Set<string> }> {
  if (received.length === 0) return { decisions: [], heldUp: new Set() };
  const once = await mapInSlices(eachOnce(received), (entry) => ({ ...entry, choice: chooseFor(entry) }));
  // Asked in one go, about what is known already as well: that is rare, and a trip to the database costs more.
  const [known, answered, standings, heldUp, under] = await Promise.all([
    queries.findKnown(trx, once.map(keyOf)),
    queries.findAnswered(trx, uniquePeople(once.flatMap(personToAnswer))),
    people.findStandings(trx, once.flatMap(personToKnow)),
    queries.findHeldUp(trx, [...new Set(once.map(({ connection }) => connection.id))]),
    conversationsOf(trx, once),
  ]);
  // Duplicates, replays and reordering change nothing.
  const fresh = once.filter((entry) => !known.has(`${entry.connection.id} ${entry.event.platformId}`));
  const now = deps.clock.now();
  const turns = new Turns(deps.lanes, now.getTime());
  const context: DecidingContext = {
    now,
    ids: deps.ids,
    baseUrl: deps.baseUrl,
    answeredAt: (automationId, personId) => answered.get(`${automationId} ${personId}`) ?? null,
    standingOf: ({ id }, personId) => standings.get(`${id} ${personId}`) ?? NOBODY_SEEN,
    conversationWithId: (connection, id) => {
      const found = under.get(id);
      return found !== undefined && found.connectionId === connection.id ? found : null;
    },
    askedForEmail: (connection, personId) => {
      for (const found of under.values()) {
        const hers = found.connectionId === connection.id && found.personId === personId;
        if (hers && found.conversation.state === 'email') return found;
      }
      return null;
    },
    pickPublicReply: (automation, language) => deps.picks.publicReply(automation, language),
    pickVariant: (automation) => deps.picks.variant(automation),
    turnOf: (connection, lane) => turns.next(connection, lane),
  };
  const decisions = await mapInSlices(fresh, ({ event, receivedAt, connection, choice }) => {
    const decision = isComment(event)
      ? decideComment(event, receivedAt, connection, choice, context)
      : decideMessage(event, receivedAt, connection, context);
    holdBack(decision, connection.holding, now);
    const { delivery, effects } = decision;
    if (delivery !== null) {
      turns.take(connection, delivery.lane);
      // The same person twice in one batch is one person.
      if (delivery.automation_id !== null) answered.set(`${delivery.automation_id} ${event.personId}`, now);
    }
    if (effects?.conversation !== undefined) under.set(effects.conversation.id, effects.conversation);
    if (!isComment(event) && !event.self) {
      const key = `${connection.id} ${event.personId}`;
      const before = standings.get(key) ?? NOBODY_SEEN;
      standings.set(key, {
        ...before,
        stopped: effects?.stopped ?? (effects?.started === true ? false : before.stopped),
        thankedAt: effects?.thanked === true ? now : before.thankedAt,
        lastWroteAt: before.lastWroteAt !== null && before.lastWroteAt > event.at ? before.lastWroteAt : event.at,
      });
    }
    return decision;
  });
  return { decisions, heldUp };
}

const NOBODY_SEEN: Standing = {
  stopped: false,
  blocked: false,
  takenOverUntil: null,
  name: null,
  username: null,
  lastWroteAt: null,
  thankedAt: null,
};

/** Conversations that these events may go on with, by id; locked. */
async function conversationsOf(
  trx: pg.PoolClient,
  fresh: Received<CommentEvent | MessageEvent>[],
): Promise<Map<string, StoredConversation>> {
  const ids = [];
  const writers = [];
  for (const { event, connection } of fresh) {
    if (isComment(event)) continue;
    const payload = readPayload(event.payload);
    if (payload !== null) ids.push({ creator_id: connection.creatorId, id: payload.conversationId });
    else if (event.text !== '') writers.push({ connection_id: connection.id, person_id: event.personId });
  }
  return new Map((await conversations.findConversations(trx, ids, writers)).map((stored) => [stored.id, stored]));
}

/** Writes down what was decided besides. Answers whom to leave alone from now on. */
async function applyEffects(
  deps: IngestDeps,
  trx: pg.PoolClient,
  decisions: Decision[],
  connections: Map<string, EngineConnection | null>,
) {
  const now = deps.clock.now();
  const gone = new Map<string, StoredConversation>();
  const changed: Parameters<typeof people.savePeople>[1] = [];
  const consents: people.Consent[] = [];
  const silenced: people.PersonKey[] = [];
  for (const { interaction, effects } of decisions) {
    if (effects === undefined) continue;
    const { creator_id, connection_id, person_id: id } = interaction;
    if (effects.conversation !== undefined) gone.set(effects.conversation.id, effects.conversation);
    const { stopped, started, thanked, email } = effects;
    if (stopped || started || thanked) {
      const key = { creator_id, connection_id, id };
      changed.push({
        ...key,
        stopped_at: stopped ? now : null,
        started: started ?? false,
        thanked_at: thanked ? now : null,
      });
      if (stopped) silenced.push(key);
    }
    if (email !== undefined) {
      const connection = [...connections.values()].find((known) => known?.id === connection_id);
      consents.push({
        creator_id,
        id: deps.ids.uuid(now),
        connection_id,
        person_id: id,
        email: email.address,
        wording: email.wording,
        place: `${connection?.platform ?? 'instagram'}_message`,
        language: email.language,
        automation_id: interaction.automation_id!,
        agreed_at: interaction.occurred_at,
      });
    }
  }
  await conversations.saveConversations(trx, [...gone.values()], now);
  for (const person of changed) await people.savePeople(trx, [person]);
  await people.saveConsents(trx, consents, now);
  return silenced;
}

/** The creator answered herself, in the platform's own app: automations leave that person to her for a while. */
async function heedEchoes(
  trx: pg.PoolClient,
  echoes: Received<EchoEvent>[],
  ignore: (what: string) => void,
  now: Date,
) {
  const ours = await people.findOwnEchoes(
    trx,
    echoes.map(({ event, connection }) => ({
      creator_id: connection.creatorId,
      connection_id: connection.id,
      mid: event.mid,
      person_id: event.personId,
      text: event.text,
      metadata: event.metadata,
    })),
  );
  const typed = echoes.filter(({ event }) => !ours.has(event.mid));
  for (const { event } of echoes) if (ours.has(event.mid)) ignore('echo');
  const news = await people.saveOwnMessages(
    trx,
    typed.map(({ event, connection }) => ({
      creator_id: connection.creatorId,
      connection_id: connection.id,
      platform_id: event.mid,
      person_id: event.personId,
      text: event.text.replaceAll('\0', '').toWellFormed(),
      sent_at: event.at,
    })),
    now,
  );
  const takenOver = typed
    .filter(({ event }) => news.has(event.mid))
    .map(({ event, connection: { creatorId, id, takeoverMinutes } }) => ({
      creator_id: creatorId,
      connection_id: id,
      id: event.personId,
      until: takeoverMinutes === null ? null : new Date(event.at.getTime() + takeoverMinutes * 60_000),
    }));
  await people.takeOver(trx, takenOver);
  return takenOver;
}

/** What somebody wrote is gone or no longer what it was. @returns the creators whose lists changed */
async function withdraw(
  { clock }: Pick<IngestDeps, 'clock'>,
  trx: pg.PoolClient,
  withdrawn: Received<UnsentEvent | CommentChangedEvent>[],
): Promise<string[]> {
  const written = withdrawn.map(({ event, connection }) => ({
    creator_id: connection.creatorId,
    connection_id: connection.id,
    ...(event.kind === 'unsent'
      ? { platform_id: event.mid, because: 'unsent' as const, forget: true }
      : { platform_id: event.platformId, because: 'comment_changed' as const, forget: event.removed }),
  }));
  const of = (because: 'unsent' | 'comment_changed') => ({ written: written.filter((one) => one.because === because) });
  const unsent = await callOff(trx, of('unsent'), 'unsent', clock.now());
  const changed = await callOff(trx, of('comment_changed'), 'comment_changed', clock.now());
  const forgotten = await people.forgetWords(
    trx,
    written.filter(({ forget }) => forget),
  );
  return [...unsent.creatorIds, ...changed.creatorIds, ...forgotten];
}

/** The automation that a comment calls for; null for what is decided without, or with more knowledge (messages). */
function chooseFor({ event, connection }: Received<CommentEvent | MessageEvent>): Choice<EngineAutomation> | null {
  if (!isComment(event) || event.own) return null;
  return connection.automations.choose({ trigger: event.kind, postId: event.postId }, event.text);
}

type Chosen = Received<CommentEvent | MessageEvent> & { choice: Choice<EngineAutomation> | null };

/** Who may get a message, where it must be known what she got lately: see `answeredLately`. */
function personToAnswer({ event, connection, choice }: Chosen) {
  const choices = isComment(event) ? [choice] : choicesFor(event, connection);
  const asks = choices.some((each) => each?.automation != null && each.automation.repeatAfterMinutes !== null);
  return asks ? [{ creator_id: connection.creatorId, person_id: event.personId }] : [];
}

function choicesFor(event: MessageEvent, { automations }: EngineConnection): Choice<EngineAutomation>[] {
  if (event.kind === 'button_tap') return [];
  const door = { trigger: event.kind, postId: event.storyId };
  return [automations.choose(door, event.text), automations.chooseByWords(door, event.text)];
}

function uniquePeople(people: { creator_id: string; person_id: string }[]) {
  return [...new Map(people.map((person) => [`${person.creator_id} ${person.person_id}`, person])).values()];
}

/** Comments that nobody answers need no look at their writers. */
function personToKnow({ event, connection, choice }: Chosen): people.PersonKey[] {
  if (isComment(event) && choice?.automation == null) return [];
  return [{ creator_id: connection.creatorId, connection_id: connection.id, id: event.personId }];
}

/** What came twice in this batch is looked at once. */
function eachOnce<E extends CommentEvent | MessageEvent>(received: Received<E>[]): Received<E>[] {
  const first = new Map<string, Received<E>>();
  for (const entry of received) {
    const key = `${entry.connection.id} ${entry.event.platformId}`;
    if (!first.has(key)) first.set(key, entry);
  }
  return [...first.values()];
}

function keyOf({ event, connection }: Received<CommentEvent | MessageEvent>) {
  return { connection_id: connection.id, platform_id: event.platformId };
}

/** When each further message of a connection's lane gets its turn. */
class Turns {
  private readonly lanes: Lanes;
  private readonly now: number;
  private readonly taken = new Map<string, number>();

  constructor(lanes: Lanes, now: number) {
    this.lanes = lanes;
    this.now = now;
  }

  next({ creatorId, id }: EngineConnection, kind: LaneKind): Date | null {
    const lane = this.lanes.of(creatorId, id, kind);
    const at = lane.turnAt(this.now, this.taken.get(`${id} ${kind}`) ?? 0);
    // A turn within a second is no waiting that anyone should read about.
    return Number.isFinite(at) && at > this.now + 1000 ? new Date(at) : null;
  }

  take({ id }: EngineConnection, kind: LaneKind): void {
    const key = `${id} ${kind}`;
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
  }
}

function isComment(event: PlatformEvent): event is CommentEvent {
  return event.kind === 'comment' || event.kind === 'live_comment';
}

/** Our own public replies come back as comments; where Meta hides the writer's id only the name tells. */
function ownByName(event: CommentEvent, connection: EngineConnection): CommentEvent {
  const isUnknown = event.personId === unknownWriterOf(event.platformId);
  return isUnknown && event.username === connection.username ? { ...event, own: true } : event;
}

function summarise(
  decisions: Decision[],
  inserted: Set<string>,
  sending: { batchId: string; begun: Set<string> },
  readBy: string[],
): Omit<Ingested, 'malformed'> {
  const changed = new Map<string, Set<string>>(readBy.map((creatorId) => [creatorId, new Set()]));
  const queued: Ingested['queued'] = [];
  const begun: Ingested['begun'] = [];
  for (const { interaction, delivery } of decisions) {
    if (!inserted.has(interaction.id)) continue;
    const posts = changed.get(interaction.creator_id) ?? new Set();
    if (interaction.post_id !== null) posts.add(interaction.post_id);
    changed.set(interaction.creator_id, posts);
    if (delivery === null) continue;
    const { id, creator_id: creatorId, connection_id: connectionId, lane } = delivery;
    if (sending.begun.has(id)) {
      begun.push({
        ...delivery,
        attempts: 1,
        uncertain: false,
        called_off: null,
        called_at: null,
        batch_id: sending.batchId,
      });
    }
    // One that should have been and is not was called off: its writer was erased.
    else if (interaction.reason !== 'sending') queued.push({ creatorId, connectionId, lane });
  }
  return { queued, begun, changed, decisions: decisions.filter(({ interaction }) => inserted.has(interaction.id)) };
}
