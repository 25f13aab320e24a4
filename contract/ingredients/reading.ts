/** Reads one ingredient line: how much of what, and how sure that is. Never throws; every number it gives stands in the line. */
import { amountsAt, lengthAt, numberAt, unitAt } from './amounts.ts';
import type { Lexicon, List } from './lexicon.ts';
import { type Amount, Line, type Piece, type Span } from './line.ts';
import { kindOf, type LineKind, skipBullets } from './line-kind.ts';
import { type Food, foodNamed, isNumbered, nameOf, readNames, splitAtOr, trim } from './names.ts';
import { tidy } from './tidy.ts';
import { dimensionOf, type Measures } from './units.ts';

export type Sure = 'certain' | 'likely' | 'unsure';

export type Doubt =
  | 'no_food'
  | 'unknown_food'
  | 'long_food'
  | 'several_foods'
  | 'food_in_note'
  | 'unknown_alternative'
  | 'number_left';

export type Reading = {
  /** As it was written, without tags, entities and signs that nobody sees; at most 500 characters. */
  text: string;
  kind: LineKind;
  /** The author's first one first; the others say the same in other measures. */
  amounts: Amount[];
  food: Food | null;
  alternatives: Food[];
  preparation: string[];
  notes: string[];
  brand: string | null;
  optional: boolean;
  toTaste: boolean;
  /** Used in several steps. */
  divided: boolean;
  /** "plus more for dusting" */
  more: boolean;
  spans: Span[];
  sure: Sure;
  /** Why it is not certain. */
  doubts: Doubt[];
};

export type ReadingOptions = {
  lexicon: Lexicon /** Whose cups and spoons: those of the recipe. */;
  measures?: Measures;
};

/** More words than any food's name has. */
const LONG_NAME = 6;
/** Parts of foods that are counted on whichever side they stand: "2 cloves garlic", "2 garlic cloves". */
const COUNTED = [
  'bulb',
  'clove',
  'ear',
  'fillet',
  'floret',
  'head',
  'leaf',
  'rasher',
  'slice',
  'sprig',
  'stalk',
  'wedge',
];
/** Of those, parts that say nothing of what is bought. */
const MERE_PARTS = ['bulb', 'clove', 'head', 'sprig', 'stalk'];
/** Grown, not packed: what they weigh is said of all of them. */
const WHOLE = ['bulb', 'bunch', 'crown', 'head', 'loaf'];
const AFTER_COUNT: readonly List[] = ['sizes', 'qualifiers', 'states', 'each'];
const AFTER_MEASURE: readonly List[] = [...AFTER_COUNT, 'preparations', 'adverbs'];

/** @param raw one line, as it was written or pasted */
export function readLine(raw: string, { lexicon, measures = 'us' }: ReadingOptions): Reading {
  const line = new Line(tidy(raw), lexicon, measures);
  const reader = new Reader(line);
  const begins = skipBullets(line);
  const kind = kindOf(line, begins);
  if (kind === 'ingredient') reader.read(begins);
  else line.mark({ from: 0, to: line.length }, 'note');
  return { text: line.text, kind, ...reader.result() };
}

class Reader {
  private readonly line: Line;
  private readonly preparation: string[] = [];
  private readonly notes: Piece[] = [];
  private food: Food | null = null;
  private readonly alternatives: Food[] = [];
  private brand: string | null = null;
  private readonly flags = { optional: false, toTaste: false, divided: false, more: false };
  private readonly doubts = new Set<Doubt>();

  constructor(line: Line) {
    this.line = line;
  }

  result(): Omit<Reading, 'text' | 'kind'> {
    const { line, food, alternatives, preparation, brand, flags, doubts } = this;
    const notes = this.notes.map((piece) => line.textOf(piece));
    const isUnsure = doubts.has('no_food') || doubts.size > 1;
    return {
      ...{ amounts: line.amounts, food, alternatives, preparation, notes, brand, ...flags, spans: line.spans() },
      ...{ sure: doubts.size === 0 ? 'certain' : isUnsure ? 'unsure' : 'likely', doubts: [...doubts] },
    };
  }

  read(begins: number): void {
    const { line } = this;
    let at = this.readPart(this.skipPrefix(begins));
    const lead = amountsAt(line, at);
    if (lead !== null) {
      line.amounts = lead.value;
      line.mark({ from: at, to: lead.end }, 'amount');
      at = this.readPart(this.afterAmount(lead.end));
      this.readFood(at, line.length);
    } else {
      at = this.readVagueAmount(at);
      const trailing = this.findTrailing(at);
      if (trailing === null) {
        this.readFood(this.readPart(at), line.length);
      } else {
        line.amounts = trailing.amounts;
        line.mark(trailing, 'amount');
        this.readFood(at, trailing.from, trailing.to);
      }
    }
    this.readFlags({ from: 0, to: line.length });
    this.readCelery();
    this.doubt();
  }

