/** Lines as they are read, for the screen; a line that did not change is not read again. */
import { type LineState, readCorrected, stateOf } from '#contract/ingredients/corrected.ts';
import { compare, type Fraction, fraction, writeFraction } from '#contract/ingredients/fractions.ts';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import type { Size } from '#contract/ingredients/line.ts';
import { type Item, listOf } from '#contract/ingredients/merging.ts';
import { meaningOf, otherReadings, type Reading, readLine } from '#contract/ingredients/reading.ts';
import type { RecipeLanguage } from '#contract/ingredients/recipe-language.ts';
import type { IngredientsInput, LineFixes, RecipeLine } from '#contract/recipe-ingredients.ts';

/** Of the contract. */
const MOST_AMOUNTS = 3;

export type ReadLine = { line: RecipeLine; reading: Reading; state: LineState; language: RecipeLanguage };

const known = new WeakMap<RecipeLine, ReadLine>();

export function readLines({ lines }: Pick<IngredientsInput, 'lines'>, language: RecipeLanguage): ReadLine[] {
  return lines.map((line) => {
    const before = known.get(line);
    if (before?.language === language) return before;
    const reading = readCorrected(line, language);
    const read = { line, reading, state: stateOf(line, reading), language };
    known.set(line, read);
    return read;
  });
}

/**
 * The list that shoppers see; lines to check stand on it as they were written.
 *
 * @param factor servings wanted by those of the recipe
 */
export function shoppingList(
  content: IngredientsInput,
  factor: Fraction,
  language: RecipeLanguage,
): { items: Item[]; unread: RecipeLine[] } {
  const reads = readLines(content, language);
  const isUnsure = ({ state }: ReadLine) => state === 'to_check';
  const lines = reads.filter((read) => !isUnsure(read)).map(({ line, reading }) => ({ id: line.id, reading }));
  const items = listOf([{ id: 'recipe', factor, measures: content.measures, lines }], language);
  return { items, unread: reads.filter(isUnsure).map(({ line }) => line) };
}

/** What is typed as an amount: "2", "1 ½", "2-3". @returns null where it is none, an empty list for no amount */
export function amountTyped(typed: string): Pick<Size, 'from' | 'to'>[] | null {
  if (typed.trim() === '') return [];
  const { amounts } = readLine(`${typed} cups flour`, { lexicon: ENGLISH });
  const [amount, ...others] = amounts;
  if (amount === undefined || others.length > 0 || amount.unit !== 'cup' || amount.each !== null) return null;
  return [{ from: amount.from, to: amount.to }];
}

export function sameAmount(a: Pick<Size, 'from' | 'to'>, b: Pick<Size, 'from' | 'to'>): boolean {
  if ((a.to === null) !== (b.to === null)) return false;
  return compare(a.from, b.from) === 0 && (a.to === null || compare(a.to, b.to!) === 0);
}

/** Other ways to read the line that the creator's corrections can say. */
export function choicesOf({ line, reading, language }: ReadLine): { reading: Reading; fixes: LineFixes }[] {
  return otherReadings(line.text, language)
    .filter((other) => other.kind !== reading.kind || other.alternatives.length === 0)
    .map((other) => ({ reading: other, fixes: fixesOf(other) }));
}

/**
 * A line with a correction is read without the creator’s words, so that words to come change nothing of it: the first correction
 * keeps what words have made of it until then.
 */
export function correction({ line, reading, language }: ReadLine, fixes: LineFixes): LineFixes {
  if (Object.keys(line.fixes).length > 0) return fixes;
  const plain = readLine(line.text, { ...language, lexicon: language.plain });
  return meaningOf(plain) === meaningOf(reading) ? fixes : { ...fixesOf(reading), ...fixes };
}

function fixesOf({ kind, amounts, food, optional }: Reading): LineFixes {
  if (kind !== 'ingredient') return { kind };
  return {
    kind,
    amounts: amounts.slice(0, MOST_AMOUNTS).map((amount) => ({
      ...written(amount),
      each: amount.each && written(amount.each),
    })),
    ...(food !== null && { food: food.name }),
    optional,
  };
}

/** The first amount changed; what the line says in other measures would contradict it, and goes. */
export function fixOfAmount(
  { amounts }: Pick<Reading, 'amounts'>,
  change: Partial<Pick<Size, 'from' | 'to' | 'unit'>>,
): Required<Pick<LineFixes, 'amounts'>> {
  const first = amounts[0];
  const { from = fraction(1), to = null, unit = null } = { ...first, ...change };
  return { amounts: [{ ...written({ from, to, unit }), each: first?.each ? written(first.each) : null }] };
}

function written({ from, to, unit }: Size) {
  return { from: writeFraction(from), to: to && writeFraction(to), unit };
}
