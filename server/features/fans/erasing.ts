/** Whoever is erased pays no longer. */
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { giveBack } from '#server/features/billing/giving-back.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { deletePasses } from './passes.ts';
import { askAboutMany } from './word-ends.ts';

/** `givesBack`: they have withdrawn from it. */
type Payment = { creatorId: string; account: string; subscription: string; givesBack: boolean };

/** Before their contacts go. */
export async function endMemberships(
  trx: CreatorTransaction,
  deps: { clock: Clock },
  { creatorId, contactIds }: { creatorId: string; contactIds: string[] },
): Promise<void> {
  if (contactIds.length === 0) return;
  await askAboutMany(deps, trx, { creatorId, contactIds });
  const rows = await trx
    .selectFrom('passes as p')
    .innerJoin('stripe_accounts as a', 'a.creator_id', 'p.creator_id')
    .select(['p.stripe_subscription_id', 'p.withdraws_at', 'a.account_id'])
    .where('p.creator_id', '=', creatorId)
    .where('p.contact_id', 'in', contactIds)
    .where('p.source', '=', 'stripe')
    .where('p.ended_at', 'is', null)
    .where('a.left_at', 'is', null)
    .execute();
  const payments = rows.map((row) => ({
    ...{ creatorId, account: row.account_id, subscription: row.stripe_subscription_id! },
    givesBack: row.withdraws_at !== null,
  }));
  await later(trx, deps, endPayment, ...payments);
  await deletePasses(trx, { creatorId, contactIds });
}

export const endPayment: QueuedJob<JobDeps, Payment> = {
  name: 'end-payment-of-erased',
  payload: z.object({
    ...{ creatorId: z.string(), account: z.string(), subscription: z.string() },
    givesBack: z._default(z.boolean(), false),
  }),
  atOnce: 2,
  run: async ({ accounts, ...rest }, { creatorId, account, subscription: id, givesBack }) => {
    if (accounts === null) return;
    const deps = { ...rest, stripe: accounts.of(account), account };
    if (givesBack) await giveBack(deps, { creatorId, id, key: 'fan_refund' });
    else await changeStripe(deps, { creatorId, verb: 'end_subscription', params: { id }, key: `erased:${id}` });
  },
};
