import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEngineWorld, type EngineWorld, type WorldCreator } from './testing/engine-world.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());

async function sentTo(commentId: string) {
  const [deliveries] = await world.simulator.control.deliveries([commentId]);
  return deliveries?.privateReplies ?? 0;
}

async function outcomeOf(creator: WorldCreator, commentId: string) {
  const found = (await world.interactions(creator)).filter((interaction) => interaction.platform_id === commentId);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0] === undefined ? null : `${found[0].outcome}: ${found[0].reason}`;
}

/** A creator who answers "recipe", and one comment delivered. */
async function scene(text = 'The RECIPE please') {
  const creator = await world.addCreator();
  const automationId = await world.addAutomation(creator);
  const comment = await world.comment(creator, { text });
  const engine = await world.startEngine();
  await world.deliver(comment);
  return { creator, automationId, comment, engine };
}

describe('a matching comment', () => {
  test('gets one private reply with the tracked link and the follower’s name', async () => {
    const { creator, comment, engine } = await scene();
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    expect(await outcomeOf(creator, comment.id)).toBe('replied: sent');
    const thread = await world.simulator.control.thread(creator.followers[0]!.personId, creator.instagramAccountId);
    const message = JSON.stringify(thread.messages.at(-1));
    expect(message).toContain(`Hi ${creator.followers[0]!.username}, here it is.`);
    expect(message).toMatch(/https:\/\/hq\.example\.com\/l\/abc1234\/[\w-]{22}/);
  });

  test('is answered once when the webhook comes twice, in one batch and in two', async () => {
    const { creator, comment, engine } = await scene();
    await world.deliver(comment);
    await world.settle(engine);
    await world.deliver(comment);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    expect(await world.interactions(creator)).toHaveLength(1);
  });

  test('is followed by a public reply, not the one used last', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { publicReplies: ['Sent you a message', 'Look in your inbox'] });
    const engine = await world.startEngine();
    for (const person of [0, 1, 2]) await world.deliver(await world.comment(creator, { text: 'recipe', person }));
    await world.settle(engine);
    const comments = await world.simulator.control.comments(creator.posts[0]!.mediaId);
    const replies = comments.flatMap((comment) => comment.replies ?? []).map((reply) => reply.text);
    expect(replies).toHaveLength(3);
    expect(replies[0]).not.toBe(replies[1]);
    expect(replies[1]).not.toBe(replies[2]);
  });

  test('of the same person shortly after is not answered again; a day later it is', async () => {
    const { creator, comment, engine } = await scene();
    const second = await world.comment(creator, { text: 'recipe!!' });
    await world.deliver(second);
    await world.settle(engine);
    expect([await sentTo(comment.id), await sentTo(second.id)]).toEqual([1, 0]);
    expect(await outcomeOf(creator, second.id)).toBe('skipped: already_answered');
    await world.advance(25 * 3_600_000);
    const third = await world.comment(creator, { text: 'recipe' });
    await world.deliver(third);
    await world.settle(engine);
    expect(await sentTo(third.id)).toBe(1);
  });

  test('is answered beside another one of the same person where every comment is', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { repeatAfterMinutes: null });
    const comments = [
      await world.comment(creator, { text: 'recipe' }),
      await world.comment(creator, { text: 'recipe' }),
    ];
    // Meta may put both into one body.
    const [first, second] = comments.map(({ body }) => JSON.parse(body));
    first.entry.push(...second.entry);
    await world.deliver({ body: JSON.stringify(first), accountId: creator.instagramAccountId });
    await world.settle(await world.startEngine());
    expect(await Promise.all(comments.map(({ id }) => sentTo(id)))).toEqual([1, 1]);
    expect(await outcomeOf(creator, comments[0]!.id)).toBe('replied: sent');
  });

  test('a week late is missed, not sent', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator);
    const comment = await world.comment(creator, { text: 'recipe' });
    const engine = await world.startEngine();
    await world.advance(7 * 24 * 3_600_000 + 1000);
    await world.deliver(comment);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(0);
    expect(await outcomeOf(creator, comment.id)).toBe('missed: too_old');
  });
});

