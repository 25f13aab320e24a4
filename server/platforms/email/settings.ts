/** The mail server, and whom mails are from. */
import type { SettingsReader } from '#server/settings-reader.ts';

export type MailSettings = {
  smtpUrl: string | null;
  mailFrom: string;
  /** Of each worker. */
  readerMails: { connections: number; perSecond: number };
};

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
  };
}
