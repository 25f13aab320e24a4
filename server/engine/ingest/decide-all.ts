/** Decides about a batch of interactions: reads at once what must be known, then decides one after the other. */

import type { Clock, Ids } from '#server/clock.ts';
import type { EngineTransaction } from '#server/db/transaction.ts';
import type { Choice } from '#server/engine/deciding/choice.ts';
import { decideComment } from '#server/engine/deciding/comments.ts';
import type { DecidingContext, Decision } from '#server/engine/deciding/decision.ts';
import { holdBack } from '#server/engine/deciding/held-messages.ts';
import type { EngineAutomation } from '#server/engine/deciding/listening-automations.ts';
import { decideMessage } from '#server/engine/deciding/messages.ts';
import type { Picks } from '#server/engine/deciding/picks.ts';
import * as queries from '#server/engine/queries.ts';
import type { Lanes } from '#server/engine/sending/lanes.ts';
import { mapInSlices } from '#server/engine/slices.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';
import { type Chosen, findFacts } from './facts.ts';
import { isComment, type Received } from './received.ts';
import { Turns } from './turns.ts';

type DecidingDeps = { clock: Clock; ids: Ids; lanes: Lanes; baseUrl: string; picks: Picks };

/** @returns what was not known before, decided; and which connections may not send now */
export async function decideAll(
  deps: DecidingDeps,
  trx: EngineTransaction,
  received: Received<CommentEvent | MessageEvent>[],
): Promise<{ decisions: Decision[]; heldUp: Set<string> }> {
  if (received.length === 0) return { decisions: [], heldUp: new Set() };
  const once = await mapInSlices(eachOnce(received), (entry) => ({ ...entry, choice: chooseFor(entry) }));
  // Asked in one go, about what is known already as well: that is rare, and a trip to the database costs more.
  const [known, facts, heldUp] = await Promise.all([
    queries.findKnown(trx, once.map(keyOf)),
    findFacts(trx, once),
    queries.findHeldUp(trx, [...new Set(once.map(({ connection }) => connection.id))]),
  ]);
  // Duplicates, replays and reordering change nothing.
  const fresh = once.filter((entry) => !known.has(`${entry.connection.id} ${entry.event.platformId}`));
  const now = deps.clock.now();
  const turns = new Turns(deps.lanes, now.getTime());
  const { ids, baseUrl, picks } = deps;
  const context: DecidingContext = {
    ...facts.context(),
    now,
    ids,
    baseUrl,
    pickPublicReply: (automation, language) => picks.publicReply(automation, language),
    pickVariant: (automation) => picks.variant(automation),
    turnOf: (connection, lane) => turns.next(connection, lane),
  };
  const decisions = await mapInSlices(fresh, (entry) => {
    const decision = decide(entry, context);
    if (decision.delivery !== null) turns.take(entry.connection, decision.delivery.lane);
    facts.remember(entry, decision, now);
    return decision;
  });
  return { decisions, heldUp };
}

function decide({ event, receivedAt, connection, choice }: Chosen, context: DecidingContext): Decision {
  const decision = isComment(event)
    ? decideComment(event, receivedAt, connection, choice, context)
    : decideMessage(event, receivedAt, connection, context);
  holdBack(decision, connection.holding, context.now);
  return decision;
}

/** Events that came twice in this batch are looked at once. */
function eachOnce<E extends CommentEvent | MessageEvent>(received: Received<E>[]): Received<E>[] {
  const first = new Map<string, Received<E>>();
  for (const entry of received) {
    const key = `${entry.connection.id} ${entry.event.platformId}`;
    if (!first.has(key)) first.set(key, entry);
  }
  return [...first.values()];
}

/** The automation that a comment calls for; null for what is decided without, or with more knowledge (messages). */
function chooseFor({ event, connection }: Received<CommentEvent | MessageEvent>): Choice<EngineAutomation> | null {
  if (!isComment(event) || event.own) return null;
  return connection.automations.choose({ trigger: event.kind, postId: event.postId }, event.text);
}

function keyOf({ event, connection }: Received<CommentEvent | MessageEvent>) {
  return { connection_id: connection.id, platform_id: event.platformId };
}
