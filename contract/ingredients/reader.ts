/** Reads a line from its beginning: how much, of which food; what comes after it is read in rest.ts. */
import { amountsAt } from './amounts.ts';
import { numberLeft } from './doubts.ts';
import { type Draft, readFlags } from './draft.ts';
import { multiply } from './fractions.ts';
import type { Amount, Line, Piece } from './line.ts';
import { foodNamed, isNumbered, nameOf, readNames } from './names.ts';
import { lengthAt, numberAt, unitAt } from './numbers.ts';
import { readPurpose, readRest } from './rest.ts';
import { dimensionOf } from './units.ts';

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

/** @param begins the first token after bullets */
export function readIngredient(draft: Draft, begins: number): void {
  const { line } = draft;
  readFlags(draft);
  let at = readPart(draft, skipPrefix(draft, begins));
  const lead = amountsAt(line, at);
  if (lead !== null) {
    line.amounts = lead.value;
    line.mark({ from: at, to: lead.end }, 'amount');
    at = skipUnknownMeasure(draft, readPart(draft, afterAmount(draft, lead.end)));
    readFood(draft, at, line.length);
  } else {
    at = readVagueAmount(draft, at);
    const trailing = findTrailing(draft, at);
    if (trailing === null) {
      readFood(draft, readPart(draft, at), line.length);
    } else {
      line.amounts = trailing.amounts;
      line.mark(trailing, 'amount');
      readFood(draft, at, trailing.from, trailing.to);
    }
  }
  readCelery(draft);
  if (numberLeft(line) !== null && line.takes('number')) takeNumberLeft(line);
  readFills(line);
  line.amounts = line.amounts.map((amount) => inKnownMeasure(line, amount));
  readSize(draft);
}

/** "Optional: …", "For serving: …", "Garnish: …" */
function skipPrefix(draft: Draft, begins: number): number {
  const { line } = draft;
  const open = line.opensBracket(begins) ? begins + 1 : begins;
  const optional = line.phrase('optional', open);
  const heading = line.anyPhrase(['headings', 'for'], begins);
  for (let at = Math.max(optional, heading); at < Math.min(begins + 7, line.length - 1); at++) {
    if (line.key(at) !== ':' || Math.max(optional, heading) === begins) continue;
    if (optional > open) draft.optional = true;
    else if (line.phrase('for', begins) > begins) readPurpose(draft, { from: begins, to: at });
    else line.mark({ from: begins, to: at }, 'note');
    return at + 1;
  }
  if (optional === open) return begins;
  const isBracketed = open > begins && line.afterBracket(optional) !== null;
  const isParted = open === begins && (line.isWord(optional) || line.isDash(optional));
  if (isBracketed || isParted) draft.optional = true;
  return isBracketed || (isParted && line.isDash(optional)) ? optional + 1 : isParted ? optional : begins;
}

/** "juice of", "zest and juice of": what is used of it; its article stays, which may be the amount. */
function readPart(draft: Draft, at: number): number {
  const part = draft.line.phrase('parts', at);
  // "jus de citron" is a food itself.
  if (part === at || draft.line.phrase('partOf', part) === part || draft.line.foodAt(at) > part) return at;
  draft.preparation.push(draft.line.textOf({ from: at, to: part }));
  draft.line.mark({ from: at, to: part }, 'preparation');
  // "Saft einer Zitrone": the word that leads on is the amount.
  const isAmount = draft.line.phrase('articles', part) > part || draft.line.phrase('numbers', part) > part;
  return isAmount ? part : part + 1;
}

/** "1 cup (packed)", "1 cup each of", "250 g pack of" */
function afterAmount(draft: Draft, from: number): number {
  const { line } = draft;
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
    const sized = line.skip(['sizes'], at);
    if (line.phrase('of', sized) > sized) at = sized;
    at = line.phrase('of', line.phrase('each', at));
    const container = line.amounts.at(-1)!.each === null && isMeasured ? unitAt(line, at) : null;
    const isPackage = container !== null && dimensionOf(container.value) === 'package';
    if (isPackage && line.foodAt(at) <= container.end) at = container.end;
    if (at === before) return at;
  }
}

/** "1 schmear of butter": a word of which we know nothing, where a measure would stand. */
function skipUnknownMeasure(draft: Draft, at: number): number {
  const { line } = draft;
  const of = line.phrase('of', at + 1);
  const [amount] = line.amounts;
  const isUnknown = line.isWord(at) && !line.lexicon.foodWords.has(line.tokens[at]!.singular) && line.isUnheardOf(at);
  if (of === at + 1 || amount?.unit !== null || amount.each !== null || !isUnknown) return at;
  if (!line.takes('unknownMeasure')) return at;
  draft.unknownMeasure = { from: at, to: at + 1 };
  line.mark({ from: at, to: of }, 'amount');
  return of;
}

