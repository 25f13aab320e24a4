/** Mail services that tell us by webhook what became of a mail. */
export const MAIL_SERVICES = ['ses', 'postmark', 'mailgun', 'resend'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];
