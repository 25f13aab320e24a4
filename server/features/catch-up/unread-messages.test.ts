/** First messages that Meta tells of by their id alone, as it does apps without Advanced Access. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createMeasures, type Measures } from '#server/observability/measures.ts';
import { readUnreadMessages, type UnreadDeps } from './unread-messages.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let world: EngineWorld;
let engine: Engine;
let measures: Measures;
let deps: UnreadDeps;
const pacing = new Map();
beforeAll(async () => {
  world = await createEngineWorld();
  engine = await world.startEngine();
});
afterAll(() => world?.close());
beforeEach(async () => {
  measures = createMeasures();
  deps = { ...world, observed: { measures }, log: pino({ level: 'silent' }) };
  await tellFirstMessages('without_sender');
});

function tellFirstMessages(as: 'no' | 'without_sender' | 'with_sender') {
  return world.simulator.control.updateSettings({ switches: { firstMessageAsEdit: as } });
}

async function creatorWithAutomation(trigger: 'direct_message' | 'story_reply' = 'direct_message') {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator, { trigger });
  engine.automationsChanged(creator.creatorId);
  return creator;
}

async function write(creator: WorldCreator, text: string, person = 0): Promise<string> {
  const { personId } = creator.followers[person]!;
  const { messageId } = await world.simulator.control.directMessage({
    accountId: creator.instagramAccountId,
    personId,
    text,
  });
  await workOff();
  return messageId;
}

async function workOff() {
  await world.webhooksArrived();
  await world.settle(engine, MINUTE_MS);
}

async function read(): Promise<number> {
  const count = await readUnreadMessages(deps, pacing);
  await workOff();
  return count;
}

async function outcomes(creator: WorldCreator) {
  return (await world.interactions(creator)).map(({ text, outcome, reason }) => `${text}: ${outcome} ${reason}`);
}

async function unread(creator: WorldCreator) {
  return world.db.engine
    .selectFrom('unread_messages')
    .selectAll()
    .where('creator_id', '=', creator.creatorId)
    .execute();
}

test.each(['without_sender', 'with_sender'] as const)('a first message told %s is read and answered', async (as) => {
  await tellFirstMessages(as);
  const creator = await creatorWithAutomation();
  const mid = await write(creator, 'recipe please');
  expect(await unread(creator)).toMatchObject([{ mid, failures: 0 }]);
  expect(await outcomes(creator)).toEqual([]);

  expect(await read()).toBe(1);
  expect(await outcomes(creator)).toEqual(['recipe please: replied sent']);
  expect(await unread(creator)).toEqual([]);
  expect(await read()).toBe(0);
  const people = await world.db.engine
    .selectFrom('people')
    .select('id')
    .where('creator_id', '=', creator.creatorId)
    .execute();
  expect(people).toHaveLength(1);

  await write(creator, 'thanks');
  expect(await outcomes(creator)).toHaveLength(2);
});

test('a first message of attachments alone is a message without words', async () => {
  const creator = await creatorWithAutomation();
  await world.simulator.control.directMessage({
    accountId: creator.instagramAccountId,
    personId: creator.followers[0]!.personId,
    attachments: [{ type: 'image', url: 'https://example.com/1.jpg' }],
  });
  await workOff();
  expect(await readUnreadMessages(deps, pacing)).toBe(1);
  await workOff();
  expect(await outcomes(creator)).toEqual([': skipped direct_message']);
});

test('a message that came as itself too is not read, and one told twice is answered once', async () => {
  const creator = await creatorWithAutomation();
  const mid = await write(creator, 'recipe please');
  const edit = {
    id: creator.instagramAccountId,
    time: 1_780_000_000_000,
    messaging: [{ message_edit: { mid, num_edit: '0' } }],
  };
  const told = { accountId: creator.instagramAccountId, body: JSON.stringify({ object: 'instagram', entry: [edit] }) };
  await world.deliver(told);
  await workOff();
  expect(await unread(creator)).toHaveLength(1);
  expect(await read()).toBe(1);
  await world.deliver(told);
  await workOff();
  expect(await read()).toBe(0);
  expect(await unread(creator)).toEqual([]);
  expect(await outcomes(creator)).toEqual(['recipe please: replied sent']);
});

test('a reply to a story that was told so is a reply to that story', async () => {
  const creator = await creatorWithAutomation('story_reply');
  const story = await world.simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'STORY' });
  const { personId } = creator.followers[0]!;
  await world.simulator.control.storyReply({ storyId: story.mediaId, personId, text: 'recipe' });
  await workOff();
  expect(await read()).toBe(1);
  const [reply] = await world.db.engine
    .selectFrom('interactions')
    .select(['kind', 'outcome'])
    .where('creator_id', '=', creator.creatorId)
    .execute();
  expect(reply).toEqual({ kind: 'story_reply', outcome: 'replied' });
});

test('what Meta does not answer is tried again, later and later, and is read when it answers', async () => {
  const creator = await creatorWithAutomation();
  await write(creator, 'recipe please');
  const { faultId } = await world.simulator.control.addFault({
    match: { operation: 'message_read' },
    times: 0,
    action: { kind: 'error', code: 2 },
  });
  const waits = [];
  for (let round = 0; round < 3; round++) {
    expect(await read()).toBe(0);
    const [row] = await unread(creator);
    const waitMs = row!.next_at.getTime() - world.clock.now().getTime();
    waits.push(Math.ceil(waitMs / MINUTE_MS));
    await world.advance(waitMs);
  }
  expect(waits).toEqual([2, 4, 8]);
  await world.simulator.control.removeFault(faultId);
  expect(await read()).toBe(1);
  expect(await outcomes(creator)).toEqual(['recipe please: replied sent']);
});

test('a message that nobody can read is given up after a day, and counted', async () => {
  const creator = await creatorWithAutomation();
  const mid = await write(creator, 'recipe please');
  await world.simulator.control.unsend(mid);
  await read();
  expect(await unread(creator)).toHaveLength(1);
  await world.advance(24 * HOUR_MS + MINUTE_MS);
  await read();
  expect(await unread(creator)).toEqual([]);
  const counted = await measures.registry.metrics();
  expect(counted).toContain('creator_hq_messages_read_total{result="given_up"} 1');
});

test('reading stops for the whole account when Meta wants a pause, and shares the pacing of comments', async () => {
  const creator = await creatorWithAutomation();
  await write(creator, 'recipe one', 0);
  await write(creator, 'recipe two', 1);
  await world.simulator.control.addFault({
    match: { operation: 'message_read' },
    times: 1,
    action: { kind: 'rate_limited', regainMinutes: 7 },
  });
  expect(await read()).toBe(0);
  const closed = await world.db.engine
    .selectFrom('lane_states')
    .select('closed_until')
    .where('connection_id', '=', creator.connectionId)
    .where('lane', '=', 'reads')
    .executeTakeFirstOrThrow();
  expect(await read()).toBe(0);
  await world.advance(closed.closed_until!.getTime() - world.clock.now().getTime() + MINUTE_MS);
  expect(await read()).toBe(2);
});
