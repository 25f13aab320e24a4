/** A creator who may send newsletters, their readers, and a mail server that takes what goes out, for tests. */
import PostalMime from 'postal-mime';
import { addSendingDomain, changeSender } from '#contract/sending.ts';
import type { TestDatabase } from '#server/db/testing/test-database.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import { findDueReaderMails, sendToDomain } from '#server/features/reader-mails/send-reader-mails.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { startMailServer } from '#simulators/mail/mail-server.ts';
import { findBroadcastsAtWork, sendBroadcasts } from '../at-work.ts';

export async function startKitchen(db?: TestDatabase, more: Partial<AppDeps> = {}) {
  const server = await startMailServer();
  const app = await createTestApp({ settings: { SMTP_URL: server.url }, ...(db && { db }), deps: more });
  const transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <mail@hq.example.test>' });
  const deps = { ...app.deps, readerTransport: transport };

  /** What the worker does within a few seconds, but no mail. */
  const work = async () => {
    await findBroadcastsAtWork.run(deps);
    while ((await runDue([sendBroadcasts], deps)) > 0);
  };
  const deliver = async () => {
    await findDueReaderMails.run(deps);
    while ((await runDue([sendToDomain], deps)) > 0);
  };
  return {
    app,
    server,
    work,
    deliver,
    /** @returns the mails that arrived since it was asked last, by their recipients */
    async inbox() {
      const arrived = server.received.splice(0);
      const mails = await Promise.all(
        arrived.map(async ({ to, raw }) => ({ ...(await PostalMime.parse(Buffer.from(raw, 'latin1'))), to })),
      );
      return mails.sort((one, other) => one.to.localeCompare(other.to));
    },
    async close() {
      transport.close();
      await app.close();
      await server.close();
    },
  };
}
export type Kitchen = Awaited<ReturnType<typeof startKitchen>>;

/** A creator with a sender and a domain; whether that is verified yet is a test's choice. */
export async function openKitchen(app: TestApp, owner: Person, state: 'verified' | 'waiting' = 'verified') {
  const { id: creatorId } = await owner.createCreator();
  const postalAddress = '1 Kitchen Lane, Springfield';
  const sender = { name: 'Anna’s Kitchen', address: 'anna@anna.example', replyTo: '', postalAddress };
  await owner.call(changeSender, { params: { creatorId }, body: sender });
  await owner.call(addSendingDomain, { params: { creatorId }, body: { domain: 'anna.example' } });
  await setDomain(app, creatorId, state);
  return creatorId;
}

/** @param change.verified_at absent: it is not new to mail services */
export function setDomain(
  app: TestApp,
  creatorId: string,
  state: 'verified' | 'waiting' | 'shaky',
  change: { verified_at?: Date } = {},
) {
  return app.db.engine
    .updateTable('sending_domains')
    .set({ state, ...change })
    .where('creator_id', '=', creatorId)
    .execute();
}

/** @param acts what they did, in order. @returns the contact's id */
export function addReader(app: TestApp, creatorId: string, email: string, acts: NewsletterAct[] = ['ticks', 'taps']) {
  return app.db.withCreator(creatorId, async (trx) => {
    const at = app.clock.now();
    const facts = { creatorId, email, name: 'Ada Lovelace', language: 'en', source: 'blog', at } as const;
    const { id: contactId } = await findOrMakeContact(trx, app.deps, facts);
    for (const act of acts) await applyNewsletterAct(trx, app.deps, { creatorId, contactId, act, at, how: null });
    return contactId;
  });
}
