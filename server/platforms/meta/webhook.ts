/**
 * Meta's webhooks: is this really from Meta, and what does it tell? Shapes and their certainty: reference 2.4 to 2.6.
 *
 * One POST is `{object, entry: [...]}` with up to 1,000 updates. An entry has `changes[]` (comments, Page feed),
 * `messaging[]` (messages), `standby[]` (another app owns the thread), or, in Meta's Instagram-Login examples, `field`
 * and `value` in the entry itself. All four are read, for both platforms. This is the hot path: no schemas, one pass.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CommentEvent, MessageEvent, PlatformEvent } from './events.ts';
import { idOf, isObject, type JsonObject, parseMetaJson } from './json.ts';

/** The body is no webhook of Meta's: not JSON, or not an envelope. Nothing of it can be read, ever. */
export class NotAnEnvelope extends Error {
  override name = 'NotAnEnvelope';
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/**
 * Checks the `X-Hub-Signature-256` header against the raw bytes. Which of an operator's two secrets signs the webhooks
 * of accounts connected by Instagram Login is not settled [?], so all are tried.
 *
 * @param rawBody the bytes as received: a parsed and re-written body no longer fits its signature
 * @returns the index of the secret that matched, null when none did
 */
export function verifySignature(rawBody: Buffer, header: string | undefined, secrets: string[]): number | null {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  if (hex === undefined) return null;
  const given = Buffer.from(hex, 'hex');
  for (const [index, secret] of secrets.entries()) {
    const expected = createHmac('sha256', secret).update(rawBody).digest();
    if (timingSafeEqual(expected, given)) return index;
  }
  return null;
}

/**
 * Reads a verified webhook. Whatever is odd inside a readable envelope becomes an ignored event that says what it was.
 *
 * @param receivedAt stands in for the time of a comment whose entry has none; without it such a comment is ignored
 * @throws NotAnEnvelope when the body as a whole cannot be read
 */
export function readEnvelope(body: string, receivedAt?: Date): PlatformEvent[] {
  const events: PlatformEvent[] = [];
  let envelope: unknown;
  try {
    envelope = parseMetaJson(body);
  } catch (cause) {
    throw new NotAnEnvelope('The body is not JSON.', { cause });
  }
  // Some of Meta's samples wrap the envelope in an array.
  for (const part of Array.isArray(envelope) ? envelope : [envelope]) {
    if (!isObject(part) || typeof part.object !== 'string' || !Array.isArray(part.entry)) {
      throw new NotAnEnvelope('The body has no "object" and "entry".');
    }
    for (const entry of part.entry) readEntry(part.object, entry, receivedAt, events);
  }
  return events;
}

function readEntry(object: string, entry: unknown, receivedAt: Date | undefined, events: PlatformEvent[]): void {
  const accountId = isObject(entry) ? idOf(entry.id) : null;
  if (!isObject(entry) || accountId === null) {
    events.push(malformed(null, 'entry without an id'));
    return;
  }
  if (object !== 'instagram' && object !== 'page') {
    events.push(ignored(accountId, `object ${short(object)}`));
    return;
  }
  const account: Account = { platform: object === 'page' ? 'facebook' : 'instagram', accountId };
  const sentAt = instant(entry.time) ?? receivedAt ?? null;
  const before = events.length;
  if (Array.isArray(entry.changes)) {
    for (const change of entry.changes) readChanges(account, change, sentAt, events);
  }
  if (typeof entry.field === 'string') readChanges(account, entry, sentAt, events);
  if (Array.isArray(entry.messaging)) {
    for (const item of entry.messaging) events.push(readMessaging(account, item, sentAt));
  }
  if (Array.isArray(entry.standby)) {
    for (const item of entry.standby) events.push(onStandby(readMessaging(account, item, sentAt)));
  }
  if (events.length === before) events.push(ignored(accountId, 'entry without changes'));
}

type Account = { platform: 'instagram' | 'facebook'; accountId: string };

/** Some values come as arrays [D]. */
function readChanges(account: Account, change: unknown, sentAt: Date | null, events: PlatformEvent[]): void {
  const values = isObject(change) && Array.isArray(change.value) ? change.value : [undefined];
  for (const value of values) {
    events.push(readChange(account, value === undefined ? change : { ...(change as JsonObject), value }, sentAt));
  }
}

function readChange(account: Account, change: unknown, sentAt: Date | null): PlatformEvent {
  if (!isObject(change) || typeof change.field !== 'string' || !isObject(change.value)) {
    return malformed(account.accountId, 'malformed change');
  }
  const { field, value } = change;
  if (field === 'comments') return readInstagramComment(account, 'comment', value, sentAt);
  if (field === 'live_comments') return readInstagramComment(account, 'live_comment', value, sentAt);
  if (field === 'feed') return readFeed(account, value, sentAt);
  if (field === 'standby') return onStandby(readMessaging(account, value, sentAt));
  // Messages come this way too: the dashboard's test button and the flat shape of Meta's Instagram-Login examples.
  if (isObject(value.sender) || isObject(value.message_edit)) return readMessaging(account, value, sentAt);
  if (field === 'mentions' || field === 'mention') return ignored(account.accountId, 'mention');
  return ignored(account.accountId, `field ${short(field)}`);
}

/** Comments on posts, reels, ads and live videos. The value has no time of its own. */
function readInstagramComment(
  account: Account,
  kind: CommentEvent['kind'],
  value: JsonObject,
  sentAt: Date | null,
): PlatformEvent {
  // Instagram Login writes `id`, Facebook Login `comment_id` in the documentation, `id` in Meta's own sample app.
  const platformId = idOf(value.id) ?? idOf(value.comment_id);
  if (platformId === null) return malformed(account.accountId, 'comment without an id');
  const from = isObject(value.from) ? value.from : {};
  const username = textOrNull(from.username) ?? textOrNull(value.username);
  if (idOf(from.id) === null && username === null) return malformed(account.accountId, 'comment without a writer');
  const personId = idOf(from.id) ?? unknownWriterOf(platformId);
  if (sentAt === null) return malformed(account.accountId, 'comment without a time');
  const media = isObject(value.media) ? value.media : {};
  return {
    ...account,
    kind,
    platformId,
    // A comment under an ad belongs to the post that the ad boosts. `media_id` stands in payloads of public code [C].
    postId: idOf(media.original_media_id) ?? idOf(media.id) ?? idOf(value.media_id),
    parentId: idOf(value.parent_id),
    personId,
    username,
    text: textOrNull(value.text) ?? '',
    at: sentAt,
    // `from.self_ig_scoped_id` says nothing: samples and test events of strangers carry it too [C].
    own: personId === account.accountId,
  };
}

/**
 * Meta hides the writer when the app may not see them. The comment can be answered all the same, by its own id, and standing
 * for an unknown person by itself it never counts as somebody who was answered before.
 */
export function unknownWriterOf(commentId: string): string {
  return `comment:${commentId}`;
}

/** A Page's feed tells of everything: likes, shares, posts, and comments with what happened to them. */
function readFeed(account: Account, value: JsonObject, sentAt: Date | null): PlatformEvent {
  const item = short(textOrNull(value.item) ?? 'item');
  const verb = short(textOrNull(value.verb) ?? 'change');
  // The enum of verbs lists edit and delete beside edited and remove [R].
  const removed = verb === 'remove' || verb === 'delete';
  const isChange = removed || verb === 'edited' || verb === 'edit' || verb === 'hide';
  if (item !== 'comment' || (verb !== 'add' && !isChange)) return ignored(account.accountId, `feed ${item} ${verb}`);
  const platformId = idOf(value.comment_id) ?? idOf(value.id);
  if (platformId === null) return malformed(account.accountId, 'comment without an id');
  if (isChange) return { ...account, kind: 'comment_changed', platformId, removed };
  const at = instant(value.created_time) ?? sentAt;
  if (at === null) return malformed(account.accountId, 'comment without a time');
  const from = isObject(value.from) ? value.from : { id: value.sender_id, name: value.sender_name };
  const writer = idOf(from.id);
  const postId = idOf(value.post_id);
  const parentId = idOf(value.parent_id);
  return {
    ...account,
    kind: 'comment',
    platformId,
    postId,
    parentId: parentId === postId ? null : parentId,
    personId: writer ?? unknownWriterOf(platformId),
    username: textOrNull(from.name),
    text: textOrNull(value.message) ?? '',
    at,
    own: writer === account.accountId,
  };
}

function readMessaging(account: Account, item: unknown, sentAt: Date | null): PlatformEvent {
  if (!isObject(item)) return malformed(account.accountId, 'malformed message');
  // So come first messages to apps without Advanced Access, often without a sender [C, reference 9]. Whether edits of messages to
  // Pages are told, and in which field, is not known [?].
  const edit = isObject(item.message_edit) ? item.message_edit : {};
  const edited = textOrNull(edit.mid);
  if (edited !== null && idOf(edit.num_edit) === '0') {
    return { ...account, kind: 'unread_message', mid: edited, standby: false };
  }
  // Meta's page of 2022 writes the first, its older one and public clients the second. Whether it stops the Page's Instagram account,
  // too, is not known [?]: it is kept for the Page.
  const policy = item.policy_enforcement ?? item['policy-enforcement'];
  if (isObject(policy)) return readPolicy(account, policy, instant(item.timestamp) ?? sentAt);
  const sender = isObject(item.sender) ? idOf(item.sender.id) : null;
  // Some messages name none: they are the account's.
  const recipient = isObject(item.recipient) ? idOf(item.recipient.id) : account.accountId;
  const at = instant(item.timestamp) ?? sentAt;
  if (sender === null || recipient === null || at === null) return malformed(account.accountId, 'malformed message');

  if (isObject(item.message)) {
    const { message } = item;
    const mid = textOrNull(message.mid);
    if (mid === null) return malformed(account.accountId, 'message without an id');
    if (message.is_deleted === true) return { ...account, kind: 'unsent', mid, personId: sender, at };
    const text = textOrNull(message.text) ?? '';
    const plain = { payload: null, storyId: null, standby: false, self: false };
    if (message.is_self === true) {
      return { ...account, ...plain, kind: 'direct_message', platformId: mid, personId: sender, text, self: true, at };
    }
    // Some echoes were seen without their mark; what the account itself says never is a follower's message.
    if (message.is_echo === true || sender === account.accountId) {
      if (recipient === account.accountId) return malformed(account.accountId, 'echo without a recipient');
      const sentBy = { appId: idOf(message.app_id), metadata: textOrNull(message.metadata) };
      return { ...account, ...sentBy, kind: 'echo', mid, personId: recipient, text, at };
    }
    const tapped = isObject(message.quick_reply) ? textOrNull(message.quick_reply.payload) : null;
    const story =
      isObject(message.reply_to) && isObject(message.reply_to.story) ? idOf(message.reply_to.story.id) : null;
    const more = { ...plain, payload: tapped, storyId: story };
    return { ...account, ...more, kind: kindOf(message), platformId: mid, personId: sender, text, at };
  }
  if (isObject(item.postback)) {
    const { postback } = item;
    const payload = textOrNull(postback.payload) ?? '';
    return {
      ...account,
      kind: 'button_tap',
      // Older versions send a tap without a mid; the same tap sent twice has the same time.
      platformId: textOrNull(postback.mid) ?? `${sender}:${at.getTime()}:${payload}`,
      personId: sender,
      text: textOrNull(postback.title) ?? payload,
      payload: payload === '' ? null : payload,
      storyId: null,
      standby: false,
      self: postback.is_self === true || item.is_self === true || sender === account.accountId,
      at,
    };
  }
  // Instagram names the message that was read, Messenger the time up to which everything was (`watermark` [R]).
  if (isObject(item.read)) {
    const upTo = instant(item.read.watermark) ?? at;
    return { ...account, kind: 'read', personId: sender, mid: textOrNull(item.read.mid), at: upTo };
  }
  for (const [key, what] of IGNORED_MESSAGING) if (item[key] !== undefined) return ignored(account.accountId, what);
  return ignored(account.accountId, 'unknown message');
}

function readPolicy(account: Account, policy: JsonObject, at: Date | null): PlatformEvent {
  const { action, reason } = policy;
  if (action === 'warning') return ignored(account.accountId, 'policy warning');
  if (at === null || (action !== 'block' && action !== 'unblock'))
    return malformed(account.accountId, 'malformed policy');
  return { ...account, kind: 'policy', blocked: action === 'block', reason: textOrNull(reason), at };
}

const IGNORED_MESSAGING = [
  ['reaction', 'reaction'],
  ['message_edit', 'message edit'],
  ['delivery', 'delivery receipt'],
  ['referral', 'referral'],
  ['account_linking', 'account linking'],
  ['optin', 'opt-in'],
  ['pass_thread_control', 'thread handover'],
  ['take_thread_control', 'thread handover'],
  ['request_thread_control', 'thread handover'],
] as const;

/** Another app answers there: what the person wrote is kept for the record, anything else is none of ours. */
function onStandby(event: PlatformEvent): PlatformEvent {
  if ('standby' in event) return { ...event, standby: true };
  return event.kind === 'unsent' ? event : ignored(event.accountId, 'standby');
}

function kindOf(message: JsonObject): MessageEvent['kind'] {
  if (isObject(message.quick_reply)) return 'button_tap';
  if (isObject(message.reply_to) && message.reply_to.story !== undefined) return 'story_reply';
  const { attachments } = message;
  if (Array.isArray(attachments) && attachments.some((one) => isObject(one) && one.type === 'story_mention')) {
    return 'story_mention';
  }
  return 'direct_message';
}

function ignored(accountId: string | null, what: string): PlatformEvent {
  return { kind: 'ignored', accountId, what };
}

function malformed(accountId: string | null, what: string): PlatformEvent {
  return { kind: 'ignored', accountId, what, malformed: true };
}

/** Ignored events are counted by name: a name from outside must stay a name. */
function short(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : 'of an unknown name';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The year 5138 in seconds and 1973 in milliseconds: no time that matters is on the wrong side. */
const SECONDS_BELOW = 100_000_000_000;

/** Seconds for comments, milliseconds for messages, seconds as text from the dashboard's test button. */
function instant(value: unknown): Date | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  const date = new Date(number < SECONDS_BELOW ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? null : date;
}
