import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginEarly, takeEarly, whenEarlyTaken } from './early-calls.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (address: string) => new Response(address));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an early answer is handed out once', async () => {
  void beginEarly('/posts');
  expect(await (await takeEarly('/posts'))?.text()).toBe('/posts');
  expect(takeEarly('/posts')).toBeUndefined();
  expect(takeEarly('/others')).toBeUndefined();
});

test('an early answer that was not wanted in time is none', () => {
  void beginEarly('/posts');
  vi.advanceTimersByTime(20_000);
  expect(takeEarly('/posts')).toBeUndefined();
});

test('it is told when the last early answer was taken', async () => {
  const told: string[] = [];
  whenEarlyTaken(() => told.push('nothing was early'));
  void beginEarly('/posts');
  void beginEarly('/others');
  whenEarlyTaken(() => told.push('all taken'));
  takeEarly('/posts');
  await Promise.resolve();
  expect(told).toEqual([]);
  takeEarly('/others');
  await Promise.resolve();
  expect(told).toEqual(['all taken']);
});
