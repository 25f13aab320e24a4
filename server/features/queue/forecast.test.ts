import { describe, expect, test } from 'vitest';
import { forecast, type LaneOutlook, type Waiting } from './forecast.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const lane: LaneOutlook = {
  nowMs: NOW,
  perHour: 10,
  recentCalls: [],
  opensAtMs: NOW,
  slowedToPercent: null,
  slowedUntilMs: 0,
};

function waiting(count: number, over: Partial<Waiting> = {}): Waiting {
  const expiresFromMs = NOW + 100 * HOUR_MS;
  return { postId: 'a', priority: 0, expiresFromMs, expiresToMs: expiresFromMs, count, ...over };
}

const hoursFromNow = (ms: number | null) => (ms === null ? null : (ms - NOW) / HOUR_MS);

describe('the forecast of a queue', () => {
  test('lets an hour’s allowance go at once and as much in every further hour', () => {
    const made = forecast(lane, [waiting(10), waiting(15, { postId: 'b' })]);
    expect(made.posts).toEqual([
      { postId: 'b', waiting: 15, doneAtMs: NOW + 2 * HOUR_MS, expiring: 0 },
      { postId: 'a', waiting: 10, doneAtMs: NOW, expiring: 0 },
    ]);
    expect(made).toMatchObject({
      waiting: 25,
      doneAtMs: NOW + 2 * HOUR_MS,
      expiring: 0,
      firstExpiryAtMs: null,
      lost: [],
    });
  });

  test('counts what went out in the last hour', () => {
    const recentCalls = Array.from({ length: 10 }, (_, index) => NOW - HOUR_MS / 2 + index);
    expect(hoursFromNow(forecast({ ...lane, recentCalls }, [waiting(1)]).doneAtMs)).toBe(0.5);
  });

  test('waits for the platform, and promises nothing where nobody knows until when', () => {
    expect(hoursFromNow(forecast({ ...lane, opensAtMs: NOW + 3 * HOUR_MS }, [waiting(11)]).doneAtMs)).toBe(4);
    expect(forecast({ ...lane, opensAtMs: null }, [waiting(11)])).toMatchObject({
      waiting: 11,
      doneAtMs: null,
      expiring: 0,
      posts: [{ postId: 'a', waiting: 11, doneAtMs: null, expiring: 0 }],
    });
  });

  test('goes slower for as long as the creator wants it', () => {
    const slowed = { ...lane, slowedToPercent: 50, slowedUntilMs: NOW + 2 * HOUR_MS };
    // 5 at once, 5 after an hour, then 10 an hour: five places are free at once when it ends.
    expect(hoursFromNow(forecast(slowed, [waiting(10)]).doneAtMs)).toBe(1);
    expect(hoursFromNow(forecast(slowed, [waiting(20)]).doneAtMs)).toBe(2);
    expect(hoursFromNow(forecast({ ...slowed, slowedUntilMs: NOW + 9 * HOUR_MS }, [waiting(20)]).doneAtMs)).toBe(3);
  });

  test('names those who will be lost, and gives their places to others', () => {
    const soon = { expiresFromMs: NOW + HOUR_MS / 2, expiresToMs: NOW + HOUR_MS / 2 };
    const made = forecast(lane, [waiting(14, { ...soon, postId: 'b' }), waiting(10)]);
    expect(made.expiring).toBe(4);
    expect(made.firstExpiryAtMs).toBe(soon.expiresFromMs);
    expect(made.lost).toEqual([{ postId: 'b', priority: 0, ...soon, count: 4 }]);
    expect(hoursFromNow(made.doneAtMs)).toBe(1);
  });
});

describe('at the edges of a forecast', () => {
  test.each([
    ['a millisecond before their turn', NOW + HOUR_MS - 1, 1],
    ['at their turn', NOW + HOUR_MS, 1],
    ['a millisecond after it', NOW + HOUR_MS + 1, 0],
  ])('who would be too late %s are lost', (_name, expiresFromMs, expiring) => {
    expect(forecast({ ...lane, perHour: 1 }, [waiting(2, { expiresFromMs })]).expiring).toBe(expiring);
  });

  test.each([
    ['a millisecond less than an hour old', NOW - HOUR_MS + 1, 1],
    ['an hour old', NOW - HOUR_MS, 0],
    ['older', NOW - HOUR_MS - 1, 0],
  ])('a call %s', (_name, call, afterMs) => {
    const made = forecast({ ...lane, perHour: 1, recentCalls: [call] }, [waiting(1)]);
    expect(made.doneAtMs).toBe(NOW + afterMs);
  });

  test.each([
    ['a millisecond ago', NOW - 1, NOW + HOUR_MS],
    ['now', NOW, NOW + HOUR_MS],
    ['in a millisecond', NOW + 1, NOW + HOUR_MS + 1],
    ['in two hours', NOW + 2 * HOUR_MS, NOW + 2 * HOUR_MS],
  ])('slowed down until %s', (_name, slowedUntilMs, doneAtMs) => {
    const made = forecast({ ...lane, slowedToPercent: 50, slowedUntilMs }, [
      waiting(slowedUntilMs > NOW + 1 ? 15 : 20),
    ]);
    expect(made.doneAtMs).toBe(doneAtMs);
  });

  test('slowed down to nothing, one an hour goes', () => {
    const made = forecast({ ...lane, slowedToPercent: 1, slowedUntilMs: NOW + 9 * HOUR_MS }, [waiting(3)]);
    expect(made.doneAtMs).toBe(NOW + 2 * HOUR_MS);
  });

  test('groups of one post are added up, those lost too, and the first of them named', () => {
    const soon = (hours: number) => ({ expiresFromMs: NOW + hours * HOUR_MS, expiresToMs: NOW + hours * HOUR_MS });
    const made = forecast({ ...lane, perHour: 1 }, [waiting(3, soon(0.5)), waiting(4, soon(0.25)), waiting(1)]);
    expect(made.posts).toEqual([{ postId: 'a', waiting: 8, doneAtMs: NOW + HOUR_MS, expiring: 6 }]);
    expect(made.expiring).toBe(6);
    expect(made.firstExpiryAtMs).toBe(NOW + HOUR_MS / 4);
  });

  test('posts with as many are listed by their ids, comments without a post first', () => {
    const queue = ['b', null, 'a'].map((postId) => waiting(1, { postId }));
    expect(forecast(lane, queue).posts.map(({ postId }) => postId)).toEqual([null, 'a', 'b']);
    expect(forecast(lane, queue.toReversed()).posts.map(({ postId }) => postId)).toEqual([null, 'a', 'b']);
  });

  test('nobody waits', () => {
    expect(forecast(lane, [])).toEqual({
      waiting: 0,
      doneAtMs: null,
      expiring: 0,
      firstExpiryAtMs: null,
      posts: [],
      lost: [],
    });
  });
});
