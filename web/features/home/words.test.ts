import { expect, it } from 'vitest';
import type { Queue } from '#contract/queue.ts';
import { queueWords, rateOf } from './words.ts';

const now = Date.parse('2026-03-01T10:00:00.000Z');
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
const queue: Queue = {
  connectionId: '01890000-0000-7000-8000-000000000001',
  platform: 'instagram',
  username: 'anna',
  waiting: 1200,
  perHour: 750,
  platformPerHour: 750,
  doneAt: inHours(2),
  heldUp: null,
  expiring: 0,
  firstExpiryAt: null,
  posts: [],
  control: { paused: false, slowedToPercent: null, slowedUntil: null, order: 'deadline', firstPostId: null },
  madeAt: inHours(0),
};

it('says how many wait and until when, and at what rate', () => {
  const words = queueWords(queue, now);
  expect(words.title).toMatch(/^1,200 messages are waiting; everyone gets theirs by \d/);
  expect(words.pace).toMatch(/^Sending 750 an hour, Instagram’s limit/);
  expect(words.loss).toBeNull();
  expect(queueWords({ ...queue, waiting: 1 }, now).title).toMatch(/^1 message is waiting/);
});

it('promises no time that nobody knows, and says what holds it up', () => {
  const heldUp = { by: 'barred' as const, says: 'Instagram stopped messages.', until: inHours(1) };
  const words = queueWords({ ...queue, doneAt: null, heldUp }, now);
  expect(words.title).toBe('1,200 messages are waiting');
  expect(words.pace).toMatch(/^Instagram stopped messages\. That should be over by \d/);
});

it('says that they wanted it slower, and until when', () => {
  const control = { ...queue.control, slowedToPercent: 50, slowedUntil: inHours(3) };
  const words = queueWords({ ...queue, perHour: 375, control }, now);
  expect(words.pace).toMatch(/^375 an hour instead of 750, as you chose until \d/);
});

it('names those who will run out of time before they are', () => {
  const words = queueWords({ ...queue, expiring: 40, firstExpiryAt: inHours(150) }, now);
  expect(words.loss).toMatch(/^40 people won’t get a message in time: .* The first runs out of time Mar 7/);
});

it('says a rate only of something', () => {
  expect(rateOf(15, 30)).toBe('50%');
  expect(rateOf(0, 30)).toBe('0%');
  expect(rateOf(0, 0)).toBeNull();
});
