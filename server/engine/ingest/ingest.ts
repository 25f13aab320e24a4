/** Processes a batch of events: decides about them and writes everything in one transaction. */

import type { Clock, Ids } from '#server/clock.ts';
import type { EngineTransaction } from '#server/db/transaction.ts';
import { accountKey, type EngineConnections } from '#server/engine/deciding/connections.ts';
import type { Decision } from '#server/engine/deciding/decision.ts';
import type { Picks } from '#server/engine/deciding/picks.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { insertDecisions } from '#server/engine/outcomes/decisions.ts';
import { markRead } from '#server/engine/outcomes/results-log.ts';
import type { ClaimedDelivery, LaneKind } from '#server/engine/outcomes/rows.ts';
import * as queries from '#server/engine/queries.ts';
import type { Lanes } from '#server/engine/sending/lanes.ts';
import type { Reservation } from '#server/engine/sending/reservations.ts';
import { chooseAtOnce } from './at-once.ts';
import { decideAll } from './decide-all.ts';
import { applyEffects } from './effects.ts';
import { saveEchoes } from './own-messages.ts';
import { countIgnored, type ReceivedEvent, type Sorted, sortByKind } from './received.ts';
import { withdraw } from './withdrawn.ts';

export type IngestDeps = {
  clock: Clock;
  ids: Ids;
  lanes: Lanes;
  connections: EngineConnections;
  baseUrl: string;
  picks: Picks;
  /** Sets calls aside for what can be sent without waiting; see Reservations.reserve. */
  reserve(wanted: Reservation): Reservation;
};

/** News for the rest of the engine once the transaction has committed. */
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

export async function ingest(deps: IngestDeps, trx: EngineTransaction, events: ReceivedEvent[]): Promise<Ingested> {
  const now = deps.clock.now();
  const accounts = events.flatMap(({ event }) => (event.kind === 'ignored' ? [] : accountKey(event)));
  const connections = await deps.connections.ofAccounts(accounts, trx);
  const sorted = sortByKind(events, connections);

  const { takenOver, ours } = await saveEchoes(trx, sorted.echoes, now);
  countIgnored(sorted, 'echo', ours);
  const { decisions, heldUp } = await decideAll(deps, trx, sorted.interactions);
  // Who writes STOP, is taken over or takes a message back calls off what waits: in such a batch everything waits.
  const callsOff =
    takenOver.length > 0 || sorted.withdrawn.length > 0 || decisions.some(({ effects }) => effects?.stopped);
  const atOnce = callsOff ? new Set<string>() : chooseAtOnce(deps, decisions, heldUp);
  const batchId = deps.ids.uuid(now);
  const { inserted, late, begun } = await insertDecisions(trx, decisions, atOnce, batchId);
  const news = decisions.filter(({ interaction }) => inserted.has(interaction.id));
  const stopped = await applyEffects(
    deps,
    trx,
    news.filter(({ interaction }) => !late.has(interaction.id)),
    connections.values(),
  );
  await callOff(trx, { people: takenOver }, 'taken_over', now);
  await callOff(trx, { people: stopped }, 'stopped', now);
  const changedBy = [
    ...takenOver.map((person) => person.creator_id),
    ...(await withdraw(trx, sorted.withdrawn, now)),
    ...(await saveNotices(trx, sorted)),
  ];
  await queries.countIgnored(trx, now, sorted.ignored);
  return { ...summarize(news, { batchId, begun }, changedBy), malformed: sorted.malformed };
}

/** Handles events that are no interactions: messages that must be read first, policies, receipts. @returns the creators whose lists changed */
async function saveNotices(trx: EngineTransaction, { unread, policies, reads }: Sorted): Promise<string[]> {
  await queries.addUnreadMessages(
    trx,
    unread.map(({ event: { mid, standby }, receivedAt, connection }) => ({
      creator_id: connection.creatorId,
      connection_id: connection.id,
      mid,
      standby,
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
  return [...readBy, ...barredBy];
}

function summarize(
  decisions: Decision[],
  sending: { batchId: string; begun: Set<string> },
  changedBy: string[],
): Omit<Ingested, 'malformed'> {
  const changed = new Map<string, Set<string>>(changedBy.map((creatorId) => [creatorId, new Set()]));
  const queued: Ingested['queued'] = [];
  const begun: Ingested['begun'] = [];
  for (const { interaction, delivery } of decisions) {
    const posts = changed.get(interaction.creator_id) ?? new Set();
    if (interaction.post_id !== null) posts.add(interaction.post_id);
    changed.set(interaction.creator_id, posts);
    if (delivery === null) continue;
    const { id, creator_id: creatorId, connection_id: connectionId, lane } = delivery;
    const first = { attempts: 1, uncertain: false, called_off: null, called_at: null, batch_id: sending.batchId };
    if (sending.begun.has(id)) begun.push({ ...delivery, ...first });
    // One that should have been and is not was called off: its writer was erased.
    else if (interaction.reason !== 'sending') queued.push({ creatorId, connectionId, lane });
  }
  return { queued, begun, changed, decisions };
}
