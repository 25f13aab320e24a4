/** Exact numbers: what a recipe says in halves and thirds stays so. Written "3/2" or "2"; no floats anywhere. */

/** In lowest terms; `d` is positive. */
export type Fraction = { readonly n: number; readonly d: number };

/** Larger ones are no amount of anything, and sums of them would leave the whole numbers that are exact. */
export const MOST = 100_000;

export const ONE = fraction(1);

export function fraction(n: number, d = 1): Fraction {
  const by = divisor(Math.abs(n), d) || 1;
  return { n: n / by, d: d / by };
}

export function add(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d + b.n * a.d, a.d * b.d);
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { n: -b.n, d: b.d });
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.n, a.d * b.d);
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d, a.d * b.n);
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
