/**
 * Postmark's webhooks for bounces, deliveries and spam complaints. They are not signed: the password in their address, which
 * comes as Basic authentication and so stands in no log, is what proves them.
 * https://postmarkapp.com/developer/webhooks/bounce-webhook
 */
import * as z from 'zod/mini';
import type { BounceFate, MailReport } from '../bounces/fates.ts';
import { SERVICE_KEY } from '../bounces/mail-marks.ts';
import { headerOf, judged, knownMail, parsed, type ReadFeedback, sameSecret } from './calls.ts';

const Body = z.object({
  RecordType: z.string(),
  ID: z.optional(z.nullable(z.number())),
  MessageID: z.optional(z.nullable(z.string())),
  Type: z.optional(z.nullable(z.string())),
  Details: z.optional(z.nullable(z.string())),
  Metadata: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});

const TYPES: Record<string, BounceFate | 'delayed' | 'complaint' | 'auto_reply'> = {
  HardBounce: 'hard',
  BadEmailAddress: 'hard',
  SoftBounce: 'soft',
  DnsError: 'soft',
  Transient: 'delayed',
  Blocked: 'about_us',
  SpamNotification: 'about_us',
  VirusNotification: 'about_us',
  DMARCPolicy: 'about_us',
  SpamComplaint: 'complaint',
  AutoResponder: 'auto_reply',
  AddressChange: 'auto_reply',
  ChallengeVerification: 'auto_reply',
};

export const readPostmark: ReadFeedback = async (call, { secret, marks }) => {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headerOf(call, 'authorization')) ?? [];
  const password = Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
  if (!sameSecret(password, secret)) return null;
  const body = z.safeParse(Body, parsed(call.bytes));
  if (!body.success) return { eventId: '', reports: [{ fate: 'not_understood', says: '', mail: null }] };
  const { RecordType, ID, MessageID, Type, Details, Metadata } = body.data;
  const mark = Metadata?.[SERVICE_KEY];
  const mail = knownMail(marks, { mark: typeof mark === 'string' ? mark : null, messageId: null });
  const told = toldBy(RecordType, Type ?? '', Details ?? '');
  return { eventId: `${RecordType} ${ID ?? MessageID}`, reports: told === null ? [] : [{ ...told, mail }] };
};

function toldBy(recordType: string, type: string, details: string): Pick<MailReport, 'fate' | 'says'> | null {
  if (recordType === 'Delivery') return { fate: 'delivered', says: '' };
  if (recordType === 'SpamComplaint') return { fate: 'complaint', says: '' };
  if (recordType !== 'Bounce') return null;
  const fate = TYPES[type] ?? 'unknown';
  if (fate === 'complaint' || fate === 'auto_reply') return { fate, says: '' };
  const { says, fate: exact } = judged(fate === 'delayed' ? 'soft' : fate, { says: details });
  return { fate: fate === 'hard' || fate === 'unknown' ? exact : fate, says };
}
