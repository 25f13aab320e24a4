import type { EngineTransaction } from '#server/db/transaction.ts';
import * as people from '#server/engine/people-store.ts';
import type { EchoEvent } from '#server/platforms/meta/events.ts';
import type { Received } from './received.ts';

/** Until when automations leave somebody to the creator; null for until the creator hands back. */
type TakenOver = people.PersonKey & { until: Date | null };

/**
 * The creator answered, in the platform's own app: automations leave that person to the creator for a while.
 *
 * @returns who was taken over, and how many of the echoes are of our own messages
 */
export async function saveEchoes(
  trx: EngineTransaction,
  echoes: Received<EchoEvent>[],
  now: Date,
): Promise<{ takenOver: TakenOver[]; ours: number }> {
  const ours = await people.findOwnEchoes(
    trx,
    echoes.map(({ event: { mid, personId, text, metadata }, connection }) => ({
      creator_id: connection.creatorId,
      connection_id: connection.id,
      mid,
      person_id: personId,
      text,
      metadata,
    })),
  );
  const typed = echoes.filter(({ event }) => !ours.has(event.mid));
  const news = await people.saveOwnMessages(trx, typed.map(ownMessageOf), now);
  const takenOver = typed.filter(({ event }) => news.has(event.mid)).map(takenOverBy);
  await people.takeOver(trx, takenOver);
  return { takenOver, ours: echoes.length - typed.length };
}

function ownMessageOf({ event, connection }: Received<EchoEvent>) {
  return {
    creator_id: connection.creatorId,
    connection_id: connection.id,
    platform_id: event.mid,
    person_id: event.personId,
    text: event.text.replaceAll('\0', '').toWellFormed(),
    sent_at: event.at,
  };
}

function takenOverBy({ event, connection: { creatorId, id, takeoverMinutes } }: Received<EchoEvent>): TakenOver {
  return {
    creator_id: creatorId,
    connection_id: id,
    id: event.personId,
    until: takeoverMinutes === null ? null : new Date(event.at.getTime() + takeoverMinutes * 60_000),
  };
}
