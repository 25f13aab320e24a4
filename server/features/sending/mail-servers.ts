/**
 * A creator's own mail server. It is on once it took a test email. One that takes nothing any more is left alone for a while, longer
 * each time, and its creator's mails wait meanwhile; where it cannot get well by itself, owners are told.
 */
import { sql } from 'kysely';
import type { MailServerLogin, Sending } from '#contract/sending.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { forgetMailServerTrouble, mailMailServerTrouble } from '#server/features/notices/mail-server-trouble.ts';
import { layOut } from '#server/platforms/email/letter.ts';
import {
  createMailTransport,
  LoginRefused,
  type MailTransport,
  type NamedServer,
} from '#server/platforms/email/transport.ts';
import { type GuardedFetch, isPublicAddress, NotAllowed } from '#server/platforms/guarded-fetch.ts';
import { type Keys, open, seal } from '#server/secrets.ts';
import type { OwnServer } from './whom-from.ts';

type Deps = {
  db: Pick<Database, 'engine' | 'withCreator'>;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: { baseUrl: string };
  fetching: Pick<GuardedFetch, 'addressOf'>;
  live: Pick<LiveUpdates, 'publish'>;
};

/** To one creator's server; big mail services count them. */
const CONNECTIONS = 3;
const TEST_SILENCE_MS = 10_000;
const HOUR_MS = 3_600_000;
const pauseMs = (failures: number) => Math.min(60_000 * 2 ** (failures - 1), HOUR_MS);
/** A quarter of an hour. */
const TOLD_AFTER_FAILURES = 5;

export async function showMailServer(trx: CreatorTransaction, creatorId: string): Promise<Sending['mailServer']> {
  const row = await findRow(trx, creatorId);
  if (row === undefined) return null;
  const { host, port, security, username: user, failing_since: since, failure } = row;
  const trouble = since === null ? null : { since: since.toISOString(), says: failure ?? '' };
  return { host, port, security, user, trouble };
}

function findRow(trx: CreatorTransaction, creatorId: string) {
  return trx.selectFrom('mail_servers').selectAll().where('creator_id', '=', creatorId).executeTakeFirst();
}

/** @throws AppError invalid_input, in words of what the server did with the test email */
export async function setMailServer(
  deps: Deps,
  { creatorId, login, tester }: { creatorId: string; login: MailServerLogin; tester: string },
): Promise<void> {
  const { server, from, name } = await deps.db.withCreator(creatorId, (trx) => read(deps, trx, creatorId, login));
  await sendTest(deps, server, { from, name, tester });
  const { host, port, security, user: username } = server;
  const now = deps.clock.now();
  const values = {
    ...{ host, port, security, username, password: seal(deps.keys.encryptionKeys, server.password), changed_at: now },
    ...WELL,
  };
  await deps.db.withCreator(creatorId, (trx) =>
    trx
      .insertInto('mail_servers')
      .values({ creator_id: creatorId, id: deps.ids.uuid(now), ...values })
      .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(values))
      .execute(),
  );
  await deps.db.engine.transaction().execute((trx) => forgetMailServerTrouble(trx, creatorId));
  deps.live.publish(creatorId, { what: 'account' });
}

const WELL = { failing_since: null, failure: null, failures: 0, paused_until: null, needs_owner: false };

async function read({ keys }: Deps, trx: CreatorTransaction, creatorId: string, login: MailServerLogin) {
  const row = await findRow(trx, creatorId);
  const isSame = row?.host === login.host && row.port === login.port && row.username === login.user;
  // Nobody gets a password sent to another server who did not know it.
  const known = isSame && row.security === login.security ? row.password : null;
  const password = login.password ?? (known === null ? null : open(keys.encryptionKeys, known));
  if (password === null) throw refused('password', 'Enter the password for this server.');
  const { rows } = await sql<{ name: string; address: string | null }>`
    select ${creatorName(sql`${creatorId}::uuid`)} as name, (select address from senders where creator_id = ${creatorId})
  `.execute(trx);
  const { name, address } = rows[0]!;
  if (address === null) throw refused('host', 'First save your email address under Sender. Your server sends from it.');
  return { server: { ...login, password }, from: address, name };
}

type Test = { from: string; name: string; tester: string };

