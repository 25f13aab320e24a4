/** Comments and messages that we read ourselves, as the events that their webhooks would have become. */
import type { CommentEvent, PlatformEvent } from './events.ts';
import type { ReadMessage } from './read-calls.ts';
import { unknownWriterOf } from './webhook.ts';

type Account = { platform: 'instagram' | 'facebook'; accountId: string };

type ReadComment = {
  id: string;
  postId: string | null;
  parentId: string | null;
  /** Null: the platform does not name the writer. */
  personId: string | null;
  username: string | null;
  text: string;
  at: Date;
};

/** @param how what no webhook would say of it */
export function commentEvent(
  { platform, accountId }: Account,
  { id, postId, parentId, personId, username, text, at }: ReadComment,
  how: Pick<CommentEvent, 'found' | 'catchUp'>,
): CommentEvent {
  return {
    platform,
    accountId,
    kind: 'comment',
    platformId: id,
    postId,
    // A Page's comments name their post as their parent.
    parentId: parentId === postId ? null : parentId,
    personId: personId ?? unknownWriterOf(id),
    username,
    text,
    at,
    own: personId === accountId,
    ...how,
  };
}

const KIND_OF_STORY = { reply: 'story_reply', mention: 'story_mention' } as const;

/** @param account standby: another app owns the conversation */
export function messageEvent(
  { platform, accountId, standby }: Account & { standby: boolean },
  { mid, fromId, toIds, text, story, at }: ReadMessage & { at: Date },
): PlatformEvent {
  const account = { platform, accountId };
  if (fromId === accountId) {
    // In no order that Meta promises: the other person is who is not the account.
    const personId = toIds.find((id) => id !== accountId);
    if (personId === undefined || standby) return { kind: 'ignored', accountId, what: 'message of the account' };
    return { ...account, kind: 'echo', mid, personId, text, appId: null, metadata: null, at };
  }
  const kind = story === null ? 'direct_message' : KIND_OF_STORY[story.kind];
  const storyId = story?.kind === 'reply' ? story.id : null;
  return {
    ...account,
    kind,
    platformId: mid,
    personId: fromId,
    text,
    payload: null,
    storyId,
    standby,
    self: false,
    at,
  };
}
