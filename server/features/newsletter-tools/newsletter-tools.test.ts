/** Newsletter tools against their simulators, whose minute is the test's app.clock. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  backFill,
  changeIntegration,
  connectKit,
  connectMailchimp,
  type DataIntegration,
  disconnectTool,
  getKit,
  kitAuthorizePath,
  leaveFailed,
  listFailures,
  listIntegrations,
  listTargets,
  retryFailed,
} from '#contract/newsletter-tools.ts';
import { getMe } from '#contract/session.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { record } from '#server/events/product-events.ts';
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { erase } from '#server/features/contacts/erasure.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import { forgetOld } from '#server/features/retention/forget-old.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { open } from '#server/secrets.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Kit, signKit, startKit } from '#simulators/kit/kit.ts';
import { type Mailchimp, startMailchimp } from '#simulators/mailchimp/mailchimp.ts';
import { askTools } from './changes.ts';
import { findDueTools, syncTool } from './sync.ts';

const MINUTE_MS = 60_000;
const SCREEN = '/creator-hq/settings?tab=other-tools';
const DAY_MS = 24 * 3_600_000;

let kit: Kit;
let mailchimp: Mailchimp;
let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  kit = await startKit({ now: () => app.clock.now() });
  mailchimp = await startMailchimp({ now: () => app.clock.now() });
  app = await createTestApp({
    settings: {
      KIT_URL: kit.url,
      KIT_CLIENT_ID: kit.app.clientId,
      KIT_CLIENT_SECRET: kit.app.clientSecret,
      MAILCHIMP_URL: mailchimp.url,
      BASE_URL: 'https://hq.example.test',
    },
  });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([kit?.close(), mailchimp?.close()]);
});
beforeEach(async () => {
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
  await app.clock.advance(2 * MINUTE_MS);
  kit.subscribers.clear();
  kit.hooks.length = 0;
  kit.calls.length = 0;
  mailchimp.members.clear();
  mailchimp.hooks.length = 0;
  mailchimp.calls.length = 0;
});
// Each test has a creator of its own; those of before are to call nobody.
afterEach(() => app.db.engine.deleteFrom('data_integrations').execute());

const inCreator = <T>(work: (trx: CreatorTransaction) => Promise<T>) => app.db.withCreator(creatorId, work);
const params = () => ({ creatorId });

/** Somebody confirmed by their own acts. */
const confirmed = (email: string, name: string | null = null) => inCreator((trx) => confirmedIn(trx, email, name));
async function confirmedIn(trx: CreatorTransaction, email: string, name: string | null = null): Promise<string> {
  const at = app.clock.now();
  const { id } = await findOrMakeContact(trx, app.deps, { creatorId, email, name, language: null, source: 'blog', at });
  for (const act of ['ticks', 'taps'] as const) {
    await applyNewsletterAct(trx, app.deps, { creatorId, contactId: id, act, at, how: null });
  }
  return id;
}
async function plantConfirmed(many: number): Promise<string[]> {
  const { rows } = await app.db.enginePool.query<{ id: string }>(
    `insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, confirmed_at, first_seen_at, last_seen_at, source)
     select $1, gen_random_uuid(), 'reader' || n || '@example.com', 'reader' || n || '@example.com', 'confirmed', 'confirmed', $2, $2, $2, 'blog'
     from generate_series(1, $3::int) as n returning id`,
    [creatorId, app.clock.now(), many],
  );
  await app.db.enginePool.query('analyze contacts');
  return rows.map(({ id }) => id);
}
/** As whoever changes contacts does. */
const tell = (ids: string[], change: 'confirmed' | 'unsubscribed') =>
  inCreator((trx) => {
    const at = app.clock.now();
    const who = { connectionId: null, personId: null, username: null, email: null };
    const events = ids.map((contactId) => ({
      ...{ type: 'contact' as const, creatorId, happenedAt: at },
      data: { change, contactId, ...who },
    }));
    return record(trx, events, at);
  });
const act = (contactId: string, what: NewsletterAct) =>
  inCreator((trx) =>
    applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: what, at: app.clock.now(), how: null }),
  );
