import type { CancelReason } from '#contract/billing.ts';
import type { CheckoutState } from '#contract/plans.ts';
import { type Interval, intervalWords } from '#web/features/plans/plan-offers.ts';

export const PLANS = {
  off: 'Everything is included on this install.',
  offSays: 'There’s nothing to choose and nothing to pay.',
  /** Another plan cannot be chosen before that. */
  first: {
    due: 'A payment is due. Pay it first, in Settings.',
    ending: 'Your plan is canceled. Keep it first, in Settings.',
    planned: 'Another change is planned. Take it back first, in Settings.',
  },
  settings: 'Go to Settings',
  trial: (days: number) => `${days} days free`,
  onlyOwners: 'Only an owner can see and change the plan.',
  choose: (plan: string) => `Choose ${plan}`,
  change: (plan: string) => `Change to ${plan}`,
};

export const CHANGE = {
  title: (plan: string) => `Change to ${plan}?`,
  now: 'It begins at once.',
  later: (present: string, day: string) =>
    `You keep ${present} until ${day}, as you paid for it. Nothing is charged today.`,
  due: 'To pay now',
  tax: 'Tax',
  next: 'Next payment',
  nextSays: (price: string, day: string) => `${price} on ${day}`,
  notNow: 'Not now',
  pay: (price: string) => `Pay ${price} and change`,
  act: 'Change plan',
};

export const CHECKOUT = {
  title: 'Checkout',
  chooseFirst: 'Choose a plan first',
  loading: 'Loading the plan',
  failed: 'Couldn’t load the plan',
  price: (price: string) => `${price}, plus tax where due`,
  today: 'Today you pay',
  todayFree: (days: number) => `Nothing. It’s free for ${days} days`,
  later: 'After that',
  laterSays: (price: string, interval: Interval) => `${price} ${intervalWords(interval)}, until you cancel`,
  invoices: 'Invoices go to',
  cancel: 'Canceling',
  cancelSays: 'In Settings, with two taps, at any time. The plan runs until the end of what you paid for.',
  subscribe: (price: string, interval: Interval) => `Subscribe for ${price} ${intervalWords(interval)}`,
  subscribeLater: (price: string, interval: Interval) => `Start free, then ${price} ${intervalWords(interval)}`,
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
    says: (plan) => `Your bank settles it in a few days. You’re on ${plan} once Stripe takes it as paid.`,
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
  refund: 'End it now, with a refund',
  refundSays: (day: string) => `Until ${day}, you can also end it at once and get back all you paid.`,
};

export const DUE = {
  card: 'A payment didn’t go through. Pay with this card again, or with another one.',
  bank_confirmation: 'Your bank wants you to confirm a payment.',
  pay: 'Pay now',
  confirm: 'Confirm the payment',
  next: (plan: string, day: string) => `From ${day} you’re on ${plan}.`,
  price: (price: string, day: string) => `From ${day}, it’s ${price}.`,
  keep: (plan: string) => `Keep ${plan}`,
  portal: 'Card and address',
};

export const INVOICES = {
  title: 'Invoices',
  loading: 'Loading your invoices',
  failed: 'Couldn’t load your invoices',
  none: 'You have no invoices yet.',
  first: (day: string) => `Your first invoice comes on ${day}.`,
  more: 'Show older invoices',
  pay: 'Pay',
  pdf: 'PDF',
  withTax: (tax: string) => `with ${tax} tax`,
  status: { open: 'Open', paid: 'Paid', uncollectible: 'Unpaid', void: 'Void' },
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
