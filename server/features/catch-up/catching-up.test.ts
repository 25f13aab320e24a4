import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Engine } from '#server/engine/engine.ts';
import {
  type AutomationGiven,
  createEngineWorld,
  type EngineWorld,
  type WorldCreator,
} from '#server/engine/testing/engine-world.ts';
import { insertInteraction, insertPost } from '#server/testing/rows.ts';
import { AskingReadings } from './asked.ts';
import * as catchUp from './catching-up.ts';
import { missedWords } from './misses.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: EngineWorld;
let engine: Engine;
let deps: catchUp.CatchUpDeps;
let userId: string;
beforeAll(async () => {
  world = await createEngineWorld();
  engine = await world.startEngine();
  const { limits } = readConfig({});
  deps = { ...world, config: { limits, baseUrl: 'https://hq.example.com' } };
  userId = world.ids.uuid(world.clock.now());
  await world.db.enginePool.query(
    `insert into users (id, name, email, email_verified) values ($1, 'Anna', 'anna@example.test', true)`,
    [userId],
  );
});
afterAll(() => world.close());

/** A creator whose post got comments before anything listened. */
async function creatorWithComments(texts: string[]) {
  const creator = await world.addCreator();
  const postId = creator.posts[0]!.mediaId;
  await insertPost(world.db, creator.creatorId, creator.connectionId, { id: postId, caption: 'Comment RECIPE' });
  engine.automationsChanged(creator.creatorId);
  const ids: string[] = [];
  for (const [person, text] of texts.entries()) {
    ids.push(await commentOf(creator, text, person));
    await world.advance(1000);
  }
  return { creator, postId, ids };
}

async function commentOf(creator: WorldCreator, text: string, person: number) {
  const comment = await world.comment(creator, { text, person });
  await world.deliver(comment);
  await world.settle(engine, MINUTE_MS);
  return comment.id;
}

async function automate(creator: WorldCreator, given: AutomationGiven = {}) {
  await world.addAutomation(creator, given);
  engine.automationsChanged(creator.creatorId);
}

const readings = new AskingReadings();
const preview = (creator: WorldCreator, postId: string | null = null) =>
  catchUp.preview(deps, readings, { creatorId: creator.creatorId, postId });

async function start(creator: WorldCreator, postId: string | null, batchId = world.ids.uuid(world.clock.now())) {
  const { connectionIds } = await catchUp.start(deps, { creatorId: creator.creatorId, postId }, { batchId, userId });
  for (const connectionId of connectionIds) engine.deliveriesQueued(creator.creatorId, connectionId);
  return batchId;
}

const stateOf = (creator: WorldCreator, batchId: string) =>
  world.db.withCreator(creator.creatorId, (trx) => catchUp.get(trx, creator.creatorId, batchId));

async function sentTo(ids: string[]) {
  return (await world.simulator.control.deliveries(ids)).map(({ privateReplies }) => privateReplies);
}

