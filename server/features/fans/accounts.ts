/** A creator's own account at Stripe: begun here, filled in there, and asked about whenever anything may have changed. The one writer of `stripe_accounts`. */
import type { Transaction } from 'kysely';
import type Stripe from 'stripe';
import type { ResponseOf } from '#contract/endpoint.ts';
import { ACCOUNT_STATES, type AccountState, type getStripeAccount, TAKES_MONEY } from '#contract/stripe-account.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { by, refuseInside, writeAudit } from '#server/features/admin/audit.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { findOwners } from '#server/features/notices/owners.ts';
import type { SignedIn } from '#server/http/sessions.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { OWN_ACCOUNT, type StripeAccounts } from '#server/platforms/stripe/client.ts';
import { askStripe, failureOf } from '#server/platforms/stripe/errors.ts';
import type { FanDeps } from './fan-deps.ts';

export const MEMBERSHIPS_PATH = '/creator-hq/memberships';
const BACK_PATH = `${MEMBERSHIPS_PATH}?stripe=back`;

/** Where readers can pay. @throws AppError payments_off */
export function needAccounts<Deps extends Pick<AppDeps, 'accounts'>>(deps: Deps): Deps & { accounts: StripeAccounts } {
  const { accounts } = deps;
  if (accounts !== null) return { ...deps, accounts };
  throw new AppError(
    'payments_off',
    'Members can’t pay on this Creator HQ: the people who run it have to set up Stripe first.',
  );
}

/** @returns what calls in a creator's account need; null while they have none */
export async function inAccountOf(deps: FanDeps, creatorId: string) {
  const row = await findRow(deps, creatorId);
  if (row === undefined || row.left_at !== null) return null;
  return {
    ...{ ...deps, stripe: deps.accounts.of(row.account_id), account: row.account_id },
    takesMoney: row.ends === null && TAKES_MONEY.includes(row.state as AccountState),
    ends: row.ends,
    feePercent: feeOf(deps, row),
  };
}
export type InAccount = NonNullable<Awaited<ReturnType<typeof inAccountOf>>>;

/** @throws AppError not_possible_now */
export async function needAccount(deps: FanDeps, creatorId: string): Promise<InAccount> {
  const found = await inAccountOf(deps, creatorId);
  if (found === null) throw new AppError('not_possible_now', 'No Stripe account is connected.');
  return found;
}

export async function describeAccount(
  deps: Pick<AppDeps, 'db' | 'config' | 'accounts'>,
  creatorId: string,
): Promise<ResponseOf<typeof getStripeAccount>> {
  const row = await findRow(deps, creatorId);
  const { fanStripe } = deps.config;
  const kept = fanStripe?.isLive === true ? 'live' : 'test';
  return {
    accountId: row?.account_id ?? null,
    state: (row?.state as AccountState | undefined) ?? 'none',
    needs: row?.needs ?? [],
    ...{ dueAt: row?.due_at?.toISOString() ?? null, checkedAt: row?.checked_at.toISOString() ?? null },
    feePercent: feeOf(deps, row),
    mode: !deps.config.fanMemberships ? 'none' : fanStripe === null ? 'off' : fanStripe.isPlayed ? 'play' : kept,
  };
}

/**
 * @returns Stripe's page, on which its owner fills it in
 * @throws AppError not_possible_now: there is one that is filled in; stripe_unreachable, payments_off
 */
export async function beginAccount(deps: FanDeps, creatorId: string): Promise<string> {
  const row = await findRow(deps, creatorId);
  if (row !== undefined) return openPage(deps, creatorId);
  const [owner] = await findOwners(deps.db.engine, creatorId);
  const { handle } = await deps.db.engine
    .selectFrom('creators')
    .select('handle')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  // They are the merchant: fees and losses are between them and Stripe (decision 0049).
  const params: Stripe.V2.Core.AccountCreateParams = {
    ...{ display_name: handle, dashboard: 'full', metadata: { chq_creator: creatorId } },
    ...(owner !== undefined && { contact_email: owner.email }),
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
    defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
  };
  const call = { creatorId, verb: 'create_account' as const, params, key: `account:${creatorId}` };
  const account = await changeStripe({ ...deps, stripe: deps.accounts.platform }, call);
  const now = deps.clock.now();
  await deps.db.engine
    .insertInto('stripe_accounts')
    .values({ creator_id: creatorId, account_id: account, state: 'unfinished', made_at: now, checked_at: now })
    .onConflict((conflict) => conflict.column('creator_id').doNothing())
    .execute();
  return openPage(deps, creatorId);
}

