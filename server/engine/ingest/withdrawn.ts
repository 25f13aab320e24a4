import type { EngineTransaction } from '#server/db/transaction.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import * as people from '#server/engine/people-store.ts';
import type { CommentChangedEvent, UnsentEvent } from '#server/platforms/meta/events.ts';
import type { Received } from './received.ts';

/** Handles texts that were deleted or edited. @returns the creators whose lists changed */
export async function withdraw(
  trx: EngineTransaction,
  withdrawn: Received<UnsentEvent | CommentChangedEvent>[],
  now: Date,
): Promise<string[]> {
  const written = withdrawn.map(({ event, connection }) => ({
    creator_id: connection.creatorId,
    connection_id: connection.id,
    ...(event.kind === 'unsent'
      ? { platform_id: event.mid, because: 'unsent' as const, forget: true }
      : { platform_id: event.platformId, because: 'comment_changed' as const, forget: event.removed }),
  }));
  const of = (because: 'unsent' | 'comment_changed') => ({ written: written.filter((one) => one.because === because) });
  const unsent = await callOff(trx, of('unsent'), 'unsent', now);
  const changed = await callOff(trx, of('comment_changed'), 'comment_changed', now);
  const forgotten = await people.forgetWords(
    trx,
    written.filter(({ forget }) => forget),
  );
  return [...unsent.creatorIds, ...changed.creatorIds, ...forgotten];
}
