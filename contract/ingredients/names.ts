/** What is bought: where the name of a food begins and ends in a line, and what may be taken instead. */
import { amountsAt } from './amounts.ts';
import type { List } from './lexicon.ts';
import type { Line, Piece } from './line.ts';
import { lengthAt, unitAt } from './numbers.ts';
import { shareWords } from './shared-words.ts';

/** `key`: two foods are the same when theirs are. */
export type Food = { name: string; key: string };

export type Names = {
  /** Of the name itself; empty where nothing is left. */
  place: Piece;
  food: Food | null;
  alternatives: Food[];
  preparation: string[];
  brand: string | null;
  /** The first token after the names. */
  end: number;
};

const BEFORE: readonly List[] = ['sizes', 'states', 'preparations', 'adverbs', 'qualifiers'];
const MODIFIERS: readonly List[] = ['sizes', 'states', 'preparations', 'adverbs'];
const AFTER: readonly List[] = ['preparations', 'adverbs', 'states', 'sizes', 'qualifiers', 'and', 'or', 'of'];
const DESCRIBING: readonly List[] = ['describing', 'adverbs', 'and', 'sizes', 'states'];
/** Words of what stands at the end of a name and is none of it: "melted and cooled". */
const LONGEST_END = 4;
/** Words of a food in a list of such. */
const LONGEST_LISTED = 3;

export function foodNamed(line: Line, name: string): Food {
  return { name, key: line.keyOf(name) };
}

/** The names that begin at `from`, at most up to `limit`; their tokens are marked. */
export function readNames(line: Line, from: number, limit: number): Names {
  const preparation: string[] = [];
  const { begins, otherKind } = skipModifiers(line, from, limit, preparation);
  const whole = { from: begins, to: nameEnd(line, begins, limit) };
  line.mark({ from, to: begins }, 'preparation');
  const split = splitAtOr(line, whole);
  const places = (split.length > 1 && line.takes('or') ? [whole] : split)
    .map((piece) => trim(line, piece, preparation))
    .filter((piece) => piece.from < piece.to)
    .map((piece, at) => (at === 0 ? shortened(line, piece, preparation) : piece));
  const [place] = places;
  const end = place !== undefined && places.length === 1 ? afterName(line, place, whole.to) : whole.to;
  if (place === undefined) {
    return { place: { from: end, to: end }, food: null, alternatives: [], preparation, brand: null, end };
  }
  const names = shareWords(
    line,
    places.map((piece, at) => (at === 0 ? nameOf(line, piece) : nameAfterOf(line, place, piece))),
  );
  if (otherKind !== null) names.push(`${otherKind} ${names[0]}`);
  line.mark(place, 'food');
  for (const piece of places.slice(1)) line.mark(piece, 'alternative');
  const brand = line.phrase('brands', place.from);
  if (brand > place.from && brand < place.to) line.mark({ from: place.from, to: brand }, 'brand');
  return {
    place,
    food: foodNamed(line, names[0]!),
    alternatives: names.slice(1).map((name) => foodNamed(line, name)),
    preparation,
    brand: brand > place.from && brand < place.to ? line.textOf({ from: place.from, to: brand }) : null,
    end,
  };
}

/** "caldo de pollo o de verduras": with what it shares with the first, which does not stand there again. */
function nameAfterOf(line: Line, first: Piece, { from, to }: Piece): string {
  const of = line.phrase('of', from);
  const name = nameOf(line, { from: Math.min(of, to - 1), to });
  for (let at = first.from + 1; of > from && at < first.to; at++) {
    if (line.phrase('of', at) > at) return `${line.textOf({ from: first.from, to: at })} ${nameOf(line, { from, to })}`;
  }
  return name;
}

/** Read the other way: only the known food of it. What stands before it is said of it; what stands after is read as a note. */
function shortened(line: Line, place: Piece, preparation: string[]): Piece {
  let { from, to } = place;
  for (let at = from; at < to; at++) {
    const food = line.foodAt(at);
    if (food === at) continue;
    if (food < to && line.takes('tail')) to = food;
    if (at > from && line.takes('lead')) {
      preparation.push(line.textOf({ from, to: at }));
      line.mark({ from, to: at }, 'preparation');
      from = at;
    }
    break;
  }
  for (let at = from + 1; at < to; at++) {
    if (line.phrase('and', at) > at && line.foodAt(from) <= at && line.takes('and')) return { from, to: at };
  }
  return { from, to };
}