/** "a few", "a pinch of", "1-inch piece of": no number says how much. */
function readVagueAmount(draft: Draft, begins: number): number {
  const { line } = draft;
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
    line.foodAt(at) <= unit.end &&
    (isLong || vague > begins || dimensionOf(unit.value) === 'vague' || line.phrase('of', unit.end) > unit.end) &&
    line.tokens.slice(unit.end).some(({ kind }) => kind === 'word');
  const end = isMeasure ? unit.end : isLong ? at : vague;
  if (end > vague) line.mark({ from: begins, to: end }, 'amount');
  return line.phrase('of', end);
}

/** "Flour 200g", "Salt: 1 tsp", "eggs x3", "butter (100 g), melted" */
function findTrailing(draft: Draft, from: number): (Piece & { amounts: Amount[] }) | null {
  const { line } = draft;
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
function readFood(draft: Draft, from: number, limit: number, rest?: number): void {
  const { line } = draft;
  const names = readNames(line, from, limit);
  draft.food = names.food;
  draft.alternatives.push(...names.alternatives);
  draft.preparation.push(...names.preparation);
  draft.brand = names.brand;
  if (names.food === null) takeMeasureAsFood(draft, from);
  else if (names.alternatives.length === 0) readCountedPart(draft, names.place);
  readRest(draft, names.end, limit);
  if (rest !== undefined) readRest(draft, rest, line.length);
}

/** "2 cloves", where nothing else is left: the measure is the food. */
function takeMeasureAsFood(draft: Draft, before: number): void {
  const { line } = draft;
  const [first, ...others] = line.amounts;
  if (first?.unit == null || ['mass', 'volume'].includes(dimensionOf(first.unit)!)) return;
  for (let at = before - 1; at >= 0; at--) {
    if (!line.isWord(at) || unitAt(line, at)?.value !== first.unit) continue;
    const place = { from: at, to: at + 1 };
    draft.food = foodNamed(line, line.textOf(place));
    line.mark(place, 'food');
    line.amounts = [{ ...first, unit: null }, ...others];
    return;
  }
}

/** "2 garlic cloves" is "2 cloves of garlic". */
function readCountedPart(draft: Draft, { from, to }: Piece): void {
  const { line } = draft;
  const [first, ...others] = line.amounts;
  const part = to - from > 1 ? unitAt(line, to - 1) : null;
  if (first === undefined || first.unit !== null || part?.end !== to || !COUNTED.includes(part.value)) return;
  if (line.takes('measure')) return;
  line.amounts = [{ ...first, unit: part.value }, ...others];
  const isName = part.value === 'fillet' || line.isKnown(nameOf(line, { from, to }));
  if (isName && !MERE_PARTS.includes(part.value)) return;
  draft.food = foodNamed(line, line.textOf({ from, to: to - 1 }));
  line.mark({ from: to - 1, to }, 'amount');
}

/** A stick of celery is a stalk; of butter and cinnamon it is something else. */
function readCelery(draft: Draft): void {
  const { line, food } = draft;
  if (food === null || !line.lexicon.phrases.stalks.has(food.key.split(' ')[0]!)) return;
  line.amounts = line.amounts.map((one) => (one.unit === 'stick' ? { ...one, unit: 'stalk' } : one));
}

/** The amount stands where none is looked for. */
function takeNumberLeft(line: Line): void {
  const at = numberLeft(line)!;
  const found = amountsAt(line, at);
  if (found === null) return;
  line.amounts = [...line.amounts, ...found.value];
  line.mark({ from: at, to: found.end }, 'amount');
}

const FILLS = ['heaped', 'scant', 'packed'] as const;

/** "1 heaped cup", "1 cup flour, packed": of the first measure, wherever it stands. */
function readFills(line: Line): void {
  const [first, ...others] = line.amounts;
  if (first?.unit == null || dimensionOf(first.unit) !== 'volume') return;
  for (let at = 0; at < line.length; at++) {
    if (line.anyPhrase(FILLS, at) === at || !['amount', 'preparation'].includes(line.roleOf(at))) continue;
    line.amounts = [{ ...first, fill: FILLS.find((fill) => line.phrase(fill, at) > at)! }, ...others];
    return;
  }
}

/** "2 large eggs", "eggs, 2 large"; but "cut into large chunks" says nothing of what is bought. */
function readSize(draft: Draft): void {
  const { line } = draft;
  let isBehind = false;
  for (let at = 0; draft.size === null && at < line.length; at++) {
    const role = line.roleOf(at);
    isBehind ||= role === 'food';
    const end = line.phrase('foodSizes', at);
    if (end === at || !(role === 'amount' || (role === 'preparation' && !isBehind))) continue;
    draft.size = line.textOf({ from: at, to: end });
    line.mark({ from: at, to: end }, 'size');
  }
}

/** "2 glugs", where its creator said that one is about a tablespoon. */
function inKnownMeasure({ lexicon }: Line, amount: Amount): Amount {
  const own = amount.unit === null ? undefined : lexicon.ownSizes.get(amount.unit);
  if (own === undefined) return amount;
  const to = amount.to && multiply(amount.to, own.size);
  return { ...amount, from: multiply(amount.from, own.size), to, unit: own.unit, isAbout: true };
}
