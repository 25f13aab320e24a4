/**
 * "I never got the link": what most likely happened, and what Meta's rules allow now. One private reply per comment,
 * within seven days; messages only within 24 hours after they wrote (reference 3.2, 3.4).
 */
import type { Reason } from '#contract/outcomes.ts';
import { MESSAGE_WINDOW_MS, PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import { inWords, remedyOf, saysOf } from './reason-words.ts';

export type HelpInput = {
  interaction: {
    kind: string;
    outcome: string;
    reason: Reason;
    occurredAt: Date;
    waitingUntil: Date | null;
  };
  /** Private replies and messages, oldest first; public replies left out. */
  deliveries: {
    kind: 'private_reply' | 'message';
    state: string;
    uncertain: boolean;
    readAt: Date | null;
    clickedAt: Date | null;
    failureReason: Reason | null;
  }[];
  lastWroteAt: Date | null;
  connection: { username: string; disconnected: boolean; requiresAuth: boolean } | null;
  /** There is something to send: an earlier message, or the automation that matched. */
  hasMessage: boolean;
  /** Why automations keep quiet for them, if they do. */
  person: { stopped: boolean; blocked: boolean; takenOver: boolean };
  /** Keywords of the automations that are on for this post. */
  words: string[];
};

export type Help = {
  likely: string;
  action: 'resend_private_reply' | 'send_message' | 'wait' | 'ask_to_comment' | 'nothing';
  advice: string;
};

export function helpFor(input: HelpInput, now: Date): Help {
  const { interaction, connection } = input;
  if (interaction.outcome === 'waiting') {
    return { likely: saysOf(interaction, now), action: 'wait', advice: waitAdvice(interaction.reason) };
  }
  const likely = likelyReason(input, now);
  if (interaction.reason === 'own_comment') return { likely, action: 'nothing', advice: 'Nothing to do.' };
  if (input.person.blocked) {
    return {
      likely,
      action: 'nothing',
      advice: 'You blocked them in Creator HQ. Unblock them so automations reply again.',
    };
  }
  if (input.person.stopped) {
    return {
      likely: input.deliveries.some(({ state }) => state === 'sent')
        ? likely
        : saysOf({ ...interaction, reason: 'stopped' }, now),
      action: 'nothing',
      advice: 'They can DM you START, then comment your keyword again. You can also message them yourself.',
    };
  }
  if (!input.hasMessage) return { likely, action: 'nothing', advice: adviceWithoutMessage(input) };
  if (connection === null || connection.disconnected || connection.requiresAuth) {
    return { likely, action: 'nothing', advice: 'Reconnect the account in Settings, then send it again.' };
  }
  if (canReplyPrivately(input, now)) {
    const left = interaction.occurredAt.getTime() + PRIVATE_REPLY_WINDOW_MS - now.getTime();
    return {
      likely,
      action: 'resend_private_reply',
      advice: `Sends it again as a DM in reply to their comment. Instagram allows that for 7 days; time runs out ${inWords(left)}.`,
    };
  }
  if (isWindowOpen(input.lastWroteAt, now)) {
    const left = input.lastWroteAt!.getTime() + MESSAGE_WINDOW_MS - now.getTime();
    return {
      likely,
      action: 'send_message',
      advice: `Sends it as a DM. They wrote to you, so Instagram allows it; time runs out ${inWords(left)}.`,
    };
  }
  return { likely, action: 'ask_to_comment', advice: askAdvice(input) };
}

/**
 * Only when no earlier answer can have reached them: there is one per comment, and a second one would be refused or,
 * worse, arrive twice.
 */
export function canReplyPrivately({ interaction, deliveries }: HelpInput, now: Date): boolean {
  if (interaction.kind !== 'comment') return false;
  if (interaction.occurredAt.getTime() + PRIVATE_REPLY_WINDOW_MS <= now.getTime()) return false;
  if (COMMENT_IS_USED.has(interaction.reason)) return false;
  return deliveries
    .filter(({ kind }) => kind === 'private_reply')
    .every(({ state, uncertain }) => !uncertain && ['failed', 'expired', 'cancelled'].includes(state));
}

/** Meta said, of this very comment, that it takes no private answer. */
const COMMENT_IS_USED: ReadonlySet<Reason> = new Set([
  'comment_unavailable',
  'already_replied_elsewhere',
  'person_unavailable',
]);

export function isWindowOpen(lastWroteAt: Date | null, now: Date): boolean {
  return lastWroteAt !== null && lastWroteAt.getTime() + MESSAGE_WINDOW_MS > now.getTime();
}

function likelyReason({ interaction, deliveries, lastWroteAt }: HelpInput, now: Date): string {
  const sent = deliveries.findLast(({ state }) => state === 'sent');
  if (sent === undefined) return saysOf(interaction, now);
  if (sent.clickedAt !== null) return 'They opened the message and clicked the link.';
  if (sent.readAt !== null) return 'They opened the message but didn’t click the link.';
  if (lastWroteAt !== null) {
    return 'The message was sent but not opened yet. It’s in your chat, at the time it was sent.';
  }
  return 'The message was sent but not opened yet. If they don’t follow you, it’s probably in their message requests.';
}

function waitAdvice(reason: Reason): string {
  return remedyOf(reason) ?? 'It’ll be sent automatically. Nothing for you to do.';
}

function adviceWithoutMessage({ interaction: { reason }, words }: HelpInput): string {
  switch (reason) {
    case 'no_match':
      return words.length === 0
        ? 'Add the word they used to your automation, and ask them to comment again.'
        : `Your keywords here: ${words.join(', ')}. Ask them to comment one of them, or add theirs to your automation.`;
    case 'taken_over':
      return 'You’re handling this chat. Reply yourself, or resume automations.';
    case 'no_automation':
      return 'Create an automation for this post, and ask them to comment again.';
    case 'excluded_word':
      return 'If it should get a reply, remove the word from your excluded words and ask them to comment again.';
    case 'nothing_to_match':
      return 'Ask them to comment your keyword.';
    default:
      return remedyOf(reason) ?? 'Reply to them in the Instagram app.';
  }
}

function askAdvice({ deliveries, interaction }: HelpInput): string {
  if (deliveries.some(({ state }) => state === 'sent')) {
    return 'Ask them to check their message requests, or to comment your keyword again: a new comment can get a reply.';
  }
  return remedyOf(interaction.reason) ?? 'Ask them to comment your keyword again: a new comment can get a reply.';
}