  /** "Optional: …", "For serving: …", "Garnish: …" */
  private skipPrefix(begins: number): number {
    const { line } = this;
    const open = line.opensBracket(begins) ? begins + 1 : begins;
    const optional = line.phrase('optional', open);
    const heading = line.anyPhrase(['headings', 'for'], begins);
    for (let at = Math.max(optional, heading); at < Math.min(begins + 7, line.length - 1); at++) {
      if (line.key(at) !== ':' || Math.max(optional, heading) === begins) continue;
      if (optional > open) this.flags.optional = true;
      else line.mark({ from: begins, to: at }, 'note');
      return at + 1;
    }
    if (optional === open) return begins;
    const isBracketed = open > begins && line.afterBracket(optional) !== null;
    const isParted = open === begins && (line.isWord(optional) || line.isDash(optional));
    if (isBracketed || isParted) this.flags.optional = true;
    return isBracketed || (isParted && line.isDash(optional)) ? optional + 1 : isParted ? optional : begins;
  }

  /** "juice of", "zest and juice of": what is used of it; its article stays, which may be the amount. */
  private readPart(at: number): number {
    const part = this.line.phrase('parts', at);
    if (part === at || this.line.phrase('partOf', part) === part) return at;
    this.preparation.push(this.line.textOf({ from: at, to: part }));
    this.line.mark({ from: at, to: part }, 'preparation');
    return part + 1;
  }

  /** "1 cup (packed)", "1 cup each of", "250 g pack of" */
  private afterAmount(from: number): number {
    const { line } = this;
    const isMeasured = line.amounts.some(({ unit }) => ['mass', 'volume'].includes(dimensionOf(unit ?? '') ?? ''));
    for (let at = from; ; ) {
      const before = at;
      if (line.foodAt(at) > at) return at;
      if (line.opensBracket(at)) {
        const inside = line.skip(['qualifiers', 'sizes'], at + 1);
        at = (inside > at + 1 ? line.afterBracket(inside) : null) ?? at;
      }
      at = line.skip(['qualifiers'], at);
      if (['.', ':', '-', ','].includes(line.key(at))) at++;
      at = lengthAt(line, at) ?? at;
      at = line.phrase('of', line.phrase('each', at));
      const container = line.amounts.at(-1)!.each === null && isMeasured ? unitAt(line, at) : null;
      if (container !== null && dimensionOf(container.value) === 'package') at = container.end;
      if (at === before) return at;
    }
  }

  /** "a few", "a pinch of", "1-inch piece of": no number says how much. */
  private readVagueAmount(begins: number): number {
    const { line } = this;
    const vague = line.phrase('vagueAmounts', begins);
    let at = line.phrase('articles', vague);
    let isLong = false;
    for (;;) {
      const open = line.opensBracket(at) ? at + 1 : at;
      const length = lengthAt(line, open);
      isLong ||= length !== null;
      const behind = length === null ? at : open > at ? (line.afterBracket(length) ?? length) : length;
      const next = line.skip(['qualifiers', 'sizes'], behind);
      if (next === at) break;
      at = next;
    }
    const unit = unitAt(line, at);
    const isMeasure =
      unit !== null &&
      (isLong || vague > begins || dimensionOf(unit.value) === 'vague' || line.phrase('of', unit.end) > unit.end) &&
      line.tokens.slice(unit.end).some(({ kind }) => kind === 'word');
    const end = isMeasure ? unit.end : isLong ? at : vague;
    if (end > vague) line.mark({ from: begins, to: end }, 'amount');
    return line.phrase('of', end);
  }

  /** "Flour 200g", "Salt: 1 tsp", "eggs x3", "butter (100 g), melted" */
  private findTrailing(from: number): (Piece & { amounts: Amount[] }) | null {
    const { line } = this;
    for (let at = from + 1; at < line.length; at++) {
      const before = line.key(at - 1);
      const isTimes = line.phrase('times', at - 1) === at;
      const isParted = isTimes || ['(', ':', '-', ',', '='].includes(before);
      if (!isParted && line.phrase('ends', at - 1) > at - 1) return null;
      const isCounted = numberAt(line, at) !== null || (isParted && line.phrase('articles', at) > at);
      const found = isCounted && !isNumbered(line, at) ? amountsAt(line, at) : null;
      if (found === null) continue;
      let end = line.skip(['sizes', 'qualifiers', 'states'], found.end);
      if (before === '(') {
        if (line.afterBracket(end) === null && line.key(end) !== ',') continue;
        end = line.afterBracket(end) ?? end;
      }
      const [{ unit, each }] = found.value as [Amount];
      const isLast = end === line.length;
      const isOver = isLast || line.isSeparator(end) || ['(', '.', '-', '+'].includes(line.key(end));
      const done = line.skip(['adverbs'], end);
      const isWhole = isTimes || (isOver && (unit !== null || each !== null || isParted || isLast));
      if (!isWhole && line.phrase('preparations', done) === done) continue;
      const begins = isParted ? at - 1 : at;
      if (line.tokens.slice(from, begins).some(({ kind }) => kind === 'word')) {
        return { from: begins, to: end, amounts: found.value };
      }
    }
    return null;
  }

