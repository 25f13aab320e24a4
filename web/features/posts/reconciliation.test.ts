import { expect, it } from 'vitest';
import { comparison, foundWords, partsOf, type Reconciliation } from '#web/features/posts/reconciliation.ts';

const figure: Reconciliation = {
  instagramCounts: 12,
  countedAt: null,
  comments: 9,
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
  noKeyword: 2,
  notSent: 1,
  own: 1,
  failures: [],
  opened: 0,
  clicked: 0,
};

it('adds up to what people wrote', () => {
  const sum = partsOf(figure).reduce((total, part) => total + part.count, 0);
  expect(sum).toBe(figure.comments);
});

it('leaves out parts of nothing, but never the answers', () => {
  const nothing = {
    ...figure,
    sent: 0,
    waiting: 0,
    failed: 0,
    expired: 0,
    noKeyword: 0,
    notSent: 0,
    own: 0,
    comments: 0,
  };
  expect(partsOf(nothing).map((part) => part.key)).toEqual(['sent']);
});

it('says by how much Instagram’s number differs from what people wrote, and why', () => {
  const none = { instagramCounts: 5, comments: 5, own: 0, hidden: null, earlier: 0, deleted: 0, since: 0 };
  expect(comparison({ ...none, instagramCounts: null })).toBeNull();
  expect(comparison(none)).toBe('the same number.');
  expect(comparison({ ...none, instagramCounts: 1741, own: 736, earlier: 1000 })).toBe(
    '1,736 more: 736 from your own account (our public replies count too), 1,000 from before you connected, or hidden by Instagram.',
  );
  expect(comparison({ ...none, instagramCounts: 4, own: 1, deleted: 1, since: 1 })).toBe(
    '1 fewer: 1 from your own account (our public replies count too), minus 1 deleted since, minus 1 new since Instagram counted.',
  );
});

it('says what our own reading brought', () => {
  expect(foundWords(0)).toBeNull();
  expect(foundWords(3)).toBe('Instagram skipped 3; we found them by checking the post.');
});
