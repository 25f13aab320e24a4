import { expect, it } from 'vitest';
import { previewWords, progressWords } from './words.ts';

const now = Date.parse('2026-03-01T10:00:00.000Z');
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
const preview = {
  people: 214,
  atMost: 20_000,
  doneAt: inHours(3),
  expiring: 0,
  firstExpiryAt: null,
  leftOut: { haveIt: 0, unwanted: 0 },
  posts: [],
  messages: [],
  first: [],
};

it('says how long it takes, who would be lost and who is left out', () => {
  expect(previewWords(preview, now)).toEqual([expect.stringMatching(/^Everyone will have it by \d/)]);
  expect(previewWords({ ...preview, doneAt: inHours(0) }, now)).toEqual(['They’ll have it in seconds.']);
  expect(previewWords({ ...preview, doneAt: null }, now)[0]).toMatch(/once the queue is running again/);
  const words = previewWords(
    { ...preview, people: 30_000, expiring: 1, firstExpiryAt: inHours(1), leftOut: { haveIt: 1, unwanted: 2 } },
    now,
  ).join(' ');
  expect(words).toMatch(/The first 20,000 now/);
  expect(words).toMatch(/1 person won’t get it in time: Instagram allows only 7 days, and the first runs out \d/);
  expect(words).toMatch(/1 person already has it\. 2 people won’t get it: they wrote STOP/);
});

it('says how far it is without remainder', () => {
  const progress = { people: 10, sent: 4, waiting: 3, failed: 1, expired: 1, cancelled: 1 };
  const rest = { id: 'x', postId: null, startedAt: inHours(0), cancelledAt: null };
  expect(progressWords({ ...rest, ...progress })).toBe('4 of 10 sent, 3 waiting, 2 couldn’t be sent, 1 canceled.');
});
