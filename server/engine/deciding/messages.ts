/** Decides what becomes of a message, a story reply or mention, a tap. Pure: all facts are passed in. */
import type { Reason } from '#contract/outcomes.ts';
import { windowAfter } from '#server/engine/conversations/conversation.ts';
import type { NewInteraction } from '#server/engine/outcomes/rows.ts';
import type { MessageEvent } from '#server/platforms/meta/events.ts';
import { answeredLately, answerTo, silencedBecause, waitsBecause } from './answers.ts';
import type { Choice } from './choice.ts';
import type { EngineConnection } from './connections.ts';
import { type DecidingContext, type Decision, type Effects, newInteraction, type Standing } from './decision.ts';
import type { EngineAutomation } from './listening-automations.ts';
import { continueConversation, findOpenConversation } from './open-conversations.ts';
import { stopOrStart } from './stop-words.ts';

/** Who mentions often is thanked once in so long. */
const THANKED_ONCE_IN_MS = 24 * 3_600_000;

/**
 * Messages, story replies, mentions and taps. In this order: what is none of ours, STOP and START, a tap on a button of a
 * conversation, the answer to a question of one, the automations.
 */
export function decideMessage(
  event: MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  context: DecidingContext,
): Decision {
  const decide = (reason: Reason, effects?: Effects): Decision => ({
    interaction: newInteraction(event, receivedAt, connection, context, reason),
    delivery: null,
    ...(effects !== undefined && { effects }),
  });
  if (event.self) return decide('self_test');
  if (event.standby) return decide('another_app');
  const standing = context.standingOf(connection, event.personId);
  const written = event.kind === 'direct_message' || event.kind === 'story_reply';
  if (written) {
    const word = stopOrStart(event.text);
    if (word === 'stop') return decide('stop_obeyed', { stopped: true });
    if (word === 'start' && standing.stopped) return decide('start_obeyed', { started: true });
  }
  if (connection.addonOff) return decide('facebook_addon_off');

  const open = findOpenConversation(event, connection, context);
  const continued = open === null ? null : continueConversation(event, receivedAt, connection, open, standing, context);
  if (continued !== null) return continued;
  if (event.kind === 'button_tap') return decide('button_tap');
  return answerByAutomation(event, receivedAt, connection, standing, context);
}

function answerByAutomation(
  event: MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  standing: Standing,
  context: DecidingContext,
): Decision {
  const skip = (reason: Reason, about: Partial<NewInteraction> = {}): Decision => ({
    interaction: { ...newInteraction(event, receivedAt, connection, context, reason), ...about },
    delivery: null,
  });
  const choice = chooseForMessage(event, connection, standing);
  if (choice.automation === null) {
    return skip(event.kind === 'direct_message' ? 'direct_message' : 'story_interaction');
  }
  const { automation } = choice;
  const matched = { automation_id: automation.id, matched_words: choice.matchedWords };
  if (connection.beingDeleted) return skip('being_deleted', matched);
  const expiresAt = windowAfter(event.at);
  if (expiresAt <= context.now) return skip('outside_window', matched);
  const mention = event.kind === 'story_mention';
  const silenced =
    silencedBecause(standing, context.now) ??
    (mention
      ? thankedLately(standing, context.now)
      : // Who writes for the first time in so long is answered, whatever came before.
        choice.how === 'any_comment'
        ? null
        : answeredLately(automation, event.personId, context));
  if (silenced !== null) return skip(silenced, matched);
  if (connection.overPlan) return skip('plan_limit', matched);

  const turn = context.turnOf(connection, 'messages');
  const interaction = {
    ...newInteraction(
      event,
      receivedAt,
      connection,
      context,
      waitsBecause({ ...connection, queuePaused: false }, turn),
    ),
    ...matched,
    waiting_until: connection.paused ? null : turn,
  };
  const answer = answerTo(interaction, connection, choice, standing, context, {
    kind: 'message',
    lane: 'messages',
    recipient: event.personId,
    expiresAt,
    username: standing.username,
  });
  if (!mention) return answer;
  if (answer.delivery.content.step === undefined) {
    answer.delivery.content = { ...answer.delivery.content, reasonWhenSent: 'thanked' };
  }
  return { ...answer, effects: { ...answer.effects, thanked: true } };
}

/**
 * "Any message" on direct messages means somebody's first one ever, or the first after they were silent for as long as the same
 * person is not answered again.
 */
function chooseForMessage(
  event: MessageEvent,
  connection: EngineConnection,
  standing: Standing,
): Choice<EngineAutomation> {
  if (event.kind === 'button_tap') return { automation: null, reason: 'no_automation' };
  const door = { trigger: event.kind, postId: event.storyId };
  const choice = connection.automations.choose(door, event.text);
  if (event.kind !== 'direct_message' || choice.automation === null || choice.how !== 'any_comment') return choice;
  const { repeatAfterMinutes } = choice.automation;
  const { lastWroteAt } = standing;
  const first =
    lastWroteAt === null ||
    (repeatAfterMinutes !== null && lastWroteAt.getTime() + repeatAfterMinutes * 60_000 <= event.at.getTime());
  return first ? choice : connection.automations.chooseByWords(door, event.text);
}

function thankedLately({ thankedAt }: Standing, now: Date): Reason | null {
  return thankedAt !== null && thankedAt.getTime() + THANKED_ONCE_IN_MS > now.getTime() ? 'thanked_lately' : null;
}
