import { expect, test } from 'vitest';
import { visitWords } from '#web/features/settings/visit-words.ts';

const startedAt = '2026-11-20T12:00:00.000Z';

test('a visit that is not over says since when', () => {
  expect(visitWords({ startedAt, endedAt: null, reads: 0, actions: 0 }).when).toMatch(/^Since Nov 20, 2026/);
});

test('a visit says how long it lasted, never "0 minutes"', () => {
  const lasting = (endedAt: string) => visitWords({ startedAt, endedAt, reads: 0, actions: 0 }).when;
  expect(lasting('2026-11-20T12:00:10.000Z')).toMatch(/for less than a minute$/);
  expect(lasting('2026-11-20T12:01:10.000Z')).toMatch(/for a minute$/);
  expect(lasting('2026-11-20T12:41:00.000Z')).toMatch(/for 41 minutes$/);
});

test('a visit says how much was opened and changed, and when nothing was', () => {
  const did = (reads: number, actions: number) => visitWords({ startedAt, endedAt: null, reads, actions }).did;
  expect(did(0, 0)).toBe('Opened no pages with people’s data. Changed nothing.');
  expect(did(1, 1)).toBe('Opened one page with people’s data. Changed one thing.');
  expect(did(3, 7)).toBe('Opened 3 pages with people’s data. Changed 7 things.');
});
