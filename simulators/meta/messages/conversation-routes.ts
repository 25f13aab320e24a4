import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import { type Field, isoTime, parseFields, project } from '../graph/fields.ts';
import { page } from '../graph/pages.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Contact, Message } from '../state/records.ts';
import { DAY_MS } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { mayTouch, noSuchObject, requireScope, requireToken } from '../tokens/tokens.ts';
import { addressOfStory } from '../webhooks/updates.ts';
import { messagingScopes } from './senders.ts';
import { textOf } from './shapes.ts';

const DETAILED_MESSAGES = 20; // [D/C] older ones answer as deleted
const REQUEST_IDLE_MS = 30 * DAY_MS; // [D/C] then a request vanishes

export function conversationRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  return {
    'GET */conversations': {
      operation: 'conversation_list',
      describe: (call) => {
        const node = call.node === 'me' ? world.tokens.get(call.tokenValue() ?? '')?.subjectId : call.node;
        const own = world.accounts.get(node ?? '') ?? null;
        const viaPage = own?.platform === 'facebook' && call.parameter('platform') === 'instagram';
        call.account = viaPage ? (world.accounts.get(own.linkedId ?? '') ?? null) : own;
      },
      handle: (call) => list(platform, call),
    },
    'GET */': (_flavour, node) => {
      if (world.contactsByConversation.has(node)) {
        return {
          operation: 'conversation_read',
          describe: (call) => describeContact(world, call, world.contactsByConversation.get(node)),
          handle: (call) => read(platform, call),
        };
      }
      if (world.messages.has(node)) {
        const message = world.messages.get(node)!;
        return {
          operation: 'message_read',
          describe: (call) => describeContact(world, call, world.contactOf(message.personId, message.accountId)),
          handle: (call) => readMessage(platform, call),
        };
      }
      return undefined;
    },
  };
}

function describeContact(world: World, call: GraphCall, contact: Contact | undefined): void {
  if (!contact) return;
  call.account = world.accounts.get(contact.accountId) ?? null;
  call.personId = contact.personId;
  call.recipientId = contact.scopedId;
}

function requireAccount(platform: MetaPlatform, call: GraphCall): Account {
  const token = requireToken(platform.world, call);
  const account = call.account;
  if (!account || !mayTouch(platform.world, token, account)) throw noSuchObject(call);
  requireScope(token, ...messagingScopes(token, account));
  platform.rates.take(account, 'conversations');
  return account;
}

function list(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const account = requireAccount(platform, call);
  const userId = call.parameter('user_id');
  const contacts = (
    userId === undefined ? [...world.contactsOfAccount(account.id)] : [world.contactsByScopedId.get(userId)]
  )
    .filter((contact) => contact !== undefined)
    .filter((contact) => contact.accountId === account.id && contact.messageIds.length > 0 && !vanished(world, contact))
    .sort((one, other) => other.updatedAt - one.updatedAt);
  const fields = parseFields(call.parameter('fields') ?? 'id,updated_time');
  return ok(
    page(
      call,
      contacts,
      (contact) => contact.conversationId,
      (contact) => renderConversation(world, account, contact, fields),
      {
        self: world.url + call.path,
        defaultLimit: 25,
        maxLimit: 100,
      },
    ),
  );
}

function vanished(world: World, contact: Contact): boolean {
  return contact.folder === 'requests' && world.now() - contact.updatedAt >= REQUEST_IDLE_MS;
}

function read(platform: MetaPlatform, call: GraphCall): Answer {
  const account = requireAccount(platform, call);
  const contact = platform.world.contactsByConversation.get(call.node)!;
  if (vanished(platform.world, contact)) throw noSuchObject(call);
  return ok(
    renderConversation(platform.world, account, contact, parseFields(call.parameter('fields') ?? 'id,updated_time')),
  );
}

function readMessage(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const account = requireAccount(platform, call);
  const message = world.messages.get(call.node)!;
  const contact = world.contactOf(message.personId, message.accountId)!;
  if (message.deleted || !contact.messageIds.slice(-DETAILED_MESSAGES).includes(message.id))
    throw new GraphError(9000001);
  return ok(
    renderMessage(world, account, contact, message, parseFields(call.parameter('fields') ?? 'id,created_time')),
  );
}

function renderConversation(
  world: World,
  account: Account,
  contact: Contact,
  fields: readonly Field[],
): Record<string, unknown> {
  return project(
    'Conversation',
    {
      id: () => contact.conversationId,
      updated_time: () => isoTime(contact.updatedAt),
      participants: () => ({ data: [partOfAccount(account), partOfPerson(world, account, contact)] }),
      messages: (field) => {
        const limit = Math.min(Number(field.arguments.limit ?? DETAILED_MESSAGES), DETAILED_MESSAGES);
        const newest = contact.messageIds.slice(-limit).reverse();
        const shown = newest.map((id) => world.messages.get(id)!).filter((message) => !message.deleted);
        const wanted = field.children ?? parseFields('id,created_time');
        return { data: shown.map((message) => renderMessage(world, account, contact, message, wanted)) };
      },
    },
    fields,
  );
}

/** A tap appears as plain text equal to the button's title [C]; the sent template shows no text of its own here [R]. */
function renderMessage(
  world: World,
  account: Account,
  contact: Contact,
  message: Message,
  fields: readonly Field[],
): Record<string, unknown> {
  const fromAccount = message.from === 'account';
  const person = partOfPerson(world, account, contact);
  return project(
    'Message',
    {
      id: () => message.id,
      created_time: () => isoTime(message.at),
      from: () => (fromAccount ? partOfAccount(account) : person),
      to: () => ({ data: [fromAccount ? person : partOfAccount(account)] }),
      message: () => textOf(message.message),
      story: () => {
        if (message.storyId === null) return undefined;
        const story = { id: message.storyId, link: addressOfStory(world, message) };
        return message.message.attachments === undefined ? { reply_to: story } : { mention: story };
      },
      is_unsupported: () => undefined,
      attachments: () => {
        const attachments =
          message.message.attachments ?? (message.message.attachment ? [message.message.attachment] : undefined);
        return Array.isArray(attachments) ? { data: attachments.map(attachmentOf) } : undefined;
      },
      reactions: () => (message.reaction === null ? undefined : { data: [{ reaction: message.reaction }] }),
    },
    fields,
  );
}

/** Read, an attachment says what it is by its parts; in a webhook by its `type` [R]. */
function attachmentOf({ type, payload }: { type: string; payload?: { url?: string } }, index: number) {
  const url = payload?.url;
  const id = String(index + 1);
  if (type === 'image' || type === 'video') return { id, mime_type: `${type}/*`, [`${type}_data`]: { url } };
  if (type === 'audio' || type === 'file') {
    return { id, mime_type: type === 'audio' ? 'audio/mpeg' : 'application/pdf', file_url: url };
  }
  return { id, generic_template: payload ?? {} };
}

function partOfAccount(account: Account) {
  return account.platform === 'instagram'
    ? { username: account.username, id: account.id }
    : { name: account.name, id: account.id };
}
function partOfPerson(world: World, account: Account, contact: Contact) {
  const person = world.people.get(contact.personId)!;
  return account.platform === 'instagram'
    ? { username: person.username, id: contact.scopedId }
    : { name: person.name, id: contact.scopedId };
}
