/** Decides what becomes of a comment. Pure: all facts are passed in. */
import type { Reason } from '#contract/outcomes.ts';
import { TEST_LASTS_MINUTES } from '#contract/posts.ts';
import type { CommentEvent } from '#server/platforms/meta/events.ts';
import { LIVE_REPLY_WINDOW_MS, PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import { answeredLately, answerTo, silencedBecause, waitsBecause } from './answers.ts';
import type { Choice } from './choice.ts';
import type { EngineConnection } from './connections.ts';
import { type DecidingContext, type Decision, newInteraction } from './decision.ts';
import type { EngineAutomation } from './listening-automations.ts';
import { publicReplyTo } from './public-replies.ts';

/** Of the post that the creator wants answered first: before all comments, after what a person sends by hand. */
export const FIRST_POST_PRIORITY = 5;

/** Before the end of a test, which the open tab moves ahead: a comment may be on its way to us meanwhile, for a minute. */
const TESTED_FROM_MS = (TEST_LASTS_MINUTES + 1) * 60_000;

/** @param choice what the matching said; null where it was not asked, for own comments */
export function decideComment(
  event: CommentEvent,
  receivedAt: Date,
  connection: EngineConnection,
  choice: Choice<EngineAutomation> | null,
  context: DecidingContext,
): Decision {
  const skip = (reason: Reason): Decision => ({
    interaction: newInteraction(event, receivedAt, connection, context, reason),
    delivery: null,
  });
  const live = event.kind === 'live_comment';
  if (connection.addonOff) return skip('facebook_addon_off');
  if (event.own || choice === null) return skip('own_comment');
  if (choice.automation === null) {
    return skip(live && choice.reason === 'no_automation' ? 'live_comment' : choice.reason);
  }

  const { automation } = choice;
  const matched = { automation_id: automation.id, matched_words: choice.matchedWords };
  const skipMatched = (reason: Reason): Decision => {
    const skipped = skip(reason);
    return { ...skipped, interaction: { ...skipped.interaction, ...matched } };
  };
  if (connection.beingDeleted) return skipMatched('being_deleted');
  if (cameBefore(automation, event)) return skipMatched('before_it_was_on');
  const expiresAt = new Date(event.at.getTime() + (live ? LIVE_REPLY_WINDOW_MS : PRIVATE_REPLY_WINDOW_MS));
  if (expiresAt <= context.now) return skipMatched(live ? 'live_over' : 'too_old');
  const standing = context.standingOf(connection, event.personId);
  const silenced = silencedBecause(standing, context.now);
  if (silenced !== null) return skipMatched(silenced);
  const lately = answeredLately(automation, event.personId, context);
  if (lately !== null && !isTested(connection, event, context.now)) return skipMatched(lately);
  if (connection.overPlan) return skipMatched('plan_limit');

  const lane = live ? 'live_replies' : 'private_replies';
  const turn = context.turnOf(connection, lane);
  const interaction = {
    ...newInteraction(event, receivedAt, connection, context, waitsBecause(connection, turn)),
    ...matched,
    is_test: lately !== null,
    waiting_until: connection.paused || connection.queuePaused ? null : turn,
  };
  const answer = answerTo(interaction, connection, choice, standing, context, {
    kind: 'private_reply',
    lane,
    recipient: event.platformId,
    expiresAt,
    username: event.username,
  });
  const publicReply = live ? null : publicReplyTo(event, choice, interaction, context);
  if (publicReply !== null) answer.delivery.content = { ...answer.delivery.content, publicReply };
  if (event.postId !== null && event.postId === connection.firstPostId) answer.delivery.priority = FIRST_POST_PRIORITY;
  return answer;
}

/**
 * The creator tries it out right now: only what was answered already keeps nobody from another answer.
 *
 * Messages to somebody beyond their first one are a test, in no figure, and their time until the next answer runs on as if
 * it had not been. The first message is never one: nothing tells the creator's second account from a stranger who comments
 * meanwhile, and a test that is counted once harms less than a follower who is left out of figures and gets the link twice.
 * Late comments (webhooks that Meta repeats, comments found by reading) were not written while somebody looked.
 */
function isTested({ tested }: EngineConnection, { postId, at }: CommentEvent, now: Date): boolean {
  const until = postId === null ? undefined : tested.get(postId);
  return until !== undefined && now < until && at.getTime() >= until.getTime() - TESTED_FROM_MS;
}

/**
 * A comment that we find ourselves may be from long ago: "on" answers what comes from then on. On a post that a prepared
 * automation was attached to, nothing from before is answered, however we learn of it. Meta's times have no fractions.
 */
function cameBefore(automation: EngineAutomation, event: CommentEvent): boolean {
  if (event.catchUp === true) return false;
  const isBefore = (since: Date) => event.at.getTime() + 1000 <= since.getTime();
  const attachedAt = event.postId === null ? undefined : automation.attachedAt.get(event.postId);
  if (attachedAt !== undefined && isBefore(attachedAt)) return true;
  return event.found === true && isBefore(automation.switchedOnAt);
}
