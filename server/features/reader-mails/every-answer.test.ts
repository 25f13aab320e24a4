/**
 * What becomes of a mail to a reader, by what the mail server answers and what state the mail is in. ANSWERS says what an answer is
 * about, RULES what follows from that, STATES what each state makes of it; all by the design of sending, none read off the code.
 */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import { findLiveDesign } from '#server/features/email-templates/live-templates.ts';
import { type Kitchen, openKitchen, setDomain, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createMailTransport, type MailTransport } from '#server/platforms/email/transport.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import type { Answer } from '#simulators/mail/mail-server.ts';
import { queueReaderMail } from './queue-mail.ts';
import { findDueReaderMails, sendToDomain } from './send-reader-mails.ts';

const HOUR_S = 3600;
const HOUR_MS = HOUR_S * 1000;

type About = 'taken' | 'dead' | 'full' | 'refused' | 'host' | 'mailbox' | 'line' | 'login';
/** `waitS`: so long the domain gets nothing after a first failure. */
const RULES: Record<About, { ends: string; waitS?: number; isSuppressed?: true; says: string | null }> = {
  taken: { ends: 'accepted', says: null },
  dead: { ends: 'bounced', isSuppressed: true, says: 'This address doesn’t exist: ' },
  full: { ends: 'bounced', says: 'Their mailbox couldn’t take it, perhaps because it’s full: ' },
  refused: { ends: 'bounced', says: 'The recipient’s mail server refused this email: ' },
  host: { ends: 'waiting', waitS: 60, says: 'Not taken yet, we’ll try again: ' },
  mailbox: { ends: 'waiting', waitS: 0, says: 'Not taken yet, we’ll try again: ' },
  line: { ends: 'waiting', waitS: 5, says: 'Not taken yet, we’ll try again: ' },
  login: {
    ends: 'waiting',
    waitS: 5,
    says: 'Emails can’t leave this server at the moment. None is lost, and we’ll try again: ',
  },
};

/** How the mail server is spoken to. */
type Line = 'plain' | 'known' | 'unknown' | 'not logged in' | 'stranger' | 'tls' | 'impatient';
const ANSWERS: [string, Answer, About, Line?][] = [
  ['250 taken', 'accept', 'taken'],
  ['250 with a login', 'accept', 'taken', 'known'],
  ...refusals(
    'host',
    '421 4.7.0 too many connections',
    '450 greylisted',
    '450 4.7.1 greylisted',
    '451 4.3.0 try again later',
  ),
  ...refusals('host', '451 4.7.500 server busy', '452 4.3.1 out of storage', '454 4.7.1 no relaying for now'),
  ...refusals('host', '554 5.7.1 relaying denied', '550 5.7.26 not authenticated', '550 5.1.8 bad sender domain'),
  ...refusals('host', '554 blocked using a blocklist'),
  ...refusals('mailbox', '450 4.2.0 mailbox busy', '452 4.2.2 over quota for today'),
  ...refusals(
    'refused',
    '500 what?',
    '501 syntax error in parameters',
    '521 5.3.2 host takes no mail',
    '553 not allowed',
  ),
  ...refusals('refused', '552 5.3.4 message too big', '550 no', '554 5.6.0 malformed'),
  ...refusals('full', '552 5.2.2 mailbox full', '552 exceeded storage allocation'),
  ...refusals(
    'dead',
    '550 5.1.1 no such person',
    '550 5.1.10 null MX',
    '556 domain takes no mail',
    '550 5.2.1 disabled',
  ),
  ...refusals('dead', '550 user unknown', '501 5.1.3 bad address', '553 5.1.2 no such domain'),
  ['550 5.1.1 after the mail', { code: 550, message: '5.1.1 nobody', to: 'DATA' }, 'dead'],
  ['451 after the mail', { code: 451, message: '4.3.0 later', to: 'DATA' }, 'host'],
  ['554 5.7.1 after the mail', { code: 554, message: '5.7.1 looks like spam', to: 'DATA' }, 'host'],
  ['550 to our return path', { code: 550, message: '5.1.8 who are you', to: 'MAIL FROM' }, 'line', 'stranger'],
  ['530 login wanted', { code: 530, message: '5.7.0 log in first', to: 'MAIL FROM' }, 'login', 'not logged in'],
  ['535 login refused', { code: 535, message: '5.7.8 wrong password', to: 'AUTH' }, 'login', 'unknown'],
  ['TLS refused', 'accept', 'line', 'tls'],
  ['cut before the mail', 'hang up', 'line'],
  ['cut after the mail', 'accept and hang up', 'line'],
  ['silence', 'silence', 'line', 'impatient'],
  ['silence after the mail', 'accept in silence', 'line', 'impatient'],
];