/** Where what comes after is read as notes: behind the name, where it was shortened. */
function afterName(line: Line, { to }: Piece, usual: number): number {
  const isShortened = line.way === 'tail' || line.way === 'and';
  return isShortened && to < usual ? to : usual;
}

const MARKS = /[®™*]|\s\s/;

/** Without marks of brands. */
export function nameOf(line: Line, piece: Piece): string {
  const text = line.textOf(piece);
  return MARKS.test(text) ? text.replace(/[®™*]/g, '').replace(/\s+/g, ' ').trim() : text;
}

/** "finely chopped", "large, ripe": before the name. `otherKind`: "frozen" of "fresh or frozen peas" */
function skipModifiers(line: Line, from: number, limit: number, preparation: string[]) {
  let otherKind: string | null = null;
  for (let at = from; ; ) {
    if (line.foodAt(at) > at || line.phrase('brands', at) > at) return { begins: at, otherKind };
    let next = Math.max(lengthAt(line, at) ?? at, line.anyPhrase(BEFORE, at));
    if (next === at && at > from) {
      const joined = line.key(at) === ',' || line.key(at) === '-' ? at + 1 : line.anyPhrase(['and', 'or'], at);
      if (joined > at && line.anyPhrase(MODIFIERS, joined) > joined) next = joined;
      const or = line.phrase('or', at);
      const other = line.phrase('describing', or);
      if (next === at && or > at && other > or) {
        otherKind = line.textOf({ from: or, to: other });
        next = other;
      }
    }
    if (next === at || next >= limit) return { begins: at, otherKind };
    if (line.phrase('preparations', at) === next) preparation.push(line.textOf({ from: at, to: next }));
    at = next;
  }
}

/** @returns the first token after the name: a bracket, a comma that ends it, a word that leads elsewhere */
function nameEnd(line: Line, from: number, limit: number): number {
  let covered = from;
  for (let at = from; at < limit; at++) {
    const food = line.foodAt(at);
    // Names of one word end where others would: "thighs bone in".
    if (food > at + 1) covered = Math.max(covered, food);
    if (at < covered) continue;
    const { key, kind, isGlued } = line.tokens[at]!;
    if (line.opensBracket(at) || line.isDash(at) || key === '+') return at;
    if (key === '.' && !line.tokens[at + 1]?.isGlued && !isNumbered(line, at + 1)) return at;
    if (key === '/' && !line.isWord(at + 1) && line.tokens[at - 1]?.kind !== 'number') return at;
    if (line.isSeparator(at) && (!goesOnAfter(line, from, at) || line.takes('comma'))) return at;
    if (at === from) continue;
    const isCompound = line.isHyphen(at - 1) || line.isHyphen(at + 1);
    if (line.phrase('ends', at) > at && !isCompound) return at;
    if (kind === 'number' && !isGlued && !isOfName(line, at)) return at;
  }
  return limit;
}

/** "No. 1" */
export function isNumbered(line: Line, at: number): boolean {
  return line.key(at - 1) === 'no' || (line.key(at - 1) === '.' && line.key(at - 2) === 'no');
}

/** "2% milk", "70% chocolate", "85/15 beef", "00 flour", "Heinz 57": numbers of names. */
function isOfName(line: Line, at: number): boolean {
  const isAfterName =
    line.amounts.length > 0 &&
    unitAt(line, at + 1) === null &&
    line.isWord(at - 1) &&
    /\p{Lu}/u.test(line.text[line.tokens[at - 1]!.start]!);
  const isNoAmount = line.tokens[at]!.value === null || ['%', '/', '-'].includes(line.key(at + 1));
  return isAfterName || isNoAmount || isNumbered(line, at);
}

/** "large, ripe tomatoes", "boneless, skinless chicken", "olive, sunflower or vegetable oil" */
function goesOnAfter(line: Line, from: number, comma: number): boolean {
  if (line.key(comma) !== ',') return false;
  let begins = from;
  for (let at = from + 1; at < comma; at++) if (line.key(at) === ',') begins = at + 1;
  let at = begins;
  while (at < comma) {
    const next = line.anyPhrase(DESCRIBING, at);
    if (next === at) break;
    at = line.key(next) === '-' ? next + 1 : next;
  }
  return at >= comma ? line.hasFood(comma + 1) : listsFoods(line, begins, comma);
}

