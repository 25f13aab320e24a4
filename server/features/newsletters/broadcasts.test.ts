/** Newsletters over the API, real PostgreSQL and SMTP, to their readers' inboxes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EmailDesign } from '#contract/email-templates.ts';
import * as contract from '#contract/newsletters.ts';
import { acceptInvite, sendInvite } from '#contract/team.ts';
import { applyNewsletterAct } from '#server/features/contacts/address-contacts.ts';
import { queueSave } from '#server/features/reader-mails/testing/asked-reader.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { sendBroadcasts } from './at-work.ts';
import { MAILS_A_STEP } from './audience.ts';
import { addReader, type Kitchen, openKitchen, setDomain, startKitchen } from './testing/kitchen.ts';

let kitchen: Kitchen;
let app: TestApp;
let owner: Person;
let creatorId: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  owner = await app.signUpAndIn();
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  // Nothing of another test's creators is due any more.
  await app.db.engine.deleteFrom('creators').execute();
  creatorId = await openKitchen(app, owner);
  await kitchen.inbox();
});

const params = (broadcastId: string) => ({ creatorId, broadcastId });
const read = async (broadcastId: string): Promise<contract.Broadcast> =>
  (await owner.call(contract.getBroadcast, { params: params(broadcastId) })).body;

async function draft(change: { subject?: string; segment?: string } = {}): Promise<contract.Broadcast> {
  const { body } = await owner.call(contract.createBroadcast, { params: { creatorId } });
  const design: EmailDesign = { ...body.design, subject: change.subject ?? 'Soup season' };
  const next = { version: body.version, design, segment: change.segment ?? null };
  return (await owner.call(contract.changeBroadcast, { params: params(body.id), body: next })).body;
}
const send = ({ id, version }: contract.Broadcast, sendAt: string | null = null) =>
  owner.call(contract.sendBroadcast, { params: params(id), body: { version, sendAt } });

/** Sent, and its minute over. */
async function begin(broadcast: contract.Broadcast) {
  expect((await send(broadcast)).status).toBe(200);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
}

/** As many readers as given who said yes, without the words in between. */
async function addReaders(count: number, domain = 'readers.example'): Promise<void> {
  await sql`
    insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, confirmed_at, first_seen_at, last_seen_at, source)
    select ${creatorId}, gen_random_uuid(), 'reader' || n || '@' || ${domain}::text, 'reader' || n || '@' || ${domain}::text,
      'confirmed', 'confirmed', now(), now(), now(), 'file' from generate_series(1, ${count}) as n
  `.execute(app.db.engine);
}

test('goes to everybody who said yes and to nobody else, signed, with one tap to leave and the creator’s own words', async () => {
  await addReader(app, creatorId, 'ada@example.test');
  await addReader(app, creatorId, 'saver@example.test', []);
  await addReader(app, creatorId, 'slow@example.test', ['ticks']);
  await addReader(app, creatorId, 'left@example.test', ['ticks', 'taps', 'unsubscribes']);
  await addReader(app, creatorId, 'gone@example.test', ['ticks', 'taps', 'bounces']);
  await addReader(app, creatorId, 'angry@example.test', ['ticks', 'taps', 'complains']);
  await addReader(app, creatorId, 'wrong@example.test', ['ticks', 'taps', 'not_me']);
  const broadcast = await draft();
  const audience = await owner.call(contract.readAudience, { params: params(broadcast.id) });
  expect(audience.body).toEqual({
    count: 1,
    leftOut: [
      { count: 1, why: 'Haven’t confirmed yet' },
      { count: 1, why: 'Never said yes to your newsletter' },
      { count: 2, why: 'Unsubscribed' },
      { count: 1, why: 'Their address bounced' },
      { count: 1, why: 'Marked an email as spam' },
    ],
  });

  const { body: sent } = await send(broadcast);
  expect(sent).toMatchObject({ state: 'scheduled', sendAt: expect.any(String) });
  await kitchen.work();
  await kitchen.deliver();
  expect(await kitchen.inbox()).toEqual([]);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  const [mail, ...others] = await kitchen.inbox();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to: 'ada@example.test',
    subject: 'Soup season',
    from: { name: 'Anna’s Kitchen', address: 'anna@anna.example' },
  });
  expect(mail!.html).toContain('Hi Ada');
  for (const part of [mail!.html, mail!.text]) expect(part).toContain('Anna’s Kitchen, 1 Kitchen Lane, Springfield');
  const headers = Object.fromEntries(mail!.headers.map(({ key, value }) => [key, value]));
  expect(headers).toMatchObject({
    'list-unsubscribe': expect.stringMatching(/^<http.*\/e\/unsubscribe\/.*>$/),
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'feedback-id': `broadcast:${creatorId}:reader:creatorhq`,
    'dkim-signature': expect.stringContaining('d=anna.example'),
  });

  await kitchen.work();
  const figures = { total: 1, sent: 1, waiting: 0, leftOut: 0, bounced: 0, complained: 0, unsubscribed: 0 };
  expect(await read(broadcast.id)).toMatchObject({ state: 'done', figures });
  const list = await owner.call(contract.listBroadcasts, { params: { creatorId } });
  expect(list.body.items).toMatchObject([{ id: broadcast.id, state: 'done', subject: 'Soup season', figures }]);

  const leave = new URL(headers['list-unsubscribe']!.slice(1, -1)).pathname;
  await app.visitor().send({ method: 'POST', url: leave });
  await app.clock.advance(2 * 3_600_000);
  await kitchen.work();
  expect((await read(broadcast.id)).figures).toMatchObject({ sent: 1, unsubscribed: 1 });
});

