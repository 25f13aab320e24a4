import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok, type Route } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import { parseFields } from '../graph/fields.ts';
import { page } from '../graph/pages.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Comment, Media, Token } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { mayTouch, noSuchObject, requireScope, requireToken } from '../tokens/tokens.ts';
import { commentUpdates } from '../webhooks/updates.ts';
import { shownComments, writeComment } from './comments.ts';
import { DEFAULT_COMMENT_FIELDS, DEFAULT_PAGE_COMMENT_FIELDS, renderComment } from './node.ts';

const MAX_PAGE = 50; // [D] comments per page on Instagram
const MAX_PAGE_FACEBOOK = 100; // [R]
const MAX_PUBLIC_REPLY_FACEBOOK = 8000; // [R]

export function commentRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  const describe = (call: GraphCall) => describeComment(platform, call);
  const list: Route = { operation: 'comment_list', describe, handle: (call) => listComments(platform, call) };
  const replyToPageComment: Route = { operation: 'comment_reply', describe, handle: (call) => reply(platform, call) };
  const commentOnMedia: Route = {
    operation: 'comment_reply',
    describe,
    handle: (call) => commentAsAccount(platform, call),
  };
  const pageReplies: Route = { operation: 'reply_list', describe, handle: (call) => listReplies(platform, call) };
  const whenComment = (route: Route) => (_flavour: string, node: string) =>
    world.comments.has(node) ? route : undefined;
  return {
    'GET */comments': (_flavour, node) => (world.comments.has(node) ? pageReplies : list),
    'POST */comments': (_flavour, node) => (world.comments.has(node) ? replyToPageComment : commentOnMedia),
    'GET */replies': { operation: 'reply_list', describe, handle: (call) => listReplies(platform, call) },
    'POST */replies': { operation: 'comment_reply', describe, handle: (call) => reply(platform, call) },
    'POST */likes': {
      operation: 'comment_like',
      describe: (call) => describeLike(platform, call),
      handle: (call) => like(platform, call),
    },
    'GET */': whenComment({ operation: 'comment_read', describe, handle: (call) => read(platform, call) }),
    'POST */': whenComment({ operation: 'comment_hide', describe, handle: (call) => hide(platform, call) }),
    'DELETE */': whenComment({ operation: 'comment_delete', describe, handle: (call) => remove(platform, call) }),
  };
}

function describeComment({ world }: MetaPlatform, call: GraphCall): void {
  const comment = world.comments.get(call.node);
  const media = comment ? undefined : world.media.get(call.node);
  if (comment) {
    call.commentId = comment.id;
    call.personId = comment.personId;
  }
  call.account = world.accounts.get(comment?.accountId ?? media?.accountId ?? '') ?? null;
  call.text = call.method === 'POST' ? (call.parameter('message') ?? null) : null;
}

/** The living comment of a call and the account that owns its medium. @throws GraphError 100/33 */
function ownComment(
  { world }: MetaPlatform,
  call: GraphCall,
  token: Token,
  id = call.node,
): { comment: Comment; account: Account; media: Media } {
  const comment = world.comments.get(id);
  const account = comment && world.accounts.get(comment.accountId);
  const media = comment && world.media.get(comment.mediaId);
  if (!comment || !account || !media || comment.deleted || media.deleted || !mayTouch(world, token, account))
    throw noSuchObject(call);
  return { comment, account, media };
}

function read(platform: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(platform.world, call);
  const { comment, account, media } = ownComment(platform, call, token);
  requireScope(token, ...readScopes(account));
  // Live comments can be read only during the broadcast [D].
  if (media.product === 'LIVE' && media.endedAt !== null) throw noSuchObject(call);
  platform.rates.take(account, 'platform');
  const fields = call.parameter('fields');
  return ok(renderComment(platform, token, account, comment, fields ? parseFields(fields) : defaults(account)));
}

