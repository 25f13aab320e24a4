import { type Token, tokenise } from './tokens.ts';

export type MatchMode = 'whole_word' | 'contains' | 'exact' | 'all_words' | 'any_comment';

export type WordRule = {
  words: string[];
  mode: MatchMode;
  excludedWords: string[];
  typoTolerance: boolean;
};

export type Candidate<T> = {
  id: string;
  rule: WordRule;
  /** Whether the automation was set up for this very post, or for any. */
  scope: 'post' | 'any_post';
  /** Larger goes first. */
  priority: number;
  /** Milliseconds since the epoch; the older automation goes first. */
  createdAt: number;
  /** The caller's own value, handed back with a match. */
  value: T;
};

/** A longer word (UTF-16 units) is never found. */
export const MAX_WORD_LENGTH = 100;
/** Words of a rule beyond this many are not looked at; the same holds for excluded words. */
export const MAX_WORDS_PER_RULE = 2_000;
export type NormalisedText = {
  tokens: Token[];
  /** The keys of the tokens with a space between: two texts with the same key match the same rules. */
  key: string;
};

/** The text as the matcher sees it. Normalising the key again gives the same key. */
export function normaliseText(text: string): NormalisedText {
  const tokens = tokenise(text);
  return { tokens, key: keyOf(tokens) };
}

/** A word of a rule as the matcher takes it. */
export type UsableWord = {
  /** As the creator wrote it. */
  written: string;
  /** Null when it is too long to be looked for. */
  tokens: Token[] | null;
  length: number;
};

/** Words without the empty ones and without repeats. Too long ones stay (all_words must not do without), with no tokens. */
export function usableWords(words: readonly string[]): UsableWord[] {
  const usable = new Map<string, UsableWord>();
  for (const written of words.slice(0, MAX_WORDS_PER_RULE)) {
    if (written.length > MAX_WORD_LENGTH) {
      usable.set(written, { written, tokens: null, length: written.length });
      continue;
    }
    const { tokens, key } = normaliseText(written);
    if (key !== '' && !usable.has(key)) usable.set(key, { written, tokens, length: key.length });
  }
  return [...usable.values()];
}

function keyOf(tokens: Token[]): string {
  return tokens.map((token) => token.key).join(' ');
}
