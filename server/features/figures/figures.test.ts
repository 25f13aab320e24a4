import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAutomation, updateAutomation } from '#contract/automations.ts';
import { type Comparison, compareAgain, getComparison, getFigures } from '#contract/figures.ts';
import { systemIds } from '#server/clock.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { endSureComparisons } from './comparison.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let followers: Followers;
let account: WorldCreator;
let connectionId: string;
beforeAll(async () => {
  app = await createTestApp();
  followers = await createFollowers(app);
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  account = await followers.connect(creatorId, 220);
  ({ connectionId } = account);
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

const DAY_MS = 24 * 3_600_000;
const ago = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);
const figures = async (query: object = {}) => anna.call(getFigures, { params: { creatorId }, query });

describe('figures by day', () => {
  test.each([
    { from: '2026-02-01', to: '2026-01-01' },
    { from: '2020-01-01', to: '2026-01-01' },
    { from: 'yesterday' },
    { automationId: '01890000-0000-7000-8000-000000000001', postId: 'x' },
  ])('are refused for %j', async (query) => {
    expect(await figures(query)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  });

  test('count by the day on which the follower wrote, before and after they are added up', async () => {
    const automationId = await followers.automation(anna, account);
    const postId = account.posts[0]!.mediaId;
    const early = await followers.ask(account);
    await followers.advance(2 * DAY_MS);
    await followers.open(account, early);
    await followers.tap(early.deliveryId);
    for (let n = 0; n < 2; n++) await followers.ask(account);
    // Of another post, without an automation.
    await insertInteraction(app.db, creatorId, connectionId, { post_id: 'other', received_at: ago(0) });
    await app.db.engine
      .insertInto('consents')
      .values({
        creator_id: creatorId,
        id: systemIds.uuid(ago(0)),
        email: 'maya@example.test',
        wording: 'yes',
        place: 'instagram_message',
        automation_id: automationId,
        agreed_at: ago(0),
      })
      .execute();
    for (const rolledUp of [false, true]) {
      if (rolledUp) await rollUpCounts(app.db);
      const { body } = await figures({ automationId });
      expect(body.days).toHaveLength(30);
      expect(body.days.at(-1)).toMatchObject({ comments: 2, sent: 2, opened: 0, clicked: 0, addresses: 1 });
      expect(body.days.at(-3)).toMatchObject({ comments: 1, matched: 1, sent: 1, opened: 1, clicked: 1 });
      expect(body.total).toEqual({ comments: 3, matched: 3, sent: 3, opened: 1, clicked: 1, addresses: 1 });
      expect(body.usual).toMatchObject({ comments: 4, sent: 3 });
      expect((await figures({ postId })).body.total).toMatchObject({ comments: 3, clicked: 1 });
      expect((await figures({ postId: 'other' })).body.total).toMatchObject({ comments: 1, sent: 0 });
      expect((await figures()).body.total).toMatchObject({ comments: 4, addresses: 1 });
    }
  });
});

describe('wordings side by side', () => {
  let automationId: string;
  beforeAll(async () => {
    automationId = await followers.automation(anna, account, {
      words: ['soup'],
      variants: [{ id: 'b', text: 'Hi! Here it is' }],
    });
  });

  const comparison = async () => (await anna.call(getComparison, { params: { creatorId, automationId } })).body;
  const peopleIn = ({ wordings }: Comparison) => wordings.reduce((sum, { people }) => sum + people, 0);
  let asked = 0;

  /** They ask for soup; wordings take turns. @returns the messages, in the order of asking */
  async function ask(people: number) {
    for (let n = 0; n < people; n++) {
      const { personId } = account.followers[asked++]!;
      await followers.simulator.control.comment({ mediaId: account.posts[0]!.mediaId, personId, text: 'soup' });
    }
    await followers.work();
    const messages = await app.db.engine
      .selectFrom('deliveries')
      .select(['id', 'variant'])
      .where('automation_id', '=', automationId)
      .where('state', '=', 'sent')
      .orderBy('id', 'desc')
      .limit(people)
      .execute();
    return messages.toReversed();
  }

  /** So many people, half of them for each wording, of whom so many tap. */
  async function got(people: number, taps: { a: number; b: number }) {
    const messages = await ask(people);
    for (const variant of ['a', 'b'] as const) {
      const theirs = messages.filter((message) => message.variant === variant);
      expect(theirs).toHaveLength(people / 2);
      for (const { id } of theirs.slice(0, taps[variant])) await followers.tap(id);
    }
  }

  test('say that it is too early', async () => {
    await got(6, { a: 1, b: 2 });
    expect(await endSureComparisons(app.deps)).toBe(0);
    expect(await comparison()).toMatchObject({
      state: 'too_few',
      winner: null,
      needed: 100,
      wordings: [
        { id: 'a', text: 'Here', people: 3, clicked: 1 },
        { id: 'b', text: 'Hi! Here it is', people: 3, clicked: 2 },
      ],
    });
  });

  test('count a person once, for the wording they got first', async () => {
    const messages = [];
    for (let n = 0; n < 3; n++) {
      messages.push(...(await ask(1)));
      await followers.advance(1000);
      asked--;
    }
    asked++;
    expect(messages.map(({ variant }) => variant)).toEqual(['b', 'a', 'b']);
    for (const { id } of messages.slice(1)) await followers.tap(id);
    expect((await comparison()).wordings).toMatchObject([
      { people: 3, clicked: 1 },
      { people: 4, clicked: 3 },
    ]);
  });

  test('are not counted again while they are many, until a tenth more went out', async () => {
    await endSureComparisons(app.deps);
    const keep = (people: number, messages: number) =>
      app.db.engine
        .updateTable('automations')
        .set({
          variant_tried: JSON.stringify({
            tried: [
              { id: 'a', people, clicked: 9 },
              { id: 'b', people, clicked: 9 },
            ],
            messages,
          }),
        })
        .where('id', '=', automationId)
        .execute();
    const found = await comparison();
    await keep(50, 1000);
    expect((await comparison()).wordings).toEqual(found.wordings);
    await keep(50_000, 1000);
    await ask(1);
    await endSureComparisons(app.deps);
    expect((await comparison()).wordings[0]).toMatchObject({ people: 50_000, clicked: 9 });
    await keep(50_000, 0);
    await endSureComparisons(app.deps);
    expect(peopleIn(await comparison())).toBe(peopleIn(found) + 1);
  });

  test('end by themselves when it is sure, and can start over', async () => {
    await got(200, { a: 10, b: 60 });
    expect(await endSureComparisons(app.deps)).toBe(1);
    const ended = await comparison();
    expect(ended).toMatchObject({ state: 'decided', winner: 'b', decidedAt: app.clock.now().toISOString() });
    app.clock.advance(60_000);
    const again = await anna.call(compareAgain, { params: { creatorId, automationId } });
    expect(again).toMatchObject({ status: 200, body: { state: 'too_few', winner: null } });
    expect(again.body.wordings[0]).toMatchObject({ people: 0 });
  });

  test('start over with another wording or first text, and with nothing else', async () => {
    const decided = { variant_winner: 'b', variant_looks: 2, variant_decided_at: app.clock.now() };
    const of = (body: object) => ({ ...body, variants: [{ id: 'b', text: 'Hi! Here it is' }] });
    const made = await anna.call(createAutomation, {
      params: { creatorId },
      body: of(automationInput(connectionId, { messageText: 'First' })) as never,
    });
    const params = { creatorId, automationId: made.body.id };
    const rowAfter = async (change: object, version: number) => {
      await app.db.engine.updateTable('automations').set(decided).where('id', '=', made.body.id).execute();
      app.clock.advance(60_000);
      const body = { ...of(automationInput(connectionId, { messageText: 'First' })), ...change, version } as never;
      expect(await anna.call(updateAutomation, { params, body })).toMatchObject({ status: 200 });
      return app.db.engine
        .selectFrom('automations')
        .select(['variant_winner', 'variant_looks', 'variant_decided_at', 'variants_since'])
        .where('id', '=', made.body.id)
        .executeTakeFirstOrThrow();
    };
    const startedOver = () => ({
      ...{ variant_winner: null, variant_looks: 0, variant_decided_at: null },
      variants_since: app.clock.now(),
    });
    expect(await rowAfter({ name: 'Another name' }, 1)).toMatchObject(decided);
    expect(await rowAfter({ messageText: 'Another' }, 2)).toEqual(startedOver());
    const variants = [{ id: 'c', text: 'Yet another' }];
    expect(await rowAfter({ messageText: 'Another', variants }, 3)).toEqual(startedOver());
  });

  test('cannot start over where there is one only', async () => {
    const other = await anna.call(createAutomation, { params: { creatorId }, body: automationInput(connectionId) });
    const params = { creatorId, automationId: other.body.id };
    expect(await anna.call(compareAgain, { params })).toMatchObject({
      status: 409,
      body: { code: 'not_possible_now' },
    });
  });
});
