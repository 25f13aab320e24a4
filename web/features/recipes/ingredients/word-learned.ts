/** What a correction of one line could teach for all others. */
import { IngredientWordInput } from '#contract/ingredient-words.ts';
import { divide, isExact, ONE, readFraction, writeFraction } from '#contract/ingredients/fractions.ts';
import { keyOf } from '#contract/ingredients/lexicon.ts';
import { type Reading, readLine } from '#contract/ingredients/reading.ts';
import { dimensionOf, nameOfUnit } from '#contract/ingredients/units.ts';
import { foldWord } from '#contract/ingredients/words.ts';
import type { LineFixes } from '#contract/recipe-ingredients.ts';
import type { ReadLine } from '#web/features/recipes/ingredients/readings.ts';

/** @returns the word that would have read the line as the creator corrected or confirmed it; null: there is none to learn */
export function wordLearned({ line, language }: Pick<ReadLine, 'line' | 'language'>): IngredientWordInput | null {
  const { fixes, checked, text } = line;
  const isCorrected = fixes.amounts !== undefined || fixes.food !== undefined;
  if (!isCorrected && !checked) return null;
  const before = readLine(text, language);
  if (before.kind !== 'ingredient') return null;
  const word = isCorrected
    ? (measureOf(before, fixes, language) ?? otherNameOf(before, fixes, language))
    : unknownFood(before);
  return IngredientWordInput.safeParse(word).success ? word : null;
}

/** "2 glugs" that are 2 tbsp: one is 1 tbsp. */
function measureOf(
  before: Reading,
  { amounts, food }: LineFixes,
  language: ReadLine['language'],
): IngredientWordInput | null {
  const [fixed] = amounts ?? [];
  const [was] = before.amounts;
  const word = measureIn(before, food, language);
  if (word === null || fixed === undefined || fixed.unit === null || fixed.to !== null || fixed.unit === was?.unit) {
    return null;
  }
  const from = readFraction(fixed.from);
  const size = from && divide(from, was?.from ?? ONE);
  if (size === null || !isExact(size) || readFraction(writeFraction(size)) === null) return null;
  return { kind: 'unit', word, means: `${writeFraction(size)} ${fixed.unit}` };
}

/** What stands where a measure would; measures of which everybody knows the size are what they are. */
function measureIn(
  { amounts, doubts, food }: Reading,
  corrected: string | undefined,
  language: ReadLine['language'],
): string | null {
  const unit = amounts[0]?.unit ?? null;
  if (unit !== null) return dimensionOf(unit) === 'vague' ? nameOfUnit(unit) : null;
  const unknown = doubts.find(({ why }) => why === 'unknown_measure');
  if (unknown !== undefined) return inSingular(unknown.text, language);
  // "2 schmears butter", of which butter is the food.
  const name = food?.name ?? '';
  return corrected !== undefined && name.endsWith(` ${corrected}`)
    ? inSingular(name.slice(0, -corrected.length - 1), language)
    : null;
}

/** In English; what other languages give for it are stems. */
function inSingular(words: string, { code, plain }: ReadLine['language']): string {
  const [last = '', ...others] = words.split(' ').toReversed();
  return code === 'en' ? [plain.singular(foldWord(last)), ...others].toReversed().join(' ') : words;
}

function otherNameOf(
  { food }: Reading,
  { food: name = '' }: LineFixes,
  { plain }: ReadLine['language'],
): IngredientWordInput | null {
  if (food === null || name.trim() === '' || keyOf(plain, name) === food.key) return null;
  return { kind: 'alias', word: food.name, means: name.trim() };
}

/** Nobody corrected it, and somebody looked at it. */
function unknownFood({ food, doubts }: Reading): IngredientWordInput | null {
  const isOnlyDoubt = doubts.length === 1 && doubts[0]!.why === 'unknown_food';
  return food !== null && isOnlyDoubt ? { kind: 'food', word: food.name, means: '' } : null;
}
