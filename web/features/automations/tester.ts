/** What the tester says of the automation in the editor, in the browser and at once. */
import { compileMatcher, type Explanation, type Found, type WordRule } from '#contract/matching/matching.ts';
import { howInWords, quoted, wordInTheWay } from '#contract/tester-wording.ts';

export type Verdict = { answers: boolean; says: string; found: Found[]; word: string };

export function tryDraft(rule: WordRule, text: string): Verdict {
  const matcher = compileMatcher([{ id: 'draft', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  const explanation = matcher.explain(text)[0]!;
  const { verdict, found, matchedWords, excludedBy } = explanation;
  return {
    answers: verdict === 'wins',
    says: verdict === 'wins' ? howInWords(explanation.how!) : whyNot(explanation, rule),
    found: verdict === 'excluded' ? excludedBy.flatMap((excluded) => excluded.found) : found,
    word: matchedWords[0] ?? '',
  };
}

function whyNot(explanation: Explanation<null>, rule: WordRule): string {
  if (explanation.verdict !== 'excluded' && rule.words.length === 0) return 'There is no word yet to listen for.';
  const inTheWay = wordInTheWay(explanation);
  if (inTheWay !== null) return inTheWay;
  if (rule.mode === 'exact') return `It is not just ${quoted(rule.words)}.`;
  return `${quoted(rule.words)} ${rule.words.length === 1 ? 'is' : 'are'} not in it.`;
}
