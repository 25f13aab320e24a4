import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeNotifications, getNotifications } from '#contract/settings.ts';
import { systemIds } from '#server/clock.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { noticeJobs } from './jobs.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { BASE_URL: 'https://hq.example.com' } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});

async function joinedBy(role: 'owner' | 'collaborator'): Promise<Person> {
  const person = await app.signUpAndIn();
  const id = systemIds.uuid(new Date());
  const row = { creator_id: creatorId, id, user_id: person.id, role, created_at: app.clock.now() };
  await app.db.engine.insertInto('memberships').values(row).execute();
  return person;
}

const mailsTo = async (person: Person, kind: string) =>
  (await app.mails(person.email)).filter((mail) => mail.kind === kind);
const runJob = (name: string, now = app.clock.now()) =>
  noticeJobs.find((job) => job.name === name)!.run({ ...app.deps, clock: createTestClock(now) });
const choose = (person: Person, choices: object) =>
  person.call(changeNotifications, {
    params: { creatorId },
    body: {
      connectionTrouble: true,
      invites: true,
      weeklyFigures: true,
      brokenLinks: true,
      newAccess: true,
      ...choices,
    },
  });

describe('a mail about an account in trouble', () => {
  const look = () => runJob('mail-connection-troubles');
  const subjects = async (person = anna) =>
    (await mailsTo(person, 'connection_trouble')).map(({ subject }) => subject.replace(/kitchen\.\d+/, 'NAME'));

  async function change(id: string, change: object) {
    await app.db.engine.updateTable('connections').set(change).where('id', '=', id).execute();
  }

  test('is not sent while all is well, nor for an account that is disconnected or going', async () => {
    await insertConnection(app.db, creatorId);
    await insertConnection(app.db, creatorId, { disconnected_at: new Date(), requires_auth_at: new Date() });
    await look();
    expect(await subjects()).toEqual([]);
    await insertConnection(app.db, creatorId, { requires_auth_at: new Date() });
    const delete_at = new Date(app.clock.now().getTime() + DAY_MS);
    await app.db.engine.updateTable('creators').set({ delete_at }).where('id', '=', creatorId).execute();
    await look();
    expect(await subjects()).toEqual([]);
  });

  test('goes once to everybody who wants it, and again only after it was well', async () => {
    const [bert, cleo] = [await joinedBy('collaborator'), await joinedBy('owner')];
    await choose(cleo, { connectionTrouble: false });
    const broken = { requires_auth_at: new Date(), requires_auth_reason: 'password_changed' };
    const id = await insertConnection(app.db, creatorId, broken);
    await Promise.all([look(), look()]);
    await look();
    const subject = 'Messages from NAME stopped: please reconnect';
    expect(await subjects()).toEqual([subject]);
    expect(await subjects(bert)).toEqual([subject]);
    expect(await subjects(cleo)).toEqual([]);
    const [mail] = await mailsTo(anna, 'connection_trouble');
    expect(mail!.text).toContain('The password was changed');
    expect(mail!.text).toContain('https://hq.example.com/creator-hq/settings');

    await change(id, { requires_auth_at: null });
    await look();
    expect(await subjects()).toEqual([subject]);
    await change(id, broken);
    await look();
    expect(await subjects()).toEqual([subject, subject]);
  });

  test('goes to the people of a Page that Meta blocks, with its reason, also where the sign-in is gone', async () => {
    const policy_reason = 'Spam rules.';
    await insertConnection(app.db, creatorId, { policy_blocked: true, policy_reason, requires_auth_at: new Date() });
    await look();
    await look();
    const mails = await mailsTo(anna, 'connection_trouble');
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('Facebook blocked this Page from sending messages');
    expect(mails[0]!.text).toContain('Facebook says: Spam rules.');
    // A sign-in that is gone stands first: nothing can be asked for without it.
    expect(mails[0]!.subject).toMatch(/stopped: please reconnect$/);
  });

  test('tells of missing permissions and webhooks together, and of one that joins them later', async () => {
    const id = await insertConnection(app.db, creatorId, { missing_permissions: ['instagram_manage_comments'] });
    await look();
    await change(id, { missing_webhooks: ['comments'] });
    await look();
    const mails = await mailsTo(anna, 'connection_trouble');
    expect(await subjects()).toEqual(['NAME needs your attention', 'NAME needs your attention']);
    expect(mails[0]!.text).toContain('leave every box checked');
    expect(mails[1]!.text).not.toContain('leave every box checked');
    expect(mails[1]!.text).toContain('Instagram isn’t sending us');
  });

  test('warns when the sign-in ends within seven days and nothing else speaks for the account', async () => {
    const token = async (accountId: string, days: number | null, invalid_at: Date | null = null) => {
      const now = app.clock.now();
      const expires_at = days === null ? null : new Date(now.getTime() + days * DAY_MS);
      const [kind, subject_id] =
        days === null
          ? (['FACEBOOK_BUSINESS_PAGE', `page of ${accountId}`] as const)
          : (['INSTAGRAM_BUSINESS_USER', accountId] as const);
      await app.db.engine
        .insertInto('tokens')
        .values({
          creator_id: creatorId,
          id: systemIds.uuid(now),
          kind,
          subject_id,
          secret: 'sealed',
          issued_at: now,
          expires_at,
          invalid_at,
        })
        .execute();
    };
    for (const [username, days, withPage] of [
      ['ends-soon', 6, false],
      ['ends-later', 8, false],
      ['has-a-page', 6, true],
    ] as const) {
      const account_id = `account ${username} ${creatorId}`;
      await insertConnection(app.db, creatorId, { username, account_id, page_id: `page of ${account_id}` });
      await token(account_id, days);
      if (withPage) await token(account_id, null);
    }
    await look();
    expect(await subjects()).toEqual(['ends-soon needs your attention']);
    expect((await mailsTo(anna, 'connection_trouble'))[0]!.text).toContain('couldn’t be renewed');
  });
});

