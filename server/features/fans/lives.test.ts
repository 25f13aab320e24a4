/**
 * Any life of a reader who pays in a creator's account, with fetches of two workers begun and written in any order. Asked of the
 * simulator's ledger: who has paid reads, who has not does not, and nobody pays twice for the same days.
 *
 *     FAN_LIVES=10000 npx vitest run server/features/fans/lives
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { paidSpans } from '#simulators/stripe/ledger.ts';
import { DAY_S } from '#simulators/stripe/testing.ts';
import { needAccount } from './accounts.ts';
import { cancelMembership, keepMembership, refundMembership } from './ending.ts';
import { endSecond, fetchFan, syncFan } from './sync.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';
import { wrongWithReading } from './testing/reading.ts';
import { findPriceOnSale, priceAtStripe, setLateDays } from './tiers.ts';

const RUNS = Number(process.env.FAN_LIVES ?? 500);
/** A simulator forgets nothing: after so many lives the next begins. */
const LIVES_PER_WORLD = 125;
/** As creators choose. */
const LATE_DAYS = [7, 0, 14, 3];

const worker = fc.nat({ max: 1 });
const step = fc.oneof(
  fc.record({ does: fc.constant('join' as const), trialDays: fc.constantFrom(0, 0, 14) }),
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom(...(['end', 'endNow', 'keep', 'pay', 'refund', 'dispute', 'won', 'giveBack'] as const)),
    }),
  },
  fc.record({ does: fc.constant('card' as const), isGood: fc.boolean() }),
  fc.record({ does: fc.constant('pass' as const), days: fc.constantFrom(1, 8, 31) }),
  fc.record({ does: fc.constantFrom('ask' as const, 'write' as const), worker }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Fan = { contactId: string; customer: string; method: string };
type Held = { letGo: () => void; ended: Promise<void> };

let world: FanWorld;
let shop: Shop;
let price: string;
let lateDays: number;
let disputes: Map<string, string>;
/** What is always refused proves nothing. */
const done = new Set<string>();

async function beginWorld(days: number): Promise<void> {
  lateDays = days;
  world = await startFanWorld();
  shop = await world.shop();
  disputes = new Map();
  const { id: creatorId } = shop.creator;
  const account = await needAccount(world.deps, creatorId);
  const onSale = await world.app.db.withCreator(creatorId, (trx) =>
    findPriceOnSale(trx, { tierId: shop.tierId, interval: 'month' }),
  );
  price = await priceAtStripe(account, creatorId, onSale!);
  await world.app.db.withCreator(creatorId, (trx) => setLateDays(trx, { creatorId, days }));
}

test(`${RUNS} lives`, { timeout: 60 * 60_000 }, async () => {
  for (let begun = 0; begun < RUNS; begun += LIVES_PER_WORLD) {
    await beginWorld(LATE_DAYS[(begun / LIVES_PER_WORLD) % LATE_DAYS.length]!);
    try {
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }), playLife), {
        numRuns: Math.min(LIVES_PER_WORLD, RUNS - begun),
        // The one world would go on while it looks for a shorter life.
        endOnFailure: true,
      });
      expect(await world.control.unimplemented()).toEqual([]);
    } finally {
      await world.close();
    }
  }
  const all = ['join', 'end', 'endNow', 'keep', 'pay', 'refund', 'dispute', 'won', 'giveBack', 'card', 'pass'];
  if (RUNS >= 500) for (const what of all) expect(done.has(what), what).toBe(true);
});

async function playLife(steps: Step[]): Promise<void> {
  const fan = await makeFan();
  const workers: (Held | null)[] = [null, null];
  const release = async (at: number) => {
    workers[at]?.letGo();
    await workers[at]?.ended;
    workers[at] = null;
  };
  for (const one of [{ does: 'join', trialDays: 0 } as const, ...steps]) {
    if (!('worker' in one)) {
      await mayBeRefused(one.does, live(one, fan));
      await doWhatIsDue();
    } else {
      await release(one.worker);
      if (one.does === 'ask') workers[one.worker] = await askAndHold(fan);
    }
  }
  const whose = { creatorId: shop.creator.id, contactId: fan.contactId };
  await fetchFan(world.deps, whose);
  for (const at of [0, 1]) await release(at);
  await doWhatIsDue();
  await judge(fan, steps);
}

/** What is surplus is ended, and fetched once more. */
async function doWhatIsDue(): Promise<void> {
  while ((await runDue([endSecond, syncFan], world.app.deps as JobDeps)) > 0);
}

const inAccount = () => ({ stripeAccount: shop.account });

async function makeFan(): Promise<Fan> {
  const customer = await world.stripe.customers.create({ email: 'fan@example.com' }, inAccount());
  const method = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id }, inAccount());
  const settings = { invoice_settings: { default_payment_method: method.id } };
  await world.stripe.customers.update(customer.id, settings, inAccount());
  const { id: creatorId } = shop.creator;
  const contactId = systemIds.uuid(world.app.clock.now());
  const at = world.app.clock.now();
  await world.app.db.engine
    .insertInto('contacts')
    .values({ creator_id: creatorId, id: contactId, source: 'blog', first_seen_at: at, last_seen_at: at })
    .execute();
  await world.app.db.engine
    .insertInto('fans')
    .values({ creator_id: creatorId, contact_id: contactId, customers: [customer.id] })
    .execute();
  return { contactId, customer: customer.id, method: method.id };
}

