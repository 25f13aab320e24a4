/** Calls that reach a person. */
import { messageBody, type OutgoingMessage } from './message.ts';
import type { Request, Speaker, Transport } from './transport.ts';
import type { CallResult } from './verdict.ts';

export function sendingCalls({ version, hostVia, send }: Transport) {
  const sendRequest = (speaker: Speaker, recipient: object, message: OutgoingMessage): Request => ({
    host: hostVia(speaker.via),
    method: 'POST',
    path: `${version}/${encodeURIComponent(speaker.senderId)}/messages`,
    token: speaker.token,
    json: { recipient, message: messageBody(message) },
  });

  return {
    /** One per comment, ever, within seven days of it. A second one is refused: `already_replied_elsewhere`. */
    privateReply(call: Speaker & { commentId: string; message: OutgoingMessage }): Promise<CallResult> {
      return send('private_reply', sendRequest(call, { comment_id: call.commentId }, call.message));
    },

    /** To a person who wrote within 24 hours. */
    sendMessage(call: Speaker & { personId: string; message: OutgoingMessage }): Promise<CallResult> {
      return send('message', sendRequest(call, { id: call.personId }, call.message));
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
