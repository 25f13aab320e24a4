/**
 * The messages followers read: an automation's texts become the messages of one delivery or of a conversation's steps.
 * Pure.
 */
import type { AutomationInput } from '#contract/automations.ts';
import { type MessageValues, renderMessage } from '#contract/message-text.ts';
import type { Reason } from '#contract/outcomes.ts';
import type { Sequence, Step } from '#server/engine/conversations/conversation.ts';
import { MESSAGE_LIMITS, type OutgoingCard } from '#server/platforms/meta/message.ts';
import type { EngineAutomation } from './listening-automations.ts';
import { ownWordsFor } from './own-words.ts';
import { trackedUrl } from './tracked-url.ts';

export type MessageContent = {
  text: string;
  buttons: { title: string; url: string }[];
  /** A button that comes back to us as a tap. */
  tap?: { title: string; payload: string };
  quickReplies?: { title: string; payload: string }[];
  card?: OutgoingCard;
};

/** The content of a delivery. */
export type DeliveryContent = MessageContent & {
  /** Of the translation; left out for the automation's own texts. */
  language?: string;
  /** Follows a private reply once it is sent. */
  publicReply?: PlannedPublicReply;
  /** Its place in a conversation. */
  step?: Step | 'next';
  /** The options for `next`; the chosen one is copied to the message itself. */
  branches?: { followAsk: MessageContent | null; emailAsk: MessageContent | null; delivery: MessageContent };
  /** The reason shown once it is sent; left out for the usual one. */
  reasonWhenSent?: Reason;
  /** Written by somebody of the team into a chat: only its success says anything about what the follower wrote. */
  byHand?: true;
  /** A person's own answer after the 24 hours (Meta's tag HUMAN_AGENT). */
  humanAgent?: true;
};
export type PlannedPublicReply = { commentId: string; text: string };

/** The promise made when a conversation began: a later change of the automation does not touch it. */
export type Plan = Pick<AutomationInput, 'opening' | 'followAsk' | 'emailAsk' | 'followUp' | 'card'> & {
  username: string | null;
  word: string | null;
  text: string;
  buttons: { title: string; code: string }[];
  /** The wording they get, `a` being the first; null for a translation. */
  variant: string | null;
  /** Of the translation; null for the automation's own texts. */
  language: string | null;
};

type Planned = 'messageText' | 'buttons' | 'card' | 'translations' | 'variants' | keyof Steps;
type Steps = Pick<AutomationInput, 'opening' | 'followAsk' | 'emailAsk' | 'followUp'>;

/** @param variant of the automation's own texts; a translation has none */
export function planOf(
  automation: Pick<EngineAutomation, Planned>,
  told: { username: string | null; word: string | null; language: string | null },
  variant: string,
): Plan {
  const translation = automation.translations.find(({ language }) => language === told.language);
  const wording = automation.variants.find(({ id }) => id === variant);
  const { opening, followAsk, emailAsk, followUp, card } = automation;
  return {
    ...{ opening, followAsk, emailAsk, followUp, card },
    username: told.username,
    word: told.word,
    text: translation?.messageText ?? wording?.text ?? automation.messageText,
    buttons: automation.buttons.map(({ title, code }) => ({ title, code })),
    variant: translation === undefined ? (wording?.id ?? 'a') : null,
    language: translation?.language ?? null,
  };
}

export function sequenceOf({ opening, followAsk, emailAsk, followUp }: Plan): Sequence {
  return {
    opening: opening !== null,
    followAsk: followAsk !== null,
    emailAsk: emailAsk !== null,
    followUpAfterMinutes: followUp?.afterMinutes ?? null,
  };
}

/** Without steps the message is all there is. */
export function hasSteps({ opening, followAsk, emailAsk, followUp }: Plan): boolean {
  return opening !== null || followAsk !== null || emailAsk !== null || followUp !== null;
}

export type Composing = {
  baseUrl: string;
  deliveryId: string;
  /** Null for a message that is no conversation. */
  conversationId: string | null;
  /** Of the follower's profile, where it is known. */
  name: string | null;
  /** The address that they probably meant. */
  suggestedEmail?: string | null;
};

