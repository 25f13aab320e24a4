/** One line while it is read: its words, what is known of them, and what each was taken for. */
import type { Fraction } from './fractions.ts';
import type { Lexicon, List } from './lexicon.ts';
import { cut, type Token } from './tokens.ts';
import { dimensionOf, type Measures } from './units.ts';
import { nameKey, singular } from './words.ts';

export type Size = { from: Fraction; to: Fraction | null; unit: string | null };
export type Amount = Size & {
  /** Of one: "2 cans of 400 g". */
  each: Size | null;
  /** "about 2 cups" */
  isAbout: boolean;
};

export type Role = 'amount' | 'food' | 'alternative' | 'preparation' | 'note' | 'word';
/** In UTF-16 units of the text; together they hold each of its words once. */
export type Span = { start: number; end: number; role: Role };
/** Tokens from `from`, before `to`. */
export type Piece = { from: number; to: number };

/** "extra-virgin" is not "extra". */
const WHOLE_WORDS = new Set<List>(['qualifiers', 'sizes', 'states']);
/** May be written short: "approx.", "lg." */
const SHORTENED = new Set<List>(['qualifiers', 'sizes']);
const SEPARATORS = new Set([',', ';', ':', '•', '·', '|', '*', '…', '!', '?']);

type Ends = { [list in List]?: number };
const NOTHING: Ends = {};

export class Line {
  readonly text: string;
  readonly lexicon: Lexicon;
  readonly measures: Measures;
  readonly tokens: Token[];
  /** What was read so far; names are read after amounts. */
  amounts: Amount[] = [];
  private readonly roles: Role[];
  /** By token: the same places are asked again and again. */
  private readonly found: Ends[] = [];

  /** @param text without tags and what nobody sees: `tidy` */
  constructor(text: string, lexicon: Lexicon, measures: Measures) {
    this.text = text;
    this.lexicon = lexicon;
    this.measures = measures;
    this.tokens = unglue(cut(text), lexicon);
    this.roles = this.tokens.map(() => 'word');
  }

  get length(): number {
    return this.tokens.length;
  }

  /** The word or sign there; empty beyond both ends. */
  key(at: number): string {
    return this.tokens[at]?.key ?? '';
  }

  isWord(at: number): boolean {
    return this.tokens[at]?.kind === 'word';
  }

  isSeparator(at: number): boolean {
    return SEPARATORS.has(this.key(at));
  }

  /** A hyphen within a word: "bone-in". */
  isHyphen(at: number): boolean {
    return this.key(at) === '-' && this.tokens[at]!.isGlued && this.tokens[at + 1]?.isGlued === true;
  }

  /** A dash between words: "butter - melted". */
  isDash(at: number): boolean {
    return this.key(at) === '-' && !this.isHyphen(at);
  }

  /** Words of this list that stand here, hyphens between them or not. @returns the first token after them; `at` when there are none */
  phrase(list: List, at: number): number {
    return this.phrasesAt(at)[list] ?? at;
  }

  /** The end of the longest phrase of each list that begins here. */
  private phrasesAt(at: number): Ends {
    const token = this.tokens[at];
    if (token === undefined) return NOTHING;
    const known = this.found[at];
    if (known !== undefined) return known;
    const ends: Ends = {};
    for (const { list, words } of this.lexicon.beginnings.get(token.key) ?? []) {
      if (ends[list] === undefined) this.noteEnd(ends, list, at, words, 'key');
    }
    for (const { list, words } of this.lexicon.foodBeginnings.get(token.singular) ?? []) {
      if (ends[list] === undefined) this.noteEnd(ends, list, at, words, 'singular');
    }
    this.found[at] = ends;
    return ends;
  }

  private noteEnd(ends: Ends, list: List, at: number, words: string[], form: 'key' | 'singular'): void {
    let next = at + 1;
    for (let place = 1; place < words.length; place++) {
      if (this.key(next) === '-' || this.key(next) === '.') next++;
      if (this.tokens[next]?.[form] !== words[place]) return;
      next++;
    }
    if (WHOLE_WORDS.has(list) && this.isHyphen(next)) return;
    const isShort = SHORTENED.has(list) && this.key(next) === '.' && this.tokens[next]!.isGlued;
    ends[list] = isShort ? next + 1 : next;
  }

