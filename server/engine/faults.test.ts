/**
 * The seven rules under random faults: any order, duplication, crash point. The simulator's ledger is the oracle: what
 * really reached people is compared with what was acknowledged and with the outcome rows.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventLog } from '#server/events/event-log.ts';
import type { MetaClient } from '#server/platforms/meta/client.ts';
import type { FaultAction } from '#simulators/meta/control/types.ts';
import type { Engine } from './engine.ts';
import { createEngineWorld, type EngineWorld } from './testing/engine-world.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

type Step =
  | { do: 'comment'; person: number; matching: boolean }
  | { do: 'repeat webhook'; which: number }
  | { do: 'ingest' }
  | { do: 'dispatch' }
  /** As if somebody waited: what is ingested next stands in the queue. */
  | { do: 'others wait' }
  | { do: 'crash while ingesting' }
  | { do: 'crash'; at: 'before the call' | 'after the call' }
  | { do: 'wait'; ms: number }
  | { do: 'fault'; action: FaultAction };

const passingFaults: FaultAction[] = [
  { kind: 'error', code: 2 },
  { kind: 'error', code: 1, afterEffect: true },
  { kind: 'success_but_error' },
  { kind: 'rate_limited', regainMinutes: 5 },
  { kind: 'reset', when: 'before' },
  { kind: 'reset', when: 'after' },
  { kind: 'no_message_id' },
  { kind: 'html', when: 'before' },
  { kind: 'html', when: 'after' },
  { kind: 'garbled', when: 'after' },
  { kind: 'error', code: 10, subcode: 1893063 },
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('comment' as const),
      person: fc.integer({ min: 0, max: 5 }),
      matching: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat webhook' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.constant({ do: 'ingest' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'dispatch' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'others wait' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'crash while ingesting' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      at: fc.constantFrom('before the call' as const, 'after the call' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fault' as const), action: fc.constantFrom(...passingFaults) }) },
);

test('every acknowledged comment ends in one outcome, and in one message exactly when it says so', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), run), { numRuns: 60 });
}, 120_000);

async function run(steps: Step[]): Promise<void> {
  const creator = await world.addCreator();
  await world.addAutomation(creator, { publicReplies: ['Look in your inbox', 'On its way'] });
  const webhooks: { id: string; body: string; accountId: string }[] = [];
  let engine = await world.startEngine();

  for (const one of steps) {
    switch (one.do) {
      case 'comment': {
        const webhook = await world.comment(creator, {
          text: one.matching ? 'recipe please' : 'lovely',
          person: one.person,
        });
        webhooks.push(webhook);
        await world.deliver(webhook);
        break;
      }
      case 'repeat webhook':
        if (webhooks.length > 0) await world.deliver(webhooks[one.which % webhooks.length]!);
        break;
      case 'ingest':
        await engine.ingestOnce();
        break;
      case 'dispatch':
        await engine.dispatchOnce();
        break;
      case 'others wait':
        engine.deliveriesQueued(creator.creatorId, creator.connectionId);
        break;
      case 'crash while ingesting':
        await crashWhileIngesting();
        engine = await world.startEngine();
        break;
      case 'crash':
        await crashWhileSending(one.at);
        engine = await world.startEngine();
        break;
      case 'wait':
        await world.advance(one.ms);
        break;
      case 'fault':
        await world.simulator.control.addFault({
          match: { operation: ['private_reply', 'comment_reply'], accountId: creator.instagramAccountId },
          action: one.action,
        });
        break;
    }
  }
  await world.simulator.control.clearFaults();
  await world.settle(engine);

  const outcomes = new Map((await world.interactions(creator)).map((row) => [row.platform_id, row]));
  const ledger = new Map(
    (await world.simulator.control.deliveries(webhooks.map(({ id }) => id))).map((row) => [row.commentId, row]),
  );
  expect([...outcomes.keys()].sort()).toEqual(webhooks.map(({ id }) => id).sort());
  const answeredPeople: string[] = [];
  for (const [commentId, { outcome, reason, text, person_id }] of outcomes) {
    const told = `${text}: ${outcome} ${reason}`;
    const delivered = ledger.get(commentId)?.privateReplies ?? 0;
    expect(['replied', 'skipped'], told).toContain(outcome);
    expect(delivered, told).toBe(outcome === 'replied' ? 1 : 0);
    // A public reply comes after its message, and once.
    expect(ledger.get(commentId)?.publicReplies ?? 0, told).toBe(outcome === 'replied' ? 1 : 0);
    if (outcome === 'replied') answeredPeople.push(person_id);
  }
  // The whole run is shorter than the time in which a person is not answered again.
  expect(new Set(answeredPeople).size).toBe(answeredPeople.length);
}

/** The database loses the transaction at its very end. */
async function crashWhileIngesting(): Promise<void> {
  const failing = Object.create(world.eventLog, {
    consume: {
      value: (...[shards, most, work, confirm]: Parameters<EventLog['consume']>) =>
        world.eventLog.consume(
          shards,
          most,
          async (events, trx) => {
            await work(events, trx);
            throw Object.assign(new Error('killed'), { code: '57P01' });
          },
          confirm,
        ),
    },
  });
  const engine = await world.startEngine({ eventLog: failing });
  await engine.ingestOnce().catch((error: Error) => expect(error.message).toBe('killed'));
}

/** Everything is claimed and called, or not called; then the worker is gone and records nothing. */
async function crashWhileSending(at: 'before the call' | 'after the call'): Promise<void> {
  let called: Promise<unknown> = Promise.resolve();
  const never = new Promise<never>(() => {});
  const dies = (send: (call: never) => Promise<unknown>) => (call: never) => {
    if (at === 'after the call') called = Promise.all([called, send(call)]);
    return never;
  };
  const meta = {
    ...world.meta,
    privateReply: dies(world.meta.privateReply as never),
    publicReply: dies(world.meta.publicReply as never),
  } as unknown as MetaClient;
  const engine: Engine = await world.startEngine({ meta });
  while ((await engine.ingestOnce()) > 0);
  await engine.claimAndCall();
  await called;
}
