import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('never runs more at once than is allowed, and refuses whom the line has no place for', async () => {
  const { start, running, finish } = job();
  const turns = createTurns({ atOnce: 2, waiting: 3 });
  const all = Array.from({ length: 6 }, (_, i) => turns('stranger', start(`${i}`)));
  const refused = await Promise.allSettled([all[5]]);
  expect(refused).toMatchObject([
    { status: 'rejected', reason: { code: 'too_many_requests', retryAfterSeconds: expect.any(Number) } },
  ]);
  expect(running()).toEqual(['0', '1']);
  for (let i = 0; i < 5; i++) {
    expect(running().length).toBeLessThanOrEqual(2);
    finish(`${i}`);
    await all[i];
  }
  expect(running()).toEqual([]);
});

test('gives the place on when the work fails', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 1 });
  const failing = turns('stranger', () => Promise.reject(new Error('no')));
  const next = turns('stranger', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(await turns('stranger', async () => 'again')).toBe('again');
});

test('lets people we know go before strangers, also when the strangers’ line is full', async () => {
  const { start, running, finish } = job();
  const turns = createTurns({ atOnce: 1, waiting: 2 });
  const first = turns('stranger', start('first'));
  const strangers = [turns('stranger', start('stranger 1')), turns('stranger', start('stranger 2'))];
  await expect(turns('stranger', start('stranger 3'))).rejects.toMatchObject({ code: 'too_many_requests' });
  const known = turns('known', start('known'));
  finish('first');
  await first;
  expect(running()).toEqual(['known']);
  finish('known');
  await known;
  finish('stranger 1');
  finish('stranger 2');
  await Promise.all(strangers);
});

/** Work that ends when the test says so. */
function job() {
  const ends = new Map<string, () => void>();
  const done = new Set<string>();
  return {
    start: (name: string) => () =>
      new Promise<void>((resolve) => {
        if (done.has(name)) resolve();
        else ends.set(name, resolve);
      }),
    running: () => [...ends.keys()],
    finish(name: string) {
      done.add(name);
      ends.get(name)?.();
      ends.delete(name);
    },
  };
}
