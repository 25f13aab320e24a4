/** A reader who ticked the newsletter's box, and the links of the mail that asks them, for tests. */
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import type { OutgoingMail } from '#server/platforms/email/transport.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { queueReaderMail } from '../queue-mail.ts';
import { tokenOfContact } from '../reader-links.ts';
import { findDueReaderMails, sendToDomain } from '../send-reader-mails.ts';

/** Paths of this program. */
export type AskedReader = { contactId: string; confirm: string; tripwire: string; notMe: string; unsubscribe: string };

export async function askReader(app: TestApp, creatorId: string): Promise<AskedReader> {
  const at = app.clock.now();
  const email = `reader${app.deps.ids.uuid(at)}@example.test`;
  const contactId = await app.db.withCreator(creatorId, async (trx) => {
    const facts = { creatorId, email, name: null, language: 'en', source: 'blog', at } as const;
    const { id } = await findOrMakeContact(trx, app.deps, facts);
    await applyNewsletterAct(trx, app.deps, { creatorId, contactId: id, act: 'ticks', at, how: 'box' });
    return id;
  });
  await queueSave(app, { creatorId, contactId });
  const { html } = (await sendDue(app)).find(({ recipient }) => recipient === email)!;
  const link = (path: string) => new URL(new RegExp(`href="([^"]+/e/${path}/[^"]+)"`).exec(html)![1]!).pathname;
  const hash = await creatorHashes(app.db.engine, app.deps, creatorId, at);
  return {
    contactId,
    confirm: link('confirm'),
    tripwire: link('more'),
    notMe: link('not-me'),
    unsubscribe: `/e/unsubscribe/${tokenOfContact(hash, { creatorId, contactId }, 'unsubscribe')}`,
  };
}

export function queueSave(app: TestApp, { creatorId, contactId }: { creatorId: string; contactId: string }) {
  return app.db.withCreator(creatorId, (trx) =>
    queueReaderMail(trx, app.deps, {
      ...{ creatorId, contactId, kind: 'save', submissionId: null },
      about: { url: 'https://anna.example/bread', title: 'Bread', pictureUrl: null, recipe: null },
      newsletterQuestion: { wording: 'Yes, Anna may send me new recipes.' },
    }),
  );
}

/** @returns the mails that went out */
export async function sendDue(app: TestApp): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = [];
  const readerTransport = { deliver: async (mail: OutgoingMail) => void sent.push(mail) };
  const deps = { ...app.deps, config: { ...app.deps.config, trying: true }, readerTransport };
  await findDueReaderMails.run(deps);
  while ((await runDue([sendToDomain], deps)) > 0);
  return sent;
}
