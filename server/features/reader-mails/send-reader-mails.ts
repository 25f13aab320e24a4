/**
 * Sends mails to readers. There is one job for each recipient domain with a mail that is due, so the queue (server/db/jobs.ts)
 * paces by domain: a domain has one sender at a time over all processes, which has a few mails under way, and what slows a
 * domain down makes its job wait, longer each time. How many mails a second go out, and over how many connections, the
 * transport says.
 *
 * A mail goes `waiting → sending → accepted`; or back to `waiting` with a later time; or to its end: `bounced` (refused for
 * good), `suppressed`, `cancelled` (no longer wanted), `expired`. One whose sender died while the mail server had it is sent again
 * under the same Message-ID and counted in `unnoted`: only then may it arrive twice.
 */
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { backOffMs, later, type QueuedJob, type RecurringJob, TryLater } from '#server/db/jobs.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import { scrub } from '#server/observability/scrub.ts';
import { MailboxBusy, MailRefused, type MailTransport } from '#server/platforms/email/transport.ts';
import type { Keys } from '#server/secrets.ts';
import { type LaidOut, layOutAll } from './lay-out.ts';
import { findDueDomains, note, type Outcome, type TakenMail, takeBack, takeNext } from './queries.ts';

export type SendingDeps = {
  db: Pick<Database, 'engine' | 'withCreator'>;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Pick<Config, 'baseUrl' | 'smtpUrl' | 'trying'>;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  readerTransport: Pick<MailTransport, 'deliver'>;
};

/** Of a recipe that somebody wants to cook today. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** Of what many get, which may wait long for its first: about two days, an hour apart at most. */
const GIVE_UP_AFTER_TRIES = 50;
/** After so many rounds a job makes way for other domains, and for the end of the process. */
const ROUNDS = 25;
const NOTE_TRIES = 20;

export const sendToDomain: QueuedJob<SendingDeps, { domain: string }> = {
  name: 'send-reader-mails',
  payload: z.object({ domain: z.string() }),
  atOnce: 4,
  run: sendDue,
};

export const findDueReaderMails: RecurringJob<SendingDeps> = {
  name: 'find-due-reader-mails',
  everyMs: 1_000,
  run: async (deps) => {
    // Without a mail server mails wait for it; in a trial they are on the mailbox page.
    if (deps.config.smtpUrl === null && !deps.config.trying) return;
    await later(deps.db.engine, deps, sendToDomain, ...(await findDueDomains(deps.db.engine, deps.clock.now())));
  },
};

/** @throws TryLater when the domain, or our mail server, wants no more for now */
async function sendDue(deps: SendingDeps, { domain }: { domain: string }): Promise<void> {
  const { db, clock, ids, log } = deps;
  const leaseId = ids.uuid(clock.now());
  const unnoted = await takeBack(db.engine, domain);
  if (unnoted > 0) log.warn({ mails: unnoted }, 'a sender died: mails may arrive twice');
  let hasProgressed = false;
  for (let round = 0; round < ROUNDS; round++) {
    const taken = await takeNext(db.engine, { domain, leaseId, now: clock.now() });
    if (taken.length === 0) return;
    const laidOut = await layOutAll(deps, taken);
    const tried = await Promise.all(laidOut.map((mail) => tryOne(deps, mail)));
    await noteSurely(
      deps,
      tried.map(({ outcome }) => outcome),
    );
    for (const { outcome, isDead } of tried) if (isDead) await noteBounce(deps, outcome.mail);
    hasProgressed ||= tried.some(({ outcome }) => outcome.state === 'accepted');
    const slowedDown = tried.find((one) => one.slowsDown);
    if (slowedDown !== undefined) throw new TryLater(slowedDown.outcome.failure ?? '', { hasProgressed });
  }
  await later(db.engine, deps, sendToDomain, { domain });
}

type Tried = { outcome: Outcome; slowsDown?: boolean; isDead?: boolean };

async function tryOne({ clock, readerTransport, log }: SendingDeps, laidOut: LaidOut): Promise<Tried> {
  const { mail, not } = laidOut;
  const over = (state: Outcome['state'], failure: string | null) => ({
    outcome: { mail, state, failure, dueAt: null },
  });
  if (not !== null) return over(not.state, not.because);
  const now = clock.now();
  const isOver =
    mail.part_of === null
      ? now.getTime() >= mail.created_at.getTime() + GIVE_UP_AFTER_MS
      : mail.attempts > GIVE_UP_AFTER_TRIES;
  if (isOver) {
    log.error({ mail: mail.id, kind: mail.kind }, 'an email to a reader could not be sent for too long; given up');
    return over('expired', mail.last_failure ?? 'It couldn’t be sent within a day.');
  }
  try {
    await readerTransport.deliver({ id: mail.id, recipient: mail.email, ...laidOut.sends });
    return over('accepted', null);
  } catch (error) {
    const says = (error as Error).message;
    if (error instanceof MailRefused) {
      const words = error.isAddressDead
        ? 'This address doesn’t exist'
        : 'The recipient’s mail server refused this email';
      log.warn({ mail: mail.id, kind: mail.kind, failure: scrub(says) }, 'an email to a reader was refused');
      return { ...over('bounced', `${words}: ${says}`), isDead: error.isAddressDead };
    }
    log.warn({ mail: mail.id, kind: mail.kind, failure: scrub(says) }, 'an email to a reader could not be sent yet');
    const dueAt = new Date(now.getTime() + backOffMs(mail.attempts));
    const failure = `Not taken yet, we’ll try again: ${says}`;
    return { outcome: { mail, state: 'waiting', failure, dueAt }, slowsDown: !(error instanceof MailboxBusy) };
  }
}

/** Accepted mails are noted, even where the database is away for a moment: else they would go out twice. */
async function noteSurely({ db, clock, log }: SendingDeps, outcomes: Outcome[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await note(db.engine, outcomes, clock.now());
    } catch (error) {
      if (tries === NOTE_TRIES) throw error;
      log.warn({ err: error }, 'could not note what was sent; trying again');
      await clock.sleep(1_000);
    }
  }
}

function noteBounce(deps: SendingDeps, { creator_id: creatorId, contact_id: contactId }: TakenMail) {
  const at = deps.clock.now();
  return deps.db.withCreator(creatorId, (trx) =>
    applyNewsletterAct(trx, deps, { creatorId, contactId, act: 'bounces', at, how: 'smtp' }),
  );
}
