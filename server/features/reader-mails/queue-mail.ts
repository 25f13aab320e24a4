/** Queues a mail to a reader. What it looks like is decided when it is sent (send-reader-mails.ts). */
import { sql, type Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';

/** A reader's saved page, as the blog read it from its own page; never from the browser. */
export type SaveFacts = {
  url: string;
  title: string;
  pictureUrl: string | null;
  recipe: {
    name: string;
    /** Of the card in the page, without `#`. */
    anchor: string | null;
    ingredients: string[];
    totalMinutes: number | null;
    yield: string | null;
  } | null;
};

export type ReaderMail = {
  creatorId: string;
  kind: 'save' | 'confirmation';
  contactId: string;
  about: SaveFacts | null;
  /** Asks for the yes to the newsletter in the same mail, in these words. */
  newsletterQuestion: { wording: string } | null;
  submissionId: string | null;
  /** Not before; at once when absent. */
  dueAt?: Date;
};

/**
 * Sent when the transaction commits, never when it does not. Works in a transaction of the creator's and of the engine's.
 *
 * @throws when the creator has no such contact with an address
 */
export async function queueReaderMail(
  trx: Transaction<Tables>,
  { clock, ids }: { clock: Clock; ids: Ids },
  { creatorId, kind, contactId, about, newsletterQuestion, submissionId, dueAt }: ReaderMail,
): Promise<{ mailId: string }> {
  const now = clock.now();
  const mailId = ids.uuid(now);
  const { rows } = await sql`
    insert into reader_mails (creator_id, id, contact_id, kind, about, question, submission_id, recipient_domain, created_at, due_at)
    select creator_id, ${mailId}, id, ${kind}, ${about === null ? null : JSON.stringify(about)}::jsonb,
      ${newsletterQuestion?.wording ?? null}, ${submissionId}, split_part(email_key, '@', 2), ${now}, ${dueAt ?? now}
    from contacts where creator_id = ${creatorId} and id = ${contactId} and email_key is not null
    returning 1
  `.execute(trx);
  if (rows.length === 0) throw new Error(`There is no address of contact ${contactId} to write to.`);
  return { mailId };
}