  /** The names from here, and what comes after them: at `rest`, where the amount stands between. */
  private readFood(from: number, limit: number, rest?: number): void {
    const { line } = this;
    const names = readNames(line, from, limit);
    this.food = names.food;
    this.alternatives.push(...names.alternatives);
    this.preparation.push(...names.preparation);
    this.brand = names.brand;
    if (names.food === null) this.takeMeasureAsFood(from);
    else if (names.alternatives.length === 0) this.readCountedPart(names.place);
    this.readRest(names.end, limit);
    if (rest !== undefined) this.readRest(rest, line.length);
  }

  /** "2 cloves", where nothing else is left: the measure is the food. */
  private takeMeasureAsFood(before: number): void {
    const { line } = this;
    const [first, ...others] = line.amounts;
    if (first?.unit == null || ['mass', 'volume'].includes(dimensionOf(first.unit)!)) return;
    for (let at = before - 1; at >= 0; at--) {
      if (!line.isWord(at) || unitAt(line, at)?.value !== first.unit) continue;
      const place = { from: at, to: at + 1 };
      this.food = foodNamed(line.textOf(place));
      line.mark(place, 'food');
      line.amounts = [{ ...first, unit: null }, ...others];
      return;
    }
  }

  /** "2 garlic cloves" is "2 cloves of garlic". */
  private readCountedPart({ from, to }: Piece): void {
    const { line } = this;
    const [first, ...others] = line.amounts;
    const part = to - from > 1 ? unitAt(line, to - 1) : null;
    if (first === undefined || first.unit !== null || part?.end !== to || !COUNTED.includes(part.value)) return;
    line.amounts = [{ ...first, unit: part.value }, ...others];
    const isName = part.value === 'fillet' || line.isKnown(nameOf(line, { from, to }));
    if (isName && !MERE_PARTS.includes(part.value)) return;
    this.food = foodNamed(line.textOf({ from, to: to - 1 }));
    line.mark({ from: to - 1, to }, 'amount');
  }

  /** What comes after the name: brackets, and what commas and dashes part. */
  private readRest(from: number, to: number): void {
    const { line } = this;
    for (let at = from; at < to; ) {
      if (line.opensBracket(at)) {
        const end = this.bracketEnd(at, to);
        this.readBracket({ from: at + 1, to: end });
        at = end + 1;
        continue;
      }
      let end = at;
      while (end < to && !line.isSeparator(end) && !line.opensBracket(end) && !line.isDash(end)) end++;
      if (end > at && line.tokens.slice(at, end).some(({ kind }) => kind !== 'sign'))
        this.readNote({ from: at, to: end });
      at = Math.max(end, at + (end === at ? 1 : 0));
    }
  }

  private bracketEnd(open: number, to: number): number {
    let depth = 0;
    for (let at = open; at < to; at++) {
      if (this.line.opensBracket(at)) depth++;
      else if (this.line.afterBracket(at) !== null && --depth === 0) return at;
    }
    return to;
  }

  private readBracket(piece: Piece): void {
    this.readFlags(piece);
    if (!this.readSecondAmount(piece) && !this.readAlternative(piece)) this.readRest(piece.from, piece.to);
  }

  private readNote(piece: Piece): void {
    this.readFlags(piece);
    if (this.readSecondAmount(piece) || this.readAlternative(piece)) return;
    const at = this.line.skip(['adverbs', 'states'], piece.from);
    const isPreparation = this.line.phrase('preparations', at) > at;
    if (isPreparation) this.preparation.push(this.line.textOf(piece));
    else this.notes.push(piece);
    this.line.mark(piece, isPreparation ? 'preparation' : 'note');
  }

  private readFlags({ from, to }: Piece): void {
    for (let at = from; at < to; at++) {
      for (const flag of ['optional', 'toTaste', 'divided', 'more'] as const) {
        this.flags[flag] ||= this.line.phrase(flag, at) > at;
      }
    }
  }

