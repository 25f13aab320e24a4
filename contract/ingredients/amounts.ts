/** How much: the grammar of amounts, over the tokens of a line. */
import { bracketAt } from './brackets.ts';
import { add, divide, multiply, ONE, subtract } from './fractions.ts';
import { type Amount, type Line, remembered, type Size } from './line.ts';
import { lengthAt, numberAt, type Range, type Read, rangeAt, sizeAt, spoonOf, unitAt, upperAt } from './numbers.ts';
import { dimensionOf, isMeasured, sizeOf } from './units.ts';

const PLAIN = { each: null, fill: null };

/** All the ways in which an amount is written, at the beginning of something. */
export const amountsAt = remembered((line, at): Read<Amount[]> | null => {
  const { tokens } = line;
  let begins = line.skip(['qualifiers'], at);
  const isAbout = begins > at;
  // "a generous 2 teaspoons"
  const behind = line.skip(['qualifiers'], line.phrase('articles', begins));
  if (numberAt(line, begins) === null && behind > line.phrase('articles', begins) && numberAt(line, behind) !== null) {
    begins = behind;
  }
  const first = firstAt(line, begins);
  if (first === null) return null;
  const amounts: Amount[] = [{ ...first.value, isAbout }];
  let { end } = first;
  for (;;) {
    const last = amounts.at(-1)!;
    // "1 cup plus 2 tbsp", "1 lb 2 oz"
    const summed = sumAt(line, end, last);
    if (summed !== null) {
      amounts[amounts.length - 1] = summed.value;
      end = summed.end;
      continue;
    }
    // "1 cup (240 ml)", "1 can (400 g)"
    const inBrackets = bracketAt(line, end, last);
    if (inBrackets !== null) {
      if (inBrackets.value.isEach) amounts[amounts.length - 1] = { ...last, each: bare(inBrackets.value.sizes[0]!) };
      else amounts.push(...inBrackets.value.sizes.map((size) => ({ ...size, ...PLAIN })));
      end = inBrackets.end;
      // "2 (400 g) cans" had its measure before; "4 (6-ounce) fillets" has it after.
      continue;
    }
    // "250 g / 9 oz", "1 cup or 240 ml", "1 cup, 240 ml"
    const sign = ['/', '|', '=', ',', '-', '~', '≈', ';'].includes(line.key(end)) ? end + 1 : end;
    const other = line.phrase('or', sign);
    if (other > end) {
      const size = sizeAt(line, other);
      if (
        size !== null &&
        last.unit !== null &&
        size.value.unit !== last.unit &&
        !goesOn(line, size.end, line.key(end))
      ) {
        amounts.push({ ...size.value, ...PLAIN });
        end = size.end;
        continue;
      }
    }
    // "450g 1lb", "½ cup 120ml"
    const beside = sizeAt(line, end);
    if (
      beside !== null &&
      last.unit !== null &&
      tokens[end]?.kind === 'number' &&
      isMeasured(beside.value.unit) &&
      isMeasured(last.unit)
    ) {
      amounts.push({ ...beside.value, ...PLAIN });
      end = beside.end;
      continue;
    }
    return { value: amounts, end };
  }
});

/** After "or": an amount with a food of its own is another food's. */
function goesOn(line: Line, at: number, separator: string): boolean {
  if (separator !== 'or') return false;
  // "1 cup or 240 ml milk" has one food; "1 cup butter or 2 tbsp oil" never comes here.
  return line.tokens[at] === undefined;
}

