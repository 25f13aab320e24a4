/**
 * Amazon SES, which tells an SNS topic, which calls us. SNS signs with a certificate of its own, whose address stands in the
 * call: it is believed of `sns.*.amazonaws.com` alone. Anybody may make a topic that calls us, so the topic must be ours too.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html,
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 */
import { createVerify, X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';
import { AppError } from '#server/errors.ts';
import type { MailReport } from '../bounces/fates.ts';
import { OWN_HEADER, SERVICE_KEY } from '../bounces/mail-marks.ts';
import { type FeedbackDeps, judged, knownMail, parsed, type ReadFeedback } from './calls.ts';

/** It tries for an hour. */
const BELIEVED_FOR_MS = 65 * 60_000;
const CERTIFICATE = /^https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com\/SimpleNotificationService-[\w-]+\.pem$/;
const SUBSCRIBE = /^https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com\/\?Action=ConfirmSubscription&/;
const TIMEOUT_MS = 5_000;

const Envelope = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().check(z.maxLength(100)),
  TopicArn: z.string(),
  Subject: z.optional(z.nullable(z.string())),
  Message: z.string(),
  Timestamp: z.string(),
  Token: z.optional(z.string()),
  SubscribeURL: z.optional(z.string()),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string().check(z.regex(CERTIFICATE)),
});
type Envelope = z.infer<typeof Envelope>;

const text = z.optional(z.nullable(z.string()));
const Told = z.object({
  // Of topics of an identity the first, of event destinations the second.
  notificationType: text,
  eventType: text,
  mail: z.object({
    tags: z.optional(z.record(z.string(), z.array(z.string()))),
    headers: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  }),
  bounce: z.optional(
    z.object({
      bounceType: text,
      bounceSubType: text,
      bouncedRecipients: z.array(z.object({ status: text, diagnosticCode: text })),
    }),
  ),
  complaint: z.optional(z.object({ complaintFeedbackType: text })),
});

export const readSes: ReadFeedback = async ({ bytes }, deps) => {
  const read = z.safeParse(Envelope, parsed(bytes));
  if (!read.success || read.data.TopicArn !== deps.secret) return null;
  const envelope = read.data;
  if (!(Math.abs(deps.now.getTime() - Date.parse(envelope.Timestamp)) <= BELIEVED_FOR_MS)) return null;
  if (!(await isSigned(envelope, deps))) return null;
  const { Type, MessageId: eventId, SubscribeURL = '' } = envelope;
  if (Type === 'SubscriptionConfirmation') {
    if (!SUBSCRIBE.test(SubscribeURL)) return null;
    await get(deps, SubscribeURL);
  }
  if (Type !== 'Notification') return { eventId, reports: [] };
  const told = z.safeParse(Told, parsed(envelope.Message));
  if (!told.success) return { eventId, reports: [{ fate: 'not_understood', says: '', mail: null }] };
  const { tags, headers = [] } = told.data.mail;
  const header = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value;
  const report = toldBy(told.data);
  const mail = knownMail(deps.marks, {
    mark: tags?.[SERVICE_KEY]?.[0] ?? header(OWN_HEADER),
    messageId: header('Message-ID'),
  });
  return { eventId, reports: report === null ? [] : [{ ...report, mail }] };
};

function toldBy({
  notificationType,
  eventType,
  bounce,
  complaint,
}: z.infer<typeof Told>): Pick<MailReport, 'fate' | 'says'> | null {
  switch (notificationType ?? eventType) {
    case 'Delivery':
      return { fate: 'delivered', says: '' };
    case 'DeliveryDelay':
      return { fate: 'delayed', says: '' };
    case 'Complaint':
      return complaint?.complaintFeedbackType === 'not-spam' ? null : { fate: 'complaint', says: '' };
    case 'Bounce': {
      const { status: code, diagnosticCode: says } = bounce?.bouncedRecipients[0] ?? {};
      // So it tells of out-of-office notes.
      const isNote = bounce?.bounceType === 'Transient' && bounce.bounceSubType === 'General' && !code && !says;
      if (isNote) return { fate: 'auto_reply', says: '' };
      const { bounceType } = bounce ?? {};
      return judged(bounceType === 'Permanent' ? 'hard' : bounceType === 'Transient' ? 'soft' : 'unknown', {
        code,
        says: says?.replace(/^smtp;\s*/i, ''),
      });
    }
    default:
      return null;
  }
}

async function isSigned(envelope: Envelope, deps: FeedbackDeps): Promise<boolean> {
  const names =
    envelope.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const);
  const signed = names.flatMap((name) => (envelope[name] == null ? [] : [`${name}\n${envelope[name]}\n`])).join('');
  const certificate = await certificateAt(envelope.SigningCertURL, deps);
  if (new Date(certificate.validTo) < deps.now) return false;
  const verifying = createVerify(envelope.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(signed);
  return verifying.verify(certificate.publicKey, envelope.Signature, 'base64');
}

/** Amazon has one for each region, and changes it once a year. */
const MOST_CERTIFICATES = 10;
const certificates = new Map<string, X509Certificate>();

async function certificateAt(url: string, deps: FeedbackDeps): Promise<X509Certificate> {
  const known = certificates.get(url);
  if (known !== undefined) return known;
  const certificate = new X509Certificate(await get(deps, url));
  if (certificates.size >= MOST_CERTIFICATES) certificates.clear();
  certificates.set(url, certificate);
  return certificate;
}

/** @throws AppError unavailable: SNS calls again */
async function get({ fetching }: FeedbackDeps, url: string): Promise<Buffer> {
  const answer = await fetching.request({ url, method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS });
  if (answer.kind === 'answer' && answer.status === 200) return answer.bytes;
  throw new AppError('unavailable', 'Amazon SNS doesn’t answer, so its call can’t be checked. It calls again.');
}
