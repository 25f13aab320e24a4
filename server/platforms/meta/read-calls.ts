/** Reads of posts, comments, conversations and profiles. */
import type * as z from 'zod/mini';
import { map, type ReadResult, type Speaker, type Transport } from './transport.ts';
import * as types from './types.ts';

export type PageOf<T> = { items: T[]; after: string | null };

export type FoundComment = {
  id: string;
  text: string;
  personId: string | null;
  username: string | null;
  parentId: string | null;
  at: Date | null;
  /** Hidden by the account: replies to it are refused. */
  hidden: boolean;
  /** Meta's flag on a Page's comment [C]; null: none, as for every comment at Instagram. */
  privateReplyPossible: boolean | null;
};
/** A comment with the replies below it. */
export type FoundThread = FoundComment & { replies: FoundComment[]; hasMoreReplies: boolean };
/** One message, read by its id. `storyId` is null, too, where Meta does not name the story. */
export type ReadMessage = {
  mid: string;
  fromId: string;
  /** In no order that Meta promises. */
  toIds: string[];
  text: string;
  at: Date | null;
  story: { kind: 'reply' | 'mention'; id: string | null } | null;
};
export type FoundMessage = { mid: string; personId: string | null; text: string; at: Date | null };

/** Null is what Meta does not tell; Pages tell no follows. */
export type FoundProfile = {
  name: string | null;
  username: string | null;
  pictureUrl: string | null;
  followers: number | null;
  follows: boolean | null;
  verified: boolean | null;
};

export function readingCalls({ version, hostVia, read }: Transport) {
  return {
    /** Replies under a comment; finds a public reply whose result is unknown. */
    commentReplies(call: Speaker & { commentId: string; after?: string }): Promise<ReadResult<PageOf<FoundComment>>> {
      const edge = call.platform === 'facebook' ? 'comments' : 'replies';
      return map(
        read(types.listOf(types.Comment), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.commentId)}/${edge}`,
          query: { fields: commentFields(call.platform), limit: '50', after: call.after },
          token: call.token,
        }),
        (list) => pageOf(list, foundComment),
      );
    },

    /**
     * Comments of a post, newest first in practice, at most 50 a page. Instagram lists top-level comments only and
     * leaves out what its Hidden Words filter took, restricted people's, and those of a live that has ended [D, C]; of
     * a live they can be read while it runs; replies hang on them, of many not all (`hasMoreReplies`). A Page's list has
     * replies like comments (`filter=stream` [C]).
     */
    comments(call: Speaker & { postId: string; after?: string }): Promise<ReadResult<PageOf<FoundThread>>> {
      const own = commentFields(call.platform);
      const isPage = call.platform === 'facebook';
      const fields = isPage ? own : `${own},replies.limit(50){${own}}`;
      const order = isPage ? { filter: 'stream', order: 'reverse_chronological' } : {};
      return map(
        read(types.listOf(types.CommentWithReplies), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.postId)}/comments`,
          query: { fields, limit: '50', after: call.after, ...order },
          token: call.token,
        }),
        (list) =>
          pageOf(list, ({ replies, ...comment }) => ({
            ...foundComment(comment),
            replies: (replies?.data ?? []).map((reply) => ({
              ...foundComment(reply),
              parentId: reply.parent_id ?? comment.id,
            })),
            hasMoreReplies: replies?.paging?.next !== undefined,
          })),
      );
    },

    /** How many comments Instagram itself counts on a post; null where it does not tell. */
    commentCount(call: Speaker & { postId: string }): Promise<ReadResult<number | null>> {
      return map(
        read(types.CommentCount, {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.postId)}`,
          query: { fields: 'comments_count' },
          token: call.token,
        }),
        (post) => post.comments_count ?? null,
      );
    },

    /** The newest 20 messages with a person, newest first; finds a message whose result is unknown. Empty: no thread. */
    conversationWith(call: Speaker & { personId: string }): Promise<ReadResult<FoundMessage[]>> {
      return map(
        read(types.Conversations, {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.senderId)}/conversations`,
          query: {
            platform: call.platform === 'facebook' ? 'messenger' : 'instagram',
            user_id: call.personId,
            fields: 'id,messages.limit(20){id,created_time,from,message}',
          },
          token: call.token,
        }),
        (list) =>
          list.data.flatMap((thread) =>
            (thread.messages?.data ?? []).map((message) => ({
              mid: message.id,
              personId: message.from?.id ?? null,
              text: message.message ?? '',
              at: dateOf(message.created_time),
            })),
          ),
      );
    },

    /** One comment as it stands now; null: deleted, or never ours to see (100/33). */
    async comment(call: Speaker & { commentId: string }): Promise<ReadResult<FoundComment | null>> {
      return nullWhenGone(
        map(
          read(types.Comment, {
            host: hostVia(call.via),
            method: 'GET',
            path: `${version}/${encodeURIComponent(call.commentId)}`,
            query: { fields: commentFields(call.platform) },
            token: call.token,
          }),
          foundComment,
        ),
      );
    },

    /** Null: taken back, older than the newest 20 of its conversation, never ours to see, or without a sender. */
    message(call: Speaker & { mid: string }): Promise<ReadResult<ReadMessage | null>> {
      const fields = 'id,created_time,from,to,message';
      const answer = read(types.Message, {
        host: hostVia(call.via),
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.mid)}`,
        query: { fields: call.platform === 'facebook' ? fields : `${fields},story` },
        token: call.token,
      });
      return map(nullWhenGone(answer), (message) => {
        const fromId = message?.from?.id;
        if (message === null || fromId === undefined) return null;
        const { mention, reply_to } = message.story ?? {};
        const story = mention ?? reply_to;
        return {
          mid: message.id,
          fromId,
          toIds: (message.to?.data ?? []).flatMap(({ id }) => id ?? []),
          text: message.message ?? '',
          at: dateOf(message.created_time),
          story: story == null ? null : { kind: mention == null ? 'reply' : 'mention', id: story.id ?? null },
        };
      });
    },

    /**
     * Who is behind a scoped id. Meta tells only after the person wrote or tapped; before that it answers 230, of
     * reviewers' own accounts 9010, of somebody who blocked the account 100/33: everything is null then, and null never
     * means "does not follow" (reference 3.5).
     */
    async profile(call: Speaker & { personId: string }): Promise<ReadResult<FoundProfile>> {
      const fields =
        call.platform === 'facebook'
          ? 'name,profile_pic'
          : 'name,username,profile_pic,follower_count,is_user_follow_business,is_verified_user';
      const answer = read(types.Profile, {
        host: hostVia(call.via),
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.personId)}`,
        query: { fields },
        token: call.token,
      });
      return map(nullWhenGone(answer, PROFILE_UNKNOWN), (profile) => ({
        name: profile?.name ?? null,
        username: profile?.username ?? null,
        pictureUrl: profile?.profile_pic ?? null,
        followers: profile?.follower_count ?? null,
        follows: profile?.is_user_follow_business ?? null,
        verified: profile?.is_verified_user ?? null,
      }));
    },
  };
}

