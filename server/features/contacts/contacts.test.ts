import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '#contract/contacts.ts';
import { getInteraction } from '#contract/interactions.ts';
import { systemIds } from '#server/clock.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { insertDecisions } from '#server/engine/outcomes/decisions.ts';
import { saveOwnMessages } from '#server/engine/people-store.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers, LIMITED, UNREACHABLE } from '#server/testing/followers.ts';
import { insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { startMetaSimulator } from '#simulators/meta/simulator.ts';
import { nameKey } from './contacts.ts';

const DAY_MINUTES = 24 * 60;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let followers: Followers;
let account: WorldCreator;
const queued: unknown[] = [];

beforeAll(async () => {
  app = await createTestApp({ deps: { deliveriesQueued: (change) => void queued.push(change) } });
  followers = await createFollowers(app);
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});
beforeEach(async () => {
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
  account = await followers.connect(creatorId, 1);
  ({ connectionId } = account);
});

const ago = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000);
const params = (personId: string) => ({ params: { creatorId, contactId: `${connectionId}.${personId}` } });
const list = async (query: object = {}): Promise<(string | null)[]> => {
  const { body } = await anna.call(contract.listContacts, { params: { creatorId }, query });
  return body.items.map((one: { username: string | null }) => one.username);
};
const contact = async (personId: string) => (await anna.call(contract.getContact, params(personId))).body;
const timeline = async (personId: string) =>
  (await anna.call(contract.getContactTimeline, params(personId))).body.items;
async function timelineByPages(personId: string, limit: number) {
  const seen = [];
  let after: string | undefined;
  do {
    const { body } = await anna.call(contract.getContactTimeline, {
      ...params(personId),
      query: { limit, ...(after && { after }) },
    });
    seen.push(...body.items);
    after = body.next ?? undefined;
  } while (after !== undefined);
  return seen;
}
const write = (personId: string, text: string, key = systemIds.uuid(new Date()), who = anna) =>
  who.call(contract.answerContact, { ...params(personId), body: { text, key } });

/** The account's one follower writes into the chat. */
async function chat(text: string, of = account) {
  const { instagramAccountId: accountId, followers: people } = of;
  await followers.simulator.control.directMessage({ accountId, personId: people[0]!.personId, text });
  await followers.work();
}

/** Does something as a follower. */
async function act(personId: string, over: Record<string, unknown> = {}) {
  const at = (over.received_at as Date | undefined) ?? ago(1);
  const id = await insertInteraction(app.db, creatorId, connectionId, {
    person_id: personId,
    username: personId,
    occurred_at: at,
    received_at: at,
    ...over,
  });
  if (!['comment', 'live_comment'].includes((over.kind as string | undefined) ?? 'comment')) {
    await setPerson(personId, { last_wrote_at: at });
  }
  return id;
}

async function setPerson(personId: string, values: Record<string, unknown>) {
  await app.db.engine
    .updateTable('people')
    .set(values)
    .where('creator_id', '=', creatorId)
    .where('id', '=', personId)
    .execute();
}

