import { editsAllowed } from './typos.ts';
import { MAX_WORD_LENGTH, MAX_WORDS_PER_RULE, type NormalisedText, normaliseText, type WordRule } from './word-rule.ts';

/** Problems of a rule, in words for its creator. An `error` must be mended; a `warning` may be meant so. */
export type RuleProblem = {
  code:
    | 'no_words'
    | 'empty_word'
    | 'duplicate_word'
    | 'excluded_word'
    | 'excluded_within_word'
    | 'too_many_words'
    | 'too_long_word'
    | 'signs_word'
    | 'mention_word'
    | 'short_part'
    | 'typos_without_effect';
  severity: 'error' | 'warning';
  field: 'words' | 'excludedWords';
  /** The words concerned as written, long ones cut. */
  words: string[];
  message: string;
};

type Entry = { written: string; normalised: NormalisedText };

/** Everything wrong with a rule, errors first; an empty list when it can be saved without a word. */
export function checkRule(rule: WordRule): RuleProblem[] {
  const words = entriesOf(rule.words);
  const excluded = entriesOf(rule.excludedWords);
  const problems = [
    ...(rule.mode === 'any_comment' ? [] : missingWords(rule)),
    ...listProblems('words', rule.words, words),
    ...listProblems('excludedWords', rule.excludedWords, excluded),
    ...(rule.mode === 'any_comment' ? [] : wantedAndExcluded(rule, words, excluded)),
    ...(rule.mode === 'contains' ? shortParts(words) : []),
    ...(rule.typoTolerance && rule.mode !== 'any_comment' ? typosWithoutEffect(words) : []),
  ];
  return problems.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

/** Only what the matcher would look at; a list of a million words is one problem, not a million. */
function entriesOf(words: readonly string[]): Entry[] {
  return words
    .slice(0, MAX_WORDS_PER_RULE)
    .filter((written) => written.length <= MAX_WORD_LENGTH)
    .map((written) => ({ written, normalised: normaliseText(written) }));
}

function missingWords(rule: WordRule): RuleProblem[] {
  if (rule.words.some((word) => word.trim() !== '')) return [];
  const message = rule.excludedWords.some((word) => word.trim() !== '')
    ? 'You only have excluded words. Add a keyword, or choose "Every comment".'
    : 'Add at least one keyword.';
  return [{ code: 'no_words', severity: 'error', field: 'words', words: [], message }];
}

function listProblems(field: RuleProblem['field'], words: readonly string[], entries: Entry[]): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const add = (code: RuleProblem['code'], severity: RuleProblem['severity'], concerned: string[], message: string) => {
    if (concerned.length > 0) problems.push({ code, severity, field, words: concerned, message });
  };
  if (words.length > MAX_WORDS_PER_RULE) {
    const message = `There are ${words.length} keywords. The limit is ${MAX_WORDS_PER_RULE}.`;
    problems.push({ code: 'too_many_words', severity: 'error', field, words: [], message });
  }
  const tooLong = words.filter((word) => word.length > MAX_WORD_LENGTH).map(cut);
  add('too_long_word', 'error', tooLong, `A keyword can have at most ${MAX_WORD_LENGTH} characters.`);
  const empty = entries.filter(({ normalised }) => normalised.key === '').map(({ written }) => written);
  add('empty_word', 'error', empty, 'This has no letters, numbers, emoji or symbols, so no comment can match it.');

  const seen = new Map<string, string>();
  for (const { written, normalised } of entries) {
    if (normalised.key === '') continue;
    const first = seen.get(normalised.key);
    if (first === undefined) seen.set(normalised.key, written);
    else add('duplicate_word', 'warning', [first, written], `"${first}" and "${written}" match the same comments.`);
  }
  for (const { written, normalised } of entries) {
    if (normalised.tokens.some((token) => token.kind === 'signs')) {
      add('signs_word', 'warning', [written], `"${written}" only matches comments made of symbols.`);
    }
    if (normalised.tokens.some((token) => token.kind === 'mention')) {
      const handle = normalised.tokens.find((token) => token.kind === 'mention')!.key;
      const message = `"${written}" only matches when people mention ${handle}, not the word alone.`;
      add('mention_word', 'warning', [written], message);
    }
  }
  return problems;
}

/** A word that is excluded, or has an excluded word within, never fires: the comment that says it says the other too. */
function wantedAndExcluded(rule: WordRule, words: Entry[], excluded: Entry[]): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const excludedKeys = new Map(excluded.map(({ written, normalised }) => [normalised.key, written]));
  excludedKeys.delete('');
  const longest = Math.max(0, ...excluded.map(({ normalised }) => normalised.tokens.length));
  // A part of a word is still found inside of longer words.
  const part = rule.mode === 'contains';
  const severity = part ? 'warning' : 'error';
  const effect = part ? 'is only found inside longer words' : 'can never match';
  for (const { written, normalised } of words) {
    const same = excludedKeys.get(normalised.key);
    const within = same ?? excludedKeys.get(phrasesOf(normalised, longest).find((key) => excludedKeys.has(key)) ?? '');
    if (within === undefined) continue;
    problems.push({
      code: same === undefined ? 'excluded_within_word' : 'excluded_word',
      severity,
      field: 'excludedWords',
      words: same === undefined ? [written, within] : [written],
      message: `"${written}" ${effect}, because "${within}" is an excluded word.`,
    });
  }
  return problems;
}

/** Keys of all runs of up to `longest` neighbouring tokens. */
function phrasesOf({ tokens }: NormalisedText, longest: number): string[] {
  const keys: string[] = [];
  for (let from = 0; from < tokens.length; from++) {
    let key = '';
    for (let to = from; to < tokens.length && to - from < longest; to++) {
      key += (to > from ? ' ' : '') + tokens[to]!.key;
      keys.push(key);
    }
  }
  return keys;
}

function shortParts(words: Entry[]): RuleProblem[] {
  const short = words.filter(({ normalised: { tokens, key } }) => tokens[0]?.kind === 'word' && key.length < 3);
  if (short.length === 0) return [];
  const written = short.map((entry) => entry.written);
  const message = `Short words are part of many others: ${quoted(written)}. Choose “The keyword is in the comment” to avoid false matches.`;
  return [{ code: 'short_part', severity: 'warning', field: 'words', words: written, message }];
}

function typosWithoutEffect(words: Entry[]): RuleProblem[] {
  const filled = words.filter(({ normalised }) => normalised.tokens.length > 0);
  const helps = ({ normalised }: Entry) =>
    normalised.tokens.some(({ kind, key }) => kind === 'word' && editsAllowed(key.length) > 0 && /\D/.test(key));
  if (filled.length === 0 || filled.some(helps)) return [];
  const written = filled.map((entry) => entry.written);
  const message = 'Typos are only matched in keywords with four or more letters, and none of yours has that many.';
  return [{ code: 'typos_without_effect', severity: 'warning', field: 'words', words: written, message }];
}

function quoted(words: string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}

function cut(word: string): string {
  return `${word.slice(0, 30)}…`;
}