function listComments(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const token = requireToken(world, call);
  const media = world.media.get(call.node);
  const account = media && world.accounts.get(media.accountId);
  if (!media || !account || media.deleted || !mayTouch(world, token, account)) throw noSuchObject(call);
  requireScope(token, ...readScopes(account));
  platform.rates.take(account, 'platform');
  if (media.product === 'LIVE' && media.endedAt !== null) return ok({ data: [] });
  if (hidesComments(world)) return ok({ data: [] });
  const all = shownComments(world, media.commentIds);
  // Instagram: top level only, newest first in practice [C]. Pages: `filter=stream` adds replies, oldest first unless asked [C].
  const flat = account.platform === 'facebook' && call.parameter('filter') === 'stream';
  const shown = flat ? all : all.filter((comment) => comment.parentId === null);
  const ordered =
    account.platform === 'facebook' && call.parameter('order') !== 'reverse_chronological' ? shown.reverse() : shown;
  return ok(renderPage(platform, call, token, account, ordered));
}

/** Polling may answer empty lists to apps without App Review [C]. */
function hidesComments({ app, settings }: World): boolean {
  return app.access === 'standard' && settings.switches.commentsWithoutReview === 'none';
}

function listReplies(platform: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(platform.world, call);
  const { comment, account } = ownComment(platform, call, token);
  requireScope(token, ...readScopes(account));
  platform.rates.take(account, 'platform');
  if (hidesComments(platform.world)) return ok({ data: [] });
  return ok(renderPage(platform, call, token, account, shownComments(platform.world, comment.replyIds).reverse()));
}

function renderPage(
  platform: MetaPlatform,
  call: GraphCall,
  token: Token,
  account: Account,
  comments: readonly Comment[],
) {
  const fields = call.parameter('fields');
  const wanted = fields ? parseFields(fields) : defaults(account);
  return page(
    call,
    comments,
    (comment) => comment.id,
    (comment) => renderComment(platform, token, account, comment, wanted),
    {
      self: platform.world.url + call.path,
      defaultLimit: 25,
      maxLimit: account.platform === 'instagram' ? MAX_PAGE : MAX_PAGE_FACEBOOK,
    },
  );
}

/** A public reply. It comes back as a comment webhook from the account itself: the loop risk. */
function reply(platform: MetaPlatform, call: GraphCall): Answer {
  const { world, rates, webhooks } = platform;
  const token = requireToken(world, call);
  const { comment, account, media } = ownComment(platform, call, token);
  requireScope(token, ...writeScopes(account));
  const message = replyText(platform, call, account);
  if (account.platform === 'instagram') {
    // Only to top-level comments, not to hidden ones, not on a live [N, D/R].
    if (comment.parentId !== null)
      throw new GraphError(100, undefined, { message: '(#100) Only top-level comments can be replied to' });
    if (comment.hidden)
      throw new GraphError(100, undefined, { message: '(#100) A hidden comment cannot be replied to' });
    if (media.product === 'LIVE')
      throw new GraphError(100, undefined, { message: '(#100) Comments on a live video cannot be replied to' });
  }
  rates.take(account, 'platform');
  const written = writeComment(world, account, media, {
    personId: null,
    text: message,
    parentId: comment.parentId ?? comment.id,
    viaApi: true,
  });
  call.delivered = true;
  call.messageId = written.id;
  webhooks.push(commentUpdates(world, account, media, written));
  return ok({ id: written.id });
}

/** A comment of the account under its own post. */
function commentAsAccount(platform: MetaPlatform, call: GraphCall): Answer {
  const { world, rates, webhooks } = platform;
  const token = requireToken(world, call);
  const media = world.media.get(call.node);
  const account = media && world.accounts.get(media.accountId);
  if (!media || !account || media.deleted || !mayTouch(world, token, account)) throw noSuchObject(call);
  requireScope(token, ...writeScopes(account));
  const message = replyText(platform, call, account);
  rates.take(account, 'platform');
  const written = writeComment(world, account, media, { personId: null, text: message, viaApi: true });
  call.delivered = true;
  call.messageId = written.id;
  webhooks.push(commentUpdates(world, account, media, written));
  return ok({ id: written.id });
}

