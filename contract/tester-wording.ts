/** The testers' verdict on a comment, in the editor (browser) and of saved automations (server), in words for the creator. */
import type { Explanation, How } from '#contract/matching/index.ts';

const SHOWN_AT_MOST = 5;

const HOW_SAYS: Record<How, string> = {
  exact: 'The comment is exactly your keyword.',
  whole_word: 'Your keyword is in the comment.',
  all_words: 'All your keywords are in the comment.',
  contains: 'Your keyword is in the comment.',
  typo: 'Looks like a typo of your keyword.',
  any_comment: 'This automation replies to every comment.',
};

export function howInWords(how: How): string {
  return HOW_SAYS[how];
}

/** Which word keeps the rule from answering this comment; null: none of its words is there at all. */
export function wordInTheWay({ verdict, excludedBy, matchedWords, missingWords }: Explanation<unknown>): string | null {
  if (verdict === 'excluded') return `It contains your excluded word ${quoted(excludedBy.map(({ word }) => word))}.`;
  return missingWords.length > 0 && matchedWords.length > 0 ? `It doesn’t contain ${quoted(missingWords)}.` : null;
}

/** The different ones of these words, the first few of them, in quotation marks. */
export function quoted(words: readonly string[]): string {
  const different = [...new Set(words)];
  const shown = different.slice(0, SHOWN_AT_MOST).map((word) => `“${word}”`);
  return shown.join(', ') + (different.length > SHOWN_AT_MOST ? ' …' : '');
}
