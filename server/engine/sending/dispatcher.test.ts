import { expect, test } from 'vitest';
import type { ClaimedDelivery } from '#server/engine/outcomes/rows.ts';
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts';
import { Lanes } from './lanes.ts';
import type { Sending } from './sender.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

const WAITING: ClaimedDelivery = {
  creator_id: 'creator',
  id: 'delivery',
  connection_id: 'connection',
  interaction_id: 'interaction',
  automation_id: null,
  conversation_id: null,
  variant: null,
  kind: 'private_reply',
  lane: 'private_replies',
  recipient: 'comment',
  content: { text: 'Hello', buttons: [] },
  priority: 0,
  due_at: NOW,
  expires_at: new Date(NOW.getTime() + 60_000),
  created_at: NOW,
  attempts: 1,
  uncertain: false,
  called_off: null,
  called_at: null,
  batch_id: 'batch',
};

test('a delivery that is claimed again before its first call is forgotten stays under way', async () => {
  const lanes = new Lanes({ privateRepliesPerHour: 750, publicRepliesPerHour: 750, messagesPerSecond: 100 } as never);
  const lane = lanes.of('creator', 'connection', 'private_replies');
  const sends = [Promise.withResolvers<Sending>(), Promise.withResolvers<Sending>()];
  let sent = 0;
  const dispatcher: Dispatcher = new Dispatcher({
    pool: {
      query: async ({ name }: { name: string }) => {
        if (name === 'engine-claim') return { rows: [WAITING] };
        // It is committed as queued: somebody claims it while we do not know yet.
        lane.wake(NOW.getTime(), NOW.getTime());
        await dispatcher.claimAndCall();
        return { rows: [] };
      },
    },
    clock: { now: () => NOW },
    ids: { uuid: () => 'batch' },
    lanes,
    connections: { mayBeListenedTo: () => false },
    sender: { send: () => sends[sent++]!.promise },
    onReady: () => {},
    onChanged: () => {},
    batchDelay: async () => {},
  } as unknown as DispatcherDeps);

  lane.wake(NOW.getTime(), NOW.getTime());
  await dispatcher.claimAndCall();
  sends[0]!.resolve({ delivery: WAITING, askAgainAt: NOW });
  await expect.poll(() => sent).toBe(2);
  await settled();
  expect(dispatcher.deliveriesUnderWay()).toEqual(['delivery']);
});

test('a batch has not ended while one of it is under way, though its first was recorded before that began', async () => {
  const lanes = new Lanes({ privateRepliesPerHour: 750, publicRepliesPerHour: 750, messagesPerSecond: 100 } as never);
  const endedBatches: string[][] = [];
  const answer = Promise.withResolvers<Sending>();
  const dispatcher = new Dispatcher({
    pool: {
      query: async ({ name, values }: { name: string; values: string[][] }) => {
        if (name === 'engine-claim') return { rows: [{ ...WAITING, id: 'too late', expires_at: NOW }, WAITING] };
        endedBatches.push(values.at(-1)!);
        return { rows: [] };
      },
    },
    clock: { now: () => NOW },
    ids: { uuid: () => 'batch' },
    lanes,
    connections: { mayBeListenedTo: () => false },
    sender: { send: () => answer.promise },
    onReady: () => {},
    onChanged: () => {},
    batchDelay: async () => {},
  } as unknown as DispatcherDeps);

  lanes.of('creator', 'connection', 'private_replies').wake(NOW.getTime(), NOW.getTime());
  await dispatcher.claimAndCall();
  await settled();
  expect(endedBatches).toEqual([[]]);
  answer.resolve({ delivery: WAITING, askAgainAt: NOW });
  await settled();
  expect(endedBatches).toEqual([[], ['batch']]);
});

/** Recorded deliveries are forgotten some promises later. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
