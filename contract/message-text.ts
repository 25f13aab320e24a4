/**
 * The texts that followers get: filling in variables, and the platform's limits.
 *
 * A variable is written `{{username}}`, or with what to say when it is unknown, `{{first_name|friend}}`. What is filled in
 * is never looked at again: a follower called `{{link}}` is called that.
 */

/** Variables that can be filled in. */
export const VARIABLES = {
  first_name: { says: 'the follower’s first name', unknown: 'there', maxBytes: 60 },
  username: { says: 'the follower’s handle, without the @', unknown: 'there', maxBytes: 60 },
  word: { says: 'the word that the follower wrote, as you wrote it', unknown: '', maxBytes: 100 },
  link: { says: 'the link', unknown: '', maxBytes: 100 },
} as const;
export type Variable = keyof typeof VARIABLES;

/** Values to fill in; null, absent or blank means unknown. */
export type MessageValues = { readonly [variable in Variable]?: string | null };

// Limits of Instagram. [D] is Meta's documentation, [N] and [C] code of others that keeps to it, [R] repute: unverified.

/** Text without buttons, in UTF-8 bytes: 1,000 Latin letters, 500 Arabic ones, 250 emoji. [D/N] */
export const MAX_TEXT_BYTES = 1_000;
/** Text with buttons, in characters. Whether Meta counts emoji as one or two is not known; we count two. [D] */
export const MAX_TEXT_WITH_BUTTONS_CHARACTERS = 640;
/** [D] */
export const MAX_BUTTONS = 3;
/** [D], [C]: others cut there. */
export const MAX_BUTTON_TITLE_CHARACTERS = 20;
/** [R] */
export const MAX_PUBLIC_REPLY_CHARACTERS = 300;
/** [R] */
export const MAX_PUBLIC_REPLY_LINKS = 1;
/** [R] */
export const MAX_PUBLIC_REPLY_HASHTAGS = 4;

export type MessageProblem = {
  code:
    | 'empty'
    | 'too_long'
    /** Too long only when names or words are as long as they can be. */
    | 'may_be_too_long'
    | 'unknown_variable'
    | 'broken_variable'
    | 'too_many_buttons'
    | 'empty_button_title'
    | 'long_button_title'
    | 'bad_button_link'
    | 'too_many_links'
    | 'too_many_hashtags';
  severity: 'error' | 'warning';
  /** `text`, `buttons`, or a part of a button: `buttons.0.title`, `buttons.0.url`. */
  path: string;
  /** For the creator. */
  message: string;
};

export type MessageButton = { title: string; url: string };

const PLACEHOLDER = /\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}/gi;
/** Line breaks and what would turn the direction of the text around it. */
const UNSAFE_IN_VALUES = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const LINK = /(?:https?:\/\/|www\.)\S/gi;
const HASHTAG = /#[\p{L}\p{N}_]/gu;
const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i;
/** No locale: the same cut on every machine. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The text with its variables filled in. Unknown variables stay as written. Never throws. */
export function renderMessage(text: string, values: MessageValues): string {
  return text.replace(PLACEHOLDER, (written: string, name: string, otherwise: string | undefined) => {
    const variable = variableOf(name);
    if (variable === null) return written;
    const value = clean(values[variable] ?? '');
    if (value === '') return otherwise?.trim() ?? VARIABLES[variable].unknown;
    // A link cut short leads nowhere; it is ours and short.
    return variable === 'link' ? value : cutToBytes(value, VARIABLES[variable].maxBytes);
  });
}

/** Everything that keeps a direct message or private reply from being sent as written, errors first. */
export function checkMessage(message: { text: string; buttons: readonly MessageButton[] }): MessageProblem[] {
  const { text, buttons } = message;
  return sorted([
    ...checkText(text),
    ...(buttons.length === 0
      ? checkLength(text, MAX_TEXT_BYTES, utf8Length, 'bytes', ' Emoji and letters with accents count as two to four.')
      : checkLength(
          text,
          MAX_TEXT_WITH_BUTTONS_CHARACTERS,
          characters,
          'characters',
          ' That’s the limit with buttons.',
        )),
    ...checkButtons(buttons),
  ]);
}

/** Everything that keeps a public reply from being posted as written, errors first. */
export function checkPublicReply(text: string): MessageProblem[] {
  const problems = [
    ...checkText(text),
    ...checkLength(text, MAX_PUBLIC_REPLY_CHARACTERS, characters, 'characters', ''),
  ];
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  if (count(LINK) > MAX_PUBLIC_REPLY_LINKS) {
    problems.push(problem('too_many_links', 'error', 'text', 'Instagram allows one link in a comment.'));
  }
  if (count(HASHTAG) > MAX_PUBLIC_REPLY_HASHTAGS) {
    problems.push(problem('too_many_hashtags', 'error', 'text', 'Instagram allows four hashtags in a comment.'));
  }
  return sorted(problems);
}

