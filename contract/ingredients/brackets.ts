/** Amounts in brackets behind an amount: the same once more, or the size of one. */
import type { Amount, Line, Size } from './line.ts';
import { type Read, rangeAt, sizeAt } from './numbers.ts';
import { dimensionOf, isMeasured } from './units.ts';

/** "1 pound (about 3 medium)" */
function countAt(line: Line, at: number, last: Amount): Read<Size & { isAbout: boolean }> | null {
  const range = isMeasured(last.unit) ? rangeAt(line, line.skip(['qualifiers'], at)) : null;
  if (range === null) return null;
  const end = line.skip(['sizes'], range.end);
  return line.afterBracket(end) === null ? null : { value: { ...range.value, unit: null, isAbout: true }, end };
}

type InBrackets = { sizes: (Size & { isAbout: boolean })[]; isEach: boolean };

/** A bracket that holds sizes alone: of one, where the measure is a package or says "each"; else the same once more. */
export function bracketAt(line: Line, at: number, last: Amount): Read<InBrackets> | null {
  if (line.key(at) !== '(' && line.key(at) !== '[') return null;
  const sizes: (Size & { isAbout: boolean })[] = [];
  let next = at + 1;
  let isEach = false;
  for (;;) {
    const before = line.phrase('each', next);
    if (before > next) [isEach, next] = [true, before];
    const size = sizeAt(line, next) ?? countAt(line, next, last);
    if (size === null) return null;
    sizes.push(size.value);
    const hyphened = line.key(size.end - 2) === '-' || line.key(size.end - 3) === '-';
    isEach ||= hyphened;
    next = line.skip(['qualifiers'], size.end);
    const after = line.phrase('each', next);
    if (after > next) [isEach, next] = [true, after];
    const closed = line.afterBracket(next);
    if (closed !== null) {
      const container = last.unit === null ? null : dimensionOf(last.unit);
      const isPackage = container === 'package' && last.each === null && last.unit !== 'bunch' && last.unit !== 'head';
      const isCounted = container === 'count' || last.unit === null;
      if (last.each !== null) isEach = false;
      return {
        value: {
          sizes,
          isEach: (isPackage && sizes.every((one) => isMeasured(one.unit))) || (isEach && (isCounted || isPackage)),
        },
        end: closed,
      };
    }
    const separator = ['/', ',', ';', '|', '-'].includes(line.key(next)) ? next + 1 : line.phrase('or', next);
    if (separator === next) return null;
    next = separator;
  }
}
