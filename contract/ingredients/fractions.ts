/** Exact numbers: what a recipe says in halves and thirds stays so. Written "3/2" or "2"; no floats anywhere. */

/** In lowest terms; `d` is positive. */
export type Fraction = { readonly n: number; readonly d: number };

/** Larger ones are no amount of anything, and sums of them would leave the whole numbers that are exact. */
export const MOST = 100_000;

export const ONE = fraction(1);
const INEXACT: Fraction = { n: Number.NaN, d: 1 };

export function fraction(n: number, d = 1): Fraction {
  const by = divisor(Math.abs(n), d) || 1;
  return { n: n / by, d: d / by };
}

/** @returns what is not exact (`isExact`) where a term is not, or the sum has more digits than numbers hold; so for products */
export function add(a: Fraction, b: Fraction): Fraction {
  // Over the least common denominator, which stays small where the product would not be exact.
  const common = divisor(a.d, b.d);
  const sum = { n: a.n * (b.d / common) + b.n * (a.d / common), d: a.d * (b.d / common) };
  return isExact(sum) ? fraction(sum.n, sum.d) : INEXACT;
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { n: -b.n, d: b.d });
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  if (!isExact(a) || !isExact(b)) return INEXACT;
  const [left, right] = [fraction(a.n, b.d), fraction(b.n, a.d)];
  const product = { n: left.n * right.n, d: left.d * right.d };
  return isExact(product) ? product : INEXACT;
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return multiply(a, { n: b.d, d: b.n });
}

/** False for what has more digits than these numbers hold. */
export function isExact({ n, d }: Fraction): boolean {
  return Number.isSafeInteger(n) && Number.isSafeInteger(d);
}

/** The next whole number, or the same. */
export function roundUp({ n, d }: Fraction): Fraction {
  return fraction(Math.ceil(n / d));
}

/** @returns below zero, zero or above, as a sort wants it */
export function compare(a: Fraction, b: Fraction): number {
  return a.n * b.d - b.n * a.d;
}

/** "3/2", "2" */
export function writeFraction({ n, d }: Fraction): string {
  return d === 1 ? String(n) : `${n}/${d}`;
}

/** Of "3/2", "2", "14.5". @returns null for anything else */
export function readFraction(text: string): Fraction | null {
  const [, whole, part = '', below = '1'] = /^(\d{1,6})(?:\.(\d{1,4})|\/(\d{1,4}))?$/.exec(text)
    ? /^(\d+)(?:\.(\d+))?(?:\/(\d+))?$/.exec(text)!
    : [];
  if (whole === undefined || Number(below) === 0) return null;
  const scale = 10 ** part.length;
  return fraction(Number(whole) * scale + Number(part || 0), scale * Number(below));
}

function divisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
