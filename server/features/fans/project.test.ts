/** Whether a subscription lets its payer read, and until when: every status with everything that can be about its money. */
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '#contract/plans.ts';
import { paidPassOf } from './project.ts';

const DAY = 86_400;
/** Where the present period begins and ends, and when something was taken back, in days. */
const [START, END, TAKEN, ENDED] = [100, 130, 110, 115];

const MONEY = ['paid', 'open', 'refunded', 'disputed'] as const;
type Money = (typeof MONEY)[number];

/** Until which day they read, by status and what became of the last invoice; null: never. With an end that is set as the second. */
const readsOf = (late: number): Record<SubscriptionStatus, Record<Money, [number | null, number | null]>> => ({
  // A payment is under way for a week; whoever canceled has none coming.
  active: { paid: [END + 7, END], open: [START + 7, START], refunded: [TAKEN, TAKEN], disputed: [TAKEN, TAKEN] },
  trialing: { paid: [END + 7, END], open: [START + 7, START], refunded: [TAKEN, TAKEN], disputed: [TAKEN, TAKEN] },
  past_due: {
    paid: [END + late, END],
    open: [START + late, START],
    refunded: [TAKEN, TAKEN],
    disputed: [TAKEN, TAKEN],
  },
  unpaid: { paid: [END, END], open: [START, START], refunded: [TAKEN, TAKEN], disputed: [TAKEN, TAKEN] },
  paused: { paid: [END, END], open: [START, START], refunded: [TAKEN, TAKEN], disputed: [TAKEN, TAKEN] },
  canceled: { paid: [ENDED, ENDED], open: [START, START], refunded: [TAKEN, TAKEN], disputed: [TAKEN, TAKEN] },
  incomplete: { paid: [null, null], open: [null, null], refunded: [null, null], disputed: [null, null] },
  incomplete_expired: { paid: [null, null], open: [null, null], refunded: [null, null], disputed: [null, null] },
});

const cells = [0, 7, 14].flatMap((late) =>
  SUBSCRIPTION_STATUSES.flatMap((status) =>
    MONEY.flatMap((money) =>
      [false, true].map((ends) => ({ late, status, money, ends, until: readsOf(late)[status][money][ends ? 1 : 0] })),
    ),
  ),
);

test.each(cells)(
  '$late late days, $status, $money, set to end: $ends → day $until',
  ({ late, status, money, ends, until }) => {
    const pass = paidPassOf(
      {
        ...{ id: 'sub_1', status, created: 0, trial_end: null, cancel_at: null, cancel_at_period_end: ends },
        ended_at: status === 'canceled' ? ENDED * DAY : null,
        items: {
          data: [{ price: { id: 'price_1' }, current_period_start: START * DAY, current_period_end: END * DAY }],
        },
        latest_invoice: {
          status: money === 'open' ? 'open' : 'paid',
          status_transitions: { finalized_at: START * DAY },
          payments: { data: [{ status: 'paid', payment: { payment_intent: 'pi_1' } }] },
        },
      } as unknown as Stripe.Subscription,
      money === 'refunded' || money === 'disputed'
        ? new Map([['pi_1', { at: new Date(TAKEN * DAY * 1000), isRefunded: money === 'refunded' }]])
        : new Map(),
      late,
    );
    expect(pass === null ? null : pass.readsUntil.getTime() / 1000 / DAY).toBe(until);
    if (pass === null) return;
    expect(pass.isRefunded).toBe(money === 'refunded');
    expect(pass.endedAt === null).toBe(status !== 'canceled');
    // Renewed only where it goes on.
    expect(pass.renewsAt === null).toBe(ends || status === 'canceled');
  },
);
