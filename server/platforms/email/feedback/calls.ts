/** What the webhooks of all mail services have in common. */
import { timingSafeEqual } from 'node:crypto';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { type BounceFate, bounceFate, type MailReport, oneLine } from '../bounces/fates.ts';
import { type MailMarks, mailOfMessageId } from '../bounces/mail-marks.ts';

export type FeedbackCall = {
  headers: Record<string, string | string[] | undefined>;
  /** As received: signatures are of bytes. */
  bytes: Buffer;
};

export type FeedbackDeps = {
  /** What MAIL_FEEDBACK has for the service. */
  secret: string;
  now: Date;
  marks: Pick<MailMarks, 'read'>;
  fetching: Pick<GuardedFetch, 'request'>;
};

/** An empty list: something that says nothing of a mail's fate. */
export type Feedback = { eventId: string; reports: MailReport[] };

/** @returns null for a call that is not the service's, or too old. @throws AppError when it cannot be told yet */
export type ReadFeedback = (call: FeedbackCall, deps: FeedbackDeps) => Promise<Feedback | null>;

export function parsed(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

export function sameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function headerOf({ headers }: FeedbackCall, ...names: string[]): string {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') return value;
  }
  return '';
}

export function knownMail(
  marks: Pick<MailMarks, 'read'>,
  { mark, messageId }: { mark: string | null | undefined; messageId: string | null | undefined },
): MailReport['mail'] {
  const marked = marks.read(mark ?? '');
  if (marked !== null) return { id: marked, by: 'header' };
  const named = mailOfMessageId(messageId ?? '');
  return named === null ? null : { id: named, by: 'message_id' };
}

/** The service's own verdict counts where the mail server's words tell nothing. */
export function judged(
  verdict: BounceFate,
  { code = '', says = '' }: { code?: string | null | undefined; says?: string | null | undefined },
) {
  const fate = bounceFate(code ?? '', says ?? '');
  return { fate: fate === 'unknown' ? verdict : fate, says: oneLine(says ?? '') };
}
