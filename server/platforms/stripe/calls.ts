/**
 * Calls to Stripe that change something. Each is written down first and made with a key of its own, so that it has its effect
 * once: whatever breaks in between, it is made again with the same key, and Stripe answers what it answered before.
 */
import type { FastifyBaseLogger } from 'fastify';
import { sql, type Transaction, type Updateable } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { StripeCallsTable, Tables } from '#server/db/types.ts';
import type { StripeClient, StripeParams, StripeVerb } from './client.ts';
import { failureOf, stripeProblem } from './errors.ts';

export type CallDeps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  /** Of the account in which the calls are made. */
  stripe: StripeClient;
  /** A connected one; absent: our own. */
  account?: string;
  log: Pick<FastifyBaseLogger, 'error'>;
};

type Planned<V extends StripeVerb> = { creatorId: string | null; verb: V; params: StripeParams<V>; key: string };

const AGAIN_AFTER_MS = 30_000;
/** Stripe keeps keys for at least 24 hours [S]: later the call could have its effect twice. Whoever wishes it still asks again. */
const SAFE_FOR_MS = 20 * 3_600_000;
const MOST_AT_ONCE = 20;

/**
 * @param call.key the same for the same wish: one that was fulfilled is not asked for again
 * @returns the id of what was made or changed
 * @throws AppError stripe_unreachable: it may have happened, and is made again by itself; payments_off, not_possible_now: it did not
 */
export async function changeStripe<V extends StripeVerb>(deps: CallDeps, call: Planned<V>): Promise<string> {
  const { key, creatorId, verb } = call;
  const { id } = call.params as { id?: string };
  if (creatorId !== null && REPLACES_EARLIER.includes(verb)) await giveUpEarlier(deps, { creatorId, verb, key, id });
  await planCalls(deps, [call]);
  const row = await deps.db.engine
    .selectFrom('stripe_calls')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (row.state === 'done') return row.stripe_id!;
  // What was planned first is what is asked: the key stands for those parameters.
  const problem = row.state === 'refused' ? null : row.problem;
  return make(deps, { key, verb, params: row.params as StripeParams<V>, problem });
}

