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
  /** So long it waits for `fillInMails`, and goes with what is known then. */
  readsPageForMs?: number;
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
  const { creatorId, kind, contactId, newsletterQuestion, submissionId, readsPageForMs } = mail;
  const now = clock.now();
  const about = mail.about && { ...mail.about, ...(readsPageForMs !== undefined && { waitsMs: readsPageForMs }) };
  const dueAt = new Date((mail.dueAt ?? now).getTime() + (readsPageForMs ?? 0));
  const gathered = mail.isGathered ? await addToWaiting(trx, mail, now) : null;
  if (gathered !== null) return { mailId: gathered };
  const mailId = ids.uuid(now);
  const { rows } = await sql`
    insert into reader_mails (creator_id, id, contact_id, kind, about, question, submission_id, recipient_domain, created_at, due_at,
      last_failure)
    select creator_id, ${mailId}, id, ${kind}, ${about === null ? null : JSON.stringify(about)}::jsonb,
      ${newsletterQuestion?.wording ?? null}, ${submissionId}, split_part(email_key, '@', 2), ${now}, ${dueAt},
      ${mail.waitsBecause ?? null}
    from contacts where creator_id = ${creatorId} and id = ${contactId} and email_key is not null
    returning 1
  `.execute(trx);
  if (rows.length === 0) throw new Error(`There is no address of contact ${contactId} to write to.`);
  return { mailId };
}

/** For mails to these contacts that wait for what this page says of itself. Null: they are not sent. */
export async function fillInMails(
  trx: Transaction<Tables>,
  { creatorId, contactIds, url, page, at }: Filling,
): Promise<void> {
  await sql`
    update reader_mails set about = (about || coalesce(${page === null ? null : JSON.stringify(page)}::jsonb, '{}')) - 'waitsMs',
      due_at = due_at - (about ->> 'waitsMs')::int * interval '1 millisecond',
      state = case when ${page === null} then 'cancelled' else state end,
      last_failure = case when ${page === null} then 'Your form isn’t on the page they saved.' else last_failure end,
      finished_at = case when ${page === null} then ${at}::timestamptz end
    where creator_id = ${creatorId} and contact_id = any (${contactIds}::uuid[]) and kind = 'save' and state = 'waiting'
      and about ->> 'url' = ${url} and about ? 'waitsMs'
  `.execute(trx);
}

type Filling = { creatorId: string; contactIds: string[]; url: string; page: SavedPage | null; at: Date };

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
