/**
 * Mailgun's webhooks. The signature is of a time and a token in the body, and not of the body: each token counts once, and the
 * mail is known by a mark that only we make.
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { MailReport } from '../bounces/fates.ts';
import { SERVICE_KEY } from '../bounces/mail-marks.ts';
import { judged, knownMail, parsed, type ReadFeedback, sameSecret } from './calls.ts';

/** It tries for eight hours. */
const BELIEVED_FOR_MS = 9 * 3_600_000;

const Signed = z.object({
  signature: z.object({ timestamp: z.string(), token: z.string().check(z.maxLength(100)), signature: z.string() }),
  'event-data': z.unknown(),
});
const Told = z.object({
  event: z.string(),
  severity: z.optional(z.nullable(z.string())),
  'delivery-status': z.optional(
    z.object({
      message: z.optional(z.nullable(z.string())),
      description: z.optional(z.nullable(z.string())),
      'enhanced-code': z.optional(z.nullable(z.string())),
    }),
  ),
  'user-variables': z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  message: z.optional(z.object({ headers: z.optional(z.object({ 'message-id': z.optional(z.string()) })) })),
});

export const readMailgun: ReadFeedback = async ({ bytes }, { secret, now, marks }) => {
  const body = z.safeParse(Signed, parsed(bytes));
  if (!body.success) return null;
  const { timestamp, token, signature } = body.data.signature;
  if (
    !sameSecret(
      signature,
      createHmac('sha256', secret)
        .update(timestamp + token)
        .digest('hex'),
    )
  )
    return null;
  const ageMs = now.getTime() - Number(timestamp) * 1000;
  if (!(Math.abs(ageMs) <= BELIEVED_FOR_MS)) return null;
  const told = z.safeParse(Told, body.data['event-data']);
  if (!told.success) return { eventId: token, reports: [{ fate: 'not_understood', says: '', mail: null }] };
  const report = toldBy(told.data);
  const mark = told.data['user-variables']?.[SERVICE_KEY];
  const mail = knownMail(marks, {
    mark: typeof mark === 'string' ? mark : null,
    messageId: told.data.message?.headers?.['message-id'],
  });
  return { eventId: token, reports: report === null ? [] : [{ ...report, mail }] };
};

function toldBy({
  event,
  severity,
  'delivery-status': status,
}: z.infer<typeof Told>): Pick<MailReport, 'fate' | 'says'> | null {
  if (event === 'delivered') return { fate: 'delivered', says: '' };
  if (event === 'complained') return { fate: 'complaint', says: '' };
  if (event !== 'failed') return null;
  const says = status?.message || status?.description;
  const judgement = judged('hard', { code: status?.['enhanced-code'], says });
  // It goes on trying by itself.
  return severity === 'permanent' ? judgement : { ...judgement, fate: 'delayed' };
}
