/** Mails that wait for a mail server. While there is none, an admin reads them and hands them on. */
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { type AuditDeps, writeAudit } from './audit.ts';
import { findUnsentMails } from './queries.ts';

const PAGE_SIZE = 20;

type Deps = AuditDeps & { db: Database; config: Pick<Config, 'smtpUrl' | 'trying'> };

/** With a mail server an admin could ask for somebody's reset link and read it before it leaves. */
export function areReadable({ smtpUrl, trying }: Deps['config']): boolean {
  return smtpUrl === null && !trying;
}

/** @throws AppError invalid_input for a position that is not of this list */
export async function listUnsentMails(
  { db }: Pick<Deps, 'db'>,
  query: { after?: string | undefined; limit?: number | undefined },
) {
  const limit = query.limit ?? PAGE_SIZE;
  const page = { after: readPosition(query.after, 'uuid'), limit: limit + 1 };
  const { items, next } = pageFrom(await findUnsentMails(db.engine, page), limit);
  return {
    next,
    items: items.map((row) => ({
      mailId: row.id,
      recipient: row.recipient,
      subject: row.subject,
      createdAt: row.created_at.toISOString(),
      lastFailure: row.last_failure,
    })),
  };
}

/** @throws AppError not_possible_now with a mail server; not_found for a mail that does not wait */
export async function readUnsentMail(deps: Deps, { user }: SignedIn, mailId: string): Promise<string> {
  if (!areReadable(deps.config)) {
    throw new AppError('not_possible_now', 'A mail server is set up, so only the recipient reads this email.');
  }
  return deps.db.engine.transaction().execute(async (trx) => {
    const mail = await trx
      .selectFrom('mails')
      .select(['kind', 'text', 'about_creator_id'])
      .where('id', '=', mailId)
      .where('state', '=', 'queued')
      .executeTakeFirst();
    if (mail === undefined) throw new AppError('not_found', 'This email is no longer waiting.');
    await writeAudit(trx, deps, {
      admin_id: user.id,
      admin_name: user.name,
      creator_id: mail.about_creator_id,
      what: 'Read an unsent email',
      detail: `${mail.kind}, mail ${mailId}`,
    });
    return mail.text;
  });
}
