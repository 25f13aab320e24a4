import { sql } from 'kysely';
import * as discountCodes from '#contract/discount-codes.ts';
import * as locks from '#contract/locks.ts';
import * as memberMoves from '#contract/member-moves.ts';
import * as members from '#contract/members.ts';
import * as membersMoney from '#contract/members-money.ts';
import * as membershipEnd from '#contract/membership-end.ts';
import * as stripeAccount from '#contract/stripe-account.ts';
import * as tiers from '#contract/tiers.ts';
import { later, type RecurringJob } from '#server/db/jobs.ts';
import type { Feature, JobDeps } from '#server/features/app-deps.ts';
import { beginYearlyChanges } from '#server/features/sites/signing-keys.ts';
import { accountsToCheck } from './accounts.ts';
import { renameCustomers, tellAddress } from './address-changes.ts';
import { followDeclaration, followWithdrawals } from './ending.ts';
import { tellDevice } from './entering.ts';
import { endPayment } from './erasing.ts';
import { followAccount } from './events.ts';
import type { FanDeps } from './fan-deps.ts';
import { deliverGifts, followGift, tellGift } from './gifts.ts';
import { followCheckout, followOpenCheckouts } from './joining.ts';
import { tellBeforeCharges, tellLateFans } from './mails.ts';
import { endsToFollow, followEnd } from './membership-end.ts';
import { accountsToCount, followMoney } from './money.ts';
import { remindToGoOn } from './moving/going-on.ts';
import { moveMembers } from './moving/moves.ts';
import { mailFanMove, movePrices } from './price-moves.ts';
import { probeSite, sitesToProbe } from './probe.ts';
import { registerFans } from './routes.ts';
import { accountsToCompare, compareMembers, endSecond, markFansDue, syncFan } from './sync.ts';
import { tellSite } from './word-ends.ts';

const wherePaid = (run: (deps: JobDeps & FanDeps) => Promise<unknown>) => async (deps: JobDeps) => {
  if (deps.accounts !== null) await run({ ...deps, accounts: deps.accounts });
};

const jobs: RecurringJob<JobDeps>[] = [
  {
    name: 'find-sites-to-probe',
    everyMs: 60 * 60_000,
    run: async (deps) => {
      if (deps.config.fanMemberships) await later(deps.db.engine, deps, probeSite, ...(await sitesToProbe(deps)));
    },
  },
  {
    name: 'change-site-keys',
    everyMs: 24 * 60 * 60_000,
    run: async (deps) => later(deps.db.engine, deps, tellSite, ...(await beginYearlyChanges(deps))),
  },
  {
    name: 'compare-members-with-stripe',
    everyMs: 15 * 60_000,
    run: wherePaid(async (deps) => {
      await markFansDue(deps);
      await later(deps.db.engine, deps, compareMembers, ...(await accountsToCompare(deps)));
      await followOpenCheckouts(deps);
      await later(deps.db.engine, deps, followEnd, ...(await endsToFollow(deps)));
      await later(deps.db.engine, deps, followAccount, ...(await accountsToCheck(deps)));
      await later(deps.db.engine, deps, followMoney, ...(await accountsToCount(deps)));
    }),
  },
  {
    name: 'mail-members',
    everyMs: 10 * 60_000,
    run: wherePaid(async (deps) => {
      await tellLateFans(deps);
      await tellBeforeCharges(deps);
      await followWithdrawals(deps);
      await deliverGifts(deps);
      await movePrices(deps);
      await remindToGoOn(deps);
    }),
  },
];

