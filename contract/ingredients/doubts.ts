/** What is not certain of a reading: which field, why, and the words that it hangs on. */
import type { Draft } from './draft.ts';
import type { Line, Piece } from './line.ts';

export type Sure = 'certain' | 'likely' | 'unsure';
export type Field = 'amount' | 'unit' | 'food' | 'rest';
export type Sureness = Record<Field, Sure>;

const FIELDS = {
  no_food: 'food',
  unknown_food: 'food',
  long_food: 'food',
  several_foods: 'food',
  food_in_note: 'rest',
  unknown_alternative: 'rest',
  number_left: 'amount',
  unknown_measure: 'unit',
} as const satisfies Record<string, Field>;

export type Why = keyof typeof FIELDS;
/** `text`: words of the line, for "Is *schmear* a measure?"; empty where it is about all of it. */
export type Doubt = { field: Field; why: Why; text: string };

/** More words than any food's name has. */
const LONG_NAME = 6;

const ALL_CERTAIN: Sureness = { amount: 'certain', unit: 'certain', food: 'certain', rest: 'certain' };

export function surenessOf(doubts: readonly Doubt[]): Sureness {
  if (doubts.length === 0) return { ...ALL_CERTAIN };
  const of = (field: Field) => surely(doubts.filter((doubt) => doubt.field === field));
  return { amount: of('amount'), unit: of('unit'), food: of('food'), rest: of('rest') };
}

/** Of all of it, or of one field. */
export function surely(doubts: readonly Doubt[]): Sure {
  if (doubts.length === 0) return 'certain';
  return doubts.length > 1 || doubts[0]!.why === 'no_food' ? 'unsure' : 'likely';
}

export function doubtsOf(draft: Draft): Doubt[] {
  const { line, food, unknownMeasure } = draft;
  const doubts = food === null ? [doubt('no_food')] : doubtsOfName(line, food);
  if (unknownMeasure !== null) doubts.push(doubt('unknown_measure', line.textOf(unknownMeasure)));
  const stranger = draft.alternatives.find(({ key }) => !line.endsAsFood(key));
  if (stranger !== undefined) doubts.push(doubt('unknown_alternative', stranger.name));
  const isOfFood = (note: Piece) => line.mentionsFood(note) && line.phrase('ends', note.from) === note.from;
  const note = draft.notes.find(isOfFood);
  if (note !== undefined) doubts.push(doubt('food_in_note', line.textOf(note)));
  const left = numberLeft(line);
  if (left !== null) doubts.push(doubt('number_left', line.tokens[left]!.key));
  return doubts;
}

/** The first number that belongs to no amount and no food. */
export function numberLeft(line: Line): number | null {
  for (let at = 0; at < line.length; at++) {
    if (line.tokens[at]!.kind === 'number' && !['amount', 'food', 'alternative', 'brand'].includes(line.roleOf(at))) {
      return at;
    }
  }
  return null;
}

function doubtsOfName(line: Line, { name, key }: { name: string; key: string }): Doubt[] {
  const doubts: Doubt[] = [];
  const words = key.split(' ');
  const unknown = words.filter((word) => !line.lexicon.foodWords.has(word) && !/^\d{1,3}%?$/.test(word));
  if (unknown.length > 0 || !line.endsAsFood(key)) doubts.push(doubt('unknown_food', unknown.join(' ') || name));
  if (words.length > LONG_NAME) doubts.push(doubt('long_food', name));
  const hasAnd = words.some((word) => line.lexicon.phrases.and.has(word));
  if (hasAnd && !line.lexicon.foods.has(key)) doubts.push(doubt('several_foods', name));
  return doubts;
}

function doubt(why: Why, text = ''): Doubt {
  return { field: FIELDS[why], why, text };
}
