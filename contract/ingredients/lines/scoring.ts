/** How well the reader does on lines that people labelled. */

import {
  add,
  divide,
  type Fraction,
  multiply,
  ONE,
  readFraction,
  subtract,
  writeFraction,
} from '#contract/ingredients/fractions.ts';
import { keyOf, type Lexicon } from '#contract/ingredients/lexicon.ts';
import { Line } from '#contract/ingredients/line.ts';
import { numberAt, unitAt } from '#contract/ingredients/numbers.ts';
import { type Reading, readLine } from '#contract/ingredients/reading.ts';
import { dimensionOf, type Measures, sizeOf } from '#contract/ingredients/units.ts';
import { foldWord } from '#contract/ingredients/words.ts';

type LabelledSize = { from: string; to?: string | null; unit?: string | null };

export type Labelled = {
  text: string;
  /** What shape of line it is an example of. */
  share?: string;
  measures?: Measures;
  amounts?: (LabelledSize & { each?: LabelledSize | null })[];
  /** Names that are accepted, best first. */
  food?: string[];
  alternatives?: string[][];
  kind?: Reading['kind'];
  optional?: boolean;
  toTaste?: boolean;
};

export type Figures = {
  lines: number;
  amountAndUnit: number;
  food: number;
  allRight: number;
  /** Of lines marked certain, right. */
  certainRight: number;
  certain: number;
  /** Lines with a number that is not in their text. */
  invented: number;
};

/** Of a file of one JSON object a line. @throws SyntaxError naming the line */
export function readLabelled(file: string): Labelled[] {
  return file
    .split('\n')
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, at }) => {
      try {
        return JSON.parse(line) as Labelled;
      } catch {
        throw new SyntaxError(`Line ${at + 1} is no JSON.`);
      }
    });
}

type Judged = { amounts: boolean; food: boolean; all: boolean; certain: boolean; invented: boolean };

export function scoreLines(lines: Labelled[], lexicon: Lexicon): { figures: Figures; wrong: object[] } {
  const judged = lines.map((label) => {
    const reading = readLine(label.text, { lexicon, ...(label.measures && { measures: label.measures }) });
    return { label, reading, is: judge(label, reading, lexicon) };
  });
  const share = (part: number, of: number) => (of === 0 ? 0 : Math.round((part / of) * 10_000) / 100);
  const count = (test: (is: Judged) => boolean) => judged.filter(({ is }) => test(is)).length;
  const certain = count((is) => is.certain);
  return {
    figures: {
      lines: lines.length,
      amountAndUnit: share(
        count((is) => is.amounts),
        lines.length,
      ),
      food: share(
        count((is) => is.food),
        lines.length,
      ),
      allRight: share(
        count((is) => is.all),
        lines.length,
      ),
      certainRight: share(
        count((is) => is.certain && is.all),
        certain,
      ),
      certain: share(certain, lines.length),
      invented: count((is) => is.invented),
    },
    wrong: judged
      .filter(({ is }) => !is.all)
      .map(({ label, reading, is }) => ({
        text: label.text,
        ...(is.certain && { CERTAIN: true }),
        ...(!is.amounts && { amounts: show(reading), want: label.amounts }),
        ...(!is.food && { food: reading.food?.name, wantFood: label.food }),
        ...(is.amounts && is.food && { got: rest(reading), wanted: rest(label) }),
      })),
  };
}

/**
 * How far the share of lines that are marked certain and right depends on which lines one looks at: of each fold by itself. Weights
 * are set by hand and nothing is fitted, so no fold has learned from another.
 */
export function scoreFolds(lines: Labelled[], lexicon: Lexicon, folds: number): { least: number; mean: number } {
  const shares = Array.from({ length: folds }, (_, fold) => lines.filter((_, at) => at % folds === fold))
    .filter((part) => part.length > 0)
    .map((part) => scoreLines(part, lexicon).figures.certainRight);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { least: Math.min(...shares), mean: Math.round(mean * 100) / 100 };
}

function judge(label: Labelled, reading: Reading, lexicon: Lexicon): Judged {
  const amounts = sameAmounts(label, reading, lexicon);
  const food = sameFood(label, reading, lexicon);
  const alternatives = sameAlternatives(label, reading, lexicon);
  const kind = (label.kind ?? 'ingredient') === reading.kind;
  const flags = (label.optional ?? false) === reading.optional && (label.toTaste ?? false) === reading.toTaste;
  return {
    amounts,
    food,
    all: amounts && food && alternatives && kind && flags && losesNothing(reading),
    certain: reading.sure === 'certain',
    invented: inventsNumbers(reading, lexicon, label.measures),
  };
}

function sameAmounts(
  { amounts: wanted = [], food: names = [], measures = 'us' }: Labelled,
  { amounts, food }: Reading,
  lexicon: Lexicon,
): boolean {
  if (wanted.length !== amounts.length) return false;
  return wanted.every((one, at) => {
    const got = amounts[at]!;
    if (!one.each !== (got.each === null)) return false;
    return (
      sameSize(one, got, [...names, food?.name ?? ''], measures, lexicon) &&
      (!one.each || sameSize(one.each, got.each!, [], measures, lexicon))
    );
  });
}