const newsletterOf = async (contactId: string) =>
  (await app.db.engine.selectFrom('contacts').select('newsletter').where('id', '=', contactId).executeTakeFirst())
    ?.newsletter;

/** One turn of the job for all tools. */
async function turn(): Promise<void> {
  await findDueTools.run(app.deps);
  await runDue([syncTool], app.deps);
}
const withKit = async (): Promise<DataIntegration> =>
  (await anna.call(connectKit, { params: params(), body: { apiKey: kit.apiKey } })).body;
/** Kit's answer to the app that sent somebody there: our callback, with what it brings. */
async function goToKit(who = anna): Promise<string> {
  const begun = await who.send({ method: 'GET', url: kitAuthorizePath(creatorId) });
  const back = (await fetch(String(begun.headers.location), { redirect: 'manual' })).headers.get('location')!;
  return back.slice('https://hq.example.test'.length);
}
const comeBack = async (url: string, who = anna) => String((await who.send({ method: 'GET', url })).headers.location);
async function withKitLogin(): Promise<DataIntegration> {
  expect(await comeBack(await goToKit())).toBe(SCREEN);
  return state();
}
async function withMailchimp(): Promise<DataIntegration> {
  const { body } = await anna.call(connectMailchimp, { params: params(), body: { apiKey: mailchimp.apiKey } });
  const given = { creatorId, integrationId: body.id };
  return (await anna.call(changeIntegration, { params: given, body: { on: true, targetId: mailchimp.audience.id } }))
    .body;
}
const allTools = async (): Promise<DataIntegration[]> =>
  (await anna.call(listIntegrations, { params: params() })).body.items;
const state = async (tool = 'kit') => (await allTools()).find((one) => one.tool === tool)!;
const sends = (tool: Kit | Mailchimp, method: string, path: RegExp) =>
  tool.calls.filter((call) => call.method === method && path.test(call.path));
const deliver = (delivery: { url: string; body: string; headers: Record<string, string> }) =>
  app.app.inject({
    method: 'POST',
    url: new URL(delivery.url).pathname,
    headers: { 'content-type': 'application/json', ...delivery.headers },
    payload: delivery.body,
  });

describe('connecting', () => {
  test('asks the tool, keeps the key sealed, and tells the owners', async () => {
    const connected = await withKit();
    expect(connected).toMatchObject({ tool: 'kit', state: 'on', accountName: 'Anna’s Kitchen', unsent: 0 });
    const row = await app.db.engine.selectFrom('data_integrations').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(kit.apiKey);
    expect((await anna.call(getKit, { params: params() })).body.integration?.id).toBe(connected.id);
    const mails = await app.db.engine.selectFrom('mails').selectAll().where('kind', '=', 'new_access').execute();
    expect(JSON.stringify(mails)).toContain('Kit gets the email addresses');
  });

  test('is refused with a key that the tool does not know, and nothing is kept', async () => {
    const wrong = await anna.call(connectKit, { params: params(), body: { apiKey: 'not the right key' } });
    expect(wrong).toMatchObject({
      status: 502,
      body: { code: 'tool_refused', detail: 'Kit doesn’t accept this API key.' },
    });
    const noKey = await anna.call(connectMailchimp, { params: params(), body: { apiKey: '0123456789abcdef' } });
    expect(noKey).toMatchObject({ status: 422, body: { errors: [{ path: 'apiKey' }] } });
    kit.failNext('cut');
    const away = await anna.call(connectKit, { params: params(), body: { apiKey: kit.apiKey } });
    expect(away).toMatchObject({ status: 502, body: { code: 'tool_unreachable' } });
    expect(await app.db.engine.selectFrom('data_integrations').selectAll().execute()).toEqual([]);
  });

  test('Mailchimp sends nothing before an audience is chosen', async () => {
    const { body } = await anna.call(connectMailchimp, { params: params(), body: { apiKey: mailchimp.apiKey } });
    expect(body.state).toBe('off');
    const given = { creatorId, integrationId: body.id };
    const early = await anna.call(changeIntegration, { params: given, body: { on: true } });
    expect(early).toMatchObject({ status: 409, body: { code: 'not_possible_now' } });
    expect((await anna.call(listTargets, { params: given })).body.items).toEqual([mailchimp.audience]);
    const foreign = await anna.call(changeIntegration, { params: given, body: { targetId: 'other' } });
    expect(foreign).toMatchObject({ status: 422, body: { errors: [{ path: 'targetId' }] } });
  });

  test('a tool that is off gets no request, and what happened goes when it is on again', async () => {
    const { id } = await withKit();
    await anna.call(changeIntegration, { params: { creatorId, integrationId: id }, body: { on: false } });
    kit.calls.length = 0;
    await confirmed('ana@example.com');
    await turn();
    expect(kit.calls).toEqual([]);
    await anna.call(changeIntegration, { params: { creatorId, integrationId: id }, body: { on: true } });
    await turn();
    expect([...kit.subscribers.keys()]).toEqual(['ana@example.com']);
  });

  test('two at once leave one webhook there, the one whose events are believed', async () => {
    await Promise.all([withKit(), withKit(), withKit()]);
    expect(kit.hooks).toHaveLength(1);
    const contactId = await confirmed('ana@example.com');
    await turn();
    for (const delivery of kit.change('ana@example.com', 'cancelled')) await deliver(delivery);
    expect(await newsletterOf(contactId)).toBe('unsubscribed');
  });

  test('disconnecting ends its webhook there and keeps all contacts', async () => {
    const { id } = await withKit();
    const contactId = await confirmed('ana@example.com');
    await turn();
    expect(kit.hooks).toHaveLength(1);
    await anna.call(disconnectTool, { params: { creatorId, integrationId: id } });
    expect(kit.hooks).toEqual([]);
    expect(kit.subscribers.size).toBe(1);
    expect(await newsletterOf(contactId)).toBe('confirmed');
    expect(await app.db.engine.selectFrom('integration_contacts').selectAll().execute()).toEqual([]);
  });
});

