/** The editor's state: an automation as its contract has it, with what editing needs around it. */
import type * as z from 'zod/mini';
import { canAnswerInPublic, checkAutomation, SCOPES_OF, scopeOf } from '#contract/automation-problems.ts';
import { type Automation, AutomationInput, type Scope, type Trigger } from '#contract/automations.ts';
import { LANGUAGES } from '#contract/suggestions.ts';
import { afterWords, SCOPE_WORDS, TRIGGER_WORDS } from '#web/features/automations/trigger-words.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';

const DAY_MINUTES = 24 * 60;

/** How soon the same person is answered again. */
export const REPEAT_CHOICES: { minutes: number | null; label: string }[] = [
  { minutes: null, label: 'Every time they write the keyword' },
  { minutes: 60, label: 'At most once an hour' },
  { minutes: DAY_MINUTES, label: 'At most once a day' },
  { minutes: 7 * DAY_MINUTES, label: 'At most once a week' },
  { minutes: 365 * DAY_MINUTES, label: 'At most once a year' },
];

export type Place = {
  connectionId: string;
  postId: string | null;
  suggestedWords: readonly string[];
  /** Of the post; the button says what it promises. */
  caption?: string;
  /** Comments unless told otherwise. */
  trigger?: Trigger;
  /** `one` with a post, else `any`. */
  scope?: Scope;
};

/** A new automation, ready but for the link. */
export function newInput(place: Place): AutomationInput {
  const { connectionId, postId, suggestedWords, caption = '', trigger = 'comment', scope } = place;
  const isMention = trigger === 'story_mention';
  return {
    connectionId,
    name: '',
    trigger,
    scope: scopeOf({ scope, postId }),
    postId,
    captionWords: [],
    keywordIds: [],
    replyId: null,
    words: suggestedWords.slice(0, 1),
    // A mention has no words to look for.
    mode: isMention ? 'any_comment' : 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    ...beginningOf(trigger, buttonTitleFor(caption, suggestedWords[0] ?? '')),
    variants: [],
    translations: [],
    card: null,
    opening: null,
    followAsk: null,
    emailAsk: null,
    followUp: null,
    repeatAfterMinutes: DAY_MINUTES,
  };
}

/** The first that fits: the word that the caption asks for says more than the caption. */
const BUTTON_TITLES: [RegExp, string][] = [
  [/\brecipes?\b/i, 'Get the recipe'],
  [/\b(?:shop|links?|buy|amazon|ltk|store)\b/i, 'Shop the link'],
  [/\b(?:e-?book|book)\b/i, 'Get the book'],
  [/\b(?:meal )?plan\b/i, 'Get the plan'],
  [/\bguide\b/i, 'Get the guide'],
  [/\blist\b/i, 'Get the list'],
  [/\b(?:discount|code)\b/i, 'Get the code'],
];

/** The first button's label for a post like this. */
export function buttonTitleFor(caption: string, word: string): string {
  const titleOf = (text: string) => BUTTON_TITLES.find(([pattern]) => pattern.test(text))?.[1];
  return titleOf(word) ?? titleOf(caption) ?? 'Get the recipe';
}

/** Texts to begin with: a mention is thanked, everything else asked for something. */
function beginningOf(
  trigger: Trigger,
  title = 'Get the recipe',
): Pick<AutomationInput, 'messageText' | 'buttons' | 'publicReplies'> {
  if (trigger === 'story_mention') {
    return { messageText: 'Hey {{username|there}}, thanks so much for sharing!', buttons: [], publicReplies: [] };
  }
  return {
    messageText: "Hey {{username|there}}! Here's what you asked for. Enjoy!",
    buttons: [{ title, url: '' }],
    publicReplies: canAnswerInPublic(trigger) ? ['Just sent it! Check your DMs (or message requests) 💌'] : [],
  };
}

