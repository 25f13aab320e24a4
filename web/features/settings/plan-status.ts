import { dollars, type Standing, type SubscriptionStatus } from '#contract/plans.ts';
import type { Me } from '#contract/session.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { dayOf } from '#web/ui/moment.ts';

type Billing = Pick<NonNullable<Me['billing']>, 'standing' | 'until' | 'nextPayment'>;
type Status = { label: string; tone: BadgeTone; words: string | null };

/** What a subscription allows in a word, and what follows from it in a sentence (null: nothing to say). */
export function planStatus({ standing, until, nextPayment }: Billing, status?: SubscriptionStatus): Status {
  const end = until === null ? null : dayOf(until);
  const next = nextPayment === null ? null : `${dollars(nextPayment.cents)} on ${dayOf(nextPayment.at)}`;
  const states: Record<Standing, Status> = {
    paid: { label: 'Active', tone: 'accent', words: next && `Next payment: ${next}.` },
    ending: {
      label: 'Canceled',
      tone: 'warning',
      words: `It runs until ${end}. After that, you’re on the free plan.`,
    },
    trial: { label: 'Trial', tone: 'info', words: `Free until ${end}.${next === null ? '' : ` Then ${next}.`}` },
    late: {
      label: 'Payment due',
      tone: 'warning',
      words: `The last payment didn’t go through. Everything works until ${end}.`,
    },
    lapsed:
      status === 'incomplete'
        ? { label: 'Not paid yet', tone: 'warning', words: 'The first payment isn’t finished.' }
        : { label: 'Unpaid', tone: 'error', words: 'The last payments didn’t go through.' },
    paused: {
      ...{ label: 'Paused', tone: 'error' },
      words: 'It was paused at Stripe. Until it goes on, the rules of the free plan apply. Write to us about it.',
    },
    free: { label: 'Active', tone: 'accent', words: null },
    given: { label: 'Active', tone: 'accent', words: end && `From support, until ${end}.` },
  };
  return states[standing];
}
