import type { ResponseOf } from '#contract/endpoint.ts';
import type { getPost } from '#contract/posts.ts';

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

/**
 * How Instagram's own number compares with ours, in a sentence; null while Instagram gave none. "At least", because its
 * number is as old as the last sync and ours begins with the connection.
 */
export function comparison(figure: Pick<Reconciliation, 'instagramCounts' | 'seen'>): string | null {
  const { instagramCounts: theirs, seen } = figure;
  if (theirs === null) return null;
  if (theirs === seen) return 'The numbers agree.';
  if (theirs > seen) return `At least ${number.format(theirs - seen)} came before that, or are hidden from apps.`;
  return `At least ${number.format(seen - theirs)} came after Instagram counted, or have been deleted.`;
}

const number = new Intl.NumberFormat('en');