/** The piece before this comma is a food of a list whose last one comes after "or". */
function listsFoods(line: Line, from: number, comma: number): boolean {
  if (comma - from > LONGEST_LISTED) return false;
  let words = 0;
  for (let at = comma + 1; at < line.length && words <= 2 * LONGEST_LISTED; at++) {
    if (line.key(at) === ',') {
      words = 0;
      continue;
    }
    if (!line.isWord(at) && line.key(at) !== '-') return false;
    const or = line.phrase('or', at);
    if (or > at) {
      const last = { from: or, to: lastNameEnd(line, or) };
      const first = line.textOf({ from, to: comma });
      const areFoods =
        (line.isKnown(first) || comma - from > 1) &&
        line.endsAsFood(line.keyOf(line.textOf(last))) &&
        line.foodAt(line.phrase('or', comma + 1)) > comma + 1;
      const head = line.textOf({ from: last.to - 1, to: last.to });
      return areFoods || (last.to - or >= 2 && line.isKnown(`${first} ${head}`));
    }
    words++;
  }
  return false;
}

function lastNameEnd(line: Line, from: number): number {
  let at = from;
  const goesOn = () => line.isWord(at) || line.isHyphen(at);
  while (goesOn() && (at === from || line.phrase('ends', at) === at)) at++;
  return at;
}

/** "butter or oil", "parsley/cilantro", "olive, sunflower or vegetable oil" */
export function splitAtOr(line: Line, { from, to }: Piece): Piece[] {
  const pieces: Piece[] = [];
  let begins = from;
  for (let at = from; at < to; ) {
    const food = line.foodAt(at);
    if (food > at + 1 && food <= to) {
      at = food;
      continue;
    }
    const isSlash = line.key(at) === '/' && line.isWord(at - 1) && line.isWord(at + 1);
    const isSeparated = isSlash || (line.key(at) === ',' && isListed(line, at, to));
    const next = isSeparated ? at + 1 : line.phrase('or', at);
    if (next > at) {
      pieces.push({ from: begins, to: at });
      begins = next;
    }
    at = Math.max(next, at + 1);
  }
  pieces.push({ from: begins, to });
  return pieces;
}

function isListed(line: Line, comma: number, to: number): boolean {
  const isDescription = line.phrase('describing', comma - 1) === comma && line.phrase('foods', comma - 1) === comma - 1;
  if (isDescription) return false;
  for (let at = comma + 1; at < to; at++) if (line.phrase('or', at) > at) return true;
  return false;
}

/** Without what is done with it, at both ends; and without an amount of its own. */
export function trim(line: Line, { from, to }: Piece, preparation: string[]): Piece {
  let begins = line.phrase('articles', from);
  const amount = line.foodAt(begins) > begins ? null : amountsAt(line, begins);
  if (amount !== null && amount.end < to) begins = line.phrase('of', amount.end);
  begins = Math.min(skipModifiers(line, begins, to, preparation).begins, to);
  let end = to;
  for (let next = shorten(line, begins, end, preparation); next < end; next = shorten(line, begins, end, preparation)) {
    end = next;
  }
  return { from: begins, to: end };
}

function shorten(line: Line, from: number, to: number, preparation: string[]): number {
  for (let at = Math.max(from + 1, to - LONGEST_END); at < to; at++) {
    const isEnd = AFTER.some((list) => line.phrase(list, at) === to);
    if (!isEnd || isWithinFood(line, { from, to }, at)) continue;
    if (line.phrase('preparations', at) === to) preparation.push(line.textOf({ from: at, to }));
    line.mark({ from: at, to }, 'preparation');
    return at;
  }
  const last = line.tokens[to - 1];
  return last?.kind === 'sign' && to - 1 > from && !['%', '®', '™'].includes(last.key) ? to - 1 : to;
}

function isWithinFood(line: Line, { from, to }: Piece, at: number): boolean {
  for (let begins = from; begins <= at; begins++) if (line.phrase('foods', begins) >= to) return true;
  return false;
}
