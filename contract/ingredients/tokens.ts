/** A line cut into words, numbers and signs, each with its place. */
import { type Fraction, fraction, MOST } from './fractions.ts';
import { foldWord, singular } from './words.ts';

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

export function cut(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(text); match !== null; match = PIECE.exec(text)) {
    const [whole, space, number, word] = match;
    if (space !== undefined) continue;
    const start = match.index;
    const isGlued = start === end && start > 0;
    end = start + whole.length;
    const vulgar = word === undefined ? VULGAR.get(whole) : undefined;
    if (number !== undefined || vulgar !== undefined) {
      const value = vulgar ?? readNumber(whole);
      const isPart = vulgar !== undefined;
      tokens.push({ kind: 'number', key: whole, singular: whole, value, isPart, start, end, isGlued });
    } else {
      const { key, one } = word === undefined ? { key: sign(whole), one: sign(whole) } : formsOf(word);
      // "half & half" is a name as "half and half" is.
      const kind = word === undefined && key !== 'and' ? 'sign' : 'word';
      tokens.push({ kind, key, singular: one, value: null, isPart: false, start, end, isGlued });
    }
  }
  return tokens;
}

/** Recipes share their words; forgotten when there are too many. */
const forms = new Map<string, { key: string; one: string }>();
const MOST_FORMS = 5_000;

function formsOf(word: string): { key: string; one: string } {
  const known = forms.get(word);
  if (known !== undefined) return known;
  const key = foldWord(word);
  const both = { key, one: singular(key) };
  if (forms.size >= MOST_FORMS) forms.clear();
  forms.set(word, both);
  return both;
}

/** "1,000", "2.5", "2,5", ".5". @returns null for what is no amount: "00", and more than anybody buys */
function readNumber(written: string): Fraction | null {
  const text = /^\d{1,3}(,\d{3})+$/.test(written) ? written.replaceAll(',', '') : written.replace(',', '.');
  const [whole = '', part = ''] = text.split('.');
  if (whole.length > 1 && whole.startsWith('0')) return null;
  if (whole.length > 6 || part.length > 4) return null;
  const scale = 10 ** part.length;
  const value = fraction(Number(whole || 0) * scale + Number(part || 0), scale);
  return value.n > 0 && value.n <= MOST * value.d ? value : null;
}

function sign(whole: string): string {
  if (DASHES.includes(whole)) return '-';
  if (whole === '⁄' || whole === '∕' || whole === '／') return '/';
  return whole === '&' ? 'and' : whole;
}