function refusals(about: About, ...answers: string[]) {
  return answers.map((text): [string, Answer, About] => {
    return [text, { code: Number(text.slice(0, 3)), message: text.slice(4) }, about];
  });
}

type Kind = 'save' | 'confirmation' | 'broadcast';
type Mail = { id: string; contactId: string; domain: string; broadcastId: string };
type Fate = { state: string; says: string | null; hostWaitsS?: number };
type State = {
  kind: Kind;
  before?: (mail: Mail) => Promise<unknown>;
  /** While the mail server has it. */
  during?: (mail: Mail) => Promise<unknown>;
  /** Which try it is; absent: the first. */
  tries?: number;
  isAsked?: false;
  /** Instead of what the answer makes of it; null: as that. */
  fate?: (about: About) => Fate | null;
  /** What became of the contact meanwhile, whatever the answer. */
  newsletter?: string;
};

const isOver = (about: About): Fate | null =>
  RULES[about].ends === 'waiting' && about !== 'login'
    ? { state: 'expired', says: 'It couldn’t be sent for too long, so we gave up: ' }
    : null;
const never = (state: string, says: string | null) => () => ({ state, says });
const STATES: Record<string, State> = {
  'a save, the first time': { kind: 'save' },
  'a save, a later time': { kind: 'save', before: (mail) => set(mail, { attempts: 3 }), tries: 4 },
  'a save, just before 24 hours': { kind: 'save', before: (mail) => age(mail, 24 * HOUR_MS - 1) },
  'a save, after 24 hours': { kind: 'save', before: (mail) => age(mail, 24 * HOUR_MS), fate: isOver },
  'a confirmation, after 24 hours': { kind: 'confirmation', before: (mail) => age(mail, 24 * HOUR_MS) },
  'a confirmation, after 48 hours': { kind: 'confirmation', before: (mail) => age(mail, 48 * HOUR_MS), fate: isOver },
  'a newsletter, the first time': { kind: 'broadcast' },
  'a newsletter, after 48 hours of tries': {
    kind: 'broadcast',
    before: (mail) => set(mail, { attempts: 54 }),
    tries: 55,
    fate: isOver,
  },
  'a newsletter, canceled meanwhile': {
    ...{ kind: 'broadcast', before: (mail) => turn(mail, 'cancelled'), isAsked: false },
    fate: never('cancelled', 'You canceled this newsletter.'),
  },
  'a newsletter, canceled during the try': {
    ...{ kind: 'broadcast', during: (mail) => turn(mail, 'cancelled') },
    fate: (about) => (RULES[about].ends === 'waiting' ? never('cancelled', 'You canceled this newsletter.')() : null),
  },
  'a newsletter, held': {
    ...{ kind: 'broadcast', before: (mail) => turn(mail, 'paused'), isAsked: false },
    fate: never('held', 'This newsletter is paused.'),
  },
  'a newsletter, unsubscribed meanwhile': {
    ...{ kind: 'broadcast', before: (mail) => act(mail, 'unsubscribes'), isAsked: false, newsletter: 'unsubscribed' },
    fate: never('suppressed', 'They left your newsletter before it was sent.'),
  },
  'a save, unsubscribed meanwhile': {
    ...{ kind: 'save', before: (mail) => act(mail, 'ticks', 'taps', 'unsubscribes'), newsletter: 'unsubscribed' },
  },
  'a confirmation, answered meanwhile': {
    ...{ kind: 'confirmation', before: (mail) => act(mail, 'taps'), isAsked: false, newsletter: 'confirmed' },
    fate: never('cancelled', 'They had answered before it was sent.'),
  },
  'a save, suppressed meanwhile': {
    ...{ kind: 'save', before: (mail) => act(mail, 'complains'), isAsked: false, newsletter: 'complained' },
    fate: never('suppressed', 'They marked an email from you as spam.'),
  },
  'a save, suppressed during the try': {
    kind: 'save',
    during: (mail) => act(mail, 'complains'),
    newsletter: 'complained',
  },
  'a save, erased meanwhile': { kind: 'save', before: erase, isAsked: false, fate: never('gone', null) },
  'a save, erased during the try': { kind: 'save', during: erase, fate: never('gone', null) },
  'a save, to a domain that is slowed': {
    kind: 'save',
    before: slow,
    isAsked: false,
    fate: () => ({ state: 'waiting', says: null, hostWaitsS: 60 }),
  },
};

