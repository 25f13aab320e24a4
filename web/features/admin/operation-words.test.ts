import { expect, test } from 'vitest';
import { jobWords, laneWords, workerState } from '#web/features/admin/operation-words.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');

test('a worker that has been silent for more than half a minute is not called running', () => {
  expect(workerState({ seenAt: '2026-11-20T11:59:20.000Z', shards: 16 }, now).label).toBe('Silent');
  expect(workerState({ seenAt: '2026-11-20T11:59:45.000Z', shards: 16 }, now).label).toBe('Running');
});

test('a worker that was stopped and has nothing left to do is no trouble', () => {
  expect(workerState({ seenAt: '2026-11-20T11:00:00.000Z', shards: 0 }, now)).toEqual({
    label: 'Gone',
    tone: 'neutral',
  });
});

test('a lane whose time is over is open again, and its old reason is not shown', () => {
  expect(laneWords({ closedUntil: '2026-11-20T11:59:00.000Z', closedReason: 'rate_limited' }, now)).toEqual({
    closed: false,
    reason: null,
  });
  expect(laneWords({ closedUntil: '2026-11-20T12:09:00.000Z', closedReason: 'rate_limited' }, now)).toEqual({
    closed: true,
    reason: 'rate limited',
  });
});

test('a job is named without hyphens', () => {
  expect(jobWords('refresh-tokens')).toBe('refresh tokens');
});
