import type { ResponseOf } from '#contract/endpoint.ts';
import type { getPost } from '#contract/posts.ts';
import { numerals } from '#web/ui/numerals.ts';

export type Reconciliation = ResponseOf<typeof getPost>['reconciliation'];

export type Part = { key: string; label: string; count: number; tone: 'good' | 'waiting' | 'bad' | 'quiet' };

/** Where the comments that we saw went; the counts add up to `seen`. Parts of nothing are left out, answers stay. */
export function partsOf(figure: Reconciliation): Part[] {
  const parts: Part[] = [
    { key: 'sent', label: 'Messages sent', count: figure.sent, tone: 'good' },
    { key: 'waiting', label: 'Waiting', count: figure.waiting, tone: 'waiting' },
    { key: 'failed', label: 'Failed', count: figure.failed, tone: 'bad' },
    { key: 'expired', label: 'Not sent in time', count: figure.expired, tone: 'bad' },
    { key: 'missed', label: 'Came too late to us', count: figure.missed, tone: 'bad' },
    { key: 'skipped', label: 'Not meant for an answer', count: figure.skipped, tone: 'quiet' },
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
    [figure.hidden ?? 0, 'hidden by Instagram (filtered words, restricted people) and shown to no app'],
    [figure.earlier, 'from before that, or hidden by Instagram'],
    [figure.deleted, 'deleted since we saw them'],
    [figure.since, 'came after Instagram counted'],
  ] as const;
  const between = parts.filter(([count]) => count > 0).map(([count, what]) => `${numerals(count)} ${what}`);
  return between.length === 0 ? 'The numbers agree.' : `Between the two: ${between.join('; ')}.`;
}

/** What our own reading brought; null when webhooks brought everything. */
export function foundWords(found: number): string | null {
  if (found === 0) return null;
  const comments = found === 1 ? '1 of them' : `${numerals(found)} of them`;
  return `Instagram did not tell us of ${comments}; we found ${found === 1 ? 'it' : 'them'} by reading the post.`;
}
