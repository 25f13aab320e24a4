import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LaneWindow } from './lane-window.ts';

describe('a lane window', () => {
  test('lets the whole allowance go at once, then nothing until the first call is a period old', () => {
    const window = new LaneWindow(3, 1000);
    for (const at of [0, 10, 20]) {
      expect(window.available(at)).toBeGreaterThan(0);
      window.take(at);
    }
    expect(window.available(999)).toBe(0);
    expect(window.nextAt(999)).toBe(1000);
    expect(window.available(1000)).toBe(1);
    expect(window.available(1020)).toBe(3);
  });

  test('says when one gets its turn that has others before it', () => {
    const window = new LaneWindow(2, 1000);
    window.take(0);
    window.take(500);
    expect(window.nextAt(600, 0)).toBe(1000);
    expect(window.nextAt(600, 1)).toBe(1500);
    expect(window.nextAt(600, 2)).toBe(2000);
    expect(window.nextAt(600, 3)).toBe(2500);
  });

  test('slowed down, counts what went out before', () => {
    const window = new LaneWindow(4, 1000);
    for (const at of [0, 10, 20]) window.take(at);
    expect(window.available(30, 2)).toBe(0);
    expect(window.nextAt(30, 0, 2)).toBe(1010);
    expect(window.nextAt(30, 1, 2)).toBe(1020);
    expect(window.nextAt(30, 2, 2)).toBe(2010);
    expect(window.available(1015, 2)).toBe(1);
  });

  test('never allows more than its limit in any period, and always allows that many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 300 }),
        (most, periodMs, steps) => {
          const window = new LaneWindow(most, periodMs);
          const taken: number[] = [];
          let now = 0;
          for (const step of steps) {
            now += step;
            const inPeriod = taken.filter((at) => at > now - periodMs).length;
            expect(window.available(now)).toBe(most - inPeriod);
            if (window.available(now) > 0) {
              window.take(now);
              taken.push(now);
            } else {
              expect(window.nextAt(now)).toBe(taken.at(-most)! + periodMs);
            }
          }
        },
      ),
    );
  });
});

describe('at the edge of its period', () => {
  test.each([
    ['a millisecond before it is over', 1999, 0, 2000],
    ['when it is over', 2000, 1, 2000],
    ['a millisecond later', 2001, 1, 2001],
  ])('%s', (_name, at, available, next) => {
    const window = new LaneWindow(1, 1000);
    window.take(1000);
    expect([window.available(at), window.nextAt(at), window.recent(at).length]).toEqual([
      available,
      next,
      1 - available,
    ]);
  });

  test('says when it is free although nobody asked what was', () => {
    const window = new LaneWindow(2, 1000);
    window.take(0);
    window.take(900);
    expect(window.nextAt(1500)).toBe(1500);
    expect(window.nextAt(1500, 1)).toBe(1900);
    const idle = new LaneWindow(2, 1000);
    idle.take(0);
    expect(idle.recent(1000)).toEqual([]);
  });

  test('never answers with less than nothing', () => {
    const window = new LaneWindow(1, 1000);
    window.take(0);
    window.take(0);
    expect(window.available(0)).toBe(0);
  });

  test('lists the calls that count, oldest first, and none before there was one', () => {
    const window = new LaneWindow(9, 1000);
    expect(window.recent(0)).toEqual([]);
    for (const at of [0, 400, 800]) window.take(at);
    expect(window.recent(1000)).toEqual([400, 800]);
  });

  test('forgets what is long over, and counts on', () => {
    const window = new LaneWindow(2000, 1000);
    const calls = Array.from({ length: 6000 }, (_, at) => at);
    for (const at of calls) {
      window.take(at);
      expect(window.available(at)).toBe(2000 - Math.min(at + 1, 1000));
    }
    expect(window.recent(5999)).toEqual(calls.slice(5000));
    // A third of what it was told of, and a thousand more at most.
    expect((window as unknown as { times: number[] }).times.length).toBeLessThan(3100);
  });
});
