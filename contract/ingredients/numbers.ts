/** Numbers, measures and lengths, over the tokens of a line. */
import { add, compare, divide, type Fraction, fraction, multiply, ONE } from './fractions.ts';
import { type Line, remembered, type Size } from './line.ts';
import { dimensionOf, sizeOf } from './units.ts';

/** What was read from a token on, and the first token after it. */
export type Read<T> = { value: T; end: number };

/** A number, in digits or words, with its fraction: "1 1/2", "1½", "one and a half". */
export const numberAt = remembered((line, at): Read<Fraction> | null => {
  const { tokens, lexicon } = line;
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'word') {
    const end = line.phrase('numbers', at);
    if (end === at) return null;
    const words = tokens.slice(at, end).filter(({ kind }) => kind === 'word');
    const value = lexicon.numbers.get(words.map(({ key }) => key).join(' '))!;
    // "one 14-ounce can", but no name: "five-spice".
    if (line.key(end) === '-' && tokens[end]!.isGlued && unitAt(line, end) === null) return null;
    return fractionAfter(line, end, value) ?? { value, end };
  }
  if (token.kind !== 'number' || token.value === null) return null;
  // Of a name: "7 Up".
  if (line.phrase('foods', at) > at) return null;
  if (token.isPart) return dozensOf(line, { value: token.value, end: at + 1 });
  const slashed = slashedAt(line, at);
  if (slashed !== null) return dozensOf(line, slashed);
  if (line.key(at + 1) === '/' && tokens[at + 1]!.isGlued && tokens[at + 2]?.kind === 'number') {
    // A ratio: "80/20 beef".
    return null;
  }
  if (line.key(at + 1) === '%') return null;
  return dozensOf(line, fractionAfter(line, at + 1, token.value) ?? { value: token.value, end: at + 1 });
});

const DOZEN = fraction(12);

/** "2 dozen" */
function dozensOf(line: Line, { value, end }: Read<Fraction>): Read<Fraction> {
  const after = line.phrase('dozens', end);
  return after === end ? { value, end } : { value: multiply(value, DOZEN), end: after };
}

/** "1/2", "3/4" */
function slashedAt(line: Line, at: number): Read<Fraction> | null {
  if (line.key(at + 1) !== '/') return null;
  const [above, below] = [line.tokens[at], line.tokens[at + 2]];
  if (above?.value == null || below?.value == null) return null;
  const [n, d] = [above.value, below.value];
  if (n.d !== 1 || d.d !== 1 || above.isPart || below.isPart) return null;
  if (![2, 3, 4, 5, 6, 8, 10, 12, 16].includes(d.n) || n.n > 2 * d.n || line.tokens[at + 3]?.key === '/') return null;
  return { value: fraction(n.n, d.n), end: at + 3 };
}

/** "1" before "1/2" or "½" */
function fractionAfter(line: Line, at: number, whole: Fraction): Read<Fraction> | null {
  if (whole.d !== 1) return null;
  const from = line.key(at) === '-' ? at + 1 : line.phrase('and', at);
  const token = line.tokens[from];
  const part =
    token?.isPart && token.value !== null ? { value: token.value, end: from + 1 } : token && slashedAt(line, from);
  if (!part || part.value.n >= part.value.d) return null;
  // "2-1/2" is two and a half, "2 - 1/2" too; "1/2-3/4" never comes here.
  return { value: add(whole, part.value), end: part.end };
}

/** A measure: "tbsp", "fl. oz.", "-ounce". */
export const unitAt = remembered((line, at): Read<string> | null => {
  const { tokens, lexicon } = line;
  const begins = line.key(at) === '-' && tokens[at]!.isGlued ? at + 1 : at;
  const end = line.phrase('units', begins);
  if (end === begins) return misspelledUnitAt(line, begins);
  const words = tokens.slice(begins, end).filter(({ kind, key }) => kind !== 'sign' || key === '#');
  const unit = lexicon.units.get(words.map(({ key }) => key).join(' '))!;
  return { value: unit, end: line.key(end) === '.' && tokens[end]!.isGlued ? end + 1 : end };
});

/** "teapsoon", "tablespon": one slip in a long word. */
function misspelledUnitAt({ tokens, lexicon }: Line, at: number): Read<string> | null {
  const token = tokens[at];
  if (token?.kind !== 'word' || token.key.length < 7 || token.begins !== undefined || token.foods !== undefined)
    return null;
  const word = token.key;
  const meant = lexicon.longUnits.find(([name]) => isOneSlip(word, name));
  return meant === undefined ? null : { value: meant[1], end: at + 1 };
}

