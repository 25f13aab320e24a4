/** What a member paid, given back in part or in full. They are told once Stripe's line about it is read. */
import type { Transaction } from 'kysely';
import type Stripe from 'stripe';
import { amountLabel } from '#contract/amounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getMemberPayment } from '#contract/members.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { oneChangeAtATime } from '#server/features/billing/price-changes.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { needAccount } from './accounts.ts';
import { findPaid, type Whose } from './ending.ts';
import type { FanDeps } from './fan-deps.ts';
import { mailFan } from './mails.ts';
import { noteChange } from './passes.ts';
import { fetchFan } from './sync.ts';

/** @param paymentId of the line of money, as `getMember` names it */
type Payment = Whose & { paymentId: string };

/** Written on what we give back, but for what tells its payer in another way. */
export const REFUND_MARK = 'chq_refund';

/** @throws AppError not_found: no such payment of theirs; not_possible_now, stripe_unreachable, payments_off */
export async function describePayment(deps: FanDeps, payment: Payment): Promise<ResponseOf<typeof getMemberPayment>> {
  const { charge } = await needCharge(deps, payment);
  return { amount: charge.amount, left: leftOf(charge), currency: charge.currency };
}

/**
 * Gives back a part, or all that is left of it. A payment that is given back in full lets in no longer.
 *
 * @param wish.left what was left of it when the wish was made: a second wish of the same moment is not fulfilled
 * @param wish.ends what they pay for now is ended, too
 * @throws AppError as `describePayment`
 */
export async function giveBackPart(
  deps: FanDeps,
  payment: Payment,
  wish: { amount: number; left: number; ends: boolean },
): Promise<void> {
  const { account, charge: known } = await needCharge(deps, payment);
  await oneChangeAtATime(account, known.id, async () => {
    const charge = await askStripe(account.stripe.charge(known.id));
    const left = leftOf(charge);
    if (left !== wish.left) throw new AppError('not_possible_now', 'Some of it was given back meanwhile. Look again.');
    if (wish.amount > left) throw new AppError('not_possible_now', 'No more can be given back than they paid.');
    const { creatorId } = payment;
    const paid = wish.ends ? await findPaid(deps, payment) : null;
    const refund = {
      ...{ creatorId, verb: 'refund_part' as const, key: `part:${charge.id}:${left}:${wish.amount}` },
      params: {
        ...{ charge: charge.id, amount: wish.amount, reason: 'requested_by_customer' as const },
        metadata: { [REFUND_MARK]: 'part' },
      },
    };
    await changeStripe(account, refund);
    if (paid !== null) {
      const { subscription: id } = paid;
      await changeStripe(account, { creatorId, verb: 'end_subscription', params: { id }, key: `part_end:${id}` });
    }
  });
  await askStripe(fetchFan(deps, payment));
}

async function needCharge(deps: FanDeps, { creatorId, contactId, paymentId }: Payment) {
  const line = await deps.db.engine
    .selectFrom('money_lines')
    .select('charge')
    .where('creator_id', '=', creatorId)
    .where('id', '=', paymentId)
    .where('contact_id', '=', contactId)
    .where('category', '=', 'charge')
    .executeTakeFirst();
  if (line?.charge == null) throw new AppError('not_found', 'They made no such payment.');
  const account = await needAccount(deps, creatorId);
  return { account, charge: await askStripe(account.stripe.charge(line.charge)) };
}

/** Of what a bank took back, nothing can be given back. */
function leftOf({ amount, amount_refunded, disputed }: Stripe.Charge): number {
  return disputed ? 0 : amount - amount_refunded;
}

/** @param refund as a new line of money speaks of it */
export async function tellRefund(
  deps: FanDeps,
  trx: Transaction<Tables>,
  whose: Whose,
  refund: Pick<Stripe.Refund, 'amount' | 'currency' | 'metadata'>,
): Promise<void> {
  if (refund.metadata?.[REFUND_MARK] === undefined) return;
  const amount = amountLabel(refund.amount, refund.currency);
  await noteChange(deps, trx, { ...whose, what: `${amount} was given back.` });
  await mailFan(deps, trx, whose, {
    kind: 'fan_refunded_part',
    letter: {
      subject: `You get ${amount} back`,
      paragraphs: [`The creator gives you back ${amount} of what you paid. It’s with you in 5 to 10 days.`],
    },
  });
}
