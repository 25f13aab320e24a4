import { expect, test } from 'vitest';
import { mapInSlices } from './slices.ts';

test('maps in order, and lets others have their turn', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('somebody else'));
  const numbers = Array.from({ length: 120 }, (_, index) => index);
  const doubled = await mapInSlices(numbers, (number) => {
    order.push(`${number}`);
    return number * 2;
  });
  expect(doubled).toEqual(numbers.map((number) => number * 2));
  expect(order.indexOf('somebody else')).toBe(50);
});
