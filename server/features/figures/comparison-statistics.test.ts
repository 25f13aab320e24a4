import { describe, expect, test } from 'vitest';
import { chanceOf, look, peopleForLook, wilson } from './comparison-statistics.ts';

describe('the interval of a share', () => {
  test.each([
    // Newcombe 1998, table I (Wilson without continuity correction).
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i lies between %f and %f', (clicked, people, low, high) => {
    const interval = wilson(clicked, people);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('of nobody may be anything', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('the chance of a difference', () => {
  test('is what the tables say', () => {
    // z = 1.96 for these: p = 0.05.
    expect(chanceOf({ people: 1000, clicked: 500 }, { people: 1000, clicked: 543.8 })).toBeCloseTo(0.05, 2);
    expect(chanceOf({ people: 100, clicked: 0 }, { people: 100, clicked: 0 })).toBe(1);
  });
});

describe('a look at a comparison', () => {
  const tried = (a: [number, number], b: [number, number]) => [
    { id: 'a', people: a[0], clicked: a[1] },
    { id: 'b', people: b[0], clicked: b[1] },
  ];

  test('is too early before a hundred people got each wording, however clear it seems', () => {
    expect(look(tried([99, 0], [5000, 5000]), 0)).toBeNull();
  });

  test('names a winner that is clear, and none that is not', () => {
    expect(look(tried([100, 10], [100, 60]), 0)).toEqual({ winner: 'b', looks: 1 });
    expect(look(tried([100, 30], [100, 38]), 0)).toEqual({ winner: null, looks: 1 });
  });

  test('is made again at the double only', () => {
    expect(look(tried([199, 10], [199, 120]), 1)).toBeNull();
    expect(look(tried([200, 10], [200, 120]), 1)).toEqual({ winner: 'b', looks: 2 });
    expect(peopleForLook(2)).toBe(400);
  });

  test('jumps over sizes that passed unseen', () => {
    expect(look(tried([900, 300], [900, 310]), 0)).toEqual({ winner: null, looks: 4 });
  });

  test('wants the best to be better than every other', () => {
    const three = [...tried([400, 40], [400, 120]), { id: 'c', people: 400, clicked: 118 }];
    expect(look(three, 0)?.winner).toBeNull();
  });

  test('names a winner between equal wordings in at most 5 % of comparisons, though it looks again and again', () => {
    const random = seeded(7);
    let wrong = 0;
    const comparisons = 2000;
    for (let i = 0; i < comparisons; i++) {
      const all = tried([0, 0], [0, 0]);
      let looks = 0;
      for (let person = 0; person < 1600; person++) {
        for (const one of all) {
          one.people++;
          if (random() < 0.3) one.clicked++;
        }
        const found = look(all, looks);
        if (found === null) continue;
        looks = found.looks;
        if (found.winner !== null) {
          wrong++;
          break;
        }
      }
    }
    expect(wrong / comparisons).toBeLessThan(0.05);
  });
});

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