describe('Kit by its login', () => {
  const secrets = async () => {
    const row = await app.db.engine.selectFrom('data_integrations').selectAll().executeTakeFirstOrThrow();
    return { row, token: open(app.deps.keys.encryptionKeys, row.secret) };
  };
  const tokenCalls = () => sends(kit, 'POST', /oauth\/token$/);
  const HOUR_MS = 3_600_000;

  test('proves itself with PKCE, keeps its tokens sealed, and sends to Kit', async () => {
    const { id, accountName } = await withKitLogin();
    expect(accountName).toBe('Anna’s Kitchen');
    expect((await anna.call(listIntegrations, { params: params() })).body.kitLogin).toBe(true);
    const { row, token } = await secrets();
    expect(row.refresh_secret).not.toBeNull();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(tokenCalls()[0]?.body).toMatchObject({ code_verifier: expect.stringMatching(/^[0-9A-Za-z]{43}$/) });
    await confirmed('ana@example.com');
    await turn();
    expect([...kit.subscribers.keys()]).toEqual(['ana@example.com']);
    await anna.call(disconnectTool, { params: { creatorId, integrationId: id } });
    expect(kit.hooks).toEqual([]);
    const after = await fetch(`${kit.url}/v4/account`, { headers: { authorization: `Bearer ${token}` } });
    expect(after.status).toBe(401);
    expect(await app.db.engine.selectFrom('data_integrations').selectAll().execute()).toEqual([]);
  });

  test('a code counts once, in the session and browser that asked for it, for ten minutes', async () => {
    const url = await goToKit();
    const stranger = await app.signUpAndIn();
    expect(await comeBack(url, stranger)).toBe(`${SCREEN}&kitProblem=state_mismatch`);
    expect(await comeBack(url)).toBe(SCREEN);
    expect(await comeBack(url)).toBe(`${SCREEN}&kitProblem=state_mismatch`);
    const late = await goToKit();
    await app.clock.advance(11 * MINUTE_MS);
    expect(await comeBack(late)).toBe(`${SCREEN}&kitProblem=expired`);
    kit.sayNo();
    expect(await comeBack(await goToKit())).toBe(`${SCREEN}&kitProblem=refused`);
    const changed = (await goToKit()).replace(/code=[^&]+/, 'code=another');
    expect(await comeBack(changed)).toBe(`${SCREEN}&kitProblem=kit_error`);
    expect((await stranger.send({ method: 'GET', url: kitAuthorizePath(creatorId) })).status).toBe(404);
  });

  test.each([
    ['ended', 3],
    ['refused', 0],
  ] as const)('a token that is %s is renewed once, however many calls are under way', async (_why, hours) => {
    const { id } = await withKitLogin();
    const given = { creatorId, integrationId: id };
    const { token } = await secrets();
    await app.clock.advance(hours * HOUR_MS);
    if (hours === 0) await fetch(`${kit.url}/v4/oauth/revoke`, { method: 'POST', body: JSON.stringify({ token }) });
    kit.calls.length = 0;
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => anna.call(listTargets, { params: given })));
    expect(answers.map(({ body }) => body.items.length)).toEqual([2, 2, 2, 2, 2]);
    expect(tokenCalls()).toHaveLength(1);
    expect((await secrets()).token).not.toBe(token);
    // And the next time with the refresh token that came then.
    await app.clock.advance(3 * HOUR_MS);
    expect((await anna.call(listTargets, { params: given })).status).toBe(200);
  });

  test('a login that Kit ended needs to be reconnected, and goes on where it was', async () => {
    await withKitLogin();
    kit.endLogin();
    await confirmed('ana@example.com');
    await turn();
    expect(await state()).toMatchObject({ state: 'reconnect', because: 'Kit signed us out.', waiting: 1 });
    await withKitLogin();
    await turn();
    expect(await state()).toMatchObject({ state: 'on', because: null, sent: 1 });
  });

  test('takes a hundred at once, with the tag, and says whom it refuses', async () => {
    const { id } = await withKitLogin();
    await anna.call(changeIntegration, { params: { creatorId, integrationId: id }, body: { targetId: '12' } });
    await plantConfirmed(150);
    await app.db.engine
      .updateTable('contacts')
      .set({ email: 'reader7@example', email_key: 'reader7@example' })
      .where('email_key', '=', 'reader7@example.com')
      .where('creator_id', '=', creatorId)
      .execute();
    await anna.call(backFill, { params: { creatorId, integrationId: id } });
    await turn();
    expect(await state()).toMatchObject({ sent: 149, failed: 1, waiting: 0 });
    expect(sends(kit, 'POST', /bulk/)).toHaveLength(4);
    expect([...kit.subscribers.values()].every(({ tags }) => tags.join() === '12')).toBe(true);
    const given = { creatorId, integrationId: id };
    const { items } = (await anna.call(listFailures, { params: given })).body;
    expect(items).toMatchObject([{ email: 'reader7@example', reason: 'Kit says: Email address is invalid' }]);
    const left = await anna.call(leaveFailed, { params: given, body: { contactId: items[0]!.contactId } });
    expect(left.body).toMatchObject({ sent: 149, failed: 0, waiting: 0, unsent: 0 });
  });
});

