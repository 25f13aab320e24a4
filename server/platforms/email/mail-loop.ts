/**
 * Sends the queued mails. A sender takes a lease on a mail before it delivers and renews it while it does; when it dies,
 * another goes on within half a minute. So a mail arrives at least once, and twice only when a sender died
 * between the mail server's yes and our note of it.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import {
  MAILS_AT_A_TIME,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
} from '#server/platforms/email/transport.ts';

export type MailLoopDeps = {
  db: Database;
  clock: Clock;
  ids: Ids;
  transport: MailTransport;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
};

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/** Sends until `signal` aborts; resolves when the mails under way are done and the transport is closed. */
export async function startMailLoop(deps: MailLoopDeps & { signal: AbortSignal }): Promise<void> {
  while (!deps.signal.aborted) {
    let sent = 0;
    try {
      sent = await sendDueMails(deps);
    } catch (error) {
      deps.log.error({ err: error }, 'the mail queue cannot be read; trying again');
    }
    if (sent === 0) await deps.clock.sleep(LOOK_EVERY_MS, deps.signal);
  }
  deps.transport.close();
}

/** One round. @returns how many mails were tried */
export async function sendDueMails(deps: MailLoopDeps): Promise<number> {
  const leaseId = deps.ids.uuid(deps.clock.now());
  const mails = await claimDue(deps.db.engine, deps.clock.now(), leaseId);
  if (mails.length === 0) return 0;
  const done = new AbortController();
  const renewing = renewUntil(done.signal, deps, leaseId);
  const results = await Promise.allSettled(mails.map((mail) => send(mail, leaseId, deps)));
  done.abort();
  await renewing;
  // What became of these is not noted: the database is away. They stay leased and come again.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return mails.length;
}

/** It waited while there was no mail server, or no worker: its links are dead, its news is old. */
class TooOld extends Error {
  override message = 'It couldn’t be sent within a day.';
}

type ClaimedMail = OutgoingMail & { kind: string; attempts: number; created_at: Date };

async function send(mail: ClaimedMail, leaseId: string, { db, clock, transport, log }: MailLoopDeps): Promise<void> {
  try {
    if (clock.now().getTime() >= mail.created_at.getTime() + GIVE_UP_AFTER_MS) throw new TooOld();
    await transport.deliver(mail);
  } catch (error) {
    const failure = error as Error;
    const facts = { mail: mail.id, kind: mail.kind, attempts: mail.attempts, failure: failure.message };
    const dueAt = new Date(clock.now().getTime() + pauseMs(mail.attempts));
    const refused = failure instanceof MailRefused;
    if (refused || failure instanceof TooOld || dueAt.getTime() >= mail.created_at.getTime() + GIVE_UP_AFTER_MS) {
      log.error(facts, refused ? 'a mail was refused for good' : 'a mail could not be sent for a day; given up');
      return finish(db.engine, mail.id, leaseId, {
        state: 'failed',
        finished_at: clock.now(),
        last_failure: failure.message,
        // Links in it are secrets, and nobody reads it any more.
        html: '',
        text: '',
        unsubscribe_url: null,
      });
    }
    log.warn(facts, 'a mail could not be sent; trying again');
    return finish(db.engine, mail.id, leaseId, { due_at: dueAt, last_failure: failure.message });
  }
  return finish(db.engine, mail.id, leaseId, {
    state: 'sent',
    finished_at: clock.now(),
    ...(!transport.keepsText && { html: '', text: '', unsubscribe_url: null }),
  });
}

/** 5 s, 15 s, 45 s … at most an hour. */
function pauseMs(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 3 ** (attempts - 1), LONGEST_PAUSE_MS);
}

async function renewUntil(done: AbortSignal, { db, clock, log }: MailLoopDeps, leaseId: string): Promise<void> {
  for (;;) {
    await clock.sleep(RENEW_EVERY_MS, done);
    if (done.aborted) return;
    try {
      await db.engine
        .updateTable('mails')
        .set({ leased_until: new Date(clock.now().getTime() + LEASE_MS) })
        .where('lease_id', '=', leaseId)
        .execute();
    } catch (error) {
      log.warn({ err: error }, 'the lease on mails under way could not be renewed');
    }
  }
}

async function claimDue(db: Kysely<Tables>, now: Date, leaseId: string): Promise<ClaimedMail[]> {
  return db
    .updateTable('mails')
    .set((eb) => ({
      lease_id: leaseId,
      leased_until: new Date(now.getTime() + LEASE_MS),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('state', '=', 'queued')
        .where('due_at', '<=', now)
        .where((or) => or.or([or('leased_until', 'is', null), or('leased_until', '<=', now)]))
        .orderBy('due_at')
        .limit(MAILS_AT_A_TIME)
        // Locked rows are another sender's; a row that changed since this statement began is checked again.
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'kind', 'recipient', 'subject', 'html', 'text', 'unsubscribe_url', 'attempts', 'created_at'])
    .execute();
}

/** Only while the lease is ours: a sender that was thought dead changes nothing. */
async function finish(
  db: Kysely<Tables>,
  id: string,
  leaseId: string,
  change: {
    state?: 'sent' | 'failed';
    finished_at?: Date;
    due_at?: Date;
    last_failure?: string;
    html?: string;
    text?: string;
    unsubscribe_url?: null;
  },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...change, lease_id: null, leased_until: null })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute();
}
