/** What the tester and the clash warning say, in words for the creator. */
import type { Explanation, How } from '#contract/matching/matching.ts';

const HOW_SAYS: Record<How, string> = {
  exact: 'The comment is exactly your word.',
  whole_word: 'Your word stands in the comment.',
  all_words: 'All your words are in the comment.',
  contains: 'Your word is part of the comment.',
  typo: 'It reads like a slip of the finger for your word.',
  any_comment: 'This automation answers every comment.',
};

export function howInWords(how: How): string {
  return HOW_SAYS[how];
}

/** Why an automation that listens on the post does not answer this comment. */
export function whyNot(explanation: Explanation<unknown>): string {
  switch (explanation.verdict) {
    case 'excluded':
      return `The comment has your excluded word ${quoted(explanation.excludedBy.map(({ word }) => word))}.`;
    case 'no_match':
      return explanation.missingWords.length > 0 && explanation.matchedWords.length > 0
        ? `The comment lacks ${quoted(explanation.missingWords)}.`
        : 'None of its words are in the comment.';
    default:
      return `It matches too, but another one goes first: ${LOST_SAYS[explanation.lostBy ?? 'id']}`;
  }
}

const LOST_SAYS: Record<NonNullable<Explanation<unknown>['lostBy']>, string> = {
  scope: 'that one is for this very post.',
  priority: 'that one has the higher priority.',
  how: 'its word fits the comment better.',
  length: 'its word is longer.',
  age: 'it is older. Set a priority to decide yourself.',
  id: 'it happened to be first. Set a priority to decide yourself.',
};

function quoted(words: string[]): string {
  return [...new Set(words)].map((word) => `“${word}”`).join(', ');
}
