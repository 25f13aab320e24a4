/** A direct message that may have arrived is looked for, and goes out again only when it is not there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '#server/clock.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import type { FaultAction, GraphLedgerEntry, Operation } from '#simulators/meta/control/types.ts';
import { LookUps } from './look-ups.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld({ timeoutMs: 500 });
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;

/** A creator who answers "menu". */
async function scene() {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator, {
    trigger: 'direct_message',
    words: ['menu'],
    messageText: 'The menu',
    repeatAfterMinutes: null,
  });
  return creator;
}

async function writes(creator: WorldCreator, person = 0, text = 'menu'): Promise<void> {
  const { personId } = creator.followers[person]!;
  await world.simulator.control.directMessage({ accountId: creator.instagramAccountId, personId, text });
  await world.webhooksArrived();
}

function goesWrong(creator: WorldCreator, operation: Operation, action: FaultAction, times = 1) {
  return world.simulator.control.addFault({
    match: { operation: [operation], accountId: creator.instagramAccountId },
    action,
    times,
  });
}

async function calls(creator: WorldCreator): Promise<GraphLedgerEntry[]> {
  const accountId = creator.instagramAccountId;
  return (await world.simulator.control.ledger({ kind: 'graph', accountId })) as GraphLedgerEntry[];
}

async function messagesOf(creator: WorldCreator): Promise<number> {
  return (await calls(creator)).filter(({ operation, delivered }) => operation === 'message' && delivered).length;
}

async function outcomesOf(creator: WorldCreator): Promise<string[]> {
  return (await world.interactions(creator)).map(({ outcome, reason }) => `${outcome}: ${reason}`);
}

const ARRIVES_UNSAID: FaultAction = { kind: 'garbled', when: 'after' };
const DOES_NOT_ARRIVE: FaultAction = { kind: 'reset', when: 'before' };

describe('a message whose answer was lost', () => {
  test('is found even when the first look for it failed', async () => {
    const creator = await scene();
    await writes(creator);
    await goesWrong(creator, 'message', ARRIVES_UNSAID);
    await goesWrong(creator, 'conversation_list', { kind: 'error', code: 2 });
    await world.settle(await world.startEngine());
    expect(await messagesOf(creator)).toBe(1);
    expect(await outcomesOf(creator)).toEqual(['replied: sent_confirmed_later']);
  });

  test('is found by a machine whose clock is an hour off', async () => {
    for (const offMs of [HOUR_MS, -HOUR_MS]) {
      const creator = await scene();
      const clock: Clock = {
        now: () => new Date(world.clock.now().getTime() + offMs),
        sleep: (ms, signal) => world.clock.sleep(ms, signal),
      };
      await writes(creator);
      await goesWrong(creator, 'message', ARRIVES_UNSAID);
      const engine = await world.startEngine({ clock });
      while ((await engine.ingestOnce()) > 0);
      await engine.dispatchOnce();
      await world.advance(31_000);
      await engine.dispatchOnce();
      expect(await messagesOf(creator)).toBe(1);
      expect(await outcomesOf(creator)).toEqual(['replied: sent_confirmed_later']);
    }
  });

  test('is not mistaken for an earlier one with the same words', async () => {
    const creator = await scene();
    const engine = await world.startEngine();
    await writes(creator);
    while ((await engine.ingestOnce()) > 0);
    await engine.dispatchOnce();
    await goesWrong(creator, 'message', DOES_NOT_ARRIVE);
    await writes(creator);
    await world.settle(engine);
    expect(await messagesOf(creator)).toBe(2);
  });

  test('is not taken for another one that is looked for at the same time', async () => {
    const creator = await scene();
    await goesWrong(creator, 'message', ARRIVES_UNSAID);
    await goesWrong(creator, 'message', DOES_NOT_ARRIVE);
    await writes(creator);
    await writes(creator);
    await world.settle(await world.startEngine());
    expect(await messagesOf(creator)).toBe(2);
    expect(new Set(await outcomesOf(creator))).toEqual(new Set(['replied: sent_confirmed_later']));
  });

  test('is not taken for one that was found missing and goes out again', async () => {
    const creator = await scene();
    const engine = await world.startEngine();
    await goesWrong(creator, 'message', DOES_NOT_ARRIVE, 2);
    await writes(creator);
    await writes(creator);
    while ((await engine.ingestOnce()) > 0);
    await engine.dispatchOnce();
    await world.advance(31_000);
    // The look for one takes until the other one's answer is on its way.
    await goesWrong(creator, 'conversation_list', { kind: 'slow', delayMs: 100, when: 'before' });
    await goesWrong(creator, 'message', { kind: 'slow', delayMs: 200, when: 'after' });
    await world.settle(engine);
    expect(await messagesOf(creator)).toBe(2);
  });

  test('is looked for after its deadline too, and not sent then', async () => {
    const [arrived, lost] = [await scene(), await scene()];
    await goesWrong(arrived, 'message', ARRIVES_UNSAID);
    await goesWrong(lost, 'message', DOES_NOT_ARRIVE);
    for (const creator of [arrived, lost]) await writes(creator);
    const engine = await world.startEngine();
    while ((await engine.ingestOnce()) > 0);
    await engine.dispatchOnce();
    await world.advance(25 * HOUR_MS);
    await engine.sweep();
    await world.settle(engine);
    expect([await messagesOf(arrived), await outcomesOf(arrived)]).toEqual([1, ['replied: sent_confirmed_later']]);
    expect([await messagesOf(lost), await outcomesOf(lost)]).toEqual([0, ['expired: deadline_passed']]);
  });
});

