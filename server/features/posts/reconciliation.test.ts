import { describe, expect, test } from 'vitest';
import type { Count } from '#server/engine/outcomes/counts.ts';
import { meet, reconcile } from './reconciliation.ts';

describe('what people wrote splits without remainder', () => {
  const count = (counted: Count['counted'], reason: Count['reason'], many: number): Count => ({
    counted,
    reason,
    count: many,
  });

  test.each<[string, Count, Partial<ReturnType<typeof reconcile>>]>([
    ['a reply', count('replied', 'sent', 5), { sent: 5, comments: 5 }],
    ['one that waits', count('waiting', 'rate_limited', 3), { waiting: 3, comments: 3 }],
    ['one that failed', count('failed', 'gave_up', 2), { failed: 2, comments: 2 }],
    ['one whose time is over', count('expired', 'deadline_passed', 4), { expired: 4, comments: 4 }],
    ['one that came too late', count('missed', 'too_old', 6), { missed: 6, comments: 6 }],
    ['one without a word of an automation', count('skipped', 'no_match', 7), { noKeyword: 7, comments: 7 }],
    ['one of somebody blocked', count('skipped', 'blocked', 8), { notSent: 8, comments: 8 }],
    ["the creator's own, which is no comment of people", count('skipped', 'own_comment', 9), { own: 9, comments: 0 }],
  ])('%s', (_name, one, parts) => {
    const nothing = { sent: 0, waiting: 0, failed: 0, expired: 0, missed: 0, noKeyword: 0, notSent: 0, own: 0 };
    expect(reconcile([one])).toMatchObject({ ...nothing, matched: 0, opened: 0, clicked: 0, ...parts });
  });

  test('those that matched, were opened or clicked are counted apart', () => {
    const counts = [
      count('replied', 'sent', 5),
      count('matched', '', 6),
      count('opened', '', 4),
      count('clicked', '', 3),
    ];
    const figures = { comments: 5, matched: 6, sent: 5, opened: 4, clicked: 3, failures: [] };
    expect(reconcile(counts)).toMatchObject(figures);
  });

  test('failures name their reasons, the most frequent first, then by name', () => {
    const { failures } = reconcile([
      count('replied', 'sent', 9),
      count('skipped', 'no_match', 9),
      count('missed', 'too_old', 1),
      count('failed', '', 1),
      count('expired', 'deadline_passed', 1),
      count('failed', 'person_unavailable', 2),
    ]);
    expect(failures.map(({ reason, count: many }) => [reason, many])).toEqual([
      ['person_unavailable', 2],
      ['', 1],
      ['deadline_passed', 1],
      ['too_old', 1],
    ]);
    expect(failures.map(({ says }) => says)).toEqual([
      expect.stringContaining('blocked'),
      'It wasn’t sent.',
      expect.not.stringContaining('It wasn’t sent.'),
      expect.not.stringContaining('It wasn’t sent.'),
    ]);
  });

  test('nothing seen is nothing', () => {
    expect(reconcile([])).toMatchObject({ comments: 0, matched: 0, failures: [] });
  });
});

describe('both numbers meet', () => {
  const syncedAt = new Date('2026-06-10T12:00:00Z');
  const wholeAt = new Date('2026-06-10T13:00:00Z');

  // [listed, counted by Instagram, seen then]
  test.each<[string, number, [number, number, number], { hidden: number; deleted: number; since: number }]>([
    ['all agree', 10, [10, 10, 10], { hidden: 0, deleted: 0, since: 0 }],
    ['Instagram hides one', 10, [10, 11, 10], { hidden: 1, deleted: 0, since: 0 }],
    ['Instagram hides some', 10, [10, 13, 10], { hidden: 3, deleted: 0, since: 0 }],
    ['one was deleted', 10, [9, 9, 10], { hidden: 0, deleted: 1, since: 0 }],
    ['one came since', 11, [10, 10, 10], { hidden: 0, deleted: 0, since: 1 }],
    ['some were deleted, others came since', 14, [9, 9, 11], { hidden: 0, deleted: 2, since: 3 }],
    ['some were deleted, others are hidden', 11, [9, 12, 11], { hidden: 3, deleted: 2, since: 0 }],
    ['its number lags behind its list', 10, [10, 8, 10], { hidden: 0, deleted: 0, since: 2 }],
    ['what was found is not worked off yet', 8, [10, 10, 10], { hidden: 2, deleted: 0, since: 0 }],
  ])('read to its first comment: %s', (_name, seen, [listed, platformCounted, seenThen], expected) => {
    const reading = { listed, platformCounted, seen: seenThen, wholeAt };
    const met = meet(seen, { comments_count: 40, synced_at: syncedAt }, reading);
    expect(met).toEqual({
      ...expected,
      earlier: 0,
      instagramCounts: platformCounted,
      countedAt: wholeAt.toISOString(),
    });
    expect(met.instagramCounts).toBe(seen - met.since - met.deleted + met.hidden!);
  });

  test.each<[string, number, number | null, { earlier: number; since: number; countedAt: string | null }]>([
    ['Instagram counts more', 10, 40, { earlier: 30, since: 0, countedAt: syncedAt.toISOString() }],
    ['Instagram counts as many', 40, 40, { earlier: 0, since: 0, countedAt: syncedAt.toISOString() }],
    ['Instagram counts fewer', 41, 40, { earlier: 0, since: 1, countedAt: syncedAt.toISOString() }],
    ['Instagram has not told its number', 10, null, { earlier: 0, since: 0, countedAt: null }],
  ])('not read to its first comment yet: %s', (_name, seen, counts, expected) => {
    expect(meet(seen, { comments_count: counts, synced_at: syncedAt }, null)).toEqual({
      ...expected,
      instagramCounts: counts,
      hidden: null,
      deleted: 0,
    });
  });
});
