/** The tester's verdict on the automation in the editor, in the browser and at once. */
import {
  compileMatcher,
  type Explanation,
  type Found,
  MAX_WORD_LENGTH,
  normaliseText,
  type WordRule,
} from '#contract/matching/index.ts';
import { howInWords, quoted, wordInTheWay } from '#contract/tester-wording.ts';

export type Verdict = {
  answers: boolean;
  says: string;
  found: Found[];
  word: string;
  /** Listening for what was tried would make it answer. */
  canAdd: boolean;
};

const LONGEST_ADDED = 3;

/** Besides its own words: sets of Custom Keywords, and the words of its other languages. */
export type Further = { keywords: readonly WordRule[]; translations: readonly { words: string[] }[] };

/** As the server does: one of the ways to call it is enough; an excluded word of its own stops them all. */
export function tryDraft(rule: WordRule, text: string, further: Further = { keywords: [], translations: [] }): Verdict {
  const { excludedWords, typoTolerance } = rule;
  const mode: WordRule['mode'] = rule.mode === 'contains' || rule.mode === 'exact' ? rule.mode : 'whole_word';
  const ways: WordRule[] = [
    rule,
    ...further.keywords.map((set) => ({ ...set, excludedWords: [...set.excludedWords, ...excludedWords] })),
    ...further.translations.map(({ words }) => ({ words, mode, excludedWords, typoTolerance })),
  ];
  const matcher = compileMatcher(
    ways.map((way, at) => ({ id: String(at), rule: way, scope: 'post', priority: -at, createdAt: 0, value: null })),
  );
  const explanations = matcher.explain(text);
  const explanation =
    explanations.find((one) => one.verdict === 'wins') ??
    explanations.find((one) => one.verdict === 'excluded') ??
    explanations.find(({ candidate }) => candidate.id === '0')!;
  const { verdict, found, matchedWords, excludedBy } = explanation;
  return {
    answers: verdict === 'wins',
    says: verdict === 'wins' ? howInWords(explanation.how!) : whyNot(explanation, ways),
    found: verdict === 'excluded' ? excludedBy.flatMap((excluded) => excluded.found) : found,
    word: matchedWords[0] ?? '',
    canAdd: verdict === 'no_match' && rule.mode !== 'all_words' && isShort(text),
  };
}

/** As the creator writes keywords: in capitals where the first is. */
export function asKeyword(text: string, words: readonly string[]): string {
  const tried = text.trim();
  const first = words[0];
  return first !== undefined && first === first.toUpperCase() ? tried.toUpperCase() : tried;
}

function isShort(text: string): boolean {
  const { tokens } = normaliseText(text);
  return tokens.length > 0 && tokens.length <= LONGEST_ADDED && text.trim().length <= MAX_WORD_LENGTH;
}

function whyNot(explanation: Explanation<null>, ways: readonly WordRule[]): string {
  const words = ways.flatMap((way) => way.words);
  if (explanation.verdict !== 'excluded' && words.length === 0) return 'Add a keyword first.';
  const inTheWay = wordInTheWay(explanation);
  if (inTheWay !== null) return inTheWay;
  if (ways[0]!.mode === 'exact') return `It isn’t just ${quoted(words)}.`;
  return `It doesn’t contain ${quoted(words)}.`;
}
