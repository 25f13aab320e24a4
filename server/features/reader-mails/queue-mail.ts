/** Queues a mail to a reader. What it looks like is decided when it is sent (send-reader-mails.ts). */
import { sql, type Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import type { SavedPage } from '#server/features/email-templates/rendering/facts.ts';

export type ReaderMail = {
  creatorId: string;
  kind: 'save' | 'confirmation';
  contactId: string;
  about: SavedPage | null;
  /** Asks for the yes to the newsletter in the same mail, in these words. */
  newsletterQuestion: { wording: string } | null;
  submissionId: string | null;
  /** Not before; at once when absent. */
  dueAt?: Date;
  /** In words, for the creator. */
  waitsBecause?: string;
  /** Goes in one mail with others that wait for their time. */
  isGathered?: boolean;
};

/** More than these nobody saves in an hour. */
const MOST_OTHERS = 50;

/**
 * Sent when the transaction commits, never when it does not. Works in a transaction of the creator's and of the engine's.
 *
 * @throws when the creator has no such contact with an address
 */
export async function queueReaderMail(
  trx: Transaction<Tables>,
  { clock, ids }: { clock: Clock; ids: Ids },
  mail: ReaderMail,
): Promise<{ mailId: string }> {
  const { creatorId, kind, contactId, about, newsletterQuestion, submissionId, dueAt } = mail;
  const now = clock.now();
  const gathered = mail.isGathered ? await addToWaiting(trx, mail, now) : null;
  if (gathered !== null) return { mailId: gathered };
  const mailId = ids.uuid(now);
  const { rows } = await sql`
    insert into reader_mails (creator_id, id, contact_id, kind, about, question, submission_id, recipient_domain, created_at, due_at,
      last_failure)
    select creator_id, ${mailId}, id, ${kind}, ${about === null ? null : JSON.stringify(about)}::jsonb,
      ${newsletterQuestion?.wording ?? null}, ${submissionId}, split_part(email_key, '@', 2), ${now}, ${dueAt ?? now},
      ${mail.waitsBecause ?? null}
    from contacts where creator_id = ${creatorId} and id = ${contactId} and email_key is not null
    returning 1
  `.execute(trx);
  if (rows.length === 0) throw new Error(`There is no address of contact ${contactId} to write to.`);
  return { mailId };
}

/** @returns the mail that it goes with; null: none waits */
async function addToWaiting(
  trx: Transaction<Tables>,
  { creatorId, contactId, about, newsletterQuestion }: ReaderMail,
  now: Date,
): Promise<string | null> {
  const other = about === null ? [] : [{ url: about.url, title: about.recipe?.name || about.title }];
  const { rows } = await sql<{ id: string }>`
    update reader_mails set question = coalesce(question, ${newsletterQuestion?.wording ?? null}),
      about = case when jsonb_array_length(coalesce(about -> 'others', '[]')) >= ${MOST_OTHERS} then about
        else about || jsonb_build_object('others', coalesce(about -> 'others', '[]') || ${JSON.stringify(other)}::jsonb) end
    where creator_id = ${creatorId} and contact_id = ${contactId} and kind = 'save' and state = 'waiting' and attempts = 0
      and due_at > ${now}
    returning id
  `.execute(trx);
  return rows[0]?.id ?? null;
}
