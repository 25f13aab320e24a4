import { describe, expect, test } from 'vitest';
import { afterLook, lookEveryMs, SECOND_LOOK_AFTER_MS, type WatchState } from './check-intervals.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const FINE: WatchState = { state: 'fine', problem: null, failedSince: null, brokenSince: null };
const at = (now: Date, busy = 0) => ({ now, busy });

test.each([
  [0, 24 * 60],
  [1, 60],
  [19, 60],
  [20, 5],
  [9000, 5],
])('%i answers an hour: looked at every %i minutes', (busy, minutes) => {
  expect(lookEveryMs(busy)).toBe(minutes * MINUTE_MS);
});

describe('a failure', () => {
  const failing = afterLook(FINE, 'gone', at(NOW));

  test('is not believed at once', () => {
    expect(failing).toMatchObject({ state: 'failing', tells: null, nextCheckAt: later(SECOND_LOOK_AFTER_MS) });
  });

  test('counts once however often somebody asks within the interval', () => {
    const again = afterLook(failing, 'gone', at(later(MINUTE_MS)));
    expect(again).toMatchObject({ state: 'failing', tells: null, nextCheckAt: later(SECOND_LOOK_AFTER_MS) });
  });

  test('that is still there at the second look is a break, told once', () => {
    const broken = afterLook(failing, 'server_error', at(later(SECOND_LOOK_AFTER_MS)));
    expect(broken).toMatchObject({
      state: 'broken',
      problem: 'server_error',
      failedSince: NOW,
      brokenSince: later(SECOND_LOOK_AFTER_MS),
      tells: 'broken',
    });
    expect(afterLook(broken, 'gone', at(later(10 * MINUTE_MS)))).toMatchObject({ state: 'broken', tells: null });
  });

  test('that was a hiccup is forgotten without a word', () => {
    const fine = afterLook(failing, null, at(later(SECOND_LOOK_AFTER_MS)));
    expect(fine).toEqual({ ...FINE, nextCheckAt: fine.nextCheckAt, tells: null });
  });
});

describe('a break', () => {
  const broken: WatchState = { state: 'broken', problem: 'gone', failedSince: NOW, brokenSince: NOW };

  test('ends with one good look, and that is told', () => {
    expect(afterLook(broken, null, at(later(MINUTE_MS)))).toMatchObject({ ...FINE, tells: 'works' });
    expect(afterLook(broken, 'slow', at(later(MINUTE_MS)))).toMatchObject({
      state: 'fine',
      problem: 'slow',
      tells: 'works',
    });
  });

  test('is looked at often while it is fresh', () => {
    const next = (now: Date) => afterLook(broken, 'gone', at(now)).nextCheckAt.getTime() - now.getTime();
    expect(next(later(MINUTE_MS))).toBe(5 * MINUTE_MS);
    expect(next(later(7 * 60 * MINUTE_MS))).toBe(60 * MINUTE_MS);
  });

  test('neither ends nor begins when the site turns us away', () => {
    expect(afterLook(broken, 'no_entry', at(later(MINUTE_MS)))).toMatchObject({
      state: 'broken',
      problem: 'gone',
      tells: null,
    });
    expect(afterLook(FINE, 'no_entry', at(NOW))).toMatchObject({ state: 'fine', problem: 'no_entry', tells: null });
  });
});