function firstAt(line: Line, at: number): Read<Amount> | null {
  const { tokens } = line;
  const amount = (value: Omit<Amount, 'isAbout' | 'fill'>, end: number) => ({
    value: { ...value, isAbout: false, fill: null },
    end,
  });
  const article = line.phrase('articles', at);
  let range = rangeAt(line, at);
  if (range === null && article > at) {
    // "a pinch", "a large onion": one of it, if what comes is counted at all.
    const described = line.skip(['qualifiers', 'sizes', 'states'], article);
    const sized = sizeAt(line, described);
    const isPack =
      sized !== null && containerAt(line, line.key(sized.end) === '-' ? sized.end + 1 : sized.end) !== null;
    if (
      isPack ||
      lengthAt(line, described) !== null ||
      unitAt(line, described) ||
      line.phrase('foods', described) > described
    ) {
      range = { value: { from: ONE, to: null }, end: article };
    }
  }
  if (range === null) return null;
  const { from, to } = range.value;
  // A length, or a name: "1-inch piece", "7-Up", "3-cheese".
  if (article === at && lengthAt(line, at) !== null) return null;
  if (
    line.key(range.end) === '-' &&
    tokens[range.end]!.isGlued &&
    tokens[range.end + 1]?.isGlued &&
    line.isWord(range.end + 1)
  ) {
    const unit = unitAt(line, range.end);
    if (unit === null && line.phrase('sizes', range.end + 1) === range.end + 1) return null;
  }
  // "2 x 400 g tins"
  const times = line.phrase('times', range.end);
  if (times > range.end) {
    const each = sizeAt(line, times);
    if (each !== null) {
      const container = containerAt(line, each.end);
      return amount({ from, to, unit: container?.value ?? null, each: bare(each.value) }, container?.end ?? each.end);
    }
    if (numberAt(line, times) === null) return withUnit(line, { from, to }, times);
  }
  // "½ of a 15 oz can"
  const ofOne = line.phrase('of', range.end);
  const part = ofOne > range.end ? sizeAt(line, ofOne) : null;
  const whole = part && containerAt(line, line.key(part.end) === '-' ? part.end + 1 : part.end);
  if (part && whole) return amount({ from, to, unit: whole.value, each: bare(part.value) }, whole.end);
  // "1 (14.5 oz) can", "1 14-ounce can"
  const behindSizes = line.skip(['qualifiers', 'sizes'], range.end);
  const opens = [range.end, behindSizes].find((place) => line.key(place) === '(' || line.key(place) === '[');
  const open = opens !== undefined;
  const sized = sizeAt(line, open ? opens + 1 : range.end);
  if ((sized !== null && tokens[range.end]?.isGlued !== true) || (sized !== null && open)) {
    // "1 (8 oz pkg cream cheese": a bracket that nobody closed.
    const isNeverClosed = open && containerAt(line, sized!.end) !== null && !tokens.some(({ key }) => key === ')');
    const skipped = open && !isNeverClosed ? line.afterBracket(line.phrase('each', sized!.end)) : sized!.end;
    if (skipped !== null && (open || tokens[range.end]?.kind === 'number' || numberAt(line, range.end) !== null)) {
      const dashed = line.key(skipped) === '-' ? skipped + 1 : skipped;
      const container = containerAt(line, dashed);
      if (container !== null)
        return amount({ from, to, unit: container.value, each: bare(sized!.value) }, container.end);
      if (!open || opens === range.end) {
        return amount({ from, to, unit: null, each: bare(sized!.value) }, skipped);
      }
    }
  }
  // "2 (1-inch) pieces", "1 (9-inch) pie crust"
  if (opens !== undefined) {
    const length = lengthAt(line, opens + 1);
    const closed = length === null ? null : line.afterBracket(length);
    if (closed !== null) return withUnit(line, { from, to }, closed);
  }
  return withUnit(line, { from, to }, range.end);
}

