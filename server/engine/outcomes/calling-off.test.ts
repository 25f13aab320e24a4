/** Every reason to call off, over every kind of delivery. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REASONS } from '#contract/outcomes.ts';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { insertDelivery } from '#server/engine/testing/delivery-rows.ts';
import { insertConnection, insertInteraction, insertStory } from '#server/testing/rows.ts';
import { CALL_OFF, type CalledOff, callOff, type Which } from './calling-off.ts';

const NOW = new Date('2026-06-10T12:00:00Z');
const LATER = new Date('2026-06-10T13:00:00Z');

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const off = (which: Which, because: CalledOff, at: Date) =>
  db.engine.transaction().execute((trx) => callOff(trx, which, because, at));

/** A waiting row: for the comment's own answer unless said otherwise. */
const KINDS = {
  'private reply': { kind: 'private_reply', lane: 'private_replies' },
  'private reply that may have arrived': { kind: 'private_reply', lane: 'private_replies', uncertain: true },
  'answer in a live': { kind: 'private_reply', lane: 'live_replies' },
  message: { kind: 'message', lane: 'messages' },
  'message that may have arrived': { kind: 'message', lane: 'messages', uncertain: true },
  'message by hand': { kind: 'message', lane: 'messages', byHand: true },
  'reminder after the link': { kind: 'message', lane: 'messages', step: 'follow_up' },
  'public reply': { kind: 'public_reply', lane: 'public_replies' },
  'public reply that may have arrived': { kind: 'public_reply', lane: 'public_replies', uncertain: true },
} as const;
type Kind = keyof typeof KINDS;
const EVERY_KIND = Object.keys(KINDS) as Kind[];

/** `gone`: off the queue; `looked for`: it waits to be looked for, and is not sent if it is missing; `stays`: sent in its turn. */
type Fate = 'gone' | 'looked for' | 'stays';
const MAY_HAVE_ARRIVED: Kind[] = ['message that may have arrived', 'public reply that may have arrived'];
const fates = (fate: (kind: Kind) => Fate) => Object.fromEntries(EVERY_KIND.map((kind) => [kind, fate(kind)]));
/** STOP, a block and the creator's own answer: nothing automatic goes out, what was written by hand does. */
const SILENCED = fates((kind) => (kind === 'message by hand' ? 'stays' : 'gone'));
const SEEN_FIRST = (kind: Kind) => (MAY_HAVE_ARRIVED.includes(kind) ? 'looked for' : 'gone');
const TAKEN_BACK = fates((kind) => (kind === 'message by hand' ? 'stays' : SEEN_FIRST(kind)));
const ALL = fates(() => 'gone');
const OF_LIVES = fates((kind) => (KINDS[kind].kind === 'message' ? 'stays' : SEEN_FIRST(kind)));

const EXPECTED: Record<CalledOff, Record<string, Fate>> = {
  stopped: SILENCED,
  blocked: SILENCED,
  taken_over: SILENCED,
  unsent: TAKEN_BACK,
  comment_changed: TAKEN_BACK,
  catch_up_cancelled: TAKEN_BACK,
  being_deleted: fates(SEEN_FIRST),
  live_over: OF_LIVES,
  // Two hours too late: what may have arrived is looked for for a week.
  deadline_passed: fates((kind) => (kind === 'answer in a live' || MAY_HAVE_ARRIVED.includes(kind) ? 'stays' : 'gone')),
  disconnected: ALL,
  erased: ALL,
};