describe('what goes', () => {
  test('only who confirmed, with their first name, once; and that they left', async () => {
    await withKit();
    await inCreator((trx) =>
      findOrMakeContact(trx, app.deps, {
        creatorId,
        email: 'saver@example.com',
        name: null,
        language: null,
        source: 'blog',
        at: app.clock.now(),
      }),
    );
    const contactId = await confirmed('ana@example.com', 'Ana Maria');
    await turn();
    expect([...kit.subscribers.values()]).toMatchObject([
      { email_address: 'ana@example.com', first_name: 'Ana', state: 'active' },
    ]);
    await turn();
    await act(contactId, 'taps');
    await turn();
    expect(sends(kit, 'POST', /subscribers$/)).toHaveLength(1);
    await act(contactId, 'unsubscribes');
    await turn();
    expect(kit.subscribers.get('ana@example.com')?.state).toBe('cancelled');
  });

  test('to a tag as well, when one was chosen', async () => {
    const { id } = await withKit();
    await anna.call(changeIntegration, { params: { creatorId, integrationId: id }, body: { targetId: '12' } });
    await confirmed('ana@example.com');
    await turn();
    expect(kit.subscribers.get('ana@example.com')?.tags).toEqual([12]);
  });

  test('one call for each change and tool, for a thousand changes with two tools on', async () => {
    await withKit();
    await withMailchimp();
    const before = [kit.calls.length, mailchimp.calls.length];
    const ids = await plantConfirmed(500);
    await tell(ids, 'confirmed');
    await untilSent();
    await app.db.engine.updateTable('contacts').set({ newsletter: 'unsubscribed' }).where('id', 'in', ids).execute();
    await tell(ids, 'unsubscribed');
    await untilSent();
    expect([kit.calls.length, mailchimp.calls.length]).toEqual(before.map((calls) => calls + 1000));
    expect([...kit.subscribers.values()].every(({ state: is }) => is === 'cancelled')).toBe(true);
    expect([...mailchimp.members.values()].every(({ status }) => status === 'unsubscribed')).toBe(true);
  }, 120_000);
});

