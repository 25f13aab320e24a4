/** Payments as operators see them, and the few things that they may do. */
import { sql } from 'kysely';
import { type adminChangePlan, type adminGetMoney, type adminMovePayers, MONEY_ROWS } from '#contract/admin-money.ts';
import type { BodyOf, ResponseOf } from '#contract/endpoint.ts';
import { dollars, FREE_PLAN_FOLLOWER_LIMIT, FREE_PLAN_ID } from '#contract/plans.ts';
import { AppError } from '#server/errors.ts';
import { by, refuseInside, writeAudit } from '#server/features/admin/audit.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { sellPlan } from './catalogue.ts';
import { followLimit, giveDays, graceEnd } from './follower-limit.ts';
import { announceMove } from './price-moves.ts';
import { fetchSubscription, syncSubscription } from './sync.ts';

type Deps = Pick<RouteDeps, 'db' | 'clock' | 'ids' | 'live' | 'log' | 'config' | 'automationsChanged'> & {
  stripe: BillingDeps['stripe'] | null;
};
type Money = ResponseOf<typeof adminGetMoney>;

const DAY_MS = 86_400_000;

export async function describeMoney({ db, stripe, config, clock }: Deps): Promise<Money> {
  const mode = stripe === null ? 'off' : config.stripe?.isLive ? 'real' : 'play';
  const sync = await db.engine
    .selectFrom('stripe_customers')
    .select((eb) => [eb.fn.countAll<number>().as('customers'), eb.fn.min('synced_at').as('oldest')])
    .select((eb) =>
      eb.fn
        .countAll<number>()
        .filterWhere('repaired_at', '>', new Date(clock.now().getTime() - DAY_MS))
        .as('repaired'),
    )
    .executeTakeFirstOrThrow();
  const { waiting } = await db.engine
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('name', '=', syncSubscription.name)
    .executeTakeFirstOrThrow();
  const { last } = await db.engine
    .selectFrom('stripe_events')
    .select((eb) => eb.fn.max('received_at').as('last'))
    .executeTakeFirstOrThrow();
  const { duplicates } = await db.engine
    .selectFrom('stripe_calls')
    .select((eb) => eb.fn.countAll<number>().as('duplicates'))
    .where('verb', '=', 'refund')
    .where('key', 'like', 'dup:%')
    .where('state', '=', 'done')
    .executeTakeFirstOrThrow();
  return {
    mode,
    tax: await readTax(stripe),
    sync: {
      ...{ customers: Number(sync.customers), waiting: Number(waiting) },
      ...{ oldestAt: sync.oldest?.toISOString() ?? null, lastEventAt: last?.toISOString() ?? null },
      repaired: Number(sync.repaired),
    },
    duplicates: Number(duplicates),
    calls: await findCalls(db),
    disputes: await findDisputes(db, stripe),
    late: await findLate(db),
    over: await (mode === 'off' ? findWouldBeOver(db) : findOver(db)),
    plans: await findPlans(db),
  };
}

async function readTax(stripe: Deps['stripe']): Promise<Money['tax']> {
  if (!stripe?.hasTax) return 'off';
  return stripe.collectsTax().then(
    (collects) => (collects ? 'on' : 'missing'),
    () => 'unknown',
  );
}

/** Asked of Stripe, where they are answered. */
async function findDisputes(db: Deps['db'], stripe: Deps['stripe']): Promise<Money['disputes']> {
  if (stripe === null) return [];
  const open = await stripe.openDisputes().catch(() => null);
  if (open === null) return null;
  const customers = open.flatMap(({ customer }) => customer ?? []);
  const known =
    customers.length === 0
      ? []
      : await db.engine
          .selectFrom('stripe_customers')
          .innerJoin('creators', 'creators.id', 'stripe_customers.creator_id')
          .select(['customer_id', 'handle'])
          .where('customer_id', 'in', customers)
          .execute();
  const handles = new Map(known.map(({ customer_id, handle }) => [customer_id, handle]));
  return open.slice(0, MONEY_ROWS).map(({ id, customer, cents, currency, reason, openedAt, answerBy }) => ({
    ...{ id, handle: handles.get(customer ?? '') ?? null, reason },
    amount: currency === 'usd' ? dollars(cents) : `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`,
    ...{ openedAt: openedAt.toISOString(), answerBy: answerBy?.toISOString() ?? null },
  }));
}

async function findCalls(db: Deps['db']): Promise<Money['calls']> {
  const rows = await db.engine
    .selectFrom('stripe_calls')
    .leftJoin('creators', 'creators.id', 'stripe_calls.creator_id')
    .select(['key', 'verb', 'handle', 'planned_at', 'state'])
    .where('state', 'in', ['planned', 'unknown'])
    .orderBy('planned_at')
    .limit(MONEY_ROWS)
    .execute();
  return rows.map(({ key, verb, handle, planned_at, state }) => ({
    ...{ key, verb, handle, plannedAt: planned_at.toISOString() },
    state: state === 'unknown' ? 'unknown' : 'planned',
  }));
}

async function findLate(db: Deps['db']): Promise<Money['late']> {
  const rows = await db.engine
    .selectFrom('subscriptions')
    .innerJoin('creators', 'creators.id', 'subscriptions.creator_id')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(['subscriptions.creator_id', 'handle', 'plans.name', 'late_since', 'pay_needed'])
    .where('late_since', 'is not', null)
    .orderBy('late_since')
    .limit(MONEY_ROWS)
    .execute();
  return rows.map(({ creator_id, handle, name, late_since, pay_needed }) => ({
    ...{ creatorId: creator_id, handle, plan: name, since: late_since!.toISOString(), cause: pay_needed },
  }));
}

