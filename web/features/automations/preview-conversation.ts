/** The conversation as one follower gets it, for the phone beside the editor. The order is that of docs/conversations.md. */

import { listensForWords } from '#contract/automation-problems.ts';
import type { AutomationInput, Card } from '#contract/automations.ts';
import { renderMessage } from '#contract/message-text.ts';
import { cutAtLimit, type TextKind } from '#web/features/automations/message-count.ts';
import { afterWords } from '#web/features/automations/trigger-words.ts';

export type Bubble = {
  by: 'follower' | 'us';
  text: string;
  /** Beyond the platform's limit. */
  lost: string;
  card: Card | null;
  /** Links of the delivery; `leadsTo`: in words, empty while nothing is chosen. */
  links: { title: string; leadsTo: string }[];
  /** The button that they tap to go on; null when there is none. */
  tap: string | null;
};

/** The next event, by the follower or the clock, and its effect. */
export type Act = { begins: string; note: string | null; bubbles: Bubble[] };

export type PlayedInput = Pick<
  AutomationInput,
  | 'trigger'
  | 'mode'
  | 'words'
  | 'messageText'
  | 'buttons'
  | 'publicReplies'
  | 'variants'
  | 'translations'
  | 'card'
  | 'opening'
  | 'followAsk'
  | 'emailAsk'
  | 'followUp'
>;

export type Options = {
  follower: string;
  /** The follower's text; else the first keyword. */
  comment?: string | undefined;
  /** `a`, `b` … or a language. */
  version: string;
  /** They follow already and are not asked. */
  follows: boolean;
  /** The first of the chosen Custom Replies. */
  libraryReply: string | null;
};

export type Played = {
  /** The follower's text or act. */
  said: string;
  publicReply: string | null;
  acts: Act[];
};

/** Of the card's second line. */
const CARD_CHARACTERS = 80;
const THEIR_ADDRESS = 'anna@example.com';
const NO_WORDS = 'Looks so good!';

/** The views: the message, its other wordings, its languages. */
export function versionsOf({ variants, translations }: Pick<PlayedInput, 'variants' | 'translations'>): string[] {
  return ['a', ...variants.map(({ id }) => id), ...translations.map(({ language }) => language)];
}

/** Where a button leads, in a few words: what the creator chose, or the site of a typed address. */
function leadsToOf({ recipeId, part, mealPlanId, appLinkId, url }: AutomationInput['buttons'][number]): string {
  if (recipeId !== undefined) return part === 'list' ? 'Shopping list' : 'Recipe';
  if (mealPlanId !== undefined) return 'Meal plan';
  if (appLinkId !== undefined) return 'App link';
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
}

/** Bare text is counted in bytes; with links or a card, in characters. */
export function kindOfMessage({ buttons, card }: Pick<PlayedInput, 'buttons' | 'card'>): TextKind {
  return card !== null || buttons.some(({ title }) => title.trim() !== '') ? 'with_buttons' : 'plain';
}

export function playConversation(input: PlayedInput, options: Options): Played {
  const translation = input.translations.find(({ language }) => language === options.version);
  const variant = input.variants.find(({ id }) => id === options.version);
  const word = (translation?.words ?? input.words)[0] ?? '';
  const values = { username: options.follower, word };
  const bubble = (text: string, kind: TextKind, rest: Partial<Bubble> = {}): Bubble => {
    const { shown, lost } = cutAtLimit(text, kind, values);
    return { by: 'us', text: shown, lost, card: null, links: [], tap: null, ...rest };
  };
  const theirs = (text: string): Bubble => ({ by: 'follower', text, lost: '', card: null, links: [], tap: null });

  const steps: { bubble: Bubble; answer: { begins: string; bubble: Bubble } | null }[] = [];
  for (const step of [input.opening, options.follows ? null : input.followAsk]) {
    if (step === null) continue;
    const answer = { begins: `They tap “${step.buttonTitle}”`, bubble: theirs(step.buttonTitle) };
    steps.push({ bubble: bubble(step.text, 'with_buttons', { tap: step.buttonTitle }), answer });
  }
  if (input.emailAsk !== null) {
    const answer = { begins: 'They reply with their email', bubble: theirs(THEIR_ADDRESS) };
    steps.push({ bubble: bubble(input.emailAsk.text, 'plain'), answer });
  }
  const message = translation?.messageText ?? variant?.text ?? input.messageText;
  const links = input.buttons.map((button) => ({ title: button.title, leadsTo: leadsToOf(button) }));
  const { card } = input;
  // As the engine does: a card has no room for the text, whose beginning stands where the card says nothing itself.
  const delivery =
    card === null
      ? bubble(message, kindOfMessage(input), { links })
      : bubble('', 'with_buttons', {
          card: { ...card, subtitle: card.subtitle || renderMessage(message, values).slice(0, CARD_CHARACTERS) },
          links,
        });
  steps.push({ bubble: delivery, answer: null });

  const acts: Act[] = [];
  let begins: Act = { begins: '', note: null, bubbles: [] };
  for (const step of steps) {
    acts.push({ ...begins, bubbles: [...begins.bubbles, step.bubble] });
    if (step.answer !== null) begins = { begins: step.answer.begins, note: null, bubbles: [step.answer.bubble] };
  }
  const answeredAlready = acts.length > 1 || !isComment(input);
  if (input.followUp !== null && answeredAlready) {
    const after = afterWords(input.followUp.afterMinutes);
    acts.push({ begins: `${after}, no tap on the link`, note: after, bubbles: [bubble(input.followUp.text, 'plain')] });
  }
  const reply = [...(translation?.publicReplies ?? []), ...input.publicReplies, options.libraryReply ?? ''].find(
    (text) => text.trim() !== '',
  );
  return {
    said: listensForWords(input.trigger) ? options.comment || firstWords(input, word) : '',
    publicReply: isComment(input) && reply !== undefined ? renderMessage(reply, values) : null,
    acts,
  };
}

function isComment({ trigger }: Pick<PlayedInput, 'trigger'>): boolean {
  return trigger === 'comment' || trigger === 'live_comment';
}

function firstWords({ mode }: Pick<PlayedInput, 'mode'>, word: string): string {
  return mode === 'any_comment' ? NO_WORDS : word || 'your keyword';
}
