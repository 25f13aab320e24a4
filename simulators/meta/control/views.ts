import { buttonsOf, textOf } from '../messages/shapes.ts';
import { closed, permalink } from '../state/media.ts';
import type { Account, Comment, Contact, Media, Message, Person } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import type { AccountView, CommentView, MessageView, PersonView, PostView, ThreadView } from './types.ts';

/** Records as the phone and tests see them. */

export function accountView(world: World, account: Account): AccountView {
  const page = account.platform === 'facebook' ? account : world.accounts.get(account.linkedId ?? '');
  return {
    accountId: account.id,
    platform: account.platform,
    username: account.username,
    name: account.name,
    pictureUrl: world.absolute(account.picture),
    followersCount: account.followersCount,
    mediaCount: account.mediaIds.filter((id) => isPost(world.media.get(id)!)).length,
    biography: account.biography,
    pageId: page?.id ?? null,
    accountType: account.platform === 'instagram' ? account.accountType : 'PAGE',
    subscribed: { instagramLogin: account.instagramLoginFields, facebookLogin: page?.pageFields ?? null },
  };
}

function isPost({ product, deleted }: Media): boolean {
  return !deleted && (product === 'FEED' || product === 'REELS');
}

export function personView(world: World, person: Person): PersonView {
  return {
    personId: person.id,
    username: person.username,
    name: person.name,
    pictureUrl: world.absolute(person.picture),
    relations: world
      .contactsOfPerson(person.id)
      .map(({ accountId, scopedId, follows, followedBy, blocked, consent }) => ({
        accountId,
        scopedId,
        follows,
        followedBy,
        blocked,
        consent,
      })),
  };
}

export function postView(world: World, media: Media): PostView {
  return {
    mediaId: media.id,
    accountId: media.accountId,
    platform: world.accounts.get(media.accountId)!.platform,
    product: media.product,
    mediaType: media.mediaType,
    caption: media.caption,
    pictureUrl: world.absolute(media.picture),
    permalink: permalink(world, media),
    createdAt: media.createdAt,
    likeCount: media.likeCount,
    commentsCount: media.commentIds.filter((id) => !world.comments.get(id)!.deleted).length,
    closed: closed(world, media),
  };
}

export function commentView(world: World, comment: Comment): CommentView {
  const account = world.accounts.get(comment.accountId)!;
  const person = comment.personId === null ? account : world.people.get(comment.personId)!;
  return {
    commentId: comment.id,
    mediaId: comment.mediaId,
    accountId: comment.accountId,
    personId: comment.personId,
    username: person.username,
    name: person.name,
    text: comment.text,
    createdAt: comment.createdAt,
    parentId: comment.parentId,
    hidden: comment.hidden,
    deleted: comment.deleted,
    likeCount: comment.likeCount,
    live: world.media.get(comment.mediaId)?.product === 'LIVE',
    privatelyReplied: comment.privateReplyId !== null,
    viaApi: comment.viaApi,
    picture: world.absolute(person.picture),
    replies: comment.replyIds
      .map((id) => world.comments.get(id)!)
      .filter((reply) => !reply.deleted)
      .map((reply) => commentView(world, reply)),
  };
}

export function messageView(message: Message): MessageView {
  return {
    messageId: message.id,
    from: message.from,
    at: message.at,
    message: message.message,
    text: textOf(message.message),
    buttons: buttonsOf(message.message),
    privateReply: message.privateReply,
    commentId: message.commentId,
    storyId: message.storyId,
    viaApi: message.viaApi,
    deleted: message.deleted,
    seenAt: message.seenAt,
    reaction: message.reaction,
  };
}

export function threadView(world: World, contact: Contact): ThreadView {
  const account = world.accounts.get(contact.accountId)!;
  const messages = contact.messageIds.map((id) => world.messages.get(id)!);
  const openUntil = contact.windowFrom + DAY_MS;
  return {
    accountId: account.id,
    platform: account.platform,
    accountName: account.name,
    accountUsername: account.username,
    accountPicture: world.absolute(account.picture),
    personId: contact.personId,
    scopedId: contact.scopedId,
    conversationId: contact.conversationId,
    folder: contact.folder,
    unread: messages.filter((message) => message.from === 'account' && message.seenAt === null).length,
    windowOpenUntil: contact.windowFrom > 0 && openUntil > world.now() ? openUntil : null,
    updatedAt: contact.updatedAt,
    messages: messages.map(messageView),
  };
}
