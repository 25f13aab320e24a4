import type { CatchUp, CatchUpPreview } from '#contract/catch-up.ts';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

export const peopleOf = (count: number) => (count === 1 ? '1 person' : `${numerals(count)} people`);

/** How long it takes, who would be lost, and who is left out. */
export function previewWords(preview: CatchUpPreview, nowMs: number): string[] {
  const { doneAt, expiring, firstExpiryAt, leftOut, people, atMost } = preview;
  const words = [];
  if (people > atMost) words.push(`The first ${numerals(atMost)} now; you can send to the others afterward.`);
  if (doneAt === null) words.push('They’ll go out once the queue is running again.');
  else if (Date.parse(doneAt) - nowMs < 60_000) words.push('They’ll have it in seconds.');
  else words.push(`Everyone will have it by ${momentOf(doneAt, nowMs)}.`);
  if (expiring > 0) {
    const first = firstExpiryAt === null ? '' : `, and the first runs out ${momentOf(firstExpiryAt, nowMs)}`;
    words.push(`${peopleOf(expiring)} won’t get it in time: Instagram allows only 7 days${first}.`);
  }
  if (leftOut.haveIt > 0)
    words.push(`${peopleOf(leftOut.haveIt)} already ${leftOut.haveIt === 1 ? 'has' : 'have'} it.`);
  if (leftOut.unwanted > 0) {
    words.push(
      `${peopleOf(leftOut.unwanted)} won’t get it: they wrote STOP, are blocked, or you’re handling their chat.`,
    );
  }
  return words;
}

/** How far it is, as one sentence. */
export function progressWords({ people, sent, waiting, failed, expired, cancelled }: CatchUp): string {
  const parts = [`${numerals(sent)} of ${numerals(people)} sent`];
  if (waiting > 0) parts.push(`${numerals(waiting)} waiting`);
  if (failed + expired > 0) parts.push(`${numerals(failed + expired)} couldn’t be sent`);
  if (cancelled > 0) parts.push(`${numerals(cancelled)} canceled`);
  return `${parts.join(', ')}.`;
}