describe('a catch-up', () => {
  test('names those who asked before the automation was on, and sends to each of them once', async () => {
    const { creator, postId, ids } = await creatorWithComments(['recipe please', 'RECIPE', 'lovely!']);
    expect((await preview(creator, postId)).people).toBe(0);
    await automate(creator);
    const before = await preview(creator, postId);
    expect(before).toMatchObject({ people: 2, expiring: 0, leftOut: { haveIt: 0, unwanted: 0 } });
    expect(before.first.map(({ text }) => text)).toEqual(['recipe please', 'RECIPE']);
    expect(Date.parse(before.doneAt!)).toBe(world.clock.now().getTime());
    expect((await preview(creator)).posts).toEqual([
      { postId, caption: 'Comment RECIPE', pictureUrl: null, people: 2 },
    ]);

    const batchId = await start(creator, postId);
    expect(await stateOf(creator, batchId)).toMatchObject({ people: 2, waiting: 2, sent: 0 });
    await start(creator, postId, batchId);
    await world.settle(engine, MINUTE_MS);
    expect(await stateOf(creator, batchId)).toMatchObject({ people: 2, waiting: 0, sent: 2 });
    expect(await sentTo(ids)).toEqual([1, 1, 0]);
    expect((await preview(creator, postId)).people).toBe(0);
  });

  test('answers the newest comment of a person only, and nobody who has it, wrote STOP, is blocked or taken over', async () => {
    const { creator, postId } = await creatorWithComments([]);
    const earlier = await commentOf(creator, 'recipe?', 0);
    await world.advance(MINUTE_MS);
    const newest = await commentOf(creator, 'recipe!!', 0);
    for (const person of [1, 2, 3]) await commentOf(creator, 'recipe', person);
    await world.comment(creator, { text: 'recipe', by: 'owner' }).then((own) => world.deliver(own));
    await world.settle(engine, MINUTE_MS);
    await automate(creator);
    const answered = await commentOf(creator, 'recipe, again', 4);
    const rows = await world.db.engine
      .selectFrom('interactions')
      .select('person_id')
      .where('creator_id', '=', creator.creatorId)
      .where('text', '=', 'recipe')
      .where('reason', '=', 'no_automation')
      .orderBy('id')
      .execute();
    const states = [
      { stopped_at: world.clock.now() },
      { blocked_at: world.clock.now() },
      { taken_over_until: new Date(world.clock.now().getTime() + DAY_MS) },
    ];
    for (const [index, state] of states.entries()) {
      const key = { creator_id: creator.creatorId, connection_id: creator.connectionId, id: rows[index]!.person_id };
      await world.db.engine
        .insertInto('people')
        .values({ ...key, first_seen_at: world.clock.now(), ...state })
        .onConflict((conflict) => conflict.columns(['creator_id', 'connection_id', 'id']).doUpdateSet(state))
        .execute();
    }
    const before = await preview(creator, postId);
    expect(before.first.map(({ text }) => text)).toEqual(['recipe!!']);
    expect(before.leftOut).toEqual({ haveIt: 0, unwanted: 3 });
    const batchId = await start(creator, postId);
    await world.settle(engine, MINUTE_MS);
    expect(await stateOf(creator, batchId)).toMatchObject({ people: 1, sent: 1 });
    expect(await sentTo([earlier, newest, answered])).toEqual([0, 1, 1]);
    // The earlier comment asked for what they have now.
    expect(await preview(creator, postId)).toMatchObject({ people: 0, leftOut: { haveIt: 1, unwanted: 3 } });
  });

  test('leaves out comments whose seven days are over', async () => {
    const { creator, postId } = await creatorWithComments(['recipe']);
    await world.advance(7 * DAY_MS - 6 * MINUTE_MS);
    await automate(creator);
    expect((await preview(creator, postId)).people).toBe(1);
    await world.advance(2 * MINUTE_MS);
    expect((await preview(creator, postId)).people).toBe(0);
  });

  test('can be taken back as far as it has not left, and started again', async () => {
    const { creator, postId, ids } = await creatorWithComments(['recipe', 'recipe']);
    await automate(creator);
    const batchId = await start(creator, null);
    const cancelled = await world.db.withCreator(creator.creatorId, (trx) =>
      catchUp.cancel(deps, trx, creator.creatorId, batchId),
    );
    expect(cancelled).toMatchObject({ people: 2, waiting: 0, cancelled: 2, sent: 0 });
    await world.settle(engine, MINUTE_MS);
    expect(await sentTo(ids)).toEqual([0, 0]);
    expect((await preview(creator, postId)).people).toBe(2);
    const again = await start(creator, null);
    await world.settle(engine, MINUTE_MS);
    expect(await stateOf(creator, again)).toMatchObject({ people: 2, sent: 2 });
    expect(await sentTo(ids)).toEqual([1, 1]);
  });

  test('is told of with every comment that comes or goes, and with every change of words', async () => {
    const { creator, postId } = await creatorWithComments(['recipe', 'cake', 'lovely!']);
    await automate(creator, { words: ['recipe'] });
    const people = async () => {
      const found = await Promise.all([preview(creator), preview(creator, postId)]);
      // Who has looked before and who looks for the first time see the same.
      for (const known of found) {
        const scope = { creatorId: creator.creatorId, postId: known === found[0] ? null : postId };
        expect(await catchUp.preview(deps, new AskingReadings(), scope)).toEqual(known);
      }
      return found[0]!.first.map(({ text }) => text);
    };
    expect(await people()).toEqual(['recipe']);
    const { db, clock } = world;
    const change = (table: 'interactions' | 'automations' | 'connections', values: object) =>
      db.engine.updateTable(table).set(values).where('creator_id', '=', creator.creatorId);
    await change('automations', { words: ['recipe', 'cake'], version: sql`version + 1` }).execute();
    expect(await people()).toEqual(['recipe', 'cake']);
    await change('interactions', { outcome: 'waiting', reason: 'queued' }).where('text', '=', 'cake').execute();
    expect(await people()).toEqual(['recipe']);
    engine.automationsChanged(creator.creatorId);
    await change('automations', { switched_on_at: null }).execute();
    engine.automationsChanged(creator.creatorId);
    expect(await people()).toEqual([]);
    await commentOf(creator, 'recipe too', 5);
    await change('automations', { switched_on_at: clock.now() }).execute();
    engine.automationsChanged(creator.creatorId);
    expect(await people()).toEqual(['recipe', 'recipe too']);
    // One that is read late, because no webhook told of it.
    await insertInteraction(db, creator.creatorId, creator.connectionId, {
      post_id: postId,
      person_id: 'late',
      text: 'recipe, please',
      outcome: 'skipped',
      reason: 'before_it_was_on',
      received_at: clock.now(),
      occurred_at: clock.now(),
    });
    expect(await people()).toEqual(['recipe', 'recipe too', 'recipe, please']);
    await change('connections', { disconnected_at: clock.now() }).execute();
    expect(await people()).toEqual([]);
  });

  test('after another plan is for exactly those whom the limit of the free one left out', async () => {
    const { creator, postId } = await creatorWithComments([]);
    await automate(creator);
    const { creatorId } = creator;
    const limit = { creator_id: creatorId, checked_on: '2026-01-01', limited_since: world.clock.now() };
    await world.db.engine.insertInto('follower_limits').values(limit).execute();
    engine.automationsChanged(creatorId);
    for (const [person, text] of ['recipe', 'lovely', 'recipe!'].entries()) await commentOf(creator, text, person);
    await world.settle(engine, MINUTE_MS);
    const reasons = world.db.engine.selectFrom('interactions').select('reason').where('creator_id', '=', creatorId);
    expect((await reasons.orderBy('text').execute()).map(({ reason }) => reason)).toEqual([
      'no_match',
      'plan_limit',
      'plan_limit',
    ]);
    await world.db.engine.deleteFrom('follower_limits').where('creator_id', '=', creatorId).execute();
    engine.automationsChanged(creatorId);
    expect((await preview(creator, postId)).first.map(({ text }) => text).toSorted()).toEqual(['recipe', 'recipe!']);
    const batchId = await start(creator, postId);
    await world.settle(engine, MINUTE_MS);
    expect(await stateOf(creator, batchId)).toMatchObject({ people: 2, sent: 2 });
  });

  test('asked for twice at once goes out once', async () => {
    const { creator, postId, ids } = await creatorWithComments(['recipe', 'recipe']);
    await automate(creator);
    const batches = await Promise.all([start(creator, postId), start(creator, null), start(creator, postId)]);
    await world.settle(engine, MINUTE_MS);
    expect(await sentTo(ids)).toEqual([1, 1]);
    const people = await Promise.all(batches.map(async (id) => (await stateOf(creator, id)).people));
    expect(people.toSorted()).toEqual([0, 0, 2]);
  });

  test('is none of another creator’s business', async () => {
    const { creator } = await creatorWithComments(['recipe']);
    await automate(creator);
    const batchId = await start(creator, null);
    const other = await world.addCreator();
    await expect(stateOf(other, batchId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('words that nobody listened for come with how many wrote them, likely misspellings first', () => {
  const missed = [
    { text: 'Recepie please', personId: 'a' },
    { text: 'recepie', personId: 'b' },
    { text: 'recepie!!', personId: 'b' },
    { text: 'link?', personId: 'c' },
    { text: 'link please', personId: 'd' },
    { text: 'Wow this looks so good, I love your kitchen', personId: 'e' },
    { text: 'nice', personId: 'f' },
  ];
  const caption = 'Pasta! Comment RECIPE and I send the link, please share';
  expect(missedWords(missed, ['RECIPE'], caption)).toEqual([
    { word: 'recepie', people: 2, resembles: 'RECIPE', example: 'Recepie please' },
    { word: 'link', people: 2, resembles: null, example: 'link?' },
  ]);
  // Added words are not offered again.
  expect(missedWords(missed, ['RECIPE', 'recepie'], caption).map(({ word }) => word)).toEqual(['link']);
});
