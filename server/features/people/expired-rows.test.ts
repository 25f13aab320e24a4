import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgotPassword, getMe } from '#contract/session.ts';
import { revokeInvite, sendInvite } from '#contract/team.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { sendMail } from '#server/platforms/email/send-mail.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { removeExpired } from './expired-rows.ts';

const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('removes what ran out and keeps what is in use', async () => {
  const ada = await app.signUpAndIn();
  await app.visitor().call(forgotPassword, { body: { email: ada.email } });
  const transport = createMailTransport({ smtpUrl: null, from: 'hq@example.test' });
  await runDue([sendMail], { ...app.deps, transport });
  const before = await counts();
  await removeExpired(app.db, app.clock.now());
  expect(await counts()).toEqual(before);
  expect(before).toMatchObject({ sessions: 1, emailed_links: 1, mails: 2 });

  await removeExpired(app.db, new Date(app.clock.now().getTime() + 2 * DAY_MS));
  expect(await counts()).toEqual({ sessions: 1, emailed_links: 0, tries: 0, mails: 2 });
  expect((await ada.call(getMe)).status).toBe(200);

  await removeExpired(app.db, new Date(app.clock.now().getTime() + 31 * DAY_MS));
  expect(await counts()).toEqual({ sessions: 0, emailed_links: 0, tries: 0, mails: 0 });
});

test('forgets invites a month after they ended', async () => {
  const ada = await app.signUpAndIn();
  const creatorId = (await ada.createCreator()).id;
  const invite = async (email: string): Promise<string> => {
    const body = { email, role: 'collaborator' as const };
    return (await ada.call(sendInvite, { params: { creatorId }, body })).body.inviteId;
  };
  const left = () => app.db.engine.selectFrom('invites').select('email').orderBy('email').execute();
  await invite('never.answered@example.test');
  const inviteId = await invite('taken.back@example.test');
  await ada.call(revokeInvite, { params: { creatorId, inviteId } });
  const afterDays = (days: number) => removeExpired(app.db, new Date(app.clock.now().getTime() + days * DAY_MS));
  await afterDays(29);
  expect(await left()).toHaveLength(2);
  await afterDays(31);
  expect(await left()).toEqual([{ email: 'never.answered@example.test' }]);
  await afterDays(37);
  expect(await left()).toEqual([]);
});

async function counts() {
  const count = async (table: 'sessions' | 'emailed_links' | 'tries' | 'mails') => {
    const { n } = await app.db.engine
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return n;
  };
  return {
    sessions: await count('sessions'),
    emailed_links: await count('emailed_links'),
    tries: await count('tries'),
    mails: await count('mails'),
  };
}
