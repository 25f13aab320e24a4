/**
 * A creator leaves with their members, or closes their memberships: some subscriptions at a time, each once, and again from where
 * it stopped. The one writer of `membership_ends`.
 */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { MembershipEnd, MembershipEndWay } from '#contract/membership-end.ts';
import type { Clock } from '#server/clock.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { MembershipEndsTable, Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps, JobDeps } from '#server/features/app-deps.ts';
import { releaseSchedule } from '#server/features/billing/price-changes.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import type { StripeParams } from '#server/platforms/stripe/client.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { checkAccount, type InAccount, inAccountOf, setLeft } from './accounts.ts';
import { isBlocked } from './blocking.ts';
import { followWithdrawals } from './ending.ts';
import type { FanDeps } from './fan-deps.ts';
import { endOpenPages } from './joining.ts';
import { setClosed } from './passes.ts';
import { fetchFan } from './sync.ts';

type End = Selectable<MembershipEndsTable>;

const AT_ONCE = 100;

/** Goes on with what a creator asked for. */
export const followEnd: QueuedJob<JobDeps, { creatorId: string }> = {
  name: 'end-memberships',
  payload: z.object({ creatorId: z.string() }),
  atOnce: 1,
  run: async (deps, { creatorId }) => {
    if (deps.accounts === null) return;
    const isMore = await goOn({ ...deps, accounts: deps.accounts }, creatorId);
    deps.live.publish(creatorId, { what: 'account' });
    if (isMore) await later(deps.db.engine, deps, followEnd, { creatorId });
  },
};

/** Those whose members are not all taken care of; of a closing, who was on their way to pay as it began, too. */
export function endsToFollow({ db }: Pick<FanDeps, 'db'>): Promise<{ creatorId: string }[]> {
  return db.engine
    .selectFrom('membership_ends')
    .select('creator_id as creatorId')
    .where((eb) => eb.or([eb('done_at', 'is', null), eb('called_off_at', 'is not', null), eb('way', '=', 'close')]))
    .execute();
}

async function countPaying(trx: Kysely<Tables>, creatorId: string): Promise<number> {
  const { many } = await trx
    .selectFrom('passes')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('creator_id', '=', creatorId)
    .where('source', '=', 'stripe')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(many);
}

/** @returns how many pay, of a creator who has not said what becomes of them */
export async function countToEnd(db: Kysely<Tables>, creatorId: string): Promise<number> {
  const end = await findEnd({ db: { engine: db } }, creatorId);
  return end === undefined ? countPaying(db, creatorId) : 0;
}

/** @throws AppError not_possible_now: it was asked for before */
export async function beginEnd(
  trx: Transaction<Tables>,
  { clock }: { clock: Clock },
  { creatorId, userId, way }: { creatorId: string; userId: string; way: MembershipEndWay },
): Promise<void> {
  const many = await countPaying(trx, creatorId);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('membership_ends')
    .values({ creator_id: creatorId, way, asked_at: clock.now(), asked_by: userId, many })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('not_possible_now', 'This was asked for already.');
  await later(trx, { clock }, followEnd, { creatorId });
}

/** @throws AppError not_possible_now: nothing is to be kept; stripe_unreachable */
export async function keepMemberships(deps: FanDeps, creatorId: string): Promise<void> {
  const { db, clock } = deps;
  const end = await findEnd(deps, creatorId);
  if (end === undefined || end.called_off_at !== null || (end.way === 'leave' && end.done_at === null)) {
    throw new AppError('not_possible_now', 'There is nothing to call off now.');
  }
  if (end.way === 'close') {
    const at = { called_off_at: clock.now() };
    await db.engine.updateTable('membership_ends').set(at).where('creator_id', '=', creatorId).execute();
    await later(db.engine, deps, followEnd, { creatorId });
    return;
  }
  await db.engine.transaction().execute(async (trx) => {
    await setLeft(trx, { creatorId, at: null });
    await trx.deleteFrom('membership_ends').where('creator_id', '=', creatorId).execute();
  });
  await checkAccount(deps, creatorId);
}

export async function describeEnd(deps: Pick<AppDeps, 'db'>, creatorId: string): Promise<MembershipEnd> {
  const end = await findEnd(deps, creatorId);
  const { rows } = await sql<{ members: number; last: Date | null }>`
    select count(*)::int as members, max(cancel_at) filter (where closed_at is not null) as last
    from passes where creator_id = ${creatorId} and source = 'stripe' and ended_at is null
  `.execute(deps.db.engine);
  const { members, last } = rows[0]!;
  return {
    way: end?.way ?? null,
    askedAt: end?.asked_at.toISOString() ?? null,
    ...{ members, many: end?.many ?? 0, done: end?.done ?? 0, isDone: end !== undefined && end.done_at !== null },
    ...{ isCalledOff: end !== undefined && end.called_off_at !== null, lastEndsAt: last?.toISOString() ?? null },
  };
}

/** @returns whether there is more to do */
async function goOn(deps: FanDeps, creatorId: string): Promise<boolean> {
  const end = await findEnd(deps, creatorId);
  if (end === undefined || (end.way === 'leave' && end.done_at !== null)) return false;
  const account = await inAccountOf(deps, creatorId);
  if (account === null) return settle(deps, end);
  if (end.called_off_at !== null) return keepSome(account, end);
  await endOpenPages(account, creatorId);
  return end.way === 'leave' ? leaveWithSome(account, end) : cancelSome(account, end);
}