describe('no message goes to', () => {
  test.each([
    ['Looks great', 'skipped: no_match'],
    ['🍝', 'skipped: no_match'],
  ])('a comment without the word: %s', async (text, outcome) => {
    const { creator, comment, engine } = await scene(text);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(0);
    expect(await outcomeOf(creator, comment.id)).toBe(outcome);
  });

  test('the account’s own comment', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator);
    const comment = await world.comment(creator, { text: 'Comment RECIPE for the recipe', by: 'owner' });
    const engine = await world.startEngine();
    await world.deliver(comment);
    await world.settle(engine);
    expect(await outcomeOf(creator, comment.id)).toBe('skipped: own_comment');
  });

  test('a post without an automation', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { postId: creator.posts[0]!.mediaId });
    const engine = await world.startEngine();
    const comment = await world.comment(creator, { text: 'recipe', post: 1 });
    await world.deliver(comment);
    await world.settle(engine);
    expect(await outcomeOf(creator, comment.id)).toBe('skipped: no_automation');
  });
});

describe('what people write', () => {
  test.each([
    ["recipe'); drop table interactions; --"],
    ['recipe <script>alert(1)</script>'],
    ['recipe \u0000 nul and a lone half \ud83d of a pair'],
    ['وصفة recipe 🥘👩‍👩‍👧 ‮reversed'],
  ])('is stored and shown, never executed: %j', async (text) => {
    const { creator, comment, engine } = await scene(text);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    const [interaction] = await world.interactions(creator);
    expect(interaction?.text).toBe(text.replace('\u0000', '').toWellFormed());
  });
});

