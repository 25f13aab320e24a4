/** Messages of Stripe about creators' accounts: each says what to ask for, and nothing else of it is read. */
import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { type ConnectEvent, OWN_ACCOUNT } from '#server/platforms/stripe/client.ts';
import { checkAccount, creatorOfAccount } from './accounts.ts';
import type { FanDeps } from './fan-deps.ts';
import { followCheckout } from './joining.ts';
import { followMoney } from './money.ts';
import { markCustomer } from './sync.ts';

export const followAccount: QueuedJob<JobDeps, { creatorId: string }> = {
  name: 'follow-stripe-account',
  payload: z.object({ creatorId: z.string() }),
  atOnce: 2,
  run: async (deps, { creatorId }) => {
    if (deps.accounts !== null) await checkAccount({ ...deps, accounts: deps.accounts }, creatorId);
  },
};

const MOVES_MONEY = /^(charge|payout|refund)\./;

/** One transaction; one that came before marks nothing. Those of the other mode and of accounts that are not ours change nothing either. */
export async function takeConnectEvent(deps: FanDeps, event: ConnectEvent): Promise<void> {
  const { db, clock, accounts } = deps;
  const { id, type, livemode, account } = event;
  if (livemode !== accounts.platform.isLive || account === null) return;
  const creatorId = await creatorOfAccount(deps, account);
  if (creatorId === null) return;
  await db.engine.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('stripe_events')
      .values({ id, type, received_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) await mark(trx, deps, creatorId, event);
  });
}

/** What happens in this installation's own account may be about a creator's members, too. @param trx that keeps an event from being followed twice */
export async function markOwnMembers(
  trx: Transaction<Tables>,
  deps: { clock: Clock },
  event: ConnectEvent,
): Promise<void> {
  const creatorId = await creatorOfAccount({ db: { engine: trx } }, OWN_ACCOUNT);
  if (creatorId !== null) await mark(trx, deps, creatorId, event);
}

async function mark(trx: Transaction<Tables>, deps: { clock: Clock }, creatorId: string, event: ConnectEvent) {
  const { type, customer, session } = event;
  if (MOVES_MONEY.test(type)) await later(trx, deps, followMoney, { creatorId });
  if (session !== null) await later(trx, deps, followCheckout, { creatorId, sessionId: session });
  else if (customer !== null) await markCustomer(trx, deps, { creatorId, customer });
  else if (/account/.test(type)) await later(trx, deps, followAccount, { creatorId });
}
