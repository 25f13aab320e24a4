import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '#contract/contacts.ts';
import { getInteraction } from '#contract/interactions.ts';
import { systemIds } from '#server/clock.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { insertDecisions } from '#server/engine/outcomes/decisions.ts';
import { saveOwnMessages } from '#server/engine/people-store.ts';
import { insertConnection, insertDelivery, insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { nameKey } from './contacts.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
const queued: unknown[] = [];

beforeAll(async () => {
  app = await createTestApp({ deps: { deliveriesQueued: (change) => void queued.push(change) } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
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

  test('is filtered by what is known of her', async () => {
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

  test('comes with what she asked for and what may be done', async () => {
    const asked = await act('julia', { outcome: 'replied', reason: 'sent', text: 'COOKIE' });
    await insertDelivery(app.db, creatorId, connectionId, asked);
    await act('julia', { kind: 'direct_message', reason: 'direct_message', text: 'I never got the link!' });
    const { asked: answer } = await contact('julia');
    expect(answer.interaction).toMatchObject({ id: asked, text: 'COOKIE' });
    expect(answer.help).toMatchObject({ action: 'send_message' });
  });

  test('is one in a chat that Meta calls by another id', async () => {
    const asked = await act('commenter', { outcome: 'replied', reason: 'sent' });
    await insertDelivery(app.db, creatorId, connectionId, asked, { recipient_person_id: 'in-chat' });
    await act('in-chat', { kind: 'direct_message', username: null, text: 'thank you' });
    for (const id of ['commenter', 'in-chat']) {
      expect((await timeline(id)).map((one: { what: string }) => one.what).toSorted()).toEqual([
        'interaction',
        'interaction',
        'message',
      ]);
      expect((await contact(id)).window.how).toBe('chat');
    }
  });

  test('has late answers, those that wait and those that everybody sees in their place on every page', async () => {
    const days = (count: number) => ago(count * 24);
    for (let day = 100; day > 0; day -= 9) {
      const comment = await act('julia', { received_at: days(day) });
      const answer = (values: Record<string, unknown>) =>
        insertDelivery(app.db, creatorId, connectionId, comment, { created_at: days(day), ...values });
      await answer({ finished_at: days(day - 6.5), recipient_person_id: 'julia' });
      await answer({ kind: 'public_reply', finished_at: days(day - 0.9) });
      await answer({ state: 'failed', finished_at: days(day - 3), failure_reason: 'person_unavailable' });
    }
    const all = (await anna.call(contract.getContactTimeline, { ...params('julia'), query: { limit: 100 } })).body
      .items;
    expect(all).toHaveLength(48);
    for (const limit of [1, 4, 7]) expect(await timelineByPages('julia', limit)).toEqual(all);
  });

  test('has everything that happened in one list, newest first, page by page', async () => {
    const comment = await act('julia', { received_at: ago(5), outcome: 'replied', reason: 'sent' });
    const delivery = await insertDelivery(app.db, creatorId, connectionId, comment, {
      created_at: ago(5),
      finished_at: ago(4.9),
      content: JSON.stringify({
        text: 'Here',
        buttons: [
          { title: 'Open', url: 'https://x.test' },
          { title: 'I follow', payload: 'go:1' },
        ],
      }),
    });
    const id = () => systemIds.uuid(new Date());
    const own = { creator_id: creatorId };
    const db = app.db.engine;
    await db
      .updateTable('deliveries')
      .set({ clicked_at: ago(4) })
      .where('id', '=', delivery)
      .execute();
    const click = { ...own, id: id(), link_id: id(), delivery_id: delivery, clicked_at: ago(4) };
    await db
      .insertInto('clicks')
      .values([click, { ...click, id: id(), not_counted_because: 'bot' }])
      .execute();
    const hers = { ...own, connection_id: connectionId, person_id: 'julia' };
    await db
      .insertInto('own_messages')
      .values({ ...hers, platform_id: `m_${'x'.repeat(150)}`, text: 'Hi!', sent_at: ago(3) })
      .execute();
    await db
      .insertInto('consents')
      .values({ ...hers, id: id(), email: 'j@x.test', wording: 'Yes', place: 'instagram_message', agreed_at: ago(2) })
      .execute();
    await act('julia', { kind: 'direct_message', received_at: ago(1), reason: 'direct_message', text: 'Hello' });
    await anna.call(contract.takeOverContact, { ...params('julia'), body: { minutes: null } });
    const all = await timeline('julia');
    expect(all.map((one: { what: string; from?: string }) => one.from ?? one.what)).toEqual([
      'change',
      'interaction',
      'consent',
      'app',
      'click',
      'automation',
      'interaction',
    ]);
    expect(all[0]).toMatchObject({ change: 'taken_over', until: null, by: 'Anna' });
    expect(all[5].buttons).toEqual([
      { title: 'Open', url: 'https://x.test' },
      { title: 'I follow', url: null },
    ]);
    expect(await timelineByPages('julia', 2)).toEqual(all);
    // The line of the activity list takes such buttons as well.
    expect((await anna.call(getInteraction, { params: { creatorId, interactionId: comment } })).status).toBe(200);
  });
});

describe('answering by hand', () => {
  test('is allowed for 24 hours after she wrote, then no more', async () => {
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

  test('goes out as one message before all others, however often it is pressed, and takes her over', async () => {
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

  test('is one private answer to a comment while she has not written', async () => {
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
    await act('julia', { kind: 'direct_message' });
    await write('julia', 'A last word');
    const comment = await act('julia', { outcome: 'waiting', reason: 'queued' });
    await insertDelivery(app.db, creatorId, connectionId, comment, { state: 'queued' });
    expect((await anna.call(contract.blockContact, params('julia'))).body.blockedAt).not.toBeNull();
    const states = (await rows('deliveries')).map(({ sent_by, state }) => [sent_by === null, state]);
    expect(states.toSorted()).toEqual([
      [false, 'queued'],
      [true, 'cancelled'],
    ]);
    expect((await rows('interactions')).find(({ id }) => id === comment)).toMatchObject({
      outcome: 'skipped',
      reason: 'blocked',
    });
    expect((await anna.call(contract.unblockContact, params('julia'))).body.blockedAt).toBeNull();
  });
});

describe('erasing', () => {
  async function fill() {
    const comment = await act('julia-secret', {
      text: 'secret words',
      platform_id: 'comment-1',
      outcome: 'waiting',
      reason: 'queued',
    });
    await insertDelivery(app.db, creatorId, connectionId, comment, {
      state: 'queued',
      recipient: 'comment-1',
      content: JSON.stringify({ text: 'Hi secret', buttons: [] }),
    });
    const hers = { creator_id: creatorId, connection_id: connectionId, person_id: 'julia-secret' };
    const id = () => systemIds.uuid(new Date());
    await app.db.engine
      .insertInto('own_messages')
      .values({ ...hers, platform_id: 'm_1', text: 'secret', sent_at: ago(1) })
      .execute();
    await app.db.engine
      .insertInto('consents')
      .values({
        ...hers,
        id: id(),
        email: 'secret@x.test',
        wording: 'Yes please',
        place: 'instagram_message',
        agreed_at: ago(1),
      })
      .execute();
    await setPerson('julia-secret', { name: 'Julia secret', email: 'secret@x.test', stopped_at: ago(1) });
    return comment;
  }

  test('is everything that is held, for her to have', async () => {
    await fill();
    const answer = await anna.call(contract.exportContact, params('julia-secret'));
    expect(answer.body).toMatchObject({
      format: 'creator-hq-contact',
      items: [
        { what: 'person', row: { name: 'Julia secret', email: 'secret@x.test' } },
        { what: 'interaction', row: { text: 'secret words' } },
        { what: 'message', row: { content: { text: 'Hi secret' } } },
        { what: 'own_message', row: { text: 'secret' } },
        { what: 'consent', row: { wording: 'Yes please' } },
      ],
      next: null,
    });
    expect(answer.headers['content-disposition']).toMatch(/attachment/);
  });

  test('leaves nothing of her in any table, sends nothing, and keeps the counts and a receipt', async () => {
    const comment = await fill();
    expect((await anna.call(contract.eraseContact, params('julia-secret'))).status).toBe(200);
    const { rows: tables } = await sql<{ name: string }>`
      select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'creator_id' and t.table_type = 'BASE TABLE'
    `.execute(app.db.engine);
    for (const { name } of tables) expect(JSON.stringify(await rows(name)), name).not.toMatch(/secret/);
    expect(await rows('interactions')).toMatchObject([{ id: comment, outcome: 'skipped', reason: 'erased' }]);
    expect(await rows('deliveries')).toMatchObject([{ state: 'cancelled' }]);
    expect(await rows('consents')).toMatchObject([{ wording: 'Yes please' }]);
    expect(await rows('erased_people')).toHaveLength(1);
    expect(await list()).toEqual([]);
    expect((await anna.call(contract.eraseContact, params('julia-secret'))).status).toBe(404);
  });

  test('is not undone by what comes late; who comes back is a new contact that still said STOP', async () => {
    await fill();
    await anna.call(contract.eraseContact, params('julia-secret'));
    const now = app.clock.now();
    const whose = { creator_id: creatorId, connection_id: connectionId, person_id: 'julia-secret' };
    const interaction = {
      ...whose,
      ...{ id: systemIds.uuid(now), kind: 'comment' as const, platform_id: 'late', post_id: null, parent_id: null },
      ...{ username: 'julia-secret', text: 'a late secret', occurred_at: ago(2), received_at: now },
      ...{ outcome: 'skipped' as const, reason: 'no_match' as const, outcome_at: now, waiting_until: null },
      ...{ automation_id: null, matched_words: [], found_by_reading: false },
    };
    const message = { ...whose, platform_id: 'm_2', text: 'secret', sent_at: ago(2) };
    await inTransaction(app.db.enginePool, async (trx) => {
      await insertDecisions(trx, [{ interaction, delivery: null }], new Set(), systemIds.uuid(now));
      expect(await saveOwnMessages(trx, [message], now)).toEqual(new Set());
    });
    expect(await list()).toEqual([]);
    expect(await rows('interactions')).toHaveLength(2);
    expect(JSON.stringify([await rows('interactions'), await rows('own_messages')])).not.toMatch(/secret/);

    await app.clock.advance(60_000);
    await act('julia-secret', { received_at: app.clock.now(), text: 'Hello again' });
    expect(await list()).toEqual(['julia-secret']);
    expect((await contact('julia-secret')).stoppedAt).not.toBeNull();
  });
});