describe('when Meta', () => {
  test.each([
    ['answers with a passing error', { kind: 'error', code: 2 }, 'replied: sent'],
    ['cuts the connection before it took the call', { kind: 'reset', when: 'before' }, 'replied: sent_confirmed_later'],
    [
      'cuts the connection after it sent the message',
      { kind: 'reset', when: 'after' },
      'replied: sent_confirmed_later',
    ],
    ['answers without a message id', { kind: 'no_message_id' }, 'replied: sent_confirmed_later'],
    [
      'answers with a page of HTML after it sent the message',
      { kind: 'html', status: 502, when: 'after' },
      'replied: sent_confirmed_later',
    ],
    ['says that it sent, in an error', { kind: 'success_but_error' }, /^replied: /],
    ['limits the rate', { kind: 'rate_limited', regainMinutes: 19 }, 'replied: sent'],
    ['bars the account for a while', { kind: 'error', code: 10, subcode: 1893063 }, 'replied: sent'],
  ] as const)('%s, they get the message once', async (_name, action, outcome) => {
    const { creator, comment, engine } = await scene();
    await world.simulator.control.addFault({
      match: { operation: 'private_reply', accountId: creator.instagramAccountId },
      action,
    });
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    expect(await outcomeOf(creator, comment.id)).toMatch(outcome);
  });

  test.each([
    ['has no such comment any more', { kind: 'error', code: 100, subcode: 33 }, 'failed: comment_unavailable'],
    [
      'says that they do not receive messages',
      { kind: 'error', code: 551, subcode: 1545041 },
      'failed: person_unavailable',
    ],
    [
      'took a private reply for the comment before',
      { kind: 'error', code: 100, subcode: 2534025 },
      'failed: already_replied_elsewhere',
    ],
  ] as const)('%s, it is told with the reason and they may ask again', async (_name, action, outcome) => {
    const { creator, comment, engine } = await scene();
    await world.simulator.control.addFault({
      match: { operation: 'private_reply', accountId: creator.instagramAccountId },
      action,
    });
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(0);
    expect(await outcomeOf(creator, comment.id)).toBe(outcome);
    const again = await world.comment(creator, { text: 'recipe' });
    await world.deliver(again);
    await world.settle(engine);
    expect(await sentTo(again.id)).toBe(1);
  });

  test('stops a connection, its creator’s pages are told once', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator);
    const told: string[] = [];
    const engine = await world.startEngine({ onStopped: (creatorId) => told.push(creatorId) });
    const comment = await world.comment(creator, { text: 'recipe' });
    await world.deliver(comment);
    await world.simulator.control.killTokens({ subjectId: creator.instagramAccountId, reason: 'password_changed' });
    await world.settle(engine, 60_000);
    expect(await outcomeOf(creator, comment.id)).toBe('waiting: needs_reconnect');
    expect(told).toEqual([creator.creatorId]);
    // Nothing is left waiting for the tests that follow.
    const { token } = await world.simulator.control.issueToken({
      kind: 'INSTAGRAM_BUSINESS_USER',
      subjectId: creator.instagramAccountId,
    });
    await world.reconnect(creator, token);
    await engine.connectionChanged(creator.creatorId, creator.connectionId);
    await world.settle(engine, 60_000);
    expect(await sentTo(comment.id)).toBe(1);
  });

  test('refuses the token, everything waits and goes out after the reconnect', async () => {
    const { creator, comment, engine } = await scene();
    await world.simulator.control.killTokens({ subjectId: creator.instagramAccountId, reason: 'password_changed' });
    await world.settle(engine, 60_000);
    expect(await outcomeOf(creator, comment.id)).toBe('waiting: needs_reconnect');
    const second = await world.comment(creator, { text: 'recipe', person: 1 });
    await world.deliver(second);
    await world.settle(engine, 60_000);
    expect(await outcomeOf(creator, second.id)).toBe('waiting: needs_reconnect');

    const { token } = await world.simulator.control.issueToken({
      kind: 'INSTAGRAM_BUSINESS_USER',
      subjectId: creator.instagramAccountId,
    });
    await world.reconnect(creator, token);
    await engine.connectionChanged(creator.creatorId, creator.connectionId);
    await world.settle(engine, 60_000);
    expect([await sentTo(comment.id), await sentTo(second.id)]).toEqual([1, 1]);
  });

  test('refuses a token that was replaced while we called, the message goes out with the new one', async () => {
    const { creator, comment, engine } = await scene();
    const subjectId = creator.instagramAccountId;
    await world.simulator.control.killTokens({ subjectId, reason: 'password_changed' });
    const { privateReply } = world.meta;
    using _ = vi.spyOn(world.meta, 'privateReply').mockImplementationOnce(async (reply) => {
      const refused = await privateReply(reply);
      const { token } = await world.simulator.control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId });
      await world.reconnect(creator, token);
      return refused;
    });
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    expect(await outcomeOf(creator, comment.id)).toBe('replied: sent');
  });

  test('asks to wait and refuses the token in the same moment, the reconnect does not cut the wait short', async () => {
    const { creator, comment, engine } = await scene();
    const asking = await world.comment(creator, { text: 'recipe', person: 1 });
    await world.deliver(asking);
    await world.simulator.control.addFault({
      match: { operation: 'private_reply', accountId: creator.instagramAccountId },
      action: { kind: 'error', code: 80002 },
      times: 1,
    });
    await world.simulator.control.addFault({
      match: { operation: 'private_reply', accountId: creator.instagramAccountId },
      action: { kind: 'error', code: 190, subcode: 463 },
      times: 1,
    });
    const waitingSince = world.clock.now().getTime();
    await engine.ingestOnce();
    await engine.dispatchOnce();
    const { token } = await world.simulator.control.issueToken({
      kind: 'INSTAGRAM_BUSINESS_USER',
      subjectId: creator.instagramAccountId,
    });
    await world.reconnect(creator, token);
    await engine.connectionChanged(creator.creatorId, creator.connectionId);
    expect(engine.nextDispatchAt()).toBeGreaterThanOrEqual(waitingSince + 5 * 60_000);
    // Another worker knows it too.
    const next = await world.startEngine();
    expect(next.nextDispatchAt()).toBeGreaterThanOrEqual(waitingSince + 5 * 60_000);
    await world.settle(next);
    expect([await sentTo(comment.id), await sentTo(asking.id)]).toEqual([1, 1]);
  });

  test('keeps a switch of the creator off, the message waits until they turn it on', async () => {
    const { creator, comment, engine } = await scene();
    await world.simulator.control.updateAccount(creator.instagramAccountId, { messageAccess: false });
    await world.settle(engine, 5 * 60_000);
    expect(await outcomeOf(creator, comment.id)).toBe('waiting: message_access_off');
    await world.simulator.control.updateAccount(creator.instagramAccountId, { messageAccess: true });
    await world.settle(engine, 20 * 60_000);
    expect(await sentTo(comment.id)).toBe(1);
  });
});