async function findOver(db: Deps['db']): Promise<Money['over']> {
  const rows = await db.engine
    .selectFrom('follower_limits as f')
    .innerJoin('creators as c', 'c.id', 'f.creator_id')
    .select(['c.id', 'c.handle', 'f.crossed_at', 'f.accepted_at', 'f.limited_since'])
    .select(followers.as('followers'))
    .where('f.crossed_at', 'is not', null)
    .orderBy('f.crossed_at')
    .limit(MONEY_ROWS)
    .execute();
  return rows.map((row) => ({
    ...{ creatorId: row.id, handle: row.handle, followers: row.followers, isLimited: row.limited_since !== null },
    graceUntil: graceEnd(row.crossed_at!, row.accepted_at)?.toISOString() ?? null,
  }));
}

async function findWouldBeOver(db: Deps['db']): Promise<Money['over']> {
  const rows = await db.engine
    .selectFrom('creators as c')
    .innerJoin('subscriptions as s', 's.creator_id', 'c.id')
    .select(['c.id', 'c.handle'])
    .select(followers.as('followers'))
    .where('s.plan_id', '=', FREE_PLAN_ID)
    .where(followers, '>=', FREE_PLAN_FOLLOWER_LIMIT)
    .orderBy(followers, 'desc')
    .limit(MONEY_ROWS)
    .execute();
  return rows.map((row) => ({
    ...{ creatorId: row.id, handle: row.handle, followers: row.followers, isLimited: false, graceUntil: null },
  }));
}

/** Of `c`, on all connected accounts. */
const followers = sql<number>`coalesce((
  select sum(x.followers_count)::integer from connections x where x.creator_id = c.id and x.disconnected_at is null
), 0)`;

async function findPlans(db: Deps['db']): Promise<Money['plans']> {
  const plans = await db.engine.selectFrom('plans').selectAll().orderBy('position').orderBy('id').execute();
  const prices = await db.engine
    .selectFrom('plan_prices as p')
    .select(['p.plan_id', 'p.billing_interval', 'p.cents', 'p.until'])
    .select(
      sql<number>`(select count(*)::integer from subscriptions s where s.stripe_price_id = p.stripe_price_id)`.as(
        'payers',
      ),
    )
    .select(
      sql<number>`(
        select count(*)::integer from subscriptions s join price_moves m using (creator_id, stripe_price_id)
        where s.stripe_price_id = p.stripe_price_id
      )`.as('told'),
    )
    .execute();
  return plans.map((plan) => {
    const own = prices.filter(({ plan_id }) => plan_id === plan.id);
    const now = (interval: string) =>
      own.find((one) => one.until === null && one.billing_interval === interval)?.cents ?? null;
    return {
      ...{ planId: plan.id, name: plan.name, month: now('month'), year: now('year') },
      ...{ trialDays: plan.trial_days, isOnSale: plan.on_sale },
      payers: own.flatMap(({ cents, billing_interval: interval, payers, told }) =>
        payers > 0 ? [{ cents, interval, creators: payers, told }] : [],
      ),
    };
  });
}

/** @throws AppError not_found; invalid_input for the free plan; not_allowed inside an account */
export async function changePlan(
  deps: Deps,
  signedIn: SignedIn,
  planId: string,
  wanted: BodyOf<typeof adminChangePlan>,
): Promise<void> {
  refuseInside(signedIn);
  await deps.db.engine.transaction().execute(async (trx) => {
    const { plan, changes } = await sellPlan(trx, { ...wanted, planId, now: deps.clock.now() });
    if (changes.length === 0) return;
    await writeAudit(trx, deps, { ...by(signedIn), what: `Changed the plan ${plan}`, detail: changes.join('; ') });
  });
}

/** @throws AppError not_found; changed_meanwhile: the present price is another; not_allowed inside an account */
export async function movePayers(
  deps: Deps,
  signedIn: SignedIn,
  planId: string,
  wanted: BodyOf<typeof adminMovePayers>,
): Promise<void> {
  refuseInside(signedIn);
  await deps.db.engine.transaction().execute(async (trx) => {
    const { plan, creators } = await announceMove(trx, deps, { ...wanted, planId });
    if (creators === 0) return;
    const detail = `${creators} from ${dollars(wanted.cents)} to ${dollars(wanted.toCents)} a ${wanted.interval}`;
    await writeAudit(trx, deps, {
      ...by(signedIn),
      what: `Told payers of an earlier price of the plan ${plan}`,
      detail,
    });
  });
}

/** @throws AppError not_found, payments_off, stripe_unreachable; not_allowed inside an account */
export async function syncPlan(deps: BillingDeps, signedIn: SignedIn, creatorId: string): Promise<void> {
  refuseInside(signedIn);
  await needCreator(deps, creatorId);
  await askStripe(fetchSubscription(deps, creatorId));
}

/** @throws AppError not_found; not_possible_now: no days are running; not_allowed inside an account */
export async function giveMoreDays(
  deps: Deps,
  signedIn: SignedIn,
  { creatorId, reason }: { creatorId: string; reason: string },
): Promise<void> {
  refuseInside(signedIn);
  await needCreator(deps, creatorId);
  await deps.db.engine.transaction().execute(async (trx) => {
    await giveDays(trx, creatorId);
    const what = 'Gave fourteen more days before the limit of the free plan';
    await writeAudit(trx, deps, { ...by(signedIn), creator_id: creatorId, what, detail: reason });
  });
  await followLimit(deps, creatorId);
}

async function needCreator({ db }: Pick<Deps, 'db'>, creatorId: string): Promise<void> {
  const creator = await db.engine.selectFrom('creators').select('id').where('id', '=', creatorId).executeTakeFirst();
  if (creator === undefined) throw new AppError('not_found', 'This creator doesn’t exist.');
}
