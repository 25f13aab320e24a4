import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getInteraction, listInteractions, resend } from '#contract/interactions.ts';
import { deliveryIdOf } from '#server/engine/deciding/tracked-url.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { insertConnection, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { conditionsOf, type InteractionFilter } from './interaction-filter.ts';

/** Meta takes no message like this one. */
const REJECTED = { kind: 'error', code: 100 } as const;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let automationId: string;
let followers: Followers;
let account: WorldCreator;
const queued: { creatorId: string; connectionId: string }[] = [];

beforeAll(async () => {
  app = await createTestApp({
    deps: {
      deliveriesQueued: (change) => {
        queued.push(change);
      },
    },
  });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app);
  account = await followers.connect(creatorId, 9);
  ({ connectionId } = account);
  automationId = await followers.automation(anna, account, {
    messageText: 'Hi {{username}}, here is {{word}}',
    buttons: [{ title: 'Recipe', url: 'https://example.test/pasta' }],
  });
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

const list = (query: object = {}, who: Person = anna) =>
  who.call(listInteractions, { params: { creatorId }, query: query as never });
const idsOf = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map((item) => item.id);
const comment = (over: object = {}) => insertInteraction(app.db, creatorId, connectionId, over);
const get = (id: string) => anna.call(getInteraction, { params: { creatorId, interactionId: id } });
const sendAgain = (id: string) => anna.call(resend, { params: { creatorId, interactionId: id } });

/** Counted from the clock of the test, which stands still. */
const ago = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000);

