/** One line while it is read: its words, what is known of them, and what each was taken for. */
import type { Fraction } from './fractions.ts';
import { type Beginnings, keyOf, type Lexicon, type List, type Phrase, type Starts } from './lexicon.ts';
import { cut, type Token, unglue } from './tokens.ts';
import { dimensionOf, type Measures } from './units.ts';

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
const SHORTENED = new Set<List>(['qualifiers', 'sizes', 'foodSizes', 'optional']);
const SEPARATORS = new Set([',', ';', ':', '•', '·', '|', '*', '…', '!', '?']);

const ALONE = [''];
const NOTHING: Starts = { lists: [], lengths: [] };

/** May stand between the words of a phrase: "half-and-half", "q. b.", "un po' di". */
const BETWEEN = new Set(['-', '.', "'", '’']);

let questions = 0;

/** The same places are asked again and again: what was found there is kept. It must depend on the words of the line alone. */
export function remembered<T>(find: (line: Line, at: number) => T): (line: Line, at: number) => T {
  const question = questions++;
  return (line, at) => {
    const place = question * (line.length + 1) + at;
    const known = line.memory[place] as T | undefined;
    if (known !== undefined) return known;
    const found = find(line, at);
    line.memory[place] = found;
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
  readonly memory: unknown[];
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
    this.tokens = tokens ?? unglue(cut(text, lexicon), lexicon);
    const { length } = this.tokens;
    this.roles = new Array<Role>(length).fill('word');
    this.found = new Array<Starts | undefined>(length);
    this.memory = new Array<unknown>(questions * (length + 1));
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
    return this.startsAt(at).lists.length === 0;
  }

  private startsAt(at: number): Starts {
    return this.found[at] ?? this.findStarts(at);
  }

  private findStarts(at: number): Starts {
    const token = this.tokens[at];
    if (token === undefined) return NOTHING;
    const { begins, foods } = token;
    const next = this.tokens[at + 1];
    const longer = begins === undefined ? undefined : this.longerAt(at, begins, 'key');
    const longerFoods = foods === undefined ? undefined : this.longerAt(at, foods, 'singular');
    // Most words begin nothing longer, and say the same wherever they stand.
    const isPlain = next === undefined || next.kind !== 'sign' || !next.isGlued;
    const isOne = longer === undefined && longerFoods === undefined && (begins === undefined || foods === undefined);
    const starts = isPlain && isOne ? (begins?.alone ?? foods?.alone ?? NOTHING) : { lists: [], lengths: [] };
    if (!isPlain || !isOne) {
      this.addStarts(starts, at, 'key', longer, begins?.alone);
      this.addStarts(starts, at, 'singular', longerFoods, foods?.alone);
    }
    this.found[at] = starts;
    return starts;
  }

  private longerAt(at: number, { longer }: Beginnings, form: 'key' | 'singular'): Phrase[] | undefined {
    if (longer.size === 0) return undefined;
    const second = this.tokens[this.opensBracket(at + 1) ? at + 2 : this.overHyphen(at + 1)];
    return second === undefined ? undefined : longer.get(second[form]);
  }

  private overHyphen(at: number): number {
    return BETWEEN.has(this.key(at)) ? at + 1 : at;
  }

  private addStarts(
    { lists, lengths }: Starts,
    at: number,
    form: 'key' | 'singular',
    longer: Phrase[] = [],
    alone = NOTHING,
  ): void {
    for (const { list, words } of longer) {
      const end = lists.includes(list) ? null : this.endOf(list, at, words, form);
      if (end === null) continue;
      lists.push(list);
      lengths.push(end - at);
    }
    for (const list of alone.lists) {
      const end = lists.includes(list) ? null : this.endOf(list, at, ALONE, form);
      if (end === null) continue;
      lists.push(list);
      lengths.push(end - at);
    }
  }

  /** @returns null where not all of the words stand here */
  private endOf(list: List, at: number, words: string[], form: 'key' | 'singular'): number | null {
    let next = at + 1;
    // "colher (sopa)" is a measure.
    const isBracketed = list === 'units' && words.length === 2 && this.opensBracket(next);
    if (isBracketed && this.afterBracket(next + 2) === null) return null;
    for (let place = 1; place < words.length; place++) {
      next = isBracketed ? next + 1 : this.overHyphen(next);
      if (this.tokens[next]?.[form] !== words[place]) return null;
      next++;
    }
    if (isBracketed) return next + 1;
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

  /** By which two names are of the same food. */
  keyOf(name: string): string {
    return keyOf(this.lexicon, name);
  }

  isKnown(name: string): boolean {
    return this.lexicon.foods.has(this.keyOf(name));
  }

  /** Its end is a known food: "good vegan butter". */
  endsAsFood(key: string): boolean {
    for (let from = 0; from >= 0; from = key.indexOf(' ', from + 1)) {
      if (this.lexicon.foods.has(from === 0 ? key : key.slice(from + 1))) return true;
    }
    return false;
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
