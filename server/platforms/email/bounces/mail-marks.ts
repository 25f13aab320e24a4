/**
 * How a mail is known again when somebody reports on it: by the address it comes back to (VERP), by a header of ours, and by what
 * mail services hand back of a mail. All carry its id with a MAC, so nobody makes one up: 32 and 16 hexadecimal digits, because
 * mail servers do not keep capitals.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailSettings } from '../settings.ts';
import { MAIL_SERVICES, type MailService } from './services.ts';

const MAC_DIGITS = 16;
const MARK = /^([0-9a-f]{32})([0-9a-f]{16})$/i;
type Headers = Record<string, string | { prepared: true; value: string }>;
export const OWN_HEADER = 'X-Creator-HQ-Mail';
/** In what mail services hand back. */
export const SERVICE_KEY = 'creator-hq-mail';

/**
 * What each mail service hands back in its webhooks. Resend hands nothing of an SMTP mail back but its headers and Message-ID.
 * `X-PM-KeepID` makes Postmark keep our Message-ID; SES replaces it and tells the old one.
 */
const SERVICE_HEADERS: Record<MailService, (mark: string) => Headers> = {
  ses: (mark) => ({ 'X-SES-MESSAGE-TAGS': `${SERVICE_KEY}=${mark}` }),
  postmark: (mark) => ({ [`X-PM-Metadata-${SERVICE_KEY}`]: mark, 'X-PM-KeepID': 'true' }),
  // As it is: nodemailer would take its quotes for a text to encode.
  mailgun: (mark) => ({
    'X-Mailgun-Variables': { prepared: true, value: JSON.stringify({ [SERVICE_KEY]: mark }) },
  }),
  resend: () => ({}),
};

const OWN_MESSAGE_ID = /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^\s<>@]+>?$/i;

/** The mail that a Message-ID names, if it may be one of ours (transport.ts makes them). */
export function mailOfMessageId(messageId: string): string | null {
  return OWN_MESSAGE_ID.exec(messageId.trim())?.[1]?.toLowerCase() ?? null;
}

export type MailMarks = {
  /** Where the mail comes back to; null: to its sender's address. */
  returnPath(mailId: string): string | null;
  headers(mailId: string): Headers;
  /** The mail's id, of a mark that we made; null for any other text. */
  read(mark: string): string | null;
  /** The same of an address that the mail came back to. */
  readAddress(address: string): string | null;
};

export function mailMarksOf(
  { bounces }: Pick<MailSettings, 'bounces'>,
  { secretKey }: { secretKey: string },
): MailMarks {
  const services = MAIL_SERVICES.filter((service) => bounces.services[service] !== undefined);
  return createMailMarks({ secretKey, bounceAddress: bounces.address, services });
}

/** @param options.bounceAddress as in `bounce@hq.example.com`, whose server must deliver `bounce+anything@` there too */
export function createMailMarks({
  secretKey,
  bounceAddress,
  services,
}: {
  secretKey: string;
  bounceAddress: string | null;
  services: MailService[];
}): MailMarks {
  const mac = (id: string) =>
    createHmac('sha256', secretKey).update(`mail mark\n${id}`).digest('hex').slice(0, MAC_DIGITS);
  const mark = (mailId: string) => {
    const id = mailId.replaceAll('-', '');
    return id + mac(id);
  };
  const [local, domain] = bounceAddress?.split('@') ?? [];

  function read(text: string): string | null {
    const [, id, given] = MARK.exec(text.toLowerCase()) ?? [];
    if (id === undefined || given === undefined) return null;
    if (!timingSafeEqual(Buffer.from(given), Buffer.from(mac(id)))) return null;
    return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  return {
    returnPath: (mailId) => (local === undefined ? null : `${local}+${mark(mailId)}@${domain}`),
    headers: (mailId) =>
      Object.assign(
        { [OWN_HEADER]: mark(mailId) },
        ...services.map((service) => SERVICE_HEADERS[service](mark(mailId))),
      ),
    read,
    readAddress: (address) => read(/\+([0-9a-f]+)@/i.exec(address)?.[1] ?? ''),
  };
}
