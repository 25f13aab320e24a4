/**
 * Reads the mailbox that our mails come back to. Its inbox is what is left to read: a report on a mail of ours goes to
 * `Creator HQ/Read` and from there for good after 30 days, because it has the reader's address in it; everything else goes to
 * `Creator HQ/Not understood` and stays for a person. What cannot be moved is still read once, by its UID.
 */
import { ImapFlow } from 'imapflow';
import type { Config } from '#server/config.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import { takeRoundTrip } from '#server/features/mail-checks/round-trip.ts';
import { mailMarksOf } from '#server/platforms/email/bounces/mail-marks.ts';
import { readReport } from '#server/platforms/email/bounces/read-report.ts';
import { type ReportDeps, takeReports } from './take-reports.ts';

export type MailboxDeps = ReportDeps & { config: Pick<Config, 'bounces'> };

const FOLDER = 'Creator HQ';
const READ = 'Read';
const NOT_UNDERSTOOD = 'Not understood';
/** Of each message so much is read: reports begin with what they say. */
const MAX_BYTES = 256 * 1024;
const MOST_A_TURN = 200;
const READ_KEPT_MS = 30 * 24 * 3_600_000;

/** One process at a time, by the job's lease. */
export const readBounceMailbox: RecurringJob<MailboxDeps> = {
  name: 'read-bounce-mailbox',
  everyMs: 60_000,
  run: readMailbox,
};

async function readMailbox(deps: MailboxDeps): Promise<void> {
  const { imapUrl } = deps.config.bounces;
  if (imapUrl === null) return;
  const { client, inbox } = open(imapUrl);
  await client.connect();
  try {
    const folders = await makeFolders(client);
    await client.mailboxOpen(inbox);
    await readInbox(deps, client, folders);
    await client.mailboxOpen(folders.read);
    await client.messageDelete({ before: new Date(deps.clock.now().getTime() - READ_KEPT_MS) });
    await client.logout();
  } finally {
    client.close();
  }
}

type Folders = { read: string; notUnderstood: string };

async function readInbox(deps: MailboxDeps, client: ImapFlow, folders: Folders): Promise<void> {
  const marks = mailMarksOf(deps.config, deps.keys);
  const uids = (await client.search({ all: true }, { uid: true })) || [];
  for (const uid of uids.slice(0, MOST_A_TURN)) {
    const message = await client.fetchOne(String(uid), { source: { maxLength: MAX_BYTES } }, { uid: true });
    if (message === false || message.source === undefined) continue;
    if (await takeRoundTrip(deps, message.source)) {
      await client.messageMove(String(uid), folders.read, { uid: true });
      continue;
    }
    const report = await readReport(message.source, marks);
    const { uidValidity } = client.mailbox as { uidValidity: bigint };
    const what = await takeReports(deps, { name: 'mailbox', eventId: `${uidValidity}:${uid}` }, [report]);
    const isForPeople = what === 'not_understood' || what === 'another_mail';
    await client.messageMove(String(uid), isForPeople ? folders.notUnderstood : folders.read, { uid: true });
  }
}

async function makeFolders(client: ImapFlow): Promise<Folders> {
  const [read, notUnderstood] = await Promise.all(
    [READ, NOT_UNDERSTOOD].map(async (name) => (await client.mailboxCreate([FOLDER, name])).path),
  );
  return { read: read!, notUnderstood: notUnderstood! };
}

/** `imaps://user:password@host:993/Folder`; without a folder its inbox. */
function open(url: string): { client: ImapFlow; inbox: string } {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const secure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  // What breaks the connection also ends the call that waits.
  client.on('error', () => {});
  return { client, inbox: decodeURIComponent(pathname.slice(1)) || 'INBOX' };
}