describe('the pace', () => {
  test('never exceeds the limit of an hour, uses all of it, and says when a turn comes', async () => {
    const slow = await createEngineWorld({ limits: { privateRepliesPerHour: 3 } });
    try {
      const creator = await slow.addCreator();
      await slow.addAutomation(creator, { repeatAfterMinutes: null });
      const engine = await slow.startEngine();
      for (let n = 0; n < 8; n++) await slow.deliver(await slow.comment(creator, { text: 'recipe', person: n % 6 }));
      while ((await engine.ingestOnce()) > 0);
      const announced = (await slow.interactions(creator))
        .map(({ waiting_until }) => waiting_until?.getTime() ?? 0)
        .sort();
      const start = slow.clock.now().getTime();
      const hour = 3_600_000;
      expect(announced).toEqual([
        0,
        0,
        0,
        start + hour,
        start + hour,
        start + hour,
        start + 2 * hour,
        start + 2 * hour,
      ]);
      await slow.settle(engine);
      const calls = (await slow.simulator.control.ledger({ operation: 'private_reply' })).map(
        (entry) => entry.at - start,
      );
      expect(calls).toEqual([0, 0, 0, hour, hour, hour, 2 * hour, 2 * hour]);
    } finally {
      await slow.close();
    }
  });

  test('is kept over a restart', async () => {
    const slow = await createEngineWorld({ limits: { privateRepliesPerHour: 2 } });
    try {
      const creator = await slow.addCreator();
      await slow.addAutomation(creator, { repeatAfterMinutes: null });
      for (let n = 0; n < 4; n++) await slow.deliver(await slow.comment(creator, { text: 'recipe', person: n }));
      await slow.settle(await slow.startEngine(), 60_000);
      await slow.advance(10 * 60_000);
      await slow.settle(await slow.startEngine(), 60_000);
      expect((await slow.simulator.control.ledgerSummary()).privateRepliesDelivered).toBe(2);
      await slow.settle(await slow.startEngine());
      expect((await slow.simulator.control.ledgerSummary()).privateRepliesDelivered).toBe(4);
    } finally {
      await slow.close();
    }
  });

  test('lets what waits past its deadline expire, and says so', async () => {
    const slow = await createEngineWorld({ limits: { privateRepliesPerHour: 1 } });
    try {
      const creator = await slow.addCreator();
      await slow.addAutomation(creator, { repeatAfterMinutes: null });
      const engine = await slow.startEngine();
      for (const person of [0, 1]) await slow.deliver(await slow.comment(creator, { text: 'recipe', person }));
      await slow.settle(engine, 1000);
      await slow.advance(7 * 24 * 3_600_000);
      await engine.sweep();
      expect((await slow.interactions(creator)).map(({ outcome, reason }) => `${outcome}: ${reason}`).sort()).toEqual([
        'expired: deadline_passed',
        'replied: sent',
      ]);
    } finally {
      await slow.close();
    }
  });
});

