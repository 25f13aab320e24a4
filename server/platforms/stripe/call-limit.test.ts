import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitCalls } from './call-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** @returns when each call went out, in ms, and the most that were under way at once */
async function play(count: number, { tookMs, status = 200 }: { tookMs: number; status?: number }) {
  const began: number[] = [];
  let [underWay, most] = [0, 0];
  const ask = limitCalls(async () => {
    const isFirst = began.push(performance.now()) === 1;
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    underWay--;
    return new Response(null, { status: isFirst ? status : 200 });
  });
  const start = performance.now();
  const calls = Promise.all(Array.from({ length: count }, () => ask('https://api.example')));
  await vi.advanceTimersByTimeAsync(120_000);
  await calls;
  return { began: began.map((at) => at - start), most };
}

test('at most ten are under way', async () => {
  const { began, most } = await play(50, { tookMs: 2_000 });
  expect(most).toBe(10);
  expect(began.at(-1)).toBeGreaterThanOrEqual(8_000);
});

test('at most eighty go out in a second, and half of them once Stripe said that it was too much', async () => {
  const inFirst = (began: number[], from: number) => began.filter((at) => at >= from && at < from + 1_000).length;
  const { began } = await play(300, { tookMs: 1 });
  expect(inFirst(began, 0)).toBeLessThanOrEqual(82);
  expect(inFirst(began, 1_000)).toBeGreaterThan(60);
  const slow = await play(300, { tookMs: 1, status: 429 });
  expect(inFirst(slow.began, 1_000)).toBeLessThanOrEqual(41);
});

test('a call that fails makes room', async () => {
  const ask = limitCalls(async () => {
    throw new Error('cut');
  });
  const calls = Array.from({ length: 30 }, () => ask('https://api.example').catch((error: Error) => error.message));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await Promise.all(calls)).toEqual(Array(30).fill('cut'));
});
