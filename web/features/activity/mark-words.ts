import { compileMatcher } from '#contract/matching/index.ts';
import { type Piece, piecesOf } from '#web/features/activity/marked-text.ts';

/** Marks where a creator's words stand in a comment, also inside of longer words and with typos. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return piecesOf(text, []);
  const rule = { words: [...words], mode: 'contains' as const, excludedWords: [], typoTolerance: true };
  const matcher = compileMatcher([{ id: 'words', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  return piecesOf(text, matcher.match(text)?.found ?? []);
}