test('goes to a segment, once to a person with two addresses, at the one that said yes', async () => {
  const first = await addReader(app, creatorId, 'ada@example.test', []);
  const second = await addReader(app, creatorId, 'ada@work.example');
  await addReader(app, creatorId, 'bob@example.test');
  await sql`update contacts set joined_to = ${first} where id = ${second}`.execute(app.db.engine);
  await sql`update contacts set has_joined = true, newsletter_of_all = 'confirmed', source = 'dm' where id = ${first}`.execute(
    app.db.engine,
  );
  await begin(await draft({ segment: 'all;all,source:dm' }));
  await kitchen.deliver();
  expect((await kitchen.inbox()).map(({ to }) => to)).toEqual(['ada@work.example']);
});

test('nobody gets it who left between gathering and sending', async () => {
  const contactId = await addReader(app, creatorId, 'ada@example.test');
  await addReader(app, creatorId, 'bob@example.test');
  const broadcast = await draft();
  await begin(broadcast);
  await app.db.withCreator(creatorId, async (trx) => {
    const given = { creatorId, contactId, act: 'unsubscribes', at: app.clock.now(), how: 'one_click' } as const;
    await applyNewsletterAct(trx, app.deps, given);
  });
  await kitchen.deliver();
  expect((await kitchen.inbox()).map(({ to }) => to)).toEqual(['bob@example.test']);
  await kitchen.work();
  expect(await read(broadcast.id)).toMatchObject({ state: 'done', figures: { total: 2, sent: 1, leftOut: 1 } });
});

test('leaves only with a verified domain and a postal address, and pauses when the domain is gone', async () => {
  await addReader(app, creatorId, 'ada@example.test');
  await setDomain(app, creatorId, 'waiting');
  const broadcast = await draft();
  const { body: newsletter } = await owner.call(contract.getNewsletter, { params: { creatorId } });
  expect(newsletter).toMatchObject({
    writer: 'here',
    missing: ['Choose a sender address at a domain of yours, and verify the domain.'],
  });
  expect((await send(broadcast)).body).toMatchObject({ code: 'not_possible_now', detail: newsletter.missing[0] });
  await setDomain(app, creatorId, 'verified');
  await sql`update senders set postal_address = '' where creator_id = ${creatorId}`.execute(app.db.engine);
  expect((await send(broadcast)).body).toMatchObject({ detail: expect.stringContaining('postal address') });
  await sql`update senders set postal_address = 'Here' where creator_id = ${creatorId}`.execute(app.db.engine);

  await send(broadcast);
  await setDomain(app, creatorId, 'shaky');
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  const words = expect.stringContaining('verify the domain');
  expect(await read(broadcast.id)).toMatchObject({ state: 'draft', because: words });

  await setDomain(app, creatorId, 'verified');
  await begin(await read(broadcast.id));
  await setDomain(app, creatorId, 'shaky');
  await kitchen.deliver();
  await kitchen.work();
  await kitchen.work();
  expect(await kitchen.inbox()).toEqual([]);
  expect(await read(broadcast.id)).toMatchObject({ state: 'paused', because: words, figures: { waiting: 1 } });
  await setDomain(app, creatorId, 'verified');
  await owner.call(contract.resumeBroadcast, { params: params(broadcast.id) });
  await kitchen.work();
  await kitchen.deliver();
  expect(await kitchen.inbox()).toHaveLength(1);
});

