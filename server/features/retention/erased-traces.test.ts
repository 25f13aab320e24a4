/**
 * Somebody comments, writes, taps, gives an address, is answered and blocked, in a real conversation with the engine; what
 * is kept of them is looked for in every column of every table, before they are erased and after, and docs/privacy.md must say
 * of each of them that it names followers.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listHeld } from '#server/db/holds.ts';
import type { Engine } from '#server/engine/engine.ts';
import { engineHolds } from '#server/engine/holds.ts';
import { isOutcome, readCounts, sumOf } from '#server/engine/outcomes/counts.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { writeAudit } from '#server/features/admin/audit.ts';
import { findKnown } from '#server/features/catch-up/reading-queries.ts';
import type { ConnectionDeps } from '#server/features/connections/connection-deps.ts';
import { deletePersonsData, finishDataDeletions } from '#server/features/connections/data-deletion.ts';
import { answer } from '#server/features/contacts/direct-messages.ts';
import { erase, exportPerson } from '#server/features/contacts/erasure.ts';
import { refreshProfiles } from '#server/features/contacts/profiles.ts';
import { block, handBack } from '#server/features/contacts/taking-over.ts';
import { HELD } from '#server/features/registered.ts';
import type { CallResult } from '#server/platforms/meta/verdict.ts';
import { privacyTable, tracesOf } from './testing/privacy-table.ts';

const MINUTE_MS = 60_000;
const ERASED = { username: 'zqperson', name: 'Zqname Zqlast' };
const WITNESS = { username: 'zwwitness', name: 'Zwname' };
/** Texts by and about them; each is unlike anything else in the database. */
const WORDS = [
  'zqperson',
  'zqname',
  'zqlast',
  'zqcomment',
  'zqreply',
  'zqmessage',
  'zqown',
  'zqmail',
  'zqhand',
  'zqlate',
];
/** Raw webhooks are not theirs to read: they are many people's, and gone within minutes or weeks. */
const NOT_IN_EXPORT = ['zqlate', 'zqparked'];

let world: EngineWorld;
let engine: Engine;
let creator: WorldCreator;
let userId: string;
let herId: string;
/** Runs while a private reply is under way, and may say what becomes of it. */
let duringCall: (() => Promise<CallResult | undefined>) | undefined;

afterEach(() => world?.close());

const deps = () => ({
  db: world.db,
  clock: world.clock,
  ids: world.ids,
  keys: { encryptionKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] },
  config: { metaHumanAgent: false },
  held: HELD,
});
const whose = () => ({ creatorId: creator.creatorId, contactId: `${creator.connectionId}.${herId}`, userId });
const traces = (words: string[]) => tracesOf(world.db, words);
const namingFollowers = () =>
  privacyTable()
    .filter(({ names }) => names.includes('followers'))
    .map(({ table }) => table)
    .toSorted();

async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await world.webhooksArrived();
    await world.advance(1000);
    await world.settle(engine, MINUTE_MS);
  }
}

beforeEach(async () => {
  world = await createEngineWorld();
  creator = await world.addCreator({ webhooks: true, followers: [ERASED, WITNESS] });
  herId = creator.followers[0]!.igsid;
  userId = world.ids.uuid(world.clock.now());
  const { enginePool } = world.db;
  await enginePool.query(`insert into users (id, name, email) values ($1, 'Anna', $2)`, [userId, `${userId}@x.test`]);
  await enginePool.query(
    `insert into outgoing_endpoints (creator_id, id, url, secret, types, created_at)
     values ($1, $2, 'https://tool.example', 'sealed', '{interaction,delivery,contact,click}', $3)`,
    [creator.creatorId, world.ids.uuid(world.clock.now()), world.clock.now()],
  );
  await world.addAutomation(creator, {
    messageText: 'Hi {{first_name|there}} {{username}}, the link',
    publicReplies: ['Sent'],
    repeatAfterMinutes: 0,
    opening: { text: 'Shall I send it, {{username}}?', buttonTitle: 'Send it to me' },
    emailAsk: { text: 'Your e-mail?', consent: 'You get my letter.' },
  });
  duringCall = undefined;
  const { meta } = world;
  engine = await world.startEngine({
    meta: {
      ...meta,
      privateReply: async (call) => (await duringCall?.()) ?? meta.privateReply(call),
    },
  });
  await plant();
});