let kitchen: Kitchen;
let app: TestApp;
let creatorId: string;
let lines: Record<Line, MailTransport>;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  const { url } = kitchen.server;
  const from = 'Creator HQ <mail@hq.example.test>';
  const line = (more: object) => createMailTransport({ smtpUrl: url, from, ...more });
  lines = {
    plain: line({}),
    known: line({ smtpUrl: url.replace('//', '//known:secret@') }),
    unknown: line({ smtpUrl: url.replace('//', '//unknown:secret@') }),
    'not logged in': line({ from: 'nobody@hq.example.test' }),
    stranger: line({ from: 'stranger@hq.example.test' }),
    tls: line({ smtpUrl: `${url}?requireTLS=true` }),
    impatient: line({ silenceMs: 250 }),
  };
  creatorId = await openKitchen(app, await app.signUpAndIn());
});
afterEach(async () => {
  kitchen.server.answer(() => 'accept');
  kitchen.server.received.length = 0;
  for (const table of ['jobs', 'reader_mails', 'broadcasts'] as const) await app.db.engine.deleteFrom(table).execute();
});
afterAll(async () => {
  for (const line of Object.values(lines ?? {})) line.close();
  await kitchen?.close();
});

const WHO: Partial<Record<Line, string>> = {
  ...{ unknown: 'unknown', 'not logged in': 'nobody@hq.example.test', stranger: 'stranger@hq.example.test' },
};

