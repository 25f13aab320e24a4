import type { Explanation } from '#contract/matching/index.ts';
import { wordInTheWay } from '#contract/tester-wording.ts';

const LOST_SAYS: Record<NonNullable<Explanation<unknown>['lostBy']>, string> = {
  scope: 'that one is for this post.',
  priority: 'that one has a higher priority.',
  how: 'its keyword is a better match.',
  length: 'its keyword is longer.',
  age: 'it’s older. Set a priority to choose yourself.',
  id: 'it came first. Set a priority to choose yourself.',
};

/** Why an automation that listens on the post does not answer this comment. */
export function whyNot(explanation: Explanation<unknown>): string {
  if (explanation.verdict === 'excluded' || explanation.verdict === 'no_match') {
    return wordInTheWay(explanation) ?? 'The comment doesn’t contain its keyword.';
  }
  return `It matches too, but another one replies: ${LOST_SAYS[explanation.lostBy ?? 'id']}`;
}
