/** Reads of what an account published: posts and reels, stories, live videos, a Page's posts. */
import type * as z from 'zod/mini';
import { dateOf, type PageOf, pageOf } from './read-calls.ts';
import { map, type ReadResult, type Speaker, type Transport } from './transport.ts';
import * as types from './types.ts';

const MEDIA_FIELDS =
  'id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,comments_count,like_count';
/** Stories and lives have no figures of comments. */
const SHORT_LIVED_FIELDS = 'id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp';

/** A story that is up, at most 24 hours. Its picture's address dies with it: whoever wants to keep it copies it. */
export type Story = {
  id: string;
  caption: string;
  video: boolean;
  /** The picture, or a film's first frame; null when Meta gives none (copyrighted music [R]). */
  pictureUrl: string | null;
  permalink: string | null;
  at: Date | null;
};

/** A live video that runs at this moment; one that has ended is in no list. */
export type LiveVideo = { id: string; caption: string; permalink: string | null; at: Date | null };

export function postCalls({ version, hostVia, read }: Transport) {
  const edge = (
    call: Speaker & { accountId: string; after?: string },
    name: string,
    fields: string,
    limit: number,
  ) => ({
    host: hostVia(call.via),
    method: 'GET' as const,
    path: `${version}/${encodeURIComponent(call.accountId)}/${name}`,
    query: { fields, limit: String(limit), after: call.after },
    token: call.token,
  });

  return {
    /** One page of an account's posts and reels, newest first; stories are not among them. A Page's posts take the same form. */
    media(
      call: Speaker & { accountId: string; after?: string; limit?: number },
    ): Promise<ReadResult<PageOf<types.Media>>> {
      const limit = call.limit ?? 50;
      if (call.platform === 'facebook') {
        return map(read(types.listOf(types.PagePost), edge(call, 'posts', PAGE_POST_FIELDS, limit)), (list) =>
          pageOf(list, mediaOfPagePost),
        );
      }
      return map(read(types.listOf(types.Media), edge(call, 'media', MEDIA_FIELDS, limit)), (list) =>
        pageOf(list, (media) => media),
      );
    },

    /** Stories that are up now, newest first [C]. Instagram only. */
    stories(call: Speaker & { accountId: string; after?: string }): Promise<ReadResult<PageOf<Story>>> {
      return map(read(types.listOf(types.Media), edge(call, 'stories', SHORT_LIVED_FIELDS, 50)), (list) =>
        pageOf(list, (media) => ({
          id: media.id,
          caption: media.caption ?? '',
          video: media.media_type === 'VIDEO',
          pictureUrl: media.thumbnail_url ?? (media.media_type === 'VIDEO' ? null : media.media_url) ?? null,
          permalink: media.permalink ?? null,
          at: dateOf(media.timestamp),
        })),
      );
    },

    /** Live videos that run now: an answer without one says that the live is over. Instagram only [D: the edge; R: fields]. */
    liveMedia(call: Speaker & { accountId: string }): Promise<ReadResult<LiveVideo[]>> {
      return map(
        read(types.listOf(types.Media), edge(call, 'live_media', 'id,caption,media_type,permalink,timestamp', 50)),
        (list) =>
          list.data.map((media) => ({
            id: media.id,
            caption: media.caption ?? '',
            permalink: media.permalink ?? null,
            at: dateOf(media.timestamp),
          })),
      );
    },
  };
}

const PAGE_POST_FIELDS =
  'id,message,created_time,permalink_url,full_picture,status_type,comments.limit(0).summary(true),reactions.limit(0).summary(true)';

/** A Page's post in the words of Instagram, so that everything behind it has one kind of post. */
function mediaOfPagePost(post: z.output<typeof types.PagePost>): types.Media {
  const video = post.status_type === 'added_video';
  return {
    id: post.id,
    caption: post.message,
    media_type: video ? 'VIDEO' : 'IMAGE',
    media_product_type: 'FEED',
    media_url: null,
    thumbnail_url: post.full_picture,
    permalink: post.permalink_url,
    timestamp: post.created_time,
    comments_count: post.comments?.summary?.total_count,
    like_count: post.reactions?.summary?.total_count,
  };
}