/** A fetch whose answer is there, and is not written yet. */
async function askAndHold({ contactId }: Fan): Promise<Held> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: asked, resolve: answered } = Promise.withResolvers<void>();
  const { accounts } = world.deps;
  const of = (account: string) => {
    const stripe = accounts.of(account);
    const chargesOf = async (customer: string) => {
      const truth = await stripe.chargesOf(customer);
      answered();
      await held;
      return truth;
    };
    return { ...stripe, chargesOf };
  };
  const ended = fetchFan({ ...world.deps, accounts: { ...accounts, of } }, { creatorId: shop.creator.id, contactId });
  await asked;
  return { letGo, ended };
}

/** @returns false: there was nothing to do it to */
async function live(one: Exclude<Step, { worker: number }>, { contactId, customer, method }: Fan): Promise<unknown> {
  const { stripe, control, deps } = world;
  const whose = { creatorId: shop.creator.id, contactId };
  switch (one.does) {
    case 'join':
      return stripe.subscriptions.create(
        { customer, items: [{ price }], ...(one.trialDays > 0 && { trial_period_days: one.trialDays }) },
        inAccount(),
      );
    case 'card':
      return control.setBehavior(method, one.isGood ? { kind: 'good' } : { kind: 'fails', code: 'insufficient_funds' });
    case 'pass':
      // Without any message, a copy is a day old at most.
      await passDays(1);
      await fetchFan(deps, whose);
      await doWhatIsDue();
      return one.days > 1 && passDays(one.days - 1);
    case 'giveBack':
      await fetchFan(deps, whose);
      return refundMembership(deps, whose);
    case 'end':
      await fetchFan(deps, whose);
      return cancelMembership(deps, whose);
    case 'keep':
      await fetchFan(deps, whose);
      return keepMembership(deps, whose);
  }
  const charge = async () =>
    (await stripe.charges.list({ customer, limit: 10 }, inAccount())).data.find((each) => each.paid && !each.refunded);
  switch (one.does) {
    case 'endNow': {
      const [newest] = (await stripe.subscriptions.list({ customer, limit: 1 }, inAccount())).data;
      return newest !== undefined && stripe.subscriptions.cancel(newest.id, {}, inAccount());
    }
    case 'pay': {
      await control.setBehavior(method, { kind: 'good' });
      const due = await stripe.invoices.list({ customer, status: 'open', limit: 1 }, inAccount());
      return due.data.length > 0 && stripe.invoices.pay(due.data[0]!.id!, {}, inAccount());
    }
    case 'refund': {
      const found = await charge();
      return found !== undefined && !found.disputed && stripe.refunds.create({ charge: found.id }, inAccount());
    }
    case 'dispute': {
      const found = await charge();
      if (found === undefined || found.disputed) return false;
      disputes.set(customer, await control.dispute(found.id));
      return true;
    }
    case 'won': {
      const dispute = disputes.get(customer);
      disputes.delete(customer);
      return dispute !== undefined && control.closeDispute(dispute, true);
    }
  }
}

/** Both clocks. */
async function passDays(days: number): Promise<void> {
  await world.app.clock.advance(days * DAY_S * 1000);
  await world.control.advance(days * DAY_S);
}

async function mayBeRefused(what: string, asked: Promise<unknown>): Promise<void> {
  try {
    if ((await asked) !== false) done.add(what);
  } catch (error) {
    if (!(error instanceof AppError) && !(error as Error).constructor.name.startsWith('Stripe')) throw error;
  }
}

async function judge({ contactId, customer }: Fan, steps: Step[]): Promise<void> {
  const now = Math.floor(world.app.clock.now().getTime() / 1000);
  const subscriptions = await world.control.subscriptions(customer);
  const money = (await world.control.money()).filter((line) => line.customer === customer);
  const says = JSON.stringify(steps);
  const isIn = await reads(contactId);
  expect(wrongWithReading({ now, money, subscriptions, isIn, lateDays }), says).toBeNull();
  // Who takes a payment back and joins anew has paid again: their bank says whether the creator keeps the first.
  const wonBack = new Set(money.flatMap(({ kind, charge }) => (kind === 'won_back' ? [charge] : [])));
  const paid = paidSpans(money, subscriptions).filter(({ charge }) => !wonBack.has(charge));
  for (const [at, one] of paid.entries()) {
    const overlaps = paid.slice(at + 1).filter(({ start, end }) => Math.max(start, one.start) < Math.min(end, one.end));
    expect(overlaps, `pays twice for the same days: ${says}`).toEqual([]);
  }
  const { rows } = await world.app.db.enginePool.query(
    `select count(*)::int as live from passes where contact_id = $1 and source = 'stripe' and ended_at is null`,
    [contactId],
  );
  expect(rows[0].live).toBeLessThanOrEqual(1);
}

async function reads(contactId: string): Promise<boolean> {
  const { rows } = await world.app.db.enginePool.query(
    `select exists (select from passes where contact_id = $1 and begins_at <= $2 and ended_at is null
       and coalesce(ends_at, 'infinity') > $2) as "isIn"`,
    [contactId, world.app.clock.now()],
  );
  return rows[0].isIn;
}
