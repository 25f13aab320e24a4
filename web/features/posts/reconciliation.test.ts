import { expect, it } from 'vitest';
import { comparison, foundWords, partsOf, type Reconciliation } from '#web/features/posts/reconciliation.ts';

const figure: Reconciliation = {
  instagramCounts: 12,
  countedAt: null,
  seen: 10,
  found: 0,
  hidden: 2,
  earlier: 0,
  deleted: 0,
  since: 0,
  matched: 6,
  sent: 3,
  waiting: 1,
  waitingUntil: null,
  failed: 1,
  expired: 1,
  missed: 0,
  skipped: 3,
  own: 1,
  failures: [],
  opened: 0,
  clicked: 0,
};

it('adds up to what was seen', () => {
  const sum = partsOf(figure).reduce((total, part) => total + part.count, 0);
  expect(sum).toBe(figure.seen);
});

it('leaves out parts of nothing, but never the answers', () => {
  const nothing = { ...figure, sent: 0, waiting: 0, failed: 0, expired: 0, skipped: 0, own: 0, seen: 0 };
  expect(partsOf(nothing).map((part) => part.key)).toEqual(['sent']);
});

it('says what lies between Instagram’s number and ours', () => {
  const none = { instagramCounts: 5, hidden: null, earlier: 0, deleted: 0, since: 0 };
  expect(comparison({ ...none, instagramCounts: null })).toBeNull();
  expect(comparison(none)).toBe('The numbers match.');
  expect(comparison({ ...none, hidden: 2, since: 1 })).toBe(
    'The difference: 2 hidden by Instagram (filtered words or restricted people); 1 new since Instagram counted.',
  );
  expect(comparison({ ...none, earlier: 30, deleted: 1 })).toMatch(/30 from before you connected.*; 1 deleted since/);
});

it('says what our own reading brought', () => {
  expect(foundWords(0)).toBeNull();
  expect(foundWords(3)).toBe('Instagram skipped 3; we found them by checking the post.');
});
