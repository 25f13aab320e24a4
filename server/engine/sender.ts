/**
 * Makes the outbound call of a delivery. What an earlier, unanswered call may already have done is looked for first
 * (architecture rule 3): Meta has no idempotency keys.
 */
import type pg from 'pg';
import type { EngineConnections } from '#server/engine/connections.ts';
import type { ClaimedDelivery } from '#server/engine/queries.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import type { CallResult } from '#server/platforms/meta/verdict.ts';

/** Meta's clock and ours need not agree to the second. */
const CLOCKS_APART_MS = 5000;

export type Sender = { send(delivery: ClaimedDelivery): Promise<CallResult> };

export type SenderDeps = {
  pool: pg.Pool;
  connections: EngineConnections;
  meta: MetaClient;
  /** The token that speaks for a connection and the node it posts to; null when there is none that works. */
  speakerOf(connection: { creatorId: string; id: string }): Promise<Speaker | null>;
};

export function createSender(deps: SenderDeps): Sender {
  return {
    async send(delivery) {
      const connection = await deps.connections.withId(delivery.connection_id, deps.pool);
      if (connection === null)
        return answer({ kind: 'refused', reason: 'disconnected', detail: 'The account was disconnected.' });
      if (connection.beingDeleted)
        return answer({ kind: 'refused', reason: 'being_deleted', detail: 'The creator is to be deleted.' });
      const speaker = connection.requiresAuth ? null : await deps.speakerOf(connection);
      if (speaker === null) return answer({ kind: 'reauthenticate', reason: 'no_token', detail: 'No working token.' });
      const earlier = delivery.uncertain ? await findEarlier(deps.meta, speaker, delivery) : null;
      return earlier ?? call(deps.meta, speaker, delivery);
    },
  };
}

function call(meta: MetaClient, speaker: Speaker, { kind, recipient, content }: ClaimedDelivery): Promise<CallResult> {
  const message = { text: content.text, buttons: content.buttons };
  switch (kind) {
    case 'private_reply':
      return meta.privateReply({ ...speaker, commentId: recipient, message });
    case 'message':
      return meta.sendMessage({ ...speaker, personId: recipient, message });
    case 'public_reply':
      return meta.publicReply({ ...speaker, commentId: recipient, text: content.text });
  }
}

/** Null: nothing of an earlier call is to be found, it may go out again. */
async function findEarlier(meta: MetaClient, speaker: Speaker, delivery: ClaimedDelivery): Promise<CallResult | null> {
  switch (delivery.kind) {
    case 'private_reply':
      // Meta itself refuses a second private reply to a comment: asking is the look-up.
      return null;
    case 'public_reply': {
      const replies = await meta.commentReplies({ ...speaker, commentId: delivery.recipient });
      if (!replies.ok) return lookUpFailed(replies.verdict);
      const ours = replies.data.items.find((reply) => reply.text === delivery.content.text);
      return ours === undefined ? null : found(ours.id);
    }
    case 'message': {
      const messages = await meta.conversationWith({ ...speaker, personId: delivery.recipient });
      if (!messages.ok) return lookUpFailed(messages.verdict);
      const since = (delivery.called_at ?? delivery.created_at).getTime() - CLOCKS_APART_MS;
      const ours = messages.data.find(
        ({ personId, text, at }) =>
          personId !== delivery.recipient &&
          (at === null || at.getTime() >= since) &&
          // Whether a template shows its text in this list is not documented.
          (text === delivery.content.text || text === ''),
      );
      return ours === undefined ? null : found(ours.mid);
    }
  }
}

function found(messageId: string): CallResult {
  return answer({ kind: 'done', messageId, personId: null });
}

/** Not knowing is no permission to send again. What closes lanes or connections is passed on. */
function lookUpFailed(verdict: CallResult['verdict']): CallResult {
  const passedOn = verdict.kind === 'rate_limited' || verdict.kind === 'barred' || verdict.kind === 'reauthenticate';
  return answer(passedOn ? verdict : { kind: 'unknown', detail: 'detail' in verdict ? verdict.detail : '' });
}

function answer(verdict: CallResult['verdict']): CallResult {
  return { verdict, usage: null };
}
