import type { ResponseOf } from '#contract/endpoint.ts';
import type { getPost } from '#contract/posts.ts';
import { NOT_SENT, OUTCOMES } from '#web/features/activity/words.ts';
import { numerals } from '#web/ui/numerals.ts';

export type Reconciliation = ResponseOf<typeof getPost>['reconciliation'];

export type Part = {
  key: 'sent' | 'waiting' | 'failed' | 'expired' | 'missed' | 'noKeyword' | 'notSent';
  label: string;
  count: number;
};

/** Where the comments went; the counts add up to `comments`. Parts of nothing are left out, answers stay. */
export function partsOf(figure: Reconciliation): Part[] {
  const parts: Part[] = [
    { key: 'sent', label: OUTCOMES.replied.label, count: figure.sent },
    { key: 'waiting', label: OUTCOMES.waiting.label, count: figure.waiting },
    { key: 'failed', label: OUTCOMES.failed.label, count: figure.failed },
    { key: 'expired', label: OUTCOMES.expired.label, count: figure.expired },
    { key: 'missed', label: OUTCOMES.missed.label, count: figure.missed },
    { key: 'noKeyword', label: OUTCOMES.skipped.label, count: figure.noKeyword },
    { key: 'notSent', label: NOT_SENT, count: figure.notSent },
  ];
  return parts.filter((part) => part.count > 0 || part.key === 'sent');
}

/** By how much Instagram's own number differs from what people wrote, and why; null while Instagram gave none. */
export function comparison(
  figure: Pick<Reconciliation, 'instagramCounts' | 'comments' | 'own' | 'hidden' | 'earlier' | 'deleted' | 'since'>,
): string | null {
  if (figure.instagramCounts === null) return null;
  const difference = figure.instagramCounts - figure.comments;
  const parts = [
    [figure.own, 'from your own account (our public replies count too)'],
    [figure.hidden ?? 0, 'hidden by Instagram (filtered words or restricted people)'],
    [figure.earlier, 'from before you connected, or hidden by Instagram'],
    [-figure.deleted, 'deleted since'],
    [-figure.since, 'new since Instagram counted'],
  ] as const;
  const because = parts
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count < 0 ? 'minus ' : ''}${numerals(Math.abs(count))} ${what}`);
  const by =
    difference === 0 ? 'the same number' : `${numerals(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'}`;
  return because.length === 0 ? `${by}.` : `${by}: ${because.join(', ')}.`;
}

/** Comments from our own reading; null when webhooks brought everything. */
export function foundWords(found: number): string | null {
  if (found === 0) return null;
  return `Instagram skipped ${numerals(found)}; we found ${found === 1 ? 'it' : 'them'} by checking the post.`;
}
