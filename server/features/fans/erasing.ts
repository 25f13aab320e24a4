/** Whoever is erased pays no longer. */
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { deletePasses } from './passes.ts';
import { askAboutErased } from './word-ends.ts';

type Payment = { creatorId: string; account: string; subscription: string };

/** Before their contacts go. */
export async function endMemberships(
  trx: CreatorTransaction,
  deps: { clock: Clock },
  { creatorId, contactIds }: { creatorId: string; contactIds: string[] },
): Promise<void> {
  if (contactIds.length === 0) return;
  await askAboutErased(deps, trx, { creatorId, contactIds });
  const rows = await trx
    .selectFrom('passes as p')
    .innerJoin('stripe_accounts as a', 'a.creator_id', 'p.creator_id')
    .select(['p.stripe_subscription_id', 'a.account_id'])
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', 'in', contactIds)
    .where('p.source', '=', 'stripe')
    .where('p.ended_at', 'is', null)
    .where('a.left_at', 'is', null)
    .execute();
  const payments = rows.map((row) => ({
    ...{ creatorId, account: row.account_id, subscription: row.stripe_subscription_id! },
  }));
  await later(trx, deps, endPayment, ...payments);
  await deletePasses(trx, { creatorId, contactIds });
}

export const endPayment: QueuedJob<JobDeps, Payment> = {
  name: 'end-payment-of-erased',
  payload: z.object({ creatorId: z.string(), account: z.string(), subscription: z.string() }),
  atOnce: 2,
  run: async ({ accounts, ...deps }, { creatorId, account, subscription: id }) => {
    if (accounts === null) return;
    const call = { creatorId, verb: 'end_subscription' as const, params: { id }, key: `erased:${id}` };
    await changeStripe({ ...deps, stripe: accounts.of(account), account }, call);
  },
};
