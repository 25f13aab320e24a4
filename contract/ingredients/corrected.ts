/** A line as the creator wants it read: what we read, and their corrections on top. */
import type { LineFixes, RecipeLine } from '#contract/recipe-ingredients.ts';
import { type Fraction, readFraction } from './fractions.ts';
import { keyOf } from './lexicon.ts';
import type { Amount, Size } from './line.ts';
import { type Reading, readLine } from './reading.ts';
import type { RecipeLanguage } from './recipe-language.ts';

/** `none`: nothing to buy. */
export type LineState = 'certain' | 'checked' | 'to_check' | 'none';

/** The page says it otherwise since the creator corrected it. Lists go on by the correction. */
export function isWaiting({ pageSays }: Pick<RecipeLine, 'pageSays'>): boolean {
  return pageSays !== undefined;
}

/** A line with a correction of its own is read without the creator's words: what they teach later changes nothing of it. */
export function readCorrected(
  { text, fixes }: Pick<RecipeLine, 'text' | 'fixes'>,
  { lexicon, plain, measures }: RecipeLanguage,
): Reading {
  const isCorrected = Object.keys(fixes).length > 0;
  const read = readLine(text, { lexicon: isCorrected ? plain : lexicon, measures });
  const { kind, amounts, food, optional, preparation, notes } = fixes;
  return {
    ...read,
    ...(kind !== undefined && { kind }),
    ...(amounts !== undefined && { amounts: amounts.map(amountOf) }),
    ...(food !== undefined && { food: { name: food, key: keyOf(plain, food) }, alternatives: [] }),
    ...(optional !== undefined && { optional }),
    ...(preparation !== undefined && { preparation }),
    ...(notes !== undefined && { notes }),
  };
}

/** What the creator looked at needs no second look, whatever we think of it. */
export function stateOf({ checked, fixes }: Pick<RecipeLine, 'checked' | 'fixes'>, reading: Reading): LineState {
  if (reading.kind !== 'ingredient') return 'none';
  if (checked || Object.keys(fixes).length > 0) return 'checked';
  return reading.sure === 'certain' ? 'certain' : 'to_check';
}

type Fixed = NonNullable<LineFixes['amounts']>[number];

/** Exact, as lines and lists have it. */
export function amountOf({ each, ...size }: Fixed): Amount {
  return { ...sizeOf(size), each: each && sizeOf(each), isAbout: false, fill: null };
}

function sizeOf({ from, to, unit }: Omit<Fixed, 'each'>): Size {
  return { from: exact(from), to: to === null ? null : exact(to), unit };
}

/** The contract lets nothing else in. */
function exact(text: string): Fraction {
  const [n, d = 1] = text.split('/').map(Number);
  return readFraction(text) ?? { n: n!, d };
}