  /** "butter (2 sticks)", "onions, about 300 g", "1 tin of milk (397 g)" */
  private readSecondAmount(piece: Piece): boolean {
    const { line } = this;
    const [first, ...others] = line.amounts;
    // "1 cup, divided (3/4 cup + 1/4 cup)" says nothing more.
    const found = first === undefined || this.flags.divided ? null : amountsAt(line, piece.from);
    if (first === undefined || found === null) return false;
    const isCount = found.value.every(({ unit }) => unit === null);
    if (line.skip(isCount ? AFTER_COUNT : AFTER_MEASURE, found.end) < piece.to) return false;
    const { from, to, unit } = found.value[0]!;
    const each = line.skip(['sizes', 'qualifiers'], found.end);
    const dimension = first.unit === null ? 'count' : dimensionOf(first.unit);
    const isOfEach = line.phrase('each', each) > each && (dimension === 'count' || dimension === 'package');
    const isOfPackage =
      dimension === 'package' &&
      !WHOLE.includes(first.unit!) &&
      first.each === null &&
      ['mass', 'volume'].includes(dimensionOf(unit ?? '') ?? '');
    if (isOfEach || isOfPackage) line.amounts = [{ ...first, each: { from, to, unit } }, ...others];
    else line.amounts = [...line.amounts, ...found.value];
    line.mark(piece, 'amount');
    return true;
  }

  /** ", or margarine", "(or use oat milk)", "(coconut cream works too)" */
  private readAlternative({ from, to }: Piece): boolean {
    const { line } = this;
    const instead = line.anyPhrase(['or', 'insteadUse'], from);
    if (instead === from && !this.saysThatItWorks(from, to)) return this.readKinds({ from, to });
    let begins = instead > from ? line.skip(['insteadUse', 'other', 'articles'], instead) : from;
    if (line.key(begins) === ':') begins++;
    const amount = amountsAt(line, begins);
    const behind = amount !== null && amount.end < to ? line.phrase('of', amount.end) : begins;
    const end = Math.min(Math.max(lastOf(line, behind, to), behind), to);
    const places = splitAtOr(line, { from: behind, to: end })
      .map((piece) => trim(line, piece, this.preparation))
      .filter((piece) => piece.from < piece.to && line.mentionsFood(piece));
    if (places.length === 0) return false;
    for (const place of places) {
      line.mark(place, 'alternative');
      this.alternatives.push(foodNamed(nameOf(line, place)));
    }
    this.readRest(end, to);
    return true;
  }

  private saysThatItWorks(from: number, to: number): boolean {
    const food = this.line.foodAt(from);
    for (let at = food; food > from && at < to && this.line.isWord(at); at++) {
      if (this.line.phrase('preparations', at) > at) return false;
      if (this.line.phrase('worksToo', at) > at) return true;
    }
    return false;
  }

  /** "suet (beef or vegetable)" */
  private readKinds(piece: Piece): boolean {
    const { line, food } = this;
    if (food === null) return false;
    const kinds = splitAtOr(line, piece).map((one) => nameOf(line, trim(line, one, [])));
    const names = kinds.map((kind) => (line.isKnown(`${kind} ${food.name}`) ? `${kind} ${food.name}` : kind));
    if (kinds.length < 2 || !names.every((name) => line.isKnown(name))) return false;
    line.mark(piece, 'alternative');
    this.alternatives.push(...names.slice(1).map(foodNamed));
    return true;
  }

  /** A stick of celery is a stalk; of butter and cinnamon it is something else. */
  private readCelery(): void {
    const { line, food } = this;
    if (food === null || !line.lexicon.phrases.stalks.has(food.key.split(' ')[0]!)) return;
    line.amounts = line.amounts.map((one) => (one.unit === 'stick' ? { ...one, unit: 'stalk' } : one));
  }

  private doubt(): void {
    const { line, food, doubts } = this;
    if (food === null) doubts.add('no_food');
    else {
      const words = food.key.split(' ');
      const isUnknown = (word: string) => !line.lexicon.foodWords.has(word) && !/^\d{1,3}%?$/.test(word);
      if (!line.endsAsFood(food.name) || words.some(isUnknown)) doubts.add('unknown_food');
      if (words.length > LONG_NAME) doubts.add('long_food');
      const hasAnd = words.some((word) => line.lexicon.phrases.and.has(word));
      if (hasAnd && !line.isKnown(food.name)) doubts.add('several_foods');
    }
    if (this.alternatives.some(({ name }) => !line.endsAsFood(name))) doubts.add('unknown_alternative');
    const isOfFood = (note: Piece) => line.mentionsFood(note) && line.phrase('ends', note.from) === note.from;
    if (this.notes.some(isOfFood)) doubts.add('food_in_note');
    const isLeft = line.tokens.some(
      ({ kind }, at) => kind === 'number' && !['amount', 'food', 'alternative'].includes(line.roleOf(at)),
    );
    if (isLeft) doubts.add('number_left');
  }
}

/** The first token after the foods that begin here. */
function lastOf(line: Line, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const isEnd = line.isSeparator(at) || line.isDash(at) || line.opensBracket(at) || line.phrase('ends', at) > at;
    if (isEnd && line.foodAt(at) === at) return at;
  }
  return to;
}
