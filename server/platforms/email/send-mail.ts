/**
 * Sends one mail, the job that is queued with it (mail-later.ts). A mail arrives once unless its worker dies between the mail
 * server's yes and our note of it: SMTP knows no transaction over both, so the mail then goes out again, under the same
 * Message-ID, by which mail programs know a copy. A worker that dies earlier has not sent it.
 */
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { type QueuedJob, TryLater } from '#server/db/jobs.ts';
import { MAILS_AT_A_TIME, MailRefused, type MailTransport } from '#server/platforms/email/transport.ts';

export type SendMailDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  transport: Pick<MailTransport, 'deliver' | 'keepsText'>;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
};

export const sendMail: QueuedJob<SendMailDeps, { mailId: string; creatorId?: string | undefined }> = {
  name: 'send-mail',
  payload: z.object({ mailId: z.uuid(), creatorId: z.optional(z.uuid()) }),
  atOnce: MAILS_AT_A_TIME,
  run: send,
};

/** Links in it are dead by then, its news is old. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/** @throws TryLater when the mail server takes it later, perhaps */
async function send({ db, clock, transport, log }: SendMailDeps, { mailId }: { mailId: string }): Promise<void> {
  const mail = await db.engine
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'html', 'text', 'unsubscribe_url', 'last_failure', 'created_at'])
    .select(['from_name', 'reply_to as replyTo'])
    .where('id', '=', mailId)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  // Sent by a worker that died before it could say so to the queue; or gone with its creator.
  if (mail === undefined) return;
  const change = (values: { state?: 'sent' | 'failed'; finished_at?: Date; last_failure?: string; html?: string }) =>
    db.engine.updateTable('mails').set(values).where('id', '=', mailId).where('state', '=', 'queued').execute();
  const giveUp = async (failure: string, message: string) => {
    log.error({ mail: mail.id, kind: mail.kind, failure }, message);
    await change({ state: 'failed', finished_at: clock.now(), last_failure: failure, ...NO_TEXT });
  };

  if (clock.now().getTime() >= mail.created_at.getTime() + GIVE_UP_AFTER_MS) {
    const failure = mail.last_failure ?? 'It couldn’t be sent within a day.';
    return giveUp(failure, 'an email could not be sent for a day; given up');
  }
  try {
    const from = mail.from_name === null ? undefined : { name: mail.from_name, address: null };
    await transport.deliver({ ...mail, ...(from && { from }) });
  } catch (error) {
    const failure = (error as Error).message;
    if (error instanceof MailRefused) return giveUp(failure, 'an email was refused for good');
    log.warn({ mail: mail.id, kind: mail.kind, failure }, 'an email could not be sent; trying again');
    await change({ last_failure: failure });
    throw new TryLater(failure);
  }
  await change({ state: 'sent', finished_at: clock.now(), ...(!transport.keepsText && NO_TEXT) });
}

/** Links in it are secrets, and nobody reads it any more. */
const NO_TEXT = { html: '', text: '', unsubscribe_url: null };
