import type { CatchUp, CatchUpPreview } from '#contract/catch-up.ts';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

export const peopleOf = (count: number) => (count === 1 ? '1 person' : `${numerals(count)} people`);

/** How long it takes, who would be lost, and who is left out. */
export function previewWords(preview: CatchUpPreview, nowMs: number): string[] {
  const { doneAt, expiring, firstExpiryAt, leftOut, people, atMost } = preview;
  const words = [];
  if (people > atMost) words.push(`The first ${numerals(atMost)} now; you can send to the others afterwards.`);
  if (doneAt === null) words.push('When they are through nobody can say while the queue is held up.');
  else if (Date.parse(doneAt) - nowMs < 60_000) words.push('All of them have it within moments.');
  else words.push(`All of them have it by ${momentOf(doneAt, nowMs)}.`);
  if (expiring > 0) {
    const first = firstExpiryAt === null ? '' : `, the first on ${momentOf(firstExpiryAt, nowMs)}`;
    words.push(`For ${peopleOf(expiring)} the seven days end before their turn${first}.`);
  }
  if (leftOut.haveIt > 0)
    words.push(`${peopleOf(leftOut.haveIt)} more ${leftOut.haveIt === 1 ? 'has' : 'have'} it already.`);
  if (leftOut.unwanted > 0) {
    words.push(`${peopleOf(leftOut.unwanted)} wrote STOP, are blocked, or are in a talk with you: left out.`);
  }
  return words;
}

/** How far it is, as one sentence. */
export function progressWords({ people, sent, waiting, failed, expired, cancelled }: CatchUp): string {
  const parts = [`${numerals(sent)} of ${numerals(people)} sent`];
  if (waiting > 0) parts.push(`${numerals(waiting)} waiting`);
  if (failed + expired > 0) parts.push(`${numerals(failed + expired)} could not be sent`);
  if (cancelled > 0) parts.push(`${numerals(cancelled)} taken back`);
  return `${parts.join(', ')}.`;
}