function withUnit(line: Line, { from, to }: Range, at: number): Read<Amount> {
  const length = lengthAt(line, at);
  const described = line.skip(['qualifiers', 'sizes', 'states'], length ?? at);
  const bracketed = bracketedWords(line, described);
  const direct = unitAt(line, at);
  const found =
    (direct !== null && direct.end > described ? direct : null) ??
    unitAt(line, described) ??
    direct ??
    (bracketed === null ? null : unitAt(line, bracketed)) ??
    // "3/4 of a cup"
    (from.d > 1 && line.phrase('of', at) > at ? unitAt(line, line.phrase('of', at)) : null);
  const mayBeName = found !== null && !isMeasured(found.value);
  if (found === null || isFoodHere(line, found, described) || (mayBeName && line.takes('measure'))) {
    return { value: { from, to, unit: null, isAbout: false, ...PLAIN }, end: at };
  }
  const unit = spoonOf(line, line.text, found.end - 1, found.value);
  const upper = to === null ? upperAt(line, found.end, from, unit) : null;
  // "2 cans of 400 g"
  const each = dimensionOf(unit) === 'package' ? sizeAfterOf(line, found.end) : null;
  const value = { from, to: upper?.value ?? to, unit, isAbout: false, fill: null, each: each && bare(each.value) };
  return { value, end: upper?.end ?? each?.end ?? found.end };
}

function sizeAfterOf(line: Line, at: number): Read<Size> | null {
  const of = line.phrase('of', at);
  const size = of > at && line.tokens[of]?.kind === 'number' ? sizeAt(line, of) : null;
  return size !== null && isMeasured(size.value.unit) ? size : null;
}

/** "(packed)", "(heaping)" before the measure */
function bracketedWords(line: Line, at: number): number | null {
  if (line.key(at) !== '(') return null;
  const inside = line.skip(['qualifiers', 'sizes'], at + 1);
  return inside > at + 1 ? line.afterBracket(inside) : null;
}

/** A word that is a measure elsewhere: "2 bars", but "4 cloves"; "1 head", but "1 stick blender". */
function isFoodHere(line: Line, found: Read<string>, at: number): boolean {
  // "3 ear mushrooms", "1 ball park": a known food begins with the word itself and goes on.
  const food = line.phrase('foods', at);
  return food > found.end;
}

function containerAt(line: Line, at: number): Read<string> | null {
  const described = line.skip(['qualifiers', 'sizes', 'states'], at);
  for (const from of [at, described]) {
    const found = unitAt(line, from);
    if (found === null) continue;
    const dimension = dimensionOf(found.value);
    if (dimension === 'package' || dimension === 'count') return found;
  }
  return null;
}

function bare({ from, to, unit }: Size): Size {
  return { from, to, unit };
}

/** "plus 2 tbsp", "minus 1 tbsp", "2 oz" after pounds: exactly, in the first measure. */
function sumAt(line: Line, at: number, first: Amount): Read<Amount> | null {
  if (first.unit === null || first.to !== null || !isMeasured(first.unit)) return null;
  const comma = line.key(at) === ',' ? at + 1 : at;
  const minus = line.phrase('minus', comma);
  const next = Math.max(minus, line.phrase('plus', comma));
  // "a cup and a half"
  const part = next > at ? numberAt(line, next) : null;
  if (
    part !== null &&
    minus === comma &&
    first.from.d === 1 &&
    part.value.n < part.value.d &&
    unitAt(line, part.end) === null
  ) {
    return { value: { ...first, from: add(first.from, part.value) }, end: part.end };
  }
  const second = sizeAt(line, next);
  if (second === null || second.value.to !== null || second.value.unit === null) return null;
  const unit = second.value.unit;
  if (dimensionOf(unit) !== dimensionOf(first.unit)) return null;
  const [large, small] = [sizeOf(first.unit, line.measures), sizeOf(unit, line.measures)];
  if (large === null || small === null) return null;
  if (next === at || next === comma) {
    // Side by side only what people write so, and the smaller one last.
    const isUsual = [
      'pound ounce',
      'kilogram gram',
      'liter milliliter',
      'pint fluid-ounce',
      'cup tablespoon',
      'tablespoon teaspoon',
      'stone pound',
    ];
    if (!isUsual.includes(`${first.unit} ${unit}`)) return null;
  }
  const added = multiply(second.value.from, divide(small, large));
  const from = minus > comma ? subtract(first.from, added) : add(first.from, added);
  if (from.n <= 0) return null;
  return { value: { ...first, from }, end: second.end };
}
