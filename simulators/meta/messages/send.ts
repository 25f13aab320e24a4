import type { Answer, GraphCall, Route } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Contact, Token } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import { noSuchObject, requireScope, requireToken } from '../tokens/tokens.ts';
import { messageUpdates } from '../webhooks/updates.ts';
import { storeMessage } from './conversation.ts';
import { privateReply } from './private-reply.ts';
import { actsFor, messagingScopes, requireMayMessage } from './senders.ts';
import { checkMessage, textOf } from './shapes.ts';

const SENDER_ACTIONS = new Set(['typing_on', 'typing_off', 'mark_seen', 'react', 'unreact']);
const HUMAN_AGENT_MS = 7 * DAY_MS; // [D]

/** `POST /{id|me}/messages`: sender actions, private replies, and messages to an open conversation. */
export function sendRoute(platform: MetaPlatform): Route {
  return {
    operation: 'message',
    describe: (call) => describe(platform, call),
    handle: (call) => handle(platform, call),
  };
}

/** Who is addressed, from the raw request; also finds the account by the recipient, since a Page acts for its Instagram account too. */
function describe({ world }: MetaPlatform, call: GraphCall): void {
  const recipient = call.object('recipient');
  if (call.parameter('sender_action') !== undefined) call.operation = 'sender_action';
  const token = world.tokens.get(call.tokenValue() ?? '');
  const node = call.node === 'me' ? token?.subjectId : call.node;
  call.account = (node === undefined ? undefined : world.accounts.get(node)) ?? null;
  const message = call.object('message');
  if (message) call.text = textOf(message);
  if (!recipient) return;
  const commentId = recipient.comment_id ?? recipient.post_id;
  if (commentId !== undefined) {
    call.operation = 'private_reply';
    call.commentId = String(commentId);
    const comment = world.comments.get(call.commentId);
    if (comment) {
      call.personId = comment.personId;
      call.account = world.accounts.get(comment.accountId) ?? call.account;
    }
  } else if (recipient.id !== undefined) {
    call.recipientId = String(recipient.id);
    const contact = world.contactsByScopedId.get(call.recipientId);
    if (contact) {
      call.personId = contact.personId;
      call.account = world.accounts.get(contact.accountId) ?? call.account;
    }
  }
}

function handle(platform: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(platform.world, call);
  const sender = senderOf(platform, call, token);
  const recipient = call.object('recipient');
  if (!recipient) throw new GraphError(100, undefined, { message: '(#100) The parameter recipient is required' });
  if (call.operation === 'private_reply') return privateReply(platform, call, token, sender);
  return messageToContact(platform, call, token, sender);
}

/**
 * The asset that sends: the Instagram account of an Instagram token, the Page of a Page token.
 * Posting to the Instagram id on graph.facebook.com failed for a vendor while a page of Meta's prints it [?]: a switch.
 */
function senderOf({ world }: MetaPlatform, call: GraphCall, token: Token): Account {
  if (token.kind === 'FACEBOOK_BUSINESS_USER') {
    throw new GraphError(190, undefined, { message: '(#190) This method must be called with a Page Access Token' }); // [R]
  }
  const own = world.accounts.get(token.subjectId);
  if (!own) throw noSuchObject(call);
  if (call.node === 'me' || call.node === own.id) return own;
  const linked = own.platform === 'facebook' && call.node === own.linkedId;
  if (linked && world.settings.switches.instagramNodeOnGraphFacebook) return own;
  throw noSuchObject(call);
}

function messageToContact(platform: MetaPlatform, call: GraphCall, token: Token, sender: Account): Answer {
  const { world, rates, webhooks } = platform;
  const contact = call.recipientId === null ? undefined : world.contactsByScopedId.get(call.recipientId);
  const account = contact && actsFor(platform, sender, contact.accountId);
  // Scoped ids belong to one account: another account's id means nothing here.
  if (!contact || !account) throw new GraphError(100, sender.platform === 'instagram' ? 2534014 : 2018001);
  call.account = account;
  requireScope(token, ...messagingScopes(token, account));
  requireMayMessage(account);

  if (call.operation === 'sender_action') return senderAction(platform, call, account, contact);

  const asked = call.object('message');
  if (!asked) throw new GraphError(100, undefined, { message: '(#100) The parameter message is required' });
  const { message, media } = checkMessage(asked, account.platform, false, world.settings.switches);
  rates.take(account, media ? 'media' : 'text');
  requireWindow(platform, call, account, contact);
  if (contact.blocked) throw new GraphError(551);

  const stored = storeMessage(world, account, contact, {
    from: 'account',
    message: withMetadata(message, call),
    viaApi: true,
  });
  call.delivered = true;
  call.messageId = stored.id;
  webhooks.push(messageUpdates(world, account, contact, stored));
  return { status: 200, body: `{"recipient_id":"${contact.scopedId}","message_id":"${stored.id}"}` };
}

/** 24 hours from what the person did last; with the HUMAN_AGENT tag and feature 7 days. Other tags are gone since 2026-04-27 [N]. */
function requireWindow({ world }: MetaPlatform, call: GraphCall, account: Account, contact: Contact): void {
  const age = world.now() - contact.windowFrom;
  const tag = call.parameter('tag');
  if (tag !== undefined && tag !== 'HUMAN_AGENT')
    throw new GraphError(100, undefined, { message: `(#100) The tag ${tag} is not supported` });
  if (tag === 'HUMAN_AGENT' && !world.app.humanAgent)
    throw new GraphError(100, undefined, { message: '(#100) The Human Agent feature is not approved for this app' });
  const openMs = tag === 'HUMAN_AGENT' ? HUMAN_AGENT_MS : DAY_MS;
  if (contact.windowFrom === 0 || age >= openMs)
    throw new GraphError(10, account.platform === 'instagram' ? 2534022 : 2018278);
}

function senderAction({ world }: MetaPlatform, call: GraphCall, account: Account, contact: Contact): Answer {
  const action = call.parameter('sender_action')!;
  if (!SENDER_ACTIONS.has(action)) throw new GraphError(100, undefined, { message: '(#100) Invalid sender_action' });
  if (call.object('message'))
    throw new GraphError(100, undefined, { message: '(#100) A sender_action must be sent alone' });
  if (action === 'react' || action === 'unreact') {
    const payload = call.object('payload') ?? {};
    const target = world.messages.get(String(payload.message_id));
    if (!target || target.personId !== contact.personId || target.accountId !== account.id)
      throw new GraphError(100, undefined, { message: '(#100) Invalid message_id' });
    target.reaction = action === 'react' ? String(payload.reaction ?? 'love') : null;
    world.changed({ type: 'message_changed', accountId: account.id, personId: contact.personId, messageId: target.id });
  } else if (action === 'mark_seen') {
    for (const id of contact.messageIds) {
      const message = world.messages.get(id)!;
      if (message.from === 'person') message.seenAt ??= world.now();
    }
    world.changed({ type: 'message_changed', accountId: account.id, personId: contact.personId });
  }
  return { status: 200, body: `{"recipient_id":"${contact.scopedId}"}` };
}

/** `metadata` and `reply_to` travel beside the message and come back in the echo. */
function withMetadata(message: Record<string, unknown>, call: GraphCall): Record<string, unknown> {
  const replyTo = call.object('reply_to');
  return replyTo ? { ...message, reply_to: replyTo } : message;
}