describe.for(Object.keys(CALL_OFF) as CalledOff[])('%s', (because) => {
  test.for(EVERY_KIND)('%s', async (kind) => {
    const it = await waiting(kind, because);
    const before = EXPECTED[because][kind]!;
    const { count, creatorIds } = await off(it.which(because), because, NOW);
    expect({ count, creatorIds: creatorIds.filter((id) => id === it.creatorId) }).toEqual(
      before === 'gone' ? { count: 1, creatorIds: [it.creatorId] } : { count: 0, creatorIds: [] },
    );
    const {
      uncertain = false,
      byHand = false,
      step = null,
    } = KINDS[kind] as {
      uncertain?: boolean;
      byHand?: boolean;
      step?: string | null;
    };
    const isAnswer = KINDS[kind].kind !== 'public_reply' && step === null && !byHand;
    const { state, conversation } = CALL_OFF[because];
    const ends = before === 'gone' || ['stopped', 'blocked', 'taken_over', 'erased'].includes(because);
    const ofPerson = ['stopped', 'blocked', 'taken_over', 'erased'].includes(because);
    expect(await it.read()).toEqual({
      state: before === 'gone' ? state : 'queued',
      called_off: before === 'looked for' ? because : null,
      failure_reason: before === 'gone' ? because : null,
      outcome: before === 'gone' && isAnswer ? REASONS[because].status : 'waiting',
      reason: before === 'gone' && isAnswer ? because : 'queued',
      // Who may have got it is not answered a second time.
      may_be_answered: before === 'gone' && isAnswer && !uncertain,
      conversation: ends ? (step === 'follow_up' && !ofPerson ? 'delivered' : conversation) : null,
    });
    expect((await off(it.which(because), because, LATER)).count).toBe(0);
  });
});

test('what may have arrived is called off unseen when it was looked for in vain for a week', async () => {
  const it = await waiting('message that may have arrived', 'deadline_passed', '7 days 1 second');
  await off(it.which('deadline_passed'), 'deadline_passed', NOW);
  expect(await it.read()).toMatchObject({ state: 'expired', outcome: 'expired', may_be_answered: false });
});

test('an answer in a live goes by its deadline too, and a reason called off for first stays', async () => {
  const it = await waiting('answer in a live', 'live_over');
  await sql`update stories set ended_at = null`.execute(db.engine);
  await sql`update deliveries set expires_at = ${NOW} where creator_id = ${it.creatorId}`.execute(db.engine);
  await off({ overdue: 'live' }, 'live_over', NOW);
  expect(await it.read()).toMatchObject({ state: 'expired', reason: 'live_over' });
  const other = await waiting('message that may have arrived', 'unsent');
  await off(other.which('unsent'), 'unsent', NOW);
  await off({ creatorId: other.creatorId }, 'being_deleted', NOW);
  expect(await other.read()).toMatchObject({ state: 'queued', called_off: 'unsent' });
});

test('of a connection so many at a time, those under way too', async () => {
  const it = await waiting('private reply', 'disconnected');
  await sql`update deliveries set state = 'sending' where creator_id = ${it.creatorId}`.execute(db.engine);
  const which = { connection: { creatorId: it.creatorId, id: it.connectionId }, most: 1 };
  expect((await off(which, 'disconnected', NOW)).count).toBe(1);
  expect(await it.read()).toMatchObject({ state: 'cancelled', outcome: 'missed' });
});

test.for(EVERY_KIND)('of somebody erased before, what was just decided is called off: %s', async (kind) => {
  for (const state of ['queued', 'sending'] as const) {
    const it = await waiting(kind, 'erased');
    await sql`update deliveries set state = ${state} where creator_id = ${it.creatorId}`.execute(db.engine);
    const which = { justDecided: [{ creator_id: it.creatorId, id: it.interactionId }] };
    expect(await off(which, 'erased', NOW)).toEqual({ count: 1, creatorIds: [it.creatorId] });
    expect(await it.read()).toMatchObject({ state: 'cancelled', failure_reason: 'erased' });
  }
});

