/** Where mails go: to a mail server by SMTP, or, where somebody tries the program without one, to the mailbox page. */
import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { type BounceFate, bounceFate } from './bounces/fates.ts';
import type { MailMarks } from './bounces/mail-marks.ts';

export type OutgoingMail = {
  id: string;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  /** Null: the mail is no subscription. */
  unsubscribe_url: string | null;
  /** Whom it is from; absent: as set. Without an address of their own: from the one that all mails come from. */
  from?: { name: string; address: string | null };
  replyTo?: string | null;
  /** Signs it for the domain of its sender; null: whoever sends it on may. */
  dkim?: DkimKey | null;
  /** What mail services count complaints by, for whoever signed it. */
  feedbackId?: string;
};

/** `privateKey` as PEM. */
export type DkimKey = { domain: string; selector: string; privateKey: string };

/**
 * What a signature covers. Both headers of one-click unsubscribing must be among it (RFC 8058, section 4), and nodemailer's own
 * list has one. Message-ID and Date are not: Amazon SES replaces them
 * (https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-dkim-manual.html).
 */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'To', 'Subject', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
  ...['List-Unsubscribe', 'List-Unsubscribe-Post', 'Feedback-ID', 'Auto-Submitted'],
].join(':');

export type MailTransport = {
  /**
   * @throws MailRefused when it will never arrive; any other error is worth another try
   */
  deliver(mail: OutgoingMail): Promise<void>;
  /** Logs in. @throws LoginRefused, or why the mail server cannot be reached */
  check(): Promise<void>;
  /** The text stays readable on the mailbox page after delivery. */
  keepsText: boolean;
  close(): void;
};

/** The recipient's mail server will not take this mail, now or later. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** Of the address: `hard`, nobody can be reached there, whatever the mail is. */
  readonly fate: Exclude<BounceFate, 'about_us'>;

  constructor(message: string, fate: MailRefused['fate'], options?: ErrorOptions) {
    super(message, options);
    this.fate = fate;
  }
}

/** It is about one mailbox (4.1.x, 4.2.x), so others of the same domain may be written to meanwhile. */
export class MailboxBusy extends Error {
  override name = 'MailboxBusy';
}

/** The recipient's mail server wants no more for now (4xx), or nothing from us (5.7.x). */
export class HostBusy extends Error {
  override name = 'HostBusy';
}

/** Our own mail server does not know us: nobody's mail can leave until the operator mends that. */
export class LoginRefused extends Error {
  override name = 'LoginRefused';
}

/** How many mails to the team are under way at a time: one connection each, so that none waits while its lease runs. */
export const MAILS_AT_A_TIME = 5;

/** A mail server that somebody named; `address` is the one to connect to, whatever the name stands for a second later. */
export type NamedServer = {
  host: string;
  address: string;
  port: number;
  /** Encrypted from the start, from the greeting on, or not. */
  security: 'tls' | 'starttls' | 'none';
  user: string;
  password: string;
};

type Options = {
  /** Null: there is none. */
  smtpUrl: string | NamedServer | null;
  /** As in `Creator HQ <no-reply@hq.example.com>`; its domain also names our messages. */
  from: string;
  connections?: number;
  /** Null: as fast as they are taken. */
  perSecond?: number | null;
  /** So long a mail server may say nothing. */
  silenceMs?: number;
  marks?: Pick<MailMarks, 'returnPath' | 'headers'>;
};

export function createMailTransport({ smtpUrl, ...options }: Options): MailTransport {
  return smtpUrl === null ? mailboxTransport : smtpTransport(smtpUrl, options);
}

/** The queue's table is the mailbox: nothing is left to do. */
const mailboxTransport: MailTransport = {
  deliver: async () => {},
  check: async () => {},
  keepsText: true,
  close: () => {},
};

