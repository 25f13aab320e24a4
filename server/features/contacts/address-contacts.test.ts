import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { HELD } from '#server/features/registered.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { applyNewsletterAct, type ContactSource, findOrMakeContact, noteConsent } from './address-contacts.ts';
import { erase } from './erasure.ts';
import { ACTS, type NewsletterAct, type NewsletterStatus, STATUSES } from './newsletter-status.ts';

const NOW = new Date('2026-11-21T09:30:00Z');
const HOUR_MS = 3_600_000;
const clock = createTestClock(NOW);
const deps = { ids: systemIds, keys: { encryptionKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] } };

let db: TestDatabase;
let creatorId: string;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  creatorId = systemIds.uuid(NOW);
  await db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [creatorId, creatorId.slice(-12)]);
});

const inCreator = <T>(work: (trx: CreatorTransaction) => Promise<T>) => db.withCreator(creatorId, work);
const find = (email = 'ana@example.com', over: { source?: ContactSource; at?: Date; name?: string | null } = {}) =>
  inCreator((trx) =>
    findOrMakeContact(trx, deps, { creatorId, email, name: null, language: null, source: 'blog', at: NOW, ...over }),
  );
const act = (contactId: string, what: NewsletterAct, at = NOW) =>
  inCreator((trx) => applyNewsletterAct(trx, deps, { creatorId, contactId, act: what, at, how: null }));
const rowOf = async (id: string) =>
  (await db.enginePool.query('select * from contacts where creator_id = $1 and id = $2', [creatorId, id])).rows[0];
const suppressed = async () =>
  (await db.enginePool.query('select reason from suppressions where creator_id = $1', [creatorId])).rows.map(
    ({ reason }) => reason,
  );
const ledger = async () =>
  (
    await db.enginePool.query('select act from consents where creator_id = $1 order by agreed_at, id', [creatorId])
  ).rows.map((row) => row.act);

/** Of a new address, made what it is by acts alone. */
const WAY: Record<NewsletterStatus, NewsletterAct[]> = {
  none: [],
  unconfirmed: ['ticks'],
  confirmed: ['ticks', 'taps'],
  unsubscribed: ['ticks', 'taps', 'unsubscribes'],
  bounced: ['bounces'],
  complained: ['complains'],
};
async function standing(status: NewsletterStatus, email?: string): Promise<string> {
  const { id } = await find(email);
  for (const one of WAY[status]) await act(id, one, new Date(NOW.getTime() - 48 * HOUR_MS));
  expect((await rowOf(id)).newsletter).toBe(status);
  return id;
}

/** The design's table: what it becomes, and `+asked`, `+` the reason of a suppression, `+gone` when nothing else is there. */
const TABLE: Record<NewsletterStatus, Record<NewsletterAct, string>> = {
  none: {
    ticks: 'unconfirmed +asked',
    taps: 'none',
    unsubscribes: 'none',
    bounces: 'bounced +bounced',
    complains: 'complained +complained',
    told_confirmed: 'confirmed',
    not_me: 'none +not_me +gone',
    taken_back: 'none',
  },
  unconfirmed: {
    ticks: 'unconfirmed +asked',
    taps: 'confirmed',
    unsubscribes: 'unsubscribed',
    bounces: 'bounced +bounced',
    complains: 'complained +complained',
    told_confirmed: 'confirmed',
    not_me: 'none +not_me +gone',
    taken_back: 'unconfirmed',
  },
  confirmed: {
    ticks: 'confirmed',
    taps: 'confirmed',
    unsubscribes: 'unsubscribed',
    bounces: 'bounced +bounced',
    complains: 'complained +complained',
    told_confirmed: 'confirmed',
    not_me: 'unsubscribed +not_me',
    taken_back: 'confirmed',
  },
  unsubscribed: {
    ticks: 'unconfirmed +asked',
    taps: 'unsubscribed',
    unsubscribes: 'unsubscribed',
    bounces: 'unsubscribed +bounced',
    complains: 'complained +complained',
    told_confirmed: 'unsubscribed',
    not_me: 'unsubscribed +not_me',
    taken_back: 'unsubscribed',
  },
  bounced: {
    ticks: 'unconfirmed +asked',
    taps: 'confirmed',
    unsubscribes: 'unsubscribed +bounced',
    bounces: 'bounced +bounced',
    complains: 'complained +complained',
    told_confirmed: 'bounced +bounced',
    not_me: 'bounced +not_me',
    taken_back: 'bounced +bounced',
  },
  complained: {
    ...(Object.fromEntries(ACTS.map((one) => [one, 'complained +complained'])) as Record<NewsletterAct, string>),
    taken_back: 'unsubscribed +complained',
  },
};

