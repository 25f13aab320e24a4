/** Meta's events about an account as a whole, and incomplete events. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld } from '#server/engine/testing/engine-world.ts';
import { createMeasures } from '#server/observability/measures.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());

const MINUTE_MS = 60_000;

test('a block of Meta stands until it is lifted, however the webhooks overtake each other', async () => {
  const engine = await world.startEngine();
  const creator = await world.addCreator();
  const accountId = creator.instagramAccountId;
  const say = async (action: string, minute: number) => {
    const timestamp = Date.parse('2026-06-01T12:00:00Z') + minute * MINUTE_MS;
    const item = { recipient: { id: accountId }, timestamp, 'policy-enforcement': { action, reason: 'Spam rules.' } };
    const body = JSON.stringify({
      object: 'instagram',
      entry: [{ id: accountId, time: timestamp, messaging: [item] }],
    });
    await world.deliver({ body, accountId });
    await world.settle(engine, MINUTE_MS);
    const { policy_blocked, policy_reason } = await world.db.engine
      .selectFrom('connections')
      .select(['policy_blocked', 'policy_reason'])
      .where('id', '=', creator.connectionId)
      .executeTakeFirstOrThrow();
    return policy_blocked ? policy_reason : null;
  };
  expect(await say('block', 2)).toBe('Spam rules.');
  expect(await say('unblock', 1)).toBe('Spam rules.');
  expect(await say('unblock', 3)).toBeNull();
  expect(await say('block', 2)).toBeNull();
});

test('an event that lacks something is counted, and what came with it is worked off', async () => {
  const measures = createMeasures();
  const engine = await world.startEngine({ observed: { measures, tracing: null } });
  const creator = await world.addCreator();
  const { body, accountId } = await world.comment(creator, { text: 'hello' });
  const envelope = JSON.parse(body);
  envelope.entry[0].changes.push({ field: 'comments', value: { text: 'no id' } }, { field: 'moon_phase', value: {} });
  await world.deliver({ body: JSON.stringify(envelope), accountId });
  await world.settle(engine, MINUTE_MS);
  expect(await world.interactions(creator)).toHaveLength(1);
  expect(await measures.registry.metrics()).toContain('creator_hq_events_malformed_total 1');
});

test('other events of an account with itself never make it a contact', async () => {
  const engine = await world.startEngine();
  const creator = await world.addCreator();
  const accountId = creator.instagramAccountId;
  const self = {
    sender: { id: accountId },
    recipient: { id: accountId },
    timestamp: Date.parse('2026-06-01T12:00:00Z'),
  };
  const messaging = [
    { postback: { mid: 'p', title: 'Go', payload: 'P', is_self: true } },
    { message: { mid: 'm', text: 'note', is_echo: true, is_self: true } },
    { read: { mid: 'm' }, is_self: true },
    { reaction: { mid: 'm', action: 'react', reaction: 'love' }, is_self: true },
    { referral: { ref: 'r' }, is_self: true },
  ].map((part) => ({ ...self, ...part }));
  await world.deliver({
    body: JSON.stringify({ object: 'instagram', entry: [{ id: accountId, time: 1, messaging }] }),
    accountId,
  });
  await world.settle(engine, MINUTE_MS);
  const people = await world.db.engine
    .selectFrom('people')
    .select('id')
    .where('creator_id', '=', creator.creatorId)
    .execute();
  expect(people).toEqual([]);
});
