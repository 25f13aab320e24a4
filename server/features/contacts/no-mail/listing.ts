/** Writes into the list what changed in the database. */
import { sql } from 'kysely';
import type { SuppressionReason } from '#contract/suppressions.ts';
import type { Database } from '#server/db/database.ts';
import type { QueuedJob } from '#server/db/jobs.ts';
import { AWAY, type NewsletterStatus } from '../newsletter-status.ts';
import { NO_MAIL_CHANGED } from './changed.ts';
import type { NoMailLine, NoMailList } from './list.ts';

export type ListingDeps = { db: Pick<Database, 'engine'>; noMailList: NoMailList };

/** Lines are written one after the other over all processes: the list's row is locked meanwhile. */
export const listNoMail: QueuedJob<ListingDeps, { creatorId: string; hash: string; contactId: string | null }> = {
  ...NO_MAIL_CHANGED,
  atOnce: 2,
  run: ({ db, noMailList: list }, { creatorId, hash, contactId }) =>
    db.engine.transaction().execute(async (trx) => {
      const { rows } = await sql<{ position: number } & Standing>`
        select l.position, c.newsletter, c.newsletter_at as "newsletterAt", s.reason, s.since from no_mail_lists l
        left join contacts c on c.creator_id = ${creatorId} and c.id = ${contactId}
        left join suppressions s on s.creator_id = ${creatorId} and s.email_hash = ${hash}
        where l.id = ${list.id} for update of l
      `.execute(trx);
      const { position, ...standing } = rows[0]!;
      const to = await list.append([lineOf({ creatorId, hash }, standing)], position);
      await sql`update no_mail_lists set position = ${to} where id = ${list.id}`.execute(trx);
    }),
};

/** What the database says of an address. */
export type Standing = {
  newsletter: NewsletterStatus | null;
  newsletterAt: Date | null;
  reason: SuppressionReason | null;
  since: Date | null;
};

export function lineOf(
  whose: { creatorId: string; hash: string },
  { newsletter, newsletterAt, reason, since }: Standing,
): NoMailLine {
  const left = newsletter !== null && AWAY.includes(newsletter) ? (newsletter as SuppressionReason) : null;
  const at = new Date(Math.max(newsletterAt?.getTime() ?? 0, since?.getTime() ?? 0));
  return { ...whose, reason: reason ?? left, gone: newsletter === null, at: at.toISOString() };
}
