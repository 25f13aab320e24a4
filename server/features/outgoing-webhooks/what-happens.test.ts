/** Events for other tools, from Meta's webhook to the request that leaves: every body is held against the contract. */

import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { OutgoingType, outgoingBody } from '#contract/outgoing-webhooks.ts';
import type { Engine } from '#server/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { erase } from '#server/features/contacts/erasure.ts';
import { createClickRecorder } from '#server/features/links/clicks.ts';
import { HELD } from '#server/features/registered.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { seal } from '#server/secrets.ts';
import { findDueWebhooks, serveEndpoint } from './jobs.ts';
import type { SendingDeps } from './webhook-calls.ts';

const SECOND_MS = 1000;
const KEYS = { encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 7) }] };

let world: EngineWorld;
let engine: Engine;
let creator: WorldCreator;
beforeAll(async () => {
  world = await createEngineWorld();
});
beforeEach(async () => {
  creator = await world.addCreator({ webhooks: true });
});
afterEach(() => world.db.enginePool.query('delete from outgoing_endpoints'));
afterAll(() => world?.close());

async function listen(types: string[] = OutgoingType.options, of = creator): Promise<void> {
  await world.db.enginePool.query(
    `insert into outgoing_endpoints (creator_id, id, url, secret, types, created_at)
     values ($1, $2, 'https://tool.example.test/hook', $3, $4, $5)`,
    [
      of.creatorId,
      world.ids.uuid(world.clock.now()),
      seal(KEYS.encryptionKeys, 'whsec_test'),
      types,
      world.clock.now(),
    ],
  );
}

async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await world.webhooksArrived();
    await world.advance(SECOND_MS);
    await world.settle(engine, 60 * SECOND_MS);
  }
}

/** The bodies that leave now. */
async function sent() {
  const bodies: { type: OutgoingType; data: Record<string, unknown> }[] = [];
  const deps: SendingDeps = {
    db: world.db,
    clock: world.clock,
    ids: world.ids,
    keys: KEYS as never,
    config: { baseUrl: 'https://hq.example.com' },
    fetching: {
      request: async ({ body }) => {
        bodies.push(JSON.parse(body!));
        const bytes = Buffer.alloc(0);
        return { kind: 'answer', status: 200, bytes, text: '', headers: {}, tookMs: 1, certificateEndsAt: null };
      },
    },
  };
  await findDueWebhooks.run(deps);
  await runDue([serveEndpoint], { ...deps, log: pino({ level: 'silent' }) });
  for (const body of bodies) expect(outgoingBody(body.type).safeParse(body)).toMatchObject({ success: true });
  return bodies;
}
const toldOf = async (type: OutgoingType) =>
  (await sent()).filter((body) => body.type === type).map(({ data }) => data);

const rows = async (text: string) => (await world.db.enginePool.query(text)).rows;

test('a follower comments, gives their address and taps the link: each is told once, as the contract has it', async () => {
  await listen();
  const other = await world.addCreator();
  await listen(OutgoingType.options, other);
  const automationId = await world.addAutomation(creator, {
    messageText: 'Hi {{username}}, the link',
    publicReplies: ['Sent'],
    emailAsk: { text: 'Your e-mail?', consent: 'You get my letter.' },
  });
  engine = await world.startEngine();
  const { control } = world.simulator;
  const { personId, username } = creator.followers[0]!;
  const { mediaId } = creator.posts[0]!;
  await control.comment({ mediaId, personId, text: 'recipe please 🍪' });
  await settle();
  await control.directMessage({ accountId: creator.instagramAccountId, personId, text: 'maya@example.com' });
  await settle();

  const linkId = world.ids.uuid(world.clock.now());
  await world.db.enginePool.query(
    `insert into links (creator_id, id, automation_id, code, url, created_at) values ($1, $2, $3, 'abc', 'https://x.test/', now())`,
    [creator.creatorId, linkId, automationId],
  );
  const [delivery] = await rows(`select id from deliveries where kind = 'message' and state = 'sent'`);
  const clicks = createClickRecorder({ ...world, secretKey: 'secret', log: pino({ level: 'silent' }) });
  const click = { creatorId: creator.creatorId, linkId, deliveryId: delivery.id, at: world.clock.now() };
  clicks.record({ ...click, network: '10.0.0.1', notCountedBecause: null });
  clicks.record({ ...click, network: '10.0.0.2', notCountedBecause: 'previewer' });
  await clicks.flush();
  // The same minute again is no second click.
  clicks.record({ ...click, network: '10.0.0.1', notCountedBecause: null });
  await clicks.close();

  const bodies = await sent();
  const of = (type: OutgoingType) => bodies.filter((body) => body.type === type).map(({ data }) => data);
  const { connectionId } = creator;
  expect(of('interaction')).toMatchObject([
    { kind: 'comment', connectionId, postId: mediaId, username, text: 'recipe please 🍪', automationId },
    // Our public answer comes back as a comment.
    { kind: 'comment', text: 'Sent', reason: 'own_comment', automationId: null },
    { kind: 'direct_message', connectionId, text: 'maya@example.com' },
  ]);
  expect(of('contact')).toMatchObject([
    { change: 'new', connectionId, username, email: null },
    { change: 'email', connectionId, username, email: 'maya@example.com' },
  ]);
  expect(
    of('delivery')
      .map(({ kind, state, text }) => `${kind} ${state}: ${text}`)
      .toSorted(),
  ).toEqual([
    `message sent: Hi ${username}, the link`,
    'private_reply sent: Your e-mail?\n\nYou get my letter.',
    'public_reply sent: Sent',
  ]);
  expect(of('click')).toEqual([
    {
      id: expect.any(String),
      ...{ what: 'followed', channel: null, shop: null },
      url: 'https://x.test/',
      deliveryId: delivery.id,
      automationId,
      clickedAt: click.at.toISOString(),
    },
  ]);
  expect(await sent()).toEqual([]);
  // Of whose conversation the address came, and after which post.
  expect(await rows('select post_id from consents')).toEqual([{ post_id: mediaId }]);
});

