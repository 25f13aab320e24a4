/** The welcome series from somebody's yes to its last mail, over SMTP. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as contract from '#contract/welcome-series.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { addReader, type Kitchen, openKitchen, setDomain, startKitchen } from './testing/kitchen.ts';
import { goOnWithWelcomes } from './welcome-series.ts';

/** When all of the series would have come. */
const LATER_MS = 60 * 3_600_000;

let kitchen: Kitchen;
let app: TestApp;
let owner: Person;
let creatorId: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  owner = await app.signUpAndIn();
  // Days pass in each test.
  await sql`update sessions set expires_at = 'infinity'`.execute(app.db.engine);
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('creators').execute();
  creatorId = await openKitchen(app, owner);
  await sql`update creators set time_zone = 'America/New_York' where id = ${creatorId}`.execute(app.db.engine);
});

const read = async (): Promise<contract.WelcomeSeries> =>
  (await owner.call(contract.getWelcomeSeries, { params: { creatorId } })).body;
const turn = (isOn: boolean) => owner.call(contract.switchWelcomeSeries, { params: { creatorId }, body: { isOn } });
const add = async (): Promise<contract.WelcomeMail> =>
  (await owner.call(contract.addWelcomeMail, { params: { creatorId } })).body.mails.at(-1);
function change(
  { id, version, days, hour, design }: contract.WelcomeMail,
  to: { days?: number; hour?: number; subject?: string },
) {
  const { subject = design.subject, ...when } = to;
  const body = { days, hour, ...when, version, design: { ...design, subject } };
  return owner.call(contract.changeWelcomeMail, { params: { creatorId, welcomeMailId: id }, body });
}