/** @throws AppError not_possible_now: nothing is to be done there */
export async function openPage(deps: FanDeps, creatorId: string): Promise<string> {
  const row = await checkAccount(deps, creatorId);
  if (row === undefined) throw new AppError('not_possible_now', 'There is no Stripe account yet.');
  const state = ACCOUNT_STATES[row.state as AccountState];
  if (!state.acts) throw new AppError('not_possible_now', state.says);
  const { baseUrl } = deps.config;
  // A link is used up by a look at it: whoever comes back too late gets another one, once they are known to be the owner.
  const addresses = { return_url: baseUrl + BACK_PATH, refresh_url: `${baseUrl}${MEMBERSHIPS_PATH}?stripe=again` };
  return askStripe(deps.accounts.platform.accountPage(row.account_id, addresses));
}

/** Asks Stripe, and writes what it says. @throws AppError stripe_unreachable, payments_off */
export async function checkAccount(deps: FanDeps, creatorId: string) {
  const before = await findRow(deps, creatorId);
  if (before === undefined || before.left_at !== null || before.account_id === OWN_ACCOUNT) return before;
  const account = await askStripe(
    deps.accounts.platform.account(before.account_id).catch((error) => {
      if (failureOf(error) === 'gone') return null;
      throw error;
    }),
  );
  const said = stateOf(account, before.is_filled_in);
  return deps.db.engine.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('stripe_accounts')
      .set({
        ...{ state: said.state, needs: said.needs, due_at: said.dueAt, checked_at: deps.clock.now() },
        is_filled_in: before.is_filled_in || said.isFilledIn,
      })
      .where('creator_id', '=', creatorId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (row.state === before.state) return row;
    deps.live.publish(creatorId, { what: 'account' });
    const { title, says, acts } = ACCOUNT_STATES[said.state];
    if (acts || said.state === 'paused' || said.state === 'closed') {
      for (const { email } of before.is_filled_in ? await findOwners(trx, creatorId) : []) {
        await mailLater(trx, deps, {
          ...{ kind: 'stripe_account', to: email, aboutCreatorId: creatorId },
          letter: {
            ...{ subject: `Your Stripe account: ${title.toLowerCase()}`, heading: title, paragraphs: [says] },
            button: { label: 'See what to do', url: deps.config.baseUrl + MEMBERSHIPS_PATH },
          },
        });
      }
    }
    return row;
  });
}

/**
 * Says that this installation's own account is a creator's, who runs it. That stays.
 *
 * @throws AppError not_found; not_possible_now: it is somebody's, or they have another account
 */
