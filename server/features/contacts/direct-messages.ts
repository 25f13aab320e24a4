/**
 * Writing to somebody by hand. Meta allows it for 24 hours after they wrote, for seven days as a person's own answer
 * where the app has the Human Agent permission, and once, privately, to a comment of the last seven days
 * (reference 3.2, 3.4).
 */
import type { WritingWindow } from '#contract/contacts.ts';
import { MAX_TEXT_BYTES, utf8Length } from '#contract/message-text.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';
import { queueByHand } from '#server/engine/outcomes/by-hand.ts';
import { AppError } from '#server/errors.ts';
import { HUMAN_AGENT_WINDOW_MS, MESSAGE_WINDOW_MS, PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import type { ContactKey } from './contact-id.ts';
import { type ContactRow, readRowOf } from './contact-rows.ts';
import { findHuman } from './human.ts';
import * as queries from './queries.ts';
import { takeOverAsChosen } from './taking-over.ts';

/** A person waits for it: before everything that waits by itself. */
const BY_HAND_PRIORITY = 20;

type Deps = { clock: Clock; config: { metaHumanAgent: boolean } };

export type WindowInput = {
  platform: 'instagram' | 'facebook';
  connection: 'works' | 'disconnected' | 'needs_reconnect';
  /** Meta allows this app the tag HUMAN_AGENT. */
  humanAgent: boolean;
  lastWroteAt: Date | null;
  /** Of the newest comment that may still get its one private reply. */
  commentedAt: Date | null;
};

export function windowFor(input: WindowInput, now: Date): WritingWindow {
  const name = input.platform === 'facebook' ? 'Facebook' : 'Instagram';
  if (input.connection !== 'works') {
    return closed(
      input.connection === 'disconnected'
        ? 'This account is disconnected, so nothing can be sent.'
        : 'Reconnect the account in Settings to send messages.',
    );
  }
  const open = (how: WritingWindow['how'], from: Date | null, lastsMs: number, says: string): WritingWindow | null => {
    if (from === null || from.getTime() + lastsMs <= now.getTime()) return null;
    return { how, until: new Date(from.getTime() + lastsMs).toISOString(), says };
  };
  return (
    open('chat', input.lastWroteAt, MESSAGE_WINDOW_MS, `They wrote to you, so ${name} lets you reply for 24 hours.`) ??
    (input.humanAgent
      ? open(
          'human_agent',
          input.lastWroteAt,
          HUMAN_AGENT_WINDOW_MS,
          `Their last message is older than 24 hours. ${name} still allows a personal reply for 7 days, but no promotions.`,
        )
      : null) ??
    open(
      'private_reply',
      input.commentedAt,
      PRIVATE_REPLY_WINDOW_MS,
      `${name} allows one DM in reply to their comment. You can send more once they write back.`,
    ) ??
    closed(`${name} lets you write again when they write to you.`)
  );
}

function closed(says: string): WritingWindow {
  return { how: 'closed', until: null, says };
}

/** Whether one may write to them, and by what. */
export async function readWindow(
  { clock, config }: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  row: ContactRow,
  ids: string[],
) {
  const now = clock.now();
  const lastWrote = await queries.findLastWrote(trx, creatorId, row.connection_id!, ids);
  const since = new Date(now.getTime() - PRIVATE_REPLY_WINDOW_MS);
  const comment = await queries.findCommentToAnswer(trx, creatorId, row.connection_id!, ids, since);
  const window = windowFor(
    {
      platform: row.platform!,
      connection:
        row.disconnected_at !== null ? 'disconnected' : row.requires_auth_at !== null ? 'needs_reconnect' : 'works',
      humanAgent: config.metaHumanAgent,
      lastWroteAt: lastWrote?.at ?? null,
      commentedAt: comment?.occurredAt ?? null,
    },
    now,
  );
  return { window, lastWrote, comment };
}

/**
 * Queues a message written by hand and takes the person over. The same key again is the same message.
 *
 * @throws AppError not_found, invalid_input, not_possible_now, needs_reconnect
 */
export async function answer(
  deps: Deps & { ids: { uuid(at: Date): string } },
  trx: CreatorTransaction,
  { creatorId, contactId, userId }: { creatorId: string; contactId: string; userId: string },
  { text, key: deliveryId }: { text: string; key: string },
): Promise<{ id: string; connectionId: string }> {
  checkText(text);
  const human = await findHuman(trx, creatorId, contactId, { lock: true });
  const [key] = human.people;
  if (key === undefined) throw new AppError('not_possible_now', 'No account of yours knows them.');
  if (await isQueued(trx, creatorId, deliveryId)) return { id: deliveryId, connectionId: key.connectionId };
  const row = await readRowOf(trx, human);
  const ids = await queries.findIdsOf(trx, creatorId, key);
  const { window, lastWrote, comment } = await readWindow(deps, trx, creatorId, row, ids);
  if (window.how === 'closed') {
    throw new AppError(row.requires_auth_at === null ? 'not_possible_now' : 'needs_reconnect', window.says);
  }
  const privately = window.how === 'private_reply';
  const interactionId = privately ? comment!.id : await findLatestMessage(trx, creatorId, key, ids);
  if (interactionId === null)
    throw new AppError('not_possible_now', 'We no longer have their message. Reply in the app.');
  const now = deps.clock.now();
  await queueByHand(trx, {
    creatorId,
    id: deliveryId,
    connectionId: key.connectionId,
    interactionId,
    automationId: null,
    kind: privately ? 'private_reply' : 'message',
    recipient: privately ? comment!.platformId : lastWrote!.personId,
    content: contentByHand(text, window.how),
    sentBy: userId,
    priority: BY_HAND_PRIORITY,
    now,
    expiresAt: new Date(window.until!),
  });
  await takeOverAsChosen(deps, trx, { creatorId, key, ids, userId });
  return { id: deliveryId, connectionId: key.connectionId };
}

function contentByHand(text: string, how: WritingWindow['how']): DeliveryContent {
  return {
    text,
    buttons: [],
    reasonWhenSent: 'answered_by_you',
    ...(how !== 'private_reply' && { byHand: true }),
    ...(how === 'human_agent' && { humanAgent: true }),
  };
}

function checkText(text: string): void {
  const bytes = utf8Length(text);
  if (bytes <= MAX_TEXT_BYTES && !text.includes('\0')) return;
  const message = text.includes('\0')
    ? 'The message has a character that can’t be sent.'
    : `This is ${bytes - MAX_TEXT_BYTES} characters too long. Instagram’s limit is ${MAX_TEXT_BYTES}, and emoji count as several.`;
  throw new AppError('invalid_input', message, { fields: [{ path: 'text', message }] });
}

async function isQueued(trx: CreatorTransaction, creatorId: string, deliveryId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Their latest message: a message by hand is its answer. */
async function findLatestMessage(
  trx: CreatorTransaction,
  creatorId: string,
  { connectionId }: ContactKey,
  ids: string[],
): Promise<string | null> {
  const row = await trx
    .selectFrom('interactions')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('connection_id', '=', connectionId)
    .where('person_id', 'in', ids)
    .where('kind', 'not in', ['comment', 'live_comment'])
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
