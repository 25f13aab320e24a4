import { expect, test } from 'vitest';
import { createTestClock } from '#server/testing/test-clock.ts';
import { forgetPause, noteTurn, takeTurn } from './pace.ts';

const BUSY = { kind: 'try_later', says: 'Slow down.', isBusy: true } as const;
const REFUSED = { kind: 'our_key', says: 'No.' } as const;

test('a key has its turn once a second; who would wait too long is told', async () => {
  const clock = createTestClock();
  const order: number[] = [];
  const turns = [0, 1, 2].map((at) => takeTurn(clock, 'key', 2_000).then(() => order.push(at)));
  expect(await takeTurn(clock, 'key', 2_000)).toMatchObject({ kind: 'try_later' });
  expect(await takeTurn(clock, 'another key', 0)).toBeNull();
  expect(order).toEqual([0]);
  await clock.advance(1_000);
  expect(order).toEqual([0, 1]);
  await clock.advance(1_000);
  await Promise.all(turns);
  expect(order).toEqual([0, 1, 2]);
});

test('each 429 doubles the pause, up to an hour, and what works ends it', async () => {
  const clock = createTestClock();
  for (let pauseMs = 2_000; pauseMs < 2 * 3_600_000; pauseMs *= 2) {
    await takeTurn(clock, 'key', 0);
    noteTurn(clock, 'key', BUSY);
    await clock.advance(Math.min(pauseMs, 3_600_000) - 1);
    expect(await takeTurn(clock, 'key', 0)).toEqual(BUSY);
    await clock.advance(1);
  }
  expect(await takeTurn(clock, 'key', 0)).toBeNull();
  noteTurn(clock, 'key', null);
  await clock.advance(1_000);
  expect(await takeTurn(clock, 'key', 0)).toBeNull();
});

test('a key that was refused rests, unless somebody tries it by hand', async () => {
  const clock = createTestClock();
  await takeTurn(clock, 'key', 0);
  noteTurn(clock, 'key', REFUSED);
  await clock.advance(9 * 60_000);
  expect(await takeTurn(clock, 'key', 4_000)).toEqual(REFUSED);
  forgetPause(clock, 'key');
  expect(await takeTurn(clock, 'key', 0)).toBeNull();
});