/** The editable part of a saved automation. */
export function inputOf(automation: Automation): AutomationInput {
  const { id, version, switchedOnAt, createdAt, updatedAt, clashes, blockedBecause, draft, draftVersion, ...input } =
    automation;
  return plain(input);
}

/** The editor's first state: the draft where there is one. */
export function editedOf(automation: Automation): AutomationInput {
  return automation.draft === null ? inputOf(automation) : plain(automation.draft.input);
}

function plain(input: AutomationInput): AutomationInput {
  return {
    ...input,
    scope: scopeOf(input),
    buttons: input.buttons.map(({ title, url, ...target }) => ({ title, url, ...target })),
  };
}

/** The same automation for another kind of door: what the new one cannot have is left out, and texts not touched yet become its own. */
export function withTrigger(input: AutomationInput, trigger: Trigger, postId: string | null): AutomationInput {
  const scopes = SCOPES_OF[trigger];
  const scope = trigger === input.trigger ? scopeOf(input) : scopes.includes('one') && postId !== null ? 'one' : 'any';
  const title = input.buttons[0]?.title;
  const [before, after] = [beginningOf(input.trigger, title), beginningOf(trigger, title)];
  const untouched = (['messageText', 'buttons', 'publicReplies'] as const).filter(
    (field) => JSON.stringify(input[field]) === JSON.stringify(before[field]),
  );
  return {
    ...input,
    ...Object.fromEntries(untouched.map((field) => [field, after[field]])),
    trigger,
    ...(trigger === 'story_mention' && { mode: 'any_comment' as const }),
    ...(input.trigger === 'story_mention' && trigger !== 'story_mention' && { mode: 'whole_word' as const }),
    scope,
    postId: scope === 'one' ? postId : null,
  };
}

/** Without rows that were added and left empty at the end. */
export function trimRows(input: AutomationInput): AutomationInput {
  return {
    ...input,
    buttons: dropEmptyEnd(input.buttons, ({ title, url }) => title.trim() === '' && url.trim() === ''),
    publicReplies: dropEmptyEnd(input.publicReplies, (reply) => reply.trim() === ''),
    // The wordings keep their letters b, c, d, e in order: what was measured of one must not go to another.
    variants: dropEmptyEnd(input.variants, ({ text }) => text.trim() === ''),
    translations: input.translations.map((translation) => ({
      ...translation,
      publicReplies: dropEmptyEnd(translation.publicReplies, (reply) => reply.trim() === ''),
    })),
  };
}

export function sameInput(one: AutomationInput, other: AutomationInput): boolean {
  return differences(one, other).length === 0;
}

export type Difference = { field: keyof AutomationInput; label: string; mine: string; theirs: string };

/** The differences between two people's versions, in words. */
export function differences(mine: AutomationInput, theirs: AutomationInput): Difference[] {
  const [a, b] = [trimRows(mine), trimRows(theirs)];
  return (Object.keys(SHOWN) as (keyof typeof SHOWN)[])
    .filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
    .map((field) => {
      const { label, says } = SHOWN[field] as { label: string; says: (input: AutomationInput) => string };
      return { field, label, mine: inWords(says(a)), theirs: inWords(says(b)) };
    });
}

const NOTHING = '(nothing)';
const listed = (items: readonly string[]) => items.join(', ') || NOTHING;

const off = 'Off';
const step = (part: { text: string; buttonTitle: string } | null) =>
  part === null ? off : `${part.text}\n[${part.buttonTitle}]`;

