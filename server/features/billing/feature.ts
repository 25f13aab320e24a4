import * as adminMoney from '#contract/admin-money.ts';
import * as billing from '#contract/billing.ts';
import { later, type RecurringJob } from '#server/db/jobs.ts';
import type { Feature, JobDeps } from '#server/features/app-deps.ts';
import { forgetCalls, makeAgain } from '#server/platforms/stripe/calls.ts';
import type { BillingDeps } from './billing-deps.ts';
import { followDeletion, markLeaving } from './ending.ts';
import { countFollowers, endLimits, followLimits, forgetFollowerDays } from './follower-limit.ts';
import { followGivenBack } from './giving-back.ts';
import { endGiven } from './in-house.ts';
import { tellLatePayers, tellTrialsEnd } from './mails.ts';
import { mailPriceMove, movePrices } from './price-moves.ts';
import { registerBilling } from './routes.ts';
import { endSecond, markDue, markMissed, syncSubscription } from './sync.ts';

const CALLS_DAYS = 400;
const EVENTS_DAYS = 30;
const OF_STRIPE = 'work between us and Stripe, which has the payments themselves';
const DAY_MS = 24 * 3_600_000;

const whereBilled = (run: (deps: JobDeps & BillingDeps) => Promise<unknown>) => async (deps: JobDeps) => {
  if (deps.stripe !== null) await run({ ...deps, stripe: deps.stripe });
};

const clientsOf =
  ({ stripe, accounts }: JobDeps) =>
  (account: string | null) =>
    (account === null ? stripe : accounts?.of(account)) ?? null;

const jobs: RecurringJob<JobDeps>[] = [
  {
    name: 'repeat-stripe-calls',
    everyMs: 30_000,
    run: async (deps) => {
      if (deps.stripe === null && deps.accounts === null) return;
      const changed = await makeAgain({ ...deps, clientOf: clientsOf(deps) });
      const ours = changed.filter(({ account }) => account === null);
      await later(deps.db.engine, deps, syncSubscription, ...ours.map(({ creatorId }) => ({ creatorId })));
    },
  },
  {
    name: 'compare-with-stripe',
    everyMs: 15 * 60_000,
    run: whereBilled(async (deps) => {
      await markDue(deps);
      await markLeaving(deps);
      await movePrices(deps);
    }),
  },
  {
    name: 'mail-payers',
    everyMs: 10 * 60_000,
    run: whereBilled(async (deps) => {
      await tellLatePayers(deps);
      await tellTrialsEnd(deps);
    }),
  },
  {
    name: 'follow-plan-limits',
    everyMs: 60 * 60_000,
    run: async (deps) => {
      await countFollowers(deps);
      await (deps.stripe === null ? endLimits(deps) : followLimits(deps));
      await endGiven(deps);
    },
  },
  {
    name: 'follow-given-back',
    everyMs: DAY_MS,
    run: (deps) => followGivenBack({ ...deps, clientOf: clientsOf(deps) }),
  },
  { name: 'find-missed-stripe-events', everyMs: 15 * 60_000, run: whereBilled(markMissed) },
  {
    name: 'forget-stripe-calls',
    everyMs: DAY_MS,
    deletesByAge: true,
    run: async (deps) => {
      await forgetCalls(deps, CALLS_DAYS);
      await forgetFollowerDays(deps);
      const before = new Date(deps.clock.now().getTime() - EVENTS_DAYS * DAY_MS);
      await deps.db.engine.deleteFrom('stripe_events').where('received_at', '<', before).execute();
    },
  },
];

export const feature: Feature = {
  contract: { billing, adminMoney },
  routes: registerBilling,
  jobs: [syncSubscription, endSecond, mailPriceMove, followDeletion, ...jobs],
  holds: {
    subscriptions: { exported: { as: 'subscription' }, requests: 'select' },
    past_subscriptions: { exported: { as: 'pastSubscriptions' }, requests: 'select' },
    follower_days: { exported: { as: 'followerDays' }, requests: 'select' },
    follower_limits: {
      exported: { leftOut: 'where they stand before a limit, told on their screens' },
      requests: 'select',
    },
    price_moves: { exported: { leftOut: 'the price that they were told of, as their mail says' }, requests: 'select' },
    checkouts: { exported: { leftOut: OF_STRIPE }, requests: 'nothing' },
    stripe_customers: { exported: { leftOut: OF_STRIPE }, requests: 'nothing' },
    stripe_calls: { exported: { leftOut: OF_STRIPE }, requests: 'nothing' },
  },
};
