/** Calls that reach a person. */
import { messageBody, type OutgoingMessage } from './message.ts';
import type { Request, Speaker, Transport } from './transport.ts';
import type { CallResult } from './verdict.ts';

export function sendingCalls({ version, hostVia, send }: Transport) {
  const post = (speaker: Speaker, json: Record<string, unknown>): Request => ({
    host: hostVia(speaker.via),
    method: 'POST',
    path: `${version}/${encodeURIComponent(speaker.senderId)}/messages`,
    token: speaker.token,
    json,
  });

  return {
    /** One per comment, ever, within seven days of it. A second one is refused: `already_replied_elsewhere`. */
    privateReply(call: Speaker & { commentId: string; message: OutgoingMessage }): Promise<CallResult> {
      return send(
        'private_reply',
        post(call, { recipient: { comment_id: call.commentId }, message: messageBody(call.message) }),
      );
    },

    /**
     * To a person who wrote within 24 hours; `humanAgent`: within seven days, only for what a person of the creator's
     * team typed, and only when Meta granted the app that feature. The tag is documented for graph.facebook.com [D];
     * on graph.instagram.com its form is unproven [C].
     *
     * @param call.metadata comes back in the message's echo; at most 1,000 characters [R]
     */
    sendMessage(
      call: Speaker & { personId: string; message: OutgoingMessage; humanAgent?: boolean; metadata?: string },
    ): Promise<CallResult> {
      const body = messageBody(call.message);
      return send(
        'message',
        post(call, {
          recipient: { id: call.personId },
          ...(call.humanAgent === true && { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }),
          // Instagram's samples have no `messaging_type`; Messenger wants one.
          ...(call.humanAgent !== true && call.platform === 'facebook' && { messaging_type: 'RESPONSE' }),
          message: call.metadata === undefined ? body : { ...body, metadata: call.metadata },
        }),
      );
    },

    /** Under a top-level comment. Meta keeps no key against doubles: look before a second try. */
    publicReply(call: Speaker & { commentId: string; text: string }): Promise<CallResult> {
      const edge = call.platform === 'facebook' ? 'comments' : 'replies';
      return send('public_reply', {
        host: hostVia(call.via),
        method: 'POST',
        path: `${version}/${encodeURIComponent(call.commentId)}/${edge}`,
        token: call.token,
        json: { message: call.text },
      });
    },
  };
}
