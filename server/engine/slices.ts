import { setImmediate } from 'node:timers/promises';

/** Nobody who is to be acknowledged waits for longer than that; less, and a batch would wait for everybody again and again. */
const SLICE_MS = 2;

/** Like `Array.map`, but with a pause every few milliseconds: meanwhile webhooks are acknowledged and answers of calls taken. */
export async function mapInSlices<Item, Result>(
  items: Item[],
  map: (item: Item) => Result,
  now: () => number = () => performance.now(),
): Promise<Result[]> {
  const results: Result[] = [];
  let pauseAt = now() + SLICE_MS;
  for (const item of items) {
    if (now() >= pauseAt) {
      await setImmediate();
      pauseAt = now() + SLICE_MS;
    }
    results.push(map(item));
  }
  return results;
}
