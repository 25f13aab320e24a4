/** How alike two lines are, for finding a line again that was written a little differently. */

/** From here on two lines of one recipe are taken for the same one in two places of a page. */
const ALIKE = 0.6;

/** Sørensen-Dice over pairs of letters, without case and signs: 0 to 1. */
export function likeness(one: string, other: string): number {
  return diceOf(pairsOf(one), pairsOf(other));
}

/**
 * Which of `others` each line is: equal ones first, then the most alike. One is never two.
 *
 * @returns places in `others` by places in `lines`
 */
export function pairUp(lines: readonly string[], others: readonly string[], alike = ALIKE): Map<number, number> {
  const [mine, theirs] = [lines.map(pairsOf), others.map(pairsOf)];
  const scored = mine
    .flatMap((pairs, line) => theirs.map((their, other) => ({ line, other, score: diceOf(pairs, their) })))
    .filter(({ score }) => score >= alike)
    // Of equals the one that stands in the same place.
    .sort((a, b) => b.score - a.score || Math.abs(a.line - a.other) - Math.abs(b.line - b.other));
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { line, other } of scored) {
    if (found.has(line) || taken.has(other)) continue;
    found.set(line, other);
    taken.add(other);
  }
  return found;
}

type Pairs = { counts: Map<string, number>; total: number };

function pairsOf(text: string): Pairs {
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const counts = new Map<string, number>();
  for (let at = 0; at < letters.length - 1; at++) {
    const pair = letters.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  if (letters.length === 1) counts.set(letters, 1);
  return { counts, total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

function diceOf(one: Pairs, other: Pairs): number {
  if (one.total + other.total === 0) return 1;
  let shared = 0;
  for (const [pair, count] of one.counts) shared += Math.min(count, other.counts.get(pair) ?? 0);
  return (2 * shared) / (one.total + other.total);
}
