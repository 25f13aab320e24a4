/**
 * Once a day we mail ourselves: to an address that mails come back to, and the bounce mailbox's reader looks for it there. What is
 * found again tells what the mail server on the way left of our headers and return path, and what the last one thinks of our SPF.
 */
import PostalMime from 'postal-mime';
import type { Ids } from '#server/clock.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import { mailMarksOf, mailOfMessageId, OWN_HEADER } from '#server/platforms/email/bounces/mail-marks.ts';
import { layOut } from '#server/platforms/email/letter.ts';
import type { MailTransport } from '#server/platforms/email/transport.ts';
import type { Keys } from '#server/secrets.ts';
import { type CheckDeps, forget, write } from './mail-checks.ts';

type TripDeps = Pick<CheckDeps, 'db' | 'clock'> & {
  ids: Ids;
  keys: Keys;
  config: CheckDeps['config'] & { baseUrl: string };
  readerTransport: Pick<MailTransport, 'deliver'>;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const mailOurselves: RecurringJob<TripDeps> = {
  name: 'mail-ourselves',
  everyMs: 10 * 60_000,
  run: async (deps) => {
    const { db, clock, config } = deps;
    const { address, imapUrl } = config.bounces;
    if (config.smtpUrl === null || address === null || imapUrl === null) return forget(db.engine, 'round_trip');
    const last = await db.engine
      .selectFrom('mail_checks')
      .selectAll()
      .where('name', '=', 'round_trip')
      .executeTakeFirst();
    const agoMs = last?.sent_at ? clock.now().getTime() - last.sent_at.getTime() : Number.POSITIVE_INFINITY;
    if (agoMs >= DAY_MS) return send(deps, { wasFine: last?.state === 'fine' ? last.says : null });
    if (last?.token && agoMs >= HOUR_MS) {
      const says = `A test email to ${address} didn’t arrive within an hour. Is BOUNCE_IMAP_URL its mailbox? Look in its spam folder, and whether it takes ${address.replace('@', '+anything@')}.`;
      await write(deps, 'round_trip', { state: 'trouble', says });
    }
  },
};

/** What was found yesterday holds until this one is there, or late. */
async function send(deps: TripDeps, { wasFine }: { wasFine: string | null }): Promise<void> {
  const { clock, ids, keys, config, readerTransport } = deps;
  const now = clock.now();
  const token = ids.uuid(now);
  const letter = layOut({
    subject: 'Creator HQ mails itself',
    heading: 'Creator HQ mails itself',
    paragraphs: ['Once a day this shows that emails leave, and what comes back is read. You can delete it.'],
  });
  const before = wasFine === null ? ({ state: 'waiting', says: 'A test email is on its way.' } as const) : null;
  // Noted before: it may be back at once.
  await write(deps, 'round_trip', { ...(before ?? { state: 'fine', says: wasFine! }), token, sent_at: now });
  await readerTransport.deliver({
    ...{ id: token, recipient: mailMarksOf(config, keys).returnPath(token)!, ...letter },
    // Whether both headers of one-click unsubscribing arrive is among what is looked for.
    unsubscribe_url: config.baseUrl,
  });
}

/** @returns whether this message of the bounce mailbox is the one that we sent */
export async function takeRoundTrip(
  deps: Pick<TripDeps, 'db' | 'clock' | 'keys'> & { config: Pick<TripDeps['config'], 'bounces'> },
  raw: Buffer,
): Promise<boolean> {
  const row = await deps.db.engine
    .selectFrom('mail_checks')
    .select(['token', 'sent_at'])
    .where('name', '=', 'round_trip')
    .where('token', 'is not', null)
    .executeTakeFirst();
  if (row === undefined) return false;
  const marks = mailMarksOf(deps.config, deps.keys);
  const email = await PostalMime.parse(raw).catch(() => null);
  if (email === null) return false;
  const header = (name: string) => email.headers.find(({ key }) => key === name.toLowerCase())?.value ?? null;
  const named = [
    mailOfMessageId(header('message-id') ?? ''),
    marks.read(header(OWN_HEADER) ?? ''),
    ...[...(email.to ?? []), header('delivered-to')].map((to) =>
      marks.readAddress(typeof to === 'string' ? to : (to?.address ?? '')),
    ),
  ];
  if (!named.includes(row.token)) return false;
  const returnPath = header('return-path');
  const found = judge({
    lost: ['List-Unsubscribe', 'List-Unsubscribe-Post', OWN_HEADER].filter((name) => header(name) === null),
    returnsElsewhere: returnPath !== null && marks.readAddress(returnPath) !== row.token,
    spf: /\bspf=(\w+)/i.exec(header('authentication-results') ?? '')?.[1]?.toLowerCase() ?? null,
    tookS: Math.round((deps.clock.now().getTime() - row.sent_at!.getTime()) / 1000),
  });
  await write(deps, 'round_trip', { ...found, token: null });
  return true;
}

type Seen = { lost: string[]; returnsElsewhere: boolean; spf: string | null; tookS: number };

function judge({ lost, returnsElsewhere, spf, tookS }: Seen): { state: 'fine' | 'trouble'; says: string } {
  const arrived = 'A test email to ourselves arrived';
  const problems = [
    ...(returnsElsewhere
      ? [
          'its return path was replaced on the way, so bounces go elsewhere. Allow ours at the service that relays, or set MAIL_FEEDBACK.',
        ]
      : []),
    ...(lost.length > 0 ? [`these headers were lost on the way: ${lost.join(', ')}. Use another mail server.`] : []),
    ...(spf === 'fail' || spf === 'softfail' || spf === 'permerror'
      ? [`SPF says ${spf}. Name your mail server in the SPF record.`]
      : []),
  ];
  if (problems.length > 0) return { state: 'trouble', says: `${arrived}, but ${problems.join(' And ')}` };
  const andSpf = spf === 'pass' ? ', and SPF passes' : '';
  return {
    state: 'fine',
    says: `${arrived} whole${andSpf}. It was found again within ${Math.max(1, Math.ceil(tookS / 60))} min.`,
  };
}