/** Turns and minutes until nothing waits any more. */
async function untilSent(mostMinutes = 200): Promise<void> {
  for (let minute = 0; minute < mostMinutes; minute++) {
    await turn();
    if ((await allTools()).every(({ waiting }) => waiting === 0)) return;
    await app.clock.advance(MINUTE_MS);
  }
  throw new Error('Not all was sent.');
}
/** Calls that came when as many as Kit allows had come within the minute before. */
const refusedForSpeed = (most: number) =>
  kit.calls.filter(
    ({ at }, index) => index >= most && at.getTime() - kit.calls[index - most]!.at.getTime() < MINUTE_MS,
  );

describe('back-fill', () => {
  test('of 10,000 says how long, goes on after an interruption, doubles nobody, and keeps to the limit', async () => {
    await plantConfirmed(10_000);
    const { id, unsent } = await withKitLogin();
    expect(unsent).toBe(10_000);
    const filled = await anna.call(backFill, { params: { creatorId, integrationId: id } });
    expect(filled.body).toMatchObject({ waiting: 10_000, unsent: 0, minutesLeft: 1 });
    // Kit breaks off after it took a hundred; then it wants to be left alone; then it is away; each time the next turn goes on.
    kit.failNext('cut', { status: 429, text: 'Retry later' }, { status: 503, json: {} });
    await untilSent();
    expect(kit.subscribers.size).toBe(10_000);
    expect(new Set([...kit.subscribers.values()].map((one) => one.id)).size).toBe(10_000);
    expect(refusedForSpeed(600)).toEqual([]);
    expect(await state()).toMatchObject({ sent: 10_000, waiting: 0, failed: 0, because: null });
  }, 60_000);

  test('with a key, one by one, over minutes', async () => {
    await plantConfirmed(250);
    const { id } = await withKit();
    const filled = await anna.call(backFill, { params: { creatorId, integrationId: id } });
    expect(filled.body).toMatchObject({ waiting: 250, minutesLeft: 3 });
    await turn();
    expect(await state()).toMatchObject({ sent: 99, waiting: 151, because: null });
    kit.failNext('cut', { status: 429, text: 'Retry later' });
    await untilSent();
    expect(kit.subscribers.size).toBe(250);
    expect(refusedForSpeed(120)).toEqual([]);
    expect(await state()).toMatchObject({ sent: 250, waiting: 0, failed: 0, because: null });
  }, 60_000);

  test('of somebody whom Kit takes with warnings is done', async () => {
    await withKit();
    const subscriber = { id: 7, email_address: 'ana@example.com', state: 'active' };
    kit.failNext({ status: 201, json: { subscriber, warnings: ['Custom field last_recipe does not exist'] } });
    await confirmed('ana@example.com');
    await turn();
    expect(await state()).toMatchObject({ sent: 1, failed: 0, waiting: 0, because: null });
  });

  test('is not for a tool that is off', async () => {
    const { id } = await withKit();
    const given = { creatorId, integrationId: id };
    await anna.call(changeIntegration, { params: given, body: { on: false } });
    expect(await anna.call(backFill, { params: given })).toMatchObject({
      status: 409,
      body: { code: 'not_possible_now' },
    });
  });
});

