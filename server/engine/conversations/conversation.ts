/**
 * Conversations: a message that is a short sequence. This file is the whole state machine, pure: what happened goes in, the
 * new state and what is to be said come out. The table of states is docs/conversations.md.
 *
 *     opening ──tap──▶ follow ──follows──▶ email ──address──▶ delivered ──▶ ended
 *
 * A step that the automation does not have is left out. The message after a tap is only known when it is sent (Meta
 * tells whether the person follows at that moment, and the address may have been asked for elsewhere): the machine says `next`,
 * and `nextStep` turns it into a question or the link. While a message is on its way (`pending`) nothing else is said.
 */

import { MESSAGE_WINDOW_MS } from '#server/platforms/meta/windows.ts';

const HOUR_MS = 3_600_000;
/** An opening that nobody tapped for so long is forgotten. */
export const OPENING_LASTS_MS = 30 * 24 * HOUR_MS;
/** Less than Meta's own: the margin is for queues and clocks. */
export const AUTOMATIC_WINDOW_MS = MESSAGE_WINDOW_MS - 10 * 60_000;

export type ConversationState = 'opening' | 'follow' | 'email' | 'delivered' | 'ended';

export type Ended =
  | 'delivered'
  | 'follow_up_sent'
  | 'clicked'
  | 'no_tap'
  | 'no_follow'
  | 'no_answer'
  | 'stopped'
  | 'taken_over'
  | 'blocked'
  | 'unsent'
  /** The creator took it back. */
  | 'cancelled'
  | 'erased'
  | 'window_closed'
  | 'not_sent'
  /** Meta never said whether the link arrived: a second one would be one too many. */
  | 'not_sure';

/** Something that is said. */
export type Step =
  | 'opening'
  | 'follow_ask'
  | 'email_ask'
  | 'email_hint'
  | 'email_suggestion'
  | 'delivery'
  | 'follow_up';

/** Which steps the automation has. */
export type Sequence = {
  opening: boolean;
  followAsk: boolean;
  emailAsk: boolean;
  /** Null: none. */
  followUpAfterMinutes: number | null;
};

export type Conversation = {
  state: ConversationState;
  endedBecause: Ended | null;
  /** The message that is on its way; null when there is none. */
  pending: string | null;
  followAsks: number;
  emailHints: number;
  givenEmail: string | null;
  suggestedEmail: string | null;
  deliveredAt: Date | null;
  expiresAt: Date;
};

export type ConversationEvent =
  /** A tap on the opening's or the follow question's button. */
  | { kind: 'tapped'; at: Date }
  /** A tap below "did you mean …?". */
  | { kind: 'confirmed'; suggestion: boolean; at: Date }
  /** The follower wrote; `suggestion` is what they probably meant to type. */
  | { kind: 'wrote'; address: string | null; suggestion: string | null; at: Date }
  /** `next` turned into a step, right before its call. */
  | { kind: 'chosen'; message: string; step: 'follow_ask' | 'email_ask' | 'delivery' }
  | { kind: 'sent'; message: string; step: Step; at: Date; windowUntil: Date | null }
  /** `uncertain`: it may have arrived all the same. */
  | { kind: 'failed'; message: string; step: Step | 'next'; uncertain: boolean }
  /** Not sent any more. */
  | { kind: 'dropped'; message: string; because: Ended }
  | { kind: 'stopped' | 'taken_over' | 'blocked' | 'unsent' }
  | { kind: 'timed_out'; at: Date };

export type Move = {
  conversation: Conversation;
  /** `next`: see `nextStep`. Null: nothing. */
  say: Step | 'next' | null;
  /** An address that the follower gave, to be kept with their consent. */
  email: string | null;
};

/**
 * @param options.wrote the follower's message began it, so that the 24 hours run; a comment does not
 * @param options.message id of the message that is to be said
 */
export function begin(sequence: Sequence, options: { wrote: boolean; at: Date; message: string }): Move {
  const { wrote, at, message } = options;
  const conversation: Conversation = {
    state: sequence.opening ? 'opening' : stateAfterTap(sequence),
    endedBecause: null,
    pending: message,
    followAsks: 0,
    emailHints: 0,
    givenEmail: null,
    suggestedEmail: null,
    deliveredAt: null,
    // The next tap opens the 24 hours; until then only a message of the follower's does.
    expiresAt: later(at, wrote && !sequence.opening ? AUTOMATIC_WINDOW_MS : OPENING_LASTS_MS),
  };
  return { conversation, say: sequence.opening ? 'opening' : 'next', email: null };
}

/**
 * The next state of a conversation. Events without meaning for its state leave it as it is.
 *
 * @param message id of the message that is to be said, should there be one
 */
