import type { ResponseOf } from '#contract/endpoint.ts';
import type { getPost } from '#contract/posts.ts';
import { OUTCOMES } from '#web/features/activity/words.ts';
import { numerals } from '#web/ui/numerals.ts';

export type Reconciliation = ResponseOf<typeof getPost>['reconciliation'];

export type Part = { key: string; label: string; count: number; tone: 'good' | 'waiting' | 'bad' | 'quiet' };

/** Where the comments that we saw went; the counts add up to `seen`. Parts of nothing are left out, answers stay. */
export function partsOf(figure: Reconciliation): Part[] {
  const parts: Part[] = [
    { key: 'sent', label: OUTCOMES.replied.label, count: figure.sent, tone: 'good' },
    { key: 'waiting', label: OUTCOMES.waiting.label, count: figure.waiting, tone: 'waiting' },
    { key: 'failed', label: OUTCOMES.failed.label, count: figure.failed, tone: 'bad' },
    { key: 'expired', label: OUTCOMES.expired.label, count: figure.expired, tone: 'bad' },
    { key: 'missed', label: OUTCOMES.missed.label, count: figure.missed, tone: 'bad' },
    { key: 'skipped', label: OUTCOMES.skipped.label, count: figure.skipped, tone: 'quiet' },
    { key: 'own', label: 'Your own comments', count: figure.own, tone: 'quiet' },
  ];
  return parts.filter((part) => part.count > 0 || part.key === 'sent');
}

/** What lies between Instagram's own number and ours; null while Instagram gave none. */
export function comparison(
  figure: Pick<Reconciliation, 'instagramCounts' | 'hidden' | 'earlier' | 'deleted' | 'since'>,
): string | null {
  if (figure.instagramCounts === null) return null;
  const parts = [
    [figure.hidden ?? 0, 'hidden by Instagram (filtered words or restricted people)'],
    [figure.earlier, 'from before you connected, or hidden by Instagram'],
    [figure.deleted, 'deleted since'],
    [figure.since, 'new since Instagram counted'],
  ] as const;
  const between = parts.filter(([count]) => count > 0).map(([count, what]) => `${numerals(count)} ${what}`);
  return between.length === 0 ? 'The numbers match.' : `The difference: ${between.join('; ')}.`;
}

/** What our own reading brought; null when webhooks brought everything. */
export function foundWords(found: number): string | null {
  if (found === 0) return null;
  return `Instagram skipped ${numerals(found)}; we found ${found === 1 ? 'it' : 'them'} by checking the post.`;
}
