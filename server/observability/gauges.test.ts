import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { gaugesOf } from './gauges.ts';

test('a gauge that cannot be read is left out and told of; the others are shown', async () => {
  const onFailure = vi.fn();
  const registry = new Registry();
  const gauge = gaugesOf(registry, onFailure);
  let away = false;
  gauge('away', 'Not there.', () => (away ? Promise.reject(new Error('the database is away')) : 5));
  gauge('unknown', 'Not known.', () => null);
  gauge('here', 'There.', () => [[['messages'], 3]], ['lane']);
  const values = async () => (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  expect(await values()).toEqual(['away 5', 'here{lane="messages"} 3']);
  away = true;
  expect(await values()).toEqual(['here{lane="messages"} 3']);
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('the database is away'));
});

test('what is no longer told is no longer shown', async () => {
  const registry = new Registry();
  let lanes: [string[], number][] = [[['messages'], 3]];
  gaugesOf(registry, () => {})('queue', 'Waits.', () => lanes, ['lane']);
  expect(await registry.metrics()).toContain('queue{lane="messages"} 3');
  lanes = [[['public_replies'], 1]];
  expect(await registry.metrics()).not.toContain('messages');
});
