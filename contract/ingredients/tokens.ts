/** A line cut into words, numbers and signs, each with its place. */
import { type Fraction, fraction, MOST } from './fractions.ts';
import { beginningsAt, type Form, formOf, type Lexicon } from './lexicon.ts';

export type Token = {
  kind: 'word' | 'number' | 'sign';
  /** Folded; of a sign itself, with all dashes as "-", and "&" as "and". */
  key: string;
  /** Of a word. */
  singular: string;
  /** Of a number. */
  value: Fraction | null;
  /** Of a number: written by itself as ½, so that "1½" is one and a half. */
  isPart: boolean;
  /** In UTF-16 units of the text. */
  start: number;
  end: number;
  /** Nothing stands before it but the token before. */
  isGlued: boolean;
  /** What begins with it. */
  begins: Form['begins'];
  foods: Form['foods'];
};

const VULGAR = new Map<string, Fraction>(
  '¼ 1/4,½ 1/2,¾ 3/4,⅐ 1/7,⅑ 1/9,⅒ 1/10,⅓ 1/3,⅔ 2/3,⅕ 1/5,⅖ 2/5,⅗ 3/5,⅘ 4/5,⅙ 1/6,⅚ 5/6,⅛ 1/8,⅜ 3/8,⅝ 5/8,⅞ 7/8'
    .split(',')
    .map((pair) => [pair[0]!, fraction(Number(pair[2]), Number(pair.slice(4)))] as const),
);
const DASHES = '‐‑‒–—―−-';
/** Space, number, word, sign. */
const PIECE =
  /((?:\s|\u00ad|[\u200b-\u200f]|\u2060|\ufe0e|\ufe0f|\ufeff)+)|(\d{1,3}(?:,\d{3})+(?![\d,])|\d+[.,]\d+(?![\d.,/])|\d+|(?<![\d\p{L}.])\.\d+)|(x(?=\d+(?![\p{L}\d]))|\p{L}(?:[\p{L}\p{M}\p{N}]|['’](?=\p{L}))*)|(.)/gsu;

export function cut(text: string, lexicon: Lexicon): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(text); match !== null; match = PIECE.exec(text)) {
    const [whole, space, number, word] = match;
    if (space !== undefined) continue;
    let start = match.index;
    const isGlued = start === end && start > 0;
    end = start + whole.length;
    if (word === undefined) {
      const vulgar = VULGAR.get(whole);
      const value = vulgar ?? (number === undefined ? null : readNumber(whole, lexicon.hasDecimalComma));
      const isNumber = number !== undefined || vulgar !== undefined;
      const key = isNumber ? whole : sign(whole);
      // "half & half" is a name as "half and half" is.
      const kind = isNumber ? 'number' : key === 'and' ? 'word' : 'sign';
      const { begins, foods } = beginningsAt(lexicon, key, key);
      const isPart = vulgar !== undefined;
      tokens.push({ kind, key, singular: key, value, isPart, start, end, isGlued, begins, foods });
      continue;
    }
    const elided = lexicon.elided.size === 0 ? null : elidedOf(word, lexicon);
    if (elided !== null) {
      const middle = start + elided.length;
      tokens.push(wordToken(lexicon, elided, start, middle, isGlued));
      start = middle;
    }
    tokens.push(wordToken(lexicon, text.slice(start, end), start, end, elided !== null || isGlued));
  }
  return tokens;
}

/** @param end of its place, which is longer than the word where two were written as one */
function wordToken(lexicon: Lexicon, word: string, start: number, end: number, isGlued: boolean): Token {
  const { key, singular, begins, foods } = formOf(lexicon, word);
  return { kind: 'word', key, singular, value: null, isPart: false, start, end, isGlued, begins, foods };
}

/** "d'" of "d'huile" */
function elidedOf(word: string, { elided }: Lexicon): string | null {
  const length = word.search(/['’]/) + 1;
  return length > 0 && elided.has(`${word.slice(0, length - 1).toLowerCase()}'`) ? word.slice(0, length) : null;
}

/** "1,000", "2.5", "2,5", ".5". @returns null for what is no amount: "00", and more than anybody buys */
function readNumber(written: string, hasDecimalComma: boolean): Fraction | null {
  const thousands = hasDecimalComma ? '.' : ',';
  const isGrouped = written.includes(thousands) && written.split(thousands).every(isGroup);
  const text = isGrouped ? written.replaceAll(thousands, '') : written.replace(',', '.');
  const [whole = '', part = ''] = text.split('.');
  if (whole.length > 1 && whole.startsWith('0')) return null;
  if (whole.length > 6 || part.length > 4) return null;
  const scale = 10 ** part.length;
  const value = fraction(Number(whole || 0) * scale + Number(part || 0), scale);
  return value.n > 0 && value.n <= MOST * value.d ? value : null;
}

/** Of digits parted by threes: "12" and "500" of "12,500". */
function isGroup(digits: string, at: number): boolean {
  return at === 0 ? digits.length > 0 && digits.length <= 3 : digits.length === 3;
}

function sign(whole: string): string {
  if (DASHES.includes(whole)) return '-';
  if (whole === '⁄' || whole === '∕' || whole === '／') return '/';
  return whole === '&' ? 'and' : whole;
}

/** "200gflour": a measure and a food without a space, where nothing else makes sense of it. */
export function unglue(tokens: Token[], lexicon: Lexicon): Token[] {
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind !== 'word' || token.key.length < 4) continue;
    const before = tokens[at - 1]!;
    const isAfterNumber = token.isGlued && before.kind === 'number';
    const isAfterMeasure = before.kind === 'word' && token.foods === undefined && lexicon.units.has(before.key);
    if (!isAfterNumber && !isAfterMeasure) continue;
    const parts = partsOf(token, lexicon, isAfterNumber ? 1 : 2);
    if (parts !== null) tokens.splice(at, 1, ...parts);
  }
  return tokens;
}

function partsOf({ key, start, end, isGlued }: Token, lexicon: Lexicon, shortest: number): Token[] | null {
  if (lexicon.phrases.units.has(key) || lexicon.phrases.sizes.has(key)) return null;
  for (let length = key.length - 3; length >= shortest; length--) {
    const [unit, food] = [key.slice(0, length), key.slice(length)];
    const isUnit = lexicon.units.has(unit) || lexicon.phrases.of.has(unit);
    if (!isUnit || !lexicon.phrases.foods.has(lexicon.singular(food))) continue;
    const middle = start + length;
    return [wordToken(lexicon, unit, start, middle, isGlued), wordToken(lexicon, food, middle, end, isGlued)];
  }
  return null;
}
