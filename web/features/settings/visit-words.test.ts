import { expect, test } from 'vitest';
import { visitWords } from '#web/features/settings/visit-words.ts';

const startedAt = '2026-11-20T12:00:00.000Z';

test('a visit that is not over says since when', () => {
  expect(visitWords({ startedAt, endedAt: null, actions: 0 }).when).toMatch(/^Since Nov 20, 2026/);
});

test('a visit says how long it lasted, never "0 minutes"', () => {
  const lasting = (endedAt: string) => visitWords({ startedAt, endedAt, actions: 0 }).when;
  expect(lasting('2026-11-20T12:00:10.000Z')).toMatch(/for less than a minute$/);
  expect(lasting('2026-11-20T12:01:10.000Z')).toMatch(/for a minute$/);
  expect(lasting('2026-11-20T12:41:00.000Z')).toMatch(/for 41 minutes$/);
});

test('a visit says how much was changed, and when nothing was', () => {
  const did = (actions: number) => visitWords({ startedAt, endedAt: null, actions }).did;
  expect(did(0)).toBe('Looked and changed nothing.');
  expect(did(1)).toBe('Changed one thing.');
  expect(did(7)).toBe('Changed 7 things.');
});
