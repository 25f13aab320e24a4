/** Followers' acts and their outcomes. */
import type { Interaction } from '#contract/interactions.ts';
import { storyPicturePath } from '#contract/stories.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { type DeliveryContent, linkMessage, planOf } from '#server/engine/deciding/message-plan.ts';
import { queueByHand } from '#server/engine/outcomes/by-hand.ts';
import { readCounts, sumOf } from '#server/engine/outcomes/counts.ts';
import { AppError, invariant } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { MESSAGE_WINDOW_MS, PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import { type HelpInput, helpFor } from './help.ts';
import type { InteractionFilter } from './interaction-filter.ts';
import * as queries from './queries.ts';
import { remedyOf, saysOf } from './reason-words.ts';
import { shownMessage } from './shown-message.ts';

type Deps = { clock: Clock; ids: Ids; baseUrl: string };

const PAGE_SIZE = 50;
/** A person waits for it: before everything that waits by itself. */
const RESEND_PRIORITY = 10;

export async function list(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  query: InteractionFilter & { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid'), limit: limit + 1 };
  const rows = (await isKnownEmpty(trx, creatorId, query)) ? [] : await queries.findPage(trx, creatorId, query, page);
  const { items, next } = pageFrom(rows, limit);
  const deliveries = Map.groupBy(
    await queries.findDeliveries(
      trx,
      creatorId,
      items.map((row) => row.id),
    ),
    (delivery) => delivery.interaction_id,
  );
  const now = deps.clock.now();
  return { items: items.map((row) => viewOf(row, deliveries.get(row.id) ?? [], now)), next };
}

/**
 * Whether nothing under the post came to this: the counters know, where one would look through a hundred thousand comments
 * of a viral post to find none. They count all that can be under a post.
 */
async function isKnownEmpty(
  trx: CreatorTransaction,
  creatorId: string,
  { postId, outcome }: InteractionFilter,
): Promise<boolean> {
  if (postId === undefined || outcome === undefined) return false;
  const counts = (await readCounts(trx, creatorId, 'post', [postId])).get(postId);
  const isSkipped = outcome === 'no_keyword' || outcome === 'not_sent';
  return sumOf(counts, ({ counted }) => counted === (isSkipped ? 'skipped' : outcome)) === 0;
}

/** These, in no order; those that are not there are left out. */
export async function listByIds(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  ids: string[],
): Promise<Interaction[]> {
  const rows = await queries.findByIds(trx, creatorId, ids);
  const deliveries = Map.groupBy(await queries.findDeliveries(trx, creatorId, ids), (one) => one.interaction_id);
  const now = deps.clock.now();
  return rows.map((row) => viewOf(row, deliveries.get(row.id) ?? [], now));
}

/** One interaction with every message sent and what you can do now. @throws AppError not_found */
export async function get(deps: { clock: Clock }, trx: CreatorTransaction, creatorId: string, id: string) {
  const now = deps.clock.now();
  const { row, deliveries, input } = await read(trx, creatorId, id, now);
  return {
    ...viewOf(row, deliveries, now),
    deliveries: deliveries.map((delivery) => ({
      id: delivery.id,
      kind: delivery.kind,
      state: delivery.state,
      ...shownMessage(delivery.content),
      dueAt: delivery.due_at.toISOString(),
      expiresAt: delivery.expires_at.toISOString(),
      sentAt: sentAtOf(delivery)?.toISOString() ?? null,
      readAt: delivery.read_at?.toISOString() ?? null,
      clickedAt: delivery.clicked_at?.toISOString() ?? null,
      failure:
        delivery.failure_reason === null
          ? null
          : saysOf({ outcome: delivery.state, reason: delivery.failure_reason, waitingUntil: null }, now),
    })),
    help: helpFor(input, now),
  };
}

/**
 * Sends it again in the one way that Meta's rules allow now. Asked for twice at once, it goes out once: the second
 * finds it waiting.
 *
 * @throws AppError not_found, not_possible_now, needs_reconnect
 */
export async function resend(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  userId: string,
): Promise<{ interaction: Interaction; connectionId: string }> {
  if (!(await queries.lock(trx, creatorId, id))) throw notFound();
  const now = deps.clock.now();
  const { row, deliveries, surroundings, input } = await read(trx, creatorId, id, now);
  const help = helpFor(input, now);
  if (surroundings.connection?.requiresAuth && help.action === 'nothing' && input.hasMessage) {
    throw new AppError('needs_reconnect', help.advice);
  }
  if (help.action !== 'resend_private_reply' && help.action !== 'send_message') {
    throw new AppError('not_possible_now', `${help.likely} ${help.advice}`);
  }

  const privately = help.action === 'resend_private_reply';
  const deliveryId = deps.ids.uuid(now);
  const [from, windowMs] = privately
    ? [row.occurred_at, PRIVATE_REPLY_WINDOW_MS]
    : [surroundings.lastWroteAt!, MESSAGE_WINDOW_MS];
  await queueByHand(trx, {
    creatorId,
    id: deliveryId,
    connectionId: row.connection_id,
    interactionId: id,
    automationId: row.automation_id,
    kind: privately ? 'private_reply' : 'message',
    recipient: privately ? row.platform_id : (surroundings.conversationPersonId ?? row.person_id),
    content: contentAgain(deps, row, surroundings, messagesOf(deliveries).at(-1), deliveryId),
    sentBy: userId,
    priority: RESEND_PRIORITY,
    now,
    expiresAt: new Date(from.getTime() + windowMs),
  });
  const again = await read(trx, creatorId, id, now);
  return { interaction: viewOf(again.row, again.deliveries, now), connectionId: row.connection_id };
}

/** The automation's current text in the wording and language that the person was to get: a wrong link may be fixed since. */
function contentAgain(
  { baseUrl }: Deps,
  row: queries.InteractionRow,
  { automation, name }: queries.Surroundings,
  earlier: queries.DeliveryRow | undefined,
  deliveryId: string,
): DeliveryContent {
  if (automation !== null) {
    const told = {
      username: row.username,
      word: row.matched_words[0] ?? null,
      language: earlier?.content.language ?? null,
    };
    const withoutSteps = { opening: null, followAsk: null, emailAsk: null, followUp: null };
    const plan = planOf({ ...automation, ...withoutSteps }, told, earlier?.variant ?? automation.variantWinner ?? 'a');
    const message = linkMessage(plan, { baseUrl, deliveryId, conversationId: null, name });
    return plan.language === null ? message : { ...message, language: plan.language };
  }
  invariant(earlier !== undefined, 'a resend without automation and without an earlier message');
  const { text, buttons, card } = earlier.content;
  return { text, buttons, ...(card !== undefined && { card }) };
}

async function read(trx: CreatorTransaction, creatorId: string, id: string, now: Date) {
  const row = await queries.findById(trx, creatorId, id);
  if (row === undefined) throw notFound();
  const deliveries = await queries.findDeliveries(trx, creatorId, [id]);
  const messages = messagesOf(deliveries);
  const conversationPersonId = messages.findLast((delivery) => delivery.recipient_person_id)?.recipient_person_id;
  const surroundings = await queries.findSurroundings(trx, creatorId, row, conversationPersonId ?? null, now);
  const input: HelpInput = {
    interaction: {
      kind: row.kind,
      outcome: row.outcome,
      reason: row.reason,
      occurredAt: row.occurred_at,
      waitingUntil: row.waiting_until,
    },
    deliveries: messages.map((delivery) => ({
      kind: delivery.kind as 'private_reply' | 'message',
      state: delivery.state,
      uncertain: delivery.uncertain,
      readAt: delivery.read_at,
      clickedAt: delivery.clicked_at,
      failureReason: delivery.failure_reason,
    })),
    lastWroteAt: surroundings.lastWroteAt,
    connection: surroundings.connection,
    hasMessage: messages.length > 0 || surroundings.automation !== null,
    person: surroundings.person,
    words: surroundings.words,
  };
  return { row, deliveries, surroundings, input };
}

function messagesOf(deliveries: queries.DeliveryRow[]): queries.DeliveryRow[] {
  return deliveries.filter((delivery) => delivery.kind !== 'public_reply');
}

function viewOf(row: queries.InteractionRow, deliveries: queries.DeliveryRow[], now: Date): Interaction {
  const messages = messagesOf(deliveries);
  const first = (at: (delivery: queries.DeliveryRow) => Date | null) =>
    messages
      .map(at)
      .find((time) => time !== null)
      ?.toISOString() ?? null;
  return {
    id: row.id,
    kind: row.kind,
    connectionId: row.connection_id,
    postId: row.post_id,
    postPictureUrl: row.has_story_picture ? storyPicturePath(row.creator_id, row.post_id!) : row.post_picture_url,
    personId: row.person_id,
    username: row.username ?? row.profile_username,
    text: row.text,
    occurredAt: row.occurred_at.toISOString(),
    receivedAt: row.received_at.toISOString(),
    outcome: row.outcome,
    reason: row.reason,
    says: saysOf({ outcome: row.outcome, reason: row.reason, waitingUntil: row.waiting_until }, now),
    remedy: remedyOf(row.reason),
    waitingUntil: row.waiting_until?.toISOString() ?? null,
    isTest: row.is_test,
    automationId: row.automation_id,
    automationName: row.automation_name,
    matchedWords: row.matched_words,
    sentAt: first(sentAtOf),
    readAt: first((delivery) => delivery.read_at),
    clickedAt: first((delivery) => delivery.clicked_at),
  };
}

function sentAtOf(delivery: queries.DeliveryRow): Date | null {
  return delivery.state === 'sent' ? (delivery.finished_at ?? delivery.called_at) : null;
}

function notFound(): AppError {
  return new AppError('not_found', 'We can’t find this in your activity.');
}
