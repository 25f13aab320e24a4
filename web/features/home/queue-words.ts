import type { ResponseOf } from '#contract/endpoint.ts';
import type { getHome } from '#contract/figures.ts';
import { momentOf } from '#web/ui/moment.ts';

type Queue = ResponseOf<typeof getHome>['queue'];

/** Instagram allows seven days: a limit that is far away only frightens. */
const SOON_MS = 36 * 3_600_000;

const number = new Intl.NumberFormat('en');

/** The queue as two sentences: how many wait and until when, and what would be lost first if it took longer. */
export function queueWords(queue: Queue, nowMs: number): { title: string; detail: string } {
  const messages =
    queue.waiting === 1 ? '1 message is waiting' : `${number.format(queue.waiting)} messages are waiting`;
  const detail = ['Instagram limits how many go out per hour; they leave by themselves, nobody is dropped.'];
  if (queue.doneAt === null) {
    detail.push('We will know when they are through once Instagram takes them again.');
  }
  if (queue.nextExpiryAt !== null && Date.parse(queue.nextExpiryAt) - nowMs < SOON_MS) {
    detail.push(`The first one must be out by ${momentOf(queue.nextExpiryAt, nowMs)}.`);
  }
  const until = queue.doneAt === null ? '' : `; all answered by ${momentOf(queue.doneAt, nowMs)}`;
  return { title: messages + until, detail: detail.join(' ') };
}