test('can be taken back in its minute, and cancelled half way, which sends nothing more', async () => {
  await addReaders(3, 'one.example');
  await addReaders(3, 'two.example');
  const broadcast = await draft();
  await send(broadcast);
  const { body: back } = await owner.call(contract.cancelBroadcast, { params: params(broadcast.id) });
  expect(back).toMatchObject({ state: 'draft', sendAt: null });
  await begin(broadcast);
  kitchen.server.answer((to) => (to.endsWith('two.example') ? { code: 451, message: 'later' } : 'accept'));
  await kitchen.deliver();
  kitchen.server.answer(() => 'accept');
  expect(await kitchen.inbox()).toHaveLength(3);
  await owner.call(contract.cancelBroadcast, { params: params(broadcast.id) });
  await app.clock.advance(3_600_000);
  await kitchen.deliver();
  await kitchen.work();
  await kitchen.deliver();
  expect(await kitchen.inbox()).toEqual([]);
  expect(await read(broadcast.id)).toMatchObject({
    state: 'cancelled',
    figures: { total: 6, sent: 3, leftOut: 3, waiting: 0 },
  });
  expect((await owner.call(contract.resumeBroadcast, { params: params(broadcast.id) })).body.code).toBe(
    'not_possible_now',
  );
});

test('pauses and goes on where it was', async () => {
  await addReaders(4);
  const broadcast = await draft();
  await begin(broadcast);
  const { body } = await owner.call(contract.pauseBroadcast, { params: params(broadcast.id) });
  expect(body).toMatchObject({ state: 'paused', because: `${owner.name} paused it.` });
  await kitchen.deliver();
  await kitchen.work();
  expect(await kitchen.inbox()).toEqual([]);
  // Longer than what was asked for is tried.
  await app.clock.advance(3 * 24 * 3_600_000);
  await owner.call(contract.resumeBroadcast, { params: params(broadcast.id) });
  await kitchen.work();
  await kitchen.deliver();
  await kitchen.work();
  expect(await kitchen.inbox()).toHaveLength(4);
  expect(await read(broadcast.id)).toMatchObject({ state: 'done', figures: { sent: 4 } });
});

/** Its mails were sent, and so many readers complained or their addresses are dead. */
async function fare(broadcastId: string, { sent, state, count }: { sent: number; state: string; count: number }) {
  await sql`
    update reader_mails set state = case when n <= ${count} then ${state} when n <= ${sent} then 'accepted' else state end, finished_at = now()
    from (select id as of, row_number() over (order by id) as n from reader_mails where part_of = ${broadcastId}) as numbered
    where id = of
  `.execute(app.db.engine);
}

test.each([
  ['complained', 1000, 2, false],
  ['complained', 1000, 3, true],
  ['bounced', 1000, 49, false],
  ['bounced', 1000, 50, true],
  ['complained', 199, 100, false],
] as const)('%s of %i sent: %i; stops by itself: %s', async (state, sent, count, stops) => {
  await addReaders(sent + 1);
  const broadcast = await draft();
  await begin(broadcast);
  await fare(broadcast.id, { sent, state, count });
  await kitchen.work();
  const now = await read(broadcast.id);
  expect(now.state).toBe(stops ? 'paused' : 'sending');
  expect((await app.mails(owner.email)).filter(({ kind }) => kind === 'newsletter_stopped')).toHaveLength(
    stops ? 1 : 0,
  );
  if (!stops) return;
  expect(now.because).toContain('more than mail services tolerate');
  await kitchen.deliver();
  expect(await kitchen.inbox()).toEqual([]);
  // Whoever goes on was told once.
  await owner.call(contract.resumeBroadcast, { params: params(broadcast.id) });
  await kitchen.work();
  expect((await read(broadcast.id)).state).toBe('sending');
});

test('what was asked for goes before what many get', async () => {
  await addReaders(5);
  await begin(await draft());
  await app.clock.advance(1000);
  const contactId = await addReader(app, creatorId, 'saver@readers.example', []);
  await queueSave(app, { creatorId, contactId });
  await kitchen.deliver();
  const arrived = kitchen.server.received.map(({ to }) => to);
  expect(arrived).toHaveLength(6);
  expect(arrived.indexOf('saver@readers.example')).toBeLessThan(3);
});

