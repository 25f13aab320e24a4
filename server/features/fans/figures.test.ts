/** Figures out of sums are those that reading every pass comes to, whatever happened before, and read few rows of many. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatorTransaction } from '#server/db/database.ts';
import { erase } from '#server/features/contacts/erasure.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { countByTier, readFigures } from './figures.ts';
import { forgetPayers } from './forgetting.ts';
import { countAgain } from './pass-counts.ts';
import { endGiven, givePass, isGood, type Priced, writePaid } from './passes.ts';
import type { PaidPass } from './project.ts';
import { makeTier } from './tiers.ts';

const RUNS = Number(process.env.FAN_COUNTS ?? 25);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FANS = 3;

let app: TestApp;
let creatorId: string;
let tiers: string[];
let lives = 0;
beforeAll(async () => {
  app = await createTestApp({ settings: { FAN_MEMBERSHIPS: 'on' } });
  ({ id: creatorId } = await (await app.signUpAndIn()).createCreator());
  tiers = await inCreator(async (trx) => [
    await makeTier(app.deps, trx, { creatorId, ...FRIENDS }),
    await makeTier(app.deps, trx, { creatorId, ...FRIENDS, name: 'Best friends' }),
  ]);
});
afterAll(() => app?.close());

const fan = fc.nat({ max: FANS - 1 });
const tier = fc.nat({ max: 1 });
/** From now. */
const hours = fc.integer({ min: -2000, max: 2000 });
const step = fc.oneof(
  fc.record({ does: fc.constant('give' as const), fan, tier, hours: fc.option(fc.integer({ min: 1, max: 100 })) }),
  fc.record({ does: fc.constant('end' as const), fan }),
  fc.record({ does: fc.constant('erase' as const), fan }),
  fc.record({ does: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 900 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ does: fc.constant('pay' as const), fan, tier, subscription: fc.nat({ max: 2 }) },
      ...{
        began: hours,
        until: hours,
        ended: fc.option(hours),
        late: fc.option(hours),
        isTrial: fc.boolean(),
        isYearly: fc.boolean(),
        charged: fc.constantFrom(499, 250, 0),
      },
      isYen: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('forget' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test(`${RUNS} lives of ${FANS} members`, { timeout: 60 * 60_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 15, size: 'max' }), play), {
    numRuns: RUNS,
    endOnFailure: true,
  });
});

test('sums that the migration filled in are those that are counted', async () => {
  const file = await readFile(new URL('../../db/migrations/0152-counted-passes.sql', import.meta.url), 'utf8');
  const fill = file.slice(file.indexOf('with passes_as_counted'));
  await app.db.engine.transaction().execute(async (trx) => {
    // It came before codes.
    await sql`update passes set charged = null`.execute(trx);
    const counts = () => trx.selectFrom('pass_counts').selectAll().execute();
    const sorted = async () => (await counts()).map((row) => JSON.stringify(row)).sort();
    await countAgain(trx);
    const counted = await sorted();
    await trx.deleteFrom('pass_counts').execute();
    await sql.raw(fill).execute(trx);
    expect(counted.length).toBeGreaterThan(10);
    expect(await sorted()).toEqual(counted);
  });
});

const inCreator = <T>(work: (trx: CreatorTransaction) => Promise<T>) => app.db.withCreator(creatorId, work);

async function play(steps: Step[]): Promise<void> {
  const life = lives++;
  const later = (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR_MS);
  const give = (fan: number, tier: number, hours: number | null) => {
    const endsAt = hours === null ? null : later(hours);
    const given = { creatorId, email: `fan${fan}-${life}@example.com`, tierId: tiers[tier]!, endsAt, note: null };
    return inCreator((trx) => givePass(app.deps, trx, given));
  };
  for (const one of steps) {
    if (one.does === 'pass') await app.clock.advance(one.hours * HOUR_MS);
    else if (one.does === 'forget') await app.db.engine.transaction().execute(forgetPayers);
    else if (one.does === 'give') await give(one.fan, one.tier, one.hours);
    else {
      const contactId = await give(one.fan, 0, null);
      if (one.does === 'erase') await erase(app.deps, { creatorId, contactId, userId: null });
      else if (one.does === 'end') await inCreator((trx) => endGiven(app.deps, trx, { creatorId, contactId }));
      else
        await app.db.engine
          .transaction()
          .execute((trx) => writePaid(app.deps, trx, { creatorId, contactId }, [paid(one)]));
    }
    const now = app.clock.now();
    await inCreator(async (trx) => {
      const byTier = await countByTier(trx, now);
      const counted = { ...(await readFigures(trx, now)), tiers: tiers.map((id) => byTier.get(id) ?? 0) };
      expect(counted, JSON.stringify(steps)).toEqual(await readAll(trx, now));
    });
  }

  function paid({ subscription, ...one }: Extract<Step, { does: 'pay' }>): PaidPass & Priced {
    const at = (hours: number | null) => (hours === null ? null : later(hours));
    return {
      ...{
        subscriptionId: `sub_${life}_${one.fan}_${subscription}`,
        stripePriceId: 'price_1',
        cancelAt: null,
        scheduleId: null,
        next: null,
        trialEnd: null,
      },
      ...{ status: one.isTrial ? 'trialing' : 'active', beganAt: later(one.began), lateSince: at(one.late) },
      ...{ paidUntil: later(one.until), readsUntil: later(one.until), renewsAt: null, isRefunded: false },
      // One goes on at most.
      endedAt: at(subscription === 0 ? one.ended : (one.ended ?? 0)),
      ...{ tierId: tiers[one.tier]!, tier: 'Friends', interval: one.isYearly ? 'year' : 'month', amount: 499 },
      charged: one.charged,
      ...{ currency: one.isYen ? 'jpy' : 'usd', discount: null },
    };
  }
}

/** By reading every pass. */
async function readAll(trx: CreatorTransaction, now: Date) {
  const since = new Date(now.getTime() - 29 * DAY_MS).toISOString().slice(0, 10);
  const { rows } = await sql<Record<string, number>>`
    select count(distinct contact_id) filter (where ${isGood('p', now)})::int as members,
      count(*) filter (where source = 'stripe' and ${isGood('p', now)} and status <> 'trialing')::int as paying,
      count(*) filter (where late_since is not null and ended_at is null)::int as late,
      count(*) filter (where source = 'stripe' and begins_at >= ${new Date(since)})::int as joined,
      count(*) filter (where source = 'stripe' and ended_at >= ${new Date(since)})::int as left
    from passes p where creator_id = current_creator_id()
  `.execute(trx);
  const { rows: monthly } = await sql`
    select currency, round(sum(case billing_interval when 'year' then charged / 12.0 else charged end))::int as amount from passes p
    where creator_id = current_creator_id() and source = 'stripe' and ${isGood('p', now)} and status <> 'trialing'
    group by currency order by amount desc, currency
  `.execute(trx);
  const { rows: byTier } = await sql<{ id: string; n: number }>`
    select tier_id as id, count(distinct contact_id)::int as n from passes p
    where creator_id = current_creator_id() and ${isGood('p', now)} group by 1
  `.execute(trx);
  return { ...rows[0], monthly, tiers: tiers.map((tier) => byTier.find(({ id }) => id === tier)?.n ?? 0) };
}
