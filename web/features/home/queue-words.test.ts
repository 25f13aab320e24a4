import { expect, it } from 'vitest';
import { queueWords } from '#web/features/home/queue-words.ts';

const now = Date.parse('2026-03-01T10:00:00.000Z');
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

it('does not promise a time that nobody knows', () => {
  const { title, detail } = queueWords({ waiting: 1200, doneAt: null, nextExpiryAt: null }, now);
  expect(title).toBe('1,200 messages are waiting');
  expect(detail).toMatch(/once Instagram takes them again/);
});

it('says until when all are answered', () => {
  const { title } = queueWords({ waiting: 1, doneAt: inHours(2), nextExpiryAt: null }, now);
  expect(title).toMatch(/^1 message is waiting; all answered by \d/);
});

it('names the first deadline only when it is near', () => {
  const queue = { waiting: 3, doneAt: inHours(2) };
  expect(queueWords({ ...queue, nextExpiryAt: inHours(3) }, now).detail).toMatch(/must be out by/);
  expect(queueWords({ ...queue, nextExpiryAt: inHours(150) }, now).detail).not.toMatch(/must be out by/);
});
