import { shownComments } from '../comments/comments.ts';
import { DEFAULT_COMMENT_FIELDS, renderComment } from '../comments/node.ts';
import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok } from '../graph/call.ts';
import { type Field, isoTime, parseFields, project } from '../graph/fields.ts';
import { page } from '../graph/pages.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import { closed, permalink, storyAddress } from '../state/media.ts';
import type { Account, Media, Token } from '../state/records.ts';
import { mayTouch, noSuchObject, requireScope, requireToken } from '../tokens/tokens.ts';
import { insights } from './insights.ts';
import { ownMedia } from './own-media.ts';

const MAX_PAGE = 100; // [R]

export function mediaRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  const ofAccount = (call: GraphCall) => {
    const node = call.node === 'me' ? world.tokens.get(call.tokenValue() ?? '')?.subjectId : call.node;
    call.account = world.accounts.get(node ?? '') ?? world.accountsByAppScopedId.get(node ?? '') ?? null;
  };
  const ofMedia = (call: GraphCall) => {
    call.account = world.accounts.get(world.media.get(call.node)?.accountId ?? '') ?? null;
  };
  const list = (call: GraphCall, wanted: (media: Media) => boolean) => listMedia(platform, call, wanted);
  const posts = {
    operation: 'media_list' as const,
    describe: ofAccount,
    handle: (call: GraphCall) =>
      list(call, (media) => media.product !== 'STORY' && media.product !== 'LIVE' && media.product !== 'AD'),
  };
  return {
    'GET */media': posts,
    'GET */posts': posts,
    'GET */feed': posts,
    'GET */published_posts': posts,
    'GET */stories': {
      operation: 'story_list',
      describe: ofAccount,
      handle: (call) => list(call, (media) => media.product === 'STORY' && !closed(world, media)),
    },
    'GET */live_media': {
      operation: 'live_list',
      describe: ofAccount,
      handle: (call) => list(call, (media) => media.product === 'LIVE' && !closed(world, media)),
    },
    'GET */insights': { operation: 'insights', describe: ofMedia, handle: (call) => insights(platform, call) },
    'GET */children': {
      operation: 'media_read',
      describe: ofMedia,
      handle: (call) => {
        ownMedia(platform, call, requireToken(world, call));
        return ok({ data: [] });
      },
    },
    'GET */': (_flavour, node) =>
      world.media.has(node)
        ? { operation: 'media_read', describe: ofMedia, handle: (call) => read(platform, call) }
        : undefined,
  };
}

function read(platform: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(platform.world, call);
  const { media, account } = ownMedia(platform, call, token);
  requireMediaScope(token, account);
  platform.rates.take(account, 'platform');
  const fields = call.parameter('fields');
  return ok(renderMedia(platform, token, account, media, fields ? parseFields(fields) : []));
}

function listMedia(platform: MetaPlatform, call: GraphCall, wanted: (media: Media) => boolean): Answer {
  const { world } = platform;
  const token = requireToken(world, call);
  const account = call.account;
  if (!account || !mayTouch(world, token, account)) throw noSuchObject(call);
  requireMediaScope(token, account);
  platform.rates.take(account, 'platform');
  const shown: Media[] = [];
  for (let index = account.mediaIds.length - 1; index >= 0; index -= 1) {
    const media = world.media.get(account.mediaIds[index]!)!;
    if (!media.deleted && wanted(media)) shown.push(media);
  }
  shown.sort((one, other) => other.createdAt - one.createdAt);
  const fields = call.parameter('fields');
  const parsed = fields
    ? parseFields(fields)
    : account.platform === 'facebook'
      ? parseFields('id,message,created_time')
      : [];
  return ok(
    page(
      call,
      shown,
      (media) => media.id,
      (media) => renderMedia(platform, token, account, media, parsed),
      {
        self: world.url + call.path,
        defaultLimit: 25,
        maxLimit: MAX_PAGE,
      },
    ),
  );
}

function requireMediaScope(token: Token, account: Account): void {
  if (account.platform === 'instagram') requireScope(token, 'instagram_business_basic', 'instagram_basic');
  else requireScope(token, 'pages_read_engagement');
}

function renderMedia(
  platform: MetaPlatform,
  token: Token,
  account: Account,
  media: Media,
  fields: readonly Field[],
): Record<string, unknown> {
  return account.platform === 'instagram'
    ? instagramMedia(platform, token, account, media, fields)
    : pagePost(platform, account, media, fields);
}

function instagramMedia(
  platform: MetaPlatform,
  token: Token,
  account: Account,
  media: Media,
  fields: readonly Field[],
): Record<string, unknown> {
  const { world } = platform;
  const comments = () => shownComments(world, media.commentIds);
  const address = () => (media.product === 'STORY' ? storyAddress(world, media) : world.absolute(media.picture));
  return project(
    'IGMedia',
    {
      id: () => media.id,
      caption: () => media.caption || undefined,
      media_type: () => media.mediaType,
      media_product_type: () => media.product,
      media_url: () => address(),
      thumbnail_url: () => (media.mediaType === 'VIDEO' ? address() : undefined),
      permalink: () => permalink(world, media),
      shortcode: () => media.shortcode,
      timestamp: () => isoTime(media.createdAt),
      username: () => account.username,
      owner: () => ({ id: account.id }),
      is_comment_enabled: () => !media.commentsDisabled,
      comments_count: () => comments().length,
      like_count: () => media.likeCount,
      children: () => undefined,
      comments: (field) => {
        const shown = comments()
          .filter((comment) => comment.parentId === null)
          .slice(0, Number(field.arguments.limit ?? 25));
        if (shown.length === 0) return undefined;
        return {
          data: shown.map((comment) =>
            renderComment(platform, token, account, comment, field.children ?? DEFAULT_COMMENT_FIELDS),
          ),
        };
      },
    },
    fields,
  );
}

function pagePost(
  { world }: MetaPlatform,
  account: Account,
  media: Media,
  fields: readonly Field[],
): Record<string, unknown> {
  return project(
    'Post',
    {
      id: () => media.id,
      message: () => media.caption || undefined,
      created_time: () => isoTime(media.createdAt),
      updated_time: () => isoTime(media.createdAt),
      permalink_url: () => permalink(world, media),
      full_picture: () => world.absolute(media.picture),
      picture: () => world.absolute(media.picture),
      status_type: () => (media.mediaType === 'VIDEO' ? 'added_video' : 'added_photos'),
      is_published: () => true,
      from: () => ({ id: account.id, name: account.name }),
      attachments: () => ({
        data: [
          {
            media_type: media.mediaType === 'VIDEO' ? 'video' : 'photo',
            media: { image: { src: world.absolute(media.picture) } },
          },
        ],
      }),
      comments: () => ({ data: [], summary: { total_count: shownComments(world, media.commentIds).length } }),
      likes: () => ({ data: [], summary: { total_count: media.likeCount } }),
      reactions: () => ({ data: [], summary: { total_count: media.likeCount } }),
      shares: () => undefined,
    },
    fields,
  );
}