type Size = { from: Fraction; to: Fraction | null; unit: string | null };

/** 9/8 lb is 18 oz; and a part that is counted may be the measure or belong to the name: "2 garlic cloves". */
function sameSize(label: LabelledSize, got: Size, names: string[], measures: Measures, lexicon: Lexicon): boolean {
  const wanted = {
    from: readFraction(label.from),
    to: label.to ? readFraction(label.to) : null,
    unit: unitNamed(label.unit ?? null, lexicon),
  };
  if (wanted.from === null || (wanted.to === null) !== (got.to === null)) return false;
  const scale = (unit: string | null) => (unit === null ? null : sizeOf(unit, measures));
  const isSame = (a: Fraction, b: Fraction) => writeFraction(a) === writeFraction(b);
  if (wanted.unit === got.unit || isPartOfName(wanted.unit, got.unit, names, lexicon)) {
    return isSame(wanted.from, got.from) && (wanted.to === null || isSame(wanted.to, got.to!));
  }
  const [theirs, ours] = [scale(wanted.unit), scale(got.unit)];
  if (theirs === null || ours === null || dimensionOf(wanted.unit!) !== dimensionOf(got.unit!)) return false;
  return isSame(multiply(wanted.from, theirs), multiply(got.from, ours)) && wanted.to === null;
}

function isPartOfName(one: string | null, other: string | null, names: string[], lexicon: Lexicon): boolean {
  const unit = one ?? other;
  if (
    (one === null) === (other === null) ||
    unit === null ||
    dimensionOf(unit) === 'mass' ||
    dimensionOf(unit) === 'volume'
  )
    return false;
  return names.some((name) => name.split(/\W+/).some((word) => unitNamed(word, lexicon) === unit));
}

/** A file may write "g" for gram. */
function unitNamed(unit: string | null, lexicon: Lexicon): string | null {
  if (unit === null || unit === '' || dimensionOf(unit) !== null) return unit || null;
  return lexicon.units.get(foldWord(unit)) ?? unit;
}

function sameFood({ food: wanted = [] }: Labelled, { food }: Reading, lexicon: Lexicon): boolean {
  if (wanted.length === 0 || food === null) return wanted.length === 0 && food === null;
  return wanted.some((name) => keyOf(lexicon, name) === food.key);
}

function sameAlternatives(
  { alternatives: wanted = [] }: Labelled,
  { alternatives }: Reading,
  lexicon: Lexicon,
): boolean {
  if (wanted.length !== alternatives.length) return false;
  return wanted.every((names) => alternatives.some(({ key }) => names.some((name) => keyOf(lexicon, name) === key)));
}

/** Each letter and digit stands in exactly one span. */
export function losesNothing({ text, spans }: Reading): boolean {
  return [...text.matchAll(/[\p{L}\p{N}]/gu)].every(({ index }) => {
    return spans.filter(({ start, end }) => start <= index && index < end).length === 1;
  });
}

/** Not every number stands in the line, or is the sum of two that do. */
export function inventsNumbers({ amounts, text }: Reading, lexicon: Lexicon, measures: Measures = 'us'): boolean {
  const line = new Line(text, lexicon, measures);
  const written = line.tokens.flatMap((token, at) => {
    const value = numberAt(line, at)?.value ?? token.value;
    const article = line.phrase('articles', at) > at ? [ONE] : [];
    return value === null || value === undefined ? article : [value, ...article];
  });
  const units = line.tokens.flatMap((_, at) => unitAt(line, at)?.value ?? []);
  const sizes = units.flatMap((unit) => sizeOf(unit, measures) ?? []);
  const ratios = [ONE, ...sizes.flatMap((one) => sizes.map((other) => divide(one, other)))];
  const scaled = written.flatMap((value) => ratios.map((ratio) => multiply(value, ratio)));
  const allowed = new Set(
    [...scaled, ...written.flatMap((a) => scaled.flatMap((b) => [add(a, b), subtract(a, b)]))].map(writeFraction),
  );
  return amounts
    .flatMap(({ from, to, each }) => [from, to, each?.from, each?.to])
    .some((value) => value != null && !allowed.has(writeFraction(value)));
}

function show({ amounts }: Reading) {
  const size = ({ from, to, unit }: Size) =>
    `${writeFraction(from)}${to ? `-${writeFraction(to)}` : ''} ${unit ?? ''}`.trim();
  return amounts.map((amount) => `${size(amount)}${amount.each ? ` of ${size(amount.each)}` : ''}`).join(' | ');
}

function rest({
  alternatives,
  kind,
  optional,
  toTaste,
}: Pick<Reading | Labelled, 'alternatives' | 'kind' | 'optional' | 'toTaste'>) {
  return JSON.stringify({ alternatives, kind, optional, toTaste });
}