function smtpTransport(
  server: string | NamedServer,
  { from, connections = MAILS_AT_A_TIME, perSecond = null, silenceMs = 20_000, marks }: Omit<Options, 'smtpUrl'>,
): MailTransport {
  const transporter = createTransport({
    ...(typeof server === 'string' ? { url: server } : connectionTo(server)),
    pool: true,
    maxConnections: connections,
    ...(perSecond !== null && { rateDelta: 1000, rateLimit: perSecond }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const address = addressIn(from);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return {
    keepsText: false,
    close: () => transporter.close(),
    async check() {
      await transporter.verify().catch((error) => {
        throw classify(error as SmtpError);
      });
    },
    async deliver(mail) {
      try {
        const returnPath = marks?.returnPath(mail.id) ?? null;
        await transporter.sendMail({
          // What comes back comes to us, whoever it is from.
          envelope: { from: returnPath ?? address, to: mail.recipient },
          from: mail.from === undefined ? from : { name: mail.from.name, address: mail.from.address ?? address },
          ...(mail.replyTo && { replyTo: { name: '', address: mail.replyTo } }),
          // Not as one string: that would be read as a list of addresses.
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          // The same on every try: a mail server that got it twice can tell.
          messageId: `<${mail.id}@${domain}>`,
          headers: {
            ...standing(mail.unsubscribe_url),
            ...(mail.feedbackId !== undefined && { 'Feedback-ID': mail.feedbackId }),
            ...marks?.headers(mail.id),
          },
          ...(mail.dkim && { dkim: signedBy(mail.dkim) }),
        });
      } catch (error) {
        throw classify(error as SmtpError);
      }
    },
  };
}

function connectionTo({ host, address, port, security, user, password }: NamedServer) {
  return {
    ...{ host: address, port, auth: { user, pass: password } },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // Whose certificate it must have.
    ...(isIP(host) === 0 && { servername: host }),
  };
}

/** @param from as in `Creator HQ <no-reply@hq.example.com>` */
export function addressIn(from: string): string {
  const last = from.trim().split(/\s/).at(-1)!;
  return last.includes('@') ? last.replaceAll(/[<>]/g, '') : 'no-reply@localhost';
}

function signedBy({ domain, selector, privateKey }: DkimKey) {
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS };
}

/**
 * What is a subscription can be unsubscribed from with one click (RFC 8058); to anything else nobody's out-of-office note answers
 * (RFC 3834). As plain headers: what nodemailer's `list` makes of an address breaks the signatures of mail servers on the way
 * (reference C). A mail server that signs for us (DKIM) must cover both, or mail programs show no button.
 */
function standing(unsubscribeUrl: string | null): Record<string, string> {
  return unsubscribeUrl === null
    ? { 'Auto-Submitted': 'auto-generated' }
    : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** As nodemailer's errors carry it. */
type SmtpError = Error & { code?: string; responseCode?: number; command?: string; response?: string };

/**
 * 5xx about the recipient or the message is final (RFC 5321, section 4.2.1), and 556 says that the domain takes no mail at all (RFC
 * 7504). What speaks of us (5.7.x: relaying, our reputation, authentication) is not: the operator can mend that within the day.
 */
function classify(error: SmtpError): Error {
  const { code, responseCode = 0, command, response = '' } = error;
  const options = { cause: error };
  if (code === 'EAUTH' || responseCode === 530 || responseCode === 535) return new LoginRefused(error.message, options);
  // The connection ends with it, whatever it was said to.
  if (responseCode === 421) return new HostBusy(response, options);
  if ((command !== 'RCPT TO' && command !== 'DATA') || responseCode < 400) return error;
  const detail = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] ?? '';
  const fate = responseCode === 556 ? 'hard' : bounceFate(detail, response);
  if (responseCode >= 500 && fate !== 'about_us') return new MailRefused(response, fate, options);
  return /^4\.[12]\./.test(detail) ? new MailboxBusy(response, options) : new HostBusy(response, options);
}