test('whom the creator writes to first is a new contact, and what is called off comes to an end', async () => {
  await listen(['contact', 'delivery']);
  await world.addAutomation(creator);
  engine = await world.startEngine();
  const { control } = world.simulator;
  const [first, second] = creator.followers.map(({ personId }) => personId) as [string, string];
  await control.ownerMessage({ accountId: creator.instagramAccountId, personId: first, text: 'Hello' });
  await settle();
  expect(await toldOf('contact')).toMatchObject([{ change: 'new', username: null }]);
  await world.deliver(await world.comment(creator, { text: 'recipe', person: 1 }));
  await control.directMessage({ accountId: creator.instagramAccountId, personId: second, text: 'stop' });
  await world.webhooksArrived();
  await world.settle(engine, SECOND_MS);
  expect(await toldOf('delivery')).toMatchObject([{ state: 'cancelled', failure: 'stopped' }]);
});

test('what comes late of somebody who was erased is told to nobody but that nothing was sent', async () => {
  await world.addAutomation(creator, { messageText: 'Hi {{username}}, the link' });
  await listen();
  engine = await world.startEngine();
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  await settle();
  await sent();
  const late = await world.comment(creator, { text: 'recipe again', post: 1 });
  await world.advance(SECOND_MS);
  const contactId = `${creator.connectionId}.${creator.followers[0]!.igsid}`;
  const [user] = await rows(
    `insert into users (id, name, email) values (gen_random_uuid(), 'Anna', 'a@x.test') returning id`,
  );
  await erase({ ...world, keys: KEYS, held: HELD }, { creatorId: creator.creatorId, contactId, userId: user.id });
  await world.deliver(late);
  await settle();
  expect(await sent()).toMatchObject([{ type: 'delivery', data: { state: 'cancelled', failure: 'erased', text: '' } }]);
});

test.each(['no endpoint', 'an endpoint that is off', "somebody else's endpoint"])(
  'with %s nothing is recorded, and not a statement more is run',
  async (given) => {
    // Nothing comes back of what is sent there.
    creator = await world.addCreator();
    if (given === 'an endpoint that is off') {
      await listen();
      await world.db.enginePool.query('update outgoing_endpoints set switched_off_at = now()');
    }
    if (given === "somebody else's endpoint") await listen(OutgoingType.options, await world.addCreator());
    await world.addAutomation(creator);
    engine = await world.startEngine();
    await world.deliver(await world.comment(creator, { text: 'recipe' }));
    const query = vi.spyOn(pg.Client.prototype, 'query');
    try {
      await engine.ingestOnce();
      await engine.dispatchOnce();
      const texts = query.mock.calls.map(([first]) =>
        typeof first === 'string' ? first : (first as { text: string }).text,
      );
      expect(texts.filter((text) => /insert into outgoing_events/.test(text))).toEqual([]);
      const names = query.mock.calls.flatMap(([first]) => (first as { name?: string }).name ?? []);
      expect(names.slice(names.indexOf('engine-insert-decisions'))).toEqual([
        'engine-insert-decisions',
        'engine-find-who-matters',
        'engine-record-sent',
      ]);
      // The only transaction is the one that decides: what was sent is recorded by one statement alone.
      expect(texts.filter((text) => text === 'begin')).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
    expect(await rows('select from outgoing_events')).toEqual([]);
  },
);

test('an endpoint that was added while the engine knew of none is told from the next signal on', async () => {
  await world.addAutomation(creator);
  engine = await world.startEngine();
  await world.deliver(await world.comment(creator, { text: 'recipe' }));
  await settle();
  await listen(['delivery']);
  engine.automationsChanged(creator.creatorId);
  await world.deliver(await world.comment(creator, { text: 'recipe', person: 1 }));
  await settle();
  expect(await toldOf('delivery')).toMatchObject([{ kind: 'private_reply', state: 'sent' }]);
});
