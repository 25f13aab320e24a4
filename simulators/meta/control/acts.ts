import { topParentId, writeComment } from '../comments/comments.ts';
import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import { openWindow, storeMessage } from '../messages/conversation.ts';
import { replyPrivately, requireRepliable } from '../messages/private-reply.ts';
import { buttonsOf } from '../messages/shapes.ts';
import { closed, storyAddress } from '../state/media.ts';
import type { Account, Comment, Contact, Message, Update } from '../state/records.ts';
import { commentUpdates, eventUpdates, messageUpdates, updatesFor } from '../webhooks/updates.ts';
import { found, Refusal } from './refusal.ts';
import { seedPost } from './seeds.ts';
import type { CommentInput, DirectMessageInput, MessageAttachment, TapInput, TapResult } from './types.ts';

/** Acts of followers and the owner in the apps, with the webhooks that follow from it. */
export class Acts {
  readonly #platform: MetaPlatform;

  constructor(platform: MetaPlatform) {
    this.#platform = platform;
  }

  comment(input: CommentInput): Comment {
    const { world, webhooks } = this.#platform;
    const media = found(world.media.get(input.mediaId), 'post', input.mediaId);
    const account = world.accounts.get(media.accountId)!;
    if (media.deleted || media.commentsDisabled || closed(world, media))
      throw new Refusal(409, `Nobody can comment on post ${media.id} now`);
    const personId =
      input.personId === 'owner' ? null : found(world.people.get(input.personId), 'person', input.personId).id;
    if (input.parentId !== undefined) found(world.comments.get(input.parentId), 'comment', input.parentId);
    const comment = writeComment(world, account, media, {
      personId,
      text: input.text,
      parentId: topParentId(world, input),
      adId: input.adId ?? null,
      ...(input.createdAt === undefined ? {} : { createdAt: input.createdAt }),
    });
    if (input.notify !== false) {
      const updates = commentUpdates(world, account, media, comment);
      webhooks.push(updates);
      // A boosted post can notify one comment twice, the second time as the original's [D].
      if (comment.adId !== null) webhooks.push(commentUpdates(world, account, media, { ...comment, adId: null }));
    }
    return comment;
  }

  editComment(commentId: string, patch: { text?: string; hidden?: boolean }): Comment {
    const { world, webhooks } = this.#platform;
    const comment = found(world.comments.get(commentId), 'comment', commentId);
    const account = world.accounts.get(comment.accountId)!;
    const media = world.media.get(comment.mediaId)!;
    if (patch.text !== undefined) comment.text = patch.text;
    if (patch.hidden !== undefined) comment.hidden = patch.hidden;
    webhooks.push(
      commentUpdates(
        world,
        account,
        media,
        comment,
        patch.hidden === undefined ? 'edited' : patch.hidden ? 'hide' : 'unhide',
      ),
    );
    world.changed({ type: 'comment_changed', accountId: account.id, mediaId: media.id, commentId });
    return comment;
  }

  deleteComment(commentId: string): void {
    const { world, webhooks } = this.#platform;
    const comment = found(world.comments.get(commentId), 'comment', commentId);
    comment.deleted = true;
    webhooks.push(
      commentUpdates(
        world,
        world.accounts.get(comment.accountId)!,
        world.media.get(comment.mediaId)!,
        comment,
        'remove',
      ),
    );
    world.changed({ type: 'comment_changed', accountId: comment.accountId, mediaId: comment.mediaId, commentId });
  }