export async function giveOwnAccount(
  deps: FanDeps,
  signedIn: SignedIn,
  { creatorId, reason }: { creatorId: string; reason: string },
): Promise<void> {
  refuseInside(signedIn);
  const now = deps.clock.now();
  await deps.db.engine.transaction().execute(async (trx) => {
    const creator = await trx.selectFrom('creators').select('id').where('id', '=', creatorId).executeTakeFirst();
    if (creator === undefined) throw new AppError('not_found', 'This creator doesn’t exist.');
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('stripe_accounts')
      .values({
        ...{ creator_id: creatorId, account_id: OWN_ACCOUNT, state: 'ready', is_filled_in: true },
        ...{ made_at: now, checked_at: now },
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) {
      const says = 'It’s a creator’s already, or this creator has a Stripe account of their own.';
      throw new AppError('not_possible_now', says);
    }
    const what = 'Gave them this Creator HQ’s own Stripe account';
    await writeAudit(trx, deps, { ...by(signedIn), creator_id: creatorId, what, detail: reason });
  });
  deps.live.publish(creatorId, { what: 'account' });
}

/** By Stripe's word for it. */
export async function creatorOfAccount(
  { db }: { db: Pick<AppDeps['db'], 'engine'> },
  account: string,
): Promise<string | null> {
  const row = await db.engine
    .selectFrom('stripe_accounts')
    .select('creator_id')
    .where('account_id', '=', account)
    .where('left_at', 'is', null)
    .executeTakeFirst();
  return row?.creator_id ?? null;
}

const ASK_EVERY_MS = 12 * 3_600_000;

/** Of accounts whose messages may have been lost. */
export async function accountsToCheck({ db, clock }: Pick<AppDeps, 'db' | 'clock'>): Promise<{ creatorId: string }[]> {
  return db.engine
    .selectFrom('stripe_accounts')
    .select('creator_id as creatorId')
    .where('account_id', '!=', OWN_ACCOUNT)
    .where('left_at', 'is', null)
    .where('checked_at', '<', new Date(clock.now().getTime() - ASK_EVERY_MS))
    .orderBy('checked_at')
    .limit(200)
    .execute();
}

type Said = { state: Exclude<AccountState, 'none'>; needs: string[]; dueAt: Date | null; isFilledIn: boolean };

/**
 * @param account as Stripe tells it, with the merchant's configuration and what is required; null: it is not ours any more
 * @param wasFilledIn what is asked for later is not the beginning again
 */
export function stateOf(account: Stripe.V2.Core.Account | null, wasFilledIn: boolean): Said {
  if (account === null || account.closed === true) {
    return { state: 'closed', needs: [], dueAt: null, isFilledIn: wasFilledIn };
  }
  const { card_payments: card, stripe_balance: balance } = account.configuration?.merchant?.capabilities ?? {};
  const { entries = [], summary } = account.requirements ?? {};
  const ofOwner = entries.filter((entry) => entry.awaiting_action_from === 'user');
  const needs = [...new Set(ofOwner.map(({ description }) => needInWords(description)))];
  const due = summary?.minimum_deadline?.time;
  const dueAt = ofOwner.length === 0 || due === undefined ? null : new Date(due);
  const answer = (state: Said['state'], isFilledIn = true): Said => ({ state, needs, dueAt, isFilledIn });
  if (card?.status === 'active') {
    if (balance?.payouts?.status !== 'active') return answer('payouts_wait');
    return answer(ofOwner.length > 0 ? 'due_soon' : 'ready');
  }
  const isRefused =
    card?.status === 'rejected' || card?.status_details.some((one) => one.resolution === 'contact_stripe');
  if (isRefused) return answer('paused');
  if (ofOwner.length === 0) return answer('in_review');
  return wasFilledIn ? answer('past_due') : answer('unfinished', false);
}

/** Stripe names what it needs by where it would be written. */
function needInWords(description: string): string {
  if (/payout|external_account|bank/.test(description)) return 'your bank account';
  if (/document/.test(description)) return 'a document that shows who you are';
  if (/terms_of_service/.test(description)) return 'your agreement to Stripe’s terms';
  if (/business_details|business_url|profile/.test(description)) return 'details of your business';
  if (/individual|person|representative|owner/.test(description)) return 'details about you';
  return 'some details';
}

/** @param at when they left with their members; null: they are connected again */
export async function setLeft(
  trx: Transaction<Tables>,
  { creatorId, at }: { creatorId: string; at: Date | null },
): Promise<void> {
  await trx
    .updateTable('stripe_accounts')
    .set({ left_at: at, state: at === null ? 'ready' : 'closed' })
    .where('creator_id', '=', creatorId)
    .execute();
}

/** Of what goes into a creator's own hands nobody takes a part. */
function feeOf({ config }: Pick<AppDeps, 'config'>, row: { account_id: string } | undefined): number {
  return row?.account_id === OWN_ACCOUNT ? 0 : config.membershipFeePercent;
}

function findRow({ db }: Pick<AppDeps, 'db'>, creatorId: string) {
  return db.engine
    .selectFrom('stripe_accounts as a')
    .leftJoin('membership_ends as e', (join) =>
      join.onRef('e.creator_id', '=', 'a.creator_id').on('e.called_off_at', 'is', null),
    )
    .selectAll('a')
    .select('e.way as ends')
    .where('a.creator_id', '=', creatorId)
    .executeTakeFirst();
}

/**
 * Where a creator looks at something in their own Dashboard.
 *
 * @param page as `customers/cus_1` [?]
 * @returns null with play money
 */
export function stripePage({ fanStripe }: AppDeps['config'], account: string | null, page: string): string | null {
  if (fanStripe === null || fanStripe.isPlayed || account === null) return null;
  return `https://dashboard.stripe.com/${account === OWN_ACCOUNT ? '' : `${account}/`}${fanStripe.isLive ? '' : 'test/'}${page}`;
}
