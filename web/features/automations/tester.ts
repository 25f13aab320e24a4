/** What the tester says of the automation in the editor, in the browser and at once. */
import { compileMatcher, type Explanation, type Found, type How, type WordRule } from '#contract/matching/matching.ts';

const HOW_SAYS: Record<How, string> = {
  exact: 'The comment is exactly your word.',
  whole_word: 'Your word stands in the comment.',
  all_words: 'All your words are in the comment.',
  contains: 'Your word is part of the comment.',
  typo: 'It reads like a slip of the finger for your word.',
  any_comment: 'This automation answers every comment.',
};

export type Verdict = { answers: boolean; says: string; found: Found[]; word: string };

export function tryDraft(rule: WordRule, text: string): Verdict {
  const matcher = compileMatcher([{ id: 'draft', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  const explanation = matcher.explain(text)[0]!;
  const { verdict, found, matchedWords, excludedBy } = explanation;
  return {
    answers: verdict === 'wins',
    says: verdict === 'wins' ? HOW_SAYS[explanation.how!] : whyNot(explanation, rule),
    found: verdict === 'excluded' ? excludedBy.flatMap((excluded) => excluded.found) : found,
    word: matchedWords[0] ?? '',
  };
}

function whyNot({ verdict, excludedBy, matchedWords, missingWords }: Explanation<null>, rule: WordRule): string {
  if (verdict === 'excluded') {
    return `It has your excluded word ${quoted(excludedBy.map(({ word }) => word))}.`;
  }
  if (rule.words.length === 0) return 'There is no word yet to listen for.';
  if (missingWords.length > 0 && matchedWords.length > 0) return `It lacks ${quoted(missingWords)}.`;
  if (rule.mode === 'exact') return `It is not just ${quoted(rule.words)}.`;
  return `${quoted(rule.words)} ${rule.words.length === 1 ? 'is' : 'are'} not in it.`;
}

const SHOWN_AT_MOST = 5;

function quoted(words: readonly string[]): string {
  const different = [...new Set(words)];
  const shown = different.slice(0, SHOWN_AT_MOST).map((word) => `“${word}”`);
  return shown.join(', ') + (different.length > SHOWN_AT_MOST ? ' …' : '');
}
