/**
 * Whether the operator's side of email works, for Admin > Operations: the mail server takes our login, the domain that mails come back
 * to has an SPF record, and a mail to ourselves comes back whole (round-trip.ts).
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import type { MailChecksTable, Tables } from '#server/db/types.ts';
import { noAnswer, notThere } from '#server/features/sending/records.ts';
import { findTextRecords, type TextRecords } from '#server/platforms/dns/text-records.ts';
import { addressIn, LoginRefused, type MailTransport } from '#server/platforms/email/transport.ts';

export type CheckDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'bounces' | 'dnsServers'>;
  log: Pick<FastifyBaseLogger, 'error'>;
  transport: Pick<MailTransport, 'check'>;
};
type Found = Pick<MailChecksTable, 'state' | 'says'>;

const MINUTE_MS = 60_000;

export const checkMailServer: RecurringJob<CheckDeps> = {
  name: 'check-mail-server',
  everyMs: 5 * MINUTE_MS,
  run: async (deps) => {
    if (deps.config.smtpUrl === null) return forget(deps.db.engine, 'relay');
    const found = await tryLogin(deps.transport);
    if (found.state === 'trouble') deps.log.error({ check: 'relay' }, found.says);
    await write(deps, 'relay', found);
  },
};

async function tryLogin(transport: Pick<MailTransport, 'check'>): Promise<Found> {
  try {
    await transport.check();
    return { state: 'fine', says: 'The mail server takes our login.' };
  } catch (error) {
    const { message } = error as Error;
    const says =
      error instanceof LoginRefused
        ? `The mail server refuses our login, so no email leaves. Correct SMTP_URL and restart; none is lost. It said: ${message}`
        : `The mail server can’t be reached, so emails wait. It said: ${message}`;
    return { state: 'trouble', says };
  }
}

export const checkReturnPath: RecurringJob<CheckDeps> = {
  name: 'check-return-path',
  everyMs: 60 * MINUTE_MS,
  run: async (deps) => {
    const { smtpUrl, bounces, mailFrom, dnsServers } = deps.config;
    const address = bounces.address ?? addressIn(mailFrom);
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (smtpUrl === null || !domain.includes('.')) return forget(deps.db.engine, 'spf');
    await write(deps, 'spf', judgeSpf(domain, await findTextRecords(dnsServers, domain)));
  },
};

/** What the record allows only a mail that arrives can tell: see round-trip.ts. */
export function judgeSpf(domain: string, { asked, answers }: TextRecords): Found {
  const about = `SPF of ${domain}, where emails come back to`;
  const trouble = (says: string): Found => ({ state: 'trouble', says: `${about}: ${says}` });
  if (answers.length === 0) return { state: 'waiting', says: `${about}: ${noAnswer(asked)}` };
  const known = answers.map((records) => records.filter((record) => /^v=spf1( |$)/i.test(record)));
  // Name servers learn of a change one after the other.
  const [record, another] = known.toSorted((one, other) => other.length - one.length)[0]!;
  if (record === undefined) {
    return trouble(`${notThere(asked)} Add a TXT record that names your mail server, as its provider says.`);
  }
  // RFC 7208, sections 4.5 and 5.1.
  if (another !== undefined) return trouble('Several records are there, so none counts. Keep one.');
  if (/ \+?all( |$)/i.test(record)) return trouble('The record lets anyone send. End it with ~all or -all.');
  return { state: 'fine', says: `${about}: Found.` };
}

export async function listMailChecks(db: Kysely<Tables>) {
  const rows = await db.selectFrom('mail_checks').selectAll().orderBy('name').execute();
  return rows.map(({ name, state, says, checked_at: at }) => ({ name, state, says, checkedAt: at.toISOString() }));
}

export async function write(
  { db, clock }: Pick<CheckDeps, 'db' | 'clock'>,
  name: MailChecksTable['name'],
  found: Found & { token?: string | null; sent_at?: Date },
): Promise<void> {
  const values = { ...found, says: found.says.slice(0, 500), checked_at: clock.now() };
  await db.engine
    .insertInto('mail_checks')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute();
}

/** There is nothing to check. */
export async function forget(db: Kysely<Tables>, name: MailChecksTable['name']): Promise<void> {
  await db.deleteFrom('mail_checks').where('name', '=', name).execute();
}
