/**
 * Resend's webhooks, signed as Standard Webhooks say (its headers begin with `svix-`).
 * https://resend.com/docs/webhooks/verify-webhooks-requests
 */
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { MailReport } from '../bounces/fates.ts';
import { OWN_HEADER } from '../bounces/mail-marks.ts';
import { headerOf, judged, knownMail, parsed, type ReadFeedback, sameSecret } from './calls.ts';

const BELIEVED_FOR_MS = 5 * 60_000;

const Told = z.object({
  type: z.string(),
  data: z.object({
    message_id: z.optional(z.nullable(z.string())),
    headers: z.optional(z.nullable(z.array(z.object({ name: z.string(), value: z.string() })))),
    bounce: z.optional(
      z.nullable(z.object({ type: z.optional(z.string()), message: z.optional(z.nullable(z.string())) })),
    ),
  }),
});

export const readResend: ReadFeedback = async (call, { secret, now, marks }) => {
  const id = headerOf(call, 'svix-id', 'webhook-id');
  const timestamp = headerOf(call, 'svix-timestamp', 'webhook-timestamp');
  const signatures = headerOf(call, 'svix-signature', 'webhook-signature');
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(call.bytes)
    .digest('base64');
  if (!signatures.split(' ').some((one) => sameSecret(one, `v1,${expected}`))) return null;
  if (id === '' || !(Math.abs(now.getTime() - Number(timestamp) * 1000) <= BELIEVED_FOR_MS)) return null;
  const told = z.safeParse(Told, parsed(call.bytes));
  if (!told.success) return { eventId: id, reports: [{ fate: 'not_understood', says: '', mail: null }] };
  const { message_id: messageId, headers } = told.data.data;
  const mark = headers?.find(({ name }) => name.toLowerCase() === OWN_HEADER.toLowerCase())?.value;
  const report = toldBy(told.data);
  const mail = knownMail(marks, { mark, messageId });
  return { eventId: id, reports: report === null ? [] : [{ ...report, mail }] };
};

function toldBy({ type, data: { bounce } }: z.infer<typeof Told>): Pick<MailReport, 'fate' | 'says'> | null {
  switch (type) {
    case 'email.delivered':
      return { fate: 'delivered', says: '' };
    case 'email.delivery_delayed':
      return { fate: 'delayed', says: '' };
    case 'email.complained':
      return { fate: 'complaint', says: '' };
    case 'email.failed':
      return { fate: 'unknown', says: '' };
    case 'email.bounced':
      return judged(bounce?.type === 'Permanent' ? 'hard' : bounce?.type === 'Transient' ? 'soft' : 'unknown', {
        says: bounce?.message,
      });
    default:
      return null;
  }
}
