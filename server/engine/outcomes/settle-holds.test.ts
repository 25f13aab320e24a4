/** Messages that wait for their link, in the engine, with the clock in hand. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { heldUntil } from '#server/engine/deciding/held-messages.ts';
import type { Engine } from '#server/engine/engine.ts';
import { settleHolds } from '#server/engine/outcomes/settle-holds.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { insertWatchedLink } from '#server/testing/rows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: EngineWorld;
let engine: Engine;
let creator: WorldCreator;
let automationId: string;
let linkId: string;

beforeAll(async () => {
  world = await createEngineWorld();
  engine = await world.startEngine();
});
afterAll(() => world.close());
beforeEach(async () => {
  creator = await world.addCreator();
  automationId = await world.addAutomation(creator, { repeatAfterMinutes: null });
  linkId = await insertWatchedLink(world.db, creator.creatorId, automationId);
  await choose('hold');
});

async function choose(what: 'send' | 'hold') {
  await world.db.engine
    .updateTable('automations')
    .set({ when_link_breaks: what })
    .where('id', '=', automationId)
    .execute();
}
/** The link guard's act when a link breaks or works again. */
async function link(state: 'broken' | 'fine') {
  const now = world.clock.now();
  await world.db.engine.transaction().execute(async (trx) => {
    await trx
      .updateTable('watched_links')
      .set({ state, broken_since: state === 'broken' ? now : null })
      .where('id', '=', linkId)
      .execute();
    for (const connectionId of await settleHolds(trx, creator.creatorId, now)) {
      engine.deliveriesQueued(creator.creatorId, connectionId);
    }
  });
  engine.automationsChanged(creator.creatorId);
}
const comment = async (person = 0) => world.deliver(await world.comment(creator, { text: 'recipe please', person }));
const outcomes = async () => (await world.interactions(creator)).map(({ reason }) => reason);
const inbox = async (person = 0) =>
  (await world.simulator.control.inbox(creator.followers[person]!.personId)).flatMap((thread) => thread.messages);
/** Without moving the clocks. */
async function work() {
  while ((await engine.ingestOnce()) > 0);
  while ((await engine.dispatchOnce()) > 0);
}

test('a message is held for six sevenths of its time', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const at = (ms: number) => new Date(now.getTime() + ms);
  expect(heldUntil(now, at(7 * DAY_MS))).toEqual(at(6 * DAY_MS));
  expect(heldUntil(now, at(-HOUR_MS))).toEqual(at(-HOUR_MS));
});

describe('while a link is broken', () => {
  test('messages go out all the same unless the creator holds them', async () => {
    await choose('send');
    await link('broken');
    await comment();
    await work();
    expect(await outcomes()).toEqual(['sent']);
  });

  test('a new answer waits, says why, and goes out when the link works again', async () => {
    await link('broken');
    await comment();
    await work();
    expect(await outcomes()).toEqual(['link_broken']);
    expect((await world.interactions(creator))[0]!.waiting_until).toEqual(
      heldUntil(world.clock.now(), new Date(world.clock.now().getTime() + 7 * DAY_MS)),
    );
    await world.advance(3 * HOUR_MS);
    await engine.sweep();
    await work();
    expect(await inbox()).toEqual([]);

    await link('fine');
    await work();
    expect(await outcomes()).toEqual(['sent']);
    expect(await inbox()).toHaveLength(1);
    await comment(1);
    await work();
    expect(await outcomes()).toEqual(['sent', 'sent']);
  });

  test('what stands in the queue already waits too, and is let go when the creator changes their mind', async () => {
    await comment();
    expect(await engine.ingestOnce()).toBe(1);
    // It may be on its way at once: then there is nothing to hold.
    await world.db.engine
      .updateTable('deliveries')
      .set({ state: 'queued' })
      .where('creator_id', '=', creator.creatorId)
      .execute();
    await link('broken');
    expect(await outcomes()).toEqual(['link_broken']);
    await choose('send');
    await link('broken');
    expect(await outcomes()).toEqual(['queued']);
  });

  test('a message goes out before its time runs out, even so', async () => {
    await link('broken');
    await comment();
    await work();
    await world.advance(6 * DAY_MS + HOUR_MS);
    await engine.sweep();
    await work();
    expect(await outcomes()).toEqual(['sent']);
    expect(await inbox()).toHaveLength(1);
  });

  test('an opening, which has no link, goes out; the link after their tap waits', async () => {
    await world.db.engine
      .updateTable('automations')
      .set({ opening: JSON.stringify({ text: 'Shall I send it?', buttonTitle: 'Yes please' }) })
      .where('id', '=', automationId)
      .execute();
    await link('broken');
    await comment();
    await work();
    expect(await outcomes()).toEqual(['opening_sent']);
  });
});
