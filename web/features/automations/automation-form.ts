/** What the editor works on: an automation as its contract has it, with what editing needs around it. */
import { type Automation, AutomationInput } from '#contract/automations.ts';
import { checkRule } from '#contract/matching/matching.ts';
import { checkMessage, checkPublicReply } from '#contract/message-text.ts';

const DAY_MINUTES = 24 * 60;

/** How soon the same person is answered again. */
export const REPEAT_CHOICES: { minutes: number | null; label: string }[] = [
  { minutes: null, label: 'Every time she writes the word' },
  { minutes: 60, label: 'At most once an hour' },
  { minutes: DAY_MINUTES, label: 'At most once a day' },
  { minutes: 7 * DAY_MINUTES, label: 'At most once a week' },
  { minutes: 365 * DAY_MINUTES, label: 'At most once a year' },
];

/** A new automation, ready but for the link. */
export function newInput(place: {
  connectionId: string;
  postId: string | null;
  suggestedWords: readonly string[];
}): AutomationInput {
  return {
    connectionId: place.connectionId,
    name: '',
    postId: place.postId,
    words: place.suggestedWords.slice(0, 1),
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    messageText: 'Hi {{username|there}}, here is what you asked for. Enjoy!',
    buttons: [{ title: 'Get the recipe', url: '' }],
    publicReplies: ['Sent you a message! If you do not see it, look in your message requests.'],
    repeatAfterMinutes: DAY_MINUTES,
  };
}

/** The editable part of a saved automation. */
export function inputOf(automation: Automation): AutomationInput {
  const { connectionId, name, postId, words, mode, excludedWords, typoTolerance, priority } = automation;
  const { messageText, buttons, publicReplies, repeatAfterMinutes } = automation;
  return {
    connectionId,
    name,
    postId,
    words,
    mode,
    excludedWords,
    typoTolerance,
    priority,
    messageText,
    buttons: buttons.map(({ title, url }) => ({ title, url })),
    publicReplies,
    repeatAfterMinutes,
  };
}

/** Without rows that were added and left empty at the end. */
export function trimRows(input: AutomationInput): AutomationInput {
  return {
    ...input,
    buttons: dropEmptyEnd(input.buttons, ({ title, url }) => title.trim() === '' && url.trim() === ''),
    publicReplies: dropEmptyEnd(input.publicReplies, (reply) => reply.trim() === ''),
  };
}

export function sameInput(one: AutomationInput, other: AutomationInput): boolean {
  return differences(one, other).length === 0;
}

export type Difference = { field: keyof AutomationInput; label: string; mine: string; theirs: string };

/** What two people made differently, in words. */
export function differences(mine: AutomationInput, theirs: AutomationInput): Difference[] {
  const [a, b] = [trimRows(mine), trimRows(theirs)];
  return (Object.keys(SHOWN) as (keyof typeof SHOWN)[])
    .filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
    .map((field) => {
      const { label, says } = SHOWN[field] as { label: string; says: (input: AutomationInput) => string };
      return { field, label, mine: says(a), theirs: says(b) };
    });
}

const NOTHING = '(nothing)';
const listed = (items: readonly string[]) => items.join(', ') || NOTHING;

const SHOWN = {
  words: { label: 'Words', says: (input) => listed(input.words) },
  mode: { label: 'How words match', says: (input) => MODE_WORDS[input.mode].label },
  excludedWords: { label: 'Excluded words', says: (input) => listed(input.excludedWords) },
  typoTolerance: { label: 'Typos', says: (input) => (input.typoTolerance ? 'Forgiven' : 'Not forgiven') },
  messageText: { label: 'Message', says: (input) => input.messageText || NOTHING },
  buttons: {
    label: 'Buttons',
    says: (input) => input.buttons.map(({ title, url }) => `${title}: ${url}`).join('\n') || NOTHING,
  },
  publicReplies: { label: 'Public replies', says: (input) => input.publicReplies.join('\n') || NOTHING },
  repeatAfterMinutes: { label: 'Answering again', says: (input) => repeatLabel(input.repeatAfterMinutes) },
  postId: { label: 'Where', says: (input) => (input.postId === null ? 'Any post' : 'This post') },
  priority: { label: 'Priority', says: (input) => String(input.priority) },
  name: { label: 'Name', says: (input) => input.name || NOTHING },
} satisfies Partial<Record<keyof AutomationInput, { label: string; says: (input: AutomationInput) => string }>>;

export function repeatLabel(minutes: number | null): string {
  const choice = REPEAT_CHOICES.find((one) => one.minutes === minutes);
  return choice?.label ?? `At most every ${minutes} minutes`;
}

/** The ways of matching, in the order of how often they are right. */
export const MODE_WORDS: Record<AutomationInput['mode'], { label: string; hint: string }> = {
  whole_word: { label: 'The word is in the comment', hint: '“RECIPE please” counts, “recipes” does not.' },
  exact: { label: 'The comment is only the word', hint: '“RECIPE!” counts, “the recipe please” does not.' },
  all_words: { label: 'All of the words are in the comment', hint: 'In any order, with anything between.' },
  contains: { label: 'Also inside longer words', hint: '“recip” counts in “recipes”, and in every word that has it.' },
  any_comment: { label: 'Every comment', hint: 'Whatever people write gets your message.' },
};

/** The contract's rules and those of Instagram: what the server refuses is said here before it is asked. */
export const AutomationForm = AutomationInput.check((context) => {
  const input = context.value;
  const refuse = (path: (string | number)[], message: string) =>
    context.issues.push({ code: 'custom', input, path, message });
  for (const { severity, field, message } of checkRule(input)) {
    if (severity === 'error') refuse([field], message);
  }
  for (const { severity, path, message } of checkMessage({ text: input.messageText, buttons: input.buttons })) {
    if (severity === 'error') refuse(path === 'text' ? ['messageText'] : path.split('.').map(indexOrName), message);
  }
  for (const [place, reply] of input.publicReplies.entries()) {
    for (const { severity, message } of checkPublicReply(reply)) {
      if (severity === 'error') refuse(['publicReplies', place], message);
    }
  }
});

function indexOrName(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part;
}

function dropEmptyEnd<T>(rows: readonly T[], isEmpty: (row: T) => boolean): T[] {
  return rows.slice(0, rows.findLastIndex((row) => !isEmpty(row)) + 1);
}
