import type { Account, Contact, Message } from '../state/records.ts';
import type { World } from '../state/world.ts';

/** Puts a message into the conversation of account and person; no webhook, no rule. */
export function storeMessage(
  world: World,
  account: Account,
  contact: Contact,
  input: Pick<Message, 'from' | 'message'> &
    Partial<Pick<Message, 'privateReply' | 'commentId' | 'storyId' | 'viaApi'>>,
): Message {
  const now = world.now();
  const message: Message = {
    id: account.platform === 'instagram' ? world.ids.instagramMessage(account.id) : world.ids.messengerMessage(),
    accountId: account.id,
    personId: contact.personId,
    from: input.from,
    at: now,
    message: input.message,
    privateReply: input.privateReply ?? false,
    commentId: input.commentId ?? null,
    storyId: input.storyId ?? null,
    viaApi: input.viaApi ?? false,
    deleted: false,
    seenAt: null,
    reaction: null,
    edits: 0,
  };
  // First contact by a private reply lands in Requests unless they follow [D].
  if (contact.messageIds.length === 0 && input.from === 'account')
    contact.folder = contact.follows ? 'inbox' : 'requests';
  if (input.from === 'person') contact.folder = 'inbox';
  contact.messageIds.push(message.id);
  contact.updatedAt = now;
  world.messages.set(message.id, message);
  world.changed({ type: 'message', accountId: account.id, personId: contact.personId, messageId: message.id });
  return message;
}

/** The person did something that opens the 24-hour window and lets the account read their profile. */
export function openWindow(world: World, contact: Contact): void {
  contact.windowFrom = world.now();
  contact.consent = true;
}
