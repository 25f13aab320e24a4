import type { Answer, GraphCall } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Comment, Contact, Message, Token } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import { requireScope } from '../tokens/tokens.ts';
import { messageUpdates } from '../webhooks/updates.ts';
import { storeMessage } from './conversation.ts';
import { actsFor, requireMayMessage } from './senders.ts';
import { checkMessage } from './shapes.ts';

const PRIVATE_REPLY_MS = 7 * DAY_MS; // [D]

/** One message per comment, ever, within 7 days of it, or while the live is on; whoever sends it, also the owner by hand [D]. */
export function privateReply(platform: MetaPlatform, call: GraphCall, token: Token, sender: Account): Answer {
  const { world, rates, webhooks } = platform;
  const comment = world.comments.get(call.commentId!);
  if (!comment && world.settings.switches.acceptUnknownComments) return replyToUnknown(platform, call, sender);
  const account = comment && actsFor(platform, sender, comment.accountId);
  if (!comment || !account) throw invalidComment(sender);
  call.account = account;
  requireScope(token, ...privateReplyScopes(token, account));
  requireMayMessage(account);

  const asked = call.object('message');
  if (!asked) throw new GraphError(100, undefined, { message: '(#100) The parameter message is required' });
  const { message } = checkMessage(asked, account.platform, true, world.settings.switches);
  const live = world.media.get(comment.mediaId)?.product === 'LIVE';
  rates.take(account, live ? 'live_replies' : 'private_replies');
  const contact = requireRepliable(platform, account, comment);
  if (contact.blocked) throw new GraphError(551);

  const stored = replyPrivately(platform, account, contact, comment, message, true);
  call.recipientId = contact.scopedId;
  call.messageId = stored.id;
  call.delivered = true;
  webhooks.push(messageUpdates(world, account, contact, stored));
  return { status: 200, body: `{"recipient_id":"${contact.scopedId}","message_id":"${stored.id}"}` };
}

/** @throws GraphError when the comment cannot have a private reply (any more) */
export function requireRepliable({ world }: MetaPlatform, account: Account, comment: Comment): Contact {
  const media = world.media.get(comment.mediaId);
  if (comment.deleted || !media || media.deleted) throw invalidComment(account);
  if (comment.privateReplyId !== null)
    throw account.platform === 'instagram' ? invalidComment(account) : new GraphError(10900);
  const tooLate =
    media.product === 'LIVE' ? media.endedAt !== null : world.now() - comment.createdAt >= PRIVATE_REPLY_MS;
  // [C] 10903 is what clients saw on Pages; its exact conditions are not documented.
  if (tooLate || comment.personId === null)
    throw account.platform === 'instagram' ? invalidComment(account) : new GraphError(10903);
  return world.contact(comment.personId, account);
}

/** The delivery itself: uses up the comment. */
export function replyPrivately(
  { world }: MetaPlatform,
  account: Account,
  contact: Contact,
  comment: Comment,
  message: Record<string, unknown>,
  viaApi: boolean,
): Message {
  const stored = storeMessage(world, account, contact, {
    from: 'account',
    message,
    privateReply: true,
    commentId: comment.id,
    viaApi,
  });
  comment.privateReplyId = stored.id;
  return stored;
}

/**
 * Benchmarks feed comment webhooks of their own: any id is taken, once. Nothing is stored beyond that. Its writer has the
 * comment's id with 43 before it instead of 18, in the conversation too.
 */
function replyToUnknown({ world, rates }: MetaPlatform, call: GraphCall, sender: Account): Answer {
  const commentId = call.commentId!;
  const asked = call.object('message');
  if (!asked) throw new GraphError(100, undefined, { message: '(#100) The parameter message is required' });
  checkMessage(asked, sender.platform, true, world.settings.switches);
  rates.take(sender, 'private_replies');
  if (world.foreignComments.has(commentId)) throw invalidComment(sender);
  const recipientId = `43${commentId.slice(2)}`;
  world.foreignComments.set(commentId, recipientId);
  call.recipientId = recipientId;
  call.delivered = true;
  call.messageId = world.ids.instagramMessage(sender.id);
  return { status: 200, body: `{"recipient_id":"${recipientId}","message_id":"${call.messageId}"}` };
}

/** [C] Instagram says 2534025 for used, deleted, too old, own and unknown alike; Pages say that the object is not there. */
function invalidComment(account: Account): GraphError {
  return account.platform === 'instagram' ? new GraphError(100, 2534025) : new GraphError(100, 33);
}

/** The documentation's two pages differ for Instagram through a Page; what either of them asks is enough here [?]. */
function privateReplyScopes(token: Token, account: Account): string[] {
  if (token.kind === 'INSTAGRAM_BUSINESS_USER')
    return ['instagram_business_manage_comments', 'instagram_business_manage_messages'];
  return account.platform === 'instagram'
    ? ['instagram_manage_comments', 'instagram_manage_messages']
    : ['pages_messaging'];
}
