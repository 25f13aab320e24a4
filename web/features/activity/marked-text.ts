import { compileMatcher } from '#contract/matching/matching.ts';

/** A piece of a text; `marked` ones are what matched. Joined, the pieces are the text. */
export type Piece = { text: string; marked: boolean };

/** Cuts a text at places that must not overlap; places outside of it are left out. */
export function piecesOf(text: string, places: readonly { start: number; end: number }[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of [...places].sort((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false });
    pieces.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/** Marks where a creator's words stand in a comment, also inside of longer words and with typos. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return piecesOf(text, []);
  const rule = { words: [...words], mode: 'contains' as const, excludedWords: [], typoTolerance: true };
  const matcher = compileMatcher([{ id: 'words', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
  return piecesOf(text, matcher.match(text)?.found ?? []);
}
