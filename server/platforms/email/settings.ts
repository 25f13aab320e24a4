/** The mail server, and whom mails are from. */
import { MAIL_SERVICES, type MailService } from '#server/platforms/email/bounces/services.ts';
import type { SettingsReader } from '#server/settings-reader.ts';

export type MailSettings = {
  smtpUrl: string | null;
  mailFrom: string;
  /** Of each worker. */
  readerMails: { connections: number; perSecond: number };
  /** Where mails to readers come back to, and who else tells what became of them. */
  bounces: {
    address: string | null;
    imapUrl: string | null;
    /** Mail services with a webhook here, and what proves that a call is theirs. */
    services: Partial<Record<MailService, string>>;
  };
};

/** `bounce+` and the mail's mark must fit into the 64 letters before an @. */
const LONGEST_LOCAL_PART = 15;

export function readMailSettings(read: SettingsReader): MailSettings {
  const smtpUrl = read.text('SMTP_URL');
  if (smtpUrl !== null && !/^smtps?:\/\//.test(smtpUrl)) {
    read.refuse(
      'SMTP_URL',
      'is not a mail server address.',
      'Write it as smtp://user:password@host:587 or smtps://user:password@host:465.',
    );
  }
  return {
    smtpUrl,
    mailFrom: read.text('MAIL_FROM') ?? 'Creator HQ <no-reply@localhost>',
    readerMails: {
      connections: read.integer('MAIL_CONNECTIONS', 10, 1, 100),
      perSecond: read.integer('MAILS_PER_SECOND', 50, 1, 1000),
    },
    bounces: {
      address:
        read.matching(
          'BOUNCE_ADDRESS',
          '',
          new RegExp(`^([\\w.-]{1,${LONGEST_LOCAL_PART}}@[\\w-]+(\\.[\\w-]+)+)?$`),
          `Write an address whose part before the @ has at most ${LONGEST_LOCAL_PART} letters, like bounce@hq.example.com.`,
        ) || null,
      imapUrl: readImapUrl(read),
      services: readServices(read),
    },
  };
}

function readImapUrl(read: SettingsReader): string | null {
  const url = read.text('BOUNCE_IMAP_URL');
  if (url === null || /^imaps?:\/\/[^\s/@:]+:[^\s/@]+@[^\s/@]+(\/\S*)?$/.test(url)) return url;
  // Not shown: there is a password in it.
  read.refuse(
    'BOUNCE_IMAP_URL',
    'is not the address of a mailbox.',
    'Write it as imaps://user:password@host:993, with %40 for an @ in the user or the password.',
  );
  return null;
}

/** What the secret of each looks like, and where to find it. */
const SECRETS: Record<MailService, { pattern: RegExp; remedy: string }> = {
  ses: {
    pattern: /^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w.-]+$/,
    remedy: 'Write the ARN of the SNS topic that SES tells, as in ses:arn:aws:sns:us-east-1:123456789012:mails.',
  },
  postmark: {
    pattern: /^[\w-]{16,}$/,
    remedy: 'Write postmark: and the password in the webhook’s address, at least 16 letters and digits.',
  },
  mailgun: { pattern: /^[\w-]{16,}$/, remedy: 'Write mailgun: and the “HTTP webhook signing key” of your account.' },
  resend: {
    pattern: /^whsec_[\w+/=-]{16,}$/,
    remedy: 'Write resend: and the webhook’s signing secret, which begins with whsec_.',
  },
};

function readServices(read: SettingsReader): MailSettings['bounces']['services'] {
  const services: MailSettings['bounces']['services'] = {};
  for (const part of (read.text('MAIL_FEEDBACK') ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [name = '', secret = ''] = part.trim().split(/:(.*)/s);
    const service = MAIL_SERVICES.find((one) => one === name);
    if (service === undefined) {
      read.refuse(
        'MAIL_FEEDBACK',
        `names "${name}".`,
        `Write one of ${MAIL_SERVICES.join(', ')}, a colon and its secret.`,
      );
    } else if (!SECRETS[service].pattern.test(secret)) {
      read.refuse('MAIL_FEEDBACK', `has no usable secret of ${service}.`, SECRETS[service].remedy);
    } else services[service] = secret;
  }
  return services;
}
