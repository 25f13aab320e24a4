import type { CommentInput } from '../control/types.ts';
import type { Account, Comment, Media } from '../state/records.ts';
import type { World } from '../state/world.ts';

/** Writes a comment or reply under a medium. Who may is the caller's business. */
export function writeComment(
  world: World,
  account: Account,
  media: Media,
  input: Pick<Comment, 'personId' | 'text'> & Partial<Pick<Comment, 'parentId' | 'adId' | 'viaApi' | 'createdAt'>>,
): Comment {
  const comment: Comment = {
    id: account.platform === 'instagram' ? world.ids.comment() : world.ids.pageComment(media.id),
    mediaId: media.id,
    accountId: account.id,
    personId: input.personId,
    text: input.text,
    createdAt: input.createdAt ?? world.now(),
    parentId: input.parentId ?? null,
    adId: input.adId ?? null,
    hidden: false,
    deleted: false,
    likeCount: 0,
    viaApi: input.viaApi ?? false,
    replyIds: [],
    privateReplyId: null,
  };
  world.comments.set(comment.id, comment);
  media.commentIds.push(comment.id);
  if (comment.parentId !== null) world.comments.get(comment.parentId)!.replyIds.push(comment.id);
  if (comment.personId !== null) world.contact(comment.personId, account);
  world.changed({
    type: 'comment',
    accountId: account.id,
    mediaId: media.id,
    commentId: comment.id,
    ...(comment.personId === null ? {} : { personId: comment.personId }),
  });
  return comment;
}

/** A reply to a reply hangs under the top comment, as in the apps. */
export function topParentId(world: World, input: CommentInput): string | null {
  if (input.parentId === undefined) return null;
  return world.comments.get(input.parentId)?.parentId ?? input.parentId;
}

/** Comments in lists: not deleted; newest first. */
export function shownComments(world: World, ids: readonly string[]): Comment[] {
  const shown: Comment[] = [];
  for (let index = ids.length - 1; index >= 0; index -= 1) {
    const comment = world.comments.get(ids[index]!)!;
    if (!comment.deleted) shown.push(comment);
  }
  return shown;
}