/** Everything that can happen with somebody. */
async function plant(): Promise<void> {
  const { control } = world.simulator;
  const accountId = creator.instagramAccountId;
  const [erased, witness] = creator.followers.map(({ personId }) => personId) as [string, string];
  const { mediaId } = creator.posts[0]!;
  const tap = async (button: number | string) => {
    const { messages } = await control.thread(erased, accountId);
    const last = messages.filter(({ from, buttons }) => from === 'account' && buttons.length > 0).at(-1)!;
    await control.tap({ personId: erased, messageId: last.messageId, button });
    await settle();
  };
  await control.comment({ mediaId, personId: erased, text: 'recipe zqcomment' });
  await settle();
  await tap(0);
  await control.directMessage({ accountId, personId: erased, text: 'zqmail@gmial.com' });
  await settle();
  await tap("Yes, that's it");
  await control.directMessage({ accountId, personId: erased, text: 'zqmessage' });
  await settle();
  await control.storyMention({ accountId, personId: erased });
  await settle();
  const hand = { text: 'Hello zqhand', key: world.ids.uuid(world.clock.now()) };
  await world.db.withCreator(creator.creatorId, (trx) => answer(deps(), trx, whose(), hand));
  await settle();
  await control.ownerMessage({ accountId, personId: erased, text: 'It is me, zqown' });
  await settle();
  await world.db.withCreator(creator.creatorId, (trx) => handBack(deps(), trx, whose()));
  // Below somebody else's comment: the public answer calls them by their handle, and comes back as our own comment.
  const { commentId } = await control.comment({ mediaId, personId: witness, text: 'zwwords' });
  const replied = await control.comment({ mediaId, personId: erased, text: 'recipe zqreply', parentId: commentId });
  await settle();
  await control.comment({ mediaId, personId: witness, text: 'zwanswer', parentId: replied.commentId });
  await settle();
  await refreshProfiles({ ...deps(), meta: world.meta, speakerOf: world.speakerOf, log: pino({ level: 'silent' }) });
  await world.db.withCreator(creator.creatorId, (trx) => block(deps(), trx, whose()));
  const parked = await world.comment(creator, { text: 'zqparked' });
  await world.db.enginePool.query(
    `insert into parked_events (shard, received_at, body, error) values (0, $1, $2, 'unreadable')`,
    [world.clock.now(), parked.body],
  );
  await writeAudit(world.db.engine, deps(), {
    admin_name: 'Sam',
    creator_id: creator.creatorId,
    what: 'Block',
    detail: `POST /api/v1/creators/${creator.creatorId}/contacts/${whose().contactId}/block`,
  });
}

/** Meta's ids of what they did and of what was sent to them: whoever has them can look them up there. */
async function idsOfHers(): Promise<string[]> {
  const { rows } = await world.db.enginePool.query<{ id: string }>(
    `select platform_id as id from interactions where creator_id = $1 and person_id = $2
     union select d.platform_message_id from interactions i
       join deliveries d on d.creator_id = i.creator_id and d.interaction_id = i.id
       -- A public answer is a comment of the account's own.
       where i.creator_id = $1 and i.person_id = $2 and d.kind <> 'public_reply' and d.platform_message_id is not null`,
    [creator.creatorId, herId],
  );
  return rows.map(({ id }) => id);
}

async function commentsCounted(): Promise<number> {
  const { mediaId } = creator.posts[0]!;
  const counts = await world.db.withCreator(creator.creatorId, (trx) =>
    readCounts(trx, creator.creatorId, 'post', [mediaId]),
  );
  return sumOf(counts.get(mediaId), isOutcome);
}

/** Rows of the log that are worked off are emptied within minutes, all at once (server/events). */
async function emptyWorkedOff(): Promise<void> {
  await world.db.enginePool.query(
    'delete from event_log e using event_log_positions p where p.shard = e.shard and e.id <= p.done_to',
  );
}