/** One letter more, less or other, or two changed about. */
function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(begin, one.length - end), other.slice(begin, other.length - end)];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''));
}

/** "T" is a tablespoon where "t" is a teaspoon. */
export function spoonOf(line: Line, text: string, at: number, unit: string): string {
  return unit === 'teaspoon' && text[line.tokens[at]!.start] === 'T' && line.tokens[at]!.key === 't'
    ? 'tablespoon'
    : unit;
}

export type Range = { from: Fraction; to: Fraction | null };

const BETWEEN = ['and', 'to'] as const;

export const rangeAt = remembered((line, at): Read<Range> | null => {
  const between = line.phrase('between', at);
  if (line.tokens[between]?.kind === 'sign') return null;
  const first = numberAt(line, between);
  if (first === null) return null;
  // "2-3", "2 to 3", "4- to 5-pound"
  const dashed = ['-', '~'].includes(line.key(first.end)) ? first.end + 1 : first.end;
  const separator = between > at ? line.anyPhrase(BETWEEN, dashed) : line.phrase('to', dashed);
  if (separator > first.end) {
    const second = numberAt(line, separator);
    if (second !== null && compare(second.value, first.value) > 0) {
      return { value: { from: first.value, to: second.value }, end: second.end };
    }
  }
  return { value: { from: first.value, to: null }, end: first.end };
});

/** A number with its measure and nothing else: "400 g", "14.5-oz", "2 to 3 cups". */
export const sizeAt = remembered((line, at): Read<Size & { isAbout: boolean }> | null => {
  const begins = line.skip(['qualifiers'], at);
  const range = rangeAt(line, begins);
  if (range === null) return null;
  const described = line.skip(['qualifiers', 'sizes'], range.end);
  const found = unitAt(line, described) ?? unitAt(line, range.end);
  if (found === null) return null;
  const unit = spoonOf(line, line.text, found.end - 1, found.value);
  const upper = range.value.to === null ? upperAt(line, found.end, range.value.from, unit) : null;
  const to = upper?.value ?? range.value.to;
  return { value: { from: range.value.from, to, unit, isAbout: begins > at }, end: upper?.end ?? found.end };
});

/** The other end of a range whose ends both have their measure: "200 g - 250 g", "900 g to 1 kg"; in the first measure. */
export function upperAt(line: Line, at: number, from: Fraction, unit: string): Read<Fraction> | null {
  const separator = line.key(at) === '-' ? at + 1 : line.phrase('to', at);
  const second = separator > at ? rangeAt(line, separator) : null;
  const measure = second && unitAt(line, second.end);
  if (!second || !measure || second.value.to !== null) return null;
  const [ours, theirs] = [sizeOf(unit, line.measures), sizeOf(measure.value, line.measures)];
  const scale =
    measure.value === unit
      ? ONE
      : ours && theirs && dimensionOf(unit) === dimensionOf(measure.value)
        ? divide(theirs, ours)
        : null;
  if (scale === null) return null;
  const value = multiply(second.value.from, scale);
  // "1 cup or 240 ml" says the same twice.
  const isWider = compare(value, from) > 0 && (scale === ONE || (isTen(scale.n) && scale.d === 1));
  return isWider ? { value, end: measure.end } : null;
}

function isTen(n: number): boolean {
  return [10, 100, 1000].includes(n);
}

/** "2-inch", "1/4 inch thick": a length says nothing of how much. @returns the first token after it */
export const lengthAt: (line: Line, at: number) => number | null = remembered((line, at) => {
  const range = rangeAt(line, line.skip(['qualifiers'], at));
  if (range === null) return null;
  const dashed = line.key(range.end) === '-' ? range.end + 1 : range.end;
  const end = line.phrase('lengths', dashed);
  if (end === dashed) return null;
  const times = line.phrase('times', end);
  return (times > end ? lengthAt(line, times) : null) ?? end;
});

/** Where the bracket that opens here is closed; the end of the line for one that never is. */
export function closingOf(line: Line, open: number): number {
  return closings(line, 0)[open] ?? line.length;
}

const closings = remembered((line) => {
  const closed: number[] = [];
  const opened: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line.opensBracket(at)) opened.push(at);
    else if (line.afterBracket(at) !== null && opened.length > 0) closed[opened.pop()!] = at;
  }
  return closed;
});
