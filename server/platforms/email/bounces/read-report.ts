/**
 * Reads what lands where our mails come back to: delivery reports (RFC 3464), complaints (RFC 5965), both in plain text as older
 * servers write them, and what else people and programs send there. Which mail it is about is believed by three things, in this
 * order: the address it came back to, the Message-ID, our own header; never by a recipient's address, which anybody may write.
 */
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { bounceFate, type MailReport, oneLine } from './fates.ts';
import { type MailMarks, mailOfMessageId, OWN_HEADER } from './mail-marks.ts';

/** Real reports have three levels. */
const MOST_NESTED = 20;

export async function readReport(
  raw: Buffer | string,
  marks: Pick<MailMarks, 'read' | 'readAddress'>,
): Promise<MailReport> {
  const email = await parse(raw);
  if (email === null) return { fate: 'not_understood', says: '', mail: null };
  const read = readComplaint(email) ?? readDeliveryStatus(email) ?? readPlainBounce(email) ?? readAutoReply(email);
  const { fate, says } = read ?? { fate: 'not_understood' as const, says: '' };
  return { fate, says: oneLine(says), mail: findMail(email, marks) };
}

/** Null for what nests too deep or has too many headers: a person looks at it. */
async function parse(raw: Buffer | string): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, {
      forceRfc822Attachments: true,
      maxNestingDepth: MOST_NESTED,
      maxRfc822NestingDepth: MOST_NESTED,
    });
  } catch {
    return null;
  }
}

type Read = Pick<MailReport, 'fate' | 'says'> | null;

/** Of whom a mail service tells that they pressed "spam". */
function readComplaint(email: Email): Read {
  const report = partsOf(email, 'message/feedback-report')[0];
  if (report !== undefined) {
    const kind = fieldsOf(report)[0]?.['feedback-type']?.toLowerCase();
    return kind === 'abuse' || kind === 'fraud' ? { fate: 'complaint', says: '' } : null;
  }
  // Outlook.com's reports to senders: the mail itself, with the recipient in a header of theirs.
  const isOutlooks = originals(email).some((original) => /^x-hmxmroriginalrecipient:/im.test(original));
  return isOutlooks ? { fate: 'complaint', says: '' } : null;
}

function readDeliveryStatus(email: Email): Read {
  const groups = partsOf(email, 'message/delivery-status', 'message/global-delivery-status').flatMap(fieldsOf);
  const recipients = groups.filter((group) => 'action' in group || 'status' in group);
  const one = recipients.find(({ action }) => action?.toLowerCase() === 'failed') ?? recipients[0];
  if (one === undefined) return null;
  const action = one.action?.toLowerCase();
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(one.status ?? '')?.[0] ?? '';
  const says = (one['diagnostic-code'] ?? '').replace(/^\s*[\w-]+\s*;\s*/, '') || status;
  if (action === 'delivered' || action === 'relayed' || action === 'expanded') return { fate: 'delivered', says };
  if (action === 'delayed') return { fate: 'delayed', says };
  return { fate: bounceFate(status, says), says };
}