describe('somebody who is erased', () => {
  test('was where docs/privacy.md says followers are, could have a copy, and is nowhere afterwards', async () => {
    const words = [...WORDS, 'zqparked', herId, ...(await idsOfHers())];
    const late = await world.comment(creator, { text: 'recipe zqlate' });
    await world.deliver(late);

    const before = await traces(words);
    expect(namingFollowers()).toEqual(expect.arrayContaining(Object.keys(before)));
    // Other tables that name followers are planted by server/features/holds.test.ts.
    const engines = listHeld(engineHolds).filter(({ person }) => person);
    expect(Object.keys(before)).toEqual(expect.arrayContaining(engines.map(({ table }) => table)));
    const nowhere = words.filter((word) => !Object.values(before).flat().includes(word));
    expect(nowhere).toEqual([]);
    const witness = await traces(['zwwitness', 'zwwords', 'zwanswer']);

    const copy = JSON.stringify(
      await world.db.withCreator(creator.creatorId, (trx) =>
        exportPerson(deps(), trx, creator.creatorId, whose().contactId, {}),
      ),
    ).toLowerCase();
    const missing = words.filter((word) => !NOT_IN_EXPORT.includes(word) && !copy.includes(word.toLowerCase()));
    expect(missing).toEqual([]);
    expect(copy).not.toMatch(/zwwitness|zwwords/);

    await world.advance(1000);
    await erase(deps(), whose());
    await settle();
    await emptyWorkedOff();
    expect(await traces(words)).toEqual({});
    // Somebody else is where they were.
    expect(await traces(['zwwitness', 'zwwords', 'zwanswer'])).toEqual({ ...witness, event_log: undefined });
  });

  test('is not brought back, counted or answered again by what comes late or twice', async () => {
    const again = await world.comment(creator, { text: 'recipe zqlate' });
    await world.deliver(again);
    await settle();
    const words = [...WORDS, herId, ...(await idsOfHers())];
    const counted = await commentsCounted();
    const sent = await world.simulator.control.thread(creator.followers[0]!.personId, creator.instagramAccountId);

    const never = await world.comment(creator, { text: 'recipe zqcomment again' });
    await world.advance(1000);
    await erase(deps(), whose());
    await world.deliver(again);
    await world.deliver(never);
    await world.deliver(never);
    await settle();
    await emptyWorkedOff();
    expect(await traces(words)).toEqual({});
    // The one we had never heard of happened all the same.
    expect(await commentsCounted()).toBe(counted + 1);
    const { messages } = await world.simulator.control.thread(
      creator.followers[0]!.personId,
      creator.instagramAccountId,
    );
    expect(messages).toHaveLength(sent.messages.length);

    // Reading the post again finds nothing that is not known.
    const known = await findKnown(world.db, creator, [again.id, never.id, 'somebody-elses']);
    expect([...known].toSorted()).toEqual([again.id, never.id].toSorted());
  });

  test('while a message to them is under way is nowhere afterwards either', async () => {
    const { personId, igsid } = creator.followers[1]!;
    duringCall = async () => {
      await erase(deps(), { ...whose(), contactId: `${creator.connectionId}.${igsid}` });
      return undefined;
    };
    await world.simulator.control.comment({ mediaId: creator.posts[0]!.mediaId, personId, text: 'recipe zwlate' });
    await settle();
    await emptyWorkedOff();
    const { messages } = await world.simulator.control.thread(personId, creator.instagramAccountId);
    expect(messages).toHaveLength(1);
    expect(await traces(['zwlate', 'zwwitness', 'zwname', igsid, messages[0]!.messageId])).toEqual({});
  });

  test.each([
    { kind: 'retry', detail: 'zwdetail' },
    { kind: 'unknown', detail: 'zwdetail' },
  ] as const)('is not tried again after a call that came to nothing ($kind)', async (verdict) => {
    const { personId, igsid } = creator.followers[1]!;
    duringCall = async () => {
      await erase(deps(), { ...whose(), contactId: `${creator.connectionId}.${igsid}` });
      return { verdict, usage: null };
    };
    await world.simulator.control.comment({ mediaId: creator.posts[0]!.mediaId, personId, text: 'recipe zwlate' });
    await settle();
    await emptyWorkedOff();
    expect(await traces(['zwlate', 'zwdetail', igsid])).toEqual({});
    const { rows } = await world.db.enginePool.query(
      `select d.state, i.outcome, i.reason, i.waiting_until from deliveries d
       join interactions i on i.creator_id = d.creator_id and i.id = d.interaction_id
       where d.creator_id = $1 order by d.created_at desc, d.id desc limit 1`,
      [creator.creatorId],
    );
    expect(rows).toEqual([{ state: 'cancelled', outcome: 'skipped', reason: 'erased', waiting_until: null }]);
  });

  test('who comes back is answered like anybody new', async () => {
    await erase(deps(), whose());
    await world.advance(MINUTE_MS);
    const { mediaId } = creator.posts[0]!;
    await world.simulator.control.comment({ mediaId, personId: creator.followers[0]!.personId, text: 'recipe again' });
    await settle();
    const found = await traces(['recipe again', herId]);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['interactions', 'people', 'answered_people']));
  });

  test('by Meta’s request is nowhere afterwards either, the request itself included', async () => {
    const words = [...WORDS, 'zqparked', herId, ...(await idsOfHers())];
    const metaDeps = { ...deps(), log: pino({ level: 'silent' }), connectionChanged: async () => {} };
    await deletePersonsData(metaDeps as unknown as ConnectionDeps, herId);
    expect(await traces([herId])).toHaveProperty('data_deletions');
    await finishDataDeletions({ ...(metaDeps as unknown as ConnectionDeps), held: HELD });
    await settle();
    await emptyWorkedOff();
    expect(await traces(words)).toEqual({});
  });
});
