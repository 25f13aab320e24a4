import type { Clock } from '#server/clock.ts';
import type { Decision } from '#server/engine/deciding/decision.ts';
import type { Lane, Lanes } from '#server/engine/sending/lanes.ts';
import type { Reservation } from '#server/engine/sending/reservations.ts';

/**
 * Which deliveries are called right after the commit instead of standing in the queue first: those that wait for nothing,
 * of lanes in which nobody waits.
 *
 * @param heldUp connections that may not send now
 * @returns their ids; their interactions say so
 */
export function chooseAtOnce(
  deps: { clock: Clock; lanes: Lanes; reserve(wanted: Reservation): Reservation },
  decisions: Decision[],
  heldUp: Set<string>,
): Set<string> {
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