describe('what goes wrong', () => {
  test('a key that ended: nothing more is asked, owners get one mail, a new key goes on where it was', async () => {
    await withKit();
    kit.failNext({ status: 401, json: { errors: ['The API key is invalid'] } });
    await confirmed('ana@example.com');
    await turn();
    expect(await state()).toMatchObject({
      state: 'reconnect',
      because: 'Kit no longer accepts the API key.',
      waiting: 1,
    });
    const before = kit.calls.length;
    await app.clock.advance(DAY_MS);
    await turn();
    expect(kit.calls.length).toBe(before);
    const mails = () =>
      app.db.engine
        .selectFrom('mails')
        .select('id')
        .where('kind', '=', 'tool_trouble')
        .where('about_creator_id', '=', creatorId)
        .execute();
    expect(await mails()).toHaveLength(1);
    const banner = async () => (await anna.call(getMe)).body.toolsToReconnect;
    expect(await banner()).toEqual(['Kit']);
    // Turned on with the same key, it is not well: no second mail.
    kit.failNext({ status: 401, json: { errors: ['The API key is invalid'] } });
    const params = { creatorId, integrationId: (await state()).id };
    await anna.call(changeIntegration, { params, body: { on: true } });
    await turn();
    expect(await state()).toMatchObject({ state: 'reconnect' });
    expect(await mails()).toHaveLength(1);
    await withKit();
    expect(await banner()).toEqual([]);
    await turn();
    expect(await state()).toMatchObject({ state: 'on', because: null, sent: 1 });
  });

  test('a contact that is refused for good shows why, holds up nobody, and may be tried again', async () => {
    const { id } = await withMailchimp();
    const contactId = await confirmed('gone@example.com');
    const hash = createHash('md5').update('gone@example.com').digest('hex');
    mailchimp.forgotten.add(hash);
    await confirmed('ana@example.com');
    await turn();
    expect(mailchimp.members.size).toBe(1);
    const given = { creatorId, integrationId: id };
    expect((await anna.call(listFailures, { params: given })).body.items).toEqual([
      { contactId, email: 'gone@example.com', reason: expect.stringContaining('permanently deleted') },
    ]);
    mailchimp.forgotten.delete(hash);
    expect((await anna.call(retryFailed, { params: given, body: {} })).body).toMatchObject({ waiting: 1, failed: 0 });
    await turn();
    expect(await state('mailchimp')).toMatchObject({ sent: 2, failed: 0 });
  });

  test('a key that Mailchimp ended, met by the question of the night: asks to reconnect', async () => {
    await withMailchimp();
    mailchimp.failNext({ status: 401, json: { title: 'API Key Invalid' } });
    await app.clock.advance(DAY_MS);
    await askTools.run(app.deps);
    expect((await anna.call(getMe)).body.toolsToReconnect).toEqual(['Mailchimp']);
    expect(await state('mailchimp')).toMatchObject({ because: 'Mailchimp no longer accepts the API key.' });
  });

  test('a bare 403 of Mailchimp is a pause, and nothing is lost', async () => {
    await withMailchimp();
    mailchimp.failNext({ status: 403, text: '<html>Forbidden</html>' });
    await confirmed('ana@example.com');
    await turn();
    expect(await state('mailchimp')).toMatchObject({
      state: 'on',
      because: 'Mailchimp asks us to slow down.',
      waiting: 1,
    });
    await turn();
    expect(mailchimp.members.size).toBe(0);
    await app.clock.advance(MINUTE_MS);
    await turn();
    expect(await state('mailchimp')).toMatchObject({ because: null, sent: 1 });
  });
});