function commentFields(platform: Speaker['platform']): string {
  return platform === 'facebook'
    ? 'id,message,created_time,from,parent{id},is_hidden,can_reply_privately'
    : 'id,text,timestamp,username,from,parent_id,hidden';
}

function foundComment(comment: z.output<typeof types.Comment>): FoundComment {
  return {
    id: comment.id,
    text: comment.text ?? comment.message ?? '',
    personId: comment.from?.id ?? null,
    username: comment.username ?? comment.from?.username ?? comment.from?.name ?? null,
    parentId: comment.parent_id ?? comment.parent?.id ?? null,
    at: dateOf(comment.timestamp ?? comment.created_time),
    hidden: comment.hidden ?? comment.is_hidden ?? false,
    privateReplyPossible: comment.can_reply_privately ?? null,
  };
}

/** `next` says that there is more, `cursors.after` how to get it. `next` itself carries the token and is not followed. */
export function pageOf<A, B>(
  list: { data: A[]; paging?: { next?: string; cursors?: { after?: string } } },
  change: (item: A) => B,
): PageOf<B> {
  const more = list.paging?.next !== undefined;
  return { items: list.data.map(change), after: more ? (list.paging?.cursors?.after ?? null) : null };
}

/** Codes that mean "there is nobody to tell of", as `code` or `code/subcode`. */
const PROFILE_UNKNOWN = [
  '230',
  '9010',
  '2018218',
  '2018247',
  '100/33',
  '100/2018218',
  '100/2018247',
  '100/2534014',
  '100/2018001',
];
const GONE = ['100/33', '9000001'];

/** An answer that the thing is not there, or may not be seen, is an answer. */
export async function nullWhenGone<T>(
  result: Promise<ReadResult<T>>,
  codes: readonly string[] = GONE,
): Promise<ReadResult<T | null>> {
  const answer = await result;
  if (answer.ok || answer.error === null) return answer;
  const { code, subcode } = answer.error;
  if (!codes.includes(`${code}/${subcode}`) && !codes.includes(String(code))) return answer;
  return { ok: true, data: null, usage: answer.usage };
}

/** Graph writes `2017-05-19T23:27:28+0000`. */
export function dateOf(text: string | null | undefined): Date | null {
  if (!text) return null;
  const date = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(date.getTime()) ? null : date;
}