describe('when the database dies after it did what was asked', () => {
  /** A pool that loses the answer to the first statement of that name. */
  function losingAnswerOf(name: string): EngineWorld['db']['enginePool'] {
    let lost = false;
    const query = async (statement: { name?: string }, ...rest: unknown[]) => {
      const answer = await (world.db.enginePool.query as (...all: unknown[]) => Promise<unknown>)(statement, ...rest);
      if (lost || statement.name !== name) return answer;
      lost = true;
      throw new Error('Connection terminated unexpectedly');
    };
    return Object.assign(Object.create(world.db.enginePool), { query });
  }

  test('to a claim, the message goes out all the same', async () => {
    const { creator, comment } = await scene();
    const engine = await world.startEngine({ pool: losingAnswerOf('engine-claim') });
    engine.deliveriesQueued(creator.creatorId, creator.connectionId);
    await engine.ingestOnce();
    await expect(engine.dispatchOnce()).rejects.toThrow('Connection terminated');
    await engine.sweep();
    expect(await engine.dispatchOnce()).toBe(0);
    await world.advance(61_000);
    await engine.sweep();
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    expect(await outcomeOf(creator, comment.id)).toMatch(/^replied/);
  });

  test('to a result, it is written down once and followed by one public reply', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { publicReplies: ['Look in your inbox'] });
    const engine = await world.startEngine({ pool: losingAnswerOf('engine-record-sent') });
    const comment = await world.comment(creator, { text: 'recipe' });
    await world.deliver(comment);
    await engine.ingestOnce();
    await engine.claimAndCall();
    await expect.poll(() => world.clock.sleeping()).toBe(1);
    await world.advance(1000);
    await world.settle(engine);
    const [deliveries] = await world.simulator.control.deliveries([comment.id]);
    expect(deliveries).toMatchObject({ privateReplies: 1, publicReplies: 1 });
  });
});

describe('who waits for nothing', () => {
  const statesOf = async (creator: WorldCreator) => {
    const { rows } = await world.db.enginePool.query<{ told: string }>(
      `select d.state || ', ' || i.reason as told from deliveries d
       join interactions i on i.creator_id = d.creator_id and i.id = d.interaction_id
       where d.creator_id = $1 order by d.id`,
      [creator.creatorId],
    );
    return rows.map(({ told }) => told);
  };

  test('is called right after the commit, without a claim', async () => {
    const { creator, comment, engine } = await scene();
    await engine.ingestOnce();
    expect(await statesOf(creator)).toEqual(['sending, sending']);
    expect(await engine.dispatchOnce()).toBe(1);
    expect(await statesOf(creator)).toEqual(['sent, sent']);
    expect(await sentTo(comment.id)).toBe(1);
  });

  test('stands in the queue behind those who do', async () => {
    const { creator, comment, engine } = await scene();
    engine.deliveriesQueued(creator.creatorId, creator.connectionId);
    await engine.ingestOnce();
    expect(await statesOf(creator)).toEqual(['queued, queued']);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
  });

  test('is asked about again when the worker dies before the call', async () => {
    const { creator, comment, engine } = await scene();
    await engine.ingestOnce();
    const next = await world.startEngine();
    expect(await statesOf(creator)).toEqual(['queued, checking']);
    await world.settle(next);
    expect(await sentTo(comment.id)).toBe(1);
    expect(await outcomeOf(creator, comment.id)).toBe('replied: sent_confirmed_later');
  });

  test('and was erased before the webhook came is not called', async () => {
    const { creator, comment, engine } = await scene();
    await world.db.enginePool.query(
      `insert into erased_people (creator_id, connection_id, person_hash, erased_at)
       values ($1::uuid, $2::uuid, erased_hash($1::uuid, $2::uuid, $3), $4)`,
      [
        creator.creatorId,
        creator.connectionId,
        await writerOf(comment.body),
        new Date(world.clock.now().getTime() + 5000),
      ],
    );
    await engine.ingestOnce();
    expect(await engine.dispatchOnce()).toBe(0);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(0);
  });

  test('and took their comment for a reason to write STOP at the same moment gets nothing', async () => {
    const creator = await world.addCreator({ webhooks: true });
    await world.addAutomation(creator);
    const engine = await world.startEngine();
    const { personId } = creator.followers[0]!;
    await world.deliver(await world.comment(creator, { text: 'recipe' }));
    await world.simulator.control.directMessage({ accountId: creator.instagramAccountId, personId, text: 'stop' });
    await world.webhooksArrived();
    await world.settle(engine);
    expect(await statesOf(creator)).toEqual(['cancelled, stopped']);
  });

  const writerOf = async (body: string) => JSON.parse(body).entry[0].changes[0].value.from.id as string;
});