describe('what tools tell', () => {
  test.each([
    ['cancelled', 'unsubscribed'],
    ['bounced', 'bounced'],
    ['complained', 'complained'],
  ] as const)('Kit says %s: here within that event, and not told back', async (there, here) => {
    await withKit();
    const contactId = await confirmed('ana@example.com');
    await turn();
    const before = kit.calls.length;
    const [delivery] = kit.change('ana@example.com', there);
    expect((await deliver(delivery!)).statusCode).toBe(200);
    expect(await newsletterOf(contactId)).toBe(here);
    await app.clock.advance(MINUTE_MS);
    await turn();
    expect(kit.calls.length).toBe(before);
  });

  test('and Mailchimp, whose address is the secret; the other tool hears of it', async () => {
    await withKit();
    await withMailchimp();
    const contactId = await confirmed('ana@example.com');
    await turn();
    const [delivery] = mailchimp.change('ana@example.com', 'unsubscribed');
    expect((await app.app.inject({ method: 'GET', url: new URL(delivery!.url).pathname })).statusCode).toBe(200);
    expect((await deliver(delivery!)).statusCode).toBe(200);
    expect(await newsletterOf(contactId)).toBe('unsubscribed');
    await turn();
    expect(kit.subscribers.get('ana@example.com')?.state).toBe('cancelled');
    expect((await deliver({ ...delivery!, url: `${delivery!.url}x` })).statusCode).toBe(403);
  });

  test('is believed only with the signature: not tampered with, not old, with either secret while it changes', async () => {
    await withKit();
    const contactId = await confirmed('ana@example.com');
    await turn();
    const [delivery] = kit.change('ana@example.com', 'cancelled');
    const { secret } = kit.hooks[0]!;
    const signed = (secrets: string[], at: Date, body = delivery!.body) =>
      deliver({ ...delivery!, body, headers: { 'x-kit-signature': signKit(secrets, delivery!.body, at) } });
    expect((await signed(['wrong'], app.clock.now())).statusCode).toBe(403);
    expect((await signed([secret], new Date(app.clock.now().getTime() - 6 * MINUTE_MS))).statusCode).toBe(403);
    expect((await signed([secret], app.clock.now(), `${delivery!.body} `)).statusCode).toBe(403);
    expect((await deliver({ ...delivery!, headers: {} })).statusCode).toBe(403);
    expect(await newsletterOf(contactId)).toBe('confirmed');
    expect((await signed(['the new one', secret], app.clock.now())).statusCode).toBe(200);
    expect(await newsletterOf(contactId)).toBe('unsubscribed');
  });

  test('the same event counts once: who came back since stays', async () => {
    await withKit();
    const contactId = await confirmed('ana@example.com');
    await turn();
    const [delivery] = kit.change('ana@example.com', 'cancelled');
    await deliver(delivery!);
    await confirmed('ana@example.com');
    expect(await newsletterOf(contactId)).toBe('confirmed');
    await deliver(delivery!);
    expect(await newsletterOf(contactId)).toBe('confirmed');
    // Kit keeps them as they are: the creator sees why.
    await turn();
    const failed = await anna.call(listFailures, { params: { creatorId, integrationId: (await state()).id } });
    expect(failed.body.items).toMatchObject([{ reason: expect.stringContaining('only when they sign up there') }]);
    await forgetOld(app.deps);
  });

  test('an event that got lost is found the next night', async () => {
    await withKit();
    await withMailchimp();
    const one = await confirmed('ana@example.com');
    const other = await confirmed('bea@example.com');
    await turn();
    await app.clock.advance(DAY_MS);
    kit.change('ana@example.com', 'complained');
    mailchimp.change('bea@example.com', 'unsubscribed');
    await askTools.run(app.deps);
    expect([await newsletterOf(one), await newsletterOf(other)]).toEqual(['complained', 'unsubscribed']);
  });

  test('nobody is confirmed by a tool', async () => {
    await withKit();
    const contactId = await confirmed('ana@example.com');
    await turn();
    await act(contactId, 'unsubscribes');
    await turn();
    const hooks = kit.hooks.map((hook) => ({ ...hook, events: [...hook.events, 'subscriber.active'] }));
    kit.hooks.splice(0, 1, ...hooks);
    for (const delivery of kit.change('ana@example.com', 'active')) await deliver(delivery);
    expect(await newsletterOf(contactId)).toBe('unsubscribed');
  });
});

test('who is erased is erased in every tool, as far as it can', async () => {
  await withKit();
  await withMailchimp();
  const contactId = await confirmed('ana@example.com');
  await turn();
  await erase(app.deps, { creatorId, contactId, userId: null });
  await app.clock.advance(1);
  await turn();
  expect(mailchimp.members.size).toBe(0);
  expect(kit.subscribers.get('ana@example.com')?.state).toBe('cancelled');
  expect(await app.db.engine.selectFrom('integration_contacts').selectAll().execute()).toEqual([]);
});
