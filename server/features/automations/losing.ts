import type { Explanation } from '#contract/matching/matching.ts';
import { wordInTheWay } from '#contract/tester-wording.ts';

const LOST_SAYS: Record<NonNullable<Explanation<unknown>['lostBy']>, string> = {
  scope: 'that one is for this very post.',
  priority: 'that one has the higher priority.',
  how: 'its word fits the comment better.',
  length: 'its word is longer.',
  age: 'it is older. Set a priority to decide yourself.',
  id: 'it happened to be first. Set a priority to decide yourself.',
};

/** Why an automation that listens on the post does not answer this comment. */
export function whyNot(explanation: Explanation<unknown>): string {
  if (explanation.verdict === 'excluded' || explanation.verdict === 'no_match') {
    return wordInTheWay(explanation) ?? 'None of its words are in the comment.';
  }
  return `It matches too, but another one goes first: ${LOST_SAYS[explanation.lostBy ?? 'id']}`;
}
