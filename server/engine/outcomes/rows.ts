/** Rows of the engine's tables as its statements write and read them, and the words for its lanes. */
import type { OutcomeStatus, Reason } from '#contract/outcomes.ts';
import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';
import type { CalledOff } from '#server/engine/outcomes/calling-off.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';

/** Placeholder in deliveries and conversations for a person who was erased. */
export const ERASED = 'erased';

export type LaneKind = 'private_replies' | 'live_replies' | 'messages' | 'public_replies' | 'reads';

/** @property until ms since 1970 */
export type Closed = { until: number; reason: string | null };

/** The creator's hand on the queue of a connection (table queue_controls). */
export type QueueControl = { paused: boolean; slowedToPercent: number | null; slowedUntilMs: number };

/** A row of `interactions`. */
export type NewInteraction = {
  creator_id: string;
  id: string;
  connection_id: string;
  kind: CommentEvent['kind'] | MessageEvent['kind'];
  platform_id: string;
  post_id: string | null;
  parent_id: string | null;
  person_id: string;
  username: string | null;
  text: string;
  occurred_at: Date;
  received_at: Date;
  outcome: OutcomeStatus;
  reason: Reason;
  automation_id: string | null;
  matched_words: string[];
  waiting_until: Date | null;
  outcome_at: Date;
  found_by_reading: boolean;
  /** Answered again only because its post is being tested. */
  is_test: boolean;
};

/** A row of `deliveries`, queued. */
export type NewDelivery = {
  creator_id: string;
  id: string;
  connection_id: string;
  interaction_id: string;
  automation_id: string | null;
  conversation_id: string | null;
  /** Which wording they get; null where there is no choice. */
  variant: string | null;
  kind: 'private_reply' | 'message' | 'public_reply';
  lane: LaneKind;
  recipient: string;
  content: DeliveryContent;
  priority: number;
  due_at: Date;
  expires_at: Date;
  created_at: Date;
  /** When it would have gone out, were its link not broken. */
  held_from?: Date;
};

export type ClaimedDelivery = Omit<NewDelivery, 'content'> & {
  content: DeliveryContent;
  attempts: number;
  uncertain: boolean;
  /** Not to be sent any more; it only waits to be looked for. */
  called_off: CalledOff | null;
  /** Of the call before this one, whatever became of it; null when this is the first. */
  called_at: Date | null;
  /** With which others it became `sending`. */
  batch_id: string;
};

/** The result of a call, as it is written down. Null fields of the outcome leave the interaction as it is. */
export type Result = {
  creator_id: string;
  id: string;
  /** Which try it was: where another worker has taken over since, only that it was sent is believed. */
  attempts: number;
  interaction_id: string;
  state: 'queued' | 'sent' | 'failed' | 'expired' | 'cancelled';
  due_at: Date;
  uncertain: boolean;
  /** False gives the try back: Meta did not look at the call. */
  counts: boolean;
  finished_at: Date | null;
  platform_message_id: string | null;
  recipient_person_id: string | null;
  failure_reason: string | null;
  failure_detail: string | null;
  outcome: OutcomeStatus | null;
  reason: Reason | null;
  waiting_until: Date | null;
  outcome_at: Date;
  /** The person was not reached, so a new comment of theirs is no repetition. */
  forget_answered: boolean;
};