function replyText({ world }: MetaPlatform, call: GraphCall, account: Account): string {
  const message = call.parameter('message');
  if (message === undefined || message.trim() === '')
    throw new GraphError(100, undefined, { message: '(#100) The parameter message is required' });
  const most =
    account.platform === 'instagram' ? world.settings.limits.publicReplyMaxCharacters : MAX_PUBLIC_REPLY_FACEBOOK;
  if ([...message].length > most)
    throw new GraphError(100, undefined, {
      message: `(#100) Length of param message must be less than or equal to ${most}`,
    });
  return message;
}

/** Instagram's docs put `hide` into the query string, Meta's own SDK into a JSON body [C]: both. Pages: `is_hidden`. */
function hide(platform: MetaPlatform, call: GraphCall): Answer {
  const { world, webhooks } = platform;
  const token = requireToken(world, call);
  const { comment, account, media } = ownComment(platform, call, token);
  requireScope(token, ...writeScopes(account));
  if (account.platform === 'instagram') {
    const value = call.parameter('hide');
    if (value !== 'true' && value !== 'false')
      throw new GraphError(100, undefined, { message: '(#100) The parameter hide is required' });
    comment.hidden = value === 'true';
  } else {
    const message = call.parameter('message');
    const hidden = call.parameter('is_hidden');
    if (message !== undefined) comment.text = message;
    if (hidden !== undefined) comment.hidden = hidden === 'true';
    webhooks.push(
      commentUpdates(
        world,
        account,
        media,
        comment,
        hidden === undefined ? 'edited' : hidden === 'true' ? 'hide' : 'unhide',
      ),
    );
  }
  world.changed({ type: 'comment_changed', accountId: account.id, mediaId: media.id, commentId: comment.id });
  return ok({ success: true });
}

/** Only the owner of the medium may delete [D]; their token is what `ownComment` has checked. */
function remove(platform: MetaPlatform, call: GraphCall): Answer {
  const { world, webhooks } = platform;
  const token = requireToken(world, call);
  const { comment, account, media } = ownComment(platform, call, token);
  requireScope(token, ...writeScopes(account));
  comment.deleted = true;
  webhooks.push(commentUpdates(world, account, media, comment, 'remove'));
  world.changed({ type: 'comment_changed', accountId: account.id, mediaId: media.id, commentId: comment.id });
  return ok({ success: true });
}

function describeLike({ world }: MetaPlatform, call: GraphCall): void {
  call.commentId = call.parameter('comment_id') ?? call.node;
  call.account = world.accounts.get(world.comments.get(call.commentId)?.accountId ?? '') ?? null;
}

/** `POST /{ig-user}/likes?comment_id=` (since 2026-04-22 [D]) and `POST /{page-comment}/likes` [R]. */
function like(platform: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(platform.world, call);
  const { comment, account, media } = ownComment(platform, call, token, call.commentId!);
  // [?] Which permission an Instagram-Login token needs is not stated; the comment permission is taken.
  requireScope(
    token,
    ...(account.platform === 'instagram'
      ? ['instagram_manage_engagement', 'instagram_business_manage_comments']
      : ['pages_manage_engagement']),
  );
  comment.likeCount += 1;
  platform.world.changed({ type: 'comment_changed', accountId: account.id, mediaId: media.id, commentId: comment.id });
  return ok({ success: true });
}

function readScopes(account: Account): string[] {
  return account.platform === 'instagram'
    ? ['instagram_business_basic', 'instagram_basic', 'instagram_manage_comments']
    : ['pages_read_engagement', 'pages_read_user_content'];
}
function writeScopes(account: Account): string[] {
  return account.platform === 'instagram'
    ? ['instagram_business_manage_comments', 'instagram_manage_comments']
    : ['pages_manage_engagement'];
}
function defaults(account: Account) {
  return account.platform === 'instagram' ? DEFAULT_COMMENT_FIELDS : DEFAULT_PAGE_COMMENT_FIELDS;
}
