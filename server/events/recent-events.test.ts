import { expect, test } from 'vitest';
import { RecentEvents } from './recent-events.ts';

const event = (id: number, body = 'x'.repeat(10)) => ({ id, shard: 1, receivedAt: new Date(0), body });

test('the oldest give way to the newest', () => {
  const recent = new RecentEvents(25);
  expect(recent.first()).toBe(null);
  for (const id of [1, 2, 3]) recent.keep(event(id));
  expect(recent.first()).toBe(2);
  expect(recent.find(1)).toBe(undefined);
  expect(recent.find(3)).toEqual(event(3));
});

test('what is forgotten makes room, once', () => {
  const recent = new RecentEvents(25);
  recent.keep(event(1));
  recent.keep(event(2));
  recent.forget(1);
  recent.forget(1);
  recent.keep(event(3));
  expect(recent.first()).toBe(2);
  recent.keep(event(4));
  expect(recent.first()).toBe(3);
});

test('one that is larger than all there is room for is not kept', () => {
  const recent = new RecentEvents(25);
  recent.keep(event(1));
  recent.keep(event(2, 'x'.repeat(26)));
  expect(recent.first()).toBe(null);
});