async function rows(table: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(table)} where creator_id = ${creatorId}`.execute(app.db.engine);
  return rows;
}

describe('the list', () => {
  test('is for members only, and knows nobody of other creators', async () => {
    await act('julia');
    expect((await app.visitor().call(contract.listContacts, { params: { creatorId } })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(contract.listContacts, { params: { creatorId } })).status).toBe(404);
    const own = (await stranger.createCreator()).id;
    const call = { params: { creatorId: own, contactId: `${connectionId}.julia` } };
    expect((await stranger.call(contract.getContact, call)).status).toBe(404);
    expect((await stranger.call(contract.eraseContact, call)).status).toBe(404);
    expect((await anna.call(contract.getContact, params('julia'))).status).toBe(200);
  });

  test('has commenters too, the latest first, and leaves out the account itself', async () => {
    await act('early', { received_at: ago(30) });
    await act('late', { received_at: ago(2) });
    await act('kitchen', { reason: 'own_comment', received_at: ago(1) });
    expect(await list()).toEqual(['late', 'early']);
    await act('early', { received_at: ago(1) });
    expect(await list()).toEqual(['early', 'late']);
  });

  test('says what somebody wrote last and what became of it, but no taps', async () => {
    await act('julia', { text: 'so good', outcome: 'skipped', reason: 'no_match', received_at: ago(3) });
    await act('julia', { text: `cookie ${'!'.repeat(500)}`, outcome: 'replied', reason: 'sent', received_at: ago(2) });
    await act('julia', { kind: 'button_tap', text: 'Yes please!', received_at: ago(1) });
    const { body } = await anna.call(contract.listContacts, { params: { creatorId } });
    const last = { kind: 'comment', text: `cookie ${'!'.repeat(193)}`, outcome: 'replied', reason: 'sent' };
    expect(body.items).toMatchObject([{ username: 'julia', last }]);
    expect((await contact('julia')).last).toEqual(last);
  });

  test('goes on page by page and loses none of those that came at the same moment', async () => {
    const at = ago(5);
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => act(name, { received_at: at })));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { body } = await anna.call(contract.listContacts, {
        params: { creatorId },
        query: { limit: 2, ...(after && { after }) },
      });
      seen.push(...body.items.map((one: { username: string }) => one.username));
      after = body.next ?? undefined;
    } while (after !== undefined);
    expect(seen.toSorted()).toEqual(names);
  });

  test('finds by the beginning of a handle, a name, its last word or an address; an exact handle comes first', async () => {
    await act('anna', { received_at: ago(9) });
    await act('anna.cooks', { received_at: ago(1) });
    await act('zoe_k');
    await setPerson('zoe_k', { name: 'Zoë  Anhalt Müller', name_key: nameKey('Zoë  Anhalt Müller') });
    await act('third');
    await setPerson('third', { email: 'annalena@example.test' });
    expect(await list({ search: '@Anna' })).toEqual(['anna', 'third', 'anna.cooks'].toSorted(byList('anna')));
    expect(await list({ search: 'zoe anh' })).toEqual(['zoe_k']);
    expect(await list({ search: 'MÜLLER' })).toEqual(['zoe_k']);
    expect(await list({ search: 'annalena@' })).toEqual(['third']);
    for (const nobody of ['%', '_', "'; drop table people; --", 'nul\u0000', '🍪', '😀'.slice(0, 1)]) {
      expect(await list({ search: nobody })).toEqual([]);
    }
  });

  test.each([
    ['rather few', 600],
    ['very many', 20_100],
  ])('finds %s who were here long ago, the latest first, page by page', async (_, many) => {
    await sql`
      insert into people (creator_id, connection_id, id, username, email, first_seen_at, last_seen_at)
      select ${creatorId}, ${connectionId}, 'p' || n, case when n > ${many} then 'new' else 'oldtimer' end || n,
        -- Whoever is found by two things is there once.
        case when n % 100 = 0 and n <= ${many} then 'oldtimer' || n || '@example.test' end,
        ${ago(1)}, ${ago(1)}::timestamptz - (${many + 10_200}::int - n) * interval '1 second'
      from generate_series(1, ${many + 10_200}::int) n
    `.execute(app.db.engine);
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 3; page++) {
      const query = { search: 'oldtimer', limit: 100, ...(after && { after }) };
      const { body } = await anna.call(contract.listContacts, { params: { creatorId }, query });
      seen.push(...body.items.map((one: { username: string }) => one.username));
      after = body.next ?? undefined;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => `oldtimer${many - index}`));
    expect(await list({ search: 'new', limit: 1 })).toEqual([`new${many + 10_200}`]);
    expect(await list({ search: 'oldtimer', filter: 'with_email', limit: 1 })).toEqual([
      `oldtimer${Math.floor(many / 100) * 100}`,
    ]);
  });

  test('is filtered by what is known of them', async () => {
    for (const name of ['mail', 'fan', 'passer', 'stop', 'mine', 'troll']) await act(name);
    await setPerson('mail', { email: 'm@example.test', follows: null });
    await setPerson('fan', { follows: true });
    await setPerson('passer', { follows: false });
    await setPerson('stop', { stopped_at: ago(1), follows: true });
    await setPerson('mine', { taken_over_until: new Date(app.clock.now().getTime() + 1000), follows: true });
    await setPerson('troll', { blocked_at: ago(1), taken_over_until: ago(1), follows: true });
    const filtered = async (filter: string) => (await list({ filter })).toSorted();
    expect(await filtered('with_email')).toEqual(['mail']);
    expect(await filtered('not_followers')).toEqual(['passer']);
    expect(await filtered('following_unknown')).toEqual(['mail']);
    expect(await filtered('followers')).toEqual(['fan', 'mine', 'stop', 'troll']);
    expect(await filtered('stopped')).toEqual(['stop']);
    expect(await filtered('taken_over')).toEqual(['mine']);
    expect(await filtered('blocked')).toEqual(['troll']);
    const automationId = systemIds.uuid(new Date());
    await app.db.engine
      .insertInto('answered_people')
      .values({
        creator_id: creatorId,
        automation_id: automationId,
        person_id: 'fan',
        interaction_id: systemIds.uuid(new Date()),
        answered_at: ago(1),
      })
      .execute();
    expect(await list({ automationId })).toEqual(['fan']);
  });

  /** The exact one, then by who was seen last. */
  function byList(first: string) {
    return (a: string, b: string) => Number(b === first) - Number(a === first) || 0;
  }
});

describe('one person', () => {
  test.each(['nobody', `${'0'.repeat(36)}.x`, "'", '018f0000-0000-7000-8000-000000000000.<script>'])(
    'is not found as %j',
    async (contactId) => {
      expect((await anna.call(contract.getContact, { params: { creatorId, contactId } })).status).toBe(404);
    },
  );

  test('comes with what they asked for and what may be done', async () => {
    await followers.automation(anna, account, { words: ['cookie'] });
    const { interactionId, personId } = await followers.ask(account, { text: 'COOKIE' });
    await chat('I never got the link!');
    const { asked: answer } = await contact(personId);
    expect(answer.interaction).toMatchObject({ id: interactionId, text: 'COOKIE' });
    expect(answer.help).toMatchObject({ action: 'send_message' });
  });

  test('is one in a chat that Meta calls by another id', async () => {
    const { control } = followers.simulator;
    await control.updateSettings({ switches: { commentFromIsScopedId: false } });
    const other = await followers.connect(creatorId, 1);
    await control.updateSettings({ switches: { commentFromIsScopedId: true } });
    connectionId = other.connectionId;
    await followers.automation(anna, other);
    const { personId } = await followers.ask(other);
    await chat('thank you', other);
    const { igsid } = other.followers[0]!;
    expect(igsid).not.toBe(personId);
    for (const id of [personId, igsid]) {
      expect((await timeline(id)).map((one: { what: string }) => one.what).toSorted()).toEqual([
        'interaction',
        'interaction',
        'message',
      ]);
      expect((await contact(id)).window.how).toBe('chat');
    }
  });

  test('has everything that happened in one list, newest first, page by page', async () => {
    const opening = { text: 'Want it?', buttonTitle: 'Yes please' };
    await followers.automation(anna, account, { opening });
    const { interactionId: comment, personId: julia, followerId } = await followers.ask(account);
    const minute = () => followers.advance(60_000);
    await minute();
    const { control } = followers.simulator;
    const { messages } = await control.thread(followerId, account.instagramAccountId);
    await control.tap({ personId: followerId, messageId: messages[0]!.messageId, button: 0 });
    await followers.webhooksArrived();
    await followers.advance(1000);
    await followers.work();
    await minute();
    const [, link] = await rows('deliveries');
    await followers.tap(link!.id as string);
    await minute();
    const id = () => systemIds.uuid(new Date());
    const own = { creator_id: creatorId };
    const db = app.db.engine;
    const theirs = { ...own, connection_id: connectionId, person_id: julia };
    await control.ownerMessage({ accountId: account.instagramAccountId, personId: followerId, text: 'Hi!' });
    await followers.work();
    await minute();
    await db
      .insertInto('consents')
      .values({
        ...theirs,
        ...{ id: id(), email: 'j@x.test', wording: 'Yes', place: 'instagram_message', agreed_at: app.clock.now() },
      })
      .execute();
    await minute();
    await chat('Hello');
    await minute();
    await anna.call(contract.takeOverContact, { ...params(julia), body: { minutes: null } });
    const all = await timeline(julia);
    expect(all.map((one: { what: string; from?: string }) => one.from ?? one.what)).toEqual([
      'change',
      'interaction',
      'consent',
      'app',
      'click',
      'automation',
      'interaction',
      'automation',
      'interaction',
    ]);
    expect(all[0]).toMatchObject({ change: 'taken_over', until: null, by: 'Anna' });
    expect(all[5].buttons).toEqual([{ title: 'Open', url: expect.stringContaining('/l/') }]);
    expect(all[7].buttons).toEqual([{ title: 'Yes please', url: null }]);
    expect(await timelineByPages(julia, 2)).toEqual(all);
    // The line of the activity list takes such buttons as well.
    expect((await anna.call(getInteraction, { params: { creatorId, interactionId: comment } })).status).toBe(200);
  });
});

describe('answering by hand', () => {
  test('is allowed for 24 hours after they wrote, then no more', async () => {
    await act('julia', { kind: 'direct_message', received_at: ago(23) });
    expect((await contact('julia')).window).toMatchObject({ how: 'chat' });
    expect((await write('julia', 'Hi Julia')).status).toBe(200);
    await setPerson('julia', { last_wrote_at: ago(24) });
    expect((await contact('julia')).window).toEqual({
      how: 'closed',
      until: null,
      says: 'Instagram lets you write again when they write to you.',
    });
    expect(await write('julia', 'Too late')).toMatchObject({ status: 409, body: { code: 'not_possible_now' } });
    expect(await rows('deliveries')).toHaveLength(1);
  });

  test('goes out as one message before all others, however often it is pressed, and takes them over', async () => {
    const wrote = await act('julia', { kind: 'direct_message' });
    const key = systemIds.uuid(new Date());
    queued.length = 0;
    const answers = await Promise.all([write('julia', 'Hi 🍪', key), write('julia', 'Hi 🍪', key)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [delivery, ...others] = await rows('deliveries');
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      id: key,
      kind: 'message',
      lane: 'messages',
      recipient: 'julia',
      interaction_id: wrote,
      state: 'queued',
      sent_by: anna.id,
      content: { text: 'Hi 🍪', buttons: [], reasonWhenSent: 'answered_by_you', byHand: true },
    });
    expect(queued).toContainEqual({ creatorId, connectionId });
    const until = new Date(app.clock.now().getTime() + 12 * 3_600_000).toISOString();
    expect((await contact('julia')).takenOver).toEqual({ until });
    expect((await timeline('julia'))[0]).toMatchObject({ what: expect.stringMatching(/change|message/) });
  });

  test('is one private answer to a comment while they have not written', async () => {
    const comment = await act('julia', { received_at: ago(30), platform_id: 'the-comment' });
    expect((await contact('julia')).window.how).toBe('private_reply');
    expect((await write('julia', 'Here you are')).status).toBe(200);
    expect(await rows('deliveries')).toMatchObject([
      { kind: 'private_reply', lane: 'private_replies', recipient: 'the-comment', interaction_id: comment },
    ]);
    expect((await contact('julia')).window.how).toBe('closed');
    expect((await write('julia', 'And more')).status).toBe(409);
  });

  test('is refused without a connection that works', async () => {
    await act('julia', { kind: 'direct_message' });
    await app.db.engine
      .updateTable('connections')
      .set({ requires_auth_at: ago(1) })
      .where('id', '=', connectionId)
      .execute();
    expect(await write('julia', 'Hi')).toMatchObject({ status: 409, body: { code: 'needs_reconnect' } });
  });

  test.each(['', '   ', 'é'.repeat(501), 'nul\u0000'])('refuses the text %j', async (text) => {
    await act('julia', { kind: 'direct_message' });
    expect(await write('julia', text)).toMatchObject({ status: 422, body: { errors: [{ path: 'text' }] } });
    expect(await rows('deliveries')).toEqual([]);
  });
});

describe('taking over', () => {
  test('lasts as long as chosen, or until handed back; pressed twice it is one event', async () => {
    await act('julia');
    const takeOver = (minutes: number | null) =>
      anna.call(contract.takeOverContact, { ...params('julia'), body: { minutes } });
    expect((await takeOver(60)).body.takenOver).toEqual({
      until: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
    });
    expect((await takeOver(null)).body.takenOver).toEqual({ until: null });
    await takeOver(null);
    expect((await anna.call(contract.handBackContact, params('julia'))).body.takenOver).toBeNull();
    await anna.call(contract.handBackContact, params('julia'));
    expect((await rows('contact_changes')).map(({ what }) => what)).toEqual([
      'taken_over',
      'taken_over',
      'handed_back',
    ]);
    expect((await takeOver(0)).status).toBe(422);
  });

  test('after an answer follows the setting', async () => {
    await act('julia', { kind: 'direct_message' });
    const setting = { params: { creatorId } };
    expect((await anna.call(contract.getAnsweringSettings, setting)).body).toEqual({ takeoverMinutes: 720 });
    await anna.call(contract.changeAnsweringSettings, { ...setting, body: { takeoverMinutes: null } });
    await write('julia', 'Hi');
    expect((await contact('julia')).takenOver).toEqual({ until: null });
  });

  test('blocking calls off what waits, but not what was written by hand', async () => {
    await followers.automation(anna, account);
    await chat('Hello');
    const { igsid } = account.followers[0]!;
    await write(igsid, 'A last word');
    await anna.call(contract.handBackContact, params(igsid));
    await followers.simulator.control.addFault({ match: { operation: 'message' }, action: LIMITED });
    const { interactionId: comment } = await followers.ask(account, { meets: LIMITED });
    expect((await anna.call(contract.blockContact, params(igsid))).body.blockedAt).not.toBeNull();
    const states = (await rows('deliveries')).map(({ sent_by, state }) => [sent_by === null, state]);
    expect(states.toSorted()).toEqual([
      [false, 'queued'],
      [true, 'cancelled'],
    ]);
    expect((await rows('interactions')).find(({ id }) => id === comment)).toMatchObject({
      outcome: 'skipped',
      reason: 'blocked',
    });
    expect((await anna.call(contract.unblockContact, params(igsid))).body.blockedAt).toBeNull();
  });
});

describe('erasing', () => {
  let julia: string;

  /** Everything that is held of a follower has the word "hush" in it. */
  async function fill() {
    account = await followers.addCreator({ creatorId, followers: [{ username: 'julia.hush' }], webhooks: true });
    ({ connectionId } = account);
    await followers.automation(anna, account, { messageText: 'Hi {{username}}' });
    const asked = await followers.ask(account, { text: 'pasta, hush words', meets: LIMITED });
    julia = asked.personId;
    await setPerson(julia, { last_seen_at: ago(2), first_seen_at: ago(2) });
    const comment = asked.interactionId;
    const theirs = { creator_id: creatorId, connection_id: connectionId, person_id: julia };
    const id = () => systemIds.uuid(new Date());
    await app.db.engine
      .insertInto('own_messages')
      .values({ ...theirs, platform_id: 'm_1', text: 'hush', sent_at: ago(1) })
      .execute();
    await app.db.engine
      .insertInto('consents')
      .values({
        ...theirs,
        id: id(),
        email: 'hush@x.test',
        wording: 'Yes please',
        place: 'instagram_message',
        agreed_at: ago(1),
      })
      .execute();
    await setPerson(julia, { name: 'Julia hush', email: 'hush@x.test', stopped_at: ago(1) });
    return comment;
  }

  test('is everything that is held, for them to have', async () => {
    await fill();
    const answer = await anna.call(contract.exportContact, params(julia));
    expect(answer.body).toMatchObject({
      format: 'creator-hq-contact',
      items: [
        { what: 'person', row: { name: 'Julia hush', email: 'hush@x.test' } },
        { what: 'interaction', row: { text: 'pasta, hush words' } },
        { what: 'message', row: { content: { text: 'Hi julia.hush' } } },
        { what: 'own_message', row: { text: 'hush' } },
        { what: 'consent', row: { wording: 'Yes please' } },
        { what: 'answered' },
      ],
      next: null,
    });
    expect(answer.headers['content-disposition']).toMatch(/attachment/);
  });

  test('leaves nothing of them in any table, sends nothing, and keeps the counts and a receipt', async () => {
    const comment = await fill();
    expect((await anna.call(contract.eraseContact, params(julia))).status).toBe(200);
    const { rows: tables } = await sql<{ name: string }>`
      select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'creator_id' and t.table_type = 'BASE TABLE'
    `.execute(app.db.engine);
    for (const { name } of tables) expect(JSON.stringify(await rows(name)), name).not.toMatch(/hush/);
    expect(await rows('interactions')).toMatchObject([{ id: comment, outcome: 'skipped', reason: 'erased' }]);
    expect(await rows('deliveries')).toMatchObject([{ state: 'cancelled' }]);
    expect(await rows('consents')).toMatchObject([{ wording: 'Yes please' }]);
    expect(await rows('erased_people')).toHaveLength(1);
    expect(await list()).toEqual([]);
    expect((await anna.call(contract.eraseContact, params(julia))).status).toBe(404);
  });

  test('is not undone by what comes late; who comes back is a new contact that still said STOP', async () => {
    await fill();
    await anna.call(contract.eraseContact, params(julia));
    const now = app.clock.now();
    const whose = { creator_id: creatorId, connection_id: connectionId, person_id: julia };
    const interaction = {
      ...whose,
      ...{ id: systemIds.uuid(now), kind: 'comment' as const, platform_id: 'late', post_id: null, parent_id: null },
      ...{ username: 'julia.hush', text: 'a late hush', occurred_at: ago(2), received_at: now },
      ...{ outcome: 'skipped' as const, reason: 'no_match' as const, outcome_at: now, waiting_until: null },
      ...{ automation_id: null, matched_words: [], found_by_reading: false, is_test: false },
    };
    const message = { ...whose, platform_id: 'm_2', text: 'hush', sent_at: ago(2) };
    await inTransaction(app.db.enginePool, async (trx) => {
      await insertDecisions(trx, [{ interaction, delivery: null }], new Set(), systemIds.uuid(now));
      expect(await saveOwnMessages(trx, [message], now)).toEqual(new Set());
    });
    expect(await list()).toEqual([]);
    expect(await rows('interactions')).toHaveLength(2);
    expect(JSON.stringify([await rows('interactions'), await rows('own_messages')])).not.toMatch(/hush/);

    await app.clock.advance(60_000);
    await act(julia, { username: 'julia.hush', received_at: app.clock.now(), text: 'Hello again' });
    expect(await list()).toEqual(['julia.hush']);
    expect((await contact(julia)).stoppedAt).not.toBeNull();
  });
});

// The last one: its engine takes over from that of the others.
describe('a long history', () => {
  test('has late answers, those that wait and those that everybody sees in their place on every page', async () => {
    const clock = createTestClock(ago(100 * 24));
    const simulator = await startMetaSimulator({ clock: clock.now(), seed: 'past' });
    const past = await createFollowers(app, { clock, simulator });
    const old = await past.connect(creatorId, 1);
    await past.addAutomation(old, { words: ['pasta'], publicReplies: ['Sent!'] });
    connectionId = old.connectionId;
    for (let day = 100; day > 0; day -= 9) {
      const fails = day % 2 === 0;
      const regainMinutes = (fails ? 3 : 6.5) * DAY_MINUTES;
      await past.ask(old, { person: 0, meets: { kind: 'rate_limited', regainMinutes } });
      if (day === 1) continue;
      if (fails) await past.simulator.control.addFault({ match: { operation: 'private_reply' }, action: UNREACHABLE });
      await past.advance(regainMinutes * 60_000);
      await past.work();
      await past.advance((9 * DAY_MINUTES - regainMinutes) * 60_000);
    }
    await past.close();
    await simulator.close();
    const julia = old.followers[0]!.igsid;
    const all = (await anna.call(contract.getContactTimeline, { ...params(julia), query: { limit: 100 } })).body.items;
    const states = new Set(all.map(({ state }: { state?: string }) => state));
    expect(states).toEqual(new Set([undefined, 'queued', 'sent', 'failed', 'expired']));
    expect(all).toHaveLength(27);
    for (const limit of [1, 4, 7]) expect(await timelineByPages(julia, limit)).toEqual(all);
  });
});