/** Length in UTF-8, as Meta counts message text. Half a surrogate pair counts three, as what is sent in its place does. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPair(code, text.charCodeAt(at + 1))) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

/** The longest beginning of a text of at most so many UTF-8 bytes that cuts no letter from its accent and no emoji in two. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length <= maxBytes && utf8Length(text) <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  // One unit is one byte at least: what lies beyond cannot be part of the result, so that 10 MB are not segmented.
  for (const { segment } of graphemes.segment(text.slice(0, maxBytes + 1))) {
    bytes += utf8Length(segment);
    if (bytes > maxBytes) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

function checkText(text: string): MessageProblem[] {
  if (text.trim() === '') return [problem('empty', 'error', 'text', 'Write a message.')];
  const problems: MessageProblem[] = [];
  const unknown = new Set<string>();
  for (const [, name] of text.matchAll(PLACEHOLDER)) if (variableOf(name!) === null) unknown.add(name!);
  for (const name of unknown) {
    const message = `“${name}” can’t be filled in. Use the buttons below the text.`;
    problems.push(problem('unknown_variable', 'error', 'text', message));
  }
  if (/\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))) {
    const message = 'There’s a { or } too many. Remove it, or insert a name with the buttons below the text.';
    problems.push(problem('broken_variable', 'error', 'text', message));
  }
  return problems;
}

/** Measures the text with nothing known (the least that is sent) and with everything as long as can be. */
function checkLength(
  text: string,
  limit: number,
  measure: (text: string) => number,
  unit: string,
  hint: string,
): MessageProblem[] {
  const least = measure(renderMessage(text, {}));
  if (least > limit) {
    const message = `This is ${least} ${unit} long. The limit is ${limit}.${hint}`;
    return [problem('too_long', 'error', 'text', message)];
  }
  const most = measure(longestOf(text, measure));
  if (most <= limit) return [];
  const message = `With a long name this can be ${most} ${unit} long. The limit is ${limit}.${hint}`;
  return [problem('may_be_too_long', 'warning', 'text', message)];
}

function checkButtons(buttons: readonly MessageButton[]): MessageProblem[] {
  const problems: MessageProblem[] = [];
  if (buttons.length > MAX_BUTTONS) {
    const message = `There are ${buttons.length} buttons. The limit is ${MAX_BUTTONS}.`;
    problems.push(problem('too_many_buttons', 'error', 'buttons', message));
  }
  for (const [index, { title, url }] of buttons.entries()) {
    if (title.trim() === '') {
      problems.push(problem('empty_button_title', 'error', `buttons.${index}.title`, 'Enter the button text.'));
    } else if (characters(title) > MAX_BUTTON_TITLE_CHARACTERS) {
      const message = `Button text can have at most ${MAX_BUTTON_TITLE_CHARACTERS} characters. This has ${characters(title)}.`;
      problems.push(problem('long_button_title', 'error', `buttons.${index}.title`, message));
    }
    if (!WEB_ADDRESS.test(url)) {
      const message = 'Enter a link that starts with https://';
      problems.push(problem('bad_button_link', 'error', `buttons.${index}.url`, message));
    }
  }
  return problems;
}

/** The text with each variable as long as it can be: a long value, or what is said when there is none. */
function longestOf(text: string, measure: (text: string) => number): string {
  return text.replace(PLACEHOLDER, (written: string, name: string) => {
    const variable = variableOf(name);
    if (variable === null) return written;
    const known = 'x'.repeat(VARIABLES[variable].maxBytes);
    const unknown = renderMessage(written, {});
    return measure(unknown) > measure(known) ? unknown : known;
  });
}

function variableOf(name: string): Variable | null {
  const lower = name.toLowerCase();
  return Object.hasOwn(VARIABLES, lower) ? (lower as Variable) : null;
}

function clean(value: string): string {
  return value.replace(UNSAFE_IN_VALUES, ' ').trim();
}

function characters(text: string): number {
  return text.length;
}

function isPair(high: number, low: number): boolean {
  return (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00;
}

function problem(
  code: MessageProblem['code'],
  severity: MessageProblem['severity'],
  path: string,
  message: string,
): MessageProblem {
  return { code, severity, path, message };
}

function sorted(problems: MessageProblem[]): MessageProblem[] {
  return problems.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}