async function sendTest(deps: Deps, server: Omit<NamedServer, 'address'>, { from, name, tester }: Test): Promise<void> {
  try {
    const transport = await connect(deps, { ...server, from }, { silenceMs: TEST_SILENCE_MS });
    try {
      const letter = layOut({
        subject: 'Your mail server works',
        heading: 'Your mail server works',
        paragraphs: [`This email left through ${server.host}. From now on, so does everything you send your readers.`],
      });
      const mail = { id: deps.ids.uuid(deps.clock.now()), recipient: tester, ...letter, unsubscribe_url: null };
      await transport.deliver({ ...mail, from: { name, address: from } });
    } finally {
      transport.close();
    }
  } catch (error) {
    const { path, says } = inWords(error as Error);
    throw refused(path, says);
  }
}

export async function removeMailServer(trx: CreatorTransaction, creatorId: string): Promise<void> {
  await trx.deleteFrom('mail_servers').where('creator_id', '=', creatorId).execute();
}

/**
 * @returns its connections; whoever asked closes them
 * @throws LoginRefused, NotAllowed, or what the name server said
 */
export async function connect(
  { fetching }: Pick<Deps, 'fetching'>,
  { from, password, ...server }: Omit<OwnServer, 'isFailing'>,
  options: Pick<Parameters<typeof createMailTransport>[0], 'silenceMs' | 'marks'> = {},
): Promise<MailTransport> {
  if (password === null) throw new LoginRefused('The password can’t be read anymore. Enter it again.');
  const address = await fetching.addressOf(server.host);
  // A password in the open is for the operator's own network only, where they let creators in.
  if (server.security === 'none' && isPublicAddress(address)) throw new NotEncrypted();
  return createMailTransport({
    ...{ smtpUrl: { ...server, address, password }, from, connections: CONNECTIONS },
    ...options,
  });
}

class NotEncrypted extends Error {
  override message = 'Choose TLS or STARTTLS: without encryption anyone on the way could read your password.';
}

/** It took nothing just now. */
export async function noteServerTrouble(deps: Deps, creatorId: string, error: Error): Promise<void> {
  const now = deps.clock.now();
  const { says } = inWords(error);
  const isNew = await deps.db.engine.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('mail_servers')
      .select(['id', 'host', 'failures', 'failing_since', 'needs_owner'])
      .where('creator_id', '=', creatorId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const failures = row.failures + 1;
    const isRefused = error instanceof LoginRefused;
    const needsOwner = row.needs_owner || isRefused || failures >= TOLD_AFTER_FAILURES;
    await trx
      .updateTable('mail_servers')
      .set({
        ...{ failures, failure: says.slice(0, 300), needs_owner: needsOwner, failing_since: row.failing_since ?? now },
        // Servers lock out who tries a wrong password again and again.
        paused_until: new Date(now.getTime() + (isRefused ? HOUR_MS : pauseMs(failures))),
      })
      .where('creator_id', '=', creatorId)
      .where('id', '=', row.id)
      .execute();
    if (!needsOwner || row.needs_owner) return row.failing_since === null;
    await mailMailServerTrouble(trx, deps, { creatorId, host: row.host, says });
    return true;
  });
  if (isNew) deps.live.publish(creatorId, { what: 'account' });
}

/** It took a mail. */
export async function noteServerWorks(deps: Pick<Deps, 'db' | 'live'>, creatorId: string): Promise<void> {
  const isNews = await deps.db.engine.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('mail_servers')
      .set(WELL)
      .where('creator_id', '=', creatorId)
      .where('failing_since', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await forgetMailServerTrouble(trx, creatorId);
    return numUpdatedRows > 0n;
  });
  if (isNews) deps.live.publish(creatorId, { what: 'account' });
}

/** What went wrong, for the creator, and at which field of the form. */
function inWords(error: Error): { path: 'host' | 'security' | 'password'; says: string } {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const cause = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (error instanceof LoginRefused) return { path: 'password', says: `It refused the login: ${message}` };
  if (error instanceof NotEncrypted) return { path: 'security', says: message };
  if (error instanceof NotAllowed) return { path: 'host', says: message };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { path: 'host', says: 'No server has this name.' };
  if (
    code === 'ETLS' ||
    /CERT|SSL|TLS|SELF_SIGNED|ALTNAME/.test(cause || code) ||
    /certificate|wrong version/i.test(message)
  )
    return { path: 'security', says: `No secure connection: ${message}` };
  if (['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS'].includes(code))
    return { path: 'host', says: `No connection to it: ${message}` };
  return { path: 'host', says: `It didn’t take the email: ${message}` };
}

function refused(path: string, message: string): AppError {
  return new AppError('invalid_input', message, { fields: [{ path, message }] });
}
