import { describe, expect, test } from 'vitest';
import type { LaneKind, QueueControl } from '#server/engine/outcomes/rows.ts';
import { LaneWindow } from './lane-window.ts';
import { LANE_KINDS, Lane, Lanes, LONGEST_WINDOW_MS } from './lanes.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;

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

test('after a bar one call at a time asks whether it is over', () => {
  const barred = lane(100, 1000);
  barred.wake(0, 0);
  barred.close(5000, 'barred');
  barred.wentThrough(4999);
  expect(barred.available(5000)).toBe(1);
  barred.begin();
  expect(barred.available(5000)).toBe(0);
  expect(barred.nextAt(5000)).toBe(NEVER);
  barred.answer(5000);
  barred.end();
  expect(barred.available(6000)).toBe(1);
  barred.wentThrough(6000);
  expect(barred.available(6000)).toBe(64);
});

test('what Meta asked for stands when the creator has mended what was theirs, whichever came first', () => {
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

describe('a lane that is woken', () => {
  test.each([
    ['for now', 5000, 5000, 1, 5000],
    ['for a moment ago', 4999, 5000, 1, 5000],
    ['for now, within a second', 5500, 5500, 1, 5500],
    ['for later, at the next whole second', 5001, 5000, 0, 6000],
    ['for a whole second', 6000, 5000, 0, 6000],
  ])('%s', (_name, at, now, available, next) => {
    const woken = lane(1, 1000);
    woken.wake(at, now);
    expect([woken.available(now), woken.nextAt(now)]).toEqual([available, next]);
  });

  test('is ready when its second comes, not a millisecond before, and then for each other time', () => {
    const woken = lane(9, 1000);
    woken.wake(9500, 0);
    woken.wake(1500, 0);
    expect([woken.available(1999), woken.nextAt(1999)]).toEqual([0, 2000]);
    expect(woken.available(2000)).toBe(9);
    woken.rest();
    expect([woken.hasWork, woken.available(2001), woken.nextAt(2001)]).toEqual([true, 0, 10_000]);
    expect(woken.available(10_000)).toBe(9);
    woken.rest();
    expect([woken.hasWork, woken.nextAt(10_001)]).toEqual([false, NEVER]);
  });

  test('counts how often, and wakes nobody once it is another worker’s', () => {
    const working = new Set<Lane>();
    const woken = new Lane('creator', 'connection', 'messages', [], working);
    expect([woken.hasWork, woken.wakes, woken.nextAt(0), woken.retired]).toEqual([false, 0, NEVER, false]);
    woken.wake(0, 0);
    woken.wake(9000, 0);
    expect([woken.hasWork, woken.wakes, [...working]]).toEqual([true, 2, [woken]]);
    woken.retire();
    woken.wake(0, 0);
    expect([woken.hasWork, woken.wakes, woken.retired]).toEqual([false, 2, true]);
  });

  test('lets those who do not wait go only while nobody waits', () => {
    const woken = lane(3, 1000);
    expect([woken.availableAtOnce(0), woken.available(0)]).toEqual([3, 0]);
    woken.wake(0, 0);
    expect([woken.availableAtOnce(0), woken.available(0)]).toEqual([0, 3]);
  });
});

describe('a lane at its limits', () => {
  test('has the least that one of its windows leaves', () => {
    const both = new Lane('creator', 'connection', 'messages', [new LaneWindow(5, 1000), new LaneWindow(2, 9000)]);
    both.wake(0, 0);
    expect(both.available(0)).toBe(2);
    both.take(0);
    expect([both.available(0), both.available(1000)]).toEqual([1, 1]);
    both.take(0);
    expect([both.available(1000), both.nextAt(1000), both.turnAt(1000)]).toEqual([0, 9000, 9000]);
  });

  test('has 64 calls under way at most, those set aside among them', () => {
    const wide = lane(1000, 1000);
    wide.wake(0, 0);
    expect([wide.isWorking, wide.available(0)]).toEqual([false, 64]);
    for (let n = 0; n < 60; n++) wide.begin();
    wide.reserved = 3;
    expect([wide.isWorking, wide.available(0), wide.nextAt(0)]).toEqual([true, 1, 0]);
    wide.reserved = 4;
    expect([wide.available(0), wide.nextAt(0)]).toEqual([0, NEVER]);
    wide.reserved = 9;
    expect([wide.available(0), wide.nextAt(0)]).toEqual([0, NEVER]);
    wide.reserved = 0;
    // An answer frees its place only once it is recorded.
    wide.answer(0);
    expect(wide.available(0)).toBe(4);
    wide.end();
    expect(wide.available(0)).toBe(5);
  });

  test('counts those set aside, and in telling a turn those who wait', () => {
    const busy = lane(3, 1000);
    busy.wake(0, 0);
    busy.reserved = 2;
    busy.take(0);
    expect([busy.available(0), busy.nextAt(0), busy.turnAt(0)]).toEqual([0, 1000, 1000]);
    busy.reserved = 1;
    busy.waiting = 1;
    expect([busy.available(0), busy.nextAt(0), busy.turnAt(0), busy.turnAt(0, 3)]).toEqual([1, 0, 1000, 2000]);
    busy.begin();
    expect([busy.turnAt(0, 1), busy.turnAt(0, 2), busy.turnAt(0, 4)]).toEqual([1000, 2000, 2000]);
  });
});

describe('a closed lane', () => {
  test.each([
    ['a millisecond before it opens', 4999, 0, 5000],
    ['when it opens', 5000, 1, 5000],
    ['a millisecond later', 5001, 1, 5001],
  ])('%s', (_name, now, available, next) => {
    const closed = lane(1, 1000);
    closed.wake(0, 0);
    expect([closed.closedUntil, closed.closedReason, closed.isClosedForCreator]).toEqual([0, null, false]);
    expect(closed.close(5000, 'rate_limited')).toBe(true);
    expect([closed.available(now), closed.nextAt(now), closed.turnAt(now)]).toEqual([available, next, next]);
    expect(closed.closedByMeta).toEqual({ until: 5000, reason: 'rate_limited' });
  });

  test('is never opened earlier by being closed again', () => {
    const closed = lane(1, 1000);
    expect(closed.close(5000, 'rate_limited')).toBe(true);
    expect(closed.close(4999, 'barred')).toBe(false);
    expect(closed).toMatchObject({ closedUntil: 5000, closedReason: 'rate_limited' });
    expect(closed.close(5000, 'barred')).toBe(true);
    expect(closed).toMatchObject({ closedUntil: 5000, closedReason: 'barred' });
    expect(closed.close(9000, 'message_access_off')).toBe(true);
    expect(closed.close(8999, 'needs_reconnect')).toBe(false);
    expect(closed).toMatchObject({ closedUntil: 9000, closedReason: 'message_access_off', isClosedForCreator: true });
  });

  test.each(['rate_limited', 'barred'])('by %s waits for Meta, whatever the creator mends', (reason) => {
    const closed = lane(1, 1000);
    closed.close(5000, reason);
    closed.open(1000);
    expect([closed.closedUntil, closed.isClosedForCreator, closed.available(1000)]).toEqual([5000, false, 0]);
  });

  test('for the creator opens when they have mended it, and looks for what waits', () => {
    const closed = lane(1, 1000);
    closed.close(NEVER, 'needs_reconnect');
    closed.open(1000);
    expect([closed.closedUntil, closed.isClosedForCreator, closed.available(1000)]).toEqual([0, false, 1]);
  });
});

describe('a queue that its creator slows down', () => {
  const slowed = (slowedToPercent: number | null, slowedUntilMs: number, windows = [new LaneWindow(10, HOUR_MS)]) => {
    const slow = new Lane('creator', 'connection', 'private_replies', windows);
    slow.control = { paused: false, slowedToPercent, slowedUntilMs };
    slow.wake(0, 0);
    return slow;
  };

  test.each([
    ['a millisecond before it ends', 4999, 5],
    ['when it ends', 5000, 10],
    ['a millisecond later', 5001, 10],
  ])('%s', (_name, now, available) => {
    expect(slowed(50, 5000).available(now)).toBe(available);
  });

  test.each([
    ['rounded down', 25, 2],
    ['never to nothing', 1, 1],
    ['not at all', null, 10],
  ])('%s', (_name, percent, available) => {
    expect(slowed(percent, 5000).available(0)).toBe(available);
  });

  test('only in what is counted by the hour', () => {
    expect(slowed(50, 5000, [new LaneWindow(10, SECOND_MS)]).available(0)).toBe(10);
    expect(slowed(50, 5000, [new LaneWindow(10, HOUR_MS - 1)]).available(0)).toBe(10);
  });

  test('gets its turn when it ends, where that is earlier', () => {
    const slow = slowed(50, HOUR_MS / 2);
    for (let n = 0; n < 5; n++) slow.take(0);
    expect([slow.nextAt(1), slow.turnAt(1, 4), slow.turnAt(1, 5)]).toEqual([HOUR_MS / 2, HOUR_MS / 2, HOUR_MS]);
    const longer = slowed(50, 3 * HOUR_MS);
    for (let n = 0; n < 5; n++) longer.take(0);
    expect([longer.nextAt(1), longer.turnAt(1, 5)]).toEqual([HOUR_MS, 2 * HOUR_MS]);
    const free = slowed(50, HOUR_MS / 2);
    expect([free.turnAt(1, 4), free.turnAt(1, 5)]).toEqual([1, HOUR_MS / 2]);
  });

  test('while it is paused nothing goes, afterwards everything', () => {
    const held = lane(3, 1000);
    held.wake(0, 0);
    held.control = { ...held.control, paused: true };
    expect([held.available(0), held.nextAt(0)]).toEqual([0, NEVER]);
    held.control = { ...held.control, paused: false };
    expect([held.available(0), held.nextAt(0)]).toEqual([3, 0]);
  });
});

describe('the lanes of a connection', () => {
  const limits = { privateRepliesPerHour: 3, publicRepliesPerHour: 2, messagesPerSecond: 5 };
  const PAUSED: QueueControl = { paused: true, slowedToPercent: null, slowedUntilMs: 0 };
  const FULL_SPEED: QueueControl = { paused: false, slowedToPercent: null, slowedUntilMs: 0 };
  const made = () => new Lanes(limits as ConstructorParameters<typeof Lanes>[0]);

  test.each<[LaneKind, number, number, number]>([
    ['private_replies', 3, 3, 0],
    ['public_replies', 2, 2, 0],
    ['live_replies', 5, 5, 5],
    ['messages', 5, 5, 5],
    ['reads', 5, 5, 5],
  ])('%s: %i at once, as many in an hour and a second', (kind, atOnce, after, later) => {
    const one = made().of('creator', 'connection', kind);
    expect(one.availableAtOnce(0)).toBe(atOnce);
    for (let n = 0; n < 5; n++) one.take(0);
    expect(one.availableAtOnce(999)).toBe(0);
    expect(one.availableAtOnce(HOUR_MS - 1)).toBe(later);
    expect(one.availableAtOnce(HOUR_MS)).toBe(after);
  });

  test('have a limit by the second too', () => {
    const wide = new Lanes({ ...limits, privateRepliesPerHour: 99, publicRepliesPerHour: 99 } as never);
    for (const kind of LANE_KINDS) {
      const one = wide.of('creator', 'connection', kind);
      for (let n = 0; n < 5; n++) one.take(0);
      expect([one.availableAtOnce(999), one.availableAtOnce(1000)]).toEqual([0, 5]);
    }
  });

  test('are five, each made once', () => {
    const lanes = made();
    expect(lanes.known('connection', 'reads')).toBeUndefined();
    const reads = lanes.of('creator', 'connection', 'reads');
    expect(reads).toMatchObject({ creatorId: 'creator', connectionId: 'connection', kind: 'reads' });
    expect([lanes.of('creator', 'connection', 'reads'), lanes.known('connection', 'reads')]).toEqual([reads, reads]);
    expect(lanes.ofConnection('connection')).toEqual([reads]);
    expect(lanes.of('creator', 'connection', 'reads')).toBe(reads);
    expect(lanes.everyOf('creator', 'connection').map(({ kind }) => kind)).toEqual([
      'private_replies',
      'live_replies',
      'messages',
      'public_replies',
      'reads',
    ]);
    expect(lanes.ofConnection('connection')).toHaveLength(5);
    lanes.of('creator', 'other', 'reads');
    expect(lanes.connectionIds()).toEqual(['connection', 'other']);
    expect(LONGEST_WINDOW_MS).toBe(HOUR_MS);
  });

  test('paused by the creator: private and public replies, whether the lane was there before or not', () => {
    const lanes = made();
    const early = lanes.everyOf('creator', 'connection');
    lanes.setControl('connection', PAUSED);
    lanes.setControl('other', PAUSED);
    const late = lanes.everyOf('creator', 'other');
    for (const all of [early, late]) {
      expect(all.filter(({ control }) => control.paused).map(({ kind }) => kind)).toEqual([
        'private_replies',
        'public_replies',
      ]);
      for (const one of all) expect(one.availableAtOnce(0) === 0).toBe(one.control.paused);
    }
    expect(lanes.controlled()).toEqual(['connection', 'other']);
    lanes.setControl('connection', null);
    expect(early.map(({ control }) => control)).toEqual(early.map(() => FULL_SPEED));
    expect(lanes.controlled()).toEqual(['other']);
    expect(lanes.of('creator', 'third', 'private_replies').control).toEqual(FULL_SPEED);
  });

  test('that wait for a sign-in are named by their connections, once', () => {
    const lanes = made();
    for (const one of lanes.everyOf('creator', 'connection')) one.close(NEVER, 'needs_reconnect');
    lanes.of('creator', 'other', 'reads').close(5000, 'rate_limited');
    expect(lanes.waitingForSignIn()).toEqual(['connection']);
  });

  test('with work are those that were woken', () => {
    const lanes = made();
    const [first] = lanes.everyOf('creator', 'connection');
    expect([...lanes.withWork()]).toEqual([]);
    first!.wake(0, 0);
    expect([...lanes.withWork()]).toEqual([first]);
  });

  test('are made again once another worker has had them', () => {
    const lanes = made();
    const [first, ...others] = lanes.everyOf('creator', 'connection');
    const stays = lanes.of('creator', 'other', 'reads');
    const lookUps = lanes.lookUpsOf('connection');
    expect(lanes.lookUpsOf('connection')).toBe(lookUps);
    first!.take(0);
    first!.wake(0, 0);
    expect(lanes.forget(['connection'])).toEqual([first, ...others]);
    expect([first!.retired, stays.retired, [...lanes.withWork()]]).toEqual([true, false, []]);
    expect(lanes.known('connection', 'private_replies')).toBeUndefined();
    expect(lanes.of('creator', 'connection', 'private_replies').availableAtOnce(0)).toBe(3);
    expect(lanes.lookUpsOf('connection')).not.toBe(lookUps);
    expect(lanes.known('other', 'reads')).toBe(stays);
  });
});
