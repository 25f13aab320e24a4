import { expect, test } from 'vitest';
import { mapInSlices } from './slices.ts';

const numbers = Array.from({ length: 120 }, (_, index) => index);

/** Where somebody else had a turn while 120 items were mapped that took so long each; null: only afterwards. */
async function firstPause(msEach: number): Promise<number | null> {
  const order: string[] = [];
  setImmediate(() => order.push('somebody else'));
  let now = 1000;
  const doubled = await mapInSlices(
    numbers,
    (number) => {
      order.push(`${number}`);
      now += msEach;
      return number * 2;
    },
    () => now,
  );
  expect(doubled).toEqual(numbers.map((number) => number * 2));
  const at = order.indexOf('somebody else');
  return at === -1 ? null : at;
}

test.each([
  [0.1, 20],
  [1, 2],
  [50, 1],
])('maps in order, and lets others have their turn after 2 ms: items of %d ms', async (msEach, pauseAfter) => {
  expect(await firstPause(msEach)).toBe(pauseAfter);
});

test('goes on without a pause where all is done sooner', async () => {
  expect(await firstPause(0.01)).toBeNull();
});
