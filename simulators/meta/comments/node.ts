import { type Field, isoTime, project } from '../graph/fields.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Comment, Token } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import { shownComments } from './comments.ts';

/** An Instagram or Page comment as Graph shows it. `username` and `from` need the comment permission since 2024-08-27 [D]. */
export function renderComment(
  platform: MetaPlatform,
  token: Token,
  account: Account,
  comment: Comment,
  fields: readonly Field[],
): Record<string, unknown> {
  return account.platform === 'instagram'
    ? instagramComment(platform, token, account, comment, fields)
    : pageComment(platform, token, account, comment, fields);
}

function instagramComment(
  platform: MetaPlatform,
  token: Token,
  account: Account,
  comment: Comment,
  fields: readonly Field[],
): Record<string, unknown> {
  const { world } = platform;
  const person = comment.personId === null ? null : world.people.get(comment.personId)!;
  const username = person?.username ?? account.username;
  const seesPeople =
    token.scopes.includes('instagram_business_manage_comments') || token.scopes.includes('instagram_manage_comments');
  const from =
    person === null ? { id: account.id, username } : { id: world.contact(person.id, account).commentFromId, username };
  return project(
    'IGComment',
    {
      id: () => comment.id,
      text: () => comment.text,
      timestamp: () => isoTime(comment.createdAt),
      username: () => (seesPeople ? username : undefined),
      from: (field) =>
        seesPeople
          ? field.children
            ? project('IGCommentFrom', { id: () => from.id, username: () => username }, field.children)
            : from
          : undefined,
      parent_id: () => comment.parentId ?? undefined,
      hidden: () => comment.hidden,
      like_count: () => comment.likeCount,
      // Album id is never in the webhook; here it is [D].
      media: (field) =>
        project(
          'IGMedia',
          { id: () => comment.mediaId, media_product_type: () => world.media.get(comment.mediaId)?.product },
          field.children ?? [],
        ),
      user: () => (person === null ? { id: account.id } : undefined),
      replies: (field) => {
        const replies = shownComments(world, comment.replyIds);
        if (replies.length === 0) return undefined;
        return {
          data: replies.map((reply) =>
            instagramComment(platform, token, account, reply, field.children ?? DEFAULT_COMMENT_FIELDS),
          ),
        };
      },
    },
    fields,
  );
}

function pageComment(
  platform: MetaPlatform,
  token: Token,
  page: Account,
  comment: Comment,
  fields: readonly Field[],
): Record<string, unknown> {
  const { world } = platform;
  const person = comment.personId === null ? null : world.people.get(comment.personId)!;
  const seesPeople = token.scopes.includes('pages_read_user_content') || token.scopes.includes('pages_read_engagement');
  return project(
    'Comment',
    {
      id: () => comment.id,
      message: () => comment.text,
      created_time: () => isoTime(comment.createdAt),
      from: () =>
        !seesPeople
          ? undefined
          : person === null
            ? { id: page.id, name: page.name }
            : { id: world.contact(person.id, page).scopedId, name: person.name },
      parent: () => (comment.parentId === null ? undefined : { id: comment.parentId }),
      is_hidden: () => comment.hidden,
      like_count: () => comment.likeCount,
      comment_count: () => comment.replyIds.length,
      can_reply_privately: () =>
        person !== null && comment.privateReplyId === null && world.now() - comment.createdAt < 7 * DAY_MS,
      private_reply_conversation: () => {
        if (comment.privateReplyId === null || person === null) return undefined;
        return { id: world.contact(person.id, page).conversationId };
      },
      permalink_url: () => `${world.url}/p/${world.media.get(comment.mediaId)?.shortcode}?comment_id=${comment.id}`,
      comments: (field) => ({
        data: shownComments(world, comment.replyIds).map((reply) =>
          pageComment(platform, token, page, reply, field.children ?? DEFAULT_PAGE_COMMENT_FIELDS),
        ),
      }),
    },
    fields,
  );
}

const plain = (name: string): Field => ({ name, children: null, arguments: {} });
/** [D] */
export const DEFAULT_COMMENT_FIELDS: readonly Field[] = ['id', 'text', 'timestamp'].map(plain);
/** [R] */
export const DEFAULT_PAGE_COMMENT_FIELDS: readonly Field[] = ['created_time', 'from', 'message', 'id'].map(plain);
