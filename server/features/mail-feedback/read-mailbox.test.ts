/** Reports in the mailbox of a real IMAP server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askReader } from '#server/features/reader-mails/testing/asked-reader.ts';
import { mailMarksOf } from '#server/platforms/email/bounces/mail-marks.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readBounceMailbox } from './read-mailbox.ts';
import { type Dovecot, ensureDovecot, startDovecot } from './testing/dovecot.ts';

const FIXTURES = path.join(import.meta.dirname, '../../platforms/email/bounces/fixtures');
const hasDovecot = ensureDovecot();
if (!hasDovecot) console.warn('No Dovecot here (apt-get install dovecot-imapd, as root): the mailbox is not tried.');

describe.skipIf(!hasDovecot)('the bounce mailbox', () => {
  let dovecot: Dovecot;
  let app: TestApp;
  let creatorId: string;
  beforeAll(async () => {
    dovecot = await startDovecot();
    app = await createTestApp({
      settings: { BOUNCE_ADDRESS: 'bounce@hq.example.com', BOUNCE_IMAP_URL: dovecot.url },
    });
    creatorId = (await (await app.signUpAndIn()).createCreator()).id;
  }, 180_000);
  afterAll(async () => {
    await app?.close();
    await dovecot?.close();
  });

  async function sent() {
    const { contactId } = await askReader(app, creatorId);
    const { id } = await app.db.engine
      .selectFrom('reader_mails')
      .select('id')
      .where('contact_id', '=', contactId)
      .executeTakeFirstOrThrow();
    const marks = mailMarksOf(app.deps.config, app.deps.keys);
    const report = (name: string) =>
      readFileSync(path.join(FIXTURES, `${name}.eml`), 'utf8')
        .replaceAll('{VERP}', marks.returnPath(id)!)
        .replaceAll('{ID}', id)
        .replaceAll('{MARK}', marks.headers(id)['X-Creator-HQ-Mail'] as string)
        .replaceAll('{FORGED}', `${id.replaceAll('-', '')}0123456789abcdef`);
    const fate = async () => {
      const { state } = await app.db.engine
        .selectFrom('reader_mails')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { newsletter } = await app.db.engine
        .selectFrom('contacts')
        .select('newsletter')
        .where('id', '=', contactId)
        .executeTakeFirstOrThrow();
      return { state, newsletter };
    };
    return { report, fate };
  }

  test('a report suppresses its contact, a note of absence changes nothing, and what is for people stays', async () => {
    const [gone, away, forged] = [await sent(), await sent(), await sent()];
    const person = forged.report('a-person-answers');
    await dovecot.deliver(gone.report('postfix-unknown-user'));
    await dovecot.deliver(away.report('out-of-office-exchange'));
    await dovecot.deliver(forged.report('forged'));
    await dovecot.deliver(person);

    await readBounceMailbox.run(app.deps);
    expect(await gone.fate()).toEqual({ state: 'bounced', newsletter: 'bounced' });
    expect(await away.fate()).toEqual({ state: 'accepted', newsletter: 'unconfirmed' });
    expect(await forged.fate()).toEqual({ state: 'accepted', newsletter: 'unconfirmed' });
    expect(await dovecot.mailsIn('')).toEqual([]);
    expect((await dovecot.mailsIn('Creator HQ/Read')).length).toBe(2);
    const kept = await dovecot.mailsIn('Creator HQ/Not understood');
    expect(kept.sort()).toEqual([forged.report('forged'), person].sort());

    // Forty days later the readers' addresses are gone, and what nobody understood is still there.
    await app.clock.advance(40 * 24 * 3_600_000);
    await readBounceMailbox.run(app.deps);
    expect(await dovecot.mailsIn('Creator HQ/Read')).toEqual([]);
    expect((await dovecot.mailsIn('Creator HQ/Not understood')).length).toBe(2);
  });

  test('a wrong password fails the job and touches nothing', async () => {
    const { fate, report } = await sent();
    await dovecot.deliver(report('postfix-unknown-user'));
    const config = {
      ...app.deps.config,
      bounces: { ...app.deps.config.bounces, imapUrl: dovecot.url.replace('p%40ss', 'wrong') },
    };
    await expect(readBounceMailbox.run({ ...app.deps, config })).rejects.toThrow();
    expect((await fate()).state).toBe('accepted');
    expect((await dovecot.mailsIn('')).length).toBe(1);
    await readBounceMailbox.run(app.deps);
    expect((await fate()).state).toBe('bounced');
  });
});
