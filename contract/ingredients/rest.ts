/** What comes after the name of a food: other measures, what may be taken instead, how it is prepared, for what, and notes. */
import { amountsAt } from './amounts.ts';
import type { Draft } from './draft.ts';
import type { List } from './lexicon.ts';
import type { Line, Piece } from './line.ts';
import { foodNamed, nameOf, splitAtOr, trim } from './names.ts';
import { closingOf } from './numbers.ts';
import { dimensionOf } from './units.ts';

/** Grown, not packed: what they weigh is said of all of them. */
const WHOLE = ['bulb', 'bunch', 'crown', 'head', 'loaf'];
const AFTER_COUNT: readonly List[] = ['sizes', 'qualifiers', 'states', 'each'];
const AFTER_MEASURE: readonly List[] = [...AFTER_COUNT, 'preparations', 'adverbs'];

/** What comes after the name: brackets, and what commas and dashes part. */
export function readRest(draft: Draft, from: number, to: number): void {
  const { line } = draft;
  for (let at = from; at < to; ) {
    if (line.opensBracket(at)) {
      const end = Math.min(closingOf(line, at), to);
      readBracket(draft, { from: at + 1, to: end });
      at = end + 1;
      continue;
    }
    let end = at;
    while (end < to && !line.isSeparator(end) && !line.opensBracket(end) && !line.isDash(end)) end++;
    if (saysSomething(line, at, end)) readNote(draft, { from: at, to: end });
    at = Math.max(end, at + 1);
  }
}

function saysSomething(line: Line, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (line.tokens[at]!.kind !== 'sign') return true;
  return false;
}

function readBracket(draft: Draft, piece: Piece): void {
  if (!readSecondAmount(draft, piece) && !readAlternative(draft, piece)) readRest(draft, piece.from, piece.to);
}

function readNote(draft: Draft, piece: Piece): void {
  const { line } = draft;
  if (readSecondAmount(draft, piece) || readAlternative(draft, piece)) return;
  if (line.mentionsFood(piece) && line.takes('note') && takeAsAlternatives(draft, piece)) return;
  const at = line.skip(['adverbs', 'states'], piece.from);
  if (line.phrase('preparations', at) > at) {
    draft.preparation.push(line.textOf(piece));
    line.mark(piece, 'preparation');
  } else if (draft.size === null && line.phrase('foodSizes', piece.from) === piece.to) {
    draft.size = line.textOf(piece);
    line.mark(piece, 'size');
  } else if (!readPurpose(draft, piece)) {
    draft.notes.push(piece);
    line.mark(piece, 'note');
  }
}

/** "for dusting", "plus more for dusting". @returns whether the piece says so */
export function readPurpose(draft: Draft, { from, to }: Piece): boolean {
  const { line } = draft;
  const at = line.skip(['more', 'divided'], from);
  if (draft.purpose !== null || line.phrase('for', at) === at) return false;
  draft.purpose = line.textOf({ from: at, to });
  line.mark({ from, to: at }, 'note');
  line.mark({ from: at, to }, 'purpose');
  return true;
}

/** "butter (2 sticks)", "onions, about 300 g", "1 tin of milk (397 g)" */
function readSecondAmount(draft: Draft, piece: Piece): boolean {
  const { line } = draft;
  const [first, ...others] = line.amounts;
  const begins = line.phrase('each', piece.from);
  const found = first === undefined || isDividedBefore(draft, piece.to) ? null : amountsAt(line, begins);
  if (first === undefined || found === null) return false;
  const isCount = found.value.every(({ unit }) => unit === null);
  if (line.skip(isCount ? AFTER_COUNT : AFTER_MEASURE, found.end) < piece.to) return false;
  const { from, to, unit } = found.value[0]!;
  const each = line.skip(['sizes', 'qualifiers'], found.end);
  const dimension = first.unit === null ? 'count' : dimensionOf(first.unit);
  const saysEach = begins > piece.from || line.phrase('each', each) > each;
  const isOfEach = saysEach && (dimension === 'count' || dimension === 'package');
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

/** "1 cup, divided (3/4 cup + 1/4 cup)" says nothing more. */
function isDividedBefore({ line, divided }: Draft, to: number): boolean {
  return divided && line.tokens.some((_, at) => at < to && line.phrase('divided', at) > at);
}

/** ", or margarine", "(or use oat milk)", "(coconut cream works too)" */
function readAlternative(draft: Draft, { from, to }: Piece): boolean {
  const { line } = draft;
  const instead = line.anyPhrase(['or', 'insteadUse'], from);
  if (instead === from && !saysThatItWorks(draft, from, to)) return readKinds(draft, { from, to });
  let begins = instead > from ? line.skip(['insteadUse', 'other', 'articles'], instead) : from;
  if (line.key(begins) === ':') begins++;
  const amount = amountsAt(line, begins);
  const behind = amount !== null && amount.end < to ? line.phrase('of', amount.end) : begins;
  const end = Math.min(Math.max(lastOf(line, behind, to), behind), to);
  if (!takeAsAlternatives(draft, { from: behind, to: end })) return false;
  readRest(draft, end, to);
  return true;
}

/** @returns false where no food is named */
function takeAsAlternatives(draft: Draft, piece: Piece): boolean {
  const { line } = draft;
  const places = splitAtOr(line, piece)
    .map((one) => trim(line, one, draft.preparation))
    .filter((one) => one.from < one.to && line.mentionsFood(one));
  for (const place of places) {
    line.mark(place, 'alternative');
    draft.alternatives.push(foodNamed(line, nameOf(line, place)));
  }
  return places.length > 0;
}

function saysThatItWorks(draft: Draft, from: number, to: number): boolean {
  const food = draft.line.foodAt(from);
  for (let at = food; food > from && at < to && draft.line.isWord(at); at++) {
    if (draft.line.phrase('preparations', at) > at) return false;
    if (draft.line.phrase('worksToo', at) > at) return true;
  }
  return false;
}

/** "suet (beef or vegetable)" */
function readKinds(draft: Draft, piece: Piece): boolean {
  const { line, food } = draft;
  if (food === null) return false;
  const pieces = splitAtOr(line, piece);
  if (pieces.length < 2) return false;
  const kinds = pieces.map((one) => nameOf(line, trim(line, one, [])));
  const names = kinds.map((kind) => (line.isKnown(`${kind} ${food.name}`) ? `${kind} ${food.name}` : kind));
  if (!names.every((name) => line.isKnown(name))) return false;
  line.mark(piece, 'alternative');
  draft.alternatives.push(...names.slice(1).map((name) => foodNamed(line, name)));
  return true;
}

/** The first token after the foods that begin here. */
function lastOf(line: Line, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const isEnd = line.isSeparator(at) || line.isDash(at) || line.opensBracket(at) || line.phrase('ends', at) > at;
    if (isEnd && line.foodAt(at) === at) return at;
  }
  return to;
}