test('Meta is asked about many of them no more often than it allows', async () => {
  const creator = await scene();
  await goesWrong(creator, 'message', ARRIVES_UNSAID, 6);
  for (let person = 0; person < 6; person++) await writes(creator, person);
  const engine = await world.startEngine();
  while ((await engine.ingestOnce()) > 0);
  await engine.dispatchOnce();
  // Another one takes over in the middle of it.
  await world.advance(30_000);
  await engine.claimAndCall();
  await engine.dispatchOnce();
  await world.settle(await world.startEngine());
  const looks = (await calls(creator)).filter(({ operation }) => operation === 'conversation_list');
  expect(looks.map(({ errorCode }) => errorCode)).toEqual(Array(6).fill(null));
  expect(await messagesOf(creator)).toBe(6);
});

test('a tap proves that the opening arrived, whatever Meta said', async () => {
  const creator = await world.addCreator({ webhooks: true });
  await world.addAutomation(creator, {
    opening: { text: 'Shall I send it?', buttonTitle: 'Send it to me' },
    publicReplies: ['Look in your inbox'],
  });
  const comment = await world.comment(creator, { text: 'recipe' });
  await world.deliver(comment);
  await goesWrong(creator, 'private_reply', ARRIVES_UNSAID);
  const engine = await world.startEngine();
  await engine.ingestOnce();
  await engine.dispatchOnce();
  const { control } = world.simulator;
  const { personId } = creator.followers[0]!;
  const thread = await control.thread(personId, creator.instagramAccountId);
  await control.tap({ personId, messageId: thread.messages.at(-1)!.messageId, button: 0 });
  await world.webhooksArrived();
  await world.settle(engine);
  const about = (await world.interactions(creator)).find(({ platform_id }) => platform_id === comment.id);
  expect(about).toMatchObject({ outcome: 'replied', reason: 'opening_sent' });
  const { rows } = await world.db.enginePool.query(
    `select kind, state from deliveries where creator_id = $1 and kind <> 'message' order by created_at`,
    [creator.creatorId],
  );
  expect(rows).toEqual([
    { kind: 'private_reply', state: 'sent' },
    { kind: 'public_reply', state: 'sent' },
  ]);
});

test('look-ups that must wait are spread over the time in which they can be made', () => {
  const lookUps = new LookUps();
  expect(Array.from({ length: 6 }, () => lookUps.take(10_000))).toEqual([null, null, 11_000, 11_500, 12_000, 12_500]);
  expect(Array.from({ length: 3 }, () => lookUps.take(11_000))).toEqual([null, null, 13_000]);
});
