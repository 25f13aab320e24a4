/** A reader who ticked the newsletter's box, and the links of the mail that asks them, for tests. */
import type { FormDesign } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { creatorHashes } from '#server/features/contacts/creator-secret.ts';
import { create } from '#server/features/forms/forms.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import type { OutgoingMail } from '#server/platforms/email/transport.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { queueReaderMail } from '../queue-mail.ts';
import { tokenOfContact } from '../reader-links.ts';
import { findDueReaderMails, sendToDomain } from '../send-reader-mails.ts';

/** Paths of this program. */
export type AskedReader = { contactId: string; confirm: string; tripwire: string; notMe: string; unsubscribe: string };

/** @param confirm what the form chose that they used; absent: no form is known */
export async function askReader(
  app: TestApp,
  creatorId: string,
  { confirm }: { confirm?: FormDesign['confirm'] } = {},
): Promise<AskedReader> {
  const at = app.clock.now();
  const email = `reader${app.deps.ids.uuid(at)}@example.test`;
  const contactId = await app.db.withCreator(creatorId, async (trx) => {
    const facts = { creatorId, email, name: null, language: 'en', source: 'blog', at } as const;
    const { id } = await findOrMakeContact(trx, app.deps, facts);
    await applyNewsletterAct(trx, app.deps, { creatorId, contactId: id, act: 'ticks', at, how: 'box' });
    return id;
  });
  const submissionId = confirm === undefined ? null : await insertSubmission(app, { creatorId, contactId, confirm });
  await queueSave(app, { creatorId, contactId, submissionId });
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

type Submitter = { creatorId: string; contactId: string; confirm: FormDesign['confirm'] };

function insertSubmission(app: TestApp, { creatorId, contactId, confirm }: Submitter): Promise<string> {
  const at = app.clock.now();
  const [id, attempt] = [app.deps.ids.uuid(at), app.deps.ids.uuid(at)];
  return app.db.withCreator(creatorId, async (trx) => {
    const [made] = MADE_FORMS;
    const form = await create(app.deps, trx, creatorId, { ...made!, design: { ...made!.design, confirm } });
    await trx
      .insertInto('submissions')
      .values({
        ...{ creator_id: creatorId, id, attempt, form_id: form.id, form_version: 1, contact_id: contactId },
        ...{ result: 'please_confirm', is_test: false, wants_newsletter: true, page_url: 'https://anna.example/bread' },
        ...{ submitted_at: at, received_at: at },
      })
      .execute();
    return id;
  });
}

export function queueSave(
  app: TestApp,
  { creatorId, contactId, submissionId = null }: { creatorId: string; contactId: string; submissionId?: string | null },
) {
  return app.db.withCreator(creatorId, (trx) =>
    queueReaderMail(trx, app.deps, {
      ...{ creatorId, contactId, kind: 'save', submissionId },
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
