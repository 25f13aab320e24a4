import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { KEPT_MS } from '#server/http/once.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';
import { SESSION_LASTS_MS } from './sessions.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAILS_KEPT_MS = 30 * DAY_MS;
/** Their addresses may belong to people who never wanted to hear of us. */
const INVITES_KEPT_MS = 30 * DAY_MS;

/** For the worker's list of repeated jobs. */
export const peopleJobs = [
  {
    name: 'remove-expired',
    everyMs: DAY_MS,
    deletesByAge: true,
    run: ({ db, clock }: { db: Database; clock: Clock }) => removeExpired(db, clock.now()),
  },
];

/** Removes what has run out: sessions, links, codes, counted tries, answers of calls; after 30 days mails, and invites done with. */
export async function removeExpired(db: Database, now: Date): Promise<void> {
  await db.engine
    .deleteFrom('sessions')
    .where((is) =>
      is.or([is('expires_at', '<=', now), is('created_at', '<=', new Date(now.getTime() - SESSION_LASTS_MS))]),
    )
    .execute();
  await db.engine.deleteFrom('verifications').where('expires_at', '<=', now).execute();
  await db.engine.deleteFrom('emailed_links').where('expires_at', '<=', now).execute();
  await db.engine
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', new Date(now.getTime() - KEPT_MS))
    .execute();
  await db.engine.deleteFrom('tries').where('ends_at', '<=', now).execute();
  const mailsBefore = new Date(now.getTime() - MAILS_KEPT_MS);
  await db.engine
    .deleteFrom('mails')
    // Where there is no mail server none is ever finished.
    .where(({ fn }) => fn.coalesce('finished_at', 'created_at'), '<=', mailsBefore)
    .execute();
  await db.engine.deleteFrom('jobs').where('name', '=', sendMail.name).where('created_at', '<=', mailsBefore).execute();
  await db.engine
    .deleteFrom('invites')
    .where(
      ({ fn }) => fn.coalesce('accepted_at', 'declined_at', 'revoked_at', 'expires_at'),
      '<=',
      new Date(now.getTime() - INVITES_KEPT_MS),
    )
    .execute();
}