export const feature: Feature = {
  contract: { stripeAccount, tiers, members, memberMoves, locks, membersMoney, membershipEnd, discountCodes },
  routes: registerFans,
  jobs: [
    syncFan,
    endSecond,
    compareMembers,
    followCheckout,
    followAccount,
    followMoney,
    endPayment,
    followDeclaration,
    moveMembers,
    tellSite,
    probeSite,
    followEnd,
    followGift,
    tellGift,
    tellDevice,
    tellAddress,
    renameCustomers,
    mailFanMove,
    ...jobs,
  ],
  holds: {
    stripe_accounts: { exported: { as: 'stripeAccount' }, requests: 'select' },
    tiers: { exported: { as: 'tiers' } },
    membership_settings: { exported: { as: 'membershipSettings' } },
    money_lines: {
      exported: { as: 'moneyLines' },
      // Amounts stay, as books have to.
      person: { rows: 'contact_id', erased: { contact_id: sql`null` }, copied: { as: 'payment', without: ['charge'] } },
      account: 'stays',
      ages: [],
      requests: 'select update',
    },
    money_sums: { exported: { leftOut: 'sums of money lines' }, requests: 'select' },
    payouts: { exported: { as: 'payouts' }, requests: 'select' },
    site_probes: { exported: { as: 'siteProbes' } },
    discount_codes: { exported: { as: 'discountCodes' } },
    tier_prices: { exported: { as: 'tierPrices' } },
    passes: {
      exported: { as: 'passes' },
      person: { rows: 'contact_id', copied: { as: 'pass' } },
      account: 'stays',
      ages: [],
    },
    pass_counts: { exported: { leftOut: 'sums of passes' } },
    pass_changes: {
      exported: { as: 'passChanges' },
      person: { rows: 'contact_id', copied: { as: 'pass_change' } },
      account: 'stays',
      ages: [],
    },
    fans: {
      exported: { as: 'fans', without: ['fetches_begun', 'fetch_written'] },
      person: {
        rows: 'contact_id',
        copied: { as: 'fan', named: ['contact_id'], without: ['fetches_begun', 'fetch_written'] },
      },
      account: 'stays',
      ages: [],
    },
    fan_checkouts: {
      exported: { leftOut: 'who was on their way to pay, kept for a week' },
      person: { rows: 'contact_id', copied: { as: 'checkout', without: ['start', 'url'] } },
      account: 'stays',
      ages: [{ keep: 7, at: 'begun_at' }],
    },
    gifts: {
      exported: { as: 'gifts' },
      person: { rows: 'contact_id', copied: { as: 'gift', without: ['session_id', 'payment_intent'] } },
      account: 'stays',
      // Those that were paid 400 days after they began; a bank takes weeks to pay.
      ages: [
        {
          keep: 7,
          at: sql`case when state = 'paid' then begins_at + interval '393 days'
            when state = 'open' and session_id is not null then begun_at + interval '23 days' else begun_at end`,
        },
      ],
    },
    fan_devices: {
      exported: { as: 'memberDevices', without: ['secret_hash'] },
      person: { rows: 'contact_id', copied: { as: 'member_device', without: ['secret_hash'] } },
      account: 'stays',
      ages: [{ keep: 400, at: 'seen_at' }],
    },
    address_changes: {
      exported: { leftOut: 'codes for changed addresses, good for ten minutes' },
      person: {
        rows: ({ contactIds }) =>
          sql`(contact_id = any(${contactIds}::uuid[]) or to_contact_id = any(${contactIds}::uuid[]))`,
        copied: { as: 'address_change', without: ['code_hash'] },
      },
      account: 'stays',
      ages: [{ keep: 7, at: 'asked_at' }],
    },
    free_opens: {
      exported: { as: 'freeOpens' },
      person: { rows: 'contact_id', copied: { as: 'free_open', named: ['month', 'site_id', 'post_id'] } },
      account: 'stays',
      ages: [{ keep: 62, at: 'opened_at' }],
    },
    passed_recipes: {
      exported: { as: 'passedRecipes', without: ['link_hash'] },
      person: { rows: 'contact_id', copied: { as: 'passed_recipe', without: ['link_hash'] } },
      account: 'stays',
      ages: [{ keep: 62, at: 'made_at' }],
    },
    passed_opens: { exported: { leftOut: 'browsers of friends, with the links that they opened' } },
    membership_ends: { exported: { as: 'membershipEnd' } },
    member_moves: {
      exported: { as: 'memberMoves' },
      ages: [{ keep: 7, at: 'made_at', only: sql`state not in ('running', 'done', 'undone')` }],
    },
    member_move_rows: {
      exported: { leftOut: 'rows of files of members, for a week' },
      person: {
        rows: ({ creatorId, contactIds }) => sql`(
          contact_id = any(${contactIds}::uuid[])
          or email_key in (select email_key from contacts where creator_id = ${creatorId} and id = any(${contactIds}::uuid[])))`,
        copied: { as: 'moved_member', named: ['move_id', 'line'] },
      },
      account: 'stays',
      ages: [
        {
          keep: 7,
          at: 'made_at',
          only: sql`not exists (
            select from member_moves m where m.creator_id = member_move_rows.creator_id and m.id = member_move_rows.move_id and m.state = 'running')`,
        },
      ],
    },
    fan_entries: {
      exported: { leftOut: 'codes by which readers enter, good for ten minutes' },
      person: { rows: 'contact_id', copied: { as: 'entry', without: ['code_hash', 'start', 'grant_hash'] } },
      account: 'stays',
      ages: [{ keep: 7, at: 'asked_at' }],
    },
  },
};
