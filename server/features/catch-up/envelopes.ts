import type { ReadMessage } from '#server/platforms/meta/reading.ts';

/**
 * Comments and messages in the shape of Meta's webhooks, so that what we find ourselves goes the same way as what Meta tells us, and
 * a comment that comes both ways is one. `creator_hq` is our own mark in them (server/platforms/meta/webhook.ts).
 */

export type EnvelopedComment = {
  id: string;
  postId: string | null;
  parentId: string | null;
  /** Null: the platform does not name the writer. */
  personId: string | null;
  username: string | null;
  text: string;
  at: Date;
};

/** One body for the event log. */
export function envelopeOf(
  account: { platform: 'instagram' | 'facebook'; accountId: string },
  comments: EnvelopedComment[],
  mark: { found?: boolean; catch_up?: boolean },
): string {
  const change = account.platform === 'facebook' ? feedChange : commentChange;
  return JSON.stringify({
    object: account.platform === 'facebook' ? 'page' : 'instagram',
    entry: comments.map((comment) => ({
      id: account.accountId,
      time: Math.floor(comment.at.getTime() / 1000),
      changes: [change(comment, mark)],
    })),
  });
}

function commentChange(comment: EnvelopedComment, mark: object) {
  return {
    field: 'comments',
    value: {
      id: comment.id,
      text: comment.text,
      // Standing for an unknown person by itself it never counts as somebody who was answered before.
      from: { id: comment.personId ?? `comment:${comment.id}`, username: comment.username },
      media: { id: comment.postId },
      ...(comment.parentId !== null && { parent_id: comment.parentId }),
      creator_hq: mark,
    },
  };
}

function feedChange(comment: EnvelopedComment, mark: object) {
  return {
    field: 'feed',
    value: {
      item: 'comment',
      verb: 'add',
      comment_id: comment.id,
      post_id: comment.postId,
      parent_id: comment.parentId ?? comment.postId,
      ...(comment.personId !== null && { from: { id: comment.personId, name: comment.username } }),
      message: comment.text,
      created_time: Math.floor(comment.at.getTime() / 1000),
      creator_hq: mark,
    },
  };
}

/** One body for the event log: a message that was read by its id, as its webhook would have told of it. */
export function messageEnvelopeOf(
  account: { platform: 'instagram' | 'facebook'; accountId: string; standby: boolean },
  message: ReadMessage & { at: Date },
): string {
  const { story, fromId, toIds } = message;
  const other = fromId === account.accountId ? toIds.find((id) => id !== account.accountId) : undefined;
  const attachments = [...(story?.kind === 'mention' ? [{ type: 'story_mention' }] : []), ...message.attachments];
  const item = {
    sender: { id: fromId },
    recipient: { id: other ?? account.accountId },
    timestamp: message.at.getTime(),
    message: {
      mid: message.mid,
      text: message.text,
      ...(story?.kind === 'reply' && { reply_to: { story: { id: story.id } } }),
      ...(attachments.length > 0 && { attachments }),
    },
  };
  const time = message.at.getTime();
  return JSON.stringify({
    object: account.platform === 'facebook' ? 'page' : 'instagram',
    entry: [{ id: account.accountId, time, [account.standby ? 'standby' : 'messaging']: [item] }],
  });
}
