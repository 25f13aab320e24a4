import { expect, test } from 'vitest';
import { LaneWindow } from './lane-window.ts';
import { Lane } from './lanes.ts';

function lane(most: number, periodMs: number): Lane {
  return new Lane('creator', 'connection', 'private_replies', [new LaneWindow(most, periodMs)]);
}

test('a call counts until it is answered, and from then on for a whole period', () => {
  const slow = lane(2, 1000);
  slow.begin();
  slow.begin();
  // Meta may count them as late as they are answered.
  expect(slow.availableAtOnce(1000)).toBe(0);
  slow.answer(1500);
  expect(slow.availableAtOnce(1600)).toBe(0);
  slow.answer(1600);
  expect(slow.availableAtOnce(2499)).toBe(0);
  expect(slow.availableAtOnce(2500)).toBe(1);
  expect(slow.availableAtOnce(2600)).toBe(2);
});

test('what was not called in the end does not count', () => {
  const expired = lane(1, 1000);
  expired.begin();
  expired.answer(null);
  expect(expired.availableAtOnce(0)).toBe(1);
});

test('says when it is worth looking again while calls are under way', () => {
  const busy = lane(3, 1000);
  busy.wake(0, 0);
  busy.take(0);
  busy.begin();
  expect(busy.nextAt(10)).toBe(10);
  busy.begin();
  expect(busy.available(10)).toBe(0);
  expect(busy.nextAt(10)).toBe(1000);
  // The two without an answer and one of the next period go before it.
  expect(busy.turnAt(10, 1)).toBe(1010);
});

test('what Meta asked for stands when the creator has mended what was hers, whichever came first', () => {
  const limitedFirst = lane(1, 1000);
  limitedFirst.close(5000, 'rate_limited');
  limitedFirst.close(Number.POSITIVE_INFINITY, 'needs_reconnect');
  const signedOutFirst = lane(1, 1000);
  signedOutFirst.close(Number.POSITIVE_INFINITY, 'needs_reconnect');
  signedOutFirst.close(5000, 'rate_limited');
  for (const closed of [limitedFirst, signedOutFirst]) {
    expect(closed).toMatchObject({ closedUntil: Number.POSITIVE_INFINITY, closedReason: 'needs_reconnect' });
    closed.open(1000);
    expect(closed).toMatchObject({ closedUntil: 5000, closedReason: 'rate_limited' });
    expect(closed.available(4999)).toBe(0);
    expect(closed.available(5000)).toBe(1);
  }
});
