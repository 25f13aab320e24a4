import { captionWords } from '#contract/caption-words.ts';
import { compileMatcher, type WordRule } from '#contract/matching/index.ts';

/**
 * The word that the caption asks for and the automation would not hear; null when all is well. Somebody who writes just
 * what the caption says must get an answer.
 *
 * @returns `asked` as the caption writes it
 */
export function captionMismatch(caption: string, rule: WordRule): { asked: string } | null {
  const asked = captionWords(caption);
  if (asked.length === 0 || rule.mode === 'any_comment' || rule.words.length === 0) return null;
  const matcher = compileMatcher([{ id: 'draft', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  // All words must be there: then the caption's whole list is what somebody would write.
  const heard = asked.some((word) => matcher.match(word) !== null) || matcher.match(asked.join(' ')) !== null;
  return heard ? null : { asked: asked[0]! };
}