/** Writes down calls that belong together: those that are not made by `changeStripe` in the next moment are made by `makeAgain`. */
export async function planCalls<V extends StripeVerb>(
  { db, clock, account }: CallDeps,
  calls: Planned<V>[],
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map(({ key, creatorId, verb, params }) => ({
    ...{ key, creator_id: creatorId, verb, params: JSON.stringify(params), planned_at: clock.now() },
    account: account ?? null,
  }));
  await db.engine
    .insertInto('stripe_calls')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stripe refuses these a second time, whatever it remembers of their keys: what is owed is made at any age. */
const HAPPEN_ONCE: StripeVerb[] = ['refund', 'end_subscription', 'expire_session', 'release_schedule'];

/** Of these the last wish counts: an earlier one whose answer never came must not be made after it. */
const REPLACES_EARLIER: StripeVerb[] = ['change_subscription', 'change_customer'];

async function giveUpEarlier(
  { db, clock }: CallDeps,
  { creatorId, verb, key, id = '' }: { creatorId: string; verb: StripeVerb; key: string; id: string | undefined },
): Promise<void> {
  await db.engine
    .updateTable('stripe_calls')
    .set({ state: 'refused', problem: `replaced by ${key}`, settled_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .where('verb', '=', verb)
    .where(sql`params ->> 'id'`, '=', id)
    .where('key', '!=', key)
    .where('state', '=', 'planned')
    .execute();
}

/** `problem`: of the last try, where the next one needs another key at Stripe. */
type Call<V extends StripeVerb> = Omit<Planned<V>, 'creatorId'> & { problem: string | null };

async function make<V extends StripeVerb>(deps: CallDeps, { key, verb, params, problem }: Call<V>) {
  const write = (values: Updateable<StripeCallsTable>) =>
    deps.db.engine
      .updateTable('stripe_calls')
      .set(values)
      .where('key', '=', key)
      .where('state', '!=', 'done')
      .execute();
  const settle = (values: { state: 'done' | 'refused'; stripe_id?: string; problem?: string }) =>
    write({ ...values, settled_at: deps.clock.now() });
  try {
    const { id } = await deps.stripe.change(verb, params, problem === null ? key : `${key}:${problem}`);
    await settle({ state: 'done', stripe_id: id });
    return id;
  } catch (error) {
    const failure = failureOf(error);
    if (isFulfilled(verb, error)) {
      const id = (params as { id?: string }).id ?? key;
      await settle({ state: 'done', stripe_id: id });
      return id;
    }
    if (failure === 'settings') deps.log.error({ err: error, key }, 'Stripe refused a call');
    if (failure !== 'later') await settle({ state: 'refused', problem: (error as Error).message });
    else if (isBroken(error) && !MOVES_MONEY_AGAIN.includes(verb))
      await write({ problem: `${deps.clock.now().getTime()}` });
    throw stripeProblem(error);
  }
}

/** Under another key, these charge or give back a second time. */
const MOVES_MONEY_AGAIN: StripeVerb[] = ['change_subscription', 'refund_part'];

/**
 * Stripe keeps such an answer for its key, too [S]: the next try has another. What moves money must not be tried like that; of
 * all others a second is refused, or is an object that nobody hears of.
 */
function isBroken(error: unknown): boolean {
  return ((error as { statusCode?: number }).statusCode ?? 0) >= 500;
}

/** Somebody else did meanwhile what was wished for. */
function isFulfilled(verb: StripeVerb, error: unknown): boolean {
  if (verb === 'refund') return (error as { code?: string }).code === 'charge_already_refunded';
  // A page that cannot be ended any more may have been paid.
  return (verb === 'end_subscription' || verb === 'release_schedule') && failureOf(error) === 'gone';
}

/** @returns false when it was told already */
export async function markTold(trx: Transaction<Tables>, key: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('stripe_calls')
    .set({ told_at: at })
    .where('key', '=', key)
    .where('told_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A subscription that was ended, for which nothing can be paid any more. */
export async function markFollowed({ db }: Pick<CallDeps, 'db'>, key: string): Promise<void> {
  await db.engine.updateTable('stripe_calls').set({ is_followed: true }).where('key', '=', key).execute();
}

/** Makes calls again whose answer never came. @returns the creators whose copy may be old now, each with the account that was called */
export async function makeAgain(
  deps: Omit<CallDeps, 'account' | 'stripe'> & { clientOf(account: string | null): StripeClient | null },
): Promise<{ creatorId: string; account: string | null }[]> {
  const now = deps.clock.now().getTime();
  await deps.db.engine
    .updateTable('stripe_calls')
    .set({ state: 'unknown', settled_at: deps.clock.now() })
    .where('state', '=', 'planned')
    .where('planned_at', '<', new Date(now - SAFE_FOR_MS))
    .where('verb', 'not in', HAPPEN_ONCE)
    .execute();
  const rows = await deps.db.engine
    .selectFrom('stripe_calls')
    .select(['key', 'creator_id', 'verb', 'params', 'problem', 'account'])
    .where('state', '=', 'planned')
    .where('planned_at', '<', new Date(now - AGAIN_AFTER_MS))
    .orderBy('planned_at')
    .limit(MOST_AT_ONCE)
    .execute();
  const changed = new Map<string, { creatorId: string; account: string | null }>();
  for (const { creator_id, account, ...row } of rows) {
    const stripe = deps.clientOf(account);
    // A later wish may have taken its place since the list was read.
    if (stripe === null || !(await isPlanned(deps, row.key))) continue;
    const call = { ...row, verb: row.verb as StripeVerb, params: row.params as never };
    const made = await make({ ...deps, stripe }, call).catch((error) => {
      deps.log.error({ err: error, key: row.key }, 'a call to Stripe has no answer yet');
      return null;
    });
    if (made !== null && creator_id !== null)
      changed.set(`${creator_id} ${account}`, { creatorId: creator_id, account });
  }
  return [...changed.values()];
}

async function isPlanned({ db }: Pick<CallDeps, 'db'>, key: string): Promise<boolean> {
  const row = db.engine.selectFrom('stripe_calls').select('key').where('key', '=', key).where('state', '=', 'planned');
  return (await row.executeTakeFirst()) !== undefined;
}

/** @param days how long settled calls are kept */
export async function forgetCalls({ db, clock }: Pick<CallDeps, 'db' | 'clock'>, days: number): Promise<void> {
  const before = new Date(clock.now().getTime() - days * 86_400_000);
  await db.engine.deleteFrom('stripe_calls').where('settled_at', '<', before).execute();
}