  /** The longest phrase of any of the lists. */
  anyPhrase(lists: readonly List[], at: number): number {
    const ends = this.phrasesAt(at);
    let longest = at;
    for (const list of lists) longest = Math.max(longest, ends[list] ?? at);
    return longest;
  }

  /** Phrases of these lists, one after the other. */
  skip(lists: readonly List[], from: number): number {
    for (let at = from; ; ) {
      const next = this.anyPhrase(lists, at);
      if (next === at) return at;
      at = next;
    }
  }

  /** After a bracket that closes here; null where none does. */
  afterBracket(at: number): number | null {
    return this.key(at) === ')' || this.key(at) === ']' ? at + 1 : null;
  }

  opensBracket(at: number): boolean {
    return this.key(at) === '(' || this.key(at) === '[';
  }

  textOf({ from, to }: Piece): string {
    return from < to ? this.text.slice(this.tokens[from]!.start, this.tokens[to - 1]!.end) : '';
  }

  mark({ from, to }: Piece, role: Role): void {
    this.roles.fill(role, from, to);
  }

  roleOf(at: number): Role {
    return this.roles[at]!;
  }

  spans(): Span[] {
    const spans: Span[] = [];
    this.tokens.forEach(({ start, end }, at) => {
      const last = spans.at(-1);
      if (last !== undefined && last.role === this.roles[at]) last.end = end;
      else spans.push({ start, end, role: this.roles[at]! });
    });
    return spans;
  }

  /** A food of the dictionary that begins here. Chopped ones are one only where they are sold so, like tomatoes in cans. */
  foodAt(at: number): number {
    const food = this.phrase('foods', at);
    const isPrepared = this.phrase('packedPrepared', at) > at;
    const isSold =
      this.phrase('soldPrepared', at) > at ||
      this.amounts.some(({ unit, each }) => each !== null || dimensionOf(unit ?? '') === 'package');
    return isPrepared && !isSold ? at : food;
  }

  hasFood(from: number): boolean {
    return this.tokens.some((_, at) => at >= from && this.phrase('foods', at) > at);
  }

  isKnown(name: string): boolean {
    return this.lexicon.foods.has(nameKey(name));
  }

  /** Its end is a known food: "good vegan butter". */
  endsAsFood(name: string): boolean {
    const words = nameKey(name).split(' ');
    return words.some((_, at) => this.lexicon.foods.has(words.slice(at).join(' ')));
  }

  /** A known food or brand stands somewhere in it. */
  mentionsFood({ from, to }: Piece): boolean {
    for (let at = from; at < to; at++) {
      const food = this.phrase('foods', at);
      if (food > at && food <= to) return true;
    }
    return this.phrase('brands', from) > from;
  }
}

/** "200gflour": a measure and a food without a space, where nothing else makes sense of it. */
function unglue(tokens: Token[], lexicon: Lexicon): Token[] {
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1];
    const isAfterNumber = token.isGlued && before?.kind === 'number';
    const isAfterMeasure =
      before !== undefined && lexicon.units.has(before.key) && !lexicon.phrases.foods.has(token.singular);
    const isKnown = lexicon.phrases.units.has(token.key) || lexicon.phrases.sizes.has(token.key);
    if (token.kind !== 'word' || isKnown || (!isAfterNumber && !isAfterMeasure)) return [token];
    for (let length = token.key.length - 3; length > (isAfterNumber ? 0 : 1); length--) {
      const [unit, food] = [token.key.slice(0, length), token.key.slice(length)];
      const isUnit = lexicon.units.has(unit) || lexicon.phrases.of.has(unit);
      if (!isUnit || !lexicon.phrases.foods.has(singular(food))) continue;
      const middle = token.start + length;
      return [
        { ...token, key: unit, singular: singular(unit), end: middle },
        { ...token, key: food, singular: singular(food), start: middle },
      ];
    }
    return [token];
  });
}
