/** Deliveries in states that are tried out one by one, for tests of the statements that read and change them. */
import type { Insertable, Updateable } from 'kysely';
import { systemIds } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { DeliveriesTable } from '#server/db/types.ts';

/**
 * A private reply; sent unless told otherwise. For tests of the engine alone: others get theirs from `createFollowers`.
 *
 * @returns its id
 */
export async function insertDelivery(
  db: Database,
  creatorId: string,
  connectionId: string,
  interactionId: string,
  over: Updateable<DeliveriesTable> = {},
): Promise<string> {
  const id = systemIds.uuid(new Date());
  const now = new Date();
  await db.engine
    .insertInto('deliveries')
    .values({
      creator_id: creatorId,
      id,
      connection_id: connectionId,
      interaction_id: interactionId,
      kind: 'private_reply',
      lane: 'private_replies',
      recipient: 'comment',
      content: JSON.stringify({ text: 'Here is the recipe', buttons: [] }),
      state: 'sent',
      due_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
      called_at: now,
      finished_at: now,
      created_at: now,
      ...over,
    } as Insertable<DeliveriesTable>)
    .execute();
  return id;
}