const SHOWN = {
  trigger: { label: 'Trigger', says: (input) => TRIGGER_WORDS[input.trigger].label },
  scope: { label: 'Where', says: (input) => SCOPE_WORDS[input.trigger][scopeOf(input)] },
  captionWords: { label: 'Words in the caption', says: (input) => listed(input.captionWords) },
  words: { label: 'Words or phrases', says: (input) => listed(input.words) },
  keywordIds: { label: 'Custom Keywords', says: (input) => counted(input.keywordIds.length, 'set') },
  mode: { label: 'Match', says: (input) => MODE_WORDS[input.mode].label },
  excludedWords: { label: 'Excluded words', says: (input) => listed(input.excludedWords) },
  typoTolerance: { label: 'Typos', says: (input) => (input.typoTolerance ? 'Matched' : 'Not matched') },
  messageText: { label: 'Message', says: (input) => input.messageText || NOTHING },
  buttons: {
    label: 'Buttons',
    says: (input) => input.buttons.map(({ title, url }) => `${title}: ${url}`).join('\n') || NOTHING,
  },
  card: {
    label: 'Product card',
    says: ({ card }) => (card === null ? off : [card.title, card.subtitle, card.imageUrl].filter(Boolean).join('\n')),
  },
  variants: { label: 'Other versions', says: (input) => input.variants.map(({ text }) => text).join('\n') || NOTHING },
  opening: { label: 'Ask before the link', says: (input) => step(input.opening) },
  followAsk: { label: 'Ask for a follow', says: (input) => step(input.followAsk) },
  emailAsk: {
    label: 'Ask for an email',
    says: ({ emailAsk }) => (emailAsk === null ? off : `${emailAsk.text}\n${emailAsk.consent}`),
  },
  followUp: {
    label: 'Follow-up',
    says: ({ followUp }) => (followUp === null ? off : `${afterWords(followUp.afterMinutes)}: ${followUp.text}`),
  },
  translations: {
    label: 'Other languages',
    says: (input) =>
      input.translations
        .map(({ language, words, messageText, publicReplies }) =>
          [`${LANGUAGES[language] ?? language} (${words.join(', ')})`, messageText, ...publicReplies].join('\n'),
        )
        .join('\n\n') || NOTHING,
  },
  publicReplies: { label: 'Public replies', says: (input) => input.publicReplies.join('\n') || NOTHING },
  replyId: { label: 'Custom Replies', says: (input) => (input.replyId === null ? 'None' : 'A library') },
  repeatAfterMinutes: { label: 'Reply again', says: (input) => repeatLabel(input.repeatAfterMinutes) },
  postId: { label: 'Post', says: (input) => (input.postId === null ? 'None' : 'This one') },
  priority: { label: 'Priority', says: (input) => String(input.priority) },
  name: { label: 'Name', says: (input) => input.name || NOTHING },
} satisfies Partial<Record<keyof AutomationInput, { label: string; says: (input: AutomationInput) => string }>>;

function counted(count: number, what: string): string {
  return count === 0 ? 'None' : `${count} ${what}${count === 1 ? '' : 's'}`;
}

export function repeatLabel(minutes: number | null): string {
  const choice = REPEAT_CHOICES.find((one) => one.minutes === minutes);
  return choice?.label ?? `At most every ${minutes} minutes`;
}

/** The ways of matching, in the order of how often they are right. */
export const MODE_WORDS: Record<AutomationInput['mode'], { label: string }> = {
  whole_word: { label: 'The keyword is in the comment' },
  exact: { label: 'The comment is only the keyword' },
  all_words: { label: 'All keywords are in the comment' },
  contains: { label: 'Also inside longer words' },
  any_comment: { label: 'Every comment' },
};

/**
 * The contract's rules and those of Instagram: problems are shown before the server is asked. What the
 * contract may leave out is always there in the editor, hence the narrower type.
 */
export const AutomationForm = AutomationInput.check((context) => {
  const input = context.value;
  for (const { severity, path, message } of checkAutomation(input)) {
    if (severity !== 'error') continue;
    context.issues.push({ code: 'custom', input, path: path.split('.').map(indexOrName), message });
  }
}) as unknown as z.ZodMiniType<AutomationInput, AutomationInput>;

function indexOrName(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part;
}

function dropEmptyEnd<T>(rows: readonly T[], isEmpty: (row: T) => boolean): T[] {
  return rows.slice(0, rows.findLastIndex((row) => !isEmpty(row)) + 1);
}