describe('the activity list', () => {
  test('is for members only', async () => {
    const id = await comment();
    expect((await app.visitor().call(listInteractions, { params: { creatorId } })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await list({}, stranger)).status).toBe(404);
    const own = (await stranger.createCreator()).id;
    const call = { params: { creatorId: own, interactionId: id } };
    expect((await stranger.call(getInteraction, call)).status).toBe(404);
    expect((await stranger.call(resend, call)).status).toBe(404);
  });

  test('goes on page by page and loses none of those that came at the same moment', async () => {
    const at = ago(2000);
    const ids = await Promise.all(Array.from({ length: 5 }, () => comment({ person_id: 'same', received_at: at })));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await list({ personId: 'same', limit: 2, ...(after && { after }) });
      seen.push(...idsOf(page));
      after = page.body.next ?? undefined;
    } while (after !== undefined);
    expect(seen.sort()).toEqual(ids.sort());
  });

  test.each(['nonsense', 'WyIyMDI2LTExLTIxIDAxOjAwOjAwKzAwIiwibm90LWEtdXVpZCJd'])(
    'refuses to go on from %s',
    async (after) => {
      expect((await list({ after })).status).toBe(422);
    },
  );

  test('is filtered by post, outcome, automation and the beginning of a handle', async () => {
    await insertPost(app.db, creatorId, connectionId, { id: 'reel', picture_url: 'https://example.test/p.jpg' });
    const failed = await comment({ post_id: 'reel', outcome: 'failed', reason: 'gave_up', username: 'julia.bakes' });
    const sent = await comment({
      post_id: 'reel',
      outcome: 'replied',
      reason: 'sent',
      automation_id: automationId,
      matched_words: ['pasta'],
      username: 'julia_cooks',
    });
    const own = await comment({ post_id: 'reel', reason: 'own_comment', username: 'kitchen' });
    expect(idsOf(await list({ postId: 'reel' })).sort()).toEqual([failed, sent].sort());
    expect(idsOf(await list({ postId: 'reel', from: 'all' })).sort()).toEqual([failed, sent, own].sort());
    expect(idsOf(await list({ postId: 'reel', outcome: 'failed' }))).toEqual([failed]);
    expect(idsOf(await list({ automationId }))).toEqual([sent]);
    expect(idsOf(await list({ handle: '@JULIA' })).sort()).toEqual([failed, sent].sort());
    expect(idsOf(await list({ handle: 'julia_' }))).toEqual([sent]);
    expect(idsOf(await list({ handle: '%' }))).toEqual([]);
    const [row] = (await list({ automationId })).body.items;
    expect(row).toMatchObject({
      automationName: 'Pasta',
      postPictureUrl: 'https://example.test/p.jpg',
      matchedWords: ['pasta'],
      says: 'The message was sent.',
    });
    expect((await list({ postId: 'nul\u0000' })).status).toBe(422);
  });

  test('shows sent, opened and tapped, and says until when a comment waits', async () => {
    const sent = await followers.ask(account);
    await followers.open(account, sent);
    await followers.advance(60_000);
    const waiting = await followers.ask(account, { meets: { kind: 'rate_limited', regainMinutes: 12 } });
    const items = (await list({ postId: account.posts[0]!.mediaId })).body.items;
    const byId = new Map(items.map((item: { id: string }) => [item.id, item]));
    expect(byId.get(sent.interactionId)).toMatchObject({
      sentAt: expect.any(String),
      readAt: expect.any(String),
      clickedAt: null,
    });
    expect(byId.get(waiting.interactionId)).toMatchObject({
      says: expect.stringMatching(/Expected in about 12 minutes\.$/),
    });
    // Else it would meet what Meta answers in the next test.
    await followers.advance(12 * 60_000);
    await followers.work();
  });

  test('every filter finds its rows by an index, among many of them', async () => {
    const busy = (await (await app.signUpAndIn()).createCreator()).id;
    await sql`
      insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, person_id, username, text,
        occurred_at, received_at, outcome, reason, automation_id, outcome_at)
      select ${busy}, gen_random_uuid(), ${connectionId}, 'comment', 'many-' || n, 'post-' || n % 200, 'person-' || n % 5000,
        'user' || n % 5000, 'pasta', at, at, case when n % 500 = 0 then 'failed' else 'skipped' end, 'no_match',
        ('00000000-0000-7000-8000-0000000' || lpad((n % 200)::text, 5, '0'))::uuid, at
      from generate_series(1, 20000) n, lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) as t
    `.execute(app.db.engine);
    await sql`
      insert into people (creator_id, connection_id, id, username, first_seen_at, last_seen_at)
      select ${busy}, ${connectionId}, 'person-' || n, 'user' || n, now(), now() from generate_series(0, 4999) n
    `.execute(app.db.engine);
    await sql`analyze interactions, people`.execute(app.db.engine);
    const found = (filter: InteractionFilter) => sql.join(conditionsOf(busy, { ...filter, from: 'all' }), sql` and `);
    const filters = {
      post_id: found({ postId: 'post-7' }),
      person_id: found({ personId: 'person-7' }),
      listed_as: found({ outcome: 'failed' }),
      kind: found({ kind: 'story_mention' }),
      automation_id: found({ automationId: '00000000-0000-7000-8000-000000000007' }),
      username: found({ handle: 'user777' }),
      received_at: sql`i.creator_id = ${busy}
        and (received_at, id) < ('2026-01-02'::timestamptz, '00000000-0000-7000-8000-000000000007'::uuid)`,
    };
    for (const [column, filter] of Object.entries(filters)) {
      const plan = await app.db.withCreator(busy, async (trx) => {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain select * from interactions i where ${filter}
          order by received_at desc, id desc limit 50
        `.execute(trx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toMatch(new RegExp(`Index Cond: .*${column}`));
    }
  });
});

describe('sending again', () => {
  test('goes as the private answer while none has gone out and the comment is young', async () => {
    const asked = await followers.ask(account, { meets: REJECTED });
    const id = asked.interactionId;
    await followers.advance(24 * 3_600_000);
    expect((await get(id)).body.help).toMatchObject({ action: 'resend_private_reply' });

    const answers = await Promise.all([sendAgain(id), sendAgain(id), sendAgain(id)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    expect(answers.find((answer) => answer.status === 200)!.body).toMatchObject({
      outcome: 'waiting',
      reason: 'queued',
    });
    expect(queued).toContainEqual({ creatorId, connectionId });

    const { deliveries, help, occurredAt, username } = (await get(id)).body;
    expect(help.action).toBe('wait');
    expect(deliveries).toHaveLength(2);
    expect(deliveries[1]).toMatchObject({
      kind: 'private_reply',
      state: 'queued',
      text: `Hi ${username}, here is pasta`,
      expiresAt: new Date(Date.parse(occurredAt) + 7 * 86_400_000).toISOString(),
    });
    expect(deliveryIdOf(deliveries[1].buttons[0].url.split('/').at(-1))).toBe(deliveries[1].id);
    const row = await app.db.engine
      .selectFrom('deliveries')
      .select(['lane', 'priority', 'recipient'])
      .where('id', '=', deliveries[1].id)
      .executeTakeFirst();
    expect(row).toEqual({ lane: 'private_replies', priority: 10, recipient: asked.commentId });
  });

  test('says it in the wording and language that the person was to get, with the card and their name', async () => {
    const other = await followers.connect(creatorId);
    const card = { title: 'Pasta', subtitle: '', imageUrl: 'https://example.test/pasta.jpg' };
    await followers.automation(anna, other, {
      messageText: 'Hi {{first_name}}',
      card,
      variants: [{ id: 'b', text: 'Hello {{first_name}}' }],
      translations: [{ language: 'es', words: ['receta'], messageText: 'Hola {{first_name}}', publicReplies: [] }],
    });
    const failed = async (text: string, name: string) => {
      const asked = await followers.ask(other, { text, meets: REJECTED });
      await app.db.engine.updateTable('people').set({ name }).where('id', '=', asked.personId).execute();
      await sendAgain(asked.interactionId);
      const [first, again] = await app.db.engine
        .selectFrom('deliveries')
        .select(['variant', 'content'])
        .where('interaction_id', '=', asked.interactionId)
        .orderBy('id')
        .execute();
      return { variant: first!.variant, content: again!.content };
    };
    expect((await failed('receta', 'Lucía')).content).toMatchObject({
      text: 'Hola Lucía',
      card: { title: 'Pasta', subtitle: 'Hola Lucía' },
      language: 'es',
    });
    // The wordings take turns.
    const both = [await failed('pasta', 'Otto'), await failed('pasta', 'Otto')];
    expect(both.toSorted((a, b) => a.variant!.localeCompare(b.variant!))).toMatchObject([
      { variant: 'a', content: { text: 'Hi Otto' } },
      { variant: 'b', content: { text: 'Hello Otto' } },
    ]);
  });

  test('goes into the chat while they wrote within 24 hours, to the person of the conversation', async () => {
    const { control } = followers.simulator;
    await control.updateSettings({ switches: { commentFromIsScopedId: false } });
    const other = await followers.connect(creatorId);
    await followers.automation(anna, other);
    const { interactionId: id, personId, followerId } = await followers.ask(other);
    const { igsid } = other.followers[0]!;
    expect(igsid).not.toBe(personId);
    expect((await get(id)).body.help).toMatchObject({
      action: 'ask_to_comment',
      likely: expect.stringContaining('message requests'),
    });
    expect((await sendAgain(id)).body).toMatchObject({ code: 'not_possible_now' });

    const wroteAt = app.clock.now();
    await control.directMessage({ accountId: other.instagramAccountId, personId: followerId, text: 'Where is it?' });
    await followers.work();
    await followers.advance(20 * 3_600_000);
    expect((await get(id)).body.help.action).toBe('send_message');
    expect((await sendAgain(id)).status).toBe(200);
    const row = await app.db.engine
      .selectFrom('deliveries')
      .select(['lane', 'kind', 'recipient', 'expires_at'])
      .where('interaction_id', '=', id)
      .where('state', '=', 'queued')
      .executeTakeFirst();
    expect(row).toMatchObject({ lane: 'messages', kind: 'message', recipient: igsid });
    expect(row!.expires_at.getTime()).toBe(wroteAt.getTime() + 86_400_000);
  });

  test('is refused with the way out while the account must be reconnected', async () => {
    const other = await insertConnection(app.db, creatorId, { requires_auth_at: new Date() });
    const id = await insertInteraction(app.db, creatorId, other, {
      outcome: 'failed',
      reason: 'gave_up',
      automation_id: automationId,
    });
    expect((await sendAgain(id)).body).toMatchObject({
      code: 'needs_reconnect',
      detail: expect.stringContaining('Reconnect'),
    });
  });

  test('does not exist for what does not exist', async () => {
    const unknown = '01890000-0000-7000-8000-000000000000';
    expect((await sendAgain(unknown)).status).toBe(404);
    expect((await get(unknown)).status).toBe(404);
    expect((await get('not-an-id')).status).toBe(422);
  });
});
