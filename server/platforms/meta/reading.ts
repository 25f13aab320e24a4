/** Reads of posts, comments and conversations. */
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
    /** What was answered under a comment; finds a public reply whose result is unknown. */
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

    /** Top-level comments of a post, newest first in practice, at most 50 a page. */
    comments(call: Speaker & { postId: string; after?: string }): Promise<ReadResult<PageOf<FoundComment>>> {
      return map(
        read(types.listOf(types.Comment), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.postId)}/comments`,
          query: { fields: commentFields(call.platform), limit: '50', after: call.after },
          token: call.token,
        }),
        (list) => pageOf(list, foundComment),
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

    /** A person who wrote to the account; refused (230) for one who only commented (reference 3.5). */
    profile(call: Speaker & { personId: string }): Promise<ReadResult<FoundProfile>> {
      return map(
        read(types.Profile, {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.personId)}`,
          query: {
            fields:
              call.platform === 'facebook'
                ? 'name,profile_pic'
                : 'name,username,profile_pic,follower_count,is_user_follow_business,is_verified_user',
          },
          token: call.token,
        }),
        (profile) => ({
          name: profile.name ?? null,
          username: profile.username ?? null,
          pictureUrl: profile.profile_pic ?? null,
          followers: profile.follower_count ?? null,
          follows: profile.is_user_follow_business ?? null,
          verified: profile.is_verified_user ?? null,
        }),
      );
    },

    /** One page of an account's posts and reels, newest first; stories are not among them. */
    media(call: Speaker & { accountId: string; after?: string; limit?: number }) {
      return map(
        read(types.listOf(types.Media), {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.accountId)}/media`,
          query: {
            fields:
              'id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,comments_count,like_count',
            limit: String(call.limit ?? 50),
            after: call.after,
          },
          token: call.token,
        }),
        (list) => pageOf(list, (media) => media),
      );
    },
  };
}

function commentFields(platform: Speaker['platform']): string {
  return platform === 'facebook'
    ? 'id,message,created_time,from,parent{id}'
    : 'id,text,timestamp,username,from,parent_id';
}

function foundComment(comment: z.output<typeof types.Comment>): FoundComment {
  return {
    id: comment.id,
    text: comment.text ?? comment.message ?? '',
    personId: comment.from?.id ?? null,
    username: comment.username ?? comment.from?.username ?? comment.from?.name ?? null,
    parentId: comment.parent_id ?? null,
    at: dateOf(comment.timestamp ?? comment.created_time),
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

/** Graph writes `2017-05-19T23:27:28+0000`. */
function dateOf(text: string | null | undefined): Date | null {
  if (!text) return null;
  const date = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(date.getTime()) ? null : date;
}