  directMessage(input: DirectMessageInput): Message {
    const { account, contact } = this.#contact(input.accountId, input.personId);
    const message: Record<string, unknown> = {};
    if (input.text !== undefined) message.text = input.text;
    if (input.quickReplyPayload !== undefined) message.quick_reply = { payload: input.quickReplyPayload };
    if (input.replyToMessageId !== undefined) message.reply_to = { mid: input.replyToMessageId };
    if (input.attachments?.some((one) => one.type === 'unsupported')) message.is_unsupported = true;
    else if (input.attachments?.length) message.attachments = input.attachments.map((one) => this.#attachment(one));
    if (Object.keys(message).length === 0) throw new Refusal(400, 'A message needs text or attachments');
    return this.#inbound(account, contact, message);
  }

  storyReply(input: { storyId: string; personId: string; text: string }): Message {
    const { world } = this.#platform;
    const story = found(world.media.get(input.storyId), 'story', input.storyId);
    if (story.product !== 'STORY' || story.deleted || closed(world, story))
      throw new Refusal(409, `${story.id} is not a story that can be seen now`);
    const { account, contact } = this.#contact(story.accountId, input.personId);
    return this.#inbound(account, contact, { text: input.text }, story.id);
  }

  storyMention(input: { accountId: string; personId: string; picture?: string }): Message {
    const { world, webhooks } = this.#platform;
    const { account, contact } = this.#contact(input.accountId, input.personId);
    const storyId = world.ids.media();
    const picture = input.picture ?? `/pictures/story-${storyId}.jpg`;
    const url = storyAddress(world, { id: storyId, picture, createdAt: world.now() });
    const stored = storeMessage(world, account, contact, {
      from: 'person',
      message: { attachments: [{ type: 'story_mention', payload: { url } }] },
    });
    if (world.settings.switches.storyMentionOpensWindow) openWindow(world, contact);
    webhooks.push(messageUpdates(world, account, contact, stored));
    // Only a read of the message tells the story's id [D]; the webhook does not carry it.
    stored.storyId = storyId;
    return stored;
  }

  /** Somebody mentions the account in a comment on a post of their own. Ids only; folded away with Instagram Login. */
  mention(input: { accountId: string; personId: string; text?: string }): {
    mediaId: string;
    commentId: string | null;
  } {
    const { world, webhooks } = this.#platform;
    const { account, contact } = this.#contact(input.accountId, input.personId);
    const media = seedPost(world, { accountId: account.id, product: 'AD', caption: '' });
    const comment =
      input.text === undefined
        ? null
        : writeComment(world, account, media, { personId: contact.personId, text: input.text });
    const item = { media_id: media.id, ...(comment ? { comment_id: comment.id } : {}) };
    webhooks.push(
      updatesFor(world, account, 'changes', comment?.id ?? media.id, (flavour) =>
        flavour === 'facebook' ? { field: 'mentions', item } : null,
      ),
    );
    return { mediaId: media.id, commentId: comment?.id ?? null };
  }

  tap(input: TapInput): TapResult {
    const { world, webhooks } = this.#platform;
    const message = found(world.messages.get(input.messageId), 'message', input.messageId);
    if (message.personId !== input.personId || message.from !== 'account' || message.deleted)
      throw new Refusal(409, 'That message has nothing to tap for this person');
    const buttons = buttonsOf(message.message);
    const button = found(
      typeof input.button === 'number'
        ? buttons[input.button]
        : buttons.find((one) => one.payload === input.button || one.title === input.button),
      'button',
      String(input.button),
    );
    if (button.kind === 'web_url') return { kind: 'web_url', url: button.url! };
    const { account, contact } = this.#contact(message.accountId, input.personId);
    const payload = button.payload ?? '';
    if (button.kind === 'quick_reply') {
      this.#inbound(account, contact, { text: button.title, quick_reply: { payload } }, null, message.privateReply);
      return { kind: 'quick_reply', payload };
    }
    // The tap shows in the conversation as text equal to the title [C], but is notified as a postback only.
    const stored = storeMessage(world, account, contact, { from: 'person', message: { text: button.title } });
    this.#open(contact, message.privateReply);
    webhooks.push(
      eventUpdates(world, account, contact, 'messaging_postbacks', stored.id, {
        postback: { mid: stored.id, title: button.title, payload },
      }),
    );
    return { kind: 'postback', payload };
  }

  read(input: { accountId: string; personId: string }): void {
    const { world, webhooks } = this.#platform;
    const { account, contact } = this.#contact(input.accountId, input.personId);
    let last: Message | undefined;
    for (const id of contact.messageIds) {
      const message = world.messages.get(id)!;
      if (message.from !== 'account' || message.seenAt !== null) continue;
      message.seenAt = world.now();
      last = message;
    }
    if (!last) return;
    const instagram = account.platform === 'instagram';
    const part = instagram ? { read: { mid: last.id } } : { read: { watermark: last.at } }; // [D] / [R]
    webhooks.push(eventUpdates(world, account, contact, instagram ? 'messaging_seen' : 'message_reads', last.id, part));
    world.changed({ type: 'message_changed', accountId: account.id, personId: contact.personId });
  }

  /** `reaction: null` takes it back. Does not open the window [R]. */
  react(input: { messageId: string; personId: string; reaction: string | null }): void {
    const { world, webhooks } = this.#platform;
    const message = found(world.messages.get(input.messageId), 'message', input.messageId);
    const { account, contact } = this.#contact(message.accountId, input.personId);
    message.reaction = input.reaction;
    const reaction =
      input.reaction === null
        ? { mid: message.id, action: 'unreact' }
        : { mid: message.id, action: 'react', reaction: input.reaction, emoji: '\u2764\ufe0f' };
    webhooks.push(eventUpdates(world, account, contact, 'message_reactions', message.id, { reaction }));
    world.changed({
      type: 'message_changed',
      accountId: account.id,
      personId: contact.personId,
      messageId: message.id,
    });
  }

  /** Meta bars a Page from sending, or no longer does: an event without a sender [D]. */
  enforcePolicy(input: { accountId: string; action: 'block' | 'unblock'; reason?: string }): void {
    const { world, webhooks } = this.#platform;
    const account = found(world.accounts.get(input.accountId), 'account', input.accountId);
    if (account.platform !== 'facebook') throw new Refusal(409, 'Meta enforces its policies on Pages');
    const { action, reason } = input;
    account.policyBlocked = action === 'block';
    const item = {
      recipient: { id: account.id },
      timestamp: world.now(),
      policy_enforcement: { action, ...(reason !== undefined && { reason }) },
    };
    webhooks.push(
      updatesFor(world, account, 'messaging', null, () => ({ field: 'messaging_policy_enforcement', item })),
    );
  }

  unsend(messageId: string): void {
    const { world, webhooks } = this.#platform;
    const { message, account, contact } = this.#own(messageId);
    message.deleted = true;
    webhooks.push(
      eventUpdates(world, account, contact, 'messages', message.id, { message: { mid: message.id, is_deleted: true } }),
    );
    world.changed({ type: 'message_changed', accountId: account.id, personId: contact.personId, messageId });
  }

  editMessage(messageId: string, text: string): void {
    const { world, webhooks } = this.#platform;
    const { message, account, contact } = this.#own(messageId);
    message.message = { ...message.message, text };
    message.edits += 1;
    const part = { message_edit: { mid: message.id, text, num_edit: String(message.edits) } };
    webhooks.push(eventUpdates(world, account, contact, 'message_edit', message.id, part));
    world.changed({ type: 'message_changed', accountId: account.id, personId: contact.personId, messageId });
  }

  /** Typed by the owner in the app: an echo, and no window. */
  ownerMessage(input: { accountId: string; personId: string; text: string }): Message {
    const { world, webhooks } = this.#platform;
    const { account, contact } = this.#contact(input.accountId, input.personId);
    const stored = storeMessage(world, account, contact, { from: 'account', message: { text: input.text } });
    webhooks.push(messageUpdates(world, account, contact, stored));
    return stored;
  }

  ownerPrivateReply(input: { commentId: string; text: string }): Message {
    const { world, webhooks } = this.#platform;
    const comment = found(world.comments.get(input.commentId), 'comment', input.commentId);
    const account = world.accounts.get(comment.accountId)!;
    try {
      const contact = requireRepliable(this.#platform, account, comment);
      const stored = replyPrivately(this.#platform, account, contact, comment, { text: input.text }, false);
      webhooks.push(messageUpdates(world, account, contact, stored));
      return stored;
    } catch (error) {
      if (error instanceof GraphError) throw new Refusal(409, error.message);
      throw error;
    }
  }

  /** The update of a comment as one login would get it, whatever is subscribed. */
  commentUpdate(commentId: string, flavour: 'instagram' | 'facebook'): Update {
    const { world } = this.#platform;
    const comment = found(world.comments.get(commentId), 'comment', commentId);
    const account = world.accounts.get(comment.accountId)!;
    const media = world.media.get(comment.mediaId)!;
    const page = account.platform === 'instagram' ? world.accounts.get(account.linkedId ?? '') : account;
    const kept = { instagram: account.instagramLoginFields, page: page?.pageFields ?? null, mode: world.app.mode };
    // Built by the one place that builds updates, with the subscriptions it asks for granted for the moment.
    account.instagramLoginFields = flavour === 'instagram' ? ['comments'] : null;
    if (page) page.pageFields = flavour === 'facebook' ? ['feed'] : null;
    world.app.mode = 'live';
    const update = commentUpdates(world, account, media, comment)[0];
    account.instagramLoginFields = kept.instagram;
    if (page) page.pageFields = kept.page;
    world.app.mode = kept.mode;
    if (!update) throw new Refusal(409, `Comment ${commentId} has no webhook for ${flavour} login`);
    return update;
  }

  #inbound(
    account: Account,
    contact: Contact,
    message: Record<string, unknown>,
    storyId: string | null = null,
    inPrivateReply = false,
  ): Message {
    const { world, webhooks } = this.#platform;
    const stored = storeMessage(world, account, contact, { from: 'person', message, storyId });
    this.#open(contact, inPrivateReply);
    webhooks.push(messageUpdates(world, account, contact, stored));
    return stored;
  }

  /** [?] Whether a tap inside a private reply opens the window is disputed: a switch. */
  #open(contact: Contact, inPrivateReply: boolean): void {
    const { world } = this.#platform;
    if (!inPrivateReply || world.settings.switches.tapInPrivateReplyOpensWindow) openWindow(world, contact);
  }

  #contact(accountId: string, personId: string): { account: Account; contact: Contact } {
    const { world } = this.#platform;
    const account = found(world.accounts.get(accountId), 'account', accountId);
    const person = found(world.people.get(personId), 'person', personId);
    return { account, contact: world.contact(person.id, account) };
  }

  #own(messageId: string): { message: Message; account: Account; contact: Contact } {
    const message = found(this.#platform.world.messages.get(messageId), 'message', messageId);
    if (message.from !== 'person' || message.deleted) throw new Refusal(409, 'Only a message of the person themselves');
    return { message, ...this.#contact(message.accountId, message.personId) };
  }

  #attachment(attachment: Exclude<MessageAttachment, never>): Record<string, unknown> {
    const { world } = this.#platform;
    switch (attachment.type) {
      case 'ephemeral':
      case 'unsupported':
        return { type: attachment.type };
      case 'ig_post': {
        const media = found(world.media.get(attachment.mediaId), 'post', attachment.mediaId);
        return {
          type: 'ig_post',
          payload: { ig_post_media_id: media.id, title: media.caption, url: world.absolute(media.picture) },
        };
      }
      case 'ig_reel': {
        const media = found(world.media.get(attachment.mediaId), 'post', attachment.mediaId);
        return {
          type: 'ig_reel',
          payload: { reel_video_id: media.id, title: media.caption, url: world.absolute(media.picture) },
        };
      }
      default:
        return { type: attachment.type, payload: { url: world.absolute(attachment.url) } };
    }
  }
}
