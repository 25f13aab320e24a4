/** Where mails go: to a mail server by SMTP, or, where somebody tries the program without one, to the mailbox page. */
import { createTransport } from 'nodemailer';

export type OutgoingMail = {
  id: string;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  /** Null: the mail is no subscription. */
  unsubscribe_url: string | null;
};

export type MailTransport = {
  /**
   * @throws MailRefused when it will never arrive; any other error is worth another try
   */
  deliver(mail: OutgoingMail): Promise<void>;
  /** The text stays readable on the mailbox page after delivery. */
  keepsText: boolean;
  close(): void;
};

/** The recipient's mail server will not take this mail, now or later. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

/** How many mails are under way at a time: one connection each, so that none waits while its lease runs. */
export const MAILS_AT_A_TIME = 5;

/** @param options.from as in `Creator HQ <no-reply@hq.example.com>`; its domain also names our messages */
export function createMailTransport(options: { smtpUrl: string | null; from: string }): MailTransport {
  return options.smtpUrl === null ? mailboxTransport : smtpTransport(options.smtpUrl, options.from);
}

/** The queue's table is the mailbox: nothing is left to do. */
const mailboxTransport: MailTransport = { deliver: async () => {}, keepsText: true, close: () => {} };

function smtpTransport(url: string, from: string): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: MAILS_AT_A_TIME,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    keepsText: false,
    close: () => transporter.close(),
    async deliver(mail) {
      try {
        await transporter.sendMail({
          from,
          // Not as one string: that would be read as a list of addresses.
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          // The same on every try: a mail server that got it twice can tell.
          messageId: `<${mail.id}@${domain}>`,
          // RFC 3834: nobody's out-of-office note answers this.
          headers: { 'Auto-Submitted': 'auto-generated', ...oneClickUnsubscribe(mail.unsubscribe_url) },
        });
      } catch (error) {
        throw isFinal(error as SmtpError) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
  };
}

/**
 * As plain headers: what nodemailer's `list` makes of an address breaks the signatures of mail servers on the way (reference
 * C). A mail server that signs for us (DKIM) must cover both, or mail programs show no button.
 */
function oneClickUnsubscribe(url: string | null): Record<string, string> {
  return url === null ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** As nodemailer's errors carry it. */
type SmtpError = Error & { responseCode?: number; command?: string; response?: string };

/**
 * 5xx about the recipient or the message is final (RFC 5321, section 4.2.1). 5.7.x is not: it speaks of us (relaying, our
 * reputation, authentication), and the operator can mend that within the day.
 */
function isFinal({ responseCode = 0, command, response = '' }: SmtpError): boolean {
  if (responseCode < 500 || /\b5\.7\.\d+\b/.test(response)) return false;
  return command === 'RCPT TO' || command === 'DATA';
}