/** The link itself. */
export function linkMessage(plan: Plan, composing: Composing): MessageContent {
  const { baseUrl, deliveryId } = composing;
  const text = renderMessage(plan.text, valuesOf(plan, composing));
  const { card } = plan;
  return {
    text,
    buttons: plan.buttons.map(({ title, code }) => ({ title, url: trackedUrl(baseUrl, code, deliveryId) })),
    // A card has no room for the text: the beginning of it stands where the card says nothing itself.
    ...(card !== null && {
      card: { ...card, subtitle: card.subtitle || text.slice(0, MESSAGE_LIMITS.cardTextCharacters).toWellFormed() },
    }),
  };
}

/** One step of a conversation. */
export function stepContent(plan: Plan, step: Step | 'next', composing: Composing): DeliveryContent {
  const say = (text: string) => renderMessage(text, valuesOf(plan, composing));
  const id = composing.conversationId;
  switch (step) {
    case 'opening':
      return {
        step,
        text: say(plan.opening!.text),
        buttons: [],
        tap: { title: plan.opening!.buttonTitle, payload: `go:${id}` },
      };
    case 'follow_ask':
      return {
        step,
        text: say(plan.followAsk!.text),
        buttons: [],
        tap: { title: plan.followAsk!.buttonTitle, payload: `follows:${id}` },
      };
    case 'email_ask':
      // People must see what they agree to.
      return { step, text: `${say(plan.emailAsk!.text)}\n\n${plan.emailAsk!.consent}`, buttons: [] };
    case 'email_hint':
      return { step, text: ownWordsFor(plan).hint, buttons: [] };
    case 'email_suggestion': {
      const { suggestion, yes, no } = ownWordsFor(plan);
      return {
        step,
        text: suggestion(composing.suggestedEmail ?? ''),
        buttons: [],
        quickReplies: [
          { title: yes, payload: `email:${id}:yes` },
          { title: no, payload: `email:${id}:no` },
        ],
      };
    }
    case 'delivery':
      return { step, ...linkMessage(plan, composing) };
    case 'follow_up':
      return { step, ...linkMessage(plan, composing), text: say(plan.followUp!.text) };
    case 'next': {
      const delivery = linkMessage(plan, composing);
      const branch = (asked: object | null, of: 'follow_ask' | 'email_ask') =>
        asked === null ? null : messageOf(stepContent(plan, of, composing));
      const followAsk = branch(plan.followAsk, 'follow_ask');
      const emailAsk = branch(plan.emailAsk, 'email_ask');
      return { step, ...delivery, branches: { followAsk, emailAsk, delivery } };
    }
  }
}

function messageOf({ text, buttons, tap }: DeliveryContent): MessageContent {
  return { text, buttons, ...(tap !== undefined && { tap }) };
}

function valuesOf({ username, word }: Plan, { name }: Composing): MessageValues {
  return { username, word, first_name: firstNameOf(name) };
}

/** Null for what is no name: an emoji, a brand's slogan. */
function firstNameOf(name: string | null): string | null {
  const first = name?.normalize('NFC').trim().split(/\s+/u)[0];
  return first !== undefined && /^\p{L}[\p{L}\p{M}'’.-]{0,29}$/u.test(first) ? first : null;
}

/** The payload of our messages' buttons. */
export type Payload =
  | { kind: 'tapped'; conversationId: string }
  | { kind: 'confirmed'; conversationId: string; suggestion: boolean };

const PAYLOAD = /^(go|follows|email):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::(yes|no))?$/;

/** Null: the button is none of a conversation. */
export function readPayload(payload: string | null): Payload | null {
  const [, what, conversationId, answer] = PAYLOAD.exec(payload ?? '') ?? [];
  if (conversationId === undefined) return null;
  if (what !== 'email') return { kind: 'tapped', conversationId };
  return { kind: 'confirmed', conversationId, suggestion: answer === 'yes' };
}