const DAEMON_ADDRESS = /^(mailer-daemon|postmaster)@/i;
const CAME_BACK =
  /could ?n[o’']t be delivered|not be delivered|wasn't able to deliver|unable to deliver|undeliver|unzustellbar|nicht zugestellt|delivery (has )?failed|failure notice|returned mail|delivery status notification|non remis/i;
const ORIGINAL_FOLLOWS = /copy of|original|below this line|returned|nachricht/i;
const STILL_TRIES = /delayed|not yet been delivered|will (keep|be) (trying|retried)|verzögert/i;

/** qmail, old Exim and others: a letter to a person, where the server's answer stands on a line of its own. */
function readPlainBounce(email: Email): Read {
  const header = headerOf(email);
  const isDaemons = header('x-failed-recipients') !== undefined || DAEMON_ADDRESS.test(email.from?.address ?? '');
  const text = email.text ?? '';
  if (!isDaemons || !CAME_BACK.test(`${email.subject ?? ''}\n${text}`)) return null;
  // Below it stands the mail itself, whose words are ours.
  const lines = text.split('\n');
  const below = lines.findIndex((line) => line.startsWith('--') && ORIGINAL_FOLLOWS.test(line));
  const above = lines.slice(0, below === -1 ? lines.length : below).join('\n');
  const answer =
    /\b[245]\d\d[ -]\S[^\n]*(\n[ \t]+\S[^\n]*)*/.exec(above)?.[0] ??
    above.split('\n').find((line) => bounceFate('', line) !== 'unknown') ??
    '';
  if (STILL_TRIES.test(email.subject ?? '')) return { fate: 'delayed', says: answer };
  return { fate: bounceFate(/^4\d\d/.test(answer) ? '4.0.0' : '', answer), says: answer };
}

const AWAY =
  /^(auto(matic)?[ -]?(reply|response|matische antwort)|automatische antwort|abwesen|out of (the )?office|ooo:|away|vacation|réponse automatique|respuesta automática)/i;

function readAutoReply(email: Email): Read {
  const header = headerOf(email);
  const isAuto =
    /^auto-(replied|generated|notified)/i.test(header('auto-submitted') ?? '') ||
    header('x-autoreply') !== undefined ||
    header('x-autorespond') !== undefined ||
    /auto_reply/i.test(header('precedence') ?? '') ||
    AWAY.test(email.subject ?? '');
  return isAuto ? { fate: 'auto_reply', says: '' } : null;
}

/** Where servers note whom the envelope of the report was for. */
const ENVELOPE_HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-delivered-to', 'to'];

function findMail(email: Email, marks: Pick<MailMarks, 'read' | 'readAddress'>): MailReport['mail'] {
  for (const { key, value } of email.headers) {
    const id = ENVELOPE_HEADERS.includes(key) ? marks.readAddress(value) : null;
    if (id !== null) return { id, by: 'return_path' };
  }
  const header = headerOf(email);
  const texts = [...originals(email), email.text ?? ''];
  const messageIds = [
    ...texts.map((text) => /^[ \t>]*message-id:\s*(\S+)/im.exec(text)?.[1]),
    header('in-reply-to'),
    header('references')?.split(/\s+/).at(-1),
    ...partsOf(email, 'message/feedback-report').map((part) => fieldsOf(part)[0]?.['original-message-id']),
  ];
  for (const text of messageIds) {
    const id = mailOfMessageId(text ?? '');
    if (id !== null) return { id, by: 'message_id' };
  }
  for (const text of texts) {
    const id = marks.read(new RegExp(`^[ \\t>]*${OWN_HEADER}:\\s*(\\w+)`, 'im').exec(text)?.[1] ?? '');
    if (id !== null) return { id, by: 'header' };
  }
  return null;
}

/** The mail that is reported on, or its headers, as far as they came along. */
function originals(email: Email): string[] {
  return partsOf(email, 'message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers').map(
    textOf,
  );
}

function partsOf({ attachments }: Email, ...types: string[]): Attachment[] {
  return attachments.filter(({ mimeType }) => types.includes(mimeType.toLowerCase()));
}

function textOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');
}

/** Groups of fields between empty lines, by lower-case name. */
function fieldsOf(part: Attachment): Record<string, string>[] {
  const unfolded = textOf(part)
    .replaceAll('\r', '')
    .replace(/\n[ \t]+/g, ' ');
  return unfolded.split(/\n\s*\n/).map((group) =>
    Object.fromEntries(
      group.split('\n').flatMap((line) => {
        const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name.toLowerCase(), value!.trim()]];
      }),
    ),
  );
}

function headerOf({ headers }: Email): (name: string) => string | undefined {
  return (name) => headers.find(({ key }) => key === name)?.value;
}