/** There is no account, so no one pays. */
async function settle({ db, clock }: FanDeps, { creator_id: creatorId, called_off_at }: End): Promise<false> {
  const row = db.engine
    .updateTable('membership_ends')
    .set({ done_at: clock.now() })
    .where('creator_id', '=', creatorId);
  const gone = db.engine.deleteFrom('membership_ends').where('creator_id', '=', creatorId);
  await (called_off_at === null ? row : gone).execute();
  return false;
}

/** Takes our fee off; once it is off all, nothing more is asked of the account. */
async function leaveWithSome(account: InAccount, { creator_id: creatorId, asked_at }: End): Promise<boolean> {
  // Tried again later: nothing is given back once the account is left.
  if (!(await followWithdrawals(account, creatorId))) return false;
  let taken = 0;
  let made = 0;
  for await (const page of account.stripe.subscriptionPages()) {
    for (const { id, application_fee_percent: fee } of page) {
      if (fee === null) continue;
      if (taken++ === AT_ONCE) return true;
      const params = { id, application_fee_percent: '' as const };
      const key = `leave:${asked_at.getTime()}:${id}`;
      if (!(await change(account, creatorId, { params, key }))) continue;
      made++;
      await count(account, creatorId);
    }
  }
  // What was changed is looked at once more before it counts; what Stripe refused is tried again later.
  if (taken > 0) return made > 0;
  const now = account.clock.now();
  await account.db.engine.transaction().execute(async (trx) => {
    await setLeft(trx, { creatorId, at: now });
    await trx
      .updateTable('membership_ends')
      .set((eb) => ({ done_at: now, done: eb.ref('many') }))
      .where('creator_id', '=', creatorId)
      .execute();
  });
  return false;
}

/** Cancels for the end of what is paid; the mail of that says why. */
async function cancelSome(account: InAccount, { creator_id: creatorId, asked_at, done_at }: End): Promise<boolean> {
  const rows = await paying(account, creatorId, sql`cancel_at is null and closed_at is null`);
  const made = await changeAll(account, creatorId, { rows, ends: true, key: `close:${asked_at.getTime()}` });
  if (rows.length > 0) return made > 0;
  if (done_at === null) {
    await account.db.engine
      .updateTable('membership_ends')
      .set((eb) => ({ done_at: account.clock.now(), done: eb.ref('many') }))
      .where('creator_id', '=', creatorId)
      .execute();
  }
  return false;
}

/** Those that closing canceled, and nobody else; whoever was blocked meanwhile pays no longer. */
async function keepSome(account: InAccount, { creator_id: creatorId, called_off_at }: End): Promise<boolean> {
  const rows = await paying(
    account,
    creatorId,
    sql`closed_at is not null and not ${isBlocked(sql`passes.creator_id`, sql`passes.contact_id`)}`,
  );
  const made = await changeAll(account, creatorId, { rows, ends: false, key: `reopen:${called_off_at!.getTime()}` });
  if (rows.length > 0) return made > 0;
  await account.db.engine.deleteFrom('membership_ends').where('creator_id', '=', creatorId).execute();
  return false;
}

type Paying = { contactId: string; subscription: string; schedule: string | null };

/** @returns how many Stripe changed */
async function changeAll(
  account: InAccount,
  creatorId: string,
  { rows, ends, key }: { rows: Paying[]; ends: boolean; key: string },
): Promise<number> {
  let made = 0;
  for (const { contactId, subscription: id, schedule } of rows) {
    // What follows a schedule cannot be canceled.
    if (ends) await releaseSchedule(account, creatorId, schedule);
    const params = { id, cancel_at_period_end: ends };
    if (await change(account, creatorId, { params, key: `${key}:${id}` })) {
      made++;
      await setClosed(account, { creatorId, subscription: id, at: ends ? account.clock.now() : null });
      if (ends) await count(account, creatorId);
    }
    // One that is over meanwhile is refused.
    await askStripe(fetchFan(account, { creatorId, contactId }));
  }
  return made;
}

/** @returns false: Stripe refused it @throws AppError stripe_unreachable */
async function change(
  account: InAccount,
  creatorId: string,
  call: { params: StripeParams<'change_subscription'>; key: string },
): Promise<boolean> {
  try {
    await changeStripe(account, { creatorId, verb: 'change_subscription', ...call });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'stripe_unreachable') throw error;
    account.log.error({ err: error, creatorId, key: call.key }, 'a subscription could not be let go of yet');
    return false;
  }
}

async function paying({ db }: InAccount, creatorId: string, which: ReturnType<typeof sql>) {
  const { rows } = await sql<Paying>`
    select contact_id as "contactId", stripe_subscription_id as subscription, schedule_id as schedule from passes
    where creator_id = ${creatorId} and source = 'stripe' and ended_at is null and ${which}
    order by id limit ${AT_ONCE}
  `.execute(db.engine);
  return rows;
}

async function count({ db }: InAccount, creatorId: string): Promise<void> {
  await db.engine
    .updateTable('membership_ends')
    .set((eb) => ({ done: eb.fn<number>('least', [eb.ref('many'), eb('done', '+', 1)]) }))
    .where('creator_id', '=', creatorId)
    .execute();
}

function findEnd({ db }: { db: Pick<AppDeps['db'], 'engine'> }, creatorId: string): Promise<End | undefined> {
  return db.engine.selectFrom('membership_ends').selectAll().where('creator_id', '=', creatorId).executeTakeFirst();
}