test('a collaborator writes and asks; an owner gets a mail and sends', async () => {
  const helper = await app.signUpAndIn();
  const invite = { email: helper.email, role: 'collaborator' as const };
  const { inviteId } = (await owner.call(sendInvite, { params: { creatorId }, body: invite })).body;
  await helper.call(acceptInvite, { params: { userId: helper.id, inviteId } });
  const broadcast = await draft();
  const body = { version: broadcast.version, sendAt: null };
  expect((await helper.call(contract.sendBroadcast, { params: params(broadcast.id), body })).status).toBe(403);
  const { body: asked } = await helper.call(contract.askToSend, { params: params(broadcast.id) });
  expect(asked).toMatchObject({ state: 'draft', asked: { by: helper.name } });
  const mails = await app.mails(owner.email);
  expect(mails.at(-1)).toMatchObject({ kind: 'newsletter_asked', subject: 'Ready to send: Soup season' });
  expect((await send(broadcast)).status).toBe(200);
});

test('an old version, a broken design and a time out of reach are refused; what is sent cannot be changed or deleted', async () => {
  const broadcast = await draft();
  const change = (version: number) =>
    owner.call(contract.changeBroadcast, {
      params: params(broadcast.id),
      body: { version, design: { ...broadcast.design, subject: '{nonsense}' }, segment: null },
    });
  expect((await change(broadcast.version - 1)).body.code).toBe('changed_meanwhile');
  expect((await send(broadcast, new Date(Date.now() + 400 * 24 * 3_600_000).toISOString())).body.code).toBe(
    'invalid_input',
  );
  const { body: broken } = await change(broadcast.version);
  expect((await send(broken)).body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'subject' }] });
  expect((await send(broadcast)).body.code).toBe('changed_meanwhile');
  const other = await draft();
  await send(other);
  expect((await owner.call(contract.deleteBroadcast, { params: params(other.id) })).body.code).toBe('not_possible_now');
  expect((await owner.call(contract.deleteBroadcast, { params: params(broadcast.id) })).status).toBe(200);
  expect((await owner.call(contract.getBroadcast, { params: params(broadcast.id) })).status).toBe(404);
});

test('while a tool writes ours are off, in words', async () => {
  await addReader(app, creatorId, 'ada@example.test');
  const write = (writer: contract.NewsletterWriter) =>
    owner.call(contract.changeNewsletterWriter, { params: { creatorId }, body: { writer } });
  expect((await write('kit')).body).toMatchObject({ detail: 'Connect Kit and turn it on first.' });
  await sql`
    insert into data_integrations (creator_id, id, tool, secret, account_name, state, hook_token, asked_at, connected_at)
    values (${creatorId}, gen_random_uuid(), 'kit', 'sealed', 'Kitchen', 'on', gen_random_uuid(), now(), now())
  `.execute(app.db.engine);
  const [going, waiting] = [await draft(), await draft()];
  await begin(going);
  await send(waiting);
  expect((await write('kit')).body).toMatchObject({ writer: 'kit' });
  const because = 'Kit sends your newsletters now.';
  expect(await read(going.id)).toMatchObject({ state: 'paused', because });
  expect(await read(waiting.id)).toMatchObject({ state: 'draft', because });
  await kitchen.deliver();
  expect(await kitchen.inbox()).toEqual([]);
  expect((await send(await read(waiting.id))).body).toMatchObject({ code: 'not_possible_now', detail: because });
  await write('here');
  expect((await owner.call(contract.resumeBroadcast, { params: params(going.id) })).status).toBe(200);
});

test('a hundred thousand readers are queued in at most sixty statements', { timeout: 120_000 }, async () => {
  // Whole steps: each of the others would be one statement more.
  const readers = 2 * MAILS_A_STEP;
  await addReaders(readers);
  const broadcast = await draft();
  await send(broadcast);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  let statements = 0;
  const engine = app.db.engine.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await sendBroadcasts.run({ ...app.deps, db: { engine } }, { creatorId, broadcastId: broadcast.id });
  expect(statements).toBeGreaterThan(readers / MAILS_A_STEP);
  expect(statements + (100_000 - readers) / MAILS_A_STEP).toBeLessThanOrEqual(60);
  const { rows } = await sql<{ mails: number; people: number }>`
    select count(*)::int as mails, count(distinct contact_id)::int as people from reader_mails where part_of = ${broadcast.id}
  `.execute(app.db.engine);
  expect(rows[0]).toEqual({ mails: readers, people: readers });
  expect(await read(broadcast.id)).toMatchObject({ state: 'sending', figures: { total: readers, waiting: readers } });
});
