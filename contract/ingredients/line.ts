/** One line while it is read: its words, what is known of them, and what each was taken for. */
import type { Fraction } from './fractions.ts';
import type { Lexicon, List, Phrase, Starts } from './lexicon.ts';
import { cut, type Token } from './tokens.ts';
import { dimensionOf, type Measures } from './units.ts';
import { nameKey, singular } from './words.ts';

export type Size = { from: Fraction; to: Fraction | null; unit: string | null };
export type Amount = Size & {
  /** Of one: "2 cans of 400 g". */
  each: Size | null;
  /** "about 2 cups" */
  isAbout: boolean;
  /** "1 heaped teaspoon" */
  fill: 'heaped' | 'scant' | 'packed' | null;
};

export type Role = 'amount' | 'size' | 'brand' | 'food' | 'alternative' | 'preparation' | 'purpose' | 'note' | 'word';
/** In UTF-16 units of the text; together they hold each of its words once. */
export type Span = { start: number; end: number; role: Role };
/** Tokens from `from`, before `to`. */
export type Piece = { from: number; to: number };

/** Where a line can be read in more than one way: choices.ts. */
export type Point =
  | ('measure' | 'unknownMeasure' | 'lead' | 'tail' | 'and' | 'or' | 'comma' | 'note' | 'number')
  | ('ingredient' | 'heading' | 'remark');

/** "extra-virgin" is not "extra". */
const WHOLE_WORDS = new Set<List>(['qualifiers', 'sizes', 'foodSizes', 'states']);
/** May be written short: "approx.", "lg." */
const SHORTENED = new Set<List>(['qualifiers', 'sizes', 'foodSizes']);
const SEPARATORS = new Set([',', ';', ':', '•', '·', '|', '*', '…', '!', '?']);

const ALONE = [''];
const NOTHING: Starts = { lists: [], lengths: [] };

let questions = 0;

/** The same places are asked again and again: what was found there is kept. It must depend on the words of the line alone. */
export function remembered<T>(find: (line: Line, at: number) => T): (line: Line, at: number) => T {
  const question = questions++;
  return (line, at) => {
    let answers = line.memory[question] as T[] | undefined;
    if (answers === undefined) {
      answers = new Array<T>(line.length + 1);
      line.memory[question] = answers;
    }
    const known = answers[at];
    if (known !== undefined) return known;
    const found = find(line, at);
    answers[at] = found;
    return found;
  };
}

export class Line {
  readonly text: string;
  readonly lexicon: Lexicon;
  readonly measures: Measures;
  readonly tokens: Token[];
  /** What was read so far; names are read after amounts. */
  amounts: Amount[] = [];
  /** Of `remembered`. */
  readonly memory: unknown[] = [];
  private readonly roles: Role[];
  /** Where it is not read as usual. */
  readonly way: Point | null;
  /** Where it could be read otherwise. */
  readonly reached = new Set<Point>();
  /** By token: the same places are asked again and again. */
  private readonly found: (Starts | undefined)[];

  /** @param text without tags and what nobody sees: `tidy` */
  constructor(text: string, lexicon: Lexicon, measures: Measures, way: Point | null = null, tokens?: Token[]) {
    this.text = text;
    this.lexicon = lexicon;
    this.measures = measures;
    this.way = way;
    this.tokens = tokens ?? unglue(cut(text), lexicon);
    this.roles = Array.from(this.tokens, () => 'word' as const);
    this.found = new Array<Starts | undefined>(this.tokens.length);
  }

  /** To be read the other way at a point. */
  again(way: Point | null): Line {
    return new Line(this.text, this.lexicon, this.measures, way, this.tokens);
  }

  /** Whether it is read the other way here. */
  takes(point: Point): boolean {
    this.reached.add(point);
    return this.way === point;
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
    const { lists, lengths } = this.startsAt(at);
    for (let place = 0; place < lists.length; place++) if (lists[place] === list) return at + lengths[place]!;
    return at;
  }

  /** The longest phrase of any of the lists. */
  anyPhrase(wanted: readonly List[], at: number): number {
    const { lists, lengths } = this.startsAt(at);
    let longest = 0;
    for (let place = 0; place < lists.length; place++) {
      if (lengths[place]! > longest && wanted.includes(lists[place]!)) longest = lengths[place]!;
    }
    return at + longest;
  }

  /** No list knows it, and it leads to no longer phrase. */
  isUnheardOf(at: number): boolean {
    return this.startsAt(at) === NOTHING;
  }

  private startsAt(at: number): Starts {
    return this.found[at] ?? this.findStarts(at);
  }

  private findStarts(at: number): Starts {
    const token = this.tokens[at];
    if (token === undefined) return NOTHING;
    const words = this.lexicon.beginnings.get(token.key);
    const foods = this.lexicon.foodBeginnings.get(token.singular);
    const next = this.tokens[at + 1];
    // Most words begin nothing longer, and say the same wherever they stand.
    const isPlain = next === undefined || next.kind !== 'sign' || !next.isGlued;
    const hasLonger = words !== undefined && words.longer.length > 0;
    const hasLongerFood = foods !== undefined && foods.longer.length > 0;
    const starts =
      isPlain && !hasLonger && !hasLongerFood && (words === undefined || foods === undefined)
        ? (words?.alone ?? foods?.alone ?? NOTHING)
        : this.gatherStarts(at, [...(words?.longer ?? []), ...(foods?.longer ?? [])], [words?.alone, foods?.alone]);
    this.found[at] = starts;
    return starts;
  }

  private gatherStarts(at: number, longer: Phrase[], alone: (Starts | undefined)[]): Starts {
    const starts: Starts = { lists: [], lengths: [] };
    const add = (list: List, words: string[]) => {
      if (starts.lists.includes(list)) return;
      const end = this.endOf(list, at, words);
      if (end === null) return;
      starts.lists.push(list);
      starts.lengths.push(end - at);
    };
    for (const { list, words } of longer) add(list, words);
    for (const one of alone) for (const list of one?.lists ?? []) add(list, ALONE);
    return starts;
  }

  /** @returns null where not all of the words stand here */
  private endOf(list: List, at: number, words: string[]): number | null {
    const form = list === 'foods' ? 'singular' : 'key';
    let next = at + 1;
    for (let place = 1; place < words.length; place++) {
      if (this.key(next) === '-' || this.key(next) === '.') next++;
      if (this.tokens[next]?.[form] !== words[place]) return null;
      next++;
    }
    if (WHOLE_WORDS.has(list) && this.isHyphen(next)) return null;
    const isShort = SHORTENED.has(list) && this.key(next) === '.' && this.tokens[next]!.isGlued;
    return isShort ? next + 1 : next;
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
