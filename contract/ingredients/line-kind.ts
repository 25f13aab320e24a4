/** Whether a line names a food at all: recipes have headings and notes among their ingredients. */
import { amountsAt } from './amounts.ts';
import type { Line } from './line.ts';
import { lengthAt } from './numbers.ts';

export type LineKind = 'ingredient' | 'heading' | 'note';

/** Signs with which something begins that is read. */
const READ_SIGNS = ['(', '#', '@', '~', '≈', '"', '“'];
const ADDRESSES = ['#', '@', 'http', 'https', 'www'];
const LONGEST_LOUD_HEADING = 5;
const LONGEST_FOR = 6;

/** Bullets, boxes, emoji, and "1." of a numbered list. @returns where the line begins */
export function skipBullets(line: Line): number {
  const { tokens } = line;
  let at = 0;
  while (tokens[at]?.kind === 'sign' && !READ_SIGNS.includes(line.key(at))) at++;
  const isListed = tokens[at]?.kind === 'number' && ['.', ')'].includes(line.key(at + 1)) && tokens[at + 1]!.isGlued;
  const next = tokens[at + 2];
  return isListed && next?.kind === 'number' && !next.isGlued ? at + 2 : at;
}

export function kindOf(line: Line, begins: number): LineKind {
  const usual = usualKind(line, begins);
  if (usual !== 'ingredient' && !line.tokens.some(({ kind }) => kind === 'word')) return usual;
  if (usual !== 'ingredient') return line.takes('ingredient') ? 'ingredient' : usual;
  if (line.tokens.some(({ kind }) => kind === 'number')) return usual;
  if (line.takes('heading')) return 'heading';
  return line.takes('remark') ? 'note' : usual;
}

function usualKind(line: Line, begins: number): LineKind {
  const { tokens } = line;
  const last = tokens.length - 1;
  let words = 0;
  for (const { kind } of tokens) if (kind === 'word') words++;
  if (words === 0 || line.phrase('ignored', begins) > begins) return 'note';
  const hasAmount =
    amountsAt(line, begins) !== null ||
    tokens.some(({ value }, at) => at >= begins && value !== null && lengthAt(line, at) === null);
  const isFramed = tokens[0]!.kind === 'sign' && tokens[0]!.key === tokens[last]!.key;
  if (!hasAmount && (isFramed || line.key(last) === ':')) return 'heading';
  if (ADDRESSES.includes(line.key(begins))) return 'note';
  if (line.key(begins) === '(' && line.phrase('notes', begins + 1) > begins + 1) return 'note';
  if (!hasAmount && isHeading(line, begins, words)) return 'heading';
  const note = line.phrase('notes', begins);
  // "Cook’s chocolate", "read, washed": names a food at once.
  const isFood = line.phrase('foods', begins) > note || line.key(note) === ',';
  return note > begins && !isFood ? 'note' : 'ingredient';
}

/** "Topping", "For the sauce", "CREAM CHEESE FROSTING" */
function isHeading(line: Line, begins: number, words: number): boolean {
  const after = line.phrase('headings', begins);
  const isNothingElse = line.tokens.slice(after).every(({ kind }) => kind === 'sign');
  if (after > begins && isNothingElse) return true;
  const isFor = line.phrase('for', begins) > begins && !line.tokens.some(({ key }) => key === ':');
  if (isFor && words <= LONGEST_FOR) return true;
  const letters = line.text.replace(/\P{L}/gu, '');
  const isLoud = letters.length > 2 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  const last = line.length - 1;
  return isLoud && words <= LONGEST_LOUD_HEADING && (!line.hasFood(begins) || line.phrase('headings', last) > last);
}
