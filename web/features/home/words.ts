import type { Queue } from '#contract/queue.ts';
import { momentOf } from '#web/ui/moment.ts';
import { numerals } from '#web/ui/numerals.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** "50%"; null where there is nothing to be a share of. */
export function rateOf(part: number, whole: number): string | null {
  return whole === 0 ? null : percent.format(part / whole);
}

const PLATFORM = { instagram: 'Instagram', facebook: 'Facebook' } as const;

export type QueueWords = {
  title: string;
  /** At what rate, or what holds it up. */
  pace: string;
  /** Who will run out of time; null while nobody is. */
  loss: string | null;
};

/** The queue of an account in sentences: how many wait and until when, why, and who would be lost before their turn. */
export function queueWords(queue: Queue, nowMs: number): QueueWords {
  const { waiting, doneAt, heldUp } = queue;
  const messages = waiting === 1 ? '1 message is waiting' : `${numerals(waiting)} messages are waiting`;
  const until = doneAt === null ? '' : `; everyone gets theirs by ${momentOf(doneAt, nowMs)}`;
  return {
    title: waiting === 0 ? 'The queue is paused' : messages + until,
    pace: paceOf(queue, nowMs),
    loss: lossOf(queue, nowMs),
  };

  function paceOf({ platform, perHour, platformPerHour, control }: Queue, now: number): string {
    if (heldUp !== null) {
      const end = heldUp.until === null ? '' : ` That should be over by ${momentOf(heldUp.until, now)}.`;
      return heldUp.says + end;
    }
    const rate = `${numerals(perHour)} an hour`;
    if (control.slowedToPercent !== null) {
      const end = control.slowedUntil === null ? '' : ` until ${momentOf(control.slowedUntil, now)}`;
      return `${rate} instead of ${numerals(platformPerHour)}, as you chose${end}.`;
    }
    return `Sending ${rate}, ${PLATFORM[platform]}’s limit. Everyone will get theirs; nothing for you to do.`;
  }
}

function lossOf({ expiring, firstExpiryAt, platform }: Queue, nowMs: number): string | null {
  if (expiring === 0) return null;
  const people = expiring === 1 ? '1 person' : `${numerals(expiring)} people`;
  const first = firstExpiryAt === null ? '' : ` The first runs out of time ${momentOf(firstExpiryAt, nowMs)}.`;
  return `${people} won’t get a message in time: ${PLATFORM[platform]} allows only 7 days.${first}`;
}
