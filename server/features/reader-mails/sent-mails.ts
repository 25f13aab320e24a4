/** Mails to readers for the mailbox page of a trial: laid out once more, as nothing of their text is kept. */
import { creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { findLiveTemplates } from '#server/features/email-templates/live-templates.ts';
import { createMailLinks } from '#server/features/links/mail-links.ts';
import { withPasses } from '#server/features/sites/gate-passes.ts';
import { contentsOf, type LayOutDeps, layOut } from './lay-out.ts';
import { findSent, type TakenMail } from './queries.ts';

export async function listSentReaderMails(deps: LayOutDeps, most: number) {
  const mails = await findSent(deps.db.engine, most);
  return (await Promise.all(mails.map((mail) => readable(deps, mail)))).filter((mail) => mail !== null);
}

export async function readSentReaderMail(deps: LayOutDeps, id: string) {
  const [mail] = await findSent(deps.db.engine, 1, id);
  return mail === undefined ? null : readable(deps, mail);
}

async function readable(deps: LayOutDeps, taken: TakenMail) {
  const [mail] = (await withPasses(deps.db.engine, deps.keys, [taken])) as [TakenMail];
  const hash = await creatorHashes(deps.db.engine, deps, mail.creator_id, deps.clock.now());
  const live = await findLiveTemplates(deps.db.engine, [mail.creator_id]);
  const content = (await contentsOf(deps, [mail], live))(mail);
  if (content === null) return null;
  // As it was when it left, whatever they answered since.
  const { subject, html, text } = layOut(
    deps,
    hash,
    { ...mail, newsletter: 'unconfirmed' },
    content,
    createMailLinks(deps),
  );
  return { id: mail.id, recipient: mail.email, created_at: mail.created_at, subject, html, text };
}