/** A creator of whose follower one thing waits, in a conversation, after a comment in a live that is over. */
async function waiting(kind: Kind, because: CalledOff, late = '2 hours') {
  const {
    uncertain = false,
    byHand = false,
    step,
    ...of
  } = KINDS[kind] as {
    kind: string;
    lane: string;
    uncertain?: boolean;
    byHand?: boolean;
    step?: string;
  };
  const creatorId = systemIds.uuid(NOW);
  const automationId = systemIds.uuid(NOW);
  const conversationId = systemIds.uuid(NOW);
  const catchUpId = systemIds.uuid(NOW);
  const userId = systemIds.uuid(NOW);
  await sql`insert into creators (id, handle) values (${creatorId}, ${creatorId.slice(-12)})`.execute(db.engine);
  if (byHand) {
    await sql`
      insert into users (id, name, email, email_verified, created_at, updated_at)
      values (${userId}, 'Maya', ${`${userId}@kitchen.test`}, true, ${NOW}, ${NOW})
    `.execute(db.engine);
  }
  const connectionId = await insertConnection(db, creatorId);
  const liveId = await insertStory(db, creatorId, connectionId, { kind: 'live', ended_at: NOW });
  const interactionId = await insertInteraction(db, creatorId, connectionId, {
    kind: 'live_comment',
    post_id: liveId,
    outcome: 'waiting',
    reason: 'queued',
    automation_id: automationId,
  });
  const { rows } = await sql<{ person: string; platform: string }>`
    select person_id as person, platform_id as platform from interactions where id = ${interactionId}
  `.execute(db.engine);
  const { person, platform } = rows[0]!;
  const expires = sql<Date>`${NOW}::timestamptz + ${because === 'deadline_passed' ? `-${late}`.replaceAll(' 1 ', ' -1 ') : '1 day'}::interval`;
  const deliveryId = await insertDelivery(db, creatorId, connectionId, interactionId, {
    ...of,
    state: 'queued',
    finished_at: null,
    called_at: uncertain ? NOW : null,
    uncertain,
    automation_id: automationId,
    conversation_id: conversationId,
    recipient: person,
    expires_at: expires as never,
    content: JSON.stringify({ text: 'Hello', buttons: [], step, byHand: byHand || undefined }),
    ...(byHand && { sent_by: userId }),
    ...(because === 'catch_up_cancelled' && { catch_up_id: catchUpId }),
  } as never);
  await sql`
    insert into answered_people (creator_id, automation_id, person_id, interaction_id, answered_at)
    values (${creatorId}, ${automationId}, ${person}, ${interactionId}, ${NOW})
  `.execute(db.engine);
  await sql`
    insert into conversations (creator_id, id, connection_id, automation_id, interaction_id, person_id, plan, state,
      pending_delivery_id, expires_at, created_at, updated_at)
    values (${creatorId}, ${conversationId}, ${connectionId}, ${automationId}, ${interactionId}, ${person}, '{}', 'opening',
      ${deliveryId}, ${LATER}, ${NOW}, ${NOW})
  `.execute(db.engine);
  return {
    creatorId,
    connectionId,
    interactionId,
    which(of: CalledOff): Which {
      const key = { creator_id: creatorId, connection_id: connectionId };
      switch (of) {
        case 'stopped':
        case 'blocked':
        case 'taken_over':
        case 'erased':
          return { people: [{ ...key, id: person }] };
        case 'unsent':
        case 'comment_changed':
          return { written: [{ ...key, platform_id: platform }] };
        case 'catch_up_cancelled':
          return { catchUp: { creatorId, id: catchUpId } };
        case 'being_deleted':
          return { creatorId };
        case 'live_over':
          return { lives: { creatorId, ids: [liveId] } };
        case 'deadline_passed':
          return { overdue: 'deadline' };
        case 'disconnected':
          return { connection: { creatorId, id: connectionId }, most: 10 };
      }
    },
    async read() {
      const { rows } = await sql`
        select d.state, d.called_off, d.failure_reason, i.outcome, i.reason, v.ended_because as conversation,
          not exists (select from answered_people a where a.interaction_id = i.id) as may_be_answered
        from deliveries d join interactions i on i.id = d.interaction_id join conversations v on v.id = d.conversation_id
        where d.id = ${deliveryId}
      `.execute(db.engine);
      return rows[0];
    },
  };
}