/** Three mails: at once, two days later at nine, the day after that at six in the evening. */
async function series() {
  await change(await add(), { subject: 'First' });
  await change(await add(), { subject: 'Second' });
  await change(await add(), { days: 1, hour: 18, subject: 'Third' });
}
async function arrive(passMs = 0): Promise<{ to: string; subject: string }[]> {
  await app.clock.advance(passMs);
  await goOnWithWelcomes.run(app.deps);
  await kitchen.deliver();
  return (await kitchen.inbox()).map(({ to, subject }) => ({ to, subject: subject! }));
}
/** To so many minutes past their next such hour. */
async function until(hour: number): Promise<void> {
  const there = () =>
    Number(
      app.clock.now().toLocaleString('en-US', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' }),
    );
  do await app.clock.advance(3_600_000);
  while (there() !== hour);
}
const act = (contactId: string, act: NewsletterAct) =>
  app.db.withCreator(creatorId, (trx) =>
    applyNewsletterAct(trx, app.deps, { creatorId, contactId, act, at: app.clock.now(), how: null }),
  );
const subjects = (mails: { subject: string }[]) => mails.map(({ subject }) => subject);

test('begins with their yes, goes on after days at the hour of the creator’s day, ends, and comes once in a life', async () => {
  await addReader(app, creatorId, 'earlier@example.test');
  await series();
  expect((await turn(true)).body).toMatchObject({ isOn: true, underWay: 0 });
  const contactId = await addReader(app, creatorId, 'ada@example.test', ['ticks']);
  expect(await arrive()).toEqual([]);
  await until(12);
  await act(contactId, 'taps');
  expect(await arrive()).toEqual([{ to: 'ada@example.test', subject: 'First' }]);
  expect(await read()).toMatchObject({ underWay: 1, done: 0 });
  await until(9);
  expect(await arrive()).toEqual([]);
  await until(8);
  expect(await arrive()).toEqual([]);
  await until(9);
  expect(subjects(await arrive())).toEqual(['Second']);
  await until(18);
  expect(await arrive()).toEqual([]);
  await until(18);
  expect(subjects(await arrive())).toEqual(['Third']);
  expect(await read()).toMatchObject({ underWay: 0, done: 1, stopped: 0 });
  await act(contactId, 'unsubscribes');
  await act(contactId, 'ticks');
  await act(contactId, 'taps');
  expect(await arrive(LATER_MS)).toEqual([]);
});

test('open screens look again when somebody goes on or ends, and not while everybody waits', async () => {
  await series();
  await turn(true);
  using told = vi.spyOn(app.deps.live, 'publish');
  const count = async () => {
    await arrive();
    return told.mock.calls.splice(0).filter(([who, { what }]) => who === creatorId && what === 'account').length;
  };
  expect(await count()).toBe(0);
  const contactId = await addReader(app, creatorId, 'ada@example.test');
  expect(await count()).toBe(1);
  await app.clock.advance(60_000);
  expect(await count()).toBe(0);
  await act(contactId, 'unsubscribes');
  await app.clock.advance(LATER_MS);
  expect(await count()).toBe(1);
});

test.each(['unsubscribes', 'bounces', 'complains'] as const)(
  'stops when somebody %s, also once a mail is queued',
  async (how) => {
    await series();
    await turn(true);
    const contactId = await addReader(app, creatorId, 'ada@example.test');
    await goOnWithWelcomes.run(app.deps);
    await act(contactId, how);
    expect(await arrive()).toEqual([]);
    expect(await arrive(LATER_MS)).toEqual([]);
    expect(await read()).toMatchObject({ underWay: 0, stopped: 1 });
  },
);

test('an edit reaches those who are not there yet, in words and in time; a mail that is gone is passed over', async () => {
  await series();
  await turn(true);
  await addReader(app, creatorId, 'ada@example.test');
  expect(subjects(await arrive())).toEqual(['First']);
  const [first, second, third] = (await read()).mails;
  await change(first!, { subject: 'Another first' });
  await change(second!, { subject: 'Sooner', days: 0 });
  expect(subjects(await arrive())).toEqual(['Sooner']);
  await owner.call(contract.deleteWelcomeMail, { params: { creatorId, welcomeMailId: third!.id } });
  await change(await add(), { subject: 'Last', days: 0 });
  expect(subjects(await arrive())).toEqual(['Last']);
  await addReader(app, creatorId, 'bob@example.test');
  expect(subjects(await arrive()).toSorted()).toEqual(['Another first', 'Last', 'Sooner']);
});

test('is off when turned off and when a tool writes, and then ends for those in it', async () => {
  await series();
  await turn(true);
  await addReader(app, creatorId, 'ada@example.test');
  expect(subjects(await arrive())).toEqual(['First']);
  await turn(false);
  await addReader(app, creatorId, 'bob@example.test');
  await turn(true);
  expect(await arrive(LATER_MS)).toEqual([]);
  await addReader(app, creatorId, 'cleo@example.test');
  await sql`update newsletter_settings set writer = 'kit' where creator_id = ${creatorId}`.execute(app.db.engine);
  await addReader(app, creatorId, 'dora@example.test');
  expect(await arrive()).toEqual([]);
  expect(await read()).toMatchObject({ underWay: 0, stopped: 2 });
  expect((await turn(true)).body).toMatchObject({
    code: 'not_possible_now',
    detail: 'Kit sends your newsletters now.',
  });
});

test('waits for a verified domain; is not turned on without one, without a mail, or with a broken one; ten mails at most', async () => {
  expect((await turn(true)).body).toMatchObject({ detail: 'Add an email first.' });
  const mail = await add();
  await change(mail, { subject: '{nonsense}' });
  expect((await turn(true)).body.code).toBe('invalid_input');
  expect((await change(mail, { subject: 'Old' })).body.code).toBe('changed_meanwhile');
  await change({ ...mail, version: mail.version + 1 }, { subject: 'First' });
  await setDomain(app, creatorId, 'shaky');
  expect((await turn(true)).body).toMatchObject({ detail: expect.stringContaining('verify the domain') });
  await setDomain(app, creatorId, 'verified');
  expect((await turn(true)).status).toBe(200);
  await setDomain(app, creatorId, 'shaky');
  await addReader(app, creatorId, 'ada@example.test');
  expect(await arrive()).toEqual([]);
  await setDomain(app, creatorId, 'verified');
  expect(subjects(await arrive(3_600_000))).toEqual(['First']);
  for (let more = 0; more < 9; more++) await add();
  const eleventh = await owner.call(contract.addWelcomeMail, { params: { creatorId } });
  expect(eleventh.body.code).toBe('quota_reached');
});
