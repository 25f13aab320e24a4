/** Queues a mail and the job that sends it. */
import type { RawBuilder, Transaction } from 'kysely';
import type { Clock, Ids } from '#server/clock.ts';
import { later } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { type Letter, layOut } from '#server/platforms/email/letter.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';

/** No row has this id. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

export type Mail = {
  /** The mail's purpose, e.g. `reset_password`: for the operator's lists. */
  kind: string;
  to: string;
  /** Laid out here, unless it is already. */
  letter: Letter | { subject: string; html: string; text: string };
  /** The creator it is about: goes with it when it is deleted. Left out for a person's own login. */
  aboutCreatorId?: string;
  /** In whose name it is, and where answers go, if they are not ours. */
  from?: { name: RawBuilder<string>; replyTo: RawBuilder<string | null> };
  /** For what people subscribe to: unsubscribes with a POST, shows a page for a GET (RFC 8058). Also in the letter. */
  unsubscribeUrl?: string;
};

/** Sent when the transaction commits, never when it does not. The transaction must be the engine role's. */
export async function mailLater(
  trx: Transaction<Tables>,
  deps: { clock: Clock; ids: Ids },
  { kind, to, letter, from, unsubscribeUrl, aboutCreatorId }: Mail,
): Promise<void> {
  const now = deps.clock.now();
  const mailId = deps.ids.uuid(now);
  await trx
    .insertInto('mails')
    .values({
      id: mailId,
      kind,
      recipient: to,
      ...('html' in letter ? letter : layOut({ ...letter, ...(unsubscribeUrl !== undefined && { unsubscribeUrl }) })),
      unsubscribe_url: unsubscribeUrl ?? null,
      about_creator_id: aboutCreatorId ?? null,
      ...(from !== undefined && { from_name: from.name, reply_to: from.replyTo }),
      created_at: now,
    })
    .execute();
  await later(trx, deps, sendMail, { mailId, ...(aboutCreatorId !== undefined && { creatorId: aboutCreatorId }) });
}

/** Two statements like those of a mail, which change nothing: the time to the answer does not tell that nobody is written to. */
export async function mailNobody(trx: Transaction<Tables>): Promise<void> {
  await trx.updateTable('mails').set({ last_failure: null }).where('id', '=', NOBODY).execute();
  await trx.updateTable('jobs').set({ again: false }).where('creator_id', '=', NOBODY).execute();
}