describe('weekly figures', () => {
  const MONDAY = new Date('2026-11-23T07:00:00Z');
  const minutes = (count: number) => new Date(MONDAY.getTime() + count * 60_000);
  const run = (at: Date) => runJob('mail-weekly-figures', at);
  const figures = (person = anna) => mailsTo(person, 'weekly_figures');

  async function busyWeek(at = '2026-11-22T23:59:59Z') {
    const connectionId = await insertConnection(app.db, creatorId);
    const received_at = new Date(at);
    const automation_id = '01890000-0000-7000-8000-000000000001';
    const sent = { received_at, outcome: 'replied', reason: 'sent', automation_id } as const;
    await insertInteraction(app.db, creatorId, connectionId, sent);
    await insertInteraction(app.db, creatorId, connectionId, { received_at });
  }

  test('are not sent before Monday, seven o’clock UTC, nor a day late', async () => {
    await busyWeek();
    for (const at of [minutes(-1), minutes(24 * 60), new Date(MONDAY.getTime() + 3 * DAY_MS)]) await run(at);
    expect(await figures()).toEqual([]);
  });

  test.each(['2026-11-15T23:59:59Z', '2026-11-23T00:00:00Z'])(
    'are not sent of a week in which nothing happened, only at %s',
    async (at) => {
      await busyWeek(at);
      await run(MONDAY);
      await run(minutes(5));
      expect(await figures()).toEqual([]);
    },
  );

  test('come at seven o’clock of the creator’s Monday, of the week that is over there', async () => {
    const zoned = { time_zone: 'Pacific/Honolulu' };
    await app.db.engine.updateTable('creators').set(zoned).where('id', '=', creatorId).execute();
    await busyWeek();
    await run(minutes(10 * 60 - 1));
    expect(await figures()).toEqual([]);
    await run(minutes(10 * 60));
    expect((await figures())[0]!.text).toContain(
      'from Monday, November 16 to Sunday, November 22 there were 2 comments',
    );
  });

  test('go once to everybody who wants them, with last week’s numbers', async () => {
    const [bert, cleo] = [await joinedBy('collaborator'), await joinedBy('collaborator')];
    await choose(bert, { weeklyFigures: false });
    await busyWeek();
    await Promise.all([run(MONDAY), run(MONDAY)]);
    await run(minutes(5));
    expect(await figures(bert)).toEqual([]);
    expect(await figures(cleo)).toHaveLength(1);
    const [mail, ...more] = await figures();
    expect(more).toEqual([]);
    expect(mail!.text).toContain('from Monday, November 16 to Sunday, November 22 there were 2 comments; 1 matched');
    expect(mail!.text).toContain('1 message sent, 0 opened, 0 link clicks.');
    await run(new Date(MONDAY.getTime() + 7 * DAY_MS));
    expect(await figures()).toHaveLength(1);
  });

  describe('are unsubscribed from without logging in', () => {
    const url = (whose: { creatorId: string; userId: string }) =>
      `/api/v1/notices/unsubscribe/${unsubscribeToken(app.deps.keys.secretKey, whose)}`;
    const chosen = async () => (await anna.call(getNotifications, { params: { creatorId } })).body;
    const still = { connectionTrouble: true, invites: true, weeklyFigures: true, brokenLinks: true, newAccess: true };

    test('but not by a link that we did not make', async () => {
      const good = url({ creatorId, userId: anna.id });
      const stranger = await app.signUpAndIn();
      for (const bad of [
        `${good.slice(0, -4)}AAAA`,
        good.slice(0, -1),
        '/api/v1/notices/unsubscribe/x',
        good.replace('unsubscribe/', 'unsubscribe/A'),
        url({ creatorId, userId: stranger.id }),
      ]) {
        for (const method of ['GET', 'POST']) {
          const answer = await app.visitor().send({ method, url: bad });
          expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('This link doesn’t work')]);
        }
      }
      expect(await chosen()).toEqual(still);
    });

    test('by the header of the mail: opening it only asks, posting does it, twice too', async () => {
      await busyWeek();
      await run(MONDAY);
      const { unsubscribe_url } = await app.db.engine
        .selectFrom('mails')
        .select('unsubscribe_url')
        .where('recipient', '=', anna.email)
        .where('kind', '=', 'weekly_figures')
        .executeTakeFirstOrThrow();
      expect((await figures())[0]!.text).toContain(unsubscribe_url);
      expect((await figures())[0]!.html).toContain(unsubscribe_url);
      expect(unsubscribe_url).toBe(`https://hq.example.com${url({ creatorId, userId: anna.id })}`);

      const path = new URL(unsubscribe_url!).pathname;
      const program = app.visitor();
      const asked = await program.send({ method: 'GET', url: path });
      expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('<form method="post">')]);
      expect(await chosen()).toEqual(still);
      for (const [type, body] of [
        ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
        [
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
        ],
      ] as const) {
        const headers = { 'content-type': type, origin: 'https://mail.example.org', 'sec-fetch-site': 'cross-site' };
        const done = await program.send({ method: 'POST', url: path, body, headers });
        expect([done.status, done.text]).toEqual([200, expect.stringContaining('won’t get the weekly summary')]);
        expect(await chosen()).toEqual({ ...still, weeklyFigures: false });
      }
    });
  });
});