test.each(Object.entries(STATES))(
  '%s',
  async (_, { kind, before, during, tries = 1, isAsked = true, fate, newsletter }) => {
    const cells = await Promise.all(
      ANSWERS.map(async ([name, answer, about, line = 'plain']) => {
        const mail = await queue(kind);
        await before?.(mail);
        return { name, answer, about, line, mail, wanted: newsletter ?? (await contactOf(mail))?.newsletter ?? 'gone' };
      }),
    );
    const cellTo = (address: string) => cells.find(({ mail }) => address.endsWith(`@${mail.domain}`))!;
    kitchen.server.answer((whom) => (cells.find(({ line }) => WHO[line] === whom) ?? cellTo(whom))?.answer ?? 'accept');
    const asked = new Set<string>();
    await deliver({
      async deliver(sends) {
        const { name, line, mail } = cellTo(sends.recipient);
        asked.add(name);
        await during?.(mail);
        return lines[line].deliver(sends);
      },
    });
    await kitchen.work();

    const now = app.clock.now().getTime();
    const seconds = (at: Date | undefined) => (at === undefined ? 0 : (at.getTime() - now) / 1000);
    const found = cells.map(async ({ name, about, mail }) => {
      const row = await rowOf(mail);
      const hostWaitsS = seconds((await jobOf(mail))?.due_at);
      const isWaiting = row?.state === 'waiting';
      return [
        name,
        {
          state: row?.state ?? 'gone',
          isAsked: asked.has(name),
          nextTryS: isWaiting ? Math.max(hostWaitsS, seconds(row.due_at)) : null,
          hostWaitsS,
          newsletter: (await contactOf(mail))?.newsletter ?? 'gone',
          says: row?.last_failure?.slice(0, (fate?.(about) ?? RULES[about]).says?.length) ?? null,
        },
      ];
    });
    const expected = cells.map(({ name, about, wanted }) => {
      const { ends, waitS = 0, isSuppressed, says } = RULES[about];
      const own = fate?.(about) ?? { state: ends, says };
      const hostWaitsS = isAsked ? waitS : (own.hostWaitsS ?? 0);
      return [
        name,
        {
          state: own.state,
          isAsked,
          nextTryS:
            own.state === 'waiting' ? Math.max(hostWaitsS, isAsked ? Math.min(5 * 3 ** (tries - 1), HOUR_S) : 0) : null,
          hostWaitsS,
          newsletter:
            own.state === 'gone' ? 'gone' : isAsked && isSuppressed && newsletter === undefined ? 'bounced' : wanted,
          says: own.says,
        },
      ];
    });
    expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(expected));
  },
);

test('a full mailbox is suppressed after five in two weeks without one that was taken', async () => {
  const first = await queue('save');
  const round = async (answer: Answer) => {
    kitchen.server.answer(() => answer);
    await app.clock.advance(24 * HOUR_MS);
    await app.db.withCreator(creatorId, (trx) => queueReaderMail(trx, app.deps, saveTo(first.contactId)));
    await deliver(lines.plain);
  };
  const full = { code: 552, message: '5.2.2 mailbox full' };
  await deliver(lines.plain);
  for (const answer of [full, full, full, full, 'accept', full, full, full, full] as const) await round(answer);
  expect((await contactOf(first))!.newsletter).not.toBe('bounced');
  await round(full);
  expect((await contactOf(first))!.newsletter).toBe('bounced');
});

test('a domain that wants less waits a minute, then two, up to an hour, and then goes on as before', async () => {
  const mail = await queue('save');
  kitchen.server.answer(() => ({ code: 421, message: '4.7.0 slow down' }));
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    await deliver(lines.plain);
    const waitMs = (await jobOf(mail))!.due_at.getTime() - app.clock.now().getTime();
    waits.push(waitMs / 60_000);
    await set(mail, { due_at: app.clock.now() });
    await app.clock.advance(waitMs);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  kitchen.server.answer(() => 'accept');
  await deliver(lines.plain);
  expect([await jobOf(mail), (await rowOf(mail))!.state]).toEqual([undefined, 'accepted']);
});

test('a newsletter’s email that meets a shaky domain waits, and goes on once that is verified', async () => {
  const mail = await queue('broadcast');
  await setDomain(app, creatorId, 'shaky');
  await deliver(lines.plain);
  expect(await rowOf(mail)).toMatchObject({ state: 'waiting', last_failure: 'It waits for a verified domain.' });
  await setDomain(app, creatorId, 'verified');
  await app.clock.advance(HOUR_MS);
  await deliver(lines.plain);
  expect(await rowOf(mail)).toMatchObject({ state: 'accepted', finished_at: app.clock.now() });
});

async function deliver(readerTransport: Pick<MailTransport, 'deliver'>): Promise<void> {
  const deps = { ...app.deps, log: { ...app.deps.log, warn() {}, error() {} }, readerTransport };
  await findDueReaderMails.run(deps);
  while ((await runDue([sendToDomain], deps)) > 0);
}

