/**
 * "I never got the link": what most likely happened, and what Meta's rules allow now. One private reply per comment,
 * within seven days; messages only within 24 hours after she wrote (reference 3.2, 3.4).
 */
import type { Reason } from '#contract/outcomes.ts';
import { MESSAGE_WINDOW_MS, PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import { inWords, remedyOf, saysOf } from './wording.ts';

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
  /** Why automations keep quiet for her, if they do. */
  person: { stopped: boolean; blocked: boolean; takenOver: boolean };
  /** What the automations that are on for this post listen to. */
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
  if (interaction.reason === 'own_comment') return { likely, action: 'nothing', advice: 'Nothing is to be done.' };
  if (input.person.blocked) {
    return {
      likely,
      action: 'nothing',
      advice: 'You blocked her here. Unblock her, and automations answer her again.',
    };
  }
  if (input.person.stopped) {
    return {
      likely: input.deliveries.some(({ state }) => state === 'sent')
        ? likely
        : saysOf({ ...interaction, reason: 'stopped' }, now),
      action: 'nothing',
      advice:
        'She can write START to you; then ask her to comment your word again. You may also write to her yourself.',
    };
  }
  if (!input.hasMessage) return { likely, action: 'nothing', advice: adviceWithoutMessage(input) };
  if (connection === null || connection.disconnected || connection.requiresAuth) {
    return { likely, action: 'nothing', advice: 'Reconnect the account in Settings; then you can send it again.' };
  }
  if (canReplyPrivately(input, now)) {
    const left = interaction.occurredAt.getTime() + PRIVATE_REPLY_WINDOW_MS - now.getTime();
    return {
      likely,
      action: 'resend_private_reply',
      advice: `Sends it again as the private answer to her comment. Instagram allows that for seven days; the time ends ${inWords(left)}.`,
    };
  }
  if (isWindowOpen(input.lastWroteAt, now)) {
    const left = input.lastWroteAt!.getTime() + MESSAGE_WINDOW_MS - now.getTime();
    return {
      likely,
      action: 'send_message',
      advice: `Sends it into your chat. She wrote to you, so Instagram allows it; the time ends ${inWords(left)}.`,
    };
  }
  return { likely, action: 'ask_to_comment', advice: askAdvice(input) };
}

/**
 * Only when no earlier answer can have reached her: there is one per comment, and a second one would be refused or,
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
  if (sent.clickedAt !== null) return 'She opened the message and tapped the link.';
  if (sent.readAt !== null) return 'She opened the message and did not tap the link.';
  if (lastWroteAt !== null) {
    return 'The message was sent and not opened yet. It is in your chat, at the time when it was sent.';
  }
  return 'The message was sent and not opened yet. If she does not follow you, it is most likely in her Message requests.';
}

function waitAdvice(reason: Reason): string {
  return remedyOf(reason) ?? 'It goes out by itself; you need not do anything.';
}

function adviceWithoutMessage({ interaction: { reason }, words }: HelpInput): string {
  switch (reason) {
    case 'no_match':
      return words.length === 0
        ? 'Add the word she used to your automation, and ask her to comment again.'
        : `Your words here: ${words.join(', ')}. Ask her to comment with one of them, or add hers to your automation.`;
    case 'taken_over':
      return 'You have this chat. Answer her yourself, or hand back to let automations answer her.';
    case 'no_automation':
      return 'Make an automation for this post, and ask her to comment again.';
    case 'excluded_word':
      return 'Take the word off your excluded words if it should be answered, and ask her to comment again.';
    case 'nothing_to_match':
      return 'Ask her to comment with your word.';
    default:
      return remedyOf(reason) ?? 'Answer her in the Instagram app.';
  }
}

function askAdvice({ deliveries, interaction }: HelpInput): string {
  if (deliveries.some(({ state }) => state === 'sent')) {
    return 'Ask her to look into her Message requests, or to comment your word once more: a new comment may be answered again.';
  }
  return remedyOf(interaction.reason) ?? 'Ask her to comment your word once more: a new comment may be answered again.';
}