export function move(sequence: Sequence, conversation: Conversation, event: ConversationEvent, message: string): Move {
  const to = (change: Partial<Conversation>, say: Move['say'] = null, email: string | null = null): Move => ({
    conversation: { ...conversation, ...change },
    say,
    email,
  });
  const end = (because: Ended, change: Partial<Conversation> = {}): Move =>
    to(conversation.state === 'ended' ? change : { ...change, state: 'ended', endedBecause: because });
  const { state, pending } = conversation;
  // Results of a message that a later one replaced are ignored.
  if ('message' in event && event.message !== pending) return to({});

  switch (event.kind) {
    case 'tapped': {
      if (hasLink(conversation)) return to({});
      // A tap on the opening proves that it arrived, whether Meta has answered by then or not. A second tap while the
      // answer to the first is on its way changes nothing.
      if (pending !== null && state !== 'opening') return to({});
      // The follower was asked for an address and taps an older button.
      if (state === 'email') return to({});
      const change = { state: stateAfterTap(sequence), endedBecause: null, expiresAt: windowAfter(event.at) };
      return to({ ...change, pending: message }, 'next');
    }

    case 'confirmed': {
      const { givenEmail, suggestedEmail } = conversation;
      if (state !== 'email' || givenEmail === null || suggestedEmail === null) return to({});
      return to(delivering(event.at, message), 'delivery', event.suggestion ? suggestedEmail : givenEmail);
    }

    case 'wrote': {
      if (state !== 'email') return to({});
      const { address, suggestion } = event;
      if (address !== null) {
        // Asked once: an address that is written again is meant.
        if (suggestion === null || conversation.suggestedEmail !== null) {
          return to(delivering(event.at, message), 'delivery', address);
        }
        const change = { givenEmail: address, suggestedEmail: suggestion, pending: message };
        return to({ ...change, expiresAt: windowAfter(event.at) }, 'email_suggestion');
      }
      // Text written before the question is no answer.
      if (pending !== null) return to({});
      if (conversation.suggestedEmail !== null)
        return to(delivering(event.at, message), 'delivery', conversation.givenEmail);
      if (conversation.emailHints > 0) return to(delivering(event.at, message), 'delivery');
      return to({ emailHints: 1, pending: message, expiresAt: windowAfter(event.at) }, 'email_hint');
    }

    case 'chosen':
      if (state === 'ended') return to({});
      return to({ state: STATE_OF[event.step] });

    case 'sent': {
      const arrived = { pending: null };
      switch (event.step) {
        case 'opening':
        case 'email_ask':
        case 'email_hint':
        case 'email_suggestion':
          return to(arrived);
        case 'follow_ask': {
          const followAsks = conversation.followAsks + 1;
          return to({ ...arrived, followAsks });
        }
        case 'delivery': {
          const delivered = { ...arrived, deliveredAt: event.at };
          const { followUpAfterMinutes } = sequence;
          if (state === 'ended') return to(delivered);
          if (followUpAfterMinutes === null || event.windowUntil === null) return end('delivered', delivered);
          const dueAt = later(event.at, followUpAfterMinutes * 60_000);
          if (dueAt >= event.windowUntil) return end('delivered', delivered);
          return to({ ...delivered, state: 'delivered', pending: message, expiresAt: event.windowUntil }, 'follow_up');
        }
        case 'follow_up':
          return end('follow_up_sent', arrived);
      }
      break;
    }

    case 'failed': {
      const mayHaveLink = event.uncertain && (event.step === 'delivery' || event.step === 'next');
      if (event.step === 'follow_up') return end('delivered', { pending: null });
      if (mayHaveLink) return to({ state: 'ended', endedBecause: 'not_sure', pending: null });
      return end('not_sent', { pending: null });
    }

    case 'dropped':
      return end(event.because, { pending: null });

    case 'stopped':
    case 'taken_over':
    case 'blocked':
    case 'unsent':
      return end(event.kind);

    case 'timed_out': {
      if (event.at < conversation.expiresAt) return to({});
      if (state === 'opening') return end('no_tap');
      if (state === 'follow') return end('no_follow');
      if (state === 'email') return end('no_answer');
      return end('delivered');
    }
  }
  return to({});
}

/**
 * Resolves `next` at the moment it is sent.
 *
 * @param known.follows null where Meta does not tell: then the follower is asked once and believed, so that nobody who follows is
 *   ever trapped
 * @param known.emailAsked the person was asked for an address before, by whatever automation: once ever is enough
 */
export function nextStep(
  sequence: Sequence,
  { followAsks }: Pick<Conversation, 'followAsks'>,
  known: { follows: boolean | null; emailAsked: boolean },
): 'follow_ask' | 'email_ask' | 'delivery' {
  const believed = known.follows === null && followAsks > 0;
  if (sequence.followAsk && known.follows !== true && !believed) return 'follow_ask';
  if (sequence.emailAsk && !known.emailAsked) return 'email_ask';
  return 'delivery';
}

/** Why something queued must not be sent any more; null when it may. Asked right before the call. */
export function droppedBecause(
  conversation: Conversation,
  step: Step | 'next',
  standing: {
    now: Date;
    stopped: boolean;
    takenOver: boolean;
    blocked: boolean;
    clicked: boolean;
    /** Private replies need no window. */
    needsWindow: boolean;
    windowUntil: Date | null;
  },
): Ended | null {
  if (standing.stopped) return 'stopped';
  if (standing.blocked) return 'blocked';
  if (standing.takenOver) return 'taken_over';
  if (conversation.state === 'ended') return conversation.endedBecause ?? 'delivered';
  if (step === 'follow_up') {
    if (standing.clicked) return 'clicked';
    if (conversation.state !== 'delivered') return 'delivered';
  } else if (hasLink(conversation)) {
    return 'delivered';
  }
  if (standing.needsWindow && (standing.windowUntil === null || standing.windowUntil <= standing.now)) {
    return 'window_closed';
  }
  return null;
}

/** Until when Meta takes messages to somebody who wrote then. */
export function windowAfter(wroteAt: Date): Date {
  return later(wroteAt, AUTOMATIC_WINDOW_MS);
}

/** People who have the link, or may have it, get no second one. Anybody else who taps gets an answer, however late. */
function hasLink({ deliveredAt, endedBecause }: Conversation): boolean {
  return deliveredAt !== null || endedBecause === 'not_sure';
}

function stateAfterTap({ followAsk, emailAsk }: Sequence): ConversationState {
  if (followAsk) return 'follow';
  return emailAsk ? 'email' : 'delivered';
}

const STATE_OF = { follow_ask: 'follow', email_ask: 'email', delivery: 'delivered' } as const;

function delivering(at: Date, message: string): Partial<Conversation> {
  return { state: 'delivered', pending: message, givenEmail: null, suggestedEmail: null, expiresAt: windowAfter(at) };
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