const ACTS: Record<Kind, NewsletterAct[]> = { save: [], confirmation: ['ticks'], broadcast: ['ticks', 'taps'] };
const bread = { url: 'https://anna.example/bread', title: 'Bread', pictureUrl: null, recipe: null };
const saveTo = (contactId: string) => ({
  ...({ creatorId, kind: 'save', contactId, about: bread, newsletterQuestion: null, submissionId: null } as const),
});

/** To a domain of its own. */
async function queue(kind: Kind): Promise<Mail> {
  const now = app.clock.now();
  const [broadcastId, domain] = [app.deps.ids.uuid(now), `${app.deps.ids.code(12).toLowerCase()}.test`];
  return app.db.withCreator(creatorId, async (trx) => {
    const facts = { creatorId, email: `ada@${domain}`, name: null, language: 'en', source: 'blog', at: now } as const;
    const { id: contactId } = await findOrMakeContact(trx, app.deps, facts);
    for (const one of ACTS[kind])
      await applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: one, at: now, how: null });
    if (kind !== 'broadcast') {
      const asks = kind === 'save' ? {} : { kind, about: null, newsletterQuestion: { wording: 'Yes.' } };
      const { mailId } = await queueReaderMail(trx, app.deps, { ...saveTo(contactId), ...asks });
      return { id: mailId, contactId, domain, broadcastId };
    }
    const design = JSON.stringify(await findLiveDesign(trx, creatorId, 'broadcast'));
    await trx
      .insertInto('broadcasts')
      .values({
        ...{ creator_id: creatorId, id: broadcastId, kind, design, state: 'sending', send_at: now, gathered_at: now },
        ...{ changed_by: 'Anna', changed_at: now },
      })
      .execute();
    const id = app.deps.ids.uuid(now);
    await trx
      .insertInto('reader_mails')
      .values({
        ...{ creator_id: creatorId, id, contact_id: contactId, kind, part_of: broadcastId, lane: 2 },
        ...{ recipient_domain: domain, created_at: now, due_at: now },
      })
      .execute();
    return { id, contactId, domain, broadcastId };
  });
}

function set({ id }: Mail, to: { attempts?: number; created_at?: Date; due_at?: Date }) {
  return app.db.engine.updateTable('reader_mails').set(to).where('id', '=', id).execute();
}
const age = (mail: Mail, ms: number) => set(mail, { created_at: new Date(app.clock.now().getTime() - ms) });
function turn({ broadcastId }: Mail, state: 'cancelled' | 'paused') {
  const finished_at = state === 'cancelled' ? app.clock.now() : null;
  return app.db.engine.updateTable('broadcasts').set({ state, finished_at }).where('id', '=', broadcastId).execute();
}
function act({ contactId }: Mail, ...acts: NewsletterAct[]) {
  const at = app.clock.now();
  return app.db.withCreator(creatorId, async (trx) => {
    for (const one of acts) await applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: one, at, how: null });
  });
}
function erase({ contactId }: Mail) {
  return app.db.engine.deleteFrom('contacts').where('id', '=', contactId).execute();
}
/** By another mail to it, just now. */
function slow({ domain }: Mail) {
  const now = app.clock.now();
  return app.db.engine
    .insertInto('jobs')
    .values({
      ...{ name: sendToDomain.name, payload: JSON.stringify({ domain }), created_at: now },
      ...{ due_at: new Date(now.getTime() + 60_000), failures_in_a_row: 1 },
    })
    .execute();
}

const rowOf = ({ id }: Mail) =>
  app.db.engine.selectFrom('reader_mails').selectAll().where('id', '=', id).executeTakeFirst();
const contactOf = ({ contactId }: Mail) =>
  app.db.engine.selectFrom('contacts').select('newsletter').where('id', '=', contactId).executeTakeFirst();
const jobOf = ({ domain }: Mail) =>
  app.db.engine
    .selectFrom('jobs')
    .selectAll()
    .where('name', '=', sendToDomain.name)
    .where(sql<boolean>`payload ->> 'domain' = ${domain}`)
    .executeTakeFirst();
