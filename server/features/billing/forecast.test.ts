import { describe, expect, test } from 'vitest';
import { dayOfPassing, type Reading } from './forecast.ts';

const LIMIT = 25_000;
const DAYS = 400;

/** Between -1 and 1, the same for the same seed. */
function noise(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 31 - 1;
  };
}

type Curve = (day: number) => number;

/** With what platforms add to it: weekends, removed bots, figures that flicker. */
function counted(curve: Curve, seed: number): Reading[] {
  const random = noise(seed);
  return Array.from({ length: DAYS }, (_, day) => {
    const weekend = day % 7 > 4 ? 1.0008 : 1;
    const flicker = random() > 0.96 ? 0.994 : 1 + random() * 0.0006;
    return { day, followers: Math.round(curve(day) * weekend * flicker) };
  });
}

const STEADY: [string, Curve][] = Array.from({ length: 40 }, (_, at) => {
  const from = 8_000 + ((at * 317) % 12_000);
  if (at % 2 === 0) {
    const pace = 25 + ((at * 37) % 260);
    return [`${from} and ${pace} a day`, (day) => from + pace * day];
  }
  const growth = 1.002 + ((at * 7) % 60) / 10_000;
  return [`${from} times ${growth} a day`, (day) => from * growth ** day];
});
const NEVER: [string, Curve][] = Array.from({ length: 20 }, (_, at) => {
  const top = 14_000 + at * 520;
  if (at % 4 === 0) return [`${top} and losing some`, (day) => top - 3 * day];
  if (at % 4 === 1) return [`${top} and no more`, () => top];
  // A post went viral; then as before.
  if (at % 4 === 2)
    return [`${top} after a jump`, (day) => (day < 60 ? top - 2_500 : top - 2_500 * Math.exp((60 - day) / 5))];
  return [`up to ${top}`, (day) => top - 6_000 * Math.exp(-day / 90)];
});

/** As it is looked at each day: the first on which a date of at most 21 days ahead, or 24,000, is told. */
function warnedOn(readings: Reading[]): { day: number; hasDate: boolean } | null {
  for (let at = 1; at <= readings.length; at++) {
    const known = readings.slice(Math.max(0, at - 28), at);
    const { day, followers } = known.at(-1)!;
    const passing = dayOfPassing(known, { limit: LIMIT, withinDays: 21 });
    if (passing !== null || followers >= 24_000) return { day, hasDate: passing !== null };
  }
  return null;
}

describe('of sixty curves', () => {
  test('nine in ten of the steady ones are warned fourteen days ahead', () => {
    const late = STEADY.filter(([, curve], seed) => {
      const readings = counted(curve, seed + 1);
      const passed = readings.findIndex(
        ({ followers }, at) => followers >= LIMIT && readings[at + 1]!.followers >= LIMIT,
      );
      const warned = warnedOn(readings);
      return passed < 14 || warned === null || passed - warned.day < 14;
    });
    expect(late.map(([name]) => name).length, late.map(([name]) => name).join('; ')).toBeLessThanOrEqual(4);
  });

  test.each(NEVER)('one that never passes is told no date: %s', (_, curve) => {
    for (const seed of [1, 2, 3]) expect(warnedOn(counted(curve, seed))?.hasDate ?? false).toBe(false);
  });
});

test('six days say nothing, seven do; nothing is said of what lies further away', () => {
  const line = Array.from({ length: 7 }, (_, day) => ({ day, followers: 20_000 + 100 * day }));
  const all = { limit: LIMIT, withinDays: 60 };
  expect(dayOfPassing(line.slice(0, 6), all)).toBeNull();
  expect(dayOfPassing(line, all)).toBe(50);
  expect(dayOfPassing(line, { limit: LIMIT, withinDays: 43 })).toBeNull();
  expect(dayOfPassing([], all)).toBeNull();
});
