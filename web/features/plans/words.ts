import type { CancelReason } from '#contract/billing.ts';
import type { CheckoutState } from '#contract/plans.ts';
import { type Interval, intervalWords } from '#web/features/plans/plan-offers.ts';

export const PLANS = {
  off: 'Payments aren’t set up yet',
  offSays: 'You can compare plans here. To change yours, ask the people who run this Creator HQ. You won’t be charged.',
  paying: (plan: string) =>
    `You’re on ${plan}. To change to another plan, cancel it in Settings first. Once it has ended, you can choose another.`,
  onlyOwners: 'Only an owner can see and change the plan.',
  choose: (plan: string) => `Choose ${plan}`,
};

export const CHECKOUT = {
  title: 'Checkout',
  chooseFirst: 'Choose a plan first',
  loading: 'Loading the plan',
  failed: 'Couldn’t load the plan',
  price: (price: string) => `${price}, plus tax where due`,
  today: 'Today you pay',
  later: 'After that',
  laterSays: (price: string, interval: Interval) => `${price} ${intervalWords(interval)}, until you cancel`,
  invoices: 'Invoices go to',
  cancel: 'Canceling',
  cancelSays: 'In Settings, with two taps, at any time. The plan runs until the end of what you paid for.',
  subscribe: (price: string, interval: Interval) => `Subscribe for ${price} ${intervalWords(interval)}`,
  play: 'This is play money: nothing is charged. Pay with the card 4242 4242 4242 4242.',
  next: 'You pay on Stripe’s page. We never see your card.',
  others: 'See all plans',
  asking: 'Asking Stripe about your payment',
  askFailed: 'Couldn’t ask about your payment',
  home: 'Go to your home',
  plan: 'See your plan',
  goOn: 'Go on paying',
};

/** What a payer reads when they come back. */
export const RETURNED: Record<CheckoutState, { title: string; says: (plan: string) => string }> = {
  checking: { title: 'One moment…', says: () => 'We’re asking Stripe about your payment.' },
  paid: { title: 'Thank you!', says: (plan) => `You’re on ${plan}.` },
  trial: { title: 'Your trial has begun', says: (plan) => `You’re on ${plan}.` },
  processing: {
    title: 'Your payment is on its way',
    says: (plan) => `Your bank settles it in a few days. ${plan} starts once it has.`,
  },
  open: { title: 'Nothing was charged', says: (plan) => `You haven’t paid for ${plan} yet.` },
  expired: { title: 'This payment is over', says: () => 'Nothing was charged. You can start again.' },
  unreachable: {
    title: 'Stripe hasn’t answered us yet',
    says: () => 'If you paid, nothing is lost and nothing is paid twice. This page goes on by itself.',
  },
};

export const ENDING = {
  cancel: 'Cancel plan',
  keep: 'Keep my plan',
  title: 'Cancel your plan?',
  says: (plan: string, until: string | null) =>
    `You have ${plan} until ${until ?? 'the end of what you paid for'}. After that, you’re on the free plan. What you made stays, and you can take this back until then.`,
  why: 'Why? (optional)',
  notNow: 'Not now',
};

export const REASONS: Record<CancelReason, string> = {
  too_expensive: 'It costs too much',
  missing_features: 'Something is missing',
  unused: 'I don’t use it',
  switched_service: 'I use something else',
  too_complex: 'It’s too complicated',
  low_quality: 'It doesn’t work well enough',
  customer_service: 'Support didn’t help',
  other: 'Something else',
};
