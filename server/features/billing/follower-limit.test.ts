/** The free plan's limit, day by day on a movable clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeCreator } from '#server/features/people/me.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type TestApp, WITH_BILLING } from '#server/testing/test-app.ts';
import { countFollowers, endLimits, followLimits, graceEnd } from './follower-limit.ts';
import { startInHouse } from './in-house.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let creatorId: string;
let told: string[];
let deps: Parameters<typeof followLimits>[0];
beforeEach(async () => {
  app = await createTestApp({ settings: WITH_BILLING });
  // Noon: no test is about midnight.
  await app.clock.advance(DAY_MS - (app.clock.now().getTime() % DAY_MS) + DAY_MS / 2);
  const anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  await insertConnection(app.db, creatorId);
  told = [];
  deps = { ...app.deps, automationsChanged: (change) => void told.push(change.creatorId) };
});
afterEach(() => app.close());

const limit = async () =>
  (await app.db.withCreator(creatorId, (trx) => describeCreator(trx, app.deps, creatorId))).billing!.limit;
const kinds = async () => (await app.mails()).map(({ kind }) => kind).filter((kind) => kind.startsWith('plan_limit'));

/** One day with this many, and the mail server takes what is there. */
async function day(followers: number, { accepted = true } = {}): Promise<void> {
  await app.db.engine.updateTable('connections').set({ followers_count: followers }).execute();
  await countFollowers(deps);
  await followLimits(deps);
  if (accepted) {
    const sent = { state: 'sent' as const, finished_at: app.clock.now() };
    await app.db.engine.updateTable('mails').set(sent).where('state', '=', 'queued').execute();
  }
  await app.clock.advance(DAY_MS);
}

async function days(count: number, followers: number, options?: { accepted: boolean }): Promise<void> {
  for (let at = 0; at < count; at++) await day(followers, options);
}

describe('passing it', () => {
  test('takes two readings in a row: 24,999 is under, 25,000 is over, one alone is nothing', async () => {
    await days(3, 24_999);
    expect((await limit()).isOver).toBe(false);
    await day(25_000);
    expect((await limit()).isOver).toBe(false);
    await day(24_999);
    await day(25_000);
    expect((await limit()).isOver).toBe(false);
    await day(25_000);
    expect((await limit()).isOver).toBe(true);
    // Going under is the same.
    await day(24_999);
    expect((await limit()).isOver).toBe(true);
    await day(24_999);
    expect(await limit()).toMatchObject({ isOver: false, graceUntil: null });
  });

  test('is told on days 0, 16 and 27; the thirtieth day is the first on which nothing new is answered', async () => {
    await day(26_000);
    const seen: number[] = [];
    for (let at = 0; at < 30; at++) {
      await day(26_000);
      seen.push((await kinds()).filter((kind) => kind === 'plan_limit').length);
    }
    expect(seen.flatMap((count, at) => (count > (seen[at - 1] ?? 0) ? [at] : []))).toEqual([0, 16, 27]);
    expect(await limit()).toMatchObject({ isOver: true, isLimited: false });
    expect(told).toEqual([]);
    await day(26_000);
    expect((await limit()).isLimited).toBe(true);
    expect(told).toEqual([creatorId]);
    await days(2, 24_000);
    expect((await limit()).isLimited).toBe(false);
    expect(told).toEqual([creatorId, creatorId]);
  });

  test('ends nothing while the mail server takes no mail, and then not before fourteen days', async () => {
    await days(45, 26_000, { accepted: false });
    expect(await limit()).toMatchObject({ isOver: true, graceUntil: null, isLimited: false });
    await day(26_000);
    await days(13, 26_000);
    expect((await limit()).isLimited).toBe(false);
    await day(26_000);
    expect((await limit()).isLimited).toBe(true);
  });

  test('another plan lifts it at once, and the free one begins the days anew', async () => {
    await days(33, 26_000);
    expect((await limit()).isLimited).toBe(true);
    const onto = (planId: string) =>
      app.db.engine.transaction().execute((trx) => startInHouse(trx, app.deps, { creatorId, planId }));
    await onto('creator-plan');
    await followLimits(deps);
    expect(await limit()).toMatchObject({ isOver: false, isLimited: false });
    expect(told).toEqual([creatorId, creatorId]);
    await onto('free-plan');
    await days(20, 26_000);
    expect(await limit()).toMatchObject({ isOver: true, isLimited: false });
  });

  test('where billing is off there is no limit; switched on, the days begin then', async () => {
    await days(33, 26_000);
    await endLimits(deps);
    expect(told).toEqual([creatorId, creatorId]);
    await days(29, 26_000);
    expect(await limit()).toMatchObject({ isOver: true, isLimited: false });
  });
});

test('the end is thirty days on, or fourteen after the mail was taken, whichever is later', () => {
  const at = (days: number) => new Date(days * DAY_MS);
  expect(graceEnd(at(0), null)).toBeNull();
  expect(graceEnd(at(0), at(0))).toEqual(at(30));
  expect(graceEnd(at(0), at(16))).toEqual(at(30));
  expect(graceEnd(at(0), at(17))).toEqual(at(31));
});

describe('ahead of it', () => {
  test('the day is shown from sixty days on, and told once from three weeks on', async () => {
    for (let at = 0; at < 10; at++) await day(20_000 + 100 * at);
    expect((await limit()).forecastOn).not.toBeNull();
    expect(await kinds()).toEqual([]);
    for (let at = 10; at < 40; at++) await day(20_000 + 100 * at);
    expect(await kinds()).toEqual(['plan_limit_ahead']);
  });

  test('from 24,000 on it is told in any case', async () => {
    await days(2, 24_000);
    expect(await kinds()).toEqual(['plan_limit_ahead']);
    expect((await limit()).forecastOn).toBeNull();
  });
});
