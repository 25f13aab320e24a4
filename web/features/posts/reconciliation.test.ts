import { expect, it } from 'vitest';
import { comparison, partsOf, type Reconciliation } from '#web/features/posts/reconciliation.ts';

const figure: Reconciliation = {
  instagramCounts: 12,
  countedAt: null,
  seen: 10,
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

it('says why Instagram counts more, or fewer', () => {
  expect(comparison({ instagramCounts: null, seen: 1 })).toBeNull();
  expect(comparison({ instagramCounts: 5, seen: 5 })).toBe('The numbers agree.');
  expect(comparison({ instagramCounts: 12, seen: 10 })).toMatch(/^At least 2 came before/);
  expect(comparison({ instagramCounts: 8, seen: 10 })).toMatch(/^At least 2 came after/);
});