test.each([
  ['by somebody else', 1],
  ['by the account', 0],
])('the same words %s under the comment decide whether a public reply is sent after a crash', async (by, sent) => {
  const creator = await world.addCreator();
  await world.addAutomation(creator, { publicReplies: ['Look in your inbox'] });
  const crashed = await world.startEngine();
  const comment = await world.comment(creator, { text: 'recipe' });
  await world.deliver(comment);
  await crashed.ingestOnce();
  await crashed.dispatchOnce();
  const same = { text: 'Look in your inbox', parentId: comment.id };
  await world.comment(creator, by === 'by the account' ? { ...same, by: 'owner' } : { ...same, person: 1 });
  await world.db.enginePool.query(
    `with called as (
       update deliveries set state = 'sending', called_at = $2 where creator_id = $1 and kind = 'public_reply'
       returning id
     )
     insert into calls_under_way (batch_id, delivery_ids) select gen_random_uuid(), array_agg(id) from called`,
    [creator.creatorId, world.clock.now()],
  );
  await world.settle(await world.startEngine());
  const [done] = await world.simulator.control.deliveries([comment.id]);
  expect(done).toMatchObject({ publicReplies: sent });
});

test('after a crash a public reply is looked for when Meta must have finished it, not before', async () => {
  const creator = await world.addCreator();
  await world.addAutomation(creator, { publicReplies: ['Look in your inbox'] });
  const crashed = await world.startEngine();
  const comment = await world.comment(creator, { text: 'recipe' });
  await world.deliver(comment);
  await crashed.ingestOnce();
  await crashed.dispatchOnce();
  // As if the call were still under way when the worker died.
  await world.db.enginePool.query(
    `with called as (
       update deliveries set state = 'sending', called_at = $2 where creator_id = $1 and kind = 'public_reply'
       returning id
     )
     insert into calls_under_way (batch_id, delivery_ids) select gen_random_uuid(), array_agg(id) from called`,
    [creator.creatorId, world.clock.now()],
  );
  const engine = await world.startEngine();
  const [waiting] = await world.simulator.control.deliveries([comment.id]);
  expect(await engine.dispatchOnce()).toBe(0);
  expect(engine.nextDispatchAt() - world.clock.now().getTime()).toBeGreaterThan(20_000);
  expect(waiting).toMatchObject({ privateReplies: 1, publicReplies: 0 });
  await world.settle(engine);
  const [done] = await world.simulator.control.deliveries([comment.id]);
  expect(done).toMatchObject({ privateReplies: 1, publicReplies: 1 });
});

describe('two workers', () => {
  test('never work the same shard: the second gets nothing until the first lets go', async () => {
    const { comment, engine } = await scene();
    const second = await world.startEngine({ alone: false });
    // startEngine takes over; the first notices at its next step and does nothing.
    await expect(engine.ingestOnce()).rejects.toThrow('Another worker holds this shard');
    expect(await engine.dispatchOnce()).toBe(0);
    await world.settle(second);
    expect(await sentTo(comment.id)).toBe(1);
  });
});

describe('an event that cannot be worked off', () => {
  test('is parked, and the others go on', async () => {
    const { comment, engine } = await scene();
    await world.eventLog.append([{ shard: 0, receivedAt: world.clock.now(), body: 'not an envelope' }]);
    await world.settle(engine);
    expect(await sentTo(comment.id)).toBe(1);
    const { rows } = await world.db.enginePool.query('select body from parked_events');
    expect(rows).toEqual([{ body: 'not an envelope' }]);
  });
});