describe('what becomes of a newsletter', () => {
  test.each(STATUSES.flatMap((status) => ACTS.map((one) => [status, one] as const)))('%s: %s', async (status, one) => {
    const id = await standing(status);
    const { newsletter, asks, mayGo } = await act(id, one);
    const done = [newsletter, asks && '+asked', ...(await suppressed()).map((why) => `+${why}`), mayGo && '+gone'];
    expect(done.filter(Boolean).join(' ')).toBe(TABLE[status][one]);
    expect((await rowOf(id)).newsletter).toBe(newsletter);
  });

  /** Erased, and what an old file, a tool or a backup says of them afterwards. */
  test.each(STATUSES)(
    '%s, erased: no file and no tool brings them back; their own yes does, where one may write',
    async (status) => {
      const id = await standing(status);
      await erase({ ...deps, db, clock, held: HELD }, { creatorId, contactId: id, userId: null });
      expect(await rowOf(id)).toBeUndefined();
      const again = await find('ANA@example.com', { source: 'file' });
      expect(again).toMatchObject({ isNew: true, isSuppressed: expect.any(String) });
      expect((await act(again.id, 'told_confirmed')).newsletter).not.toBe('confirmed');
      await act(again.id, 'ticks');
      const after = await act(again.id, 'taps');
      expect(after.newsletter).toBe(status === 'complained' ? 'complained' : 'confirmed');
    },
  );

  test('whoever said "not me" is asked no more, whoever ticks the box for them, also once erased', async () => {
    for (const status of STATUSES) {
      const email = `${status}@example.com`;
      const id = await standing(status, email);
      await act(id, 'not_me');
      for (const one of ['ticks', 'taps', 'told_confirmed'] as const) {
        expect(await act(id, one)).toMatchObject({
          asks: false,
          newsletter: expect.not.stringMatching(/^(un)?confirmed$/),
        });
      }
      await erase({ ...deps, db, clock, held: HELD }, { creatorId, contactId: id, userId: null });
      const again = await find(email);
      expect(again.isSuppressed).toBe(status === 'complained' ? 'complained' : 'not_me');
      expect((await act(again.id, 'ticks')).asks).toBe(false);
    }
  });

  test('they are asked once a day at most and three times in all', async () => {
    const { id } = await find();
    const asked = [];
    for (const hours of [0, 1, 25, 26, 50, 80]) {
      asked.push((await act(id, 'ticks', new Date(NOW.getTime() + hours * HOUR_MS))).asks);
    }
    expect(asked).toEqual([true, false, true, false, true, false]);
  });

  test('the ledger has a line of each act that says yes or no, and requests can change none', async () => {
    const { id } = await find();
    await inCreator((trx) =>
      noteConsent(trx, deps, {
        creatorId,
        contactId: id,
        purpose: 'newsletter',
        act: 'given',
        at: NOW,
        wording: 'Yes.',
      }),
    );
    for (const one of ACTS) await act(id, one);
    expect((await ledger()).toSorted()).toEqual(
      ['given', 'confirmed', 'withdrawn', 'withdrawn', 'imported', 'not_me'].toSorted(),
    );
    for (const change of [sql`update consents set wording = ''`, sql`delete from consents`]) {
      await expect(inCreator((trx) => change.execute(trx))).rejects.toThrow('permission denied');
    }
    await erase({ ...deps, db, clock, held: HELD }, { creatorId, contactId: id, userId: null });
    const { rows } = await db.enginePool.query(
      'select email, contact_id, wording from consents where creator_id = $1',
      [creatorId],
    );
    expect(rows).toHaveLength(6);
    expect(rows).toContainEqual({ email: expect.stringMatching(/^erased:/), contact_id: null, wording: 'Yes.' });
  });

  test('who leaves by one address leaves with all of theirs', async () => {
    const [one, other] = [
      await standing('confirmed', 'ana@example.com'),
      await standing('confirmed', 'ana@work.example'),
    ];
    await db.enginePool.query('update contacts set joined_to = $1 where id = $2', [one, other]);
    await act(other, 'unsubscribes');
    expect([(await rowOf(one)).newsletter, (await rowOf(other)).newsletter]).toEqual(['unsubscribed', 'unsubscribed']);
  });
});

describe('a contact of an address', () => {
  test('is one however the address is written and however many ask at once', async () => {
    const found = await Promise.all(
      ['Ana@Bücher.de', 'ana@xn--bcher-kva.de', ' ANA@bücher.de '].flatMap((email) => [find(email), find(email)]),
    );
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(found.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test('keeps the first name, without what would break a header, and is seen from the first to the last time', async () => {
    const { id } = await find('ana@example.com', { name: `Ana\r\nBcc: x\u202e ${'👩‍🍳'.repeat(80)}` });
    await find('ana@example.com', { name: 'Somebody else', at: new Date(NOW.getTime() + HOUR_MS) });
    await find('ana@example.com', { at: new Date(NOW.getTime() - HOUR_MS) });
    const row = await rowOf(id);
    expect(row.name).toBe(`Ana Bcc: x ${'👩‍🍳'.repeat(49)}`);
    expect([row.first_seen_at.getTime(), row.last_seen_at.getTime()]).toEqual([
      NOW.getTime() - HOUR_MS,
      NOW.getTime() + HOUR_MS,
    ]);
  });

  test('of another creator with the same address is another, and so is the hash that keeps them away', async () => {
    const one = await standing('complained');
    const first = creatorId;
    creatorId = systemIds.uuid(NOW);
    await db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [creatorId, creatorId.slice(-12)]);
    expect(await find()).toMatchObject({ isNew: true, isSuppressed: null });
    await act((await find()).id, 'complains');
    const { rows } = await db.enginePool.query('select email_hash from suppressions where creator_id in ($1, $2)', [
      first,
      creatorId,
    ]);
    expect(new Set(rows.map((row) => row.email_hash)).size).toBe(2);
    expect(one).not.toBe((await find()).id);
  });

  test('whose address is confirmed is not asked for it in a DM', async () => {
    const connectionId = await insertConnection(db, creatorId);
    await insertInteraction(db, creatorId, connectionId, { person_id: 'linked' });
    const { id } = await find();
    await db.enginePool.query(`update people set contact_id = $1 where creator_id = $2 and id = 'linked'`, [
      id,
      creatorId,
    ]);
    await act(id, 'ticks');
    const asked = async () =>
      (
        await db.enginePool.query(`select email_asked_at from people where creator_id = $1 and id = 'linked'`, [
          creatorId,
        ])
      ).rows[0].email_asked_at;
    expect(await asked()).toBeNull();
    await act(id, 'taps');
    expect(await asked()).toEqual(NOW);
  });
});
