import { setImmediate } from 'node:timers/promises';

/** Some five milliseconds of deciding. */
const SLICE = 50;

/** Like `Array.map`, but with a pause after each few: meanwhile webhooks are acknowledged and answers of calls taken. */
export async function mapInSlices<Item, Result>(items: Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    if (results.length > 0 && results.length % SLICE === 0) await setImmediate();
    results.push(map(item));
  }
  return results;
}
