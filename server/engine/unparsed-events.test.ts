/** Meta's demands are written down, also when the database breaks at that very moment. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultAction } from '#simulators/meta/control/types.ts';
import type { Engine } from './engine.ts';
import { createEngineWorld, type EngineWorld } from './testing/engine-world.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

test.each<[string, FaultAction, RegExp, string]>([
  [
    'that the creator must sign in again',
    { kind: 'error', code: 190 },
    /requires_auth_at = coalesce/,
    'select requires_auth_at as noted from connections where creator_id = $1',
  ],
  [
    'that the account is barred',
    { kind: 'error', code: 368 },
    /barred_until = \$3/,
    `select least(c.barred_until, s.closed_until) as noted from connections c
     join lane_states s on s.connection_id = c.id and s.lane = 'private_replies' where c.creator_id = $1`,
  ],
  [
    'how long to wait',
    { kind: 'rate_limited', regainMinutes: 19 },
    /insert into lane_states/,
    `select closed_until as noted from lane_states where creator_id = $1 and lane = 'private_replies'`,
  ],
])('%s', async (_what, action, statement, question) => {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  const engine = await world.startEngine({ pool: losing(world.db.enginePool, statement) });
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  await world.simulator.control.addFault({ match: { accountId: creator.instagramAccountId }, action });
  await engine.ingestOnce();
  await dispatch(engine);
  const { rows } = await world.db.enginePool.query<{ noted: Date | null }>(question, [creator.creatorId]);
  expect(rows).toEqual([{ noted: expect.any(Date) }]);
});

test('what closes a connection closes lanes that were never used', async () => {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator);
  await world.addAutomation(creator, { trigger: 'direct_message', words: ['menu'] });
  const engine = await world.startEngine();
  const { control } = world.simulator;
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  await control.addFault({
    match: { accountId: creator.instagramAccountId },
    action: { kind: 'rate_limited', regainMinutes: 19 },
  });
  await engine.ingestOnce();
  await engine.dispatchOnce();
  const { personId } = creator.followers[1]!;
  await control.directMessage({ accountId: creator.instagramAccountId, personId, text: 'menu' });
  await world.webhooksArrived();
  await engine.ingestOnce();
  await engine.dispatchOnce();
  expect(await control.ledger({ operation: 'message', accountId: creator.instagramAccountId })).toEqual([]);
});

test('a creator who signed in again is found when nobody told of it', async () => {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  const engine = await world.startEngine();
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  const { control } = world.simulator;
  await control.killTokens({ subjectId: creator.instagramAccountId, reason: 'expired' });
  await engine.ingestOnce();
  await engine.dispatchOnce();
  expect(await world.interactions(creator)).toMatchObject([{ reason: 'needs_reconnect' }]);

  // In another process, whose signal got lost; the token of before is still remembered for a while.
  const { token } = await control.issueToken({
    kind: 'INSTAGRAM_BUSINESS_USER',
    subjectId: creator.instagramAccountId,
  });
  await world.db.enginePool.query('update tokens set secret = $2, invalid_at = null where creator_id = $1', [
    creator.creatorId,
    world.seal(token),
  ]);
  await world.db.enginePool.query('update connections set requires_auth_at = null where creator_id = $1', [
    creator.creatorId,
  ]);
  await engine.sweep();
  await engine.dispatchOnce();
  expect(await world.interactions(creator)).toMatchObject([{ outcome: 'replied' }]);
});

/** Loses its connection the first time it is asked this. */
function losing(pool: pg.Pool, statement: RegExp): pg.Pool {
  let lost = false;
  const query = async (...given: [string | { text: string }, ...unknown[]]) => {
    const text = typeof given[0] === 'string' ? given[0] : given[0].text;
    if (!lost && statement.test(text)) {
      lost = true;
      throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
    }
    return (pool.query as (...given: unknown[]) => Promise<unknown>).apply(pool, given);
  };
  return Object.create(pool, { query: { value: query } });
}

/** Moves the clock for whoever waits for a second try. */
async function dispatch(engine: Engine): Promise<void> {
  let done = false;
  const dispatched = engine.dispatchOnce().finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (world.clock.sleeping() > 0) await world.advance(100);
  }
  await dispatched;
}
