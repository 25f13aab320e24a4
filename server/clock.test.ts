import { expect, test } from 'vitest';
import { systemIds } from './clock.ts';

test('ids of one millisecond sort in the order of their making, between those before and after', () => {
  const at = new Date('2026-03-01T12:00:00.123Z');
  const ids = [
    systemIds.uuid(new Date(at.getTime() - 1)),
    ...Array.from({ length: 2000 }, () => systemIds.uuid(at)),
    systemIds.uuid(new Date(at.getTime() + 1)),
  ];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id is a UUID of version 7 with its millisecond in front', () => {
  const id = systemIds.uuid(new Date(0x0123_4567_89ab));
  expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
