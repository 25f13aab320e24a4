/** Messages that somebody of the team sends. */
import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/types.ts';
import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';

/** Queues it; what the follower wrote waits for it, unless it is a chat message of the person's own. */
export async function queueByHand(
  trx: Kysely<Tables>,
  delivery: {
    creatorId: string;
    id: string;
    connectionId: string;
    interactionId: string;
    automationId: string | null;
    kind: 'private_reply' | 'message';
    recipient: string;
    content: DeliveryContent;
    /** Whose press of the button sends it */
    sentBy: string;
    priority: number;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({
      creator_id: delivery.creatorId,
      id: delivery.id,
      connection_id: delivery.connectionId,
      interaction_id: delivery.interactionId,
      automation_id: delivery.automationId,
      kind: delivery.kind,
      lane: delivery.kind === 'private_reply' ? 'private_replies' : 'messages',
      recipient: delivery.recipient,
      content: JSON.stringify(delivery.content),
      priority: delivery.priority,
      sent_by: delivery.sentBy,
      due_at: delivery.now,
      expires_at: delivery.expiresAt,
      created_at: delivery.now,
    })
    .execute();
  if (delivery.content.byHand) return;
  await trx
    .updateTable('interactions')
    .set({ outcome: 'waiting', reason: 'queued', waiting_until: null, outcome_at: delivery.now })
    .where('creator_id', '=', delivery.creatorId)
    .where('id', '=', delivery.interactionId)
    .execute();
}
